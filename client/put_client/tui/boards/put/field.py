"""The table of Put: the others in rows at the top, the trick in the middle, the viewer's hand below.

It is drawn in the largest layout that fits, and every layout holds everything but drawings, so nothing is lost by a
small window. Places depend on the size of the hand as it was dealt, not on what is left of it, so nothing wanders.
"""

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple, assert_never

from put_client.tui.boards.put import seat_boxes
from put_client.tui.boards.put.story import lines_of, view_of, whole_rows
from put_client.tui.boards.round_table import Box, Plan, TableParts, call_of, draw_round, hand_x, marks_of_cards
from put_client.tui.boards.sitting_board import last_trick, sitting_of
from put_client.tui.model import AtTable, Travel
from put_client.tui.widgets.canvas import Canvas, Fragment, Line, columns_of, cut, width_of
from put_client.tui.widgets.card_faces import CardSize, draw_backs, draw_face, draw_place, marked_sign, style_of
from put_client.tui.widgets.theme import FAINT, LIT, PLAIN, STRONG
from put_protocol.cards import Card
from put_protocol.games.put import Moment, PutView, Worth
from put_protocol.games.tricks import TrickView
from put_protocol.seats import Seat
from put_text.catalogue import say

WIDEST = 46
"""Columns of a seat, at most."""

EMPTY_TRICKS = 3
"""Lines kept for the tricks before a hand is dealt."""

TRICK_COLUMN = 5
"""Columns that a card with its brackets takes."""


class Sizing(NamedTuple):
    """Sizes of what is drawn."""

    trick: CardSize | None
    """None: in words."""
    hand: CardSize
    backs: CardSize | None
    """None: as marks within the seat's lines."""
    backs_rows: int | None
    """Lines of each card that others hold; None: the whole card."""
    lift: int
    """Lines above the hand for the card chosen."""

    @property
    def backs_height(self) -> int:
        if self.backs is None:
            return 0
        return self.backs.height if self.backs_rows is None else self.backs_rows

    def least_centre(self, others: int) -> int:
        """Lines for the trick with its names."""
        if self.trick is None:
            return 2 if others > 3 else 1
        return 1 + self.trick.height


LAYOUTS = (
    Sizing(trick=CardSize.HUGE, hand=CardSize.HUGE, backs=CardSize.LARGE, backs_rows=None, lift=1),
    Sizing(trick=CardSize.LARGE, hand=CardSize.LARGE, backs=CardSize.MEDIUM, backs_rows=None, lift=1),
    Sizing(trick=CardSize.MEDIUM, hand=CardSize.LARGE, backs=CardSize.MEDIUM, backs_rows=None, lift=1),
    Sizing(trick=CardSize.MEDIUM, hand=CardSize.LARGE, backs=CardSize.SMALL, backs_rows=3, lift=1),
    Sizing(trick=CardSize.MEDIUM, hand=CardSize.MEDIUM, backs=CardSize.SMALL, backs_rows=3, lift=1),
    Sizing(trick=CardSize.SMALL, hand=CardSize.MEDIUM, backs=CardSize.SMALL, backs_rows=2, lift=1),
    Sizing(trick=CardSize.SMALL, hand=CardSize.SMALL, backs=CardSize.SMALL, backs_rows=2, lift=1),
    Sizing(trick=CardSize.SMALL, hand=CardSize.SMALL, backs=None, backs_rows=None, lift=1),
    Sizing(trick=CardSize.TINY, hand=CardSize.SMALL, backs=None, backs_rows=None, lift=0),
    Sizing(trick=CardSize.TINY, hand=CardSize.TINY, backs=None, backs_rows=None, lift=0),
    Sizing(trick=None, hand=CardSize.TINY, backs=None, backs_rows=None, lift=0),
)
"""Largest first."""


class SeatSize(Enum):
    """Layout of the others, in so many lines."""

    NARROW = 3
    WIDE = 2
    BRIEF = 1


class Arrangement(NamedTuple):
    """The plan of the table, with the sizes of what is Put's own on it."""

    plan: Plan
    layout: Sizing
    seat_size: SeatSize
    cards: int
    """Cards in the largest hand when this one was dealt: places are kept for so many."""

    @property
    def slot(self) -> int:
        """Columns for a card of the trick and the name under it."""
        size = self.layout.trick
        assert size is not None
        room = (self.plan.width - 2) // (len(self.plan.others) + 1)
        return max(min(max(size.width + 2, 11), room), size.width + 1)

    @property
    def fits(self) -> bool:
        plan, layout = self.plan, self.layout
        if plan.needs > plan.height or layout.hand.fan_width(self.cards) > plan.width - 2:
            return False
        if layout.backs is not None and layout.backs.fan_width(self.cards) > plan.column - 2:
            return False
        return layout.trick is None or self.slot * (len(plan.others) + 1) <= plan.width - 2


