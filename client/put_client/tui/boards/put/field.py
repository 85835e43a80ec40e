"""The playing field: the others above, the trick in the middle, the viewer's hand below.

It is drawn in the largest layout that fits, and every layout holds everything but drawings, so nothing is lost by a
small window. Places depend on the size of the hand as it was dealt, not on what is left of it, so nothing wanders.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from put_client.tui.boards.put import seat_boxes
from put_client.tui.boards.put.story import lines_of, view_of
from put_client.tui.boards.sitting_board import sitting_of
from put_client.tui.boards.tricks import last_trick
from put_client.tui.model import AtTable, Travel, card_of, options_in_words
from put_client.tui.widgets.canvas import Canvas, ChoiceTarget, Fragment, KeyTarget, Line, Target, cut, width_of, wrap
from put_client.tui.widgets.card_faces import CardSize, draw_backs, draw_face, draw_fan, draw_place, sign_of, style_of
from put_client.tui.widgets.letters import word_rows
from put_client.tui.widgets.theme import FAINT, LIT, LOST, PLAIN, STRONG, WON
from put_protocol.cards import Card
from put_protocol.games.put import Moment, PutView, Worth
from put_protocol.games.tricks import TrickView
from put_protocol.seats import Seat

LARGE_END = 22
"""Lines from which the end of a game is said in large letters, above how it came about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How large things are drawn."""

    trick: CardSize | None
    """None: in words."""
    hand: CardSize
    backs: CardSize | None
    """None: as marks within the seat's lines."""
    backs_rows: int | None
    """Lines of each card that others hold; None: the whole card."""
    lift: int
    """Lines above the hand for the card chosen."""
    own_lines: int = 1
    """Lines for the player at the bottom, below their hand."""

    @property
    def backs_height(self) -> int:
        if self.backs is None:
            return 0
        return self.backs.height if self.backs_rows is None else self.backs_rows


LAYOUTS = (
    Layout(trick=CardSize.HUGE, hand=CardSize.HUGE, backs=CardSize.LARGE, backs_rows=None, lift=1, own_lines=2),
    Layout(trick=CardSize.LARGE, hand=CardSize.LARGE, backs=CardSize.MEDIUM, backs_rows=None, lift=1, own_lines=2),
    Layout(trick=CardSize.MEDIUM, hand=CardSize.LARGE, backs=CardSize.MEDIUM, backs_rows=None, lift=1, own_lines=2),
    Layout(trick=CardSize.MEDIUM, hand=CardSize.LARGE, backs=CardSize.SMALL, backs_rows=3, lift=1, own_lines=2),
    Layout(trick=CardSize.MEDIUM, hand=CardSize.MEDIUM, backs=CardSize.SMALL, backs_rows=3, lift=1, own_lines=2),
    Layout(trick=CardSize.SMALL, hand=CardSize.MEDIUM, backs=CardSize.SMALL, backs_rows=2, lift=1, own_lines=2),
    Layout(trick=CardSize.SMALL, hand=CardSize.MEDIUM, backs=CardSize.SMALL, backs_rows=2, lift=1),
    Layout(trick=CardSize.SMALL, hand=CardSize.SMALL, backs=CardSize.SMALL, backs_rows=2, lift=1),
    Layout(trick=CardSize.SMALL, hand=CardSize.SMALL, backs=None, backs_rows=None, lift=1),
    Layout(trick=CardSize.TINY, hand=CardSize.SMALL, backs=None, backs_rows=None, lift=0),
    Layout(trick=CardSize.TINY, hand=CardSize.TINY, backs=None, backs_rows=None, lift=0),
    Layout(trick=None, hand=CardSize.TINY, backs=None, backs_rows=None, lift=0),
)
"""Largest first."""


