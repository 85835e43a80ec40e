"""The terminal: the only prompt_toolkit Application, for whatever has a frame to draw and keys to hear.

Laws: whatever ends it - a key, a signal, a bug, a terminal that closed - the terminal is as it was before.
"""

import asyncio
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Point
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout, UIContent, UIControl, Window
from prompt_toolkit.styles import Attrs, Style

from put_client.tui.canvas import Frame, Size
from put_client.tui.theme import STYLES

ESCAPE_S = 0.1
"""Until an escape is taken for the key and not for the beginning of another key's sequence: a slow line's jitter."""

HUNG_UP = 128 + signal.SIGHUP
TERMINATED = 128 + signal.SIGTERM


class Terminal:
    """One run of a full screen. `draw` gives the frame for a size; `press` hears keys by prompt_toolkit's names, and
    characters as themselves; `paste` hears text that came all at once."""

    def __init__(
        self,
        draw: Callable[[Size], Frame],
        *,
        keys: Iterable[str],
        press: Callable[[str], None],
        paste: Callable[[str], None],
    ) -> None:
        self._app: Application[int] = Application(
            layout=Layout(Window(_Screen(draw))),
            key_bindings=_bindings(keys, press, paste),
            style=_style(),
            include_default_pygments_style=False,
            full_screen=True,
            enable_page_navigation_bindings=False,
            terminal_size_polling_interval=None,
        )
        self._app.ttimeoutlen = self._app.timeoutlen = ESCAPE_S

    async def run(self) -> int:
        """The screen from its first frame to its last; the exit status."""
        try:
            with _signals(self.end), _bugs_end(self._app):
                return await self._app.run_async(set_exception_handler=False)
        except (EOFError, OSError):
            return HUNG_UP  # nobody is at the terminal any more

    def end(self, status: int) -> None:
        """Give the terminal back. May be called again."""
        if self._app.is_running and not self._app.is_done:
            self._app.exit(result=status)

    def refresh(self) -> None:
        """Draw it anew, soon."""
        self._app.invalidate()


class _Screen(UIControl):
    """Hands prompt_toolkit the frame for the size it has."""

    def __init__(self, draw: Callable[[Size], Frame]) -> None:
        self._draw = draw

    def create_content(self, width: int, height: int) -> UIContent:
        frame = self._draw(Size(width, height))

        def line(number: int) -> StyleAndTextTuples:
            return list(frame.lines[number])

        return UIContent(
            get_line=line,
            line_count=len(frame.lines),
            cursor_position=Point(*frame.cursor) if frame.cursor is not None else None,
            show_cursor=frame.cursor is not None,
        )

    def is_focusable(self) -> bool:
        return True


def _bindings(keys: Iterable[str], press: Callable[[str], None], paste: Callable[[str], None]) -> KeyBindings:
    bindings = KeyBindings()
    for name in sorted(keys):

        def pressed(_: KeyPressEvent, name: str = name) -> None:
            press(name)

        bindings.add(name)(pressed)

    @bindings.add(Keys.Any)
    def typed(event: KeyPressEvent) -> None:
        press(event.data)

    @bindings.add(Keys.BracketedPaste)
    def pasted(event: KeyPressEvent) -> None:
        paste(event.data)

    @bindings.add(Keys.SIGINT)
    def interrupted(_: KeyPressEvent) -> None:
        press("c-c")

    return bindings


def _style() -> Style:
    # Versions before `dim` refuse it.
    has_dim = "dim" in Attrs._fields
    return Style.from_dict({role: look if has_dim or look != "dim" else "" for role, look in STYLES.items()})


@contextmanager
def _signals(end: Callable[[int], None]) -> Iterator[None]:
    """While inside, a signal to end ends it in good order."""
    loop = asyncio.get_running_loop()
    statuses = {signal.SIGTERM: TERMINATED, signal.SIGHUP: HUNG_UP}
    for number, status in statuses.items():
        loop.add_signal_handler(number, end, status)
    try:
        yield
    finally:
        for number in statuses:
            loop.remove_signal_handler(number)


@contextmanager
def _bugs_end(app: Application[int]) -> Iterator[None]:
    """While inside, an exception in a callback, which the loop would only log on the screen, is raised by the app."""
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()

    def ended(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if error is not None and app.is_running and not app.is_done:
            app.exit(exception=error)

    loop.set_exception_handler(ended)
    try:
        yield
    finally:
        loop.set_exception_handler(before)
