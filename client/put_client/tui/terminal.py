"""The terminal: its screens, its keyboard, and the painter of frames.

Law: after every end (a key, a signal, a bug, a closed terminal) the terminal is restored.

prompt_toolkit reads the keyboard and writes control sequences. Its Application is not used. Its renderer is four to
eight times slower: it lays out a tree of windows into a grid of cell objects, and compares every cell, while our frame
is a list of complete lines, which are compared as a whole. A table of four at 120 by 40 took 2.8 ms and 4,431 bytes
with ours, and 14.0 ms and 1,866 bytes with prompt_toolkit. The price is two to four times the bytes, which is not
noticeable at one frame for each key. `scripts/bench --only terminal` measures ours. Its keys for editing, which we do
not need, take as long to load as the first frame to draw.
"""

import asyncio
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from typing import Any

from prompt_toolkit.application import get_app_session
from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.input.typeahead import get_typeahead, store_typeahead
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import KEY_ALIASES, Keys
from prompt_toolkit.output import Output
from prompt_toolkit.styles import Attrs, Style

from put_client.settings import DEFAULTS, Settings
from put_client.tui import ringing
from put_client.tui.screens import Screen, ScreenHost
from put_client.tui.widgets.canvas import Frame, Size, at
from put_client.tui.widgets.theme import glyphs_for, styles
from put_runtime import exit_codes
from put_runtime.signals import Handlers, handling

ESCAPE_S = 0.1
"""Wait before an escape counts as the key and not as the start of a sequence, to allow for network jitter."""

SIZE_CHECK_S = None if hasattr(signal, "SIGWINCH") else 0.5
"""Time between checks of the size, where no signal tells of a new one, as on Windows."""

_MOUSE = re.compile(r"\x1b\[<(\d{1,3});(\d{1,5});(\d{1,5})M")
"""A mouse press: button, column and line, counted from 1."""

QUICK_S = 0.15
"""Response time of a terminal, in seconds, up to which animations are used: each frame waits for up to half of that.
The first frame is on the way before the query, so a serial line is slow, too."""

# Presses and the wheel, with coordinates of any size. Movements are not reported: nothing uses them.
_MOUSE_ON, _MOUSE_OFF = "\x1b[?1000h\x1b[?1006h", "\x1b[?1006l\x1b[?1000l"


