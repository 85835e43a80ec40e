"""Deals in play: which of their cards viewers have seen, and the remains after the hand.

A hand has one deal, and another for each renewal of its stock. A card belongs to the newest deal that contains it,
because cards shuffled into a new stock are in no player's hand.

Law: after the deal, cards that no viewer saw are erased. `remains` has the shown cards at their places, and the others
in canonical order, which reveals nothing. A replay from it gives the same events as the original pack, because no event
depends on an unseen card."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import filterfalse
from typing import Any

from msgspec.structs import replace

from put_protocol.cards import CARD_ORDER, Card
from put_protocol.games.unions import Event
from put_protocol.seats import Viewer, viewers_at
from put_rules.facts import seen_by
from put_rules.game import Awaits, Game, Shuffle
from put_rules.record import Chance, GameRecord, Pack, Step
from put_rules.steps import Played, fold, packed_steps, replace_live
from put_rules.table_options import TableOptions

SeenByAll = tuple[tuple[Event, ...], ...]
"""Events for each viewer, the gallery last. If all see the same, it is one shared tuple."""


class LiveDeal:
    __slots__ = ("_given_back", "_seen", "pack")

    def __init__(self, pack: Pack, arranged: Iterable[Card] = ()) -> None:
        """`arranged`: cards on top that everyone knows from the table's options."""
        self.pack = pack
        """Cards in the order dealt, from the top."""
        self._given_back: tuple[Card, ...] = ()
        """Cards that now belong to another deal."""
        self._seen = tuple(arranged)
        """Cards that a viewer has seen; among them may be cards of another deal."""

    def note_shown(self, seen: SeenByAll) -> None:
        """Note the events sent to each viewer."""
        shown: tuple[Card, ...] = ()
        former: tuple[Event, ...] = ()
        for events in seen:
            if events is former:
                continue
            former = events
            for event in events:
                if event.SHOWS is not None:
                    shown += event.SHOWS.cards_in(event)
        if not frozenset(shown).issubset(self._seen):
            self._seen = tuple(dict.fromkeys((*self._seen, *filterfalse(self._given_back.__contains__, shown))))

    def give_back(self, cards: Iterable[Card]) -> None:
        """Note cards that came back during the hand, and belong to another deal from now on."""
        self._given_back += tuple(cards)

    def remains(self) -> Pack:
        """The pack in its form for the journal after the deal."""
        return replace(self.pack, cards=without_unseen(self.pack.cards, self._seen))


LiveHand = tuple[LiveDeal, ...]
"""The deals of the hand in play, the oldest first."""


def with_deal(hand: LiveHand, deal: LiveDeal) -> LiveHand:
    """The hand with another deal. Earlier deals stay only if it is a stock made of their cards."""
    if not deal.pack.is_stock:
        return (deal,)
    for other in hand:
        other.give_back(deal.pack.cards)
    return (*hand, deal)


class DealFollower:
    """Follows the deals of a game during a replay."""

    def __init__(self, record: GameRecord, viewers: Sequence[Viewer]) -> None:
        self._options = TableOptions.of(record.options)
        self._viewers = viewers
        self.hand: LiveHand = ()

    def follow(self, played: Played) -> None:
        """A step of the fold, the next each time."""
        if isinstance(played.input, Pack):
            self.hand = with_deal(self.hand, deal_of(played.input, self._options))
        for deal in self.hand:
            deal.note_shown(tuple([seen_by(played.facts, viewer) for viewer in self._viewers]))


def deal_of(pack: Pack, options: TableOptions) -> LiveDeal:
    """Deal of a recorded pack, at a table with these options."""
    arranged = options.arranged
    is_arranged = pack.cards[: len(arranged)] == arranged  # a pack that is drawn from is not
    return LiveDeal(pack, arranged=arranged if is_arranged else ())


def blanked(pack: Pack) -> Pack:
    return Pack((), is_stock=pack.is_stock)


def with_live(record: GameRecord, chances: Sequence[Chance]) -> GameRecord:
    return replace_live(record, [chance.pack for chance in chances if chance.pack is not None])


def reduced(record: GameRecord, game: Game[Any, Any]) -> GameRecord:
    """A finished game without unseen cards and without the secrets of its deals.

    A pack whose unseen cards decide on an accident, as in games of earlier versions, stays unchanged.

    :raises BadRecord: a step is not valid.
    """
    follower = DealFollower(record, viewers_at(len(record.players)))
    steps: list[Step] = []
    hand: list[int | None] = []
    """Indices of the last hand's packs among the steps; None: the pack stays unchanged."""

    def close() -> None:
        for at, deal in zip(hand, follower.hand, strict=True):
            if at is not None:
                steps[at] = Step(steps[at].at, deal.remains())

    awaits: Awaits | None = None
    for played in fold(record, game):
        if isinstance(played.input, Pack):
            if not played.input.is_stock:
                close()
                hand.clear()
            has_chance = isinstance(awaits, Shuffle) and awaits.misdeals > 0 and played.input.luck is None
            hand.append(None if has_chance else len(steps))
        awaits = game.awaits(played.state)
        if played.input is not None:
            follower.follow(played)
            steps.append(Step(played.at, played.input))
    close()
    return replace(record, steps=packed_steps(steps))


def without_unseen(pack: tuple[Card, ...], seen: Iterable[Card]) -> tuple[Card, ...]:
    """The pack with seen cards at their places, and the others in canonical order. A card that was never known stays a
    place."""
    cards = frozenset(pack)
    known, unknown = _in_order(cards)
    others = known.copy()
    for card in seen:
        others.pop(card, None)
    laid = list(others)
    for place in sorted(map(pack.index, unknown.union(cards.intersection(seen)))):  # from the top, each at its place
        laid.insert(place, pack[place])
    return tuple(laid)


@lru_cache(maxsize=64)  # there are few kinds of packs
def _in_order(cards: frozenset[Card]) -> tuple[dict[Card, None], frozenset[Card]]:
    """The known cards of a pack in canonical order, and the others."""
    return dict.fromkeys(filter(cards.__contains__, CARD_ORDER)), cards.difference(CARD_ORDER)
