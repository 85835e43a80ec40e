"""The players at the table: name, score, purse, cards held, and marks. Wide in two lines, narrow in three."""

from collections.abc import Iterator

from put_client.tui.boards.board import common_marks, name_in
from put_client.tui.boards.put.story import view_of
from put_client.tui.boards.round_table import at_seat, gain_of, held
from put_client.tui.model import AtTable
from put_client.tui.widgets.canvas import Canvas, Fragment, width_of
from put_client.tui.widgets.theme import ALARM, FAINT, PLAIN, STRONG, Theme
from put_protocol.games.put import PutView
from put_protocol.seats import Seat
from put_text.catalogue import say

WIDE = 38
"""Columns of a seat drawn in two lines."""

NARROW = 17
"""Least columns of a seat drawn in three lines."""

BRIEF = 19
"""Least columns of a seat drawn in one line."""

LEAST_NAME = 8
"""Columns kept for the name and the pointer in one line."""

MOST_PIPS = 9
"""A longer score is shown by its number alone."""


def score_of(view: PutView, seat: Seat, theme: Theme) -> str:
    """`●●○○○ 2/5`."""
    score = at_seat(view.scores, seat, 0)
    number = f"{score}/{view.target}"
    if seat < len(view.rubber):
        number = say("screen-score-rubber", score=number, won=view.rubber[seat])
    if view.target > MOST_PIPS:
        return number
    return f"{theme.pip * score}{theme.no_pip * (view.target - score)} {number}"


def is_in_hand(table: AtTable) -> bool:
    """A hand is being played, so that being out of it means something."""
    view = view_of(table)
    return view is not None and table.info.is_in_play and any(view.counts)


def marks_of(table: AtTable, seat: Seat, *, explains: bool = False) -> Iterator[Fragment]:
    """Marks of a seat in this hand. `explains`: in words for players new to the game."""
    view = view_of(table)
    yield from common_marks(table, seat)
    if view is None or not table.info.is_in_play:
        return
    if view.putter == seat:
        yield ALARM, f" {say('screen-mark-doubles' if view.is_doubling else 'screen-mark-put')} "
    if seat in view.seen_by:
        yield STRONG, say("screen-mark-takes-it" if view.is_doubling else "screen-mark-sees")
    if seat in view.givers:
        yield STRONG, say("screen-mark-gave")
    elif is_in_hand(table) and seat < len(view.playing) and not view.playing[seat]:
        yield STRONG, say("screen-mark-out")
    if view.dealer == seat:
        yield PLAIN, say("screen-mark-dealer")
    if view.eldest == seat:
        yield PLAIN, say("screen-mark-eldest-explained" if explains else "screen-mark-eldest")


def name_of(canvas: Canvas, table: AtTable, seat: Seat, room: int) -> list[Fragment]:
    """The name line, within so many columns."""
    view, you = view_of(table), table.seat
    is_partner = view is not None and you is not None and view.are_partners(you, seat)
    return name_in(table, seat, room, canvas, relation=say("screen-kind-partner") if is_partner else "")


def _purse(table: AtTable, seat: Seat) -> str:
    """`+1`; empty until a stake is won here."""
    return gain_of(table.info.seats[seat].purse) if any(info.purse for info in table.info.seats) else ""


def _purse_in_words(table: AtTable, seat: Seat, *, explains: bool) -> str:
    """`purse +1`, and what it counts."""
    purse = _purse(table, seat)
    if not purse:
        return ""
    count = abs(table.info.seats[seat].purse)
    return say("screen-purse-stakes", purse=purse, count=count) if explains else say("screen-purse-of", purse=purse)


def _length(parts: list[Fragment]) -> int:
    return sum(width_of(text) + 2 for _, text in parts) - 2


