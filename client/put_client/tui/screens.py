"""Screens on the terminal, one over another: the lobby with its table, the record, practice, and a replay.

A screen handles its own keys, clicks and frames, and `run` is its task, if it needs one. The top one is drawn and has
the keyboard; the tasks of those below it go on.
"""

import asyncio
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

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

    def open(self, screen: "Screen") -> None:
        """Put a screen over this one."""

    def close(self) -> None:
        """Take the top screen away."""


class Screen(ABC):
    def __init__(self, host: ScreenHost, theme: Theme) -> None:
        self._host = host
        self._theme = theme

    @property
    def notice(self) -> str:
        """News that a screen over this one shows."""
        return ""

    @abstractmethod
    def draw(self, size: Size, notice: str) -> Frame: ...

    @abstractmethod
    def on_key(self, key: str) -> None: ...

    def on_click(self, what: Target) -> None:
        """A click on a key is the key."""
        if isinstance(what, KeyTarget):
            self.on_key(what.key)

    def on_paste(self, text: str) -> None:  # noqa: B027  # few screens need it
        """Text is pasted only where text is typed."""

    async def run(self) -> None:  # noqa: B027  # as above
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


class Stage:
    """The terminal with the screens on it. `on_hand` is called before every input of a person."""

    def __init__(self, settings: Settings, *, on_hand: Callable[[], None] = lambda: None, **more: Any) -> None:
        """`more`: as in `Terminal`."""
        self.theme = glyphs_for(settings, os.environ, sys.stdout.encoding)
        self._screens: dict[Screen, asyncio.Task[None]] = {}
        """The screens and their tasks, the top one last."""
        self._group: asyncio.TaskGroup
        self._on_hand = on_hand
        self.terminal = Terminal(
            lambda size: self._top.draw(size, next(iter(self._screens)).notice),
            on_key=lambda key: self._handed().on_key(key),
            on_paste=lambda text: self._handed().on_paste(text),
            on_click=lambda what: self._handed().on_click(what),
            settings=settings,
            **more,
        )

    @property
    def _top(self) -> Screen:
        return next(reversed(self._screens))

    def _handed(self) -> Screen:
        self._on_hand()
        return self._top

    def refresh(self) -> None:
        self.terminal.refresh()

    def open(self, screen: Screen) -> None:
        self._screens[screen] = self._group.create_task(screen.run(), name=f"screen {type(screen).__name__}")
        self.refresh()

    def close(self) -> None:
        """Take the top screen away. Without the first one the program ends."""
        if len(self._screens) == 1:
            self.terminal.end(0)
        else:
            self._screens.popitem()[1].cancel()
            self.refresh()

    def clear(self) -> None:
        """Back to the first screen. May be called again."""
        while len(self._screens) > 1:
            self.close()

    async def run(self, first: Screen) -> int:
        """Returns the exit status with which the terminal was given back."""
        async with asyncio.TaskGroup() as self._group:
            self.open(first)
            try:
                return await self.terminal.run()
            finally:
                for task in self._screens.values():
                    task.cancel()


async def run_alone(make: MakeScreen, settings: Settings) -> int:
    """Show one screen without a lobby."""
    stage = Stage(settings)
    return await stage.run(make(stage, stage.theme))
