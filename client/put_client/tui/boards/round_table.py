"""A round table: the other players in a ring or in rows, the centre, and the viewer's hand below. For any family.

The next player sits at the viewer's left where the game goes clockwise, at their right where it goes the other way; the
others follow from there over the top. A family defines the content of a seat's box, and its preferred height. The
largest plan that fits is drawn. A plan depends on the size of the window, the number of seats and the dealt size of the
hand, so nothing moves during a hand.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from put_client.tui.boards import common_marks, name_in, rules_in_short
from put_client.tui.model import AtTable, card_of
from put_client.tui.widgets.blocks import word_rows
from put_client.tui.widgets.canvas import (
    Canvas,
    ChoiceTarget,
    Fragment,
    KeyTarget,
    Line,
    Target,
    columns_of,
    whole_clauses,
    width_of,
    wrapped,
)
from put_client.tui.widgets.card_faces import CardSize, draw_backs, draw_fan
from put_client.tui.widgets.theme import FAINT, LOST, PLAIN, STRONG, WON
from put_protocol.cards import Card
from put_protocol.seats import Direction, Seat

Value = TypeVar("Value")
LEAST_SEAT_COLUMNS = 16

LEAST_CENTRE = 2
"""Least height of the centre without seats at the sides."""

LARGE_END = 22
"""Height from which the end of a game is shown in large letters, above the reason."""

WIDEST_SIDE = 30
LEAST_NAME_WIDTH = 8
OWN_LINE_WIDTH = 50


class Layout(NamedTuple):
    hand: CardSize
    lift_lines: int
    seat_lines: int
    least_centre: int = LEAST_CENTRE


FRENCH = (CardSize.HUGE, CardSize.LARGE, CardSize.MEDIUM, CardSize.SMALL, CardSize.TINY)
TAROT = (CardSize.LARGE, CardSize.WIDE_MEDIUM, CardSize.WIDE_SMALL, CardSize.WIDE_TINY)


def layouts_of(sizes: Sequence[CardSize]) -> tuple[Layout, ...]:
    """Layouts from the largest to the smallest. `sizes`: of cards in the hand, the last two for small windows."""
    *_, small, tiny = sizes
    smallest = [Layout(tiny, 0, box) for box in (5, 3, 2, 1)]
    return (*(Layout(size, 1, 5) for size in sizes[:-1]), Layout(small, 1, 3), *smallest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    seat: Seat
    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    width: int
    height: int
    others: tuple[Seat, ...]
    """The other seats, in the order of play."""
    direction: Direction
    seats_a_side: int
    top_rows: int = 1
    hand: CardSize
    lift_lines: int
    seat_lines: int
    least_centre: int

    @property
    def at_top(self) -> int:
        return len(self.others) - 2 * self.seats_a_side

    @property
    def rows(self) -> int:
        return self.seats_a_side + (self.top_rows if self.at_top else 0)

    @property
    def middle_lines(self) -> int:
        return max(self.seat_lines * self.seats_a_side, self.least_centre)

    @property
    def top_lines(self) -> int:
        return self.seat_lines * self.top_rows if self.at_top else 0

    @property
    def hand_lines(self) -> int:
        return self.lift_lines + self.hand.height + 2

    @property
    def needed_lines(self) -> int:
        return self.top_lines + self.middle_lines + 1 + self.hand_lines

    @property
    def top_seat_width(self) -> int:
        return self.width // max(-(-self.at_top // self.top_rows), 1)

    @property
    def spare(self) -> int:
        return max(self.height - self.needed_lines, 0)

    @property
    def row_gap(self) -> int:
        return min(self.spare // (self.rows + 1), 2)

    @property
    def headline(self) -> int:
        """Its line, counted from 1."""
        gaps = self.row_gap * max(self.rows - 1, 0)
        return 1 + self.top_lines + self.middle_lines + gaps + max(self.spare - gaps, 0) * 2 // 3

    @property
    def hand_top(self) -> int:
        """First line of the hand, counted from 1."""
        return self.headline + 1 + self.lift_lines

    @property
    def side_width(self) -> int:
        return min(self.width // 3, WIDEST_SIDE) if self.seats_a_side else 0

    def boxes(self) -> Iterator[Box]:
        """Boxes of the other seats, in the order of play."""
        step = self.seat_lines + self.row_gap
        top = 1 + (step if self.at_top else 0)
        for place, seat in enumerate(self.others):
            taken, width = self.side_width, self.side_width - 1
            if place < self.seats_a_side:
                at, y = 0, top + (self.seats_a_side - 1 - place) * step
            elif place < self.seats_a_side + self.at_top:
                row, column = divmod(place - self.seats_a_side, self.width // self.top_seat_width)
                taken = width = min(self.top_seat_width - 1, WIDEST_SIDE)
                at, y = column * self.top_seat_width + (self.top_seat_width - width) // 2, 1 + row * step
            else:
                at, y = self.width - self.side_width, top + (place - self.seats_a_side - self.at_top) * step
            x = at if self.direction is Direction.CLOCKWISE else self.width - at - taken
            yield Box(seat=seat, x=x, y=y, width=width, height=self.seat_lines)

    @property
    def centre(self) -> tuple[int, int, int, int]:
        """Column, line, width and height of the centre."""
        top = 1 + self.top_lines + self.row_gap * (max(self.top_rows - 1, 0) + bool(self.at_top and self.seats_a_side))
        return self.side_width, top, self.width - 2 * self.side_width, self.headline - top


def plan_of(
    table: AtTable, width: int, height: int, layouts: Sequence[Layout], *, cards: int = 1, is_in_rows: bool = False
) -> Plan:
    """The first layout that fits, otherwise the last. `cards`: in the hand; `is_in_rows`: no seats at the sides."""
    others = table.order[1:]
    most = max(width // LEAST_SEAT_COLUMNS, 1)
    sides = 0 if is_in_rows or len(others) < 2 else max(1, -(-(len(others) - most) // 2))
    plans = [
        Plan(
            width=width,
            height=height,
            others=others,
            direction=table.direction,
            seats_a_side=sides,
            top_rows=-(-len(others) // most) if is_in_rows else 1,
            **layout._asdict(),
        )
        for layout in layouts
    ]
    return next(
        (plan for plan in plans if plan.needed_lines <= height and plan.hand.fan_width(cards) < width - 1), plans[-1]
    )


class HandMarks(NamedTuple):
    """Marks of the viewer's hand, by position of the cards."""

    raised: Collection[int] = ()
    """Positions of chosen cards."""

    barred: Collection[int] = ()
    """Positions of cards that may not be played now."""
    legal: Mapping[int, int] = {}
    """Legal action of a position that a click does."""


