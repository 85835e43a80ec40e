"""Notes over the table: for beginners, and the coach's advice. Esc or Enter closes the current one."""

from msgspec.structs import replace

from put_client.keymap import When
from put_client.tui.effects import NO_ID, Effect
from put_client.tui.keys import holds
from put_client.tui.model import AtTable, EntryKind, LogEntry, Model, Step
from put_protocol.messages import Advice, Coach
from put_text.analysis_text import format_advice
from put_text.lessons import Lesson

MOST_WAITING = 3


def learned(model: Model, lesson: Lesson) -> Model:
    """The model with a note for beginners. One about the end of a game goes to the log, so that it does not cover the
    end."""
    table = model.table
    if table is None:
        return model
    if table.is_between:
        return replace(model, table=table.note(LogEntry(lesson.says, EntryKind.NOTE)))
    return replace(model, table=replace(table, lessons=(*table.lessons, lesson)[-MOST_WAITING:]))


def advised(model: Model, advice: Advice) -> Model:
    """The model with the coach's advice, unless the decision is over."""
    table = model.table
    if table is None or table.id != advice.table:
        return model
    if advice.flaw:
        return replace(model, notice=format_advice(advice))
    if table.decision is None or table.decision.decision != advice.decision or not table.is_asked:
        return model
    return replace(model, table=replace(table, advice=advice))


def ask_coach(model: Model, table: AtTable) -> Step:
    if table.advice is not None:
        return replace(model, table=replace(table, advice=None)), ()
    return model, (Coach(NO_ID, table.id),)


def asked_anew(model: Model) -> tuple[Effect, ...]:
    """The automatic request to the coach for a new decision, if set."""
    table = model.table
    if not model.coaches or table is None or not holds(When.CAN_ASK_COACH, model):
        return ()
    return (Coach(NO_ID, table.id),)


def closed(table: AtTable) -> AtTable:
    return replace(table, advice=None) if table.advice is not None else replace(table, lessons=table.lessons[1:])


def acted(table: AtTable) -> AtTable:
    """The player has answered a decision: remove the advice for it."""
    return replace(table, advice=None, lessons=())
