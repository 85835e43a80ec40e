"""The server's messages in sentences, and the state of a text session after each. Pure.

`apply_message` returns the state after a message, and its sentences.
"""

from collections.abc import Sequence
from dataclasses import replace

from put_protocol import messages
from put_protocol.blind_events import BlindEntry, BlindEvent, BlindOpened
from put_protocol.deal_steps import begins_deal
from put_protocol.games.families import deals_hand
from put_protocol.games.tricks import CardPlayed, TrickOver
from put_protocol.games.unions import Event, ending_of
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_events import GameStarted, PauseAsked, PresenceChanged, Said, TableEvent
from put_protocol.table_info import PersonInfo, TableState
from put_protocol.text import clause, printable, sentence
from put_text import analysis_text, phrases, presenters
from put_text.catalogue import card_in_words, say
from put_text.choices_text import consequences
from put_text.parse_action import command_in_own_words
from put_text.plain import answers
from put_text.plain.text_state import Sentences, TextState, hand_of, nowhere, only_choice, remember, with_news
from put_text.translated import notice_in_words

Notification = (
    messages.LobbyState
    | messages.TableSnapshot
    | messages.Events
    | messages.Decision
    | messages.Invited
    | messages.Analysis
    | messages.Recalled
    | messages.Advice
    | messages.Position
    | messages.Judgement
    | messages.Left
    | messages.Notice
)
"""A message that is no answer to a request."""


def apply_message(state: TextState, message: Notification, now: int) -> tuple[TextState, Sentences]:
    if isinstance(message, messages.Events):
        return _apply_events(state, message, now) if message.table == state.table else (state, ())
    state, said = _apply(state, message, now)
    return remember(state, said, now), said


def _apply(state: TextState, message: Notification, now: int) -> tuple[TextState, Sentences]:
    match message:
        case messages.TableSnapshot(table=number) if state.table not in (None, number):
            return state, (say("heard-one-table", here=state.table, other=number),)
        case messages.TableSnapshot():
            state = replace(nowhere(state), table=message.table, viewer=message.viewer, view=message.view)
            state = replace(state, board=message.board)
            state = with_news(state, message.info, message.turn, now)
            seat = message.viewer if message.viewer == GALLERY else message.viewer + 1
            after = message.number if state.is_numbered else "none"
            said = [say("heard-at-table", seat=seat, table=message.table, after=after)]
            if message.info.is_in_play:
                state = replace(state, is_bank_part=state.bank_ms is None)  # who comes back was away
            if message.viewer == GALLERY:
                said.append(answers.who_hears(message.info, message.viewer))
            if message.view is not None and message.info.is_in_play:
                introduction = presenters.format_introduction(message.view, state.names, state.viewer)
                # `table`, below, says the first
                said += () if state.is_brief else (*introduction[1:], say("heard-rules"))
                state = replace(state, was_introduced=True)
            said += answers.table(state)
            if state.is_unchecked and message.info.is_in_play:
                said.append(say("heard-unproved"))
                state = replace(state, was_told_unproved=True)
            return state, tuple(said)
        case messages.Events():
            raise AssertionError("told by `_apply_events`")
        case messages.Decision():
            if message.table != state.table:
                return state, ()
            turn = (
                messages.Turn(Seat(state.viewer), message.turn_ms, message.bank_ms) if state.viewer != GALLERY else None
            )
            state = replace(state, decision=message, turn=turn, turn_at=now, warned_ms=None)
            if message.bank_ms is not None:
                state = replace(state, bank_ms=message.bank_ms, is_bank_part=False)
            question = () if only_choice(state) is not None else (answers.asked(state, message, now),)
            return replace(state, told=consequences(message.legal, state.told)), question
        case messages.Analysis():
            return state, analysis_text.format_analysis(message)
        case messages.Advice():
            is_over = state.decision is None or state.decision.decision != message.decision
            advice = analysis_text.format_advice(message)
            weighed = () if state.is_brief or message.flaw else analysis_text.format_weighed(message.choices)
            return state, () if is_over and not message.flaw else (advice, *weighed)
        case messages.Position() | messages.Judgement() | messages.Recalled():
            return state, ()  # a person who types cannot ask for one: put-client --drill, and its record, do
        case messages.Invited(table=number, by=by, info=info):
            game, command = printable(info.game), command_in_own_words(sit_words(message))
            return state, (say("heard-invited", by=printable(by), table=number, game=game, command=command),)
        case messages.Left():
            gone = say("heard-left", table=message.table, why=clause(message.says))
            return nowhere(state) if message.table == state.table else state, (gone,)
        case messages.LobbyState():
            return state, _lobby(message)
        case messages.Notice():
            return state, (notice_in_words(message),)


