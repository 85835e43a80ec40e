"""The interface of a game: a deterministic machine without clock, chance or I/O.

A rule set and a number of seats give a first state. From then on each state awaits (`awaits`) the turn of a seat, a
shuffled pack, or nothing more. A valid input gives the next state and the resulting facts. An invalid one raises, and
changes nothing.

Theory. A state is immutable, and the next one follows from it and the input alone: the same inputs always give the same
states and facts. So a game *is* the list of its inputs. Play, replay, recovery after a crash, the check of a journal
and every test apply the same list of inputs, so they cannot disagree. This breaks if a transition reads a clock, draws
a random number, iterates over a set, or changes a state in place. So time is an input (`expire`), and chance is another
(`deal`, with a pack shuffled elsewhere).

Secrets follow the same path. A state contains every card, hidden ones in a `Hidden`, and never leaves the server.
Results leave it as facts, but a fact is never sent either: `seen_by` makes the event that one viewer may see, or none.
`view` does this for the whole state. If `seen_by` and `view` are right, a viewer's data depends only on what they may
know: the conformance tests change every card that a viewer may not know, and compare the bytes.

`legal` and `act` are two sides of one rule: `act` accepts an action if and only if `legal` lists it. Clients, house
players and bots choose from the list and need no rule of their own.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple, Protocol, TypeVar

from put_protocol.cards import Card, place_card
from put_protocol.games.unions import Action, Choice, GameView
from put_protocol.offers import GameOffer
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.table_events import TimedOut
from put_rules.facts import Fact, Open
from put_rules.prose import Wording
from put_text.catalogue import say_in_english

LUCK = 2**64
"""Upper bound of a luck, the number that decides on an accident in the dealing."""


class Turn(NamedTuple):
    """A seat is to act."""

    seat: Seat


class Purpose(StrEnum):
    DRAW = "draw"
    """to find the first dealer"""
    HAND = "hand"
    """to deal a hand from; an exhibition's arrangement lies on top of it"""
    STOCK = "stock"
    """to draw from during a hand: it consists of cards that came back, and the hand's first pack stays in play"""


class Shuffle(NamedTuple):
    """The game wants these cards in an order that no party chose."""

    cards: tuple[Card, ...]
    purpose: Purpose = Purpose.HAND
    to: tuple[Seat, ...] = ()
    """Seats that get the first cards, in order. Facts say how later cards are dealt."""
    misdeals: int = 0
    """Chance of an accident in this deal, in hundredths. Above 0 the game wants a luck with the pack."""
    adversaries: tuple[Seat, ...] = ()
    """Only with `misdeals`: seats that an accident against the dealer may affect, in the order of the deal."""
    most: int = 0
    """Number of cards from the top that may be dealt or seen: no event depends on the order below. 0: all."""


class Over(NamedTuple):
    dealer: Seat
    """First dealer of the next game between the same players, unless the draw for the deal was never made."""


Awaits = Turn | Shuffle | Over


class GameError(ValueError):
    """The state does not await this input. Nothing changed."""


class IllegalAction(GameError):
    """The action is not legal."""


class NotAwaited(GameError):
    """No turn or no shuffle is awaited, or not of these cards."""


class State(Protocol):
    @property
    def members(self) -> tuple[Seat, ...]:
        """Players who have not left."""

    @property
    def dealer(self) -> Seat:
        """Dealer of the current or next hand; after the game, the first dealer of the next game."""

    @property
    def paid(self) -> tuple[int, ...]:
        """The amount each purse has gained."""

    @property
    def to_move(self) -> Seat | None: ...


S = TypeVar("S", bound=State)
A = TypeVar("A", bound=Action)

turn_of = cache(Turn)


