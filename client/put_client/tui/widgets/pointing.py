"""Mouse targets: places of the screen, each with what a click there is as good as."""

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Press:
    """This key, by prompt_toolkit's name."""

    key: str


@dataclass(frozen=True, slots=True)
class Choose:
    """A legal action, by its place in the list of this decision, and of no later one."""

    decision: int
    place: int


@dataclass(frozen=True, slots=True)
class Row:
    """A table in the lobby, by its number: selected, or if it is so already, sat down at."""

    table: int


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the menu or the form."""

    at: int


Pointed = Press | Choose | Row | Line


class Spot(NamedTuple):
    """A rectangle of cells."""

    x: int
    y: int
    width: int
    height: int
    what: Pointed


def at(spots: tuple[Spot, ...], x: int, y: int) -> Pointed | None:
    """What is at a cell; of what lies over each other, the topmost."""
    for spot in reversed(spots):
        if spot.x <= x < spot.x + spot.width and spot.y <= y < spot.y + spot.height:
            return spot.what
    return None
