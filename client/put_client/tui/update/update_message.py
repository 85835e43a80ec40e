"""Messages from the server, and results of requests: their effects on the model."""

from collections.abc import Sequence

from msgspec.structs import replace

from put_client.fairness.fairness_text import news_of, with_deal
from put_client.recording import joined, recorded, still_whole
from put_client.sdk.deal_checks import CheckFailed, DealChecked, DealWarning
from put_client.sdk.lasting_wire import ConnectionBack, ConnectionLost
from put_client.sdk.traffic import Message as ClientMessage
from put_client.tui import moments
from put_client.tui.boards import board_of
from put_client.tui.effects import NO_ID, Save, TaskDone, TaskFailed, Teach
from put_client.tui.model import (
    AtTable,
    Clock,
    Confirm,
    EntryKind,
    Help,
    LobbyModel,
    LogEntry,
    Model,
    PageKind,
    PromptKind,
    Step,
    TableLog,
    ToldGame,
    Typing,
)
from put_client.tui.update import notes
from put_client.tui.views.prompt_view import invitation_in_words
from put_protocol import messages, table_events
from put_protocol.blind_events import BlindEntry, BlindOpened
from put_protocol.games.unions import Event, GameView
from put_protocol.refusals import RefusalCode
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_info import TableInfo
from put_protocol.text import sentence
from put_text.catalogue import say
from put_text.phrases import format_time_left
from put_text.presenters import format_event
from put_text.translated import notice_in_words


def update_message(model: Model, message: ClientMessage, now: int) -> Step:
    table = model.table
    if table is not None and table.id != getattr(message, "table", table.id):
        table = None
    match message:
        case messages.LobbyState():
            lobby = _lobby_after(model.lobby, message)
            invited = model.invitation if _still_asked(model.invitation, lobby, message.closed) else None
            return replace(model, lobby=lobby, invitation=invited), ()
        case messages.TableSnapshot():
            return _with_snapshot(model, message, now)
        case messages.Events() if table is not None:
            after = _drop_stale_question(replace(model, table=table_after(table, message, now)))
            return moments.after_events(model, after, message, now), ()
        case messages.Decision() if table is not None:
            is_new = table.decision is None or table.decision.decision != message.decision
            asked = replace(model, table=_with_decision(table, message, now))
            model = _drop_stale_question(moments.asked(asked, message.turn_ms, now))
            return model, notes.asked_anew(model) if is_new else ()
        case DealChecked() if table is not None:
            said = [LogEntry(says, EntryKind.NOTE) for says in news_of(table.checked, message)]
            is_weighable = table.is_weighable or message.is_weighable
            table = replace(table, deals=with_deal(table.deals, message.deal), checked=message).note(*said)
            table = replace(table, is_weighable=is_weighable)
            return replace(moments.checked(model, message), table=table), ()
        case CheckFailed() if table is not None:
            return _caught(model, table, message), ()
        case messages.Invited():
            says = invitation_in_words(message)
            if model.table is not None:
                return _with_notice(replace(model, invitation=message), says), ()
            return replace(model, invitation=message), ()
        case messages.Analysis() if table is not None:
            return _with_analysis(model, table, message), ()
        case messages.Advice():
            return notes.advised(model, message), ()
        case messages.Position() | messages.Judgement() | messages.Recalled():
            return model, ()  # cannot be requested here; the record asks for games
        case messages.Left() if table is not None:
            return to_lobby(replace(model, notice=say("screen-left", table=message.table, says=message.says)))
        case DealWarning(says=says):
            return _with_notice(model, says), ()
        case messages.Notice():
            return _with_notice(model, notice_in_words(message)), ()
        case ConnectionLost():
            time = format_time_left((message.back_s or 0) * 1000)
            lost = say("screen-stopping", time=time) if message.back_s else say("screen-lost")
            return replace(model, lost=lost), ()
        case ConnectionBack():
            return _back(model, message)
        case (
            messages.Events()
            | messages.Decision()
            | DealChecked()
            | CheckFailed()
            | messages.Analysis()
            | messages.Left()
        ):
            return model, ()  # about another table


def to_lobby(model: Model) -> Step:
    return replace(model, table=None, overlay=None, moments=()), (model.look(model.lobby.page),)


