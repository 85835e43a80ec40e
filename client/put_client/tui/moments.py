"""Moments of a game, changing clocks, and expiring notices. Pure.

A moment shows a finished hand, a moving card, or a put in large letters.

Only the drawing waits or moves: the model always has the current game, so no question is late. A finished hand is drawn
for `hold_ms` or until a key. This key makes no move, because the player has not seen the new cards. Without
`has_motion` nothing moves, but a finished hand is still held.

The shell sleeps for `until_next` and then handles a `TimeTick`. None: nothing moves, and no timer runs.
"""

from msgspec.structs import replace

from put_client.fairness.fairness_text import with_deal
from put_client.sdk.deal_checks import DealChecked
from put_client.tui.boards import board_of
from put_client.tui.model import AtTable, Banner, HeldHand, Model, Motion
from put_client.tui.views.prompt_view import UNHURRIED_MS, shows_clock
from put_protocol.games.families import apply_event
from put_protocol.games.unions import GameView, ending_of
from put_protocol.messages import Events

LEAST_NOTICE_MS = 5_000

READING_MS = 80
"""Reading time for each character: a slow reader reads twelve a second."""

MINUTE_MS = 60_000

HOLD_MS = 2_000
TRAVEL_MS = 280
FRAME_MS = 40
BANNER_MS = 1_400
BANNER_LETTER_MS = 60

SHARE_OF_TURN = 10
"""A finished hand takes at most this part of the time for a decision."""


def after_events(before: Model, after: Model, news: Events, now: int) -> Model:
    table = after.table
    if before.table is None or table is None or before.table.id != table.id:
        return after
    board = board_of(table)
    held = _held(before.table, after, news, now) if after.hold_ms else None
    ending = next(
        (word for event in news.events if ending_of(event) is not None and (word := board.banner(table, event))),
        table.ending,
    )
    model = replace(after, table=replace(table, ending=ending if table.result else None), held=held or after.held)
    if not model.has_motion or held is not None:
        return model if held is None else replace(model, motion=None)
    travel = next((way for event in reversed(news.events) if (way := board.travels(event))), None)
    banner = next((word for event in reversed(news.events) if (word := board.banner(table, event))), None)
    if travel is None and banner is None:
        return model
    return replace(model, motion=Motion(since=now, travel=travel, banner=banner))


def _held(before: AtTable, after: Model, news: Events, now: int) -> HeldHand | None:
    """The table at the end of a finished hand, if any; without the next deal, which may be in the same message."""
    table = after.table
    assert table is not None
    board = board_of(table)
    finished = [place for place, event in enumerate(news.events) if board.finishes(event)]
    if not finished:
        return None
    banner = board.banner(table, news.events[finished[-1]])
    for event in news.events[finished[-1] + 1 :]:
        if ending_of(event) is not None:
            banner = board.banner(table, event) or banner
    is_next = any(board.hand_begun(event) is not None for event in news.events[finished[-1] + 1 :])
    shown = _until(before, table, news, finished[-1]) if is_next else table
    info = before.info if before.info.is_in_play else table.info
    shown = replace(shown, info=info, decision=None, clock=None, result="")
    return HeldHand(table=shown, since=now, until=now + after.hold_ms, banner=banner)


def _until(before: AtTable, after: AtTable, news: Events, last: int) -> AtTable:
    """The table after the events up to the last of a hand, its view folded from them."""
    view = before.view
    if isinstance(view, GameView):
        for event in news.events[: last + 1]:
            try:
                view = apply_event(view, event, before.viewer)
            except (IndexError, ValueError):  # the game does not exist
                return before
    board = board_of(before)
    table = before
    for event in news.events[: last + 1]:
        table = board.after(table, event, "")
    return replace(table, view=view, outcome=table.outcome, log=after.log)


