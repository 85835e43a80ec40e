"""The players at the table of Put: name, score, purse, cards held, and marks."""

from collections.abc import Iterator

from put_client.tui.boards.board import common_marks, name_in
from put_client.tui.boards.round_table import Box, at_seat, draw_seat_lines, gain_of, held
from put_client.tui.model import AtTable
from put_client.tui.widgets.canvas import Canvas, Fragment, columns_of, width_of
from put_client.tui.widgets.card_faces import CardSize, draw_backs
from put_client.tui.widgets.theme import ALARM, PLAIN, STRONG, Theme
from put_protocol.games.put import PutView
from put_protocol.seats import Seat
from put_text.catalogue import say

TEXT = 2
"""Lines of a seat above the backs of its cards."""

BACKS = (CardSize.LARGE, CardSize.MEDIUM, CardSize.SMALL)

MOST_PIPS = 9
"""A longer score is shown by its number alone."""


def score_of(view: PutView, seat: Seat, theme: Theme) -> str:
    """`●●○○○ 2/5`."""
    score = at_seat(view.scores, seat, 0)
    number = f"{score}/{view.target}"
    if seat < len(view.rubber):
        number = say("screen-score-rubber", score=number, won=view.rubber[seat])
    if not 0 <= score <= view.target <= MOST_PIPS:
        return number
    return f"{theme.pip * score}{theme.no_pip * (view.target - score)} {number}"


def is_in_hand(table: AtTable, view: PutView) -> bool:
    """A hand is being played, so that being out of it means something."""
    return table.info.is_in_play and any(view.counts)


def marks_of(table: AtTable, view: PutView, seat: Seat, *, explains: bool = False) -> Iterator[Fragment]:
    """Marks of a seat in this hand. `explains`: in words for players new to the game."""
    yield from common_marks(table, seat)
    if not table.info.is_in_play:
        return
    if view.putter == seat:
        yield ALARM, f" {say('screen-mark-doubles' if view.is_doubling else 'screen-mark-put')} "
    if seat in view.seen_by:
        yield STRONG, say("screen-mark-takes-it" if view.is_doubling else "screen-mark-sees")
    if seat in view.givers:
        yield STRONG, say("screen-mark-gave")
    elif is_in_hand(table, view) and seat < len(view.playing) and not view.playing[seat]:
        yield STRONG, say("screen-mark-out")
    if view.dealer == seat:
        yield PLAIN, say("screen-mark-dealer")
    if view.eldest == seat:
        yield PLAIN, say("screen-mark-eldest-explained" if explains else "screen-mark-eldest")


def name_of(canvas: Canvas, table: AtTable, view: PutView, seat: Seat, room: int) -> list[Fragment]:
    """The name line, within so many columns."""
    you = table.seat
    is_partner = you is not None and view.are_partners(you, seat)
    return name_in(table, seat, room, canvas, relation=say("screen-kind-partner") if is_partner else "")


def own_parts(table: AtTable, view: PutView, seat: Seat, theme: Theme, *, explains: bool) -> list[Fragment]:
    """Facts behind the name of the seat at the bottom. `explains`: in words for players new to the game."""
    parts = [(PLAIN, score_of(view, seat, theme)), *marks_of(table, view, seat, explains=explains)]
    parts.append((PLAIN, _taken(table, view, seat, theme)))
    return [*parts, (PLAIN, _purse(table, seat, "stakes" if explains else "of"))]


def _purse(table: AtTable, seat: Seat, form: str) -> str:
    """`purse +1`, and what it counts if the form is `stakes`; empty until a stake is won here."""
    purse = table.info.seats[seat].purse
    is_won = any(info.purse for info in table.info.seats)
    return say(f"screen-purse-{form}", purse=gain_of(purse), count=abs(purse)) if is_won else ""


def _taken(table: AtTable, view: PutView, seat: Seat, theme: Theme) -> str:
    """A mark for each trick that a seat took in this hand."""
    return theme.taken * at_seat(view.tricks, seat, 0) if is_in_hand(table, view) else ""


def draw_seat(canvas: Canvas, table: AtTable, view: PutView, box: Box, most: int) -> None:
    """Lines of name, of score and purse, and of cards, tricks and marks; in place of the cards their backs, where there
    is room for as many as a hand has at most."""
    seat, theme = box.seat, canvas.theme
    count, marks = at_seat(view.counts, seat, 0), list(marks_of(table, view, seat))
    rest, width = box.height - TEXT, box.width - 3
    backs = next((size for size in BACKS if size.height <= rest and size.fan_width(most) < width), CardSize.SMALL)
    has_backs = rest > 1 and backs.fan_width(most) < width
    brief, purse = f"{at_seat(view.scores, seat, 0)}/{view.target}", _purse(table, seat, "stakes")
    score = [(PLAIN, score) if width_of(score := score_of(view, seat, theme)) <= width else (PLAIN, brief)]
    score.append((PLAIN, purse if columns_of(score) + 2 + width_of(purse) <= width else _purse(table, seat, "of")))
    has_two = box.height > TEXT and not has_backs
    shown = [] if has_backs else [held(canvas, count, width // 2 if has_two else width - columns_of(score) - 4)]
    cards = [*shown, (PLAIN, _taken(table, view, seat, theme))]
    rows = [score, cards] if has_two else [[*score, *cards]]
    short = [(PLAIN, brief), held(canvas, count, 0), *marks]
    draw_seat_lines(canvas, box, lambda room: name_of(canvas, table, view, seat, room), rows, short, marks)
    if has_backs:
        draw_backs(canvas, box.x + 3, box.y + TEXT, count, backs, rows=rest)
