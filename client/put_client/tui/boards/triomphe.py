"""The board of Triomphe Forcée: a ring with each player's cards and declarations, the pool in the centre, and hands in
words."""

from collections.abc import Mapping

from put_client.tui.boards import common_marks, name_in
from put_client.tui.boards.round_table import (
    TAROT,
    Box,
    TableParts,
    at_seat,
    draw_seat_lines,
    gain_of,
    held,
    layouts_of,
)
from put_client.tui.boards.sitting_board import SittingBoard, cards_in_words, last_trick, tricks_of
from put_client.tui.model import AtTable, ToldHand, card_of, hand_of
from put_client.tui.widgets.canvas import Canvas, Fragment, Line, columns_of, flowed, width_of
from put_client.tui.widgets.card_faces import CardSize, draw_face, marked_sign, style_of
from put_client.tui.widgets.theme import FAINT, PLAIN, STRONG, Theme
from put_protocol.cards import FOOL, Card, in_order
from put_protocol.games import triomphe
from put_protocol.games.tricks import TrickView
from put_protocol.games.unions import Choice, Event
from put_protocol.seats import Seat
from put_protocol.table_events import LeftGame, TimedOut
from put_text.catalogue import say

TRICKS = 5
"""Lines of the pane of tricks: the most tricks of a hand."""

FACE_FROM_HEIGHT = 5


