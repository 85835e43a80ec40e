"""Screens: the lobby with its table, the record, practice, and a replay.

A screen handles its own keys, clicks and frames, and `run` is its task, if it needs one. The terminal shows them one
over another.
"""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Protocol

from put_client.tui.widgets.canvas import Frame, KeyTarget, Size, Target
from put_client.tui.widgets.theme import Theme
from put_text.plain.offers_text import USUAL_GAME

if TYPE_CHECKING:
    from put_client.record.store import LocalRecord
    from put_client.record.trainer import Positions

RECORD, DRILL = "record", "drill"

CLOSING = frozenset({"escape", "q", "c-c"})


class ScreenHost(Protocol):
    theme: Theme

    def refresh(self) -> None:
        """Draw the screen anew, soon."""

    def open(self, screen: "Screen") -> None:
        """Put a screen over this one."""

    def close(self) -> None:
        """Take the top screen away."""


class Screen(ABC):
    def __init__(self, host: ScreenHost) -> None:
        self._host = host
        self._theme = host.theme

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


def own_screen(
    host: ScreenHost,
    name: str,
    record: "LocalRecord",
    game: str = USUAL_GAME,
    positions: "Positions | None" = None,
) -> Screen:
    """The screen of a record, or practice. `game`: rule set to practise; `positions`: source of new ones."""
    from put_client.record.store import wall_ms  # noqa: PLC0415  # the first screen does not wait for it

    if name == RECORD:
        from put_client.record.game_recorder import own_zone  # noqa: PLC0415  # as above
        from put_client.tui.record_screen import RecordScreen  # noqa: PLC0415  # as above

        return RecordScreen(host, record, now=wall_ms(), zone=own_zone())
    from put_client.record.trainer import Trainer  # noqa: PLC0415  # as above
    from put_client.tui.drill_screen import DrillScreen  # noqa: PLC0415  # as above

    return DrillScreen(host, Trainer(record, game, wall_ms, positions))
