"""State of a text session at one table, and the server's messages in sentences. Pure.

`apply_message` returns the state after a message, and the sentences that tell it. The other functions answer questions
about the state, a sentence an item. A text session follows one table at a time.
"""

from dataclasses import dataclass, replace
from typing import assert_never

from put_protocol import messages
from put_protocol.games.families import begins_deal
from put_protocol.games.unions import Event, GameView, ending_of
from put_protocol.games.unknown import UnknownView
from put_protocol.seal_events import CutMade, CutsShown, Openings, Sealed
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.table_events import GameStarted, PresenceChanged, Said
from put_protocol.table_info import Admits, PersonInfo, SeatInfo, TableInfo, TableState
from put_protocol.text import clause, printable, sentence
from put_text import analysis_text, english, phrases

Notification = (
    messages.LobbyState
    | messages.TableSnapshot
    | messages.Events
    | messages.Decision
    | Openings
    | messages.Invited
    | messages.Analysis
    | messages.Advice
    | messages.Position
    | messages.Judgement
    | messages.Left
    | messages.Notice
)
"""A message that answers no request."""

Sentences = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextState:
    """What a text session remembers between two messages."""

    table: int | None = None
    """Where we are; None: at no table."""
    viewer: Viewer = GALLERY
    info: TableInfo | None = None
    names: tuple[str | None, ...] = ()
    """By seat. A player who has gone is named until the seat is taken, because events may still be about them."""
    view: GameView | None = None
    board: Sentences = ()
    """The view in the server's words, where it is of a family that is not known here."""
    turn: messages.Turn | None = None
    turn_at: int = 0
    """When the turn was received, in milliseconds."""
    decision: messages.Decision | None = None
    """What is asked of us now."""
    is_introduced: bool = False
    """The introduction to the game was said."""
    has_agreed: bool = False
    """We asked for a game, and the table's info does not show it yet."""
    is_numbered: bool = False
    """Every event is said, and its number first."""
    is_unchecked: bool = False
    """Nothing is checked for us, so each deal is said not to be proved."""

    @property
    def is_seated(self) -> bool:
        return self.table is not None and self.viewer != GALLERY

    @property
    def awaits_move(self) -> bool:
        """Whether a move of ours may yet be asked for without our doing anything else first."""
        if self.has_agreed or self.info is None or self.viewer == GALLERY:
            return self.has_agreed
        seats, pause = self.info.seats, self.info.pause
        if self.info.state is TableState.PAUSED:
            return pause is not None and self.viewer in pause.seats
        return self.info.state is TableState.PLAYING or (self.viewer < len(seats) and seats[self.viewer].agrees)


def apply_message(state: TextState, message: Notification, now: int) -> tuple[TextState, Sentences]:
    """The state after a message, and the sentences that tell it."""
    match message:
        case messages.TableSnapshot(table=number) if state.table not in (None, number):
            says = f"leave table {state.table} and come back to hear of table {number}"
            return state, (f"You are at table {number}, too, but one connection follows one table: {says}.",)
        case messages.TableSnapshot():
            state = replace(nowhere(state), table=message.table, viewer=message.viewer, view=message.view)
            state = replace(state, board=message.board)
            state = _with_news(state, message.info, message.turn, now)
            place = "in the gallery of" if message.viewer == GALLERY else f"in seat {message.viewer} at"
            after = f", after event {message.number}" if state.is_numbered else ""
            said = [f"You are {place} table {message.table}{after}."]
            if message.view is not None and message.info.is_in_play:
                introduction = english.format_introduction(message.view, state.names, state.viewer)
                said += (*introduction[1:], _RULES)  # `table`, below, says the first
                state = replace(state, is_introduced=True)
            said += table(state)
            if state.is_unchecked and message.info.is_in_play:
                said.append(_UNPROVED)
            return state, tuple(said)
        case messages.Events():
            return _apply_events(state, message, now) if message.table == state.table else (state, ())
        case messages.Decision():
            if message.table != state.table:
                return state, ()
            turn = (
                messages.Turn(Seat(state.viewer), message.turn_ms, message.bank_ms) if state.viewer != GALLERY else None
            )
            state = replace(state, decision=message, turn=turn, turn_at=now)
            return state, (f"Your move. {sentence(message.asks)} {legal(state)[0]}{_time(state, message)}",)
        case Openings():
            return state, ()
        case messages.Analysis():
            return state, analysis_text.format_analysis(message)
        case messages.Advice():
            is_over = state.decision is None or state.decision.decision != message.decision
            return state, () if is_over and not message.flaw else analysis_text.format_advice(message)
        case messages.Judgement():
            return state, analysis_text.format_judgement(message)
        case messages.Position():
            return state, ()  # nobody can ask for one in lines: put-client --drill is for that
        case messages.Invited(table=number, by=by, info=info):
            asks = f"{printable(by)} asks you to table {number}, {printable(info.game)}"
            return state, (f'{asks}: say "{sit_words(message)}" to sit down there.',)
        case messages.Left():
            gone = f"You are no longer at table {message.table}: {clause(message.says)}."
            return nowhere(state) if message.table == state.table else state, (gone,)
        case messages.LobbyState():
            return state, _lobby(message)
        case messages.Notice(says=says):
            return state, (f"The operator says: {sentence(says)}",)
        case _:
            assert_never(message)


