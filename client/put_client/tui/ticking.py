"""Schedule of the screen's own changes: a clock shows another number, a notice has been there long enough.

The shell sleeps for `until_next` and then takes in a `Tick`. None: nothing moves, and no timer runs.
"""

from msgspec.structs import replace

from put_client.tui import moments
from put_client.tui.model import Model
from put_client.tui.views.prompt_view import UNHURRIED_MS, shows_clock

NOTICE_MS = 5_000
"""The least time for a notice."""

READING_MS = 80
"""For each of its characters: who reads slowly reads twelve a second."""

MINUTE_MS = 60_000


def ticked(model: Model, now: int) -> Model:
    """The model at a time: without what has been there long enough."""
    ends = _notice_ends(model)
    if ends is not None and now >= ends:
        model = replace(model, notice="")
    return moments.ticked(model, now)


def until_next(model: Model, now: int) -> int | None:
    """Milliseconds until the screen changes by itself; None: it does not."""
    due = [_clock_changes(model, now), moments.until_next(model, now)]
    ends = _notice_ends(model)
    if ends is not None:
        due.append(ends - now)
    return min((max(ms, 0) for ms in due if ms is not None), default=None)


def _notice_ends(model: Model) -> int | None:
    if not model.notice or model.noticed is None:
        return None
    return model.noticed + max(NOTICE_MS, READING_MS * len(model.notice))


def _clock_changes(model: Model, now: int) -> int | None:
    table = model.table
    if table is None or table.clock is None or not table.clock.is_running or model.lost is not None:
        return None
    left = table.clock.left(now)
    if not left:
        return None
    if not shows_clock(table, left):
        return left - UNHURRIED_MS if table.info.is_in_play else None
    step = 1_000 if table.clock.paused_ms is None else MINUTE_MS
    return (left - 1) % step + 1
