"""The shell around a game shown again: its terminal, and the pace at which it goes on by itself."""

import asyncio
import os
import sys

from put_client.replay import Replay
from put_client.settings import DEFAULTS, Settings
from put_client.tui.terminal import Terminal
from put_client.tui.views.replay_view import Move, Showing, bound_keys, draw, gone_on, move_of, moved
from put_client.tui.widgets.canvas import Frame, KeyTarget, Size, Target
from put_client.tui.widgets.glyphs import glyphs_for
from put_text.notation import Sheet

PACE_S = 1.2
"""From step to step: long enough to read what came of it."""


async def run(sheet: Sheet, *, settings: Settings = DEFAULTS, pace: float = PACE_S) -> int:
    """Show a game until the person quits. Returns the exit status."""
    return await Shell(sheet, settings, pace).run()


class Shell:
    """One run of the screen."""

    def __init__(self, sheet: Sheet, settings: Settings, pace: float) -> None:
        self.showing = Showing(replay=Replay.of(sheet))
        self._theme = glyphs_for(settings, os.environ, sys.stdout.encoding)
        self._pace = pace
        self._changed = asyncio.Event()
        self._terminal = Terminal(
            self._draw,
            keys=bound_keys(),
            on_key=self.on_key,
            on_paste=lambda _: None,
            on_click=self.on_click,
            settings=settings,
        )

    async def run(self) -> int:
        """The screen from its first frame to its last. Returns the exit status."""
        async with asyncio.TaskGroup() as group:
            going_on = group.create_task(self._go_on())
            try:
                return await self._terminal.run()
            finally:
                going_on.cancel()

    def on_key(self, key: str) -> None:
        move = move_of(key)
        if move is Move.QUIT:
            self._terminal.end(0)
        elif move is not None:
            self._show(moved(self.showing, move))

    def on_click(self, what: Target) -> None:
        """Take in a click: only keys can be clicked here."""
        if isinstance(what, KeyTarget):
            self.on_key(what.key)

    def _show(self, showing: Showing) -> None:
        self.showing = showing
        self._changed.set()
        self._terminal.refresh()

    def _draw(self, size: Size) -> Frame:
        return draw(self.showing, size, self._theme)

    async def _go_on(self) -> None:
        """While it plays, a step at its pace; a key begins the time anew."""
        while True:
            self._changed.clear()
            try:
                async with asyncio.timeout(self._pace if self.showing.is_playing else None):
                    await self._changed.wait()
            except TimeoutError:
                self._show(gone_on(self.showing))
