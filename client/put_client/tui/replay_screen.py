"""The screen of a replay: the table as its viewer saw it, and the position in the game below it.

The table is drawn as in play, from the events of the sheet. One keymap feeds bindings, footer and help.
"""

import asyncio
from collections.abc import Callable, Mapping

from msgspec import Struct, structs
from msgspec.structs import replace

from put_client.keymap import label_of
from put_client.settings import DEFAULTS, Settings
from put_client.sheet_replay import Replay
from put_client.tui.boards import board_of
from put_client.tui.model import AtTable, ToldGame
from put_client.tui.screens import Screen, ScreenHost
from put_client.tui.terminal import run_alone
from put_client.tui.update.update_message import table_after
from put_client.tui.views.overlays import window
from put_client.tui.views.prompt_view import BELOW, draw_footer
from put_client.tui.views.screen import fits
from put_client.tui.views.table_view import draw_body
from put_client.tui.widgets.canvas import Canvas, Frame, Size, cut, whole_clauses, width_of, wrap
from put_client.tui.widgets.theme import FAINT, KEY, PLAIN, STRONG, TURN, Theme
from put_protocol.analysis import Quality, Reviewed
from put_protocol.games.unions import Event, ending_of, gains_after
from put_protocol.messages import Events
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_events import Sat
from put_protocol.table_info import ClockInfo, SeatInfo, TableInfo, TableState
from put_text.analysis_text import format_perfect_play, percent
from put_text.catalogue import say
from put_text.notation import Sheet

PACE_S = 1.2
"""Seconds between steps: long enough to read the result."""


class Showing(Struct, frozen=True, kw_only=True):
    replay: Replay
    is_playing: bool = False
    """It advances by itself."""
    is_helping: bool = False
    costs: Mapping[int, Reviewed] = {}
    """Costs of the viewer's decisions, by the position after each; only analysed ones."""


def table_at(replay: Replay) -> AtTable:
    sheet = replay.sheet
    table = AtTable(info=_info_of(sheet), viewer=sheet.viewer, names=sheet.names, view=sheet.opening)
    board = board_of(table)
    table = replace(table, told=ToldGame(number=sheet.number))
    last: Event | None = None
    for step in sheet.steps[: replay.position]:
        info = table.info
        for last in step.events:
            info = _info_after(info, last, board.seat_left(last))
        table = table_after(table, Events(table=info.id, first=0, events=step.events, info=info), 0)
    state = TableState.PLAYING if replay.position else TableState.FILLING
    if last is not None and ending_of(last) is not None:
        state = TableState.BETWEEN
    return replace(table, info=structs.replace(table.info, state=state), view=replay.view)


def _info_of(sheet: Sheet) -> TableInfo:
    return TableInfo(
        id=sheet.table,
        game=sheet.game,
        options=dict(sheet.options),
        seats=tuple([SeatInfo(name=p.name, is_house=p.is_house, is_bot=p.is_bot) for p in sheet.players]),
        clock=ClockInfo(),
        games=sheet.number,
        is_exhibition=sheet.is_exhibition,
        is_assisted=sheet.is_assisted,
    )


def _info_after(info: TableInfo, event: Event, left: Seat | None) -> TableInfo:
    """Seats and purses after an event: no server tells them here. Who takes another's seat has its purse."""
    seats = list(info.seats)
    if isinstance(event, Sat):
        purse = seats[event.seat].purse
        seats[event.seat] = SeatInfo(name=event.name, is_house=event.is_house, is_bot=event.is_bot, purse=purse)
    elif left is not None:
        seats[left] = structs.replace(seats[left], is_gone=True)
    elif gains := gains_after(event, ()):
        seats = [structs.replace(seat, purse=seat.purse + gain) for seat, gain in zip(seats, gains, strict=False)]
    return structs.replace(info, seats=tuple(seats))


