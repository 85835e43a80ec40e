"""State of a text session at one table, its changes, and results of lines. Pure.

A text session follows one table at a time.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TypeAlias

from put_protocol import messages
from put_protocol.cards import Card
from put_protocol.games.unions import Action, GameView
from put_protocol.messages import Ok, Request
from put_protocol.seats import GALLERY, Viewer
from put_protocol.table_info import TableInfo, TableState
from put_text.catalogue import ENGLISH
from put_text.phrases import Speaker

Sentences = tuple[str, ...]

LEARNED_GAMES = 3
"""Games after which a person gets brief text, unless they have chosen."""

LOG_SENTENCES = 200
Make = Callable[[int], Request]
Then = Callable[["TextState", Ok], "Step"]
"""Handles the `ok`."""


@dataclass(frozen=True, slots=True)
class SendRequest:
    """A request to send, and the follow-up of its `ok`."""

    make: Make
    then: Then | None = None
    """Only on `ok`: the new state and the next sentences or request. None: no change, and nothing to say."""


Step: TypeAlias = tuple["TextState", Sentences | SendRequest]


@dataclass(frozen=True, slots=True)
class Noted:
    """An immediate answer, with a new state."""

    state: "TextState"
    says: Sentences


@dataclass(frozen=True, slots=True)
class EndSession:
    """Close the connection and end."""


Outcome = Sentences | Noted | SendRequest | EndSession
"""The result of a line: an immediate answer, a request, or the end."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A sentence of the table."""

    says: str
    """The sentence as said; empty: left out for brevity."""
    full: str
    at: int
    """Time in milliseconds."""
    game: int
    """Number of the game in play at the table, from 1; 0: none yet."""
    hand: int
    """Number of the hand of that game, from 1; 0: none yet."""


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A confirmation before an action that cannot be taken back."""

    says: str
    about: tuple[object, ...]
    """Moment of the question: after it, a yes has no effect."""
    outcome: SendRequest | EndSession
    """The effect of a yes."""


class Asks(Enum):
    """Actions that need a confirmation."""

    ALL = "all"
    """moves that decide a hand or a game, or give a game up"""
    GIVING_UP = "giving up"
    """moves that give a game up"""
    NOTHING = "nothing"
    """nothing: a program types, and confirms nothing"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextState:
    """Memory of a text session between two messages."""

    language: str = ENGLISH
    table: int | None = None
    viewer: Viewer = GALLERY
    info: TableInfo | None = None
    names: tuple[str | None, ...] = ()
    """Names by seat. A departed player's name stays until the seat is taken, because events may still be about them."""
    view: GameView | None = None
    board: Sentences = ()
    """The view in the server's words, if its family is unknown here."""
    turn: messages.Turn | None = None
    turn_at: int = 0
    """Time when the turn was received, in milliseconds."""
    decision: messages.Decision | None = None
    was_introduced: bool = False
    has_agreed: bool = False
    """We asked for a game, and the table's info does not show that yet."""
    is_numbered: bool = False
    """Every event is reported, with its number first."""
    is_unchecked: bool = False
    """There are no checks, so each deal is reported as not proved."""
    asks: Asks = Asks.ALL
    was_told_unproved: bool = False
    is_brief: bool = False
    """Events are brief, and choices are listed only on request."""
    plays_forced_moves: bool = False
    has_chosen_words: bool = False
    """The person has chosen the amount of text, so it does not change automatically."""
    games_heard: int = 0
    """Games heard to their end from a seat."""
    was_asked_to_confirm: bool = False
    warned_ms: int | None = None
    """The last warning's time for this decision; None: no warning yet."""
    told: Mapping[str, str] = field(default_factory=dict)
    """`choices_text.consequences` in this game."""
    named: Card | None = None
    """The card that the last line named completely, so that it need not be repeated."""
    question: OpenQuestion | None = None
    """The open question; it has no effect after its moment."""
    is_kept: bool = True
    """Our seat is kept when we leave, within the table's bank."""
    bank_ms: int | None = None
    """Our remaining bank in this game, in milliseconds; None: the whole bank."""
    is_bank_part: bool = False
    """An unknown part of the bank may be used."""
    log: tuple[Heard, ...] = ()
    fresh: int = 0
    """Number of sentences that `repeat` repeats: all since our last line."""
    has_typed: bool = False
    """We have typed a line since the last sentence."""

    @property
    def speaker(self) -> Speaker:
        return Speaker(self.names, self.viewer)

    @property
    def turns_brief(self) -> bool:
        """True if the game that ends now is the last in full text. A program's setting does not change."""
        is_last = self.is_seated and self.games_heard + 1 == LEARNED_GAMES
        return is_last and not (self.is_brief or self.has_chosen_words or self.asks is Asks.NOTHING)

    @property
    def is_seated(self) -> bool:
        return self.table is not None and self.viewer != GALLERY

    @property
    def awaits_move(self) -> bool:
        """True if we may have to move without doing anything else first."""
        if self.has_agreed or self.info is None or self.viewer == GALLERY:
            return self.has_agreed
        seats, pause = self.info.seats, self.info.pause
        if self.info.state is TableState.PAUSED:
            return pause is not None and self.viewer in pause.seats
        return self.info.state is TableState.PLAYING or (self.viewer < len(seats) and seats[self.viewer].agrees)


