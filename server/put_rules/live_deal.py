"""Deals whose cards are in play: which of them a viewer has been shown, and what remains.

A hand has one deal, and one more each time that its stock is renewed. A card belongs to the newest deal of the hand
that has it, because what is shuffled into a new stock was in no player's hand.

Law: when the deal is over, what no viewer was shown is forgotten. `remains` has the cards that were shown, and lays the
others in their canonical order, which says nothing. Everything that happened follows from it as from the pack that was
dealt, for no event depends on a card that no viewer saw."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from put_protocol.cards import CARD_ORDER, Card
from put_protocol.games.unions import Event
from put_protocol.seats import GALLERY, Seat, Viewer
from put_rules.facts import Fact
from put_rules.game import Awaits, Game, Shuffle
from put_rules.record import Chance, GameRecord, Pack, Step
from put_rules.steps import Played, fold, packed_steps, replace_live
from put_rules.table_options import TableOptions

SeenByAll = tuple[tuple[Event, ...], ...]
"""The events that each viewer is sent, the gallery last. What is open to all is one tuple for all."""


class LiveDeal:
    __slots__ = ("_given_back", "_seen", "pack")

    def __init__(self, pack: Pack, arranged: Iterable[Card] = ()) -> None:
        """`arranged`: cards of which everyone knows by the table's options that they lie on top."""
        self.pack = pack
        """Cards in the order dealt, from the top."""
        self._given_back: tuple[Card, ...] = ()
        """Cards that are of another deal by now."""
        self._seen = tuple(arranged)

    def note_shown(self, seen: SeenByAll) -> None:
        """Each viewer is sent these events."""
        former: tuple[Event, ...] = ()
        known, cards, given_back = self._seen, self.pack.cards, self._given_back
        for events in seen:
            if events is former:
                continue
            former = events
            for event in events:
                if event.SHOWS is not None:
                    for card in event.SHOWS.cards_in(event):
                        if card not in known and card in cards and card not in given_back:
                            known += (card,)
        self._seen = known

    def give_back(self, cards: Iterable[Card]) -> None:
        """These came back in the middle of the hand, and are of another deal from now on."""
        self._given_back += tuple(cards)

    def remains(self) -> Pack:
        """The pack as the journal keeps it when the deal is over."""
        return replace(self.pack, cards=without_unseen(self.pack.cards, self._seen))


class LiveHand:
    """The deals of the hand in play, the oldest first."""

    __slots__ = ("deals",)

    def __init__(self) -> None:
        self.deals: tuple[LiveDeal, ...] = ()

    def add(self, deal: LiveDeal) -> None:
        """A deal comes into play. Those before it stay only if it is a stock, of cards that were theirs."""
        if not deal.pack.is_stock:
            self.deals = ()
        for other in self.deals:
            other.give_back(deal.pack.cards)
        self.deals += (deal,)

    def finish(self) -> tuple[Pack, ...]:
        """The hand is over: what is kept of each pack."""
        deals, self.deals = self.deals, ()
        return tuple([deal.remains() for deal in deals])


class DealFollower:
    """The deals of a game that is folded again, as they were when it was played."""

    def __init__(self, record: GameRecord, viewers: Sequence[Viewer]) -> None:
        self._options = TableOptions.of(record.options)
        self._viewers = viewers
        self.hand = LiveHand()
        """The last hand."""

    def follow(self, played: Played) -> None:
        """A step of the fold, the next each time."""
        if isinstance(played.input, Pack):
            self.hand.add(deal_of(played.input, self._options))
        for deal in self.hand.deals:
            deal.note_shown(tuple([seen_by(played.facts, viewer) for viewer in self._viewers]))


def seen_by(facts: Iterable[Fact], viewer: Viewer) -> tuple[Event, ...]:
    return tuple([event for fact in facts if (event := fact.seen_by(viewer)) is not None])


def deal_of(pack: Pack, options: TableOptions) -> LiveDeal:
    """The deal of a recorded pack, at a table with these options."""
    arranged = options.arranged
    is_arranged = pack.cards[: len(arranged)] == arranged  # a pack that is drawn from is not
    return LiveDeal(pack, arranged=arranged if is_arranged else ())


def blanked(pack: Pack) -> Pack:
    return Pack((), is_stock=pack.is_stock)


def with_live(record: GameRecord, chances: Sequence[Chance]) -> GameRecord:
    return replace_live(record, [chance.pack for chance in chances if chance.pack is not None])


def reduced(record: GameRecord, game: Game[Any, Any]) -> GameRecord:
    """A finished game without the cards that no viewer was shown, and without the secrets of its deals.

    A pack whose unseen cards decide on an accident, as in games of earlier versions, stays as it is.

    :raises BadRecord: a step does not follow.
    """
    follower = DealFollower(record, [*map(Seat, range(len(record.players))), GALLERY])
    steps: list[Step] = []
    hand: list[int | None] = []
    """The place where the packs of the last hand are among the steps; None: it stays as it is."""

    def close() -> None:
        for at, deal in zip(hand, follower.hand.deals, strict=True):
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
    """The pack with the cards that were seen in their places, and the others in canonical order in the places left. A
    card that was never known stays its place."""
    cards = frozenset(pack)
    others = _in_order(cards).copy()
    for card in seen:
        others.pop(card, None)
    laid = list(others)
    for place in sorted(map(pack.index, cards.difference(others))):  # from the top, so that each comes where it lay
        laid.insert(place, pack[place])
    return tuple(laid)


@lru_cache(maxsize=64)  # there are few kinds of packs
def _in_order(cards: frozenset[Card]) -> dict[Card, None]:
    """The known cards of a pack in canonical order."""
    return dict.fromkeys(filter(cards.__contains__, CARD_ORDER))
