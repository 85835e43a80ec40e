"""The terminal: the only prompt_toolkit Application, and the painter of frames.

Law: after every end (a key, a signal, a bug, a closed terminal) the terminal is restored.

prompt_toolkit reads the keyboard and decides when to draw. Its renderer is not used, because it is four to eight times
slower: it lays out a tree of windows into a grid of cell objects, and compares every cell, while our frame is a list of
complete lines, which are compared as a whole. A table of four at 120 by 40 took 2.8 ms and 4,431 bytes with ours, and
14.0 ms and 1,866 bytes with prompt_toolkit. The price is two to four times the bytes, which is not noticeable at one
frame for each key. `scripts/bench --only terminal` measures ours.
"""

import asyncio
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from typing import Any

from prompt_toolkit.application import Application, get_app_session, run_in_terminal
from prompt_toolkit.data_structures import Size as TerminalSize
from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import KEY_ALIASES, Keys
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.output import DummyOutput, Output
from prompt_toolkit.styles import Attrs, BaseStyle, DummyStyle, Style

from put_client.settings import DEFAULTS, Settings
from put_client.tui import ringing
from put_client.tui.widgets.canvas import Frame, Size, Target, at
from put_client.tui.widgets.theme import styles
from put_runtime import exit_codes
from put_runtime.signals import handling

ESCAPE_S = 0.1
"""Wait before an escape counts as the key and not as the start of a sequence, to allow for network jitter."""

SIZE_CHECK_S = 0.5

_MOUSE = re.compile(r"\x1b\[<(\d{1,3});(\d{1,5});(\d{1,5})M")
"""A mouse press: button, column and line, counted from 1."""

QUICK_S = 0.15
"""Response time of a terminal, in seconds, up to which animations are used: each frame waits for up to half of that.
The first frame is on the way before the query, so a serial line is slow, too."""

# Presses and the wheel, with coordinates of any size. Movements are not reported: nothing uses them.
_MOUSE_ON, _MOUSE_OFF = "\x1b[?1000h\x1b[?1006h", "\x1b[?1006l\x1b[?1000l"