def done(model: Model, outcome: TaskDone) -> Step:
    match outcome.task:
        case messages.OpenTable() if outcome.table is not None:
            sit = messages.Sit(NO_ID, outcome.table)
            house, seats = model.house, range(1, outcome.task.seats)
            invite = tuple([messages.Invite(NO_ID, outcome.table, house=house) for _ in seats if house])
            return replace(model, overlay=None, house=""), (sit, *invite)
        case Save(path=path):
            return replace(model, notice=say("screen-written-down", path=path)), ()
        case Teach():
            return replace(model, notice=outcome.says), ()
        case messages.Leave(table=left) | messages.Stand(table=left):
            return to_lobby(model) if model.table is not None and model.table.id == left else (model, ())
        case _:
            return model, ()


def failed(model: Model, outcome: TaskFailed) -> Step:
    request = outcome.task
    table = model.table
    if isinstance(request, messages.OpenTable):
        model = replace(model, house="")
    if isinstance(request, messages.Act) and table is not None and table.id == request.table:
        is_open = table.decision is not None and table.decision.decision == request.decision
        model = replace(model, table=replace(table, is_answered=table.is_answered and not is_open))
    if isinstance(request, messages.Analyse) and table is not None and table.id == request.table:
        is_weighable = table.is_weighable and outcome.code not in (RefusalCode.NOT_SOLVED, RefusalCode.NO_GAME)
        model = _without_analysis(model, replace(table, is_weighable=is_weighable))
    if isinstance(request, messages.Sit | messages.Watch) and outcome.code == RefusalCode.WRONG_PASSCODE:
        was_tried = bool(request.passcode)
        model = replace(model, overlay=Typing(prompt=PromptKind.PASSCODE, request=request))
        return replace(model, notice=outcome.says if was_tried else ""), ()
    return replace(model, notice=outcome.says), ()


def _lobby_after(lobby: LobbyModel, news: messages.LobbyState) -> LobbyModel:
    tables = {} if news.begins else {table.id: table for table in lobby.tables}
    tables.update((table.id, table) for table in news.tables)
    for number in news.closed:
        tables.pop(number, None)
    people = {} if news.begins else {person.name: person for person in lobby.people}
    people.update((person.name, person) for person in news.people)
    for name in news.departed:
        people.pop(name, None)
    after = LobbyModel(
        tables=tuple(tables[number] for number in sorted(tables)),
        people=tuple(sorted(people.values(), key=lambda person: person.name.casefold())),
        wanted=lobby.wanted,
        page=(news.page or 0) if news.begins else lobby.page,
        size=news.size or (None if news.begins else lobby.size),
    )
    return replace(after, selected_table=_near(lobby, after.listed))


def _still_asked(invited: messages.Invited | None, lobby: LobbyModel, closed: Sequence[int]) -> bool:
    """True if the lobby still shows a free seat for the invitation, or may have one on another page."""
    if invited is None or invited.table in closed:
        return False
    table = next((table for table in lobby.tables if table.id == invited.table), None)
    if table is None and lobby.is_part:
        return True
    return table is not None and any(seat.name is None for seat in table.seats)


def _near(lobby: LobbyModel, listed: tuple[TableInfo, ...]) -> int | None:
    """The table to select now: the same or, if it is gone, the one at its position."""
    numbers = [table.id for table in listed]
    if not numbers or lobby.selected_table in numbers:
        return lobby.selected_table if numbers else None
    before = sum(1 for number in numbers if lobby.selected_table is not None and number < lobby.selected_table)
    return numbers[min(before, len(numbers) - 1)]