def with_news(state: TextState, info: TableInfo | None, turn: messages.Turn | None, now: int) -> TextState:
    if info is not None:
        former = state.names if len(state.names) == len(info.seats) else (None,) * len(info.seats)
        names = tuple(seat.name or name for seat, name in zip(info.seats, former, strict=True))
        state = replace(state, info=info, names=names, has_agreed=False)
    if turn is not None:
        state = replace(state, turn=turn, turn_at=now, warned_ms=None)
        if turn.seat == state.viewer and turn.bank_ms is not None:
            state = replace(state, bank_ms=turn.bank_ms, is_bank_part=False)
    return state


def nowhere(state: TextState) -> TextState:
    """The state without a table, keeping the person's settings."""
    return TextState(
        language=state.language,
        is_numbered=state.is_numbered,
        is_unchecked=state.is_unchecked,
        asks=state.asks,
        is_kept=state.is_kept,
        was_asked_to_confirm=state.was_asked_to_confirm,
        is_brief=state.is_brief,
        has_chosen_words=state.has_chosen_words,
        plays_forced_moves=state.plays_forced_moves,
        games_heard=state.games_heard,
        log=state.log,
        fresh=state.fresh,
        has_typed=state.has_typed,
    )


def hand_of(state: TextState) -> int:
    """Number of the hand in play, from 1; 0: none yet."""
    hand: int = getattr(state.view, "hand", 0)
    return hand


def remember(
    state: TextState, said: Sentences, now: int, full: Sentences | None = None, hand: int | None = None
) -> TextState:
    """The state after these sentences of the table. `full`: the long forms, including sentences left out. `hand`: the
    one that they are about, if it is not the hand in play."""
    game, hand = 0 if state.info is None else state.info.games, hand_of(state) if hand is None else hand
    told = [Heard(says, whole, now, game, hand) for says, whole in zip(said, full or said, strict=True)]
    state = replace(state, log=(*state.log, *told)[-LOG_SENTENCES:]) if told else state
    count = sum(bool(says) for says in said)
    return replace(state, fresh=count + (0 if state.has_typed else state.fresh), has_typed=False) if count else state


def moment(state: TextState) -> tuple[object, ...]:
    """Identity of a question's moment: it changes with the table, the game, and each of our decisions."""
    game = (state.info.games, state.info.is_in_play) if state.info is not None else None
    return state.table, state.viewer, game, None if state.decision is None else state.decision.decision


def ask_first(state: TextState, says: str, outcome: SendRequest | EndSession) -> Noted:
    return Noted(replace(state, question=OpenQuestion(says, moment(state), outcome)), (says,))


def arrived(state: TextState, table: int, viewer: Viewer) -> TextState:
    """The state at this table, after the server's confirmation; its snapshot follows, or is already here."""
    if state.table != table or state.viewer != viewer:
        state = replace(nowhere(state), table=table, viewer=viewer)
    return replace(state, has_agreed=viewer != GALLERY)


def only_choice(state: TextState) -> SendRequest | None:
    """Our move, if it is forced and forced moves are automatic."""
    decision = state.decision
    if not state.plays_forced_moves or decision is None or len(decision.legal) != 1:
        return None
    (choice,) = decision.legal
    return chosen(decision, choice.action)


def chosen(decision: messages.Decision, action: Action) -> SendRequest:
    return SendRequest(
        lambda request: messages.Act(request, decision.table, decision.decision, action),
        lambda state, _: (decided(state, decision), ()),
    )


def decided(state: TextState, decision: messages.Decision) -> TextState:
    """Our answer was accepted; the next decision may have come before the `ok`."""
    return replace(state, decision=None) if state.decision == decision else state