def _apply_events(state: TextState, message: messages.Events, now: int) -> tuple[TextState, Sentences]:
    hand_before = hand_of(state)
    state = with_news(state, message.info, message.turn, now)
    if message.view is not None:
        state = replace(state, view=message.view, board=message.board)
        if message.view.to_move != state.viewer:
            state = replace(state, decision=None, turn=message.turn)
    said: list[str] = []
    full: list[str] = []
    ended = 0  # sentences about the hand before
    begins_game = any(isinstance(event, GameStarted) for event in message.events)
    servers = message.says if len(message.says) == len(message.events) else ("",) * len(message.events)
    for number, (event, words) in enumerate(zip(message.events, servers, strict=True), message.first):
        if deals_hand(event) and not begins_game:
            ended = len(said)
        if state.is_numbered or not _is_passed_over(state, event):
            before = f"{number}. " if state.is_numbered else ""
            whole = sentence(words) if words else presenters.format_event(event, state.names, you=state.viewer)
            is_whole = bool(words) or state.is_numbered or not state.is_brief
            says = whole if is_whole else _in_brief(state, event)
            said.append(says and f"{before}{says}")
            full.append(f"{before}{whole}")
        hints = _hints(state, event)
        said.extend(hints)
        full.extend(hints)
        state = _noted(state, event)
    state = remember(state, tuple(said[:ended]), now, tuple(full[:ended]), hand_before)
    return remember(state, tuple(said[ended:]), now, tuple(full[ended:])), tuple(filter(None, said))


def _in_brief(state: TextState, event: Event) -> str:
    """A brief sentence for an event; empty: it is left out.

    At a large table, cards after ours in a trick are left out, and the winning card is reported.
    """
    is_own = isinstance(event, CardPlayed) and event.seat == state.viewer and event.card == state.named
    if is_own or _is_of_others(state, event):
        return ""
    says = presenters.format_event(event, state.names, you=state.viewer, is_brief=True)
    trick = answers.last_trick(state)
    if len(state.names) <= EACH_CARD_SEATS or trick is None or state.viewer not in trick.seats:
        return says
    behind = dict(zip(trick.seats, trick.cards, strict=True))
    for seat in trick.seats[: trick.seats.index(Seat(state.viewer)) + 1]:
        del behind[seat]
    if isinstance(event, CardPlayed) and event.seat in behind:
        return ""
    if isinstance(event, TrickOver) and event.winner in behind:
        return say("heard-with-card", says=clause(says), won=card_in_words(behind[event.winner], is_brief=True))
    return says


def _is_of_others(state: TextState, event: Event) -> bool:
    """True if the event is another player's move in a hand that we are out of; only its end is reported."""
    playing = getattr(state.view, "playing", ())
    if state.viewer == GALLERY or state.viewer >= len(playing) or playing[state.viewer]:
        return False
    if isinstance(event, TableEvent | BlindEvent):
        return False
    movers = (*getattr(event, "seats", ()), getattr(event, "seat", None))
    return isinstance(event, TrickOver) or (movers != (None,) and state.viewer not in movers)


def _hints(state: TextState, event: Event) -> Sentences:
    if isinstance(event, PauseAsked) and state.is_seated and state.info is not None and state.info.pause is not None:
        is_agreed = state.viewer in state.info.pause.seats or state.info.state is TableState.PAUSED
        return () if is_agreed else (say("heard-agree"),)
    if state.is_unchecked and begins_deal(event.deal_steps()) and not state.was_told_unproved:
        return (say("heard-unproved"),)
    if isinstance(event, GameStarted) and state.view is not None and not state.was_introduced:
        introduction = presenters.format_introduction(state.view, state.names, state.viewer)
        return introduction[: event.game == 1] if state.is_brief else (*introduction, say("heard-rules"))
    if ending_of(event) is not None and state.is_seated and not state.is_brief:
        is_weighed = state.info is not None and state.info.is_solved and not state.info.hides_hands
        again = say("heard-again-solved" if is_weighed else "heard-again")
        return (again, say("heard-brief")) if state.turns_brief else (again,)
    return ()