def _with_snapshot(model: Model, snapshot: messages.TableSnapshot, now: int) -> Step:
    """Handle a snapshot: we arrive at a table, or missed too much at ours."""
    before = model.table
    if before is not None and before.id != snapshot.table:
        return model, ()  # one table at a time is shown
    view = snapshot.view
    table = AtTable(
        info=snapshot.info,
        viewer=snapshot.viewer,
        names=_names_after((), snapshot.info, ()),
        offer=model.offer_at(snapshot.info),
        view=view,
        words=snapshot.board,
        log=TableLog() if before is None else before.log,
        is_weighable=_is_weighable(model, before, snapshot),
        recording=None if before is None else still_whole(before.recording, snapshot.info),
    )
    table = board_of(table).arrived(table, before)
    if before is not None and before.viewer == snapshot.viewer:
        table = replace(table, checked=before.checked, deals=before.deals, caught=before.caught)
        table = replace(table, analysis=before.analysis, awaits_analysis=before.awaits_analysis)
    else:
        is_back = before is None and bool(model.kept) and snapshot.table in model.welcome.tables
        kept = model.kept if is_back else ()
        arrival = "screen-back-at" if is_back else "screen-watch-at" if snapshot.viewer == GALLERY else "screen-sit-at"
        says = say(arrival, table=snapshot.table)
        table = table.note(*kept, LogEntry(says, EntryKind.NOTE))
        if snapshot.info.is_exhibition and not is_back:
            table = table.note(LogEntry(say("screen-exhibition-note"), EntryKind.NOTE))
    table = replace(table, clock=_clock(table, snapshot.turn, now))
    keeps_overlay = before is not None and isinstance(model.overlay, Typing)
    overlay = model.overlay if keeps_overlay else None
    invited = model.invitation
    if invited is not None and invited.table == table.id:
        invited = None
    notice = "" if before is None else model.notice
    model = replace(model, table=table, overlay=overlay, notice=notice, invitation=invited, kept=())
    return model, () if before is not None else (messages.LookAway(NO_ID),)


def retold(table: AtTable, now: int) -> tuple[ClientMessage, ...]:
    """Messages that tell a table to another reader, who knows nothing of it: line mode."""
    clock, decision = None if table.clock is None else table.clock.at(now), table.decision
    turn = None if clock is None else messages.Turn(clock.seat, clock.turn_ms, clock.bank_ms, clock.paused_ms)
    view = table.view if isinstance(table.view, GameView) else None
    told: list[ClientMessage] = [
        messages.TableSnapshot(table.id, table.viewer, 0, table.info, view=view, turn=turn, board=table.words)
    ]
    if table.checked is not None:
        told.append(table.checked)
    if table.caught is not None:
        told.append(CheckFailed(table.id, table.caught))
    elif decision is not None and clock is not None:
        told.append(replace(decision, turn_ms=clock.turn_ms, bank_ms=clock.bank_ms))
    return tuple(told)


def _is_weighable(model: Model, before: AtTable | None, snapshot: messages.TableSnapshot) -> bool:
    """True if we played the current or last game: we were here, or returned to a kept seat."""
    if snapshot.viewer == GALLERY or not snapshot.info.games:
        return False
    if snapshot.info.is_in_play or (before is None and snapshot.table in model.welcome.tables):
        return snapshot.info.is_solved and not snapshot.info.hides_hands
    return before is not None and before.viewer == snapshot.viewer and before.is_weighable


def _clock(table: AtTable, turn: messages.Turn | None, now: int) -> Clock | None:
    if turn is None:
        return None
    is_away = table.info.seats[turn.seat].is_away
    return Clock(
        seat=turn.seat, turn_ms=turn.turn_ms, bank_ms=turn.bank_ms, since=now, is_away=is_away, paused_ms=turn.paused_ms
    )


def table_after(table: AtTable, news: messages.Events, now: int) -> AtTable:
    info = news.info or table.info
    names = _names_after(table.names, info, news.events)
    table = replace(table, info=info, names=names)
    says = news.says if len(news.says) == len(news.events) else ("",) * len(news.events)
    for event, words in zip(news.events, says, strict=True):
        table = _after(table, event, words, now)
    table = replace(table, recording=recorded(table.recording, news, info, table.viewer, now))
    if news.view is not None:
        # The game moved, so a question before it is answered; if it is our turn again, a decision follows.
        table = replace(table, view=news.view, words=news.board or table.words, clock=None, advice=None)
        table = replace(table, decision=None, is_answered=False, chosen=None)
    if news.turn is not None:
        table = replace(table, clock=_clock(table, news.turn, now))
    return table


def _names_after(names: tuple[str, ...], info: TableInfo, events: tuple[Event, ...]) -> tuple[str, ...]:
    """Name of each seat's current or last player. Events may name players who have left."""
    known = (*names, *[""] * len(info.seats))[: len(info.seats)]
    for event in events:
        if isinstance(event, table_events.GameStarted):
            known = (*event.names, *known)[: len(known)]
        known = table_events.seated_names(known, event)
    return tuple(seat.name or name for seat, name in zip(info.seats, known, strict=True))