_UNHURRIED_MS = 120_000


def _time(state: TextState, decision: messages.Decision) -> str:
    """Where the table has no limit of its own the server's is long, and told by `clock` until little is left."""
    has_own = state.info is not None and state.info.clock.turn
    if decision.turn_ms is None or (not has_own and decision.turn_ms > _UNHURRIED_MS):
        return ""
    return f" You have {_seconds(decision.turn_ms)}."


def _apply_events(state: TextState, message: messages.Events, now: int) -> tuple[TextState, Sentences]:
    state = _with_news(state, message.info, message.turn, now)
    if message.view is not None:
        state = replace(state, view=message.view, board=message.board)
        if message.view.to_move != state.viewer:
            state = replace(state, decision=None, turn=message.turn)
    said: list[str] = []
    servers = message.says if len(message.says) == len(message.events) else ("",) * len(message.events)
    for number, (event, words) in enumerate(zip(message.events, servers, strict=True), message.first):
        if state.is_numbered or not _is_passed_over(state, event):
            says = sentence(words) if words else english.format_event(event, state.names, you=state.viewer)
            said.append(f"{number}. {says}" if state.is_numbered else says)
        if state.is_unchecked and begins_deal(event):
            said.append(_UNPROVED)
        if isinstance(event, GameStarted) and state.view is not None and not state.is_introduced:
            said.extend((*english.format_introduction(state.view, state.names, state.viewer), _RULES))
            state = replace(state, is_introduced=True)
        if ending_of(event) is not None and state.is_seated:
            said.append('Say "again" for another game, or "leave".')
    return state, tuple(said)


def _is_passed_over(state: TextState, event: Event) -> bool:
    """Seals and cuts are part of every deal; our own coming and going we have noticed ourselves; and whom we muted we
    do not want to hear of."""
    if isinstance(event, Said):
        return event.muted
    return isinstance(event, Sealed | CutMade | CutsShown) or (
        isinstance(event, PresenceChanged) and event.seat == state.viewer
    )


def _with_news(state: TextState, info: TableInfo | None, turn: messages.Turn | None, now: int) -> TextState:
    if info is not None:
        former = state.names if len(state.names) == len(info.seats) else (None,) * len(info.seats)
        names = tuple(seat.name or name for seat, name in zip(info.seats, former, strict=True))
        state = replace(state, info=info, names=names, has_agreed=False)
    if turn is not None:
        state = replace(state, turn=turn, turn_at=now)
    return state


def nowhere(state: TextState) -> TextState:
    """The state without a table."""
    return TextState(is_numbered=state.is_numbered, is_unchecked=state.is_unchecked)


def arrived(state: TextState, table: int, viewer: Viewer) -> TextState:
    """The server says we are at this table; its picture of it comes behind, if it has not come already."""
    if state.table != table or state.viewer != viewer:
        state = replace(nowhere(state), table=table, viewer=viewer)
    return replace(state, has_agreed=viewer != GALLERY)


