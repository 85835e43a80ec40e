"""Notes over the table: one for beginners, or what the coach says. They lie over the far end of the field, so that our
own cards and the question stay in sight."""

from put_client.keymap import label_of
from put_client.tui.boards.registry import board_of
from put_client.tui.model import AtTable
from put_client.tui.widgets.blocks import bar
from put_client.tui.widgets.canvas import Canvas, Fragment, Line, columns_of, cut, width_of, wrapped
from put_client.tui.widgets.theme import FAINT, KEY, PLAIN, STRONG
from put_protocol.analysis import CERTAIN
from put_protocol.games.unions import Choice
from put_protocol.messages import Advice
from put_text.analysis_text import format_advice, percent
from put_text.catalogue import say
from put_text.lessons.lesson import Lesson

WIDEST = 64
"""Columns of a note: what is read with ease."""

TITLED = frozenset({"put.put", "put.tie", "put.answer", "put.seen", "put.last", "put.purse"})
"""Notes that have a title of their own."""

_BAR = 10
_LABEL = 12


def draw_notes(canvas: Canvas, table: AtTable, width: int, *, title: str = "", is_marked: bool = True) -> None:
    """Draw a note in a box over a field so wide. `title`: another than the coach's; `is_marked`: what the coach says
    marks the game as assisted."""
    inside = min(width - 4, WIDEST)
    if table.advice is not None:
        lines = _advice_lines(canvas, table, table.advice, inside, is_marked=is_marked)
        ends = say("screen-note-closes" if is_marked else "screen-note-goes-on")
        _draw_box(canvas, title or say("screen-coach"), lines, width, inside, ends)
    elif table.lessons:
        lines = wrapped(table.lessons[0].says, inside)
        _draw_box(canvas, _title(table.lessons[0]), lines, width, inside, say("screen-note-goes-on-or-ends"))


def _title(lesson: Lesson) -> str:
    return say(f"screen-note-{lesson.name.replace('.', '-')}" if lesson.name in TITLED else "screen-note-first")


def _draw_box(canvas: Canvas, title: str, lines: list[Line], width: int, inside: int, ends: str) -> None:
    height = len(lines) + 3
    x = max((width - inside - 4) // 2, 0)
    canvas.box(x, 1, inside + 4, height)
    canvas.put(x + 2, 1, f" {title} ", STRONG)
    for y, line in enumerate(lines, start=2):
        canvas.put_all(x + 2, y, line, width=inside)
    canvas.put_all(x + 2, height - 1, [(KEY, label_of("enter")), (FAINT, f" {ends}")], width=inside)


def _advice_lines(canvas: Canvas, table: AtTable, advice: Advice, inside: int, *, is_marked: bool) -> list[Line]:
    """A line for each choice, the best first, and the reason for it."""
    theme = canvas.theme
    lines: list[Line] = []
    for choice in sorted(advice.choices, key=lambda one: (-one.chance, -one.share)):
        label = board_of(table).label(table, Choice(choice.action, choice.says), theme)
        shown: list[Fragment] = [(label[0], cut(label[1], _LABEL - 1, theme.ellipsis))]
        shown.append((PLAIN, " " * (_LABEL - width_of(shown[0][1]))))
        shown += [(PLAIN, bar(choice.chance / CERTAIN, _BAR, theme)), (STRONG, percent(choice.chance).rjust(7))]
        often = say("screen-perfect-play", share=percent(choice.share)) if choice.share else ""
        if often and columns_of(shown) + 2 + len(often) > inside:
            often = say("screen-perfect", share=percent(choice.share))
        lines.append((*shown, (FAINT, f"  {often}")))
    lines += wrapped(format_advice(advice), inside)
    return [*lines, *wrapped(say("screen-assisted"), inside, FAINT)] if is_marked else lines