def _after(table: AtTable, event: Event, words: str, now: int) -> AtTable:
    """The table after one event: its log and its contents. `words`: the server's sentence for the event."""
    match event:
        case BlindEntry() | BlindOpened():
            return table  # part of every deal: the mark in the header tells
        case table_events.Said(muted=True):
            return table
        case table_events.Said(name=name, text=text, seat=seat):
            entry, is_own = LogEntry(f"{name}: {text}", EntryKind.TALK), seat is not None and seat == table.seat
            return replace(table, log=table.log.note(entry) if is_own else table.log.hear(entry))
        case table_events.PresenceChanged(seat=seat, away=away):
            if table.clock is not None and table.clock.seat == seat:
                table = replace(table, clock=table.clock.turn_to(is_away=away, now=now))
            if seat == table.seat:
                return table  # we noticed it ourselves
        case _:
            pass
    says = words or format_event(event, table.names, you=table.viewer)
    match event:
        case table_events.GameStarted():
            info = table_events.info_after(table.info, event)
            is_weighable = table.seat is not None and info.is_solved and not info.hides_hands
            table = replace(table, outcome="", result="", ending=None, is_weighable=is_weighable)
            table = replace(table, told=ToldGame(number=event.game))
            return table.note(LogEntry(says, begins=True))
        case table_events.TimedOut() | table_events.LeftGame() | table_events.GameOver():
            return board_of(table).after(table, event, says)
        case _ if isinstance(event, table_events.TableEvent):
            return table.note(LogEntry(says))
        case _:
            return board_of(table).after(table, event, says)


def _with_decision(table: AtTable, decision: messages.Decision, now: int) -> AtTable:
    decision = replace(decision, legal=board_of(table).in_order(table, decision.legal))
    clock = Clock(
        seat=table.seat if table.seat is not None else Seat(0),
        turn_ms=decision.turn_ms,
        bank_ms=decision.bank_ms,
        since=now,
    )
    is_same = table.decision is not None and table.decision.decision == decision.decision
    chosen = table.chosen if is_same else None
    return replace(table, decision=decision, is_answered=False, chosen=chosen, clock=clock)


def _drop_stale_question(model: Model) -> Model:
    overlay, table = model.overlay, model.table
    if not isinstance(overlay, Confirm):
        return model
    is_stale = False
    if overlay.act is not None:
        decision = None if table is None else table.decision
        is_stale = decision is None or decision.decision != overlay.act.decision
    if overlay.game is not None:
        is_stale = table is None or not table.is_playing or table.info.games != overlay.game
    return replace(model, overlay=None) if is_stale else model


def _caught(model: Model, table: AtTable, broken: CheckFailed) -> Model:
    error = broken.error
    kept = say("screen-evidence", path=str(error.evidence)) if error.evidence is not None else ""
    notes = [LogEntry(says, begins=True) for says in (str(error), kept) if says]
    overlay = Help(page=PageKind.DEAL) if not isinstance(model.overlay, Typing) else model.overlay
    return replace(model, table=replace(table, caught=error).note(*notes), overlay=overlay)


def _with_analysis(model: Model, table: AtTable, analysis: messages.Analysis) -> Model:
    if analysis.flaw and not table.awaits_analysis:
        return model  # the record asked, not the person
    if analysis.flaw:
        return _with_notice(_without_analysis(model, table), sentence(analysis.flaw))
    analysis = joined(table.analysis, analysis)
    is_whole = len(analysis.reviewed) == analysis.decisions
    return replace(model, table=replace(table, analysis=analysis, awaits_analysis=not is_whole))


def _without_analysis(model: Model, table: AtTable) -> Model:
    overlay = model.overlay
    if isinstance(overlay, Help) and overlay.page is PageKind.ANALYSIS and table.analysis is None:
        overlay = None
    return replace(model, overlay=overlay, table=replace(table, awaits_analysis=False))


def _with_notice(model: Model, says: str) -> Model:
    """The model with a notice, which the table's log stores."""
    table = None if model.table is None else model.table.note(LogEntry(says, EntryKind.NOTE))
    return replace(model, notice=says, table=table)


def _back(model: Model, back: ConnectionBack) -> Step:
    model = replace(model, lost=None)
    table = model.table
    if table is None:
        return model, ()
    if table.id not in back.tables:
        return to_lobby(replace(model, notice=say("screen-gone", table=table.id)))
    # An analysis that was ready meanwhile is lost: it is requested again.
    return model, (messages.Analyse(NO_ID, table.id),) if table.awaits_analysis else ()
