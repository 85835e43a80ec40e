"""Tricks: who takes one, and when a hand is decided. Suits do not matter, and any card may be played."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from put_protocol.cards import Card
from put_protocol.games.put import (
    TrickView,
)
from put_protocol.seats import Seat

Drawn = Literal["drawn"]
DRAWN: Final[Drawn] = "drawn"


def strengths(ranking: Sequence[str], cards: Sequence[Card]) -> dict[Card, int]:
    """How strong each card is: more is better, equal ranks are equal."""
    order = {rank: len(ranking) - place for place, rank in enumerate(ranking)}
    return {card: order[card[:-1]] for card in cards}


def taker(
    seats: Sequence[Seat], cards: Sequence[Card], playing: Sequence[bool], strength: Mapping[Card, int]
) -> Seat | None:
    """Who takes a complete trick; None when the best rank was played twice. Cards of those out of the hand are dead."""
    best, winner = 0, None
    for seat, card in zip(seats, cards, strict=True):
        if playing[seat]:
            value = strength[card]
            if value > best:
                best, winner = value, seat
            elif value == best:
                winner = None
    return winner


def decided(tricks: Sequence[int], playing: Sequence[bool], left: int) -> Seat | Drawn | None:
    """The winner of a hand as soon as trick counts make it certain, `DRAWN`, or None while it is open.

    `left` tricks are still to come, and each might fall to anyone still in, or tie. Most tricks win; a tie for most
    is a draw, which is certain only at the end.
    """
    ahead, most, second = Seat(0), -1, -1
    for seat, taken in enumerate(tricks):
        if not playing[seat]:
            continue
        if taken > most:
            ahead, most, second = Seat(seat), taken, most
        elif taken > second:
            second = taken
    if most > second + left:
        return ahead
    return DRAWN if left == 0 else None


def first_taker(past: Sequence[TrickView]) -> Seat | None:
    """Who took the first trick that was not tied."""
    return next((trick.winner for trick in past if trick.winner is not None), None)
