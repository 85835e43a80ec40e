"""A hand of Put in words, and its tricks, folded from events."""

from collections.abc import Iterator
from itertools import dropwhile

from put_client.tui.boards.round_table import call_of
from put_client.tui.boards.sitting_board import Sitting, ToldHand, in_words, right_aligned, tricks_of
from put_client.tui.model import AtTable
from put_client.tui.widgets.canvas import Fragment, Line, columns_of, width_of, wrap
from put_client.tui.widgets.card_faces import marked_sign, style_of
from put_client.tui.widgets.theme import FAINT, PLAIN, STRONG, Theme
from put_protocol.games import put
from put_protocol.games.tricks import TrickView
from put_protocol.games.unions import Event
from put_protocol.seats import Seat
from put_text.catalogue import say

_UNDER = " " * 5
"""Before a line that goes on with the hand above it."""

TOLD: tuple[type[Event], ...] = (
    *(put.DidPut, put.Doubled, put.Saw, put.ThrewIn, put.Gave, put.Accident, put.FreshDeal),
    *(put.HandEnded, put.GameEnded),
)


def view_of(table: AtTable) -> put.PutView | None:
    """The view, if there is one yet."""
    return table.view if isinstance(table.view, put.PutView) else None


def events_of(view: put.PutView) -> Iterator[Event]:
    """Events that lead to a view, for a player who comes to the table in the middle of a hand."""
    for number, trick in enumerate((*view.past, view.trick), 1):
        for seat, card in zip(trick.seats, trick.cards, strict=False):
            yield put.Played(seat, card, leads=seat == trick.seats[0])
        if number <= len(view.past):
            yield put.TrickEnded(number, trick.winner, trick.winner or Seat(0), ())
    if view.putter is not None and not view.is_doubling:
        yield put.DidPut(view.putter)
        yield from (put.Saw(seat) for seat in view.seen_by)


def lines_of(table: AtTable, sitting: Sitting, width: int, theme: Theme, *, with_tricks: bool) -> list[Line]:
    """Under a line of names, a line a hand: what was said, how it ended, and the score after it, the winner's in
    brackets. With `with_tricks` the cards of each hand follow."""
    seats = table.order
    column = 8 if len(seats) <= 4 and width >= 60 else max(min(8, (width - 28) // len(seats)), 4)
    left = width - column * len(seats)
    names = [right_aligned(call_of(table, seat), column) for seat in seats]
    head = say("screen-column-hand").ljust(left) + "".join(names)
    lines: list[Line] = [((FAINT, head),)]
    for hand in sitting.hands:
        scores, winner = _scores(hand)
        cells = [f"[{scores[s]}]" if s == winner else f"{scores[s]} " for s in seats if s < len(scores)]
        first, *rest = wrap(in_words(table, hand, TOLD, is_brief=True), left - 5)
        score = " " * (left - 5 - width_of(first)) + "".join(right_aligned(cell, column) for cell in cells)
        lines.append(((FAINT, f"{hand.number:>3}  "), (PLAIN, first), (STRONG, score)))
        lines += [((PLAIN, f"{_UNDER}{row}"),) for row in rest]
        if with_tricks:
            lines += _tricks(table, hand, width, theme)
    return lines


def whole_rows(hands: list[Line], height: int) -> list[Line]:
    """The last lines, from the first of them that begins a hand."""
    return list(dropwhile(lambda line: line[0][1].startswith(_UNDER), hands[-height:]))


def _tricks(table: AtTable, hand: ToldHand, width: int, theme: Theme) -> list[Line]:
    """Each trick with the player of each card; the card that took it is in brackets."""
    lines: list[Line] = []
    line: list[Fragment] = []
    tricks, is_open = tricks_of(hand)
    for number, trick in enumerate(tricks, 1):
        parts = _trick(table, trick, theme, is_tied=trick.winner is None and not (is_open and number == len(tricks)))
        needed = columns_of(parts) + 2
        if line and columns_of(line) + needed > width:
            lines.append(tuple(line))
            line = []
        line += [(FAINT, f"{theme.dot} " if line else _UNDER), *parts]
    return [*lines, tuple(line)] if line else lines


def _trick(table: AtTable, trick: TrickView, theme: Theme, *, is_tied: bool) -> list[Fragment]:
    parts: list[Fragment] = []
    for seat, card in zip(trick.seats, trick.cards, strict=False):
        left, right = ("[", "]") if seat == trick.winner else ("=" if is_tied else "", "")
        parts += [(FAINT, f"{left}{call_of(table, seat)} "), (style_of(card), marked_sign(theme, card))]
        parts.append((FAINT, f"{right} "))
    return parts


def _scores(hand: ToldHand) -> tuple[tuple[int, ...], Seat | None]:
    """Scores after the hand, empty while it is played, and the seat that won it."""
    for event in hand.events:
        if isinstance(event, put.HandEnded):
            return event.scores, event.winner
        if isinstance(event, put.GameEnded | put.FreshDeal):
            return event.scores, None
    return (), None