class SeatSize(Enum):
    """How the others are drawn, in so many lines."""

    NARROW = 3
    WIDE = 2
    BRIEF = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """Place and layout of the playing field."""

    width: int
    height: int
    rows: int
    """In which the others sit."""
    seat_size: SeatSize
    layout: Layout
    others: tuple[Seat, ...]
    bottom: Seat
    cards: int
    """In the largest hand when this one was dealt: what places are kept for."""

    @property
    def in_row(self) -> int:
        return -(-len(self.others) // self.rows) or 1

    @property
    def column(self) -> int:
        """Columns for each of the others."""
        return self.width // self.in_row

    @property
    def row_height(self) -> int:
        return self.seat_size.value + self.layout.backs_height

    @property
    def above(self) -> int:
        return self.rows * self.row_height

    @property
    def middle(self) -> int:
        """Lines of the trick, with the line that says what became of the last one."""
        if self.layout.trick is None:
            return 3 if len(self.others) > 3 else 2
        return 2 + self.layout.trick.height

    @property
    def below(self) -> int:
        """Lines of the hand, with digits and the viewer's own line."""
        return self.layout.lift + self.layout.hand.height + 1 + self.layout.own_lines


def field_of(table: AtTable, width: int, height: int, layout: Layout | None = None) -> Field:
    """The field in the largest layout that fits, or in the one given."""
    bottom, *others = table.order
    cards = max(_length_at(table), 3)
    fields = (
        Field(
            width=width,
            height=height,
            rows=rows,
            seat_size=seat_size,
            layout=tried,
            others=tuple(others),
            bottom=bottom,
            cards=cards,
        )
        for tried in ((layout,) if layout is not None else LAYOUTS)
        for seat_size, rows in _seatings(len(others), width)
    )
    for field in fields:
        if _fits(field):
            break
    return field


def least_height(table: AtTable, width: int) -> int:
    """Lines of the smallest field with drawn cards."""
    least = field_of(table, width, 0, LAYOUTS[-2])
    return least.above + least.middle + least.below


def _seatings(others: int, width: int) -> Iterator[tuple[SeatSize, int]]:
    """How the others may sit, most to be seen of them first. Up to three always sit in one row."""
    if others <= 3:
        yield (SeatSize.WIDE if width // max(others, 1) >= seat_boxes.WIDE else SeatSize.NARROW), 1
        return
    for size, least in (
        (SeatSize.WIDE, seat_boxes.WIDE),
        (SeatSize.NARROW, seat_boxes.NARROW),
        (SeatSize.BRIEF, seat_boxes.BRIEF),
    ):
        yield size, -(-others // max(width // least, 1))


def _fits(field: Field) -> bool:
    layout = field.layout
    if field.above + field.middle + field.below > field.height:
        return False
    if layout.backs is not None and layout.backs.fan_width(field.cards) > field.column - 2:
        return False
    slots = len(field.others) + 1
    if layout.trick is not None and _slot(field) * slots > field.width - 2:
        return False
    return layout.hand.fan_width(field.cards) <= field.width - 2


def _slot(field: Field) -> int:
    """Columns for a card of the trick and the name under it."""
    size = field.layout.trick
    assert size is not None
    wanted = max(size.width + 2, 11)
    return max(min(wanted, (field.width - 2) // (len(field.others) + 1)), size.width + 1)


def draw_field(canvas: Canvas, table: AtTable, field: Field) -> None:
    """Everything between the header and the rule."""
    spare = max(field.height - field.above - field.middle - field.below, 0)
    top = 1 + spare // 4
    middle = 1 + field.above + spare // 2
    bottom = 1 + field.height - field.below - spare // 8
    for place, seat in enumerate(field.others):
        row, at = divmod(place, field.in_row)
        is_outer = field.rows == 1 and len(field.others) > 2 and place in (0, len(field.others) - 1)
        drop = min(spare // 4, 3) if is_outer else row * field.row_height
        _draw_other(canvas, table, field, at * field.column, top + drop, seat)
    if table.info.is_in_play:
        _draw_middle(canvas, table, field, middle)
    elif table.result:
        _draw_end(canvas, table, field, top + (field.rows - 1) * field.row_height + field.seat_size.value + 1)
    else:
        _draw_rules(canvas, table, field)
    _draw_bottom(canvas, table, field, bottom)  # last: where a window is too low for all, nothing covers a hand
    if table.travel is not None and table.info.is_in_play and field.layout.trick is not None:
        _draw_travel(canvas, field, table.travel, table, (top, middle, bottom))


def _draw_travel(canvas: Canvas, field: Field, travel: Travel, table: AtTable, lines: tuple[int, int, int]) -> None:
    """Draw a card on its way from its player to its place in the trick."""
    top, middle, bottom = lines
    size = field.layout.trick
    view = view_of(table)
    if size is None or view is None or travel.seat not in view.trick.seats:
        return
    played = view.trick.seats
    places = max(sum(view.playing), len(played))
    slot = _slot(field)
    end_x = (field.width - slot * places) // 2 + played.index(travel.seat) * slot + (slot - size.width) // 2
    if travel.seat == field.bottom:
        x, y = (field.width - size.width) // 2, bottom
    else:
        place = field.others.index(travel.seat) if travel.seat in field.others else 0
        row, at = divmod(place, field.in_row)
        x, y = at * field.column + (field.column - size.width) // 2, top + row * field.row_height + 1
    x += round((end_x - x) * travel.share)
    y += round((middle + 1 - y) * travel.share)
    draw_face(canvas, x, y, travel.card, size)


def _draw_rules(canvas: Canvas, table: AtTable, field: Field) -> None:
    """The rules in short, for a table before its first game."""
    offer = table.offer
    width = min(field.width - 4, 60)
    lines: list[Fragment] = [(STRONG, table.info.game if offer is None else offer.title), (PLAIN, "")]
    if offer is not None:
        lines += [(PLAIN, row) for row in wrap(offer.summary, width)] + [(PLAIN, "")]
    options = ", ".join(options_in_words(table.info.options))
    lines += [(FAINT, row) for row in wrap(options, width)]
    top = 1 + field.above
    room = field.height - field.above - 2
    y = top + max((room - len(lines)) // 2, 0)
    for line, (style, row) in enumerate(lines[:room], start=y):
        canvas.put((field.width - width) // 2, line, row, style)


def _draw_end(canvas: Canvas, table: AtTable, field: Field, y: int) -> None:
    """Draw the result of the game in the place of the hand, and as many hands as there is room for."""
    width = min(field.width - 4, 76)
    x = (field.width - width) // 2
    room = field.height - y - field.layout.own_lines + 1
    lines: list[Line] = [((STRONG, row),) for row in wrap(table.result, width)]
    sitting = sitting_of(table)
    if table.ending is not None and room >= LARGE_END:
        rows = word_rows(table.ending.word, has_blocks=canvas.theme.has_blocks)
        style = STRONG if table.ending.is_good is None else WON if table.ending.is_good else LOST
        lines = [*(((style, row),) for row in rows), (), *lines]
    if sitting.hands and room > len(lines) + 3:
        left = room - len(lines) - 1
        head, *hands = lines_of(table, sitting, width, canvas.theme, with_tricks=True)
        if len(hands) >= left:
            head, *hands = lines_of(table, sitting, width, canvas.theme, with_tricks=False)
        lines += [(), head, *hands[-(left - 1) :]]
    for line, fragments in enumerate(lines[:room], start=y):
        canvas.put_all(x, line, fragments, width=width)


def _draw_other(canvas: Canvas, table: AtTable, field: Field, x: int, y: int, seat: Seat) -> None:
    layout = field.layout
    with_marks = layout.backs is None
    start = x + 3
    match field.seat_size:
        case SeatSize.BRIEF:
            seat_boxes.draw_brief(canvas, x + 1, y, field.column - 1, table, seat)
        case SeatSize.NARROW:
            seat_boxes.draw_narrow(canvas, x + 1, y, field.column - 2, table, seat, with_backs=with_marks)
        case SeatSize.WIDE:
            left = x + (field.column - seat_boxes.WIDE) // 2
            width = seat_boxes.WIDE + max((field.column - seat_boxes.WIDE) // 2 - 1, 0)
            seat_boxes.draw_wide(canvas, left, y, width, table, seat, with_backs=with_marks)
            fan = layout.backs.fan_width(field.cards) if layout.backs is not None else 0
            start = x + (field.column - fan) // 2
        case _:
            assert_never(field.seat_size)
    view = view_of(table)
    if layout.backs is not None and view is not None and seat < len(view.counts):
        count = view.counts[seat]
        draw_backs(canvas, start, y + field.seat_size.value, count, layout.backs, rows=layout.backs_rows)


def _draw_middle(canvas: Canvas, table: AtTable, field: Field, y: int) -> None:
    """The trick in play, or else the last one and what it came to."""
    style, says = _headline(table)
    lines = wrap(says, field.width - 4)
    if len(lines) > 1:
        lines = (lines[0], cut(" ".join(lines[1:]), field.width - 4, canvas.theme.ellipsis))
    is_two = len(lines) > 1 and field.height - field.above - field.middle - field.below >= 2
    shown = lines if is_two else (cut(says, field.width - 4, canvas.theme.ellipsis),)
    for number, line in enumerate(shown):
        canvas.put((field.width - width_of(line)) // 2, y - len(shown) + 1 + number, line, style)
    view = view_of(table)
    if view is None:
        return
    in_play = bool(view.trick.seats) or (view.putter is not None and not view.past)
    last = last_trick(table, view.past)
    if in_play or not last.seats:
        played = tuple(zip(view.trick.seats, view.trick.cards, strict=False))
        places = max(sum(view.playing), len(played)) if any(view.counts) else 0
        winner = None
    else:
        played = tuple(zip(last.seats, last.cards, strict=False))
        places, winner = len(played), last.winner
    if field.layout.trick is None:
        _draw_trick_in_words(canvas, table, field, y + 1, played, winner)
        return
    slot = _slot(field)
    x = (field.width - slot * places) // 2
    for place in range(places):
        seat, card = played[place] if place < len(played) else (None, None)
        _draw_slot(canvas, table, field, x + place * slot, y + 1, seat, card, is_old=not in_play, winner=winner)


def _draw_slot(
    canvas: Canvas,
    table: AtTable,
    field: Field,
    x: int,
    y: int,
    seat: Seat | None,
    card: Card | None,
    *,
    is_old: bool,
    winner: Seat | None,
) -> None:
    """A card of the trick with who played it, or the place where one will lie."""
    size, slot = field.layout.trick, _slot(field)
    assert size is not None
    at = x + (slot - size.width) // 2
    is_coming = table.travel is not None and table.travel.card == card and not is_old
    if seat is None or card is None or is_coming:
        draw_place(canvas, at, y, size)
        return
    is_faint = is_old and seat != winner
    draw_face(canvas, at, y, card, size, FAINT if is_faint else LIT if is_old else PLAIN)
    name = _name(table, seat)
    if is_old and seat == winner:
        name = f"[{cut(name, slot - 3, canvas.theme.ellipsis)}]"
    name = cut(name, slot - 1, canvas.theme.ellipsis)
    canvas.put(x + (slot - width_of(name)) // 2, y + size.height, name, FAINT if is_faint else STRONG)


def _draw_trick_in_words(
    canvas: Canvas, table: AtTable, field: Field, y: int, played: tuple[tuple[Seat, Card], ...], winner: Seat | None
) -> None:
    """In as many lines as the middle has, with names as long as there is room for."""
    lines = field.middle - 1
    per_line = -(-len(played) // lines) or 1
    room = max(min((field.width - 2) // per_line - 7, 12), 3)
    for line in range(lines):
        parts: list[Fragment] = []
        for seat, card in played[line * per_line : (line + 1) * per_line]:
            name = cut(_name(table, seat), room, canvas.theme.ellipsis)
            parts.append((PLAIN, f"{'  ' if parts else ''}{name} "))
            sign = sign_of(canvas.theme, card)
            parts.append((style_of(card, STRONG), f"[{sign}]" if seat == winner else sign))
        width = sum(width_of(text) for _, text in parts)
        canvas.put_all(max((field.width - width) // 2, 1), y + line, parts, width=field.width - 1)


def _name(table: AtTable, seat: Seat) -> str:
    return "you" if seat == table.seat else table.name(seat)


def _headline(table: AtTable) -> tuple[str, str]:
    """The last outcome, or what is being played."""
    view = view_of(table)
    if view is None or not any(view.counts) or (table.outcome and not view.trick.seats and view.putter is None):
        return STRONG, table.outcome
    trick = f"Trick {len(view.past) + 1}"
    if view.moment is Moment.LAST_SAY:
        return FAINT, "The first trick is over"
    if view.putter is None:
        return FAINT, f"{trick}, {_at_stake(view, view.plain)}"
    did, saw = ("doubled", "took") if view.is_doubling else ("put", "saw")
    putter = _name(table, view.putter)
    if view.seen_by:
        seers = " and ".join(_name(table, seat) for seat in view.seen_by)
        return STRONG, f"{trick}, {_at_stake(view, view.accepted)}: {putter} {did}, {seers} {saw} it"
    return STRONG, f"{trick}: {putter} {'have' if view.putter == table.seat else 'has'} {did}"


def _at_stake(view: PutView, worth: Worth) -> str:
    """The stake of the hand."""
    if worth is not Worth.VALUE:
        return "for the game"
    return "for a point" if view.value == 1 else f"for {view.value} points"


def _draw_bottom(canvas: Canvas, table: AtTable, field: Field, y: int) -> None:
    """Draw the hand of the player at the bottom, and their own line."""
    size = field.layout.hand
    view = view_of(table)
    x = max((field.width - size.fan_width(field.cards)) // 2, 1)
    top = y + field.layout.lift
    if view is not None:
        if not view.cards:  # the gallery's view, or no hand is taken up yet
            count = view.counts[field.bottom] if field.bottom < len(view.counts) else 0
            draw_backs(canvas, x, top, count, size)
        else:
            _draw_hand(canvas, table, view, x, top, size, can_lift=bool(field.layout.lift))
        _draw_away(canvas, view, x + size.fan_width(field.cards) + 3, top + size.height - 2, field.width)
    line = top + size.height + 1
    if field.layout.own_lines == 2:
        left = (field.width - seat_boxes.WIDE) // 2
        width = seat_boxes.WIDE + max(left - 1, 0)
        seat_boxes.draw_wide(canvas, left, line, width, table, field.bottom, with_backs=False)
        return
    width = min(field.width - 2, 56)
    seat_boxes.draw_line(canvas, (field.width - width) // 2, line, width, table, field.bottom)


def _draw_away(canvas: Canvas, view: PutView, x: int, y: int, right: int) -> None:
    """Beside the hand: our own cards that left it without being played."""
    gone = (("gave", (view.gave,) if view.gave is not None else ()), ("threw", view.thrown))
    for line, (word, cards) in enumerate(gone, start=y):
        if cards and x + 6 < right:
            signs = " ".join(sign_of(canvas.theme, card) for card in cards)
            canvas.put(x, line, f"{word} {signs}", FAINT, width=right - x)


def _draw_hand(
    canvas: Canvas, table: AtTable, view: PutView, x: int, y: int, size: CardSize, *, can_lift: bool
) -> None:
    hand = view.cards
    places = {card_of(choice.action): place for place, choice in enumerate(table.legal)}
    chosen = card_of(table.legal[table.chosen].action) if table.chosen is not None and table.legal else None
    raised = (hand.index(chosen),) if chosen in hand else ()
    playable = places.keys() - {None}
    faint = [table.is_asked and bool(playable) and card not in playable for card in hand]
    draw_fan(canvas, x, y, hand, size, raised=raised, faint=faint, can_lift=can_lift)
    for at, card in enumerate(hand):
        place = places.get(card)
        if place is not None and table.decision is not None:
            what: Target = ChoiceTarget(table.decision.decision, place)
        else:
            what = KeyTarget(str(at + 1))  # which says why not
        width = size.width if at == len(hand) - 1 else size.step
        canvas.spot(x + at * size.step, y - 1 if can_lift else y, width, size.height + 1 + can_lift, what)


EMPTY_TRICKS = 3
"""Lines kept for the tricks before a hand is dealt."""

TRICK_COLUMN = 5
"""Columns that a card with its brackets takes."""


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