class Game(Protocol[S, A]):
    """The rules of one table: a rule set with chosen options and a number of seats. This class checks inputs; a family
    carries out valid ones."""

    @abstractmethod
    def begin(self, dealer: Seat | None) -> S:
        """The first state. `dealer` deals the first hand; None: the players draw for the deal."""

    @abstractmethod
    def wanted(self, state: S) -> Shuffle | None:
        """The awaited pack, if no seat is to move; None: the game is over."""

    def awaits(self, state: S) -> Awaits:
        if state.to_move is not None:
            return turn_of(state.to_move)
        return self.wanted(state) or Over(state.dealer)

    @abstractmethod
    def legal(self, state: S) -> tuple[A, ...]:
        """Exactly the actions of the seat to move that `act` accepts; empty if no seat is to move."""

    @abstractmethod
    def moment(self, state: S) -> StrEnum | None:
        """The decision of the seat to move, as in every view; None: no seat is to move."""

    def choices(self, state: S, legal: tuple[A, ...] | None = None, *, in_phrases: bool = True) -> tuple[Choice, ...]:
        """The legal actions with text, in order. `legal`: the actions, if known. `in_phrases`: include catalogue
        messages."""
        choices = [self._choice(state, action) for action in (self.legal(state) if legal is None else legal)]
        return tuple(
            [choice if in_phrases else Choice(choice.action, choice.says, None, choice.is_unseen) for choice in choices]
        )

    @abstractmethod
    def _choice(self, state: S, action: A) -> Choice: ...

    @abstractmethod
    def wording(self, state: S) -> Wording:
        """The question to the seat to move, and the reason."""

    def act(self, state: S, action: A, legal: tuple[A, ...] | None = None) -> tuple[S, tuple[Fact, ...]]:
        """Carry out an action of the seat to move. `legal`: the legal actions of this state, if known.

        :raises IllegalAction: it is not in `legal`.
        """
        seat = state.to_move
        if seat is None or action not in (self.legal(state) if legal is None else legal):
            raise IllegalAction(action)
        return self._act(state, seat, action)

    @abstractmethod
    def _act(self, state: S, seat: Seat, action: A) -> tuple[S, tuple[Fact, ...]]: ...

    def deal(self, state: S, pack: tuple[Card, ...], luck: int | None = None) -> tuple[S, tuple[Fact, ...]]:
        """Deal the awaited shuffled pack, top card first.

        In a blind deal, cards that the server cannot read are places (`cards.place_card`). `luck`: a uniform number
        below `LUCK`, which decides on an accident if one is possible. None: the order of the unseen cards decides.

        :raises NotAwaited: no pack is awaited, or not these cards.
        """
        wanted = self.wanted(state) if state.to_move is None else None
        if wanted is None:
            raise NotAwaited("no pack is awaited")
        if len(pack) != len(wanted.cards) or not (frozenset(pack).issuperset(wanted.cards) or _hides(pack, wanted)):
            raise NotAwaited("these are not the cards of the pack")
        return self._deal(state, wanted.purpose, pack, luck)

    @abstractmethod
    def _deal(
        self, state: S, purpose: Purpose, pack: tuple[Card, ...], luck: int | None
    ) -> tuple[S, tuple[Fact, ...]]: ...

    def needs_hands(self) -> bool:
        """True if the rules must see hands that are not shown. Then the server reads the pack of a blind deal."""
        return True

    def why_plain(self) -> str:
        """Reason why the game cannot be dealt blind, as a form of the message `refused-plain`; empty: it can."""
        return ""

    def name(self, state: S, place: int, card: Card) -> S:
        """The state after naming the card at a place of a blind deal. `legal` lists an unknown card by its place; `act`
        takes only named cards.

        :raises NotAwaited: no hand has that place, or the card is known to be elsewhere.
        """
        raise NotAwaited("no card is known by its place")

    def expire(self, state: S) -> tuple[S, tuple[Fact, ...]]:
        """Apply a time-out to the seat to move. An event of the time-out precedes its effects.

        :raises NotAwaited: no seat is to move.
        """
        seat = state.to_move
        if seat is None:
            raise NotAwaited("no seat is to move")
        state, facts = self._expire(state, seat)
        return state, (Open(TimedOut(seat)), *facts)

    @abstractmethod
    def _expire(self, state: S, seat: Seat) -> tuple[S, tuple[Fact, ...]]: ...

    def leave(self, state: S, seat: Seat) -> tuple[S, tuple[Fact, ...]]:
        """A player gives up the game, at any time.

        :raises NotAwaited: the game is over, or they have already left.
        """
        if seat not in state.members or isinstance(self.awaits(state), Over):
            raise NotAwaited(f"seat {seat} is not in the game")
        return self._leave(state, seat)

    @abstractmethod
    def _leave(self, state: S, seat: Seat) -> tuple[S, tuple[Fact, ...]]: ...

    def paid(self, state: S) -> tuple[int, ...]:
        """Gain of each seat's purse since the game began. The sum, including the pot, is 0."""
        return state.paid

    def pot(self, state: S) -> int:
        """Money paid that belongs to no player yet; 0 after the game."""
        return 0

    @abstractmethod
    def public_view(self, state: S) -> GameView:
        """All that everyone may know. The gallery sees exactly this."""

    @abstractmethod
    def own_view(self, state: S, seat: Seat, public: Any) -> GameView:
        """The public view with this seat's own knowledge added: the only place where cards leave their holder."""

    def view(self, state: S, viewer: Viewer) -> Any:
        public = self.public_view(state)
        return public if viewer == GALLERY else self.own_view(state, viewer, public)


def _hides(pack: tuple[Card, ...], wanted: Shuffle) -> bool:
    """True if the pack has these cards, with places for unknown ones."""
    known = [card for place, card in enumerate(pack) if card != place_card(place)]
    return len(set(known)) == len(known) and set(known) <= set(wanted.cards)


OptionValue = str | int


class BadOption(ValueError):
    """The rule set does not have the option, or the value is out of bounds."""

    def __init__(self, name: str, flaw: str, card: str = "") -> None:
        """`flaw`: the form of its message."""
        self.about: dict[str, Any] = {"option": name, "flaw": flaw, "named": card}
        super().__init__(say_in_english("refused-option-flaw", **self.about))
        self.name = name


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """A rule set in the registry: its offer, and a function that makes its game."""

    offer: GameOffer
    make: Callable[[int, Mapping[str, OptionValue]], Game[Any, Any]]
    """The game for this number of seats and these options, complete and valid. It ignores the table's options.

    :raises BadOption: an option belongs to neither the rule set nor the table.
    """
    has_opening: bool = False
    """Puts are made in a round before the first trick, and not later."""