def marks_of_cards(table: AtTable, hand: Sequence[Card]) -> HandMarks:
    """Marks if each legal action about a card plays it."""
    legal = {hand.index(card): at for at, c in enumerate(table.legal) if (card := card_of(c.action)) in hand}
    barred = [at for at in range(len(hand)) if at not in legal] if table.is_asked and legal else ()
    return HandMarks([place for place, at in legal.items() if at == table.chosen], barred, legal)


class TableParts(NamedTuple):
    name: Sequence[Fragment]
    """Name of the player at the bottom: the viewer's, if the viewer plays."""
    own: Sequence[Fragment]
    """Facts after the name; the last are omitted if space is short."""
    story: Callable[[int, int], list[Line]]
    """The game so far, in this width and at most this many lines."""
    centre: Sequence[Line] = ()
    """The first lines are the most important."""
    draw_centre: Callable[[Canvas, Plan], None] | None = None
    """Draws contents of the centre that are more than lines, or that move into it."""
    headline: Fragment = (PLAIN, "")
    explained: Sequence[Fragment] = ()
    """The facts in more words, if all fit."""
    hand: Sequence[Card] = ()
    """The viewer's hand in display order."""
    hand_room: int = 0
    hidden_cards: int = 0
    marks: HandMarks = HandMarks()


