"""The terminal: the only prompt_toolkit Application, for whatever has a frame to draw, and keys and a mouse to hear.

Laws: whatever ends it - a key, a signal, a bug, a terminal that closed - the terminal is as it was before.
"""

import asyncio
import re
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from prompt_toolkit.application import Application, get_app_session
from prompt_toolkit.data_structures import Size as TerminalSize
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.output import DummyOutput

from put_client.tui.widgets.canvas import Frame, Size
from put_client.tui.widgets.painting import Painter
from put_client.tui.widgets.pointing import Pointed, at
from put_client.tui.widgets.theme import SUIT_COLOURS

ESCAPE_S = 0.1
"""Until an escape is taken for the key and not for the beginning of another key's sequence: a slow line's jitter."""

_MOUSE = re.compile(r"\x1b\[<(\d{1,3});(\d{1,5});(\d{1,5})M")
"""A press: which button, and the column and line, from 1."""

HUNG_UP = 128 + signal.SIGHUP
TERMINATED = 128 + signal.SIGTERM


class Terminal:
    """One run of a full screen. `draw` gives the frame for a size; `press` hears keys by prompt_toolkit's names, and
    characters as themselves; `paste` hears text that came all at once; `click` what the mouse points at."""

    def __init__(
        self,
        draw: Callable[[Size], Frame],
        *,
        keys: Iterable[str],
        press: Callable[[str], None],
        paste: Callable[[str], None],
        click: Callable[[Pointed], None],
        suits: Mapping[str, str] = SUIT_COLOURS,
    ) -> None:
        self._draw = draw
        self._press = press
        self._click = click
        self._painter = Painter(get_app_session().output, suits)
        # It reads the keyboard, hears of a new size, and says when it is time to draw. We do that, for its own way
        # takes several times as long as there is: what it draws itself is a blank, and goes nowhere.
        self._app: Application[int] = Application(
            layout=Layout(Window(height=1)),
            output=_Nowhere(),
            key_bindings=self._bindings(keys, paste),
            include_default_pygments_style=False,
            enable_page_navigation_bindings=False,
            terminal_size_polling_interval=None,
            after_render=lambda _: self._paint(),
        )
        self._app.ttimeoutlen = self._app.timeoutlen = ESCAPE_S

    async def run(self) -> int:
        """The screen from its first frame to its last; the exit status."""
        try:
            with _signals(self.end), _bugs_end(self._app):
                self._painter.begin()
                return await self._app.run_async(set_exception_handler=False)
        except (EOFError, OSError):
            return HUNG_UP  # nobody is at the terminal any more
        finally:
            self._painter.end()

    def end(self, status: int) -> None:
        """Give the terminal back. May be called again."""
        if self._app.is_running and not self._app.is_done:
            self._app.exit(result=status)

    def refresh(self) -> None:
        """Draw it anew, soon."""
        self._app.invalidate()

    def _paint(self) -> None:
        if not self._app.is_done:
            self._painter.paint(self._draw)

    def _bindings(self, keys: Iterable[str], paste: Callable[[str], None]) -> KeyBindings:
        bindings = KeyBindings()
        for name in sorted(keys):

            def pressed(_: KeyPressEvent, name: str = name) -> None:
                self._press(name)

            bindings.add(name)(pressed)

        @bindings.add(Keys.Any)
        def typed(event: KeyPressEvent) -> None:
            self._press(event.data)

        @bindings.add(Keys.BracketedPaste)
        def pasted(event: KeyPressEvent) -> None:
            paste(event.data)

        @bindings.add(Keys.Vt100MouseEvent)
        def pointed(event: KeyPressEvent) -> None:
            self._point(event.data)

        @bindings.add(Keys.SIGINT)
        def interrupted(_: KeyPressEvent) -> None:
            self._press("c-c")

        @bindings.add("c-l")
        def doubted(_: KeyPressEvent) -> None:
            self._painter.forget()

        return bindings

    def _point(self, told: str) -> None:
        """What the mouse did, as the terminal tells it; buttons but the left one, and releases, are nothing."""
        found = _MOUSE.fullmatch(told)
        if found is None:
            return
        match found[1]:
            case "64":
                self._press(Keys.ScrollUp.value)
            case "65":
                self._press(Keys.ScrollDown.value)
            case "0":
                what = at(self._painter.frame.spots, int(found[2]) - 1, int(found[3]) - 1)
                if what is not None:
                    self._click(what)
            case _:
                pass


class _Nowhere(DummyOutput):
    """A terminal of one cell that nobody looks at."""

    def get_size(self) -> TerminalSize:
        return TerminalSize(rows=1, columns=1)


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