def decided(state: TextState, decision: messages.Decision) -> TextState:
    """Our answer was accepted; the next decision may have come before the `ok`."""
    return replace(state, decision=None) if state.decision == decision else state


def sit_words(invited: messages.Invited) -> str:
    """What to say to sit down where one is asked to."""
    return f"sit {invited.table}" if invited.seat is None else f"sit {invited.table} {invited.seat}"


# --- what is not of a table ---


def greeting(welcome: messages.Welcome) -> str:
    """Who we are, and where."""
    return f'You are {printable(welcome.name)}, at {printable(welcome.server)}. Say "help" for help.'


def refusal(says: str, retry_after_ms: int | None = None) -> str:
    """Why a request was refused, or how long to wait until it is not."""
    if retry_after_ms is not None:
        return f"That was too fast: wait {_seconds(-(-retry_after_ms // 1000) * 1000)}, and say it again."
    return sentence(says)


# --- answers ---


def is_paused(state: TextState) -> bool:
    """We sit at a table whose game rests."""
    return state.is_seated and state.info is not None and state.info.state is TableState.PAUSED


def table(state: TextState) -> Sentences:
    """The table and the game on it."""
    if state.info is None:
        return (_NOWHERE,)
    said = [table_in_words(state.info), *_pause(state)]
    if state.view is not None and state.info.is_in_play:
        said.extend(_view(state, state.view))
    return tuple(said)


def _view(state: TextState, view: GameView) -> Sentences:
    """The game: in the server's words where it says it, or else in our own."""
    if state.board:
        return tuple(map(sentence, state.board))
    return english.format_view(view, state.names, state.viewer)


def _pause(state: TextState) -> Sentences:
    """Who asks for a pause, or what is to be done to end the one that is on."""
    assert state.info is not None
    pause = state.info.pause
    if pause is None:
        return ()
    seats = phrases.format_seats(pause.seats, state.names, state.viewer)
    if state.info.state is not TableState.PAUSED:
        return (f"A pause of at most {phrases.format_minutes(pause.minutes)} is asked for by {seats}.",)
    ready = f"Ready to go on: {seats}. " if seats else ""
    return (f'{ready}The game goes on when every player has said "go on", or when the time is up.',)


def hand(state: TextState) -> Sentences:
    """The cards we hold."""
    if not state.is_seated or state.view is None:
        return ("You hold no cards.",)
    if isinstance(state.view, UnknownView) and not state.view.cards:
        return _view(state, state.view)
    return (f"You hold {phrases.format_cards(state.view.cards)}.",)


def score(state: TextState) -> Sentences:
    """The score of the game, and the purses."""
    if state.info is None:
        return (_NOWHERE,)
    purses = phrases.format_scores([seat.purse for seat in state.info.seats], state.names, state.viewer)
    purse = f"The purses, in stakes won less stakes lost, are {purses}."
    if state.view is None:
        return "No game has begun.", purse
    return (*english.format_score(state.view, state.names, state.viewer), purse)


def clock(state: TextState, now: int) -> Sentences:
    """How long turns may take, and what is left of this one."""
    if state.info is None:
        return (_NOWHERE,)
    limit = state.info.clock.turn
    bank = f"{_seconds(state.info.clock.bank * 1000)} a game for being disconnected"
    said = [f"There are {_seconds(limit * 1000)} for each decision, and {bank}."]
    if not limit:
        said = [f"This table has no limit of its own for a decision, but {bank}."]
    turn = state.turn
    if turn is not None and turn.paused_ms is not None:
        left = phrases.format_time_left(max(0, turn.paused_ms - (now - state.turn_at)))
        said.append(f"The game is paused, and goes on in {left} at most. No clock runs until then.")
    elif turn is not None and turn.turn_ms is not None:
        left = _seconds(max(0, turn.turn_ms - (now - state.turn_at)))
        mover = "You have" if turn.seat == state.viewer else f"{_name(state, turn.seat)} has"
        said.append(f"{mover} {left} left.")
    return tuple(said)


