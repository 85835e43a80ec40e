"""The grid: widths, clipping, and what may not be drawn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.utils import get_cwidth

from put_client.tui.widgets.canvas import Canvas, Size, clean, cut, whole_clauses, width_of, wrap
from put_client.tui.widgets.theme import ASCII, UNICODE
from put_protocol.text import is_printable
from tests.client.tui.sample_models import text_of

texts = st.text(st.one_of(st.characters(), st.sampled_from("abc 李ñé\u0301\u200b\u202e😀🏽\ufe0f한")), max_size=40)


def row(canvas: Canvas) -> str:
    return text_of(canvas.frame()).split("\n")[0]


@given(texts, st.integers(-5, 25), st.integers(-2, 4), st.integers(1, 20), st.booleans())
def test_canvas_is_never_wider_or_higher_than_it_is(text: str, x: int, y: int, width: int, is_ascii: bool) -> None:
    """Whatever is put wherever, every line has exactly the grid's columns, and there are no more lines."""
    canvas = Canvas(Size(width, 3), ASCII if is_ascii else UNICODE)
    canvas.put(0, 1, "李李李李李李李李李李")
    canvas.put(x, y, text)
    lines = canvas.frame().lines
    assert len(lines) == 3
    for line in lines:
        assert get_cwidth("".join(part for _, part in line)) == width


@given(texts)
def test_canvas_draws_nothing_a_terminal_would_obey(text: str) -> None:
    """No control or bidi character reaches the screen."""
    canvas = Canvas(Size(60, 1), UNICODE)
    canvas.put(0, 0, text)
    assert is_printable("".join(part for _, part in canvas.frame().lines[0]))


@given(texts)
def test_canvas_of_ascii_is_ascii(text: str) -> None:
    """Names and sentences of any script come out as ASCII of the same width."""
    canvas = Canvas(Size(60, 1), ASCII)
    end = canvas.put(0, 0, text)
    assert text_of(canvas.frame()).isascii()
    assert end == width_of(text)


def test_canvas_keeps_wide_characters_whole() -> None:
    """Half of a wide character that was overwritten, or that would stick out, becomes a space."""
    canvas = Canvas(Size(5, 1), UNICODE)
    canvas.put(0, 0, "李小龍")
    assert row(canvas) == "李小"
    canvas.put(1, 0, "x")
    assert row(canvas) == " x小"


def test_canvas_puts_few_marks_on_one_character() -> None:
    """Marks stacked to reach other lines are cut down."""
    canvas = Canvas(Size(5, 1), UNICODE)
    canvas.put(0, 0, "a" + "\u0301" * 20 + "b")
    assert row(canvas) == "a\u0301\u0301b"


def test_clean_leaves_out_what_terminals_disagree_about() -> None:
    """Variation selectors and skin tones change widths here and not there."""
    assert clean("a\ufe0fb👍🏽c") == "ab👍c"


@given(texts, st.integers(0, 30))
def test_cut_fits(text: str, width: int) -> None:
    """What is cut is never wider than asked for; what fits is not cut."""
    shown = cut(text, width, "…")
    assert width_of(shown) <= width
    if width_of(text) <= width:
        assert shown == clean(text)


def test_cut_says_that_it_cut() -> None:
    """The mark stands where the rest was."""
    assert cut("Bartholomew", 6, "…") == "Barth…"
    assert cut("李小龍", 4, "…") == "李…"


def test_clauses_end_with_no_part_of_a_list() -> None:
    """At a comma only where no clause ends in another way: "you hold the 4" would say that it is the only card."""
    says = "You deal; you hold the 4, the ace and the 8."
    assert whole_clauses(says, 30, 1, "…") == ("You deal",)
    assert whole_clauses(says, 44, 1, "…") == (says,)
    assert whole_clauses(says[10:], 20, 1, "…") == ("you hold the 4",)


@given(texts, st.integers(2, 30))
def test_wrap_fits_and_loses_nothing(text: str, width: int) -> None:
    """Every line fits, and the lines together are the text, but for spaces at their ends."""
    lines = wrap(text, width)
    assert all(width_of(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == clean(text).replace(" ", "")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("you lead the 3", ("you lead", "the 3")),
        ("incomprehensible", ("incompre", "hensible")),
        ("", ("",)),
    ],
)
def test_wrap_breaks_between_words_where_it_can(text: str, lines: tuple[str, ...]) -> None:
    """Only a word longer than a line is broken."""
    assert wrap(text, 8) == lines


def test_title_leaves_out_the_last_parts_that_do_not_fit() -> None:
    """No part of one is shown."""
    canvas = Canvas(Size(24, 1), UNICODE)
    canvas.title("Put", ["Table 3", "hand 1 of 12"])
    assert row(canvas) == " Put · Table 3"