def _noted(state: TextState, event: Event) -> TextState:
    match event:
        case _ if ending_of(event) is not None and state.is_seated:
            return replace(state, games_heard=state.games_heard + 1, is_brief=state.is_brief or state.turns_brief)
        case GameStarted():
            state = replace(state, told={})
            return replace(state, was_introduced=state.view is not None, bank_ms=None, is_bank_part=False)
        case PresenceChanged(seat=seat) if seat == state.viewer:
            return replace(state, bank_ms=None, is_bank_part=True)
        case _ if begins_deal(event.deal_steps()):
            return replace(state, was_told_unproved=True)
        case _:
            return state


def _is_passed_over(state: TextState, event: Event) -> bool:
    """True if the event has no sentence: signed steps of deals, our own coming and going, and talk of muted people."""
    if isinstance(event, Said):
        return event.muted
    return isinstance(event, BlindEntry | BlindOpened) or (
        isinstance(event, PresenceChanged) and event.seat == state.viewer
    )


def warn(state: TextState, now: int) -> tuple[TextState, Sentences]:
    """Warn when half of the time for our decision has passed, and shortly before its end. Call it at least every
    second."""
    left = _hurry(state, now)
    due = [mark for mark in _marks(state) if left is not None and left <= mark]
    if left is None or not due or left == 0:
        return state, ()
    said = (say("heard-left-time", time=phrases.format_seconds(-(-left // 1000) * 1000)),)
    return remember(replace(state, warned_ms=due[0]), said, now), said


def warning_due(state: TextState, now: int) -> int | None:
    """Milliseconds until the next warning; None: none is due."""
    left = _hurry(state, now)
    waits = [left - mark for mark in _marks(state) if left is not None]
    return max(0, min(waits)) if waits else None


def _hurry(state: TextState, now: int) -> int | None:
    """Time left for our decision, if it is short enough for a warning."""
    is_asked = state.decision is not None and state.turn is not None and state.turn.seat == state.viewer
    return answers.time_left(state, now) if is_asked and answers.is_timed(state) else None


def _marks(state: TextState) -> Sequence[int]:
    """Times left at which warnings are still due, the shortest first."""
    whole = 0 if state.turn is None else state.turn.turn_ms or 0
    marks = sorted({mark for mark in (*SHORT_MS, whole // 2) if SHORT_MS[0] <= mark < whole})
    return [mark for mark in marks if state.warned_ms is None or mark < state.warned_ms]


def _lobby(message: messages.LobbyState) -> Sentences:
    said = [answers.table_in_words(info) for info in message.tables]
    if message.begins and not message.tables:
        said.append(say("heard-no-table-open"))
    if message.people:
        said.append(say("heard-here-are", names=", ".join(map(_person, message.people))))
    return tuple(said)


def _person(person: PersonInfo) -> str:
    about = ((person.is_bot, say("heard-bot")), (person.is_away, say("heard-away")))
    return printable(person.name) + answers.marks(*about)


def sit_words(invited: messages.Invited) -> str:
    return f"sit {invited.table}" if invited.seat is None else f"sit {invited.table} {invited.seat + 1}"


def greeting(welcome: messages.Welcome) -> str:
    return say("heard-greeting", name=printable(welcome.name), server=printable(welcome.server))


def refusal(says: str, retry_after_ms: int | None = None) -> str:
    """The reason of a refusal, or the time to wait."""
    if retry_after_ms is not None:
        return say("heard-too-fast", time=phrases.format_seconds(-(-retry_after_ms // 1000) * 1000))
    return sentence(says)


SHORT_MS = (5_000, 10_000)
"""Times left at which a decision has a warning, besides half of its time."""

EACH_CARD_SEATS = 4
"""Most players at a table for which brief mode reports each card of a trick."""