def draw_round(canvas: Canvas, table: AtTable, plan: Plan, shown: TableParts) -> None:
    if table.info.is_in_play:
        _draw_headline(canvas, plan, shown.headline)
        _draw_centre(canvas, plan, shown.centre)
    else:
        _draw_waiting(canvas, table, plan, shown.story)
    _draw_hand(canvas, table, plan, shown)
    if table.info.is_in_play and shown.draw_centre is not None:
        shown.draw_centre(canvas, plan)
    x, y = max((plan.width - OWN_LINE_WIDTH) // 2, 1), _own_line(plan)
    end = canvas.put_all(x, y, shown.name, width=plan.width - x - 1)
    room = plan.width - end - 3
    has_room = shown.explained and sum(width_of(text) + 2 for _, text in shown.explained) - 2 <= room
    draw_parts(canvas, end + 2, y, room, shown.explained if has_room else shown.own)


def _draw_headline(canvas: Canvas, plan: Plan, headline: Fragment) -> None:
    """One line, or two if there is room. The log beside it has longer sentences completely."""
    style, says = headline
    rows = whole_clauses(says, plan.width - 4, 1 + (plan.spare > 1), canvas.theme.ellipsis)
    for line, row in enumerate(rows, start=plan.headline + 1 - len(rows)):
        draw_centred(canvas, 0, line, plan.width, ((style, row),))


def _own_line(plan: Plan) -> int:
    return plan.hand_top + plan.hand.height + 1


def _draw_waiting(canvas: Canvas, table: AtTable, plan: Plan, story: Callable[[int, int], list[Line]]) -> None:
    """Draw the result of the last game and its `story`, or the next game's rules, instead of the hand."""
    x, top, width, _ = plan.centre
    least = 8 + 5 * (len(plan.others) + 1) if table.result else LEAST_SEAT_COLUMNS
    if not plan.seats_a_side or plan.seat_lines * plan.seats_a_side < 8 or width < least:
        # There is more room under the seats than between them.
        top = 1 + plan.top_lines + plan.seat_lines * plan.seats_a_side + plan.row_gap * max(plan.rows - 1, 0)
        x, width = 2, plan.width - 4
    room = _own_line(plan) - top
    lines = wrapped(table.result, width, STRONG) if table.result else rules_in_short(table, width)
    if table.ending is not None and room >= LARGE_END:
        rows = word_rows(table.ending.word, has_blocks=canvas.theme.has_blocks)
        style = STRONG if table.ending.is_good is None else WON if table.ending.is_good else LOST
        lines = [*(((style, row),) for row in rows), (), *lines]
    if table.result and room - len(lines) > 3:
        lines += [(), *story(width, room - len(lines) - 1)]
    canvas.put_lines(x, top + max((room - len(lines)) // 3, 0), lines[:room], width=width)


def draw_plain_seat(canvas: Canvas, table: AtTable, box: Box) -> None:
    x, width = box.x + 1, box.width - 1
    canvas.put_all(x, box.y, name_in(table, box.seat, width, canvas), width=width)
    if box.height > 1:
        draw_parts(canvas, x + 2, box.y + 1, width - 2, common_marks(table, box.seat))


def draw_seat_lines(
    canvas: Canvas,
    box: Box,
    name: Callable[[int], Sequence[Fragment]],
    rows: Sequence[Sequence[Fragment]],
    brief: Sequence[Fragment],
    marks: Sequence[Fragment] = (),
) -> None:
    """A seat: its name, made for a width, and `rows` below it; in a single line, `brief` after the name. `marks` come
    after the name if all fit, otherwise at the end of the rows."""
    x, y, width = box.x + 1, box.y, box.width - 1
    if box.height == 1:
        room = width - min(sum(width_of(text) + 2 for _, text in brief[:3] if text), width - LEAST_NAME_WIDTH)
        end = canvas.put_all(x, y, name(room), width=room)
        draw_parts(canvas, end + 2, y, x + width - end - 2, brief)
        return
    end, stop = canvas.put_all(x, y, name(width), width=width), x + width
    if end + sum(width_of(text) + 2 for _, text in marks) <= stop:
        draw_parts(canvas, end + 2, y, stop - end - 2, marks)
        marks = ()
    for line, parts in enumerate((*rows[:-1], (*rows[-1], *marks)), start=y + 1):
        draw_parts(canvas, x + 2, line, width - 2, parts)


def draw_parts(canvas: Canvas, x: int, y: int, width: int, parts: Sequence[Fragment]) -> None:
    """Draw as many parts as fit, with two blanks between them. Empty parts are skipped."""
    end, stop = x, x + width
    for style, text in parts:
        if text and end + width_of(text) <= stop:
            end = canvas.put(end, y, text, style) + 2


def draw_centred(canvas: Canvas, x: int, y: int, width: int, line: Line) -> None:
    """Draw a line centred in this width; a longer one is cut."""
    taken = columns_of(line)
    start = x + max((width - taken) // 2, 1)
    canvas.put_all(start, y, line, width=x + width - 1 - start)


def _draw_centre(canvas: Canvas, plan: Plan, lines: Sequence[Line]) -> None:
    x, top, width, height = plan.centre
    room = max(height, 1)
    lines = [line for line in lines if line][:room] if len(lines) > room else lines
    for y, line in enumerate(lines, start=top + max((room - len(lines)) // 2, 0)):
        draw_centred(canvas, x, y, width, line)


def _draw_hand(canvas: Canvas, table: AtTable, plan: Plan, shown: TableParts) -> None:
    size, hand, marks, y = plan.hand, shown.hand, shown.marks, plan.hand_top
    cards = max(len(hand), shown.hidden_cards, shown.hand_room, 1)
    x = max((plan.width - size.fan_width(cards)) // 2, 1)
    if not hand:
        draw_backs(canvas, x, y, shown.hidden_cards, size)
        return
    lifts = bool(plan.lift_lines)
    draw_fan(canvas, x, y, hand, size, raised=marks.raised, barred=marks.barred, can_lift=lifts)
    for at in range(len(hand)):
        place = marks.legal.get(at)
        what: Target = KeyTarget(str(at + 1))
        if place is not None and table.decision is not None:
            what = ChoiceTarget(table.decision.decision, place)
        width = size.width if at == len(hand) - 1 else size.step
        canvas.spot(x + at * size.step, y - plan.lift_lines, width, size.height + 1 + plan.lift_lines, what)


def at_seat(values: Sequence[Value], seat: Seat, default: Value) -> Value:
    return values[seat] if seat < len(values) else default


def gain_of(amount: int) -> str:
    """Gain or loss of a purse: `+3`, `-2`, `0`."""
    return f"{amount:+d}" if amount else "0"


def held(canvas: Canvas, count: int, room: int) -> Fragment:
    """Cards in a hand as marks, or as one mark and a number if they do not fit."""
    theme = canvas.theme
    if not count:
        return PLAIN, ""
    return FAINT, theme.held * count if count <= room else f"{theme.held}{count}"