class Terminal:
    """The terminal with its screens, one over another. The top one is drawn and has the keyboard; the tasks of those
    below it go on."""

    def __init__(self, settings: Settings, *, on_quick: Callable[[], None] | None = None) -> None:
        """`on_quick` is called if the terminal is fast enough for animations."""
        self.theme = glyphs_for(settings, os.environ, sys.stdout.encoding)
        self._screens: dict[Screen, asyncio.Task[None]] = {}
        """The screens and their tasks, the top one last."""
        self._group: asyncio.TaskGroup
        self._attention = ringing.Attention(now_ms())
        self._on_quick = on_quick
        self._asked_at: float | None = None
        for sequence in (ringing.FOCUS_IN, ringing.FOCUS_OUT):  # else they would be an escape and letters
            ANSI_SEQUENCES.setdefault(sequence, Keys.Ignore)
        session = get_app_session()
        self._input = session.input
        self.painter = Painter(session.output, settings, ringing.abilities(os.environ))
        self._ended: asyncio.Future[int] | None = None
        """The exit status; None: it has not begun."""
        self._is_frame_due = False
        self._flushing: asyncio.TimerHandle | None = None

    @property
    def _top(self) -> Screen:
        return next(reversed(self._screens))

    def _handed(self) -> Screen:
        self._attention.note_key(now_ms())
        return self._top

    def open(self, screen: Screen) -> None:
        """Put a screen over the others."""
        self._screens[screen] = self._group.create_task(screen.run(), name=f"screen {type(screen).__name__}")
        self.refresh()

    def close(self) -> None:
        """Take the top screen away. Without the first one the program ends."""
        if len(self._screens) == 1:
            self.end(exit_codes.OK)
        else:
            self._screens.popitem()[1].cancel()
            self.refresh()

    def clear(self) -> None:
        """Back to the first screen. May be called again."""
        while len(self._screens) > 1:
            self.close()

    def ring(self, call: ringing.Call) -> None:
        """Call the person, unless they are here, or were called a moment ago."""
        if self._attention.lets(call, now_ms()):
            self.painter.call(call, is_ascii=self.theme.is_ascii)

    async def run(self, first: Screen) -> int:
        """Show a screen. Returns the exit status with which the terminal was given back."""
        async with asyncio.TaskGroup() as self._group:
            self.open(first)
            try:
                return await self._run()
            finally:
                for task in self._screens.values():
                    task.cancel()

    async def _run(self) -> int:
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[int] = loop.create_future()
        self._ended = ended
        handler = loop.get_exception_handler()
        loop.set_exception_handler(self._fail)
        signals: Handlers = {
            "SIGTERM": partial(self.end, exit_codes.TERMINATED),
            "SIGHUP": partial(self.end, exit_codes.HUNG_UP),
            "SIGINT": lambda: self._take([KeyPress(Keys.ControlC)]),
            "SIGWINCH": self.refresh,
        }
        try:
            with handling(signals), self._input.raw_mode(), self._input.attach(self._read):
                self.painter.begin()
                self._take(get_typeahead(self._input))
                while not (await asyncio.wait((ended,), timeout=SIZE_CHECK_S))[0]:
                    self.refresh()
                return await ended
        except (EOFError, OSError):
            return exit_codes.HUNG_UP  # the terminal has gone
        finally:
            if self._flushing is not None:
                self._flushing.cancel()
            self.painter.end()
            loop.set_exception_handler(handler)

    @property
    def _is_running(self) -> bool:
        return self._ended is not None and not self._ended.done()

    def end(self, status: int) -> None:
        """Give the terminal back. May be called again."""
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(status)

    def _fail(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """End the run by an exception in a callback, which the event loop would only log on the screen."""
        error = context.get("exception")
        if error is not None and self._ended is not None and not self._ended.done():
            self._ended.set_exception(error)

    def refresh(self) -> None:
        """Draw soon: once, however often this is called until then."""
        if self._is_running and not self._is_frame_due:
            self._is_frame_due = True
            asyncio.get_running_loop().call_soon(self._paint)

    def _read(self) -> None:
        """Take the keys that have come. An escape alone counts as the key after a while."""
        if self._flushing is not None:
            self._flushing.cancel()
        self._take(self._input.read_keys())
        if self._input.closed:
            self.end(exit_codes.HUNG_UP)
            return
        loop = asyncio.get_running_loop()
        self._flushing = loop.call_later(ESCAPE_S, lambda: self._take(self._input.flush_keys()))

    def _take(self, keys: Sequence[KeyPress]) -> None:
        for number, key in enumerate(keys):
            if not self._is_running:
                store_typeahead(self._input, list(keys[number:]))  # for line mode
                break
            self._press(key)
        self.refresh()

    def _press(self, press: KeyPress) -> None:
        match press.key:
            case Keys.BracketedPaste:
                self._handed().on_paste(press.data)
            case Keys.Vt100MouseEvent:
                self._point(press.data)
            case Keys.Ignore:
                self._focus(press.data)
            case Keys.CPRResponse:
                self._answered()
            case Keys.ControlL:
                self.painter.forget()
            case Keys.ControlZ:
                self._suspend()
            case key:
                self._handed().on_key(name_of(key))

    def _paint(self) -> None:
        self._is_frame_due = False
        if not self._is_running:
            return
        self.painter.paint(lambda size: self._top.draw(size, next(iter(self._screens)).notice))
        if self._on_quick is not None and self._asked_at is None:
            self._asked_at = time.monotonic()
            self.painter.ask_position()

    def _answered(self) -> None:
        """The terminal reported its cursor position: the delay shows how fast it is."""
        if self._on_quick is not None and self._asked_at is not None and time.monotonic() - self._asked_at < QUICK_S:
            self._on_quick()
        self._on_quick = None

    def _suspend(self) -> None:
        """Return the terminal to the shell, until it resumes the program. Not available on Windows."""
        if sys.platform != "win32":
            self.painter.end()
            with self._input.detach(), self._input.cooked_mode():
                os.kill(0, signal.SIGTSTP)  # the whole process group, as the terminal itself does
            self.painter.begin()
            self.painter.forget()

    def _focus(self, sequence: str) -> None:
        if sequence in (ringing.FOCUS_IN, ringing.FOCUS_OUT):
            self._attention.note_focus(has_focus=sequence == ringing.FOCUS_IN)

    def _point(self, sequence: str) -> None:
        """Handle a mouse event from its escape sequence. Only presses of the left button have an effect."""
        found = _MOUSE.fullmatch(sequence)
        if found is None:
            return
        match found[1]:
            case "64":
                self._handed().on_key(Keys.ScrollUp.value)
            case "65":
                self._handed().on_key(Keys.ScrollDown.value)
            case "0":
                what = at(self.painter.frame.spots, int(found[2]) - 1, int(found[3]) - 1)
                if what is not None:
                    self._handed().on_click(what)
            case _:
                pass


def now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


_ALIASES = {code: name for name, code in KEY_ALIASES.items()}


def name_of(key: Keys | str) -> str:
    """The name of a key in the keymap: `enter`, not `c-m`. A character is its own."""
    code = key.value if isinstance(key, Keys) else key
    return _ALIASES.get(code, code)


class Painter:
    """One full screen, from `begin` to `end`."""

    def __init__(
        self,
        output: Output,
        settings: Settings = DEFAULTS,
        able: ringing.Abilities = ringing.Abilities(),  # noqa: B008  # it is frozen
    ) -> None:
        self._output = output
        self._depth = output.get_default_color_depth()
        self._settings = settings
        self._able = able
        self._title = ""
        """Current window title; empty: not ours."""
        style = style_of_roles(settings)
        self._attributes: Callable[[str], Attrs] = cache(
            lambda role: style.get_attrs_for_style_str(f"class:base {role}")
        )
        self.frame = Frame((), None)
        """The last frame drawn."""
        self._size = Size(0, 0)
        self._is_begun = False

    def ask_position(self) -> None:
        """Query the cursor position. The reply arrives as a key, if the terminal supports it."""
        self._output.write_raw("\x1b[6n")
        self._output.flush()

    def begin(self) -> None:
        self._is_begun = True
        output = self._output
        output.enter_alternate_screen()
        output.disable_autowrap()
        output.hide_cursor()
        output.enable_bracketed_paste()
        if self._settings.mouse:
            output.write_raw(_MOUSE_ON)
        output.write_raw(ringing.FOCUS_ON)
        output.flush()

    def end(self) -> None:
        """Give everything back. May be called again, and after the terminal has gone."""
        if not self._is_begun:
            return
        self._is_begun = False
        output = self._output
        with suppress(OSError):
            if self._title:
                output.write_raw(ringing.title_sequence("") + ringing.RESTORE_TITLE)
                self._title = ""
            output.write_raw(ringing.FOCUS_OFF + _MOUSE_OFF)
            output.disable_bracketed_paste()
            output.reset_attributes()
            output.enable_autowrap()
            output.quit_alternate_screen()
            output.show_cursor()
            output.flush()

    def set_title(self, title: str) -> None:
        """Set the window title; the first time, save the existing one."""
        if title == self._title or not (self._is_begun and self._settings.title and self._able.has_title):
            return
        save = "" if self._title else ringing.SAVE_TITLE
        self._title = title
        self._output.write_raw(save + ringing.title_sequence(title))
        self._output.flush()

    def call(self, call: ringing.Call, *, is_ascii: bool) -> None:
        if not self._is_begun:
            return
        written = ringing.BELL if self._settings.bell else ""
        if self._settings.notify:
            written += ringing.note_sequence(call, self._able, is_ascii=is_ascii)
        if written:
            self._output.write_raw(written)
            self._output.flush()

    def forget(self) -> None:
        """Write the next frame whole."""
        self._size = Size(0, 0)

    def paint(self, draw: Callable[[Size], Frame]) -> None:
        output = self._output
        rows, columns = output.get_size()
        size = Size(columns, rows)
        frame = draw(size)
        before = self.frame.lines if size == self._size else ()
        if size != self._size:
            output.reset_attributes()
            output.erase_screen()
        is_same = frame.cursor == self.frame.cursor
        if not is_same:
            output.hide_cursor()
        for number, line in enumerate(frame.lines):
            if number < len(before) and before[number] == line:
                continue
            output.cursor_goto(number + 1, 1)
            for style, text in line:
                output.set_attributes(self._attributes(style), self._depth)
                output.write(text)
            is_same = False
        self.frame, self._size = frame, size
        if not is_same:
            output.reset_attributes()
            if frame.cursor is not None:
                x, y = frame.cursor
                output.cursor_goto(y + 1, x + 1)
                output.show_cursor()
            output.flush()


def style_of_roles(settings: Settings) -> Style:
    # Versions before `dim` refuse it.
    has_dim = "dim" in Attrs._fields
    return Style.from_dict({role: look if has_dim or look != "dim" else "" for role, look in styles(settings).items()})


async def run_alone(make: Callable[[ScreenHost], Screen], settings: Settings) -> int:
    """Show one screen without a lobby."""
    terminal = Terminal(settings)
    return await terminal.run(make(terminal))
