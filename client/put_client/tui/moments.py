"""Moments of a game, changing clocks, and expiring notices. Pure.

A moment shows a finished hand, a moving card, or a put in large letters.

Only the drawing waits or moves: the model always has the current game, so no question is late. A finished hand is drawn
for `HOLD_MS` or until a key, and what follows it is drawn after it. This key makes no move, because the player has not
seen the new cards. Without `has_motion` nothing moves, but a finished hand is still held.

The shell sleeps for `until_next` and then handles a `TimeTick`. None: nothing moves, and no timer runs.
"""

from msgspec.structs import replace

from put_client.fairness.fairness_text import with_deal
from put_client.sdk.deal_checks import DealChecked
from put_client.tui.boards import board_of
from put_client.tui.model import AtTable, Banner, Model, Moment
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
    words = [(event, board.banner(before.table, event)) for event in news.events]
    ending = next((word for event, word in words if word and ending_of(event) is not None), table.ending)
    model = replace(after, table=replace(table, ending=ending if table.result else None))
    held = _held(before.table, table, news, now)
    if held is not None:
        return replace(model, moments=(held,))
    travel = next((way for event in reversed(news.events) if (way := board.travels(event))), None)
    banner = next((word for _, word in reversed(words) if word), None)
    if not model.has_motion or (travel is None and banner is None):
        return model
    looked_at = tuple([moment for moment in model.moments if moment.hand is not None and now < moment.until])
    since = max((moment.until for moment in looked_at), default=now)
    until = since + (TRAVEL_MS if banner is None else BANNER_MS)
    return replace(model, moments=(*looked_at, Moment(since=since, until=until, travel=travel, banner=banner)))


def _held(before: AtTable, table: AtTable, news: Events, now: int) -> Moment | None:
    """The table at the end of a finished hand, if any; without the next deal, which may be in the same message."""
    board = board_of(table)
    finished = [place for place, event in enumerate(news.events) if board.finishes(event)]
    if not finished:
        return None
    later = news.events[finished[-1] + 1 :]
    ends = [event for event in later if ending_of(event) is not None]
    words = [board.banner(table, event) for event in (*reversed(ends), news.events[finished[-1]])]
    is_next = any(board.hand_begun(event) is not None for event in later)
    shown = _until(before, table, news, finished[-1]) if is_next else table
    info = before.info if before.info.is_in_play else table.info
    shown = replace(shown, info=info, decision=None, clock=None, result="")
    return Moment(since=now, until=now + HOLD_MS, hand=shown, banner=next(filter(None, words), None))


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
    if turn_ms is None:
        return model
    until = now + turn_ms // SHARE_OF_TURN
    return replace(
        model, moments=tuple([replace(m, until=min(m.until, until)) if m.hand else m for m in model.moments])
    )


def checked(model: Model, news: DealChecked) -> Model:
    """The model with a finished hand updated by the proofs of its last cards, which arrive later."""
    deal, moments = news.deal, []
    for moment in model.moments:
        hand = moment.hand
        if hand is not None and deal is not None and hand.deals and deal.key <= hand.deals[-1].key:
            moment = replace(moment, hand=replace(hand, deals=with_deal(hand.deals, deal)))
        moments.append(moment)
    return replace(model, moments=tuple(moments))


def current(model: Model, now: int) -> Moment | None:
    """The moment that is drawn."""
    return next((moment for moment in model.moments if now < moment.until), None)


def _changes(model: Model, now: int) -> int | None:
    """Milliseconds until a moment needs drawing; None: nothing moves."""
    moment = current(model, now)
    if moment is None:
        return None
    passed, due = max(now - moment.since, 0), [moment.until - now]
    letters = 0 if moment.banner is None or not model.has_motion else len(moment.banner.word)
    if passed < BANNER_LETTER_MS * letters:
        due.append(BANNER_LETTER_MS - passed % BANNER_LETTER_MS)
    if moment.travel is not None and passed < TRAVEL_MS:
        due.append(FRAME_MS - passed % FRAME_MS)
    return min(due)


def shown_table(model: Model, now: int) -> AtTable | None:
    """The table to draw: a finished hand, or with a moving card."""
    table, moment = model.table, current(model, now)
    if table is None or moment is None:
        return table
    if moment.hand is not None:
        return replace(moment.hand, log=table.log)
    share = max(now - moment.since, 0) // FRAME_MS * FRAME_MS / TRAVEL_MS
    return table if moment.travel is None or share >= 1 else replace(table, travel=replace(moment.travel, share=share))


def is_held(model: Model, now: int) -> bool:
    """True if a finished hand is drawn instead of the current one."""
    moment = current(model, now)
    return moment is not None and moment.hand is not None


def shown_banner(model: Model, now: int) -> Banner | None:
    """The large word on the table, as far as it is drawn."""
    moment = current(model, now)
    if moment is None or moment.banner is None or not model.has_motion:
        return None if moment is None else moment.banner
    word, letters = moment.banner.word, 1 + max(now - moment.since, 0) // BANNER_LETTER_MS
    return replace(moment.banner, word=word[:letters].ljust(len(word)))


def ticked(model: Model, now: int) -> Model:
    """The model at a time: without expired notices."""
    ends = _notice_ends(model)
    if ends is not None and now >= ends:
        model = replace(model, notice="")
    return replace(model, moments=tuple([moment for moment in model.moments if now < moment.until]))


def until_next(model: Model, now: int) -> int | None:
    """Milliseconds until the screen changes by itself; None: it does not."""
    due = [_clock_changes(model, now), _changes(model, now)]
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
    if table is None or table.clock is None or model.lost is not None:
        return None
    left = table.clock.left(now)
    if not left:
        return None
    if not shows_clock(table, left):
        return left - UNHURRIED_MS if table.info.is_in_play else None
    step = 1_000 if table.clock.paused_ms is None else MINUTE_MS
    return (left - 1) % step + 1