class Terminal:
    """One run of a full screen. `draw` makes the frame for a size. `on_key` gets keys by prompt_toolkit's names, and
    characters as themselves; `on_paste` gets pasted text; `on_click` gets the target of a click."""

    def __init__(
        self,
        draw: Callable[[Size], Frame],
        *,
        on_key: Callable[[str], None],
        on_paste: Callable[[str], None],
        on_click: Callable[[Target], None],
        on_focus: Callable[[bool], None] | None = None,
        on_quick: Callable[[], None] | None = None,
        settings: Settings = DEFAULTS,
        able: ringing.Abilities | None = None,
    ) -> None:
        self._draw = draw
        self._on_key = on_key
        self._on_click = on_click
        self._on_focus = on_focus
        self._on_quick = on_quick
        self._asked_at: float | None = None
        if on_focus is not None:  # else a report of the focus would be an escape and letters
            for sequence in (ringing.FOCUS_IN, ringing.FOCUS_OUT):
                ANSI_SEQUENCES.setdefault(sequence, Keys.Ignore)
        self.painter = Painter(
            get_app_session().output, settings, able or ringing.Abilities(), reports_focus=on_focus is not None
        )
        # It reads the keyboard, notices a new size, and says when it is time to draw. The painter draws: what the
        # application draws itself is a blank cell, and goes nowhere.
        self._app: Application[int] = _Unstyled(
            layout=Layout(Window(height=1)),
            output=_Nowhere(),
            key_bindings=self._bindings(on_paste),
            include_default_pygments_style=False,
            enable_page_navigation_bindings=False,
            # Without a signal for a new size, as on Windows, poll for it.
            terminal_size_polling_interval=None if hasattr(signal, "SIGWINCH") else SIZE_CHECK_S,
            after_render=lambda _: self._paint(),
        )
        self._app.ttimeoutlen = self._app.timeoutlen = ESCAPE_S

    async def run(self) -> int:
        try:
            ends = {
                "SIGTERM": partial(self.end, exit_codes.TERMINATED),
                "SIGHUP": partial(self.end, exit_codes.HUNG_UP),
            }
            with handling(ends), _bugs_end(self._app):
                self.painter.begin()
                return await self._app.run_async(set_exception_handler=False)
        except (EOFError, OSError):
            return exit_codes.HUNG_UP  # the terminal has gone
        finally:
            self.painter.end()

    def end(self, status: int) -> None:
        """Give the terminal back. May be called again."""
        if self._app.is_running and not self._app.is_done:
            self._app.exit(result=status)

    def refresh(self) -> None:
        self._app.invalidate()

    def _paint(self) -> None:
        if self._app.is_done:
            return
        self.painter.paint(self._draw)
        if self._on_quick is not None and self._asked_at is None:
            self._asked_at = time.monotonic()
            self.painter.ask_position()

    def _answered(self) -> None:
        """The terminal reported its cursor position: the delay shows how fast it is."""
        if self._on_quick is not None and self._asked_at is not None and time.monotonic() - self._asked_at < QUICK_S:
            self._on_quick()
        self._on_quick = None

    def _bindings(self, on_paste: Callable[[str], None]) -> KeyBindings:
        handlers: dict[Keys | str, Callable[[KeyPressEvent], None]] = {
            Keys.Any: lambda event: self._on_key(name_of(event.key_sequence[0].key)),
            Keys.BracketedPaste: lambda event: on_paste(event.data),
            Keys.Vt100MouseEvent: lambda event: self._point(event.data),
            Keys.SIGINT: lambda _: self._on_key("c-c"),
            Keys.Ignore: lambda event: self._focus(event.data),
            Keys.CPRResponse: lambda _: self._answered(),
            "c-l": lambda _: self.painter.forget(),
            "c-z": lambda _: self._suspend(),
        }
        bindings = KeyBindings()
        for key, handler in handlers.items():
            bindings.add(key)(handler)
        return bindings

    def _suspend(self) -> None:
        """Return the terminal to the shell, until it resumes the program. Not available on Windows."""
        if sys.platform != "win32":

            def stop() -> None:
                self.painter.end()
                os.kill(0, signal.SIGTSTP)  # the whole process group, as the terminal itself does
                self.painter.begin()
                self.painter.forget()

            run_in_terminal(stop)

    def _focus(self, sequence: str) -> None:
        if self._on_focus is not None and sequence in (ringing.FOCUS_IN, ringing.FOCUS_OUT):
            self._on_focus(sequence == ringing.FOCUS_IN)

    def _point(self, sequence: str) -> None:
        """Handle a mouse event from its escape sequence. Only presses of the left button have an effect."""
        found = _MOUSE.fullmatch(sequence)
        if found is None:
            return
        match found[1]:
            case "64":
                self._on_key(Keys.ScrollUp.value)
            case "65":
                self._on_key(Keys.ScrollDown.value)
            case "0":
                what = at(self.painter.frame.spots, int(found[2]) - 1, int(found[3]) - 1)
                if what is not None:
                    self._on_click(what)
            case _:
                pass


_ALIASES = {code: name for name, code in KEY_ALIASES.items()}


def name_of(key: Keys | str) -> str:
    """The name of a key in the keymap: `enter`, not `c-m`. A character is its own."""
    code = key.value if isinstance(key, Keys) else key
    return _ALIASES.get(code, code)


class _Unstyled(Application[int]):
    """An application without styles, because reading the library's styles takes as long as our drawing."""

    def _create_merged_style(self, *_: object) -> BaseStyle:
        return DummyStyle()


class _Nowhere(DummyOutput):
    """An output of one cell that draws nothing."""

    def get_size(self) -> TerminalSize:
        return TerminalSize(rows=1, columns=1)


@contextmanager
def _bugs_end(app: Application[int]) -> Iterator[None]:
    """During the block, an exception in a callback, which the loop would only log on the screen, ends the app."""
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


class Painter:
    """One full screen, from `begin` to `end`."""

    def __init__(
        self,
        output: Output,
        settings: Settings = DEFAULTS,
        able: ringing.Abilities = ringing.Abilities(),  # noqa: B008  # it is frozen
        *,
        reports_focus: bool = False,
    ) -> None:
        self._output = output
        self._depth = output.get_default_color_depth()
        self._settings = settings
        self._able = able
        self._reports_focus = reports_focus
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
        if self._reports_focus:
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
            if self._reports_focus:
                output.write_raw(ringing.FOCUS_OFF)
            output.write_raw(_MOUSE_OFF)
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