def asked(model: Model, turn_ms: int | None, now: int) -> Model:
    """The model with a shorter display of the finished hand, if the next decision has little time."""
    if model.held is None or turn_ms is None:
        return model
    return replace(model, held=replace(model.held, until=min(model.held.until, now + turn_ms // SHARE_OF_TURN)))


def checked(model: Model, news: DealChecked) -> Model:
    """The model with a finished hand updated by the proofs of its last cards, which arrive later."""
    held, deal = model.held, news.deal
    if held is None or deal is None or not held.table.deals or deal.key > held.table.deals[-1].key:
        return model
    table = replace(held.table, deals=with_deal(held.table.deals, deal))
    return replace(model, held=replace(held, table=table))


def ended(model: Model) -> Model:
    """End all delays and animations, because a key was pressed."""
    return model if model.held is None and model.motion is None else replace(model, held=None, motion=None)


def _next_moment(model: Model, now: int) -> int | None:
    """Milliseconds until a moment needs drawing; None: nothing moves."""
    due: list[int] = []
    if model.held is not None:
        due.append(model.held.until - now)
        due += _letters_due(model, model.held.banner, model.held.since, now)
    motion = model.motion
    if motion is not None:
        due.append(_motion_ends(motion) - now)
        due += _letters_due(model, motion.banner, motion.since, now)
        if motion.travel is not None and now < motion.since + TRAVEL_MS:
            due.append(FRAME_MS - (now - motion.since) % FRAME_MS)
    return min(due, default=None)


def _motion_ends(motion: Motion) -> int:
    return motion.since + (TRAVEL_MS if motion.banner is None else BANNER_MS)


def _letters_due(model: Model, banner: Banner | None, since: int, now: int) -> list[int]:
    if banner is None or not model.has_motion or now >= since + BANNER_LETTER_MS * len(banner.word):
        return []
    return [BANNER_LETTER_MS - (now - since) % BANNER_LETTER_MS]


def shown_table(model: Model, now: int) -> AtTable | None:
    """The table to draw: a finished hand, or with a moving card."""
    table, held, motion = model.table, model.held, model.motion
    if table is None:
        return None
    if is_held(model, now) and held is not None:
        return replace(held.table, log=table.log)
    if motion is None or motion.travel is None or now >= motion.since + TRAVEL_MS:
        return table
    share = (now - motion.since) // FRAME_MS * FRAME_MS / TRAVEL_MS
    return replace(table, travel=replace(motion.travel, share=share))


def is_held(model: Model, now: int) -> bool:
    """True if a finished hand is drawn instead of the current one."""
    held, table = model.held, model.table
    return held is not None and table is not None and held.table.id == table.id and now < held.until


def shown_banner(model: Model, now: int) -> Banner | None:
    """The large word on the table, as far as it is drawn."""
    if is_held(model, now) and model.held is not None:
        return _so_far(model, model.held.banner, model.held.since, now)
    motion = model.motion
    if motion is None or now >= _motion_ends(motion):
        return None
    return _so_far(model, motion.banner, motion.since, now)


def _so_far(model: Model, banner: Banner | None, since: int, now: int) -> Banner | None:
    if banner is None or not model.has_motion:
        return banner
    letters = 1 + max(now - since, 0) // BANNER_LETTER_MS
    return replace(banner, word=banner.word[:letters].ljust(len(banner.word)))


def ticked(model: Model, now: int) -> Model:
    """The model at a time: without expired notices."""
    ends = _notice_ends(model)
    if ends is not None and now >= ends:
        model = replace(model, notice="")
    if model.held is not None and now >= model.held.until:
        model = replace(model, held=None)
    if model.motion is not None and now >= _motion_ends(model.motion):
        model = replace(model, motion=None)
    return model


def until_next(model: Model, now: int) -> int | None:
    """Milliseconds until the screen changes by itself; None: it does not."""
    due = [_clock_changes(model, now), _next_moment(model, now)]
    ends = _notice_ends(model)
    if ends is not None:
        due.append(ends - now)
    return min((max(ms, 0) for ms in due if ms is not None), default=None)


def _notice_ends(model: Model) -> int | None:
    if not model.notice or model.noticed is None:
        return None
    return model.noticed + max(LEAST_NOTICE_MS, READING_MS * len(model.notice))


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