def who(state: TextState) -> Sentences:
    """Everyone at the table."""
    if state.info is None:
        return (_NOWHERE,)
    said = []
    for place, seat in enumerate(state.info.seats):
        you = " (you)" if place == state.viewer else ""
        said.append(
            f"In seat {place}: {_sitter(seat)}{you}{', ready for another game' if _waits(state, seat) else ''}."
        )
    watchers = state.info.watchers
    said.append(f"In the gallery: {watchers or 'nobody'}{' (you among them)' if state.viewer == GALLERY else ''}.")
    return tuple(said)


def why(state: TextState) -> Sentences:
    """Why we may do this and no more."""
    if state.decision is None:
        return legal(state)
    return (sentence(state.decision.why or state.decision.asks),)


def legal(state: TextState) -> Sentences:
    """Every action we may choose now."""
    if state.decision is None:
        return ("It is not your move.",)
    return (f"You can: {phrases.format_choices(state.decision.legal)}.",)


_UNPROVED = "This deal is not proved to you: nothing checks it on a typed connection."
_RULES = 'Say "rules" to hear how it is played, and "why" when you wonder about your choices.'
_NOWHERE = 'You are at no table. Say "tables" to hear which there are, "games" what is played here, "open" to open one.'


def table_in_words(info: TableInfo) -> str:
    """A table as the lobby lists it, in a sentence."""
    seats = ", ".join(f"{_sitter(seat)} in seat {place}" for place, seat in enumerate(info.seats))
    match info.state:
        case TableState.FILLING:
            state = "it waits for players"
        case TableState.PLAYING:
            state = f"game {info.games} is in play"
        case TableState.PAUSED:
            state = f"game {info.games} is paused"
        case TableState.BETWEEN:
            state = "it is between games" if info.games else "its first game is about to begin"
        case _:
            assert_never(info.state)
    said = [state]
    if info.clock.turn:
        said.append(f"{_seconds(info.clock.turn * 1000)} a turn")
    if info.is_locked:
        said.append("a passcode is asked")
    if not info.is_gallery_open:
        said.append("nobody may watch")
    if info.admits is not Admits.ALL:
        said.append(f"for {info.admits} only")
    if info.is_assisted:
        said.append("played with the coach")
    if info.is_exhibition:
        said.append("an exhibition, where nothing counts")
    return f"Table {info.id}, {printable(info.game)}: {seats}; {', '.join(said)}."


def _lobby(message: messages.LobbyState) -> Sentences:
    said = [table_in_words(info) for info in message.tables]
    if message.begins and not message.tables:
        said.append('No table is open. Say "open" to open one.')
    if message.people:
        said.append(f"Here are: {', '.join(map(_person, message.people))}.")
    return tuple(said)


def _person(person: PersonInfo) -> str:
    return printable(person.name) + _marks((person.is_bot, "a bot"), (person.is_away, "away"))


def _sitter(seat: SeatInfo) -> str:
    if seat.name is None:
        return "nobody"
    marks = (
        (seat.is_house, f"of the house, {seat.house}" if seat.house else "of the house"),
        (seat.is_bot, "a bot"),
        (seat.is_away, "away"),
        (seat.is_gone, "gone"),
    )
    return printable(seat.name) + _marks(*marks)


def _marks(*marks: tuple[bool, str]) -> str:
    words = [word for is_so, word in marks if is_so]
    return f" ({', '.join(words)})" if words else ""


def _waits(state: TextState, seat: SeatInfo) -> bool:
    return seat.agrees and state.info is not None and not state.info.is_in_play


def _name(state: TextState, seat: Seat) -> str:
    name = state.names[seat] if seat < len(state.names) else None
    return printable(name or "") or f"Seat {seat}"


def _seconds(ms: int) -> str:
    seconds = ms // 1000
    if seconds >= 120:
        return f"{seconds // 60} minutes" + (f" and {seconds % 60} seconds" if seconds % 60 else "")
    return f"{seconds} second{'' if seconds == 1 else 's'}"
