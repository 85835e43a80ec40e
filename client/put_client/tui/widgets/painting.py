"""Frames on a terminal: what is written is what has changed since the last.

Whole lines are compared and written, for a line is cheap to send and to compare, and a cell is not: a general renderer
needs longer for an empty screen than we do for a table.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache

from prompt_toolkit.output import Output
from prompt_toolkit.styles import Attrs, Style

from put_client.tui.widgets.canvas import Frame, Size
from put_client.tui.widgets.theme import styles

# Presses and the wheel, told with numbers of any size. Movements are not asked for: nothing comes of them.
_MOUSE_ON, _MOUSE_OFF = "\x1b[?1000h\x1b[?1006h", "\x1b[?1006l\x1b[?1000l"


class Painter:
    """One full screen, from `begin` to `end`."""

    def __init__(self, output: Output, suits: Mapping[str, str]) -> None:
        self._output = output
        self._depth = output.get_default_color_depth()
        style = _style(suits)
        self._attributes: Callable[[str], Attrs] = cache(style.get_attrs_for_style_str)
        self._shown = Frame((), None)
        self._size = Size(0, 0)
        self._is_begun = False

    @property
    def frame(self) -> Frame:
        """What is on the screen."""
        return self._shown

    def begin(self) -> None:
        """Take the screen, the mouse and the clipboard."""
        self._is_begun = True
        output = self._output
        output.enter_alternate_screen()
        output.disable_autowrap()
        output.hide_cursor()
        output.enable_bracketed_paste()
        output.write_raw(_MOUSE_ON)
        output.flush()

    def end(self) -> None:
        """Give everything back. May be called again, and where nobody is at the terminal any more."""
        if not self._is_begun:
            return
        self._is_begun = False
        output = self._output
        with suppress(OSError):
            output.write_raw(_MOUSE_OFF)
            output.disable_bracketed_paste()
            output.reset_attributes()
            output.enable_autowrap()
            output.quit_alternate_screen()
            output.show_cursor()
            output.flush()

    def forget(self) -> None:
        """Whatever is on the screen, the next frame is written whole."""
        self._size = Size(0, 0)

    def paint(self, draw: Callable[[Size], Frame]) -> None:
        """Have a frame drawn for the size that the terminal has now, and show it."""
        output = self._output
        told = output.get_size()
        size = Size(told.columns, told.rows)
        frame = draw(size)
        before = self._shown.lines if size == self._size else ()
        if size != self._size:
            output.reset_attributes()
            output.erase_screen()
        is_same = frame.cursor == self._shown.cursor
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
        self._shown, self._size = frame, size
        if not is_same:
            output.reset_attributes()
            if frame.cursor is not None:
                x, y = frame.cursor
                output.cursor_goto(y + 1, x + 1)
                output.show_cursor()
            output.flush()


def _style(suits: Mapping[str, str]) -> Style:
    # Versions before `dim` refuse it.
    has_dim = "dim" in Attrs._fields
    return Style.from_dict({role: look if has_dim or look != "dim" else "" for role, look in styles(suits).items()})
