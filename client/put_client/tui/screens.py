"""A screen that takes the place of the lobby for a while, and its shell where there is no lobby.

A screen owns what is on it: keys and clicks come in, frames go out, and `run` is its own task, if it needs one. It
knows no connection. The lobby behind it goes on; a notice of its is drawn on the last line.
"""

import asyncio
import os
import sys
from collections.abc import Callable, Mapping
from typing import Protocol

from put_client.settings import DEFAULTS, Settings
from put_client.tui.terminal import Terminal
from put_client.tui.widgets.canvas import Frame, KeyTarget, Size, Target
from put_client.tui.widgets.glyphs import glyphs_for
from put_client.tui.widgets.theme import Theme


class Host(Protocol):
    def refresh(self) -> None:
        """Have the screen drawn anew, soon."""
        ...

    def close(self) -> None:
        """The screen is not needed any more. May be called again."""
        ...


class Screen(Protocol):
    """What takes the place of the lobby."""

    def draw(self, size: Size, notice: str) -> Frame: ...
    def on_key(self, key: str) -> None: ...
    def on_click(self, what: Target) -> None: ...
    async def run(self) -> None:
        """What it does by itself, until cancelled or done."""
        ...


MakeScreen = Callable[[Host, Theme], Screen]
"""Makes one for who will show it."""

Screens = Mapping[str, tuple[MakeScreen, frozenset[str]]]
"""By name: what makes each, and every key that means anything there."""

NO_SCREENS: Screens = {}


async def run(make: MakeScreen, keys: frozenset[str], *, settings: Settings = DEFAULTS) -> int:
    """Show a screen by itself until it is closed. Returns the exit status."""
    return await Alone(make, keys, settings).run()


class Alone:
    """One screen, and nothing behind it."""

    def __init__(self, make: MakeScreen, keys: frozenset[str], settings: Settings) -> None:
        self.screen = make(self, glyphs_for(settings, os.environ, sys.stdout.encoding))
        self._terminal = Terminal(
            lambda size: self.screen.draw(size, ""),
            keys=keys,
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
        """The screen from its first frame to its last."""
        async with asyncio.TaskGroup() as group:
            going_on = group.create_task(self.screen.run())
            try:
                return await self._terminal.run()
            finally:
                going_on.cancel()


def key_of(what: Target) -> str | None:
    """The key that a click stands for; None: it is on something else."""
    return what.key if isinstance(what, KeyTarget) else None