def draw_wide(canvas: Canvas, x: int, y: int, width: int, table: AtTable, seat: Seat, *, with_backs: bool) -> None:
    """Two lines: name and marks; score, purse and tricks."""
    view = view_of(table)
    end = canvas.put_all(x, y, name_of(canvas, table, seat, width - 16))
    room = x + width - end - 2
    marks = list(marks_of(table, seat, explains=True))
    for fragment in marks if _length(marks) <= room else marks_of(table, seat):
        end = canvas.put_all(end + 2, y, [fragment], width=max(x + width - end - 2, 0))
    if view is None or table.info.seats[seat].name is None:
        return
    score, tricks = score_of(view, seat, canvas.theme), ""
    if is_in_hand(table):
        taken = at_seat(view.tricks, seat, 0)
        tricks = say("screen-tricks-taken", count=taken)
    said = [
        "  ".join(filter(None, (score, _purse_in_words(table, seat, explains=explains), tricks)))
        for explains in (True, False)
    ]
    end = canvas.put(x + 2, y + 1, said[width_of(said[0]) > width - 2], width=width - 2)
    if with_backs and end + 3 < x + width:
        canvas.put(end + 3, y + 1, held(canvas, at_seat(view.counts, seat, 0), x + width - end - 3)[1], FAINT)


def draw_narrow(canvas: Canvas, x: int, y: int, width: int, table: AtTable, seat: Seat, *, with_backs: bool) -> None:
    """Three lines: name; score and purse; cards held, tricks taken and marks."""
    canvas.put_all(x, y, name_of(canvas, table, seat, width), width=width)
    view = view_of(table)
    if view is None or table.info.seats[seat].name is None:
        return
    canvas.put(x + 2, y + 1, f"{score_of(view, seat, canvas.theme)} {_purse(table, seat)}", width=width - 2)
    end = x + 2
    if with_backs and at_seat(view.counts, seat, 0):
        end = canvas.put(end, y + 2, held(canvas, at_seat(view.counts, seat, 0), width // 2)[1], FAINT) + 1
    if is_in_hand(table) and at_seat(view.tricks, seat, 0):
        end = canvas.put(end, y + 2, canvas.theme.taken * at_seat(view.tricks, seat, 0)) + 1
    for fragment in marks_of(table, seat):
        if end + width_of(fragment[1]) > x + width:
            break
        end = canvas.put_all(end, y + 2, [fragment]) + 1


def _parts_of_line(canvas: Canvas, table: AtTable, view: PutView, seat: Seat, *, explains: bool) -> list[Fragment]:
    parts = [(PLAIN, score_of(view, seat, canvas.theme)), *marks_of(table, seat, explains=explains)]
    if is_in_hand(table) and at_seat(view.tricks, seat, 0):
        parts.append((PLAIN, canvas.theme.taken * at_seat(view.tricks, seat, 0)))
    if purse := _purse_in_words(table, seat, explains=explains):
        parts.append((PLAIN, purse))
    return parts


def own_parts(canvas: Canvas, table: AtTable, seat: Seat, room: int) -> list[Fragment]:
    """Facts behind the name of the seat at the bottom; explained where there is room."""
    view = view_of(table)
    if view is None or table.info.seats[seat].name is None:
        return list(marks_of(table, seat))
    parts = _parts_of_line(canvas, table, view, seat, explains=True)
    return parts if _length(parts) <= room else _parts_of_line(canvas, table, view, seat, explains=False)


def draw_brief(canvas: Canvas, x: int, y: int, width: int, table: AtTable, seat: Seat) -> None:
    """One short line, where many sit: name, score, cards held, and as many marks as there is room for."""
    stop = x + width
    view = view_of(table)
    if view is None or table.info.seats[seat].name is None:
        canvas.put_all(x, y, name_of(canvas, table, seat, width), width=width)
        return
    score = at_seat(view.scores, seat, 0)
    tail: list[Fragment] = [(PLAIN, f"{score}/{view.target}")]
    if at_seat(view.counts, seat, 0):
        tail.append((FAINT, held(canvas, at_seat(view.counts, seat, 0), 0)[1]))
    tail += marks_of(table, seat)
    taken = min(sum(width_of(text) + 1 for _, text in tail[:3]), width - LEAST_NAME)
    end = canvas.put_all(x, y, name_of(canvas, table, seat, width - taken), width=width - taken)
    for fragment in tail:
        if end + 1 + width_of(fragment[1]) > stop:
            break
        end = canvas.put_all(end + 1, y, [fragment])
