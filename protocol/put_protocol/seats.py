"""Viewers: a seat, or the gallery. There is no third kind, and no viewer who sees all."""

from enum import StrEnum
from functools import cache
from typing import Final, Literal, NewType

Seat = NewType("Seat", int)
"""0 to 9. The next player in the order of play has the next seat: they sit at the left in clockwise games, at the right
in counter-clockwise ones."""

Gallery = Literal["gallery"]
GALLERY: Final[Gallery] = "gallery"
"""All spectators. They all see the same."""

Viewer = Seat | Gallery


@cache
def viewers_at(seats: int) -> tuple[Viewer, ...]:
    """The viewers of a table, the gallery last."""
    return (*map(Seat, range(seats)), GALLERY)


class Direction(StrEnum):
    """The direction in which a game is played."""

    CLOCKWISE = "clockwise"
    """the next player is at the left"""
    COUNTER_CLOCKWISE = "counter_clockwise"
    """the next player is at the right"""


def added(numbers: tuple[int, ...], seat: Seat, change: int) -> tuple[int, ...]:
    """The numbers with a change of this seat's; the same if there is no such seat."""
    if not 0 <= seat < len(numbers):
        return numbers
    return (*numbers[:seat], numbers[seat] + change, *numbers[seat + 1 :])
