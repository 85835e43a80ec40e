"""A hand of Primero in words, and its showdown, folded from events."""

from collections.abc import Mapping
from functools import partial

from put_client.tui.boards.round_table import call_of
from put_client.tui.boards.sitting import Telling, ToldHand
from put_client.tui.boards.sitting_board import theme_of
from put_client.tui.model import AtTable
from put_client.tui.widgets.canvas import Fragment, Line, columns_of, cut
from put_client.tui.widgets.card_faces import marked_sign, style_of
from put_client.tui.widgets.theme import PLAIN, STRONG, Theme
from put_protocol.cards import Card
from put_protocol.games import primero
from put_protocol.games.unions import Event
from put_protocol.seats import Seat
from put_protocol.table_events import LeftGame, TimedOut


def telling_of(table: AtTable, theme: Theme) -> Telling:
    """The way in which a hand is told."""
    return Telling(partial(_phrases, table), _gained, partial(_showdown, table, theme))


def shown_in(hand: ToldHand) -> tuple[primero.ShownHand, ...]:
    """The hands of its showdown; empty: there was none."""
    return next((event.hands for event in hand.events if isinstance(event, primero.Showdown)), ())


def winner_of(hand: ToldHand) -> Seat | None:
    """The seat that took the pot; None: the hand is in play."""
    return next((event.winner for event in hand.events if isinstance(event, primero.HandEnded)), None)


def category_of(category: primero.Category) -> str:
    """A category as it is said."""
    return category.value.capitalize()


def signs_of(theme: Theme, cards: tuple[str, ...]) -> list[Fragment]:
    parts: list[Fragment] = []
    for card in cards:
        parts += [(style_of(Card(card)), marked_sign(theme, Card(card))), (PLAIN, " ")]
    return parts


def _gained(event: Event) -> Mapping[Seat, int]:
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


def _phrases(table: AtTable, hand: ToldHand) -> list[str]:
    said: list[str] = []
    is_raise = False
    for event in hand.events:
        match event:
            case primero.Bid(seat=seat, amount=amount):
                did = "raised by" if is_raise else "bet"
                said.append(f"{call_of(table, seat)} {did} {amount}")
                is_raise = True
            case primero.MoreDealt() | primero.Dealt():
                is_raise = False
            case primero.ThrownIn():
                said.append("everyone traded, and all was dealt again")
            case _:
                said += [phrase] if (phrase := _phrase(table, event)) else []
    return said


def _phrase(table: AtTable, event: Event) -> str:
    match event:
        case primero.Saw(seat=seat):
            return f"{call_of(table, seat)} saw it"
        case primero.Refused(seat=seat):
            return f"{call_of(table, seat)} refused"
        case primero.Withdrawn():
            return "nobody took it"
        case primero.Traded(seat=seat, count=count):
            return f"{call_of(table, seat)} traded {count}"
        case primero.Passed(seat=seat):
            return f"{call_of(table, seat)} passed"
        case primero.CalledVada(seat=seat):
            return f"{call_of(table, seat)} called vada"
        case primero.Announced(seat=seat, category=category):
            return f"{call_of(table, seat)} said {category_of(category)}"
        case primero.HandEnded(how=how, winner=winner, paid=paid):
            alone = " alone" if how is primero.HandWon.ALONE else ""
            return f"{call_of(table, winner)} took the pot{alone}: {paid}"
        case TimedOut(seat=seat):
            return f"{call_of(table, seat)} ran out of time"
        case LeftGame(seat=seat):
            return f"{call_of(table, seat)} left the game"
        case _:
            return ""


def _showdown(table: AtTable, theme: Theme, hand: ToldHand, width: int) -> list[Line]:
    """A line a hand that was shown; the winner's name is in brackets."""
    winner = winner_of(hand)
    theme = theme_of(theme, table, hand)
    lines: list[Line] = []
    for shown in shown_in(hand):
        worth = (*signs_of(theme, shown.cards), (PLAIN, f"{category_of(shown.category)} {shown.points}"))
        name = cut(call_of(table, shown.seat), max(width - 10 - columns_of(worth), 4), theme.ellipsis)
        name = f"[{name}]" if shown.seat == winner else name
        lines.append(((STRONG, f"       {name} "), *worth))
    return lines
