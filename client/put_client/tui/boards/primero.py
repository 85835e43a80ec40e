"""The board of Primero: the ring of players with their bets and announcements, the pot between, and a hand in words."""

from collections.abc import Mapping
from itertools import count

from put_client.keymap import label_of
from put_client.tui.boards import common_marks, name_in
from put_client.tui.boards.board import Pressed
from put_client.tui.boards.round_table import (
    FRENCH,
    Box,
    HandMarks,
    TableParts,
    at_seat,
    draw_seat_lines,
    gain_of,
    held,
    layouts_of,
)
from put_client.tui.boards.sitting_board import SittingBoard, last_hands
from put_client.tui.model import AtTable, ToldHand, hand_of
from put_client.tui.widgets.canvas import Canvas, Fragment, Line, columns_of, cut, width_of
from put_client.tui.widgets.card_faces import marked_sign, sign_of, style_of
from put_client.tui.widgets.theme import ALARM, FAINT, PLAIN, STRONG, Theme
from put_protocol.cards import Card, in_order
from put_protocol.games import primero
from put_protocol.games.unions import Choice, Event
from put_protocol.seats import Seat
from put_protocol.table_events import LeftGame, TimedOut
from put_protocol.table_info import TableState
from put_text.catalogue import say

NAME_COLUMNS = 8


