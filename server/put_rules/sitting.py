"""The rules that all sittings share: a number of hands between the same players, after which the purses count.

A state has the view of the gallery. It changes only by events, in the same way as the views of clients, so each change
is written once, in the module of the family in `put_protocol.games`. The rest of a state are secrets, and what is next.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from enum import StrEnum
from itertools import cycle, islice
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from put_protocol.cards import Card
from put_protocol.games.families import family_of
from put_protocol.games.family import SittingView, TurnedUp
from put_protocol.games.unions import Action, Event
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_events import GameOver, LeftGame
from put_rules.facts import NO_HANDS, Cards, Fact, Hands, Open
from put_rules.game import Game, OptionValue, Purpose, Shuffle

V = TypeVar("V", bound=SittingView)


class Terms:
    """Constants of a table for all transitions."""

    def __init__(self, seats: int, options: Mapping[str, OptionValue]) -> None:
        """`options`: those of a table, complete and valid."""
        self.seats = seats
        self.hands = int(options["hands"])
        self.everyone = tuple(map(Seat, range(seats)))
        """Every seat, including those that left."""
        self.right_of = tuple(self.everyone[seat + 1 :] + self.everyone[: seat + 1] for seat in self.everyone)
        """Listed by seat: all seats in the order of play, from the next one to itself."""


class SittingState(Struct, Generic[V], frozen=True, gc=False):
    """State of a sitting."""

    due: Purpose | None
    """The awaited pack; None: a seat is to move, or the sitting is over."""
    members: tuple[Seat, ...]
    """Players who have not left."""
    dealer: Seat
    """Dealer of the current or next hand; after the sitting, the first dealer of the next one."""
    view: V
    """All that everyone may know."""
    hands: Hands = NO_HANDS
    """Listed by seat; empty between hands."""

    @property
    def to_move(self) -> Seat | None:
        return self.view.to_move

    @property
    def paid(self) -> tuple[int, ...]:
        return self.view.gains

    @property
    def pot(self) -> int:
        """Money paid that belongs to no player yet."""
        return -sum(self.view.gains)


S = TypeVar("S", bound=SittingState[Any])
T = TypeVar("T", bound=Terms)
A = TypeVar("A", bound=Action)


class SittingCourse(Generic[S, T]):
    """The course of one input: the state so far, and the facts told."""

    def __init__(self, terms: T, state: S) -> None:
        self.terms = terms
        self.state = state
        self.facts: list[Fact] = []

    def tell(self, event: Event, **changes: Any) -> None:
        """Tell everyone an event, which changes the view, and make other changes to the state."""
        self.show(Open(event), **changes)

    def show(self, fact: Fact, **changes: Any) -> None:
        """The same with a fact of which players see more than the gallery."""
        self.facts.append(fact)
        view = self.state.view
        view = family_of(view).apply_event(view, fact.seen_by(GALLERY), GALLERY)
        self.state = replace(self.state, view=view, **changes)

    def set(self, **changes: Any) -> None:
        self.state = replace(self.state, **changes)

    def ask(self, seat: Seat, moment: StrEnum, **changes: Any) -> None:
        """A seat is to move."""
        view = replace(self.state.view, to_move=seat, moment=moment)
        self.state = replace(self.state, due=None, view=view, **changes)

    def wait(self, due: Purpose | None, **changes: Any) -> None:
        """A pack is awaited; None: nothing more."""
        self.set(due=due, view=replace(self.state.view, to_move=None, moment=None), **changes)

    def in_turn(self, after: Seat) -> tuple[Seat, ...]:
        """Players who have not left, from the one at a player's right."""
        return tuple([seat for seat in self.terms.right_of[after] if seat in self.state.members])

    def turn_up(self, pack: Cards, event: type[TurnedUp], finds_dealer: Callable[[Card], bool]) -> None:
        """Turn up cards one at a time from the first seat, until one finds the dealer."""
        count = next(count for count, card in enumerate(pack, 1) if finds_dealer(card))
        seats = tuple(islice(cycle(self.state.members), count))
        self.tell(event(seats, pack[:count], seats[-1]))
        self.wait(Purpose.HAND, dealer=seats[-1])

    def end_hand(self, ended: Event, **changes: Any) -> None:
        """The deal passes to the right. After the last hand, or with one player left, the sitting is over."""
        self.tell(ended, hands=NO_HANDS, **changes)
        state, terms = self.state, self.terms
        is_last = state.view.hand == terms.hands or len(state.members) == 1
        # The next sitting is between all seats again, those that left included.
        dealer = (terms.right_of[state.dealer] if is_last else self.in_turn(state.dealer))[0]
        self.wait(Purpose.HAND, dealer=dealer)
        if is_last:
            self.end_sitting()

    def end_sitting(self) -> None:
        """The purses count, and no winner is named."""
        self.facts.append(Open(GameOver(self.state.paid)))
        self.wait(None)

    def leave(self, seat: Seat) -> None:
        """A player gives up the sitting. Their hand stays in play without decisions. The last player left takes the
        money, and the sitting ends."""
        self.facts.append(Open(LeftGame(seat)))
        self.set(members=tuple([member for member in self.state.members if member != seat]))
        is_due, dealer = self.state.due is Purpose.HAND, self.state.dealer
        if len(self.state.members) > 1:
            if is_due and dealer == seat:
                self.set(dealer=self.in_turn(seat)[0])
        elif self.state.pot:
            self.win_alone(self.state.members[0])
            if is_due:  # a hand that was due and not dealt is due in the next sitting
                self.set(dealer=dealer)
        else:
            self.end_sitting()

    def win_alone(self, seat: Seat) -> None:
        """End the hand: all other players left."""
        raise NotImplementedError

    def time_out(self, seat: Seat) -> None:
        """Play the turn of a silent player."""
        raise NotImplementedError

    def result(self) -> tuple[S, tuple[Fact, ...]]:
        """The state and the facts, after the turns of players who have left."""
        while (seat := self.state.to_move) is not None and seat not in self.state.members:
            self.time_out(seat)
        return self.state, tuple(self.facts)


class SittingGame(Game[S, A], Generic[S, A, T]):
    """A game of sittings. A family sets what differs."""

    pack: Cards
    first_cards: int
    """Cards dealt to each player from a new pack."""

    def __init__(self, terms: T, first: S) -> None:
        """`first`: a state in which all players are members, and no cards are dealt."""
        self.terms = terms
        self._first = first

    @abstractmethod
    def course(self, state: S) -> SittingCourse[S, T]: ...

    def begin(self, dealer: Seat | None) -> S:
        due = Purpose.DRAW if dealer is None else Purpose.HAND
        return replace(self._first, due=due, dealer=dealer or Seat(0))

    def wanted(self, state: S) -> Shuffle | None:
        if state.due is Purpose.HAND:
            return Shuffle(self.pack, Purpose.HAND, self.course(state).in_turn(state.dealer) * self.first_cards)
        return Shuffle(self.pack, Purpose.DRAW, state.members) if state.due is Purpose.DRAW else None

    def moment(self, state: S) -> StrEnum | None:
        moment: StrEnum | None = state.view.moment
        return moment

    def _expire(self, state: S, seat: Seat) -> tuple[S, tuple[Fact, ...]]:
        course = self.course(state)
        course.time_out(seat)
        return course.result()

    def _leave(self, state: S, seat: Seat) -> tuple[S, tuple[Fact, ...]]:
        course = self.course(state)
        course.leave(seat)
        return course.result()

    def pot(self, state: S) -> int:
        return state.pot

    def public_view(self, state: S) -> SittingView:
        view: SittingView = state.view
        return view
