"""Viewers: a seat, or the gallery. There is no third kind, and no viewer who sees all."""

from enum import StrEnum
from typing import Final, Literal, NewType

Seat = NewType("Seat", int)
"""0 to 9. A player's neighbour in the order of play sits in the next seat: at their left where a game is played
clockwise, at their right where it is played the other way round."""

Gallery = Literal["gallery"]
GALLERY: Final[Gallery] = "gallery"
"""Everyone who watches. All of them see the same."""

Viewer = Seat | Gallery


class Direction(StrEnum):
    """The direction in which a game is played."""

    CLOCKWISE = "clockwise"
    """the next player is at the left"""
    COUNTER_CLOCKWISE = "counter_clockwise"
    """the next player is at the right"""


def added(numbers: tuple[int, ...], seat: Seat, change: int) -> tuple[int, ...]:
    """Numbers by seat, with that of one seat changed."""
    return tuple([number + change * (other == seat) for other, number in enumerate(numbers)])
