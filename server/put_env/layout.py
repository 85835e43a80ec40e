"""Layout of an observation: numbers side by side in one array, each with a name, a range and a meaning.

A family adds its blocks in order, and keeps the place at which each begins. Names, ranges, the documentation and the
encoders follow from the same blocks, so they cannot disagree.
"""

from array import array
from collections.abc import Sequence
from typing import NamedTuple

NUMBER = "f"
"""The type of every number: four bytes, as learners want them. All numbers here are small and whole, so exact."""


class Block(NamedTuple):
    """Numbers that belong together."""

    name: str
    labels: tuple[str, ...]
    """One for each number; a single empty label: the block is one number, and has its name."""
    least: float
    most: float
    means: str
    at: int
    """The place of its first number."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple([f"{self.name}.{label}" if label else self.name for label in self.labels])


class Layout:
    """The blocks of an observation, in order."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.size = 0

    def add(self, name: str, means: str, labels: Sequence[str] = ("",), *, most: float = 1, least: float = 0) -> int:
        """Add a block; returns the place of its first number."""
        block = Block(name, tuple(labels), least, most, means, self.size)
        self.blocks.append(block)
        self.size += len(block.labels)
        return block.at

    @property
    def names(self) -> tuple[str, ...]:
        return tuple([name for block in self.blocks for name in block.names])

    @property
    def least(self) -> list[float]:
        return [block.least for block in self.blocks for _ in block.labels]

    @property
    def most(self) -> list[float]:
        return [block.most for block in self.blocks for _ in block.labels]

    def blank(self) -> "array[float]":
        return array(NUMBER, bytes(4 * self.size))


def seat_labels(seats: int) -> tuple[str, ...]:
    """Seats as their viewer counts them: `me`, then the next in the order of play as `+1`, and so on."""
    return ("me", *[f"+{place}" for place in range(1, seats)])


def crossed(*parts: Sequence[str]) -> tuple[str, ...]:
    """Labels of a block that is counted by several things, the last of them fastest: `me.3`, `me.2`, `+1.3`, `+1.2`."""
    labels: tuple[str, ...] = ("",)
    for part in parts:
        labels = tuple([f"{label}.{each}" if label else each for label in labels for each in part])
    return labels
