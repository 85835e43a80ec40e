"""Screens that replace the lobby: the record and practice; and the shell of a screen without a lobby.

A screen handles its own keys, clicks and frames, and `run` is its task, if it needs one. It has no connection. The
lobby continues behind it; a notice of the lobby is drawn on the last line.
"""

import asyncio
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from put_client.settings import Settings
from put_client.tui.terminal import Terminal
from put_client.tui.widgets.canvas import Frame, KeyTarget, Size, Target
from put_client.tui.widgets.theme import Theme, glyphs_for
from put_text.plain.offers_text import USUAL_GAME

if TYPE_CHECKING:
    from put_client.record.store import LocalRecord
    from put_client.record.trainer import Positions

RECORD, DRILL = "record", "drill"

CLOSING = frozenset({"escape", "q", "c-c"})


class ScreenHost(Protocol):
    def refresh(self) -> None:
        """Draw the screen anew, soon."""

    def close(self) -> None:
        """Take the screen away. May be called again."""


class Screen(ABC):
    def __init__(self, host: ScreenHost, theme: Theme) -> None:
        self._host = host
        self._theme = theme

    @abstractmethod
    def draw(self, size: Size, notice: str) -> Frame: ...

    @abstractmethod
    def on_key(self, key: str) -> None: ...

    def on_click(self, what: Target) -> None:
        """A click on a key is the key."""
        if isinstance(what, KeyTarget):
            self.on_key(what.key)

    @abstractmethod
    async def run(self) -> None:
        """The screen's own task. It is cancelled when the screen is closed."""


MakeScreen = Callable[[ScreenHost, Theme], Screen]
Screens = Mapping[str, MakeScreen]
NO_SCREENS: Screens = {}


def own_screens(record: "LocalRecord | None", game: str = USUAL_GAME, positions: "Positions | None" = None) -> Screens:
    """Screens of a record; empty without one. `game`: rule set to practise; `positions`: source of new ones."""
    if record is None:
        return NO_SCREENS
    from put_client.record.game_recorder import own_zone, wall_ms  # noqa: PLC0415  # the first screen does not wait for it

    def recorded(host: ScreenHost, theme: Theme) -> Screen:
        from put_client.tui.record_screen import RecordScreen  # noqa: PLC0415  # as above

        return RecordScreen(host, theme, record, now=wall_ms(), zone=own_zone())

    def drill(host: ScreenHost, theme: Theme) -> Screen:
        from put_client.record.trainer import Trainer  # noqa: PLC0415  # as above
        from put_client.tui.drill_screen import DrillScreen  # noqa: PLC0415  # as above

        return DrillScreen(host, theme, Trainer(record, game, wall_ms, positions))

    return {RECORD: recorded, DRILL: drill}


class Alone:
    """One screen without a lobby."""

    def __init__(self, make: MakeScreen, settings: Settings) -> None:
        self.screen = make(self, glyphs_for(settings, os.environ, sys.stdout.encoding))
        self._terminal = Terminal(
            lambda size: self.screen.draw(size, ""),
            on_key=self.screen.on_key,
            on_paste=lambda _: None,
            on_click=self.screen.on_click,
            settings=settings,
        )

    def refresh(self) -> None:
        self._terminal.refresh()

    def close(self) -> None:
        self._terminal.end(0)

    async def run(self) -> int:
        async with asyncio.TaskGroup() as group:
            going_on = group.create_task(self.screen.run())
            try:
                return await self._terminal.run()
            finally:
                going_on.cancel()
