"""Notes over the table: those for beginners, and what the coach says. Esc or Enter closes what is shown."""

from msgspec.structs import replace

from put_client.keymap import When
from put_client.tui.effects import NO_ID, Effect
from put_client.tui.keys import holds
from put_client.tui.model import AtTable, EntryKind, LogEntry, Model
from put_protocol.messages import Advice, Coach
from put_text.analysis_text import format_advice
from put_text.lessons import Lesson

WAITING = 3
"""Notes that may wait to be shown; of more, the first are given up."""


def learned(model: Model, lesson: Lesson) -> Model:
    """The model with a note for beginners; one about the end of a game does not cover it, but stands in the log."""
    table = model.table
    if table is None:
        return model
    if table.is_between:
        return replace(model, table=table.note(LogEntry(lesson.says, EntryKind.NOTE)))
    return replace(model, table=replace(table, lessons=(*table.lessons, lesson)[-WAITING:]))


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


def ask_coach(model: Model, table: AtTable) -> tuple[Model, tuple[Effect, ...]]:
    if table.advice is not None:
        return replace(model, table=replace(table, advice=None)), ()
    return model, (Coach(NO_ID, table.id),)


def asked_anew(model: Model) -> tuple[Effect, ...]:
    """The request to the coach that the settings ask for with every new decision."""
    table = model.table
    if not model.coaches or table is None or not holds(When.CAN_ASK_COACH, model):
        return ()
    return (Coach(NO_ID, table.id),)


def closed(table: AtTable) -> AtTable:
    return replace(table, advice=None) if table.advice is not None else replace(table, lessons=table.lessons[1:])


def acted(table: AtTable) -> AtTable:
    """The player has answered a decision: what was said of it is over."""
    return replace(table, advice=None, lessons=())
