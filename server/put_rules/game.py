"""The interface of a game: a deterministic machine without clock, chance or I/O.

A rule set and a number of seats give a first state. From then on each state says what it awaits (`awaits`): the turn of
a seat, a shuffled pack, or nothing more. An input that fits gives the next state and the facts that came of it. One
that does not fit raises, and changes nothing.

Theory. A state is immutable, and the next one follows from it and the input alone: the same inputs always give the same
states and facts. So a game *is* the list of its inputs. Play, replay, recovery after a crash, the check of a journal
and every test are one fold over that list, and none of them can disagree with another. It breaks when anything else
gets in: a clock read in a transition, a draw of chance, iteration over a set, a state that is changed in place. So
time comes in as an input (`expire`), and chance as another (`deal`, with a pack shuffled elsewhere).

Secrets follow the same path. A state holds every card, each that not all may see in a `Hidden`, and never leaves the
server. What happened leaves as facts, and a fact itself is never sent: it has `seen_by`, which makes of it the event
that one viewer may see, or none. `view` is the same for the whole state. What a viewer gets therefore depends on
nothing but what that viewer may know, if `seen_by` and `view` are right: the conformance tests change every card that a
viewer may not know and compare the bytes.

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
from put_protocol.text import Phrase
from put_rules.facts import Fact
from put_text.catalogue import in_english, say_in_english

LUCK = 2**64
"""A luck, which decides on an accident in the dealing, is below it."""


class Turn(NamedTuple):
    """A seat is to act."""

    seat: Seat


class Purpose(StrEnum):
    """The purpose of a shuffled pack."""

    DRAW = "draw"
    """to find the first dealer"""
    HAND = "hand"
    """to deal a hand from; an exhibition's arrangement lies on top of it"""
    STOCK = "stock"
    """to draw from in the middle of a hand: it is made of cards that came back, and the hand's first pack stays in
    play beside it"""


class Shuffle(NamedTuple):
    """These cards are wanted, in an order that no party chose."""

    cards: tuple[Card, ...]
    purpose: Purpose = Purpose.HAND
    to: tuple[Seat, ...] = ()
    """The seats that get the first cards, one after another. Those after them are dealt as facts say."""
    misdeals: int = 0
    """The chance of an accident in this deal, in hundredths; above 0, the game wants a luck with the pack."""
    adversaries: tuple[Seat, ...] = ()
    """Then: whom an accident against the dealer may befall, in the order they are dealt to."""
    most: int = 0
    """Cards that may be dealt or seen, from the top: no event depends on the order of those below; 0: of all it may."""


class Over(NamedTuple):
    dealer: Seat
    """The first dealer of the next game between the same players, unless the draw for the deal was never made."""


Awaits = Turn | Shuffle | Over


class GameError(ValueError):
    """An input that the state does not await. Nothing changed."""


class IllegalAction(GameError):
    """The action is not among the legal ones."""


class NotAwaited(GameError):
    """No turn, no shuffle, or not with these cards."""


class State(Protocol):
    @property
    def members(self) -> tuple[Seat, ...]:
        """The players who have not left."""

    @property
    def dealer(self) -> Seat:
        """The dealer of the hand in play, or of the next; when the game is over, the first dealer of the next game."""

    @property
    def paid(self) -> tuple[int, ...]:
        """The amount each purse has gained."""

    @property
    def to_move(self) -> Seat | None: ...


S = TypeVar("S", bound=State)
A = TypeVar("A", bound=Action)

turn_of = cache(Turn)


