"""Notes over the table: one for beginners, or what the coach says. They lie over the far end of the field, so that our
own cards and the question stay in sight."""

from put_client.tui.boards.registry import board_of
from put_client.tui.model import AtTable
from put_client.tui.widgets.blocks import bar
from put_client.tui.widgets.canvas import Canvas, Fragment, Line, columns_of, cut, width_of, wrapped
from put_client.tui.widgets.theme import FAINT, KEY, PLAIN, STRONG
from put_protocol.analysis import CERTAIN
from put_protocol.games.unions import Choice
from put_protocol.messages import Advice
from put_text.analysis_text import format_advice, percent
from put_text.lessons.lesson import Lesson

WIDEST = 64
"""Columns of a note: what is read with ease."""

MARKED = "Assisted: this game counts for no streak."
"""Under what the coach says, in a game."""

TITLES = {
    "put.put": "The put",
    "put.tie": "A tie",
    "put.answer": "They put",
    "put.seen": "Seen",
    "put.last": "When to put",
    "put.purse": "The purse",
}

_BAR = 10
_LABEL = 12


def draw_notes(canvas: Canvas, table: AtTable, width: int, *, title: str = "The coach", marked: str = MARKED) -> None:
    """Draw a note in a box over a field so wide. `marked`: a sentence for games that count as assisted."""
    inside = min(width - 4, WIDEST)
    if table.advice is not None:
        lines = _advice_lines(canvas, table, table.advice, inside, marked)
        _draw_box(canvas, title, lines, width, inside, "goes on" if not marked else "closes it")
    elif table.lessons:
        lines = wrapped(table.lessons[0].says, inside)
        _draw_box(canvas, _title(table.lessons[0]), lines, width, inside, "goes on, /teach off ends the notes")


def _title(lesson: Lesson) -> str:
    return TITLES.get(lesson.name, "For your first game")


def _draw_box(canvas: Canvas, title: str, lines: list[Line], width: int, inside: int, ends: str) -> None:
    height = len(lines) + 3
    x = max((width - inside - 4) // 2, 0)
    canvas.box(x, 1, inside + 4, height)
    canvas.put(x + 2, 1, f" {title} ", STRONG)
    for y, line in enumerate(lines, start=2):
        canvas.put_all(x + 2, y, line, width=inside)
    canvas.put_all(x + 2, height - 1, [(KEY, "Enter"), (FAINT, f" {ends}")], width=inside)


def _advice_lines(canvas: Canvas, table: AtTable, advice: Advice, inside: int, marked: str) -> list[Line]:
    """A line for each choice, the best first, and the reason for it."""
    theme = canvas.theme
    lines: list[Line] = []
    for choice in sorted(advice.choices, key=lambda one: (-one.chance, -one.share)):
        label = board_of(table).label(table, Choice(choice.action, choice.says), theme)
        shown: list[Fragment] = [(label[0], cut(label[1], _LABEL - 1, theme.ellipsis))]
        shown.append((PLAIN, " " * (_LABEL - width_of(shown[0][1]))))
        shown += [(PLAIN, bar(choice.chance / CERTAIN, _BAR, theme)), (STRONG, percent(choice.chance).rjust(7))]
        often = f"perfect play: {percent(choice.share)}" if choice.share else ""
        if columns_of(shown) + 2 + len(often) > inside:
            often = often.replace("perfect play", "perfect")
        lines.append((*shown, (FAINT, f"  {often}")))
    return [*lines, *wrapped(format_advice(advice), inside), *wrapped(marked, inside, FAINT)]
