"""The panes beside or below the table: the tricks of this hand, the log, and the talk."""

from collections.abc import Iterable

from put_client.tui.model import AtTable, Entry, Kind, length_of, order_from
from put_client.tui.widgets.canvas import Canvas, Fragment, Line, wrap
from put_client.tui.widgets.card_faces import sign_of, style_of
from put_client.tui.widgets.theme import FAINT, PLAIN, STRONG
from put_protocol.games.put import (
    TrickView,
)

EMPTY_TRICKS = 3
"""Lines kept for the tricks before a hand is dealt."""

TRICK_COLUMN = 5
"""Columns that a card with its brackets takes."""


def draw_heading(canvas: Canvas, x: int, y: int, width: int, title: str, right: str = "") -> None:
    """A rule with a title in it."""
    theme = canvas.theme
    canvas.fill(x, y, width, 1, theme.horizontal)
    canvas.put(x + 1, y, f" {title} ", STRONG)
    if right:
        canvas.put_right(x + width - 1, y, [(PLAIN, f" {right} ")])


# --- the tricks ------------------------------------------------------------------------------------------------------


def tricks_height(table: AtTable) -> int:
    """Lines of the pane: the same through a whole hand. None where the game is none of tricks that we know."""
    if table.view is not None and table.put is None:
        return 0
    return 1 + max(length_of(table.put) if table.put is not None else 0, EMPTY_TRICKS)


def draw_tricks(canvas: Canvas, x: int, y: int, width: int, height: int, table: AtTable) -> None:
    """Who played what, a column a seat; where there are too many for that, what took each trick."""
    view = table.put
    seats = order_from(table.viewer, len(table.info.seats))
    column = min((width - 3) // len(seats), 9)
    is_brief = column < TRICK_COLUMN
    first = x + 3 if is_brief else x + width - column * len(seats)
    canvas.put(x + 1, y, "Tricks" if is_brief or first - x >= 8 else "", STRONG)
    for place, seat in enumerate(() if is_brief else seats):
        name = "you" if seat == table.seat else table.info.seats[seat].name or ""
        canvas.put(first + place * column + 1, y, name, FAINT, width=column - 1)
    if view is None:
        return
    tricks = [*view.past, *([view.trick] if view.trick.seats else [])]
    skipped = max(len(tricks) - (height - 1), 0)
    for line, number in enumerate(range(1 + skipped, max(length_of(view), len(tricks)) + 1), start=y + 1):
        if line >= y + height:
            break
        trick = tricks[number - 1] if number <= len(tricks) else TrickView()
        is_tied = number <= len(view.past) and trick.winner is None
        has_word = is_tied and (is_brief or first - x > 7)
        canvas.put(x + 1, line, f"{number}{' tied' if has_word else ''}", FAINT)
        for seat, card in zip(trick.seats, trick.cards, strict=False):
            left, right = ("[", "]") if seat == trick.winner else ("=", "") if is_tied else (" ", "")
            fragments = [(PLAIN, left), (style_of(card), sign_of(canvas.theme, card)), (PLAIN, right)]
            if not is_brief and seat in seats:
                canvas.put_all(first + seats.index(seat) * column, line, fragments)
            elif is_brief and seat == trick.winner:
                name = "you" if seat == table.seat else table.name(seat)
                canvas.put_all(first, line, [*fragments, (PLAIN, f" {name}")], width=x + width - first)


# --- the log and the talk --------------------------------------------------------------------------------------------


def _lines_of(entry: Entry, width: int) -> list[Line]:
    """An entry in lines; what follows the first is indented."""
    rows = wrap(entry.text, width - 1)
    if len(rows) > 1:
        rest = entry.text[len(rows[0]) :].lstrip() if entry.text.startswith(rows[0]) else " ".join(rows[1:])
        rows = (rows[0], *wrap(rest, width - 2))
    lines: list[Line] = []
    for number, row in enumerate(rows):
        if number:
            lines.append(((PLAIN, " " + row),))
        elif entry.kind is Kind.TALK and ": " in row:
            name, _, said = row.partition(": ")
            lines.append(((STRONG, f"{name}: "), (PLAIN, said)))
        else:
            lines.append((_styled(entry, row),))
    return lines


def _styled(entry: Entry, row: str) -> Fragment:
    if entry.kind is Kind.NOTE:
        return FAINT, row
    return (STRONG if entry.begins else PLAIN), row


def _tail(entries: Iterable[Entry], width: int, height: int) -> list[Line]:
    """The last lines of the entries, given last first."""
    lines: list[Line] = []
    for entry in entries:
        lines = _lines_of(entry, width) + lines
        if len(lines) >= height:
            break
    return lines[-height:] if height else []


def draw_log(canvas: Canvas, x: int, y: int, width: int, height: int, table: AtTable, *, with_talk: bool) -> None:
    """The log under its heading, at its end or scrolled back from it."""
    end = len(table.log) - table.back
    newer = table.log[end:]
    count = sum(1 for entry in newer if with_talk or entry.kind is not Kind.TALK)
    down = canvas.theme.arrows[3]
    draw_heading(canvas, x, y, width, "Log", f"{down} {count} newer" if count else "")
    entries = (e for e in reversed(table.log[:end]) if with_talk or e.kind is not Kind.TALK)
    for line, row in enumerate(_tail(entries, width - 1, height - 1), start=y + 1):
        canvas.put_all(x + 1, line, row, width=width - 1)


def draw_talk(canvas: Canvas, x: int, y: int, width: int, height: int, table: AtTable) -> None:
    """What was said, under its heading."""
    draw_heading(canvas, x, y, width, "Talk")
    if not table.talk:
        canvas.put(x + 1, y + 1, "c to say something", FAINT, width=width - 1)
    for line, row in enumerate(_tail(reversed(table.talk), width - 1, height - 1), start=y + 1):
        canvas.put_all(x + 1, line, row, width=width - 1)


def last_words(table: AtTable) -> str:
    """The end of the log in one line, where there is no room for it."""
    return table.log[-1].text if table.log else ""