class ReplayKey(Struct, frozen=True):
    keys: tuple[str, ...]
    """Names as in prompt_toolkit."""
    name: str
    """Message that explains them; its short form is for the bottom line."""
    does: Callable[[Showing], Showing | None]
    """None: it quits."""
    is_below: bool = True
    """They are shown in the line at the bottom."""

    def explained(self, *, is_brief: bool = False) -> tuple[str, str, str]:
        """The label, the sentence, and the key that a click means."""
        return label_of(self.keys[0]), say(f"record-key-{self.name}", is_brief=is_brief), self.keys[0]


def _by_hand(moved: Callable[[Replay], Replay]) -> Callable[[Showing], Showing]:
    """A manual step, which stops the automatic replay."""
    return lambda showing: replace(showing, replay=moved(showing.replay), is_playing=False, is_helping=False)


def _played_or_stopped(showing: Showing) -> Showing:
    """The game at the end is shown from the beginning again."""
    replay = showing.replay.to(0) if showing.replay.is_at_end else showing.replay
    return replace(showing, replay=replay, is_playing=not showing.is_playing, is_helping=False)


def _back(showing: Showing) -> Showing | None:
    return replace(showing, is_helping=False) if showing.is_helping else None


BINDINGS: tuple[ReplayKey, ...] = (
    ReplayKey(("right", " "), "on", _by_hand(lambda replay: replay.stepped(1))),
    ReplayKey(("left",), "back", _by_hand(lambda replay: replay.stepped(-1))),
    ReplayKey(("enter",), "play", _played_or_stopped),
    ReplayKey(("n",), "hand-on", _by_hand(Replay.at_next_hand)),
    ReplayKey(("p",), "hand-back", _by_hand(Replay.at_last_hand)),
    ReplayKey(("home",), "home", _by_hand(lambda replay: replay.to(0)), is_below=False),
    ReplayKey(("end",), "end", _by_hand(lambda replay: replay.to(replay.length)), is_below=False),
    ReplayKey(("escape",), "close", _back, is_below=False),
    ReplayKey(("?",), "help", lambda showing: replace(showing, is_helping=not showing.is_helping)),
    ReplayKey(("q", "c-c"), "quit", lambda _: None),
)


def after_key(showing: Showing, key: str) -> Showing | None:
    """The replay after a key; None: the key quits."""
    binding = next((binding for binding in BINDINGS if key in binding.keys), None)
    return showing if binding is None else binding.does(showing)


def gone_on(showing: Showing) -> Showing:
    """One automatic step; stops at the end."""
    further = showing.replay.stepped(1)
    return replace(showing, replay=further, is_playing=not further.is_at_end)


def draw(showing: Showing, size: Size, theme: Theme, *, notice: str = "") -> Frame:
    """The frame. `notice`: shown instead of the keys."""
    canvas = Canvas(size, theme)
    if not fits(canvas, say("record-the-replay"), say("record-q-quits")):
        return canvas.frame()
    table = table_at(showing.replay)
    _draw_header(canvas, showing.replay)
    has_log = draw_body(canvas, table, below=BELOW, has_talk=False)
    _draw_place(canvas, showing, has_log=has_log)
    draw_footer(canvas, [binding.explained(is_brief=True) for binding in BINDINGS if binding.is_below], notice)
    if showing.is_helping:
        _draw_help(canvas)
    return canvas.frame()


