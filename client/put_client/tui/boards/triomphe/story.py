"""A hand of Triomphe Forcée in words, and its tricks, folded from events."""

from collections.abc import Mapping
from functools import partial

from put_client.tui.boards.round_table import call_of
from put_client.tui.boards.sitting import Telling, ToldHand
from put_client.tui.boards.sitting_board import theme_of, tricks_of
from put_client.tui.model import AtTable
from put_client.tui.widgets.canvas import Fragment, Line, columns_of
from put_client.tui.widgets.card_faces import marked_sign, style_of
from put_client.tui.widgets.theme import FAINT, PLAIN, Theme
from put_protocol.games import triomphe
from put_protocol.games.unions import Event
from put_protocol.seats import Seat
from put_protocol.table_events import LeftGame, TimedOut
from put_protocol.text import listed

_WON = {
    triomphe.HandWon.LA_MORT: "held La Mort",
    triomphe.HandWon.MOST: "took most tricks",
    triomphe.HandWon.SECOND_FIRST: "had two tricks first",
    triomphe.HandWon.FIRST_TRICK: "took the first trick",
    triomphe.HandWon.ALONE: "was left alone",
}


def telling_of(table: AtTable, theme: Theme) -> Telling:
    """The way in which a hand is told."""
    return Telling(partial(_phrases, table, theme), _gained, partial(_tricks, table, theme))


def _gained(event: Event) -> Mapping[Seat, int]:
    match event:
        case triomphe.Dealt(stakes=stakes):
            return {Seat(seat): -stake for seat, stake in enumerate(stakes)}
        case triomphe.Declared(seat=seat, paid=paid):
            return {seat: paid}
        case triomphe.HandEnded(winner=winner, paid=paid) if winner is not None:
            return {winner: paid}
        case _:
            return {}


def _phrases(table: AtTable, theme: Theme, hand: ToldHand) -> list[str]:
    said: list[str] = []
    for event in hand.events:
        match event:
            case triomphe.Declared(seat=seat, cards=cards, paid=paid):
                signs = listed([marked_sign(theme_of(theme, table, hand), card) for card in cards])
                said.append(f"{call_of(table, seat)} declared {signs} for {paid}")
            case triomphe.HandEnded(how=triomphe.HandWon.EMPTIED):
                said.append("that emptied the pool")
            case triomphe.HandEnded(how=how, winner=winner, paid=paid) if winner is not None:
                name = call_of(table, winner)
                words = _WON.get(how, "won")
                words = "were left alone" if name == "you" and how is triomphe.HandWon.ALONE else words
                said.append(f"{name} {words} and gained {paid}")
            case TimedOut(seat=seat):
                said.append(f"{call_of(table, seat)} ran out of time")
            case LeftGame(seat=seat):
                said.append(f"{call_of(table, seat)} left the game")
            case _:
                pass
    return said


def _tricks(table: AtTable, theme: Theme, hand: ToldHand, width: int) -> list[Line]:
    """A line a trick: who played what, in order; what took it is in brackets."""
    lines: list[Line] = []
    theme = theme_of(theme, table, hand)
    for number, trick in enumerate(tricks_of(hand)[0], 1):
        line: list[Fragment] = [(FAINT, f"    {number}  ")]
        for seat, card in zip(trick.seats, trick.cards, strict=False):
            left, right = ("[", "]") if seat == trick.winner else ("", "")
            parts: list[Fragment] = [
                (PLAIN if left else FAINT, f"{left}{call_of(table, seat)} "),
                (style_of(card), marked_sign(theme, card)),
                (PLAIN, f"{right}  "),
            ]
            if columns_of((*line, *parts)) > width and len(line) > 1:
                lines.append(tuple(line))
                line = [(FAINT, "       ")]
            line += parts
        lines.append(tuple(line))
    return lines