class PrimeroBoard(SittingBoard[primero.PrimeroView]):
    view_type, ended = primero.PrimeroView, primero.HandEnded
    layouts = layouts_of(FRENCH)
    told_events = (
        *(primero.Bid, primero.Saw, primero.Refused, primero.Withdrawn, primero.Passed, primero.ThrownIn),
        *(primero.Traded, primero.CalledVada, primero.Announced, primero.HandEnded, TimedOut, LeftGame),
    )
    own_marks = tuple([f"betting-mark-{mark}" for mark in ("gain", "in", "bet", "refused", "barred", "says", "traded")])
    asked_before = "betting-grave"

    def with_view(self, canvas: Canvas, table: AtTable, view: primero.PrimeroView, shown: TableParts) -> TableParts:
        hand, bottom = shown.hand, table.order[0]
        chosen = chosen_cards(table)
        singles = {c.action.cards[0]: at for at, c in enumerate(table.legal) if isinstance(c.action, primero.Trade)}
        own = [*_status(view, bottom), *_says(view, bottom), *_purse(table, view, bottom)]
        if view.thrown:
            signs = " ".join(marked_sign(canvas.theme, card) for card in in_order(view.thrown))
            own.append((FAINT, say("betting-laid-down", signs=signs)))
        marks = HandMarks(
            raised=[at for at, card in enumerate(hand) if card in chosen],
            barred=[at for at, card in enumerate(hand) if card not in singles] if singles else (),
        )
        return shown._replace(
            centre=_centre(table, view),
            own=[*own, *shown.own],
            marks=marks,
        )

    def hand_shown(self, table: AtTable) -> tuple[Card, ...]:
        return in_order(hand_of(table))

    def draw_seat(self, canvas: Canvas, table: AtTable, box: Box, view: primero.PrimeroView) -> None:
        """Lines for name, betting, announcement, cards and purse, shared if there are fewer lines."""
        seat = box.seat
        status, says, purse = _status(view, seat), _says(view, seat), _purse(table, view, seat)
        cards = _cards(canvas, view, seat, box.width - 3)
        marks = common_marks(table, seat)
        rows: list[list[Fragment]] = [[*status, *says, *cards, *purse, *marks]]
        if box.height == 3:
            rows = [[*status, *purse, *marks], [*says, *cards]]
        elif box.height == 4:
            rows = [[*status, *purse], says, [*cards, *marks]]
        elif box.height > 4:
            worth = next((f"{category_of(h.category)} {h.points}" for h in view.shown if h.seat == seat), "")
            rows = [status, [(STRONG, worth)] if worth else says, cards, [*purse, *marks]]
        draw_seat_lines(canvas, box, lambda room: name_in(table, seat, room, canvas), rows, [*status[:1], *says][:1])

    def tricks_height(self, table: AtTable) -> int:
        """Height of the pane of the last showdown: a line for each player, after the first showdown."""
        return 1 + len(table.info.seats) if self._last_showdown(table)[0] else 0

    def draw_tricks(self, canvas: Canvas, x: int, y: int, width: int, height: int, table: AtTable) -> None:
        shown, winner = self._last_showdown(table)
        canvas.put(x + 1, y, say("betting-last-showdown"), STRONG)
        for line, hand in enumerate(shown[: height - 1], start=y + 1):
            name = table.speaker.name(hand.seat)
            canvas.put(x + 1, line, f"[{name}]" if hand.seat == winner else f" {name}", width=NAME_COLUMNS)
            end = canvas.put_all(
                x + 1 + NAME_COLUMNS, line, signs_of(canvas.theme, hand.cards), width=width - 1 - NAME_COLUMNS
            )
            worth = f"{category_of(hand.category)} {hand.points}"
            room = x + width - end
            canvas.put(end, line, worth if width_of(worth) <= room else f"{worth[:3]} {hand.points}", width=room)

    def _last_showdown(self, table: AtTable) -> tuple[tuple[primero.ShownHand, ...], Seat | None]:
        """Hands of the last showdown and its winner, of this hand or the one before."""
        for hand in last_hands(table):
            if shown := shown_in(hand):
                return shown, winner_of(hand)
        view = self.view_of(table)
        return () if view is None else view.shown, None

    def task(self, view: primero.PrimeroView, name: str) -> str:
        return say("screen-thinking-task", name=name, task=say(f"betting-task-{view.moment}"))

    def label(self, table: AtTable, choice: Choice, theme: Theme) -> Fragment:
        match choice.action:
            case primero.Bet(amount=amount):
                return PLAIN, say("betting-bet", amount=amount)
            case primero.Raise(amount=amount):
                return PLAIN, say("betting-raise", amount=amount)
            case primero.Trade(cards=cards):
                return PLAIN, say("betting-trade", signs="+".join(sign_of(theme, card) for card in in_order(cards)))
            case primero.Announce(category=category):
                return PLAIN, category_of(category)
            case _:
                return super().label(table, choice, theme)

    def in_order(self, table: AtTable, legal: tuple[Choice, ...]) -> tuple[Choice, ...]:
        """Trades in the order of the cards in the hand; actions with the same key together."""
        hand = self.hand_shown(table)

        def place(choice: Choice) -> tuple[int, ...]:
            action = choice.action
            if not isinstance(action, primero.Trade):
                return (0,)
            return (1, len(action.cards), *sorted(hand.index(card) for card in action.cards if card in hand))

        return tuple(sorted(legal, key=place))

    def action_keys(
        self, table: AtTable, letters: Mapping[str, str], taken: frozenset[str]
    ) -> tuple[tuple[str, Choice], ...]:
        """The letter of the action, shared by all bets and raises, and by all trades; announcements have numbers."""
        numbers = map(str, count(1))
        return tuple(
            (next(numbers) if isinstance(choice.action, primero.Announce) else key, choice)
            for key, choice in super().action_keys(table, letters, taken)
        )

    def pressed(self, table: AtTable, key: str, keyed: tuple[tuple[str, Choice], ...]) -> Pressed | None:
        """Digits choose the amount of a bet. Without a bet, or while cards are chosen, they choose cards to trade."""
        found = super().pressed(table, key, keyed)
        if found is not None or not (key.isascii() and key.isdecimal()):
            return found
        amounts = {
            c.action.amount: at for at, (_, c) in enumerate(keyed) if isinstance(c.action, primero.Bet | primero.Raise)
        }
        chosen = chosen_cards(table)
        if int(key) in amounts and not chosen:
            return Pressed(amounts[int(key)], is_done=False)
        hand = self.hand_shown(table)
        if (amounts and not chosen) or not 1 <= int(key) <= len(hand):
            return None
        wanted = chosen ^ {hand[int(key) - 1]}
        for cards in (wanted, {hand[int(key) - 1]}):
            for at, choice in enumerate(table.legal):
                if isinstance(choice.action, primero.Trade) and set(choice.action.cards) == cards:
                    return Pressed(at, is_done=False)
        return None

    def keys_explained(self, table: AtTable, letters: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
        def key(name: str) -> str:
            return label_of(letters[name]) if letters.get(name) else "?"

        return (
            (f"{key('bet')}, {say('keys-digits', first=1, last=9)}", say("betting-key-bet")),
            (f"{key('see')}, {key('refuse')}, {key('pass')}", say("betting-key-see")),
            (f"{key('trade')}, {say('keys-digits', first=1, last=4)}", say("betting-key-trade")),
            (f"{key('stand')}, {key('vada')}, {key('on')}", say("betting-key-stand")),
            (say("keys-digits", first=1, last=5), say("betting-key-announce")),
        )

    def gained(self, event: Event) -> Mapping[Seat, int]:
        match event:
            case primero.Dealt(antes=antes):
                return {Seat(seat): -ante for seat, ante in enumerate(antes)}
            case primero.Bid(seat=seat, paid=paid) | primero.Saw(seat=seat, paid=paid):
                return {seat: -paid}
            case primero.Withdrawn(seat=seat, paid=paid):
                return {seat: paid}
            case primero.HandEnded(winner=winner, paid=paid):
                return {winner: paid}
            case _:
                return {}

    def more_of(self, table: AtTable, hand: ToldHand, width: int, theme: Theme) -> list[Line]:
        """A line for each shown hand; the winner's name is in brackets."""
        winner = winner_of(hand)
        lines: list[Line] = []
        for shown in shown_in(hand):
            worth = (*signs_of(theme, shown.cards), (PLAIN, f"{category_of(shown.category)} {shown.points}"))
            name = cut(table.speaker.name(shown.seat), max(width - 10 - columns_of(worth), 4), theme.ellipsis)
            name = f"[{name}]" if shown.seat == winner else name
            lines.append(((STRONG, f"       {name} "), *worth))
        return lines

    def is_told(self, event: Event) -> bool:
        if isinstance(event, primero.Traded) and event.cards:
            return False  # they stand beside our name
        return not isinstance(event, primero.Dealt | primero.MoreDealt | primero.BettingOver | primero.Drew)


def chosen_cards(table: AtTable) -> set[Card]:
    action = table.legal[table.chosen].action if table.chosen is not None and table.legal else None
    return set(action.cards) if isinstance(action, primero.Trade) else set()


def _centre(table: AtTable, view: primero.PrimeroView) -> list[Line]:
    if not view.hand:
        return []
    lines: list[Line] = [((PLAIN, f"{say('betting-pot')} "), (STRONG, str(view.pot)))]
    if view.level:
        by = "" if view.bettor is None else f" {say('betting-by', name=table.speaker.name(view.bettor))}"
        lines.append(((PLAIN, f"{say('betting-level')} "), (STRONG, str(view.level)), (PLAIN, by)))
        you = table.seat
        if you is not None and you == view.to_move and you < len(view.put_in):
            due = view.level - view.put_in[you]
            lines.append(((STRONG, say("betting-due", amount=due)),) if due > 0 else ())
    if view.vada is not None:
        lines.append(((STRONG, say("betting-vada", name=table.speaker.name(view.vada))),))
    lines.append(((FAINT, say("betting-stock", count=view.stock)),))
    if view.running:
        lines.append(((FAINT, say("betting-dealt-again", count=view.running)),))
    return lines


def _status(view: primero.PrimeroView, seat: Seat) -> list[Fragment]:
    if not any(view.counts) and not view.shown:
        return []
    if seat < len(view.playing) and not view.playing[seat]:
        return [(STRONG, say("screen-mark-out"))]
    status: list[Fragment] = []
    if view.level and view.bettor == seat:
        status.append((ALARM, f" {say('betting-mark-bet')} "))
    if seat in view.refused:
        status.append((STRONG, say("betting-refused")))
    if seat < len(view.put_in) and view.put_in[seat]:
        status.append((PLAIN, say("betting-in", amount=view.put_in[seat])))
    if seat in view.barred:
        status.append((PLAIN, say("betting-mark-barred")))
    return status


def _says(view: primero.PrimeroView, seat: Seat) -> list[Fragment]:
    category = at_seat(view.announced, seat, None)
    return [] if category is None else [(STRONG, say("betting-says", category=category_of(category)))]


def _purse(table: AtTable, view: primero.PrimeroView, seat: Seat) -> list[Fragment]:
    parts: list[Fragment] = []
    if view.hand and seat < len(view.gains):
        parts.append((PLAIN, gain_of(view.gains[seat])))
    if traded := at_seat(view.traded, seat, 0):
        parts.append((PLAIN, say("betting-traded", count=traded)))
    if view.dealer == seat and table.info.state is not TableState.BETWEEN:
        parts.append((PLAIN, say("screen-mark-dealer")))
    return parts


def _cards(canvas: Canvas, view: primero.PrimeroView, seat: Seat, width: int) -> list[Fragment]:
    """Face up at the showdown, otherwise as marks."""
    shown = next((hand for hand in view.shown if hand.seat == seat), None)
    if shown is None:
        return [held(canvas, at_seat(view.counts, seat, 0), width // 2)]
    return [(STRONG, " ".join(marked_sign(canvas.theme, Card(card)) for card in shown.cards))]


def shown_in(hand: ToldHand) -> tuple[primero.ShownHand, ...]:
    """The hands of its showdown; empty: there was none."""
    return next((event.hands for event in hand.events if isinstance(event, primero.Showdown)), ())


def winner_of(hand: ToldHand) -> Seat | None:
    """The seat that took the pot; None: the hand is in play."""
    return next((event.winner for event in hand.events if isinstance(event, primero.HandEnded)), None)


def category_of(category: primero.Category) -> str:
    return category.value.capitalize()


def signs_of(theme: Theme, cards: tuple[str, ...]) -> list[Fragment]:
    parts: list[Fragment] = []
    for card in cards:
        parts += [(style_of(Card(card)), marked_sign(theme, Card(card))), (PLAIN, " ")]
    return parts