def _draw_header(canvas: Canvas, replay: Replay) -> None:
    sheet = replay.sheet
    viewer = say("record-gallery") if sheet.viewer == GALLERY else sheet.names[sheet.viewer]
    right = say("record-seen-by", viewer=viewer)
    parts = [sheet.game, say("record-table-game", table=sheet.table, game=sheet.number)]
    if sheet.is_exhibition:
        parts.append(say("screen-exhibition"))
    parts += filter(None, (sheet.date, sheet.server))
    right = cut(right, canvas.width // 2, canvas.theme.ellipsis)
    canvas.title(say("record-replay"), parts, [(PLAIN, right)])


def _draw_place(canvas: Canvas, showing: Showing, *, has_log: bool) -> None:
    """The two lines below the rule: the result of the last step, and the position in the game. Without a log, the rest
    of a long sentence replaces the second line."""
    replay, theme = showing.replay, canvas.theme
    y = canvas.height - BELOW + 1
    said = " ".join(replay.last_sentences) or say("record-beginning")
    weighed = showing.costs.get(replay.position)
    rows = wrap(said, canvas.width - 4)
    in_short = whole_clauses(said, canvas.width - 4, 1, theme.ellipsis)[0]
    if weighed is not None or (len(rows) > 1 and not has_log):
        place = say("screen-rows", last=replay.position, count=replay.length)
        room = canvas.put_right(canvas.width - 1, y + 1, [(FAINT, place)]) - 5
        canvas.put(3, y, in_short if weighed is not None else rows[0])
        is_dear = weighed is not None and weighed.judged.quality is not Quality.FINE
        rest = " ".join(rows[1:]) if weighed is None else cost_in_words(weighed)
        canvas.put(3, y + 1, rest, STRONG if is_dear else PLAIN, width=room)
        return
    canvas.put(3, y, in_short)
    parts = [say("record-step", number=replay.position, count=replay.length)]
    parts.append(say("screen-hand-of", number=replay.hand, hands=replay.hands))
    parts.append(f"{replay.at_ms // 60_000}:{replay.at_ms // 1000 % 60:02d}")
    pointer = f"{theme.pointer} " if showing.is_playing else "  "
    end = canvas.put_all(1, y + 1, [(TURN, pointer), (FAINT, f" {theme.separator} ".join(parts))])
    state = say("record-playing") if showing.is_playing else say("record-end") if replay.is_at_end else ""
    canvas.put(end + 3, y + 1, state, STRONG)


def cost_in_words(reviewed: Reviewed) -> str:
    judged = reviewed.judged
    best = format_perfect_play(judged.choices)
    if judged.quality is Quality.FINE:
        return say("record-judged-fine", share=percent(judged.after), best=best)
    return say("record-judged", quality=judged.quality.value, cost=percent(judged.cost), best=best)


def _draw_help(canvas: Canvas) -> None:
    rows = [binding.explained() for binding in BINDINGS]
    column = max(width_of(label) for label, _, _ in rows) + 3
    x, y = window(canvas, say("screen-help"), 52, len(BINDINGS) + 2)
    canvas.put_lines(x, y, [((KEY, label.ljust(column)), (PLAIN, says)) for label, says, _ in rows], width=48)


class ReplayScreen(Screen):
    def __init__(self, host: ScreenHost, showing: Showing, pace: float = PACE_S) -> None:
        super().__init__(host)
        self._pace = pace
        self._changed = asyncio.Event()
        self.showing = showing

    def draw(self, size: Size, notice: str) -> Frame:
        return draw(self.showing, size, self._theme, notice=notice)

    def on_key(self, key: str) -> None:
        after = after_key(self.showing, key)
        if after is None:
            self._host.close()
        elif after is not self.showing:
            self._show(after)

    async def run(self) -> None:
        """Advance automatically while playing; a key restarts the delay."""
        while True:
            self._changed.clear()
            try:
                async with asyncio.timeout(self._pace if self.showing.is_playing else None):
                    await self._changed.wait()
            except TimeoutError:
                self._show(gone_on(self.showing))

    def _show(self, showing: Showing) -> None:
        self.showing = showing
        self._changed.set()
        self._host.refresh()


async def run(sheet: Sheet, *, settings: Settings = DEFAULTS, pace: float = PACE_S) -> int:
    showing = Showing(replay=Replay.of(sheet))
    return await run_alone(lambda host: ReplayScreen(host, showing, pace), settings)
