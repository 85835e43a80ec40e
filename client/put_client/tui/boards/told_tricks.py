"""Tricks of a hand, folded from its events, for the families in which cards are played to tricks."""

from put_client.tui.boards.sitting import ToldHand
from put_client.tui.boards.sitting_board import last_hands
from put_client.tui.model import AtTable
from put_protocol.games.tricks import CardPlayed, TrickOver, TrickView


def tricks_of(hand: ToldHand) -> tuple[tuple[TrickView, ...], bool]:
    """Tricks of a hand, first to last, and whether the last is still in play."""
    tricks: list[TrickView] = []
    is_open = False
    for event in hand.events:
        match event:
            case CardPlayed(seat=seat, card=card):
                trick = tricks.pop() if is_open else TrickView()
                tricks.append(TrickView((*trick.seats, seat), (*trick.cards, card)))
                is_open = True
            case TrickOver(winner=winner) if is_open:
                trick = tricks.pop()
                tricks.append(TrickView(trick.seats, trick.cards, winner))
                is_open = False
            case _:
                pass
    return tuple(tricks), is_open


def last_trick(table: AtTable, past: tuple[TrickView, ...]) -> TrickView:
    """The last complete trick: of this hand, whose tricks are `past`, or else of the hand before. Empty: none."""
    if past:
        return past[-1]
    for hand in last_hands(table):
        tricks, is_open = tricks_of(hand)
        done = tricks[:-1] if is_open else tricks
        if done:
            return done[-1]
    return TrickView()
