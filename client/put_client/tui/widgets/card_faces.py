"""Drawn cards: face up, face down, and empty places, in five sizes. The largest have pips.

A trump shows its number as on the card, `XXI`, without a suit sign. The longest, `XVIII`, takes five columns, so tarot
cards are wider than French ones.
"""

from collections.abc import Collection, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from put_client.tui.widgets.blocks import word_rows
from put_client.tui.widgets.canvas import Canvas, Line
from put_client.tui.widgets.theme import ALARM, BACK, CARD, FAINT, LIT, PLAIN, STRONG, SUITS, Theme
from put_protocol.cards import FOOL, TRUMPS, Card, rank_of, roman, suit_of
from put_text.catalogue import say


class _Cells(NamedTuple):
    width: int
    height: int
    step: int
    """Columns from one card of a fan to the next: never so few that rank or suit is covered."""


class CardSize(_Cells, Enum):
    HUGE = (13, 11, 8)
    LARGE = (9, 7, 6)
    MEDIUM = (7, 5, 5)
    SMALL = (5, 4, 4)
    TINY = (5, 3, 4)
    WIDE_MEDIUM = (7, 5, 6)
    WIDE_SMALL = (7, 4, 6)
    WIDE_TINY = (7, 3, 6)

    def fan_width(self, cards: int) -> int:
        return self.width + self.step * (cards - 1) if cards else 0


_TAROT = frozenset("wbuot")
"""Suits of the tarot pack, whose signs are not widely known: a word for each is on the card."""

UNPROVED = "?"


def _index_of(theme: Theme, card: Card) -> str:
    """The corner of a card: its rank, with the suit sign for a tarot pack."""
    suit = suit_of(card)
    if suit != TRUMPS:
        return sign_of_rank(rank_of(card)) + (theme.suits[suit] if suit in _TAROT else "")
    number = rank_of(card)
    if card == FOOL:
        return say("screen-fool")
    return roman(int(number)) if number.isdecimal() and number.isascii() else number


def sign_of_rank(rank: str) -> str:
    """A rank as on a card: `10`, `K`."""
    return rank if rank.isdecimal() else say("screen-rank", rank=rank)


def sign_of(theme: Theme, card: Card) -> str:
    """The card in as few characters as possible: `10♥`, `XXI`, `Fool`."""
    suit = suit_of(card)
    index = _index_of(theme, card)
    return index if suit in _TAROT else index + theme.suits.get(suit, suit)


def doubt_of(theme: Theme, card: Card) -> str:
    return "" if theme.is_proved or not card else UNPROVED


def marked_sign(theme: Theme, card: Card) -> str:
    return sign_of(theme, card) + doubt_of(theme, card)


def style_of(card: Card, style: str = PLAIN) -> str:
    return f"{style} {SUITS.get(suit_of(card), PLAIN)}".strip()


