"""Replay of a game by the rules, from one viewer's events.

Theory. A game is a fold over its inputs, and a viewer's events do not depend on cards that they may not know. So the
rules' machine can play along with a *guess* for each hidden card: any guess that gives the same events is as good as
the truth. When an event shows a card, it is swapped with the guessed one, in all hidden places of the state at once. An
input is found by trial: among all inputs that the state awaits, the one with the received events. If there is none
under any tried guess, the events contradict the rules.

The viewer's cards, shown cards, and cards whose places follow from the rules are never swapped. Knowledge about cards
that stay hidden is not kept: for example, that a player could not follow suit does not restrict their later plays.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import asdict, replace

from put_protocol.cards import LA_MORT, Card, in_order
from put_protocol.deal_steps import AccidentTold
from put_protocol.games.families import deals_hand
from put_protocol.games.unions import Event, GameView
from put_protocol.seats import Seat, Viewer
from put_protocol.table_events import TimedOut
from put_rules import steps
from put_rules.facts import Hidden, seen_by
from put_rules.game import LUCK, Awaits, Game, GameError, Over, Purpose, Shuffle, Turn
from put_rules.record import Departure, Expiry, Move, Pack

GUESSES = 2_000
"""Random guesses before the events count as wrong. Orders that give one player every kind of hand are tried first; the
random ones are for several absent players who act together."""

FIRST_GUESSES = 3
"""Guesses tried in every world before any world gets more: usually one of the first works."""

SWAPS = 12
"""Rounds of swapping guessed and shown cards for one input: one for each player who shows any."""

WORLDS = 6
"""More than the places in a hand."""

LUCKS = 100
"""Evenly spaced numbers that reach every possible accident of a deal, at most 90."""

Input = Pack | Move | Expiry | Departure

_SUPREMUS = ("A", "7", "6")
"""Ranks of the rarest hand of Primero, besides a card of another suit."""

_NOTHING: tuple[Event, ...] = ()

_LAID_AWAY = ("thrown", "gifts")
"""Hidden places that no longer affect the game: only the player who threw a card away can look at it."""


class NotByRules(Exception):
    def __init__(self, told: tuple[Event, ...], expected: tuple[Event, ...]) -> None:
        super().__init__(told, expected)
        self.told = told
        """The events, from the first of an input on."""
        self.expected = expected
        """The events with the longest agreement; empty: no event is possible."""


class Followed(NamedTuple):
    """A found input, with the states before and after it, and its events."""

    before: Any
    after: Any
    given: Input
    told: tuple[Event, ...]


class RulesReplay:
    def __init__(self, game: Game[Any, Any], viewer: Viewer, dealer: Seat | None) -> None:
        self.game = game
        self._viewer = viewer
        self._worlds = [game.begin(dealer)]
        """Equally possible states. There are several if a player threw away an unseen card, whose place the viewer may
        have known; or if a card of the viewer was seen at a place that they do not know."""
        self._guessed: set[Card] = set()
        self._pending: tuple[Event, ...] = ()
        """Events of an incomplete message: more of the same input must follow."""
        self._closest: tuple[Event, ...] = ()
        self._longer: tuple[Event, ...] = ()
        self.has_dealt = False

    @property
    def state(self) -> Any:
        return self._worlds[0]

    @property
    def missing(self) -> Event | None:
        """The event that must follow at once; None: none must."""
        return self._longer[len(self._pending)] if self._pending else None

    def awaits(self) -> Awaits:
        return self.game.awaits(self.state)

    def view(self) -> GameView:
        view: GameView = self.game.view(self.state, self._viewer)
        return view

    def follow(self, told: Iterable[Event]) -> Iterator[Followed]:
        """Find the inputs that caused these events, one after another.

        :raises NotByRules: there are no such inputs.
        """
        self._pending += tuple(told)
        while self._pending:
            awaits = self.awaits()
            if isinstance(awaits, Shuffle):  # of a new stock the cards that it is made of are hidden again
                self._guessed = set(awaits.cards) | (self._guessed if awaits.purpose is Purpose.STOCK else set())
            self._closest = self._longer = _NOTHING
            found = [one for world in self._worlds for one in self._find(world, FIRST_GUESSES)]
            if not found:
                found = [one for world in self._worlds for one in self._find(world, None)]
            if not found and self._longer:
                return
            if not found:
                raise NotByRules(self._pending, self._closest)
            self._worlds = [one.after for one in found if one.told == found[0].told][:WORLDS]
            self._pending = self._pending[len(found[0].told) :]
            self._guessed.difference_update(one.card for event in found[0].told for one in event.shows(self._viewer))
            if isinstance(found[0].given, Pack):
                self._guessed -= _shown_when_dealt(self.game)  # their holders have shown them
                self.has_dealt = self.has_dealt or any(map(deals_hand, found[0].told))
            yield found[0]

    def _find(self, world: Any, most: int | None) -> list[Followed]:
        """An input that caused the events, within this number of guesses; with unseen inputs beside it."""
        for state, inputs in islice(self._guesses(world), most):
            found: list[Followed] = []
            for given in inputs:
                one = self._attempt(state, given)
                agreed = 0 if one is None else _count_agreeing(one.told, self._pending)
                if one is None or not one.told:
                    continue
                if agreed == len(one.told):
                    if all(one.after != other.after for other in found):
                        found.append(one)
                    if not self._is_unseen(one):
                        break
                elif agreed == len(self._pending):
                    self._longer = one.told
                elif agreed >= _count_agreeing(self._closest, self._pending):
                    self._closest = one.told
            if found:
                return found
        return []

    def _is_unseen(self, one: Followed) -> bool:
        """True if it was about cards or a place that the viewer did not see."""
        if isinstance(one.given, Pack):
            return _has_accident(one.told)
        return isinstance(one.given, Move) and bool(_cards(one.given)) and not one.told[0].shows(self._viewer)

    def _guesses(self, world: Any) -> Iterator[tuple[Any, Iterable[Input]]]:
        """States with other guesses, each with the possible inputs of every kind."""
        awaits = self.game.awaits(world)
        leaving: list[Input] = [Departure(Seat(seat)) for seat in range(len(self.game.paid(world)))]
        match awaits:
            case Turn(seat=seat) if isinstance(self._pending[0], TimedOut):
                yield from ((guess, (Expiry(),)) for guess in self._filled(world, seat))
            case Turn(seat=seat):
                yield world, (*self._moves(world), *leaving)
                yield from ((guess, (*self._moves(guess), *leaving)) for guess in self._filled(world, seat))
            case Shuffle():
                yield world, leaving
                yield from ((world, packs) for packs in self._packs(world, awaits))
            case Over():
                return

    def _moves(self, state: Any) -> Iterator[Input]:
        """Legal actions; only one of those that differ only in cards with guessed places."""
        kinds = set()
        for action in self.game.legal(state):
            cards = _cards(Move(action))
            kind = (type(action), repr(action)) if self._guessed.isdisjoint(cards) else (type(action), str(len(cards)))
            if kind not in kinds:
                kinds.add(kind)
                yield Move(action)

    def _packs(self, state: Any, awaits: Shuffle) -> Iterator[list[Input]]:
        """Packs with the shown cards at their places, each with every possible accident."""
        known: list[Card | None] = [None] * len(awaits.cards)
        told = tuple(self._of_this_deal(awaits.purpose))
        shown = [one for event in told for one in event.shows(self._viewer)]
        if awaits.purpose is Purpose.DRAW:
            drawn = list(dict.fromkeys(one.card for one in shown))
            known[: len(drawn)] = drawn
        elif awaits.purpose is Purpose.HAND:
            places = {seat: [at for at, to in enumerate(awaits.to) if to == seat] for seat in awaits.to}
            for one in shown:
                if one.seat in places and places[one.seat] and one.card not in known:
                    known[places[one.seat].pop(0)] = one.card
        lucks = [LUCK - 1 if awaits.misdeals else None]
        if _has_accident(told):
            lucks = [LUCK * awaits.misdeals // 100 * (2 * at + 1) // (2 * LUCKS) for at in range(LUCKS)]
        for order in self._orders(state, set(awaits.cards).difference(known)):
            rest = iter(order)
            pack = tuple([next(rest) if card is None else card for card in known])
            yield [Pack(pack, luck=luck) for luck in lucks]
            lucks = lucks[:1]

    def _of_this_deal(self, purpose: Purpose) -> Iterator[Event]:
        """Received events of a draw for the deal, or of a hand, up to the next hand."""
        hands = 0
        for event in self._pending:
            hands += deals_hand(event)
            if hands > (purpose is Purpose.HAND):
                return
            yield event

    def _filled(self, state: Any, first: Seat) -> Iterator[Any]:
        """The state with other guesses; the hand of `first` gets the first cards of each order."""
        yield state
        hidden = {name: value for name, value in asdict(state).items() if _is_guessed(name, value)}
        hands = hidden.pop("hands", Hidden(())).unseal()
        places = [card for seat in sorted(range(len(hands)), key=lambda seat: seat != first) for card in hands[seat]]
        places += [card for value in hidden.values() for card in _cards_in(value)]
        places = [card for card in places if card in self._guessed]
        places += in_order(self._guessed.difference(places))
        for order in self._orders(state, self._guessed):
            yield _relabelled(state, dict(zip(places, order, strict=True)))

    def _orders(self, state: Any, cards: Iterable[Card]) -> Iterator[list[Card]]:
        """The cards in orders that give every kind of hand, the smallest changes first; then in random orders."""
        loud = _shown_when_dealt(self.game)
        ranking: tuple[str, ...] = getattr(self.game.public_view(state), "ranking", ())
        place = {rank: at for at, rank in enumerate(reversed(ranking))}
        weak = sorted(in_order(cards), key=lambda card: (card in loud, place.get(card[:-1], 0)))
        yield weak
        yield weak[::-1]
        for suit in dict.fromkeys(card[-1] for card in weak):
            own = [card for card in reversed(weak) if card[-1] == suit]
            own.sort(key=lambda card: card[:-1] not in _SUPREMUS)
            rest = [card for card in weak if card[-1] != suit]
            yield from ([*own[:count], *rest, *own[count:]] for count in (len(own), 3, 2, 1))
        for rank in dict.fromkeys(card[:-1] for card in weak):
            yield sorted(weak, key=lambda card, rank=rank: card[:-1] != rank)  # type: ignore[misc]
        chance = Random(len(weak))
        yield from (sorted(chance.sample(weak, len(weak)), key=loud.__contains__) for _ in range(GUESSES))

    def _attempt(self, state: Any, given: Input) -> Followed | None:
        """The outcome of an input, with shown cards swapped for the guessed ones."""
        for _ in range(SWAPS):
            try:
                after, facts = steps.take(self.game, state, given)
            except GameError:
                return None
            seen = seen_by(facts, self._viewer)
            swap = self._swap(seen)
            if not swap:
                return Followed(state, after, given, seen)
            state, given = _relabelled(state, swap), _with_cards(given, swap)
        return None

    def _swap(self, seen: tuple[Event, ...]) -> dict[Card, Card]:
        """Simultaneous swaps of cards with which these events match the received ones."""
        swap: dict[Card, Card] = {}
        for guess, told in zip(seen, self._pending, strict=False):
            if type(guess) is not type(told):
                break
            for one, shown in zip(guess.shows(self._viewer), told.shows(self._viewer), strict=False):
                if {one.card, shown.card} <= self._guessed and one.card not in swap and shown.card not in swap.values():
                    swap[one.card] = shown.card
        shown_cards = set(swap.values())
        swap.update(zip(in_order(shown_cards.difference(swap)), in_order(set(swap) - shown_cards), strict=True))
        return {card: other for card, other in swap.items() if card != other}


def _has_accident(told: tuple[Event, ...]) -> bool:
    return any(isinstance(step, AccidentTold) for event in told for step in event.deal_steps())


def _count_agreeing(one: tuple[Event, ...], other: tuple[Event, ...]) -> int:
    return next(
        (at for at, (mine, theirs) in enumerate(zip(one, other, strict=False)) if mine != theirs),
        min(len(one), len(other)),
    )


def _shown_when_dealt(game: Game[Any, Any]) -> frozenset[Card]:
    dues = getattr(getattr(game, "terms", None), "dues", None)
    return frozenset() if dues is None else frozenset((*dues, LA_MORT))


def _cards(given: Move) -> tuple[Card, ...]:
    card = getattr(given.action, "card", None)
    return getattr(given.action, "cards", () if card is None else (card,))


def _is_guessed(name: str, value: object) -> bool:
    """True if a field of a state contains cards whose places may be guessed."""
    return name not in _LAID_AWAY and isinstance(value, Hidden | Struct)


def _cards_in(value: object) -> Iterator[Card]:
    """Cards of a hidden place other than a hand."""
    if isinstance(value, Hidden):
        found = value.unseal()
        yield from (Card(card) for card in (found if isinstance(found, tuple) else (found,)) if isinstance(card, str))


def _renamed(value: Any, swap: dict[Card, Card]) -> Any:
    """The value with cards swapped, inside tuples and hidden places too."""
    match value:
        case str():
            return swap.get(Card(value), value)
        case tuple():
            return tuple([_renamed(item, swap) for item in value])
        case Hidden():
            return Hidden(_renamed(value.unseal(), swap))
        case Struct():
            return replace(value, **{n: _renamed(v, swap) for n, v in asdict(value).items() if isinstance(v, Hidden)})
        case _:
            return value


def _relabelled(state: Any, swap: dict[Card, Card]) -> Any:
    changes = {name: _renamed(value, swap) for name, value in asdict(state).items() if _is_guessed(name, value)}
    return replace(state, **changes)


def _with_cards(given: Input, swap: dict[Card, Card]) -> Input:
    if isinstance(given, Pack):
        return replace(given, cards=_renamed(given.cards, swap))
    if isinstance(given, Move) and _cards(given):
        name = "card" if hasattr(given.action, "card") else "cards"
        return Move(replace(given.action, **{name: _renamed(getattr(given.action, name), swap)}))
    return given