class Game(Protocol[S, A]):
    """The rules of one table: a rule set with its options chosen and its seats counted. Inputs are checked here; a
    family carries out those that fit."""

    @abstractmethod
    def begin(self, dealer: Seat | None) -> S:
        """The first state. A dealer deals the first hand; without one the players draw for the deal."""

    @abstractmethod
    def wanted(self, state: S) -> Shuffle | None:
        """The pack that is awaited where no seat is to move; None: the game is over."""

    def awaits(self, state: S) -> Awaits:
        if state.to_move is not None:
            return turn_of(state.to_move)
        return self.wanted(state) or Over(state.dealer)

    @abstractmethod
    def legal(self, state: S) -> tuple[A, ...]:
        """Every action of the seat to move that `act` accepts, and no other; empty when no seat is to move."""

    @abstractmethod
    def moment(self, state: S) -> StrEnum | None:
        """The decision the seat to move is asked for, as every view says it; None when no seat is to move."""

    def choices(self, state: S, legal: tuple[A, ...] | None = None, *, in_phrases: bool = True) -> tuple[Choice, ...]:
        """The legal actions in words, in order. `legal`: they, if known. `in_phrases`: with their messages."""
        choices = [self._choice(state, action) for action in (self.legal(state) if legal is None else legal)]
        return tuple(
            [choice if in_phrases else Choice(choice.action, choice.says, None, choice.is_unseen) for choice in choices]
        )

    @abstractmethod
    def _choice(self, state: S, action: A) -> Choice: ...

    def wording(self, state: S) -> tuple[str, str]:
        """The question to the seat to move, and its reason."""
        return self.asks(state), self.why(state)

    def why(self, state: S) -> str:
        """The reason the seat to move may do this and no more, in a sentence that says nothing secret."""
        return in_english(self.why_phrase(state))

    def asks(self, state: S) -> str:
        """The question to the seat to move, in words that tell nothing but what all may know."""
        return in_english(self.asks_phrase(state))

    def why_phrase(self, state: S) -> Phrase | str:
        """`why` as a message of the catalogue. A game has this, or `why`."""
        return self.why(state)

    def asks_phrase(self, state: S) -> Phrase | str:
        """`asks` as a message of the catalogue. A game has this, or `asks`."""
        return self.asks(state)

    def act(self, state: S, action: A, legal: tuple[A, ...] | None = None) -> tuple[S, tuple[Fact, ...]]:
        """The seat to move does this. `legal`: what `legal` said of this state, if that is known.

        :raises IllegalAction: it is not in `legal`.
        """
        seat = state.to_move
        if seat is None or action not in (self.legal(state) if legal is None else legal):
            raise IllegalAction(action)
        return self._act(state, seat, action)

    @abstractmethod
    def _act(self, state: S, seat: Seat, action: A) -> tuple[S, tuple[Fact, ...]]: ...

    def deal(self, state: S, pack: tuple[Card, ...], luck: int | None = None) -> tuple[S, tuple[Fact, ...]]:
        """The shuffled pack that was awaited, top card first.

        Of a blind deal it has the cards that the server can read, and their places in place of all others
        (`cards.place_card`). `luck`: a uniform number below `LUCK`, which decides on an accident where the
        deal may have one. None: the order of the unseen cards decides.

        :raises NotAwaited: no pack, or not these cards.
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
        """True if the rules have to see hands that are not shown. Then the server reads the pack of a blind deal."""
        return True

    def why_plain(self) -> str:
        """The reason why the game cannot be dealt blind, as the end of a sentence; empty: it can."""
        return ""

    def name(self, state: S, place: int, card: Card) -> S:
        """The state in which the card at a place of a blind deal is known. `legal` lists a card that is not known by
        its place; `act` takes only a named one.

        :raises NotAwaited: no hand has the card of that place, or this card lies elsewhere.
        """
        raise NotAwaited("no card is known by its place")

    def expire(self, state: S) -> tuple[S, tuple[Fact, ...]]:
        """The time of the seat to move is spent.

        :raises NotAwaited: no seat is to move.
        """
        if state.to_move is None:
            raise NotAwaited("no seat is to move")
        return self._expire(state, state.to_move)

    @abstractmethod
    def _expire(self, state: S, seat: Seat) -> tuple[S, tuple[Fact, ...]]: ...

    def leave(self, state: S, seat: Seat) -> tuple[S, tuple[Fact, ...]]:
        """A player gives up the game, on anybody's turn.

        :raises NotAwaited: the game is over, or they have left before.
        """
        if seat not in state.members or isinstance(self.awaits(state), Over):
            raise NotAwaited(f"seat {seat} is not in the game")
        return self._leave(state, seat)

    @abstractmethod
    def _leave(self, state: S, seat: Seat) -> tuple[S, tuple[Fact, ...]]: ...

    def paid(self, state: S) -> tuple[int, ...]:
        """The amount each seat's purse has gained since the game began. The sum, with the pot, is 0."""
        return state.paid

    def pot(self, state: S) -> int:
        """The amount that has been paid and belongs to no player yet; 0 when the game is over."""
        return 0

    @abstractmethod
    def public_view(self, state: S) -> GameView:
        """Everything that everyone may know, and the gallery knows no more."""

    @abstractmethod
    def own_view(self, state: S, seat: Seat, public: Any) -> GameView:
        """The public view, and beside it what only this seat may know: the one place where cards leave their holder."""

    def view(self, state: S, viewer: Viewer) -> Any:
        """Everything this viewer may know, a view of the family: the one or the other."""
        public = self.public_view(state)
        return public if viewer == GALLERY else self.own_view(state, viewer, public)


def _hides(pack: tuple[Card, ...], wanted: Shuffle) -> bool:
    """True if a pack is one of these cards, with places for those that are not known."""
    known = [card for place, card in enumerate(pack) if card != place_card(place)]
    return len(set(known)) == len(known) and set(known) <= set(wanted.cards)


OptionValue = str | int


class BadOption(ValueError):
    """An option that a rule set does not have, or a value out of its bounds."""

    def __init__(self, name: str, flaw: str, card: str = "") -> None:
        """`flaw`: the form of the message that says it."""
        self.about: dict[str, Any] = {"option": name, "flaw": flaw, "named": card}
        super().__init__(say_in_english("refused-option-flaw", **self.about))
        self.name = name


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """A rule set in the registry: how it is offered, and how its game is made."""

    offer: GameOffer
    make: Callable[[int, Mapping[str, OptionValue]], Game[Any, Any]]
    """The game for so many seats under these options, all given and valid. It reads its own and passes over the
    table's.

    :raises BadOption: there is one that neither the rule set nor the table has.
    """
    has_opening: bool = False
    """There is a round of puts before the first trick, and none after it."""