class TriompheBoard(SittingBoard[triomphe.TriompheView]):
    view_type, ended = triomphe.TriompheView, triomphe.HandEnded
    layouts = layouts_of(TAROT)
    own_marks = (
        *("keys-mark-triomphe-gain", "keys-mark-triomphe-trumps", "keys-mark-triomphe-taken"),
        *("keys-mark-triomphe-shows", "keys-mark-triomphe-dealer", "keys-mark-barred"),
    )
    told_events = (triomphe.Declared, triomphe.HandEnded, TimedOut, LeftGame)

    def with_view(self, canvas: Canvas, table: AtTable, view: triomphe.TriompheView, shown: TableParts) -> TableParts:
        trick, bottom = _trick(table, view), table.order[0]
        own = [*_card(canvas.theme, trick, bottom), *_facts(canvas.theme, table, view, bottom)]
        own += [*_declared(canvas.theme, view, bottom, canvas.width), *_dealer_mark(table, view, bottom)]
        return shown._replace(
            centre=_centre(view),
            headline=_headline(table, view, canvas.theme),
            own=own,
        )

    def hand_shown(self, table: AtTable) -> tuple[Card, ...]:
        """Suit by suit, then the trumps, then the Fool."""
        return tuple(sorted(in_order(hand_of(table)), key=lambda card: card == FOOL))

    def draw_seat(self, canvas: Canvas, table: AtTable, box: Box, view: triomphe.TriompheView) -> None:
        """Lines for name, for plays, gains and tricks, and for declarations; with a drawn card if there is room."""
        theme, seat, trick, width = canvas.theme, box.seat, _trick(table, view), box.width - 3
        played, card = _played(trick, seat), _card(theme, trick, seat)
        facts = _facts(theme, table, view, seat)
        shows, dealer = _declared(theme, view, seat, width), _dealer_mark(table, view, seat)
        rows = [[*card, *facts], shows] if box.height > 2 else [[*card, *shows, *facts]]
        if box.height >= FACE_FROM_HEIGHT:
            takes: list[Fragment] = [(STRONG, say("screen-mark-takes-trick"))] if trick.winner == seat else []
            rows = [
                [*takes, *facts, *shows],
                [held(canvas, at_seat(view.counts, seat, 0), width)] if played is None else [],
            ]
        draw_seat_lines(canvas, box, lambda room: name_in(table, seat, room, canvas), rows, card, dealer)
        if box.height >= FACE_FROM_HEIGHT and played is not None:
            is_faint = trick.winner is not None and trick.winner != seat
            draw_face(canvas, box.x + 3, box.y + 2, played, CardSize.WIDE_TINY, FAINT if is_faint else PLAIN)

    def tricks_height(self, table: AtTable) -> int:
        return 1 + TRICKS

    def draw_tricks(self, canvas: Canvas, x: int, y: int, width: int, height: int, table: AtTable) -> None:
        canvas.put(x + 1, y, say("screen-tricks"), STRONG)
        view = self.view_of(table)
        if view is None:
            return
        tricks = [*view.past, *([view.trick] if view.trick.seats else [])]
        for line, (number, trick) in enumerate(list(enumerate(tricks, 1))[: height - 1], start=y + 1):
            end = canvas.put(x + 1, line, f"{number} ", FAINT)
            canvas.put_all(end, line, _trick_in_line(table, trick, canvas.theme, x + width - end))

    def task(self, view: triomphe.TriompheView, name: str) -> str:
        message = "screen-thinking-lead" if view.moment is triomphe.Moment.LEAD else "screen-thinking-follow"
        return say(message, name=name, number=len(view.past) + 1)

    def in_order(self, table: AtTable, legal: tuple[Choice, ...]) -> tuple[Choice, ...]:
        hand = self.hand_shown(table)
        return tuple(sorted(legal, key=lambda c: hand.index(card) if (card := card_of(c.action)) in hand else 0))

    def keys_explained(self, table: AtTable, letters: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
        return ((say("keys-digits", first=1, last=5), say("keys-play-card")),)

    def gained(self, event: Event) -> Mapping[Seat, int]:
        match event:
            case triomphe.Dealt(stakes=stakes):
                return {Seat(seat): -stake for seat, stake in enumerate(stakes)}
            case triomphe.Declared(seat=seat, paid=paid):
                return {seat: paid}
            case triomphe.HandEnded(winner=winner, paid=paid) if winner is not None:
                return {winner: paid}
            case _:
                return {}

    def more_of(self, table: AtTable, hand: ToldHand, width: int, theme: Theme) -> list[Line]:
        """A line for each trick, or more if they do not fit."""
        lines: list[Line] = []
        for number, trick in enumerate(tricks_of(hand)[0], 1):
            cards = cards_in_words(table, trick, theme)
            lines += flowed(cards, width, head=(FAINT, f"    {number}  "), between=(PLAIN, " "))
        return lines

    def is_told(self, event: Event) -> bool:
        return not isinstance(event, triomphe.Played)


def _trick(table: AtTable, view: triomphe.TriompheView) -> TrickView:
    """The current trick; before its first card, the last one."""
    if view.trick.seats:
        return view.trick
    return last_trick(table, view.past)


def _centre(view: triomphe.TriompheView) -> list[Line]:
    if not view.hand:
        return []
    number = min(len(view.past) + 1, TRICKS)
    lines: list[Line] = [((PLAIN, f"{say('screen-pool')} "), (STRONG, str(view.pool)))]
    if any(view.counts):
        lines.append(((PLAIN, say("screen-trick-of", number=number, most=TRICKS)),))
    return [*lines, (), ((FAINT, say("screen-stake", count=view.stake)),)]


def _headline(table: AtTable, view: triomphe.TriompheView, theme: Theme) -> Fragment:
    if not view.trick.seats or not view.trick.cards:
        return STRONG, table.outcome
    led, card = view.trick.seats[0], view.trick.cards[0]
    sign = marked_sign(theme, card)
    return PLAIN, table.speaker.say("screen-trick-led", number=len(view.past) + 1, seat=led, sign=sign)


def _played(trick: TrickView, seat: Seat) -> Card | None:
    return dict(zip(trick.seats, trick.cards, strict=False)).get(seat)


def _card(theme: Theme, trick: TrickView, seat: Seat) -> list[Fragment]:
    card = _played(trick, seat)
    if card is None:
        return []
    sign = marked_sign(theme, card)
    if trick.winner is None:
        return [(style_of(card, STRONG), sign)]
    return [(style_of(card, STRONG), f"[{sign}]") if seat == trick.winner else (style_of(card, FAINT), sign)]


def _facts(theme: Theme, table: AtTable, view: triomphe.TriompheView, seat: Seat) -> list[Fragment]:
    facts: list[Fragment] = []
    if view.hand and seat < len(view.gains):
        facts.append((PLAIN, gain_of(view.gains[seat])))
    taken = at_seat(view.tricks, seat, 0)
    if taken:
        facts.append((STRONG, theme.trick_taken * min(taken, TRICKS)))
    return [*facts, *common_marks(table, seat)]


def _declared(theme: Theme, view: triomphe.TriompheView, seat: Seat, room: int) -> list[Fragment]:
    """A seat's declared cards. The word before them is omitted if it does not fit."""
    cards = at_seat(view.declared, seat, ())
    if not cards:
        return []
    signs = " ".join(marked_sign(theme, card) for card in cards)
    shows = say("screen-mark-shows", signs=signs)
    return [(STRONG, shows if width_of(shows) <= room else signs)]


def _dealer_mark(table: AtTable, view: triomphe.TriompheView, seat: Seat) -> list[Fragment]:
    return [(PLAIN, say("screen-mark-dealer"))] if view.dealer == seat and table.info.is_in_play else []


def _trick_in_line(table: AtTable, trick: TrickView, theme: Theme, room: int) -> list[Fragment]:
    """The winning card and its player, then the other cards in order. If that does not fit: the winner and the card
    led; of a trick in play, as much as fits."""
    played = list(zip(trick.seats, trick.cards, strict=False))
    taken: list[Fragment] = []
    others: list[Fragment] = []
    for seat, card in played:
        if seat == trick.winner:
            taker = f"] {table.speaker.name(seat)} "
            taken = [(PLAIN, "["), (style_of(card), marked_sign(theme, card)), (PLAIN, taker)]
        else:
            others.append((style_of(card, FAINT), f" {marked_sign(theme, card)}"))
    if columns_of(taken) + columns_of(others) <= room:
        return [*taken, *others]
    if taken:
        led = [] if trick.seats[0] == trick.winner else [others[0], (PLAIN, " ")]
        return [*taken, *led, (FAINT, say("screen-led"))]
    while columns_of(others) + 2 > room:
        others.pop()
    return [*others, (FAINT, f" {theme.ellipsis}")]