def field_of(table: AtTable, width: int, height: int, layouts: tuple[Sizing, ...] = LAYOUTS) -> Arrangement:
    """The largest field that fits, or else the smallest."""
    bottom, *others = table.order
    cards = max(_length_at(table), 3)
    fields: list[Arrangement] = []
    for layout in layouts:
        for seat_size, rows in _seatings(len(others), width):
            plan = Plan(
                width=width,
                height=height,
                others=tuple(others),
                bottom=bottom,
                direction=table.direction,
                sides=0,
                top_rows=rows,
                widest=WIDEST,
                least_centre=layout.least_centre(len(others)),
                box=seat_size.value + layout.backs_height,
                hand=layout.hand,
                lift=layout.lift,
            )
            fields.append(Arrangement(plan, layout, seat_size, cards))
    return next((field for field in fields if field.fits), fields[-1])


def least_height(table: AtTable, width: int) -> int:
    """Lines of the smallest field with drawn cards."""
    return field_of(table, width, 0, LAYOUTS[-2:-1]).plan.needs


def _seatings(others: int, width: int) -> Iterator[tuple[SeatSize, int]]:
    """Ways in which the others may sit, most to be seen of them first. Up to three always sit in one row."""
    if others <= 3:
        yield (SeatSize.WIDE if width // max(others, 1) >= seat_boxes.WIDE else SeatSize.NARROW), 1
        return
    for size, least in (
        (SeatSize.WIDE, seat_boxes.WIDE),
        (SeatSize.NARROW, seat_boxes.NARROW),
        (SeatSize.BRIEF, seat_boxes.BRIEF),
    ):
        yield size, -(-others // max(width // least, 1))


def draw_field(canvas: Canvas, table: AtTable, field: Arrangement) -> None:
    """Draw everything between the header and the rule."""
    plan, view = field.plan, view_of(table)
    draw_round(canvas, table, plan, _shown(canvas, table, field))
    if view is not None:
        x = hand_x(plan, field.cards) + plan.hand.fan_width(field.cards) + 3
        _draw_away(canvas, view, x, plan.hand_top + plan.hand.height - 2, plan.width)
    if table.travel is not None and table.info.is_in_play:
        _draw_travel(canvas, table, field, table.travel)


def _shown(canvas: Canvas, table: AtTable, field: Arrangement) -> TableParts:
    view, bottom = view_of(table), field.plan.bottom
    hand = () if view is None else view.cards
    name = seat_boxes.name_of(canvas, table, bottom, 24)
    return TableParts(
        draw_seat=lambda canvas, box: _draw_seat(canvas, table, field, box),
        draw_centre=lambda canvas: _draw_trick(canvas, table, field),
        headline=_headline(table),
        name=name,
        own=seat_boxes.own_parts(canvas, table, bottom, field.plan.own_room(name)),
        story=lambda width, height: _hands(canvas, table, width, height),
        hand=hand,
        kept=field.cards,
        backs=0 if hand or view is None or bottom >= len(view.counts) else view.counts[bottom],
        marks=marks_of_cards(table, hand),
    )


def _hands(canvas: Canvas, table: AtTable, width: int, height: int) -> list[Line]:
    """The last hands of the game, with their tricks where there is room for all of them."""
    sitting = sitting_of(table)
    if not sitting.hands or height < 2:
        return []
    head, *hands = lines_of(table, sitting, width, canvas.theme, with_tricks=True)
    if len(hands) >= height:
        head, *hands = lines_of(table, sitting, width, canvas.theme, with_tricks=False)
    return [head, *whole_rows(hands, height - 1)]


def _draw_seat(canvas: Canvas, table: AtTable, field: Arrangement, box: Box) -> None:
    layout, seat = field.layout, box.seat
    with_marks = layout.backs is None
    start = box.x + 2
    match field.seat_size:
        case SeatSize.BRIEF:
            seat_boxes.draw_brief(canvas, box.x + 1, box.y, box.width - 1, table, seat)
        case SeatSize.NARROW:
            seat_boxes.draw_narrow(canvas, box.x + 1, box.y, box.width - 1, table, seat, with_backs=with_marks)
        case SeatSize.WIDE:
            seat_boxes.draw_wide(canvas, box.x + 1, box.y, box.width - 1, table, seat, with_backs=with_marks)
            fan = layout.backs.fan_width(field.cards) if layout.backs is not None else 0
            start = box.x + max((box.width - fan) // 2, 0)
        case _:
            assert_never(field.seat_size)
    view = view_of(table)
    if layout.backs is not None and view is not None and seat < len(view.counts):
        y = box.y + field.seat_size.value
        draw_backs(canvas, start, y, view.counts[seat], layout.backs, rows=layout.backs_rows)


def _trick_top(field: Arrangement) -> int:
    """The line on which the trick begins."""
    _, top, _, height = field.plan.centre
    return top + max(height - field.layout.least_centre(len(field.plan.others)), 0) // 2


def _draw_trick(canvas: Canvas, table: AtTable, field: Arrangement) -> None:
    """Draw the trick in play, or else the last one."""
    view = view_of(table)
    if view is None:
        return
    last = last_trick(table, view.past)
    is_old = not (view.trick.seats or (view.putter is not None and not view.past)) and bool(last.seats)
    trick = last if is_old else TrickView(view.trick.seats, view.trick.cards)
    played = tuple(zip(trick.seats, trick.cards, strict=False))
    y = _trick_top(field)
    if field.layout.trick is None:
        _draw_trick_in_words(canvas, table, field, y, played, trick.winner)
        return
    places = len(played) if is_old else _places(view)
    x = (field.plan.width - field.slot * places) // 2
    for place in range(places):
        seat, card = played[place] if place < len(played) else (None, None)
        _draw_slot(canvas, table, field, x + place * field.slot, y, seat, card, is_old=is_old, winner=trick.winner)


def _places(view: PutView) -> int:
    """Cards that the trick in play will have."""
    return max(sum(view.playing), len(view.trick.seats)) if any(view.counts) else len(view.trick.seats)


def _draw_travel(canvas: Canvas, table: AtTable, field: Arrangement, travel: Travel) -> None:
    """Draw a card on its way from its player to its place in the trick."""
    size, plan, view = field.layout.trick, field.plan, view_of(table)
    if size is None or view is None or travel.seat not in view.trick.seats:
        return
    left = (plan.width - field.slot * _places(view)) // 2 + view.trick.seats.index(travel.seat) * field.slot
    end_x, end_y = left + (field.slot - size.width) // 2, _trick_top(field)
    box = next((box for box in plan.boxes() if box.seat == travel.seat), None)
    x, y = (plan.width - size.width) // 2, plan.hand_top
    if box is not None:
        x, y = box.x + (box.width - size.width) // 2, box.y + 1
    x += round((end_x - x) * travel.share)
    y += round((end_y - y) * travel.share)
    draw_face(canvas, x, y, travel.card, size)


def _draw_slot(
    canvas: Canvas,
    table: AtTable,
    field: Arrangement,
    x: int,
    y: int,
    seat: Seat | None,
    card: Card | None,
    *,
    is_old: bool,
    winner: Seat | None,
) -> None:
    """A card of the trick with who played it, or the place where one will lie."""
    size, slot = field.layout.trick, field.slot
    assert size is not None
    at = x + (slot - size.width) // 2
    is_coming = table.travel is not None and table.travel.card == card and not is_old
    if seat is None or card is None or is_coming:
        draw_place(canvas, at, y, size)
        return
    is_faint = is_old and seat != winner
    draw_face(canvas, at, y, card, size, FAINT if is_faint else LIT if is_old else PLAIN)
    name = call_of(table, seat)
    if is_old and seat == winner:
        name = f"[{cut(name, slot - 3, canvas.theme.ellipsis)}]"
    name = cut(name, slot - 1, canvas.theme.ellipsis)
    canvas.put(x + (slot - width_of(name)) // 2, y + size.height, name, FAINT if is_faint else STRONG)


def _draw_trick_in_words(
    canvas: Canvas,
    table: AtTable,
    field: Arrangement,
    y: int,
    played: tuple[tuple[Seat, Card], ...],
    winner: Seat | None,
) -> None:
    """Draw it in as many lines as the middle has, with names as long as there is room for."""
    lines = field.layout.least_centre(len(field.plan.others))
    per_line = -(-len(played) // lines) or 1
    room = max(min((field.plan.width - 2) // per_line - 7, 12), 3)
    for line in range(lines):
        parts: list[Fragment] = []
        for seat, card in played[line * per_line : (line + 1) * per_line]:
            name = cut(call_of(table, seat), room, canvas.theme.ellipsis)
            parts.append((PLAIN, f"{'  ' if parts else ''}{name} "))
            sign = marked_sign(canvas.theme, card)
            parts.append((style_of(card, STRONG), f"[{sign}]" if seat == winner else sign))
        width = columns_of(parts)
        canvas.put_all(max((field.plan.width - width) // 2, 1), y + line, parts, width=field.plan.width - 1)


def _headline(table: AtTable) -> tuple[str, str]:
    """The last outcome, or what is being played."""
    view = view_of(table)
    if view is None or not any(view.counts) or (table.outcome and not view.trick.seats and view.putter is None):
        return STRONG, table.outcome
    number = len(view.past) + 1
    if view.moment is Moment.LAST_SAY:
        return FAINT, say("screen-trick-over")
    if view.putter is None:
        return FAINT, say("screen-trick-at-stake", number=number, stake=_at_stake(view, view.plain))
    who = table.speaker
    if not view.seen_by:
        message = "screen-trick-doubled" if view.is_doubling else "screen-trick-put"
        return STRONG, who.say(message, number=number, seat=view.putter)
    message, stake = "screen-trick-took" if view.is_doubling else "screen-trick-saw", _at_stake(view, view.accepted)
    saw = who.person("saw", view.seen_by[0])["saw"] if len(view.seen_by) == 1 else "many"
    names = who.names(view.seen_by)
    return STRONG, who.say(message, number=number, stake=stake, seat=view.putter, saw=saw, names=names)


def _at_stake(view: PutView, worth: Worth) -> str:
    """The stake of the hand."""
    if worth is not Worth.VALUE:
        return say("screen-for-game")
    return say("screen-for-points", count=view.value)


def _draw_away(canvas: Canvas, view: PutView, x: int, y: int, right: int) -> None:
    """Beside the hand: our own cards that left it without being played."""
    gone = (("gave", (view.gave,) if view.gave is not None else ()), ("threw", view.thrown))
    for line, (did, cards) in enumerate(gone, start=y):
        if cards and x + 6 < right:
            signs = " ".join(marked_sign(canvas.theme, card) for card in cards)
            canvas.put(x, line, f"{say(f'screen-mark-{did}')} {signs}", FAINT, width=right - x)


def _length_at(table: AtTable) -> int:
    view = view_of(table)
    return 0 if view is None else length_of(view)


def length_of(view: PutView) -> int:
    """Tricks of this hand: those played, and what is still held."""
    in_play = [count + (seat in view.trick.seats) for seat, count in enumerate(view.counts)]
    return len(view.past) + max(in_play, default=0)


def tricks_height(table: AtTable) -> int:
    """Lines of the pane: the same through a whole hand."""
    return 1 + max(_length_at(table), EMPTY_TRICKS)


def draw_tricks(canvas: Canvas, x: int, y: int, width: int, height: int, table: AtTable) -> None:
    """Draw the tricks, a column a seat. Where there are too many seats, draw the card that took each trick."""
    view = view_of(table)
    seats = table.order
    column = min((width - 3) // len(seats), 9)
    is_brief = column < TRICK_COLUMN
    first = x + 3 if is_brief else x + width - column * len(seats)
    canvas.put(x + 1, y, say("screen-tricks") if is_brief or first - x >= 8 else "", STRONG)
    for place, seat in enumerate(() if is_brief else seats):
        name = say("words-you") if seat == table.seat else table.info.seats[seat].name or ""
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
        word = f" {say('screen-tied')}" if has_word else ""
        canvas.put(x + 1, line, f"{number}{word}", FAINT)
        for seat, card in zip(trick.seats, trick.cards, strict=False):
            left, right = ("[", "]") if seat == trick.winner else ("=", "") if is_tied else (" ", "")
            fragments = [(PLAIN, left), (style_of(card), marked_sign(canvas.theme, card)), (PLAIN, right)]
            if not is_brief and seat in seats:
                canvas.put_all(first + seats.index(seat) * column, line, fragments)
            elif is_brief and seat == trick.winner:
                canvas.put_all(first, line, [*fragments, (PLAIN, f" {call_of(table, seat)}")], width=x + width - first)