def draw_face(
    canvas: Canvas, x: int, y: int, card: Card, size: CardSize, style: str = PLAIN, *, is_covered: bool = False
) -> None:
    """A card face up; of a covered card the right side is not drawn."""
    rank = _index_of(canvas.theme, card)
    suit = canvas.theme.suits.get(suit_of(card), suit_of(card))
    inside = size.width - 2
    if suit_of(card) in _TAROT:  # the word stands where no other card covers it
        suit = "" if card == FOOL else say("screen-suit", suit=suit_of(card)).center(min(inside, size.step - 1))
    middle = suit if len(suit) > 1 else suit.center(inside)
    match size:
        case CardSize.TINY:
            rows = [sign_of(canvas.theme, card).rjust(inside)]
        case CardSize.WIDE_TINY:
            rows = [sign_of(canvas.theme, card).ljust(inside)]
        case CardSize.SMALL | CardSize.WIDE_SMALL:
            rows = [rank.ljust(inside), middle]
        case CardSize.MEDIUM | CardSize.WIDE_MEDIUM:
            rows = [rank.ljust(inside), middle, rank.rjust(inside)]
        case CardSize.HUGE if len(suit) == 1:
            rows = _with_pips(canvas.theme, rank, suit, inside, size.height - 2)
        case _:
            corner = "" if len(suit) > 1 else suit
            rows = [rank.ljust(inside), corner.ljust(inside), middle]
            rows += [corner.rjust(inside), rank.rjust(inside)]
    outline = f"{CARD} {style}".strip()
    lines = canvas.theme.lit if style == LIT else canvas.theme.outline(canvas.theme.card_corners)
    canvas.box(x, y, size.width, size.height, outline=lines, style=outline)
    doubt = doubt_of(canvas.theme, card)
    canvas.put(x + 1, y, doubt, f"{CARD} {ALARM if doubt == UNPROVED else outline}")
    if is_covered and len(rows) > 2 and size is not CardSize.HUGE:
        rows = rows[: len(rows) // 2 + 1]
    canvas.put_rows(x + 1, y + 1, rows, style_of(card, f"{outline} {STRONG}" if style != FAINT else outline))


_LEFT, _MIDDLE, _RIGHT = 3, 5, 7
_PIPS: Mapping[str, tuple[tuple[int, int], ...]] = {
    "A": ((_MIDDLE, 4),),
    "2": ((_MIDDLE, 2), (_MIDDLE, 6)),
    "3": ((_MIDDLE, 1), (_MIDDLE, 4), (_MIDDLE, 7)),
    "4": ((_LEFT, 2), (_RIGHT, 2), (_LEFT, 6), (_RIGHT, 6)),
    "5": ((_LEFT, 2), (_RIGHT, 2), (_MIDDLE, 4), (_LEFT, 6), (_RIGHT, 6)),
    "6": ((_LEFT, 2), (_RIGHT, 2), (_LEFT, 4), (_RIGHT, 4), (_LEFT, 6), (_RIGHT, 6)),
    "7": ((_LEFT, 1), (_RIGHT, 1), (_MIDDLE, 3), (_LEFT, 4), (_RIGHT, 4), (_LEFT, 7), (_RIGHT, 7)),
    "8": ((_LEFT, 1), (_RIGHT, 1), (_MIDDLE, 3), (_LEFT, 4), (_RIGHT, 4), (_MIDDLE, 5), (_LEFT, 7), (_RIGHT, 7)),
    "9": (*tuple((x, y) for y in (1, 3, 5, 7) for x in (_LEFT, _RIGHT)), (_MIDDLE, 4)),
    "10": (*tuple((x, y) for y in (1, 3, 5, 7) for x in (_LEFT, _RIGHT)), (_MIDDLE, 2), (_MIDDLE, 6)),
}
"""Columns and lines of pips on the largest cards, as on printed ones."""


def _with_pips(theme: Theme, rank: str, suit: str, width: int, height: int) -> list[str]:
    """The inside of one of the largest cards: pips, or the letter of a court card; neither for a rank that no card has,
    as of a place in the pack."""
    cells = [[" "] * width for _ in range(height)]
    for x, y in _PIPS.get(rank, ()):
        cells[y][x] = suit
    rows = ["".join(row) for row in cells]
    if rank not in _PIPS and (picture := word_rows(rank, has_blocks=theme.has_blocks)):
        top = (height - len(picture)) // 2
        left = " " * ((width - len(picture[0])) // 2)  # not one more, which the next card of a fan would cover
        rows[top : top + len(picture)] = [f"{left}{row}".ljust(width) for row in picture]
    corner, below = rank.ljust(2), suit.ljust(2)
    rows[0], rows[1] = corner + rows[0][2:], below + rows[1][2:]
    rows[-1], rows[-2] = rows[-1][:-2] + rank.rjust(2), rows[-2][:-2] + suit.rjust(2)
    return rows


def draw_place(canvas: Canvas, x: int, y: int, size: CardSize) -> None:
    canvas.box(x, y, size.width, size.height, outline=(*"    ", *canvas.theme.dotted), style=FAINT)


def draw_fan(
    canvas: Canvas,
    x: int,
    y: int,
    cards: Sequence[Card],
    size: CardSize,
    *,
    raised: Collection[int],
    barred: Collection[int],
    can_lift: bool,
) -> None:
    """Cards face up, each over the previous one; raised ones are one line higher if there is room. Below the first nine
    are their digits, or a mark if they are barred."""
    for place, card in enumerate(cards):
        is_raised, is_last = place in raised, place == len(cards) - 1
        style, at = FAINT if place in barred else PLAIN, x + place * size.step
        draw_face(canvas, at, y - (is_raised and can_lift), card, size, style, is_covered=not is_last)
        if place < 9:
            digit = canvas.theme.separator if place in barred else str(place + 1)
            label = f"[{digit}]" if is_raised else digit
            middle = ((size.width if is_last else size.step) - len(label)) // 2
            canvas.put(at + middle, y + size.height, label, STRONG if is_raised or not style else FAINT)


def draw_backs(canvas: Canvas, x: int, y: int, cards: int, size: CardSize, *, rows: int | None = None) -> None:
    """Cards face down; with `rows` only their lowest lines, as if held above the table."""
    theme, inside = canvas.theme, size.width - 2
    top_left, top_right, bottom_left, bottom_right, across, down = theme.outline(theme.card_corners)
    lines: list[Line] = [((CARD, top_left + across * inside + top_right),)]
    lines += [((CARD, down), (BACK, theme.card_back * inside), (CARD, down))] * (size.height - 2)
    lines.append(((CARD, bottom_left + across * inside + bottom_right),))
    for at in range(x, x + cards * size.step, size.step):
        canvas.put_lines(at, y, lines[-rows:] if rows else lines)
