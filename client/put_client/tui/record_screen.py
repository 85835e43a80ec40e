"""The screen of the record: figures and small plots, every game in a list, and each shown again with its costs."""

import asyncio
from collections.abc import Callable
from datetime import tzinfo

from msgspec import Struct
from msgspec.structs import replace

from put_client.record.costs import decisions_at
from put_client.record.entries import Answer, PlayedGame
from put_client.record.store import Record, RecordError
from put_client.record.summary import Summary, summarize
from put_client.replay import Replay
from put_client.tui.screens import Host, MakeScreen, key_of
from put_client.tui.views import record_view, replay_view
from put_client.tui.views.replay_view import Move, Showing
from put_client.tui.widgets.canvas import Frame, LineTarget, Size, Target
from put_client.tui.widgets.theme import Theme

PACE_S = 1.2
"""From step to step of a game that is shown again by itself."""

KEYS = frozenset({"up", "down", "pageup", "pagedown", "home", "end", "enter", "escape", "q", "c-c"})

bound_keys = KEYS | replay_view.bound_keys() | {"<scroll-up>", "<scroll-down>"}
"""Every key that means anything here."""


class Browsing(Struct, frozen=True, kw_only=True):
    """What is on the screen."""

    summary: Summary
    games: tuple[PlayedGame, ...]
    """The latest first."""
    at: int = 0
    """The game that is chosen."""
    notice: str = ""
    showing: Showing | None = None
    """The game that is shown again."""
    page: int = 10
    """Games on a screen, by which pages are turned."""


class RecordScreen:
    """One look at the record. It is read once; what is played meanwhile is there the next time."""

    def __init__(self, host: Host, theme: Theme, record: Record, *, now: int, zone: tzinfo) -> None:
        self._host = host
        self._theme = theme
        self._record = record
        self._zone = zone
        self._changed = asyncio.Event()
        games: tuple[PlayedGame, ...] = ()
        answers: tuple[Answer, ...] = ()
        notice = ""
        try:
            games, answers = record.games(), record.answers()
        except RecordError as error:
            notice = str(error)
        self.browsing = Browsing(summary=summarize(games, answers, now, zone), games=games, notice=notice)

    def draw(self, size: Size, notice: str) -> Frame:
        browsing = self.browsing
        if browsing.showing is not None:
            return replay_view.draw(browsing.showing, size, self._theme, notice=notice)
        self.browsing = replace(browsing, page=record_view.rows_of(size))
        return record_view.draw(self.browsing, size, self._theme, self._zone, notice=notice)

    def on_key(self, key: str) -> None:
        browsing = self.browsing
        if browsing.showing is not None:
            self._on_replay(browsing.showing, key)
            return
        match key:
            case "escape" | "q" | "c-c":
                self._host.close()
            case "enter":
                self._open()
            case _:
                self._show(replace(browsing, at=_moved(browsing, key), notice=""))

    def on_click(self, what: Target) -> None:
        if (key := key_of(what)) is not None:
            self.on_key(key)
        elif isinstance(what, LineTarget) and self.browsing.showing is None:
            is_chosen = what.at == self.browsing.at
            self._show(replace(self.browsing, at=what.at))
            if is_chosen:
                self._open()

    async def run(self) -> None:
        """While a game goes on by itself, a step at its pace."""
        while True:
            self._changed.clear()
            showing = self.browsing.showing
            is_playing = showing is not None and showing.is_playing
            try:
                async with asyncio.timeout(PACE_S if is_playing else None):
                    await self._changed.wait()
            except TimeoutError:
                if (showing := self.browsing.showing) is not None:
                    self._show(replace(self.browsing, showing=replay_view.gone_on(showing)))

    def _on_replay(self, showing: Showing, key: str) -> None:
        move = replay_view.move_of(key)
        if move is Move.QUIT or (move is Move.CLOSE and not showing.is_helping):
            self._show(replace(self.browsing, showing=None))
        elif move is not None:
            self._show(replace(self.browsing, showing=replay_view.moved(showing, move)))

    def _open(self) -> None:
        """Show the chosen game again."""
        browsing = self.browsing
        if not browsing.games:
            return
        game = browsing.games[browsing.at]
        try:
            kept = self._record.sheet(game.id)
        except RecordError as error:
            self._show(replace(browsing, notice=str(error)))
            return
        if kept is None:
            self._show(replace(browsing, notice="Of this game only the figures are kept, and not its moves."))
            return
        sheet, review = kept
        replay = Replay.of(sheet)
        self._show(replace(browsing, showing=Showing(replay=replay, costs=decisions_at(replay, review)), notice=""))

    def _show(self, browsing: Browsing) -> None:
        self.browsing = browsing
        self._changed.set()
        self._host.refresh()


def _moved(browsing: Browsing, key: str) -> int:
    steps = {
        "up": -1,
        "<scroll-up>": -1,
        "down": 1,
        "<scroll-down>": 1,
        "pageup": -browsing.page,
        "pagedown": browsing.page,
        "home": -len(browsing.games),
        "end": len(browsing.games),
    }
    return max(min(browsing.at + steps.get(key, 0), len(browsing.games) - 1), 0)


def maker(record: Record, clock: Callable[[], int], zone: tzinfo) -> MakeScreen:
    """Makes the screen when it is wanted."""
    return lambda host, theme: RecordScreen(host, theme, record, now=clock(), zone=zone)
