"""Frames on a terminal: what is written, what a terminal in memory shows of it, and what is left of it at the end."""

import io

import pyte
import pytest
from prompt_toolkit.data_structures import Size as TerminalSize
from prompt_toolkit.output.vt100 import Vt100_Output

from put_client.settings import DEFAULTS
from put_client.tui.terminal import Painter
from put_client.tui.widgets.canvas import Canvas, Frame, Size
from put_client.tui.widgets.theme import FAINT, STRONG, SUITS, UNICODE
from tests.client.tui.sample_models import frame, send_keys, text_of, your_lead


class Screen:
    """What is written, and what a terminal of this size shows of it."""

    def __init__(self, columns: int, lines: int, **of: object) -> None:
        self.written = io.StringIO()
        self._shown = pyte.Screen(columns, lines)
        self._size = TerminalSize(rows=lines, columns=columns)
        self._read = 0
        self.painter = Painter(
            Vt100_Output(self.written, lambda: self._size, term="xterm", **of),  # type: ignore[arg-type]  # by its name
            DEFAULTS,
        )

    def news(self) -> str:
        """What was written since it was asked last."""
        text = self.written.getvalue()[self._read :]
        self._read += len(text)
        pyte.Stream(self._shown).feed(text)
        return text

    @property
    def shown(self) -> pyte.Screen:
        self.news()
        return self._shown

    def resize(self, columns: int, lines: int) -> None:
        self.news()
        self._size = TerminalSize(rows=lines, columns=columns)
        self._shown.resize(lines, columns)

    def paint(self, frame: Frame) -> None:
        self.painter.paint(lambda _: frame)


def drawn(*rows: tuple[str, str], cursor: tuple[int, int] | None = None) -> Frame:
    canvas = Canvas(Size(20, 4), UNICODE)
    for y, (text, style) in enumerate(rows):
        canvas.put(0, y, text, style)
    canvas.cursor = cursor
    return canvas.frame()


@pytest.mark.parametrize("size", [Size(60, 16), Size(80, 24), Size(120, 40)])
def test_screen_shows_what_was_drawn(size: Size) -> None:
    """Every cell, also after other frames, larger ones and smaller ones."""
    screen = Screen(*size)
    for model in (your_lead(), send_keys(your_lead(), "?")[0], send_keys(your_lead(), "1")[0], your_lead()):
        shown = frame(model, size)
        screen.paint(shown)
        assert [row.rstrip() for row in screen.shown.display] == text_of(shown).split("\n")
    screen.resize(70, 20)
    smaller = frame(your_lead(), Size(70, 20))
    screen.paint(smaller)
    assert [row.rstrip() for row in screen.shown.display] == text_of(smaller).split("\n")


def test_only_lines_that_differ_are_written() -> None:
    """And of a frame that is the same, nothing at all."""
    screen = Screen(20, 4)
    screen.paint(drawn(("one", ""), ("two", "")))
    screen.news()
    screen.paint(drawn(("one", ""), ("two", "")))
    assert screen.news() == ""
    screen.paint(drawn(("one", ""), ("three", "")))
    news = screen.news()
    assert "three" in news
    assert "one" not in news
    screen.painter.forget()
    screen.paint(drawn(("one", ""), ("three", "")))
    assert "one" in screen.news()


def test_wide_characters_stand_where_they_were_drawn() -> None:
    """What is behind them is not moved."""
    screen = Screen(20, 4)
    screen.paint(drawn(("李小龍 |", "")))
    assert screen.shown.buffer[0][7].data == "|"


def test_roles_have_their_looks() -> None:
    """Weights, and the colours of suits; plain text has none."""
    screen = Screen(20, 4)
    canvas = Canvas(Size(20, 4), UNICODE)
    canvas.put_all(0, 0, [(STRONG, "a"), (SUITS["h"], "b"), (f"{STRONG} {SUITS['h']}", "c"), ("", "d"), (FAINT, "e")])
    screen.paint(canvas.frame())
    cells = screen.shown.buffer[0]
    assert (cells[0].bold, cells[0].fg) == (True, "default")
    assert (cells[1].bold, cells[1].fg) == (False, "red")
    assert (cells[2].bold, cells[2].fg) == (True, "red")
    assert (cells[3].bold, cells[3].fg, cells[3].bg) == (False, "default", "default")


def test_without_colours_the_weights_remain(monkeypatch: pytest.MonkeyPatch) -> None:
    """NO_COLOR, as the terminal's output understands it."""
    monkeypatch.setenv("NO_COLOR", "1")
    from prompt_toolkit.output.color_depth import ColorDepth  # noqa: PLC0415  # asked as at a start

    screen = Screen(20, 4, default_color_depth=ColorDepth.from_env())
    canvas = Canvas(Size(20, 4), UNICODE)
    canvas.put_all(0, 0, [(f"{STRONG} {SUITS['h']}", "c"), (SUITS["d"], "d")])
    screen.paint(canvas.frame())
    cells = screen.shown.buffer[0]
    assert (cells[0].bold, cells[0].fg) == (True, "default")
    assert cells[1].fg == "default"


def test_cursor_is_seen_where_something_is_typed_and_nowhere_else() -> None:
    """It follows the frame."""
    screen = Screen(20, 4)
    screen.painter.begin()
    assert screen.shown.cursor.hidden
    screen.paint(drawn(("say: x", ""), cursor=(6, 0)))
    assert (screen.shown.cursor.x, screen.shown.cursor.y, screen.shown.cursor.hidden) == (6, 0, False)
    screen.paint(drawn(("say: x", ""), cursor=(5, 0)))
    assert screen.shown.cursor.x == 5
    screen.paint(drawn(("say: x", "")))
    assert screen.shown.cursor.hidden


def test_no_escape_is_written_that_we_did_not_mean() -> None:
    """Even of a frame that nobody cleaned."""
    screen = Screen(20, 4)
    screen.paint(Frame(((("", "a\x1b[2Jb"),),), None))
    assert "\x1b[2Jb" not in screen.news()


def test_end_gives_everything_back_once() -> None:
    """Each thing that was taken; and what was never begun writes nothing."""
    screen = Screen(20, 4)
    screen.painter.end()
    assert screen.news() == ""
    screen.painter.begin()
    screen.paint(drawn(("one", STRONG)))
    screen.news()
    screen.painter.end()
    given = screen.news()
    for mode in ("?1049l", "?1000l", "?1006l", "?2004l", "?7h", "?25h", "[0m"):
        assert mode in given
    screen.painter.end()
    assert screen.news() == ""
