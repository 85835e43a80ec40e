"""The one transition: a model and an input give the next model and its effects. Pure."""

from msgspec import Struct
from msgspec.structs import replace

from put_client.sdk.traffic import Message as ServerMessage
from put_client.settings import DEFAULTS, Settings
from put_client.tui.effects import TaskDone, TaskFailed
from put_client.tui.model import LogEntry, Model, Step
from put_client.tui.moments import ticked
from put_client.tui.update import notes, update_input, update_message
from put_client.tui.update.update_input import Click, KeyPress, Paste
from put_protocol.messages import Sit, Watch, Welcome
from put_text.lessons import Lesson


class TimeTick(Struct, frozen=True):
    """Time has passed: `schedule` announced a change now."""


class Quick(Struct, frozen=True):
    """The terminal is fast enough for animations."""


Input = ServerMessage | KeyPress | Paste | Click | TaskDone | TaskFailed | Lesson | TimeTick | Quick


def begin(
    welcome: Welcome,
    first: Sit | Watch | None = None,
    *,
    back: str = "",
    kept: tuple[LogEntry, ...] = (),
    settings: Settings = DEFAULTS,
) -> Step:
    """The first model and its effects: go to the lobby or to a table. A player back at a table goes to no other."""
    model = Model(
        welcome=welcome,
        back=back,
        confirms=settings.ask_before_deciding,
        keys=settings.keys,
        coaches=settings.coach,
        kept=kept,
    )
    if first is None or welcome.tables:
        return model, (model.look(),)
    return model, (model.look(), first)


def update(model: Model, input_: Input, now: int) -> Step:
    after, effects = _update(model, input_, now)
    is_news = after.notice != model.notice or isinstance(input_, KeyPress | Paste | Click)
    if after.notice and is_news:
        after = replace(after, noticed=now)
    return after, effects


def _update(model: Model, input_: Input, now: int) -> Step:
    match input_:
        case TimeTick():
            return ticked(model, now), ()
        case Quick():
            return replace(model, has_motion=True), ()
        case KeyPress():
            return update_input.update_input(model, input_, now)
        case Paste(text=text):
            return update_input.paste(model, text)
        case Click(what=what):
            return update_input.click(model, what, now)
        case Lesson():
            return notes.learned(model, input_), ()
        case TaskDone():
            return update_message.done(model, input_)
        case TaskFailed():
            return update_message.failed(model, input_)
        case _:
            return update_message.update_message(model, input_, now)


__all__ = ["Click", "Input", "KeyPress", "Paste", "Quick", "TimeTick", "begin", "update"]
