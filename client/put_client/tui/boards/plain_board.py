"""A game that nobody drew a board for: who plays, and whatever its view holds, as values with their names.

What has an item a seat stands in columns behind the players; the rest stands below, a line each. The actions are where
they always are, in the server's words, so that any game can be played.
"""

import re
from collections.abc import Sequence

from msgspec import Struct, structs

from put_client.tui.model import AtTable, order_from
from put_client.tui.widgets.canvas import Canvas, Fragment, Line, width_of, wrap
from put_client.tui.widgets.card_faces import sign_of
from put_client.tui.widgets.seat_boxes import name_in
from put_client.tui.widgets.theme import FAINT, PLAIN, Theme
from put_protocol.cards import Card

NAMES = 24
"""Columns for the names of players."""

_CARD = re.compile(r"(?:10|[2-9JQKA])[shdc]")


def draw_plain_board(canvas: Canvas, table: AtTable, view: Struct, width: int, height: int) -> None:
    """Between the header and the rule. What there is no room for is left out at the end."""
    theme = canvas.theme
    values = {name.replace("_", " "): value for name, value in structs.asdict(view).items() if _tells(value)}
    by_seat = {name: value for name, value in values.items() if _is_by_seat(value, len(table.info.seats))}
    lines = _players(canvas, table, by_seat, width - 2)
    lines.append(())
    for name, value in values.items():
        if name not in by_seat:
            label = f"{name}: "
            rows = wrap(_said(value, theme), max(width - 2 - width_of(label), 8))
            lines += [((FAINT, label if row is rows[0] else " " * width_of(label)), (PLAIN, row)) for row in rows]
    if len(lines) > height:
        lines = [*lines[: height - 1], ((FAINT, theme.ellipsis),)]
    for y, line in enumerate(lines, start=1):
        canvas.put_all(1, y, line, width=width - 2)


def _players(canvas: Canvas, table: AtTable, columns: dict[str, Sequence[object]], width: int) -> list[Line]:
    """A line of titles and one a player, with as many columns as there is room for."""
    heads: list[Fragment] = [(FAINT, " " * NAMES)]
    seats = order_from(table.viewer, len(table.info.seats))
    rows: list[list[Fragment]] = [list(name_in(table, seat, NAMES - 1, canvas)) for seat in seats]
    for row in rows:
        row.append((PLAIN, " " * (NAMES - sum(width_of(text) for _, text in row))))
    room = width - NAMES
    for name, value in columns.items():
        cells = [_said(value[seat], canvas.theme) for seat in seats]
        column = max(width_of(text) for text in (name, *cells)) + 2
        room -= column
        if room < 0:
            break
        heads.append((FAINT, name + " " * (column - width_of(name))))
        for row, cell in zip(rows, cells, strict=True):
            row.append((PLAIN, cell + " " * (column - width_of(cell))))
    return [tuple(heads), *(tuple(row) for row in rows)]


def _tells(value: object) -> bool:
    """Nothing is said of what is empty."""
    return value is not None and value not in ((), "", {})


def _is_by_seat(value: object, seats: int) -> bool:
    """A list with a number, a word or a yes for each seat. Cards are somebody's, however many they are."""
    if not isinstance(value, tuple) or len(value) != seats or seats < 2:
        return False
    return all(isinstance(item, int) or (isinstance(item, str) and not _CARD.fullmatch(item)) for item in value)


def _said(value: object, theme: Theme) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case str() if _CARD.fullmatch(value):
            return sign_of(theme, Card(value))
        case Struct():
            parts = [f"{k.replace('_', ' ')} {_said(v, theme)}" for k, v in structs.asdict(value).items() if _tells(v)]
            return ", ".join(parts) or "-"
        case dict():
            return ", ".join(f"{k} {_said(v, theme)}" for k, v in value.items())
        case tuple() | list():
            return " ".join(_said(item, theme) for item in value) or "-"
        case None:
            return "-"
        case _:
            return str(value)
