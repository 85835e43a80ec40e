"""Small networks, one for each kind of play: what the house has learned by playing against itself.

A mind is a file: the sizes of its layers, as 16-bit integers that end with a 0, then for every layer its weights, input
by input, and its biases, as 16-bit floats; all in little-endian order.
"""

import struct
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from math import exp

from put_server.house import rank_hand as by_ranks

_NAMES = {
    by_ranks.ANY_TURN: "any_turn",
    by_ranks.STAGES: "stages",
    by_ranks.CONCESSIONS: "concessions",
    by_ranks.OPENING_ONLY: "opening",
    by_ranks.DOUBLING: "doubling",
}

_FOR_MORE = (by_ranks.ANY_TURN, by_ranks.OPENING_ONLY)
"""Kinds of play for more than two, between whom another mind plays."""


class PolicyNetwork:
    """Layers of sums; all but the last cut off what is below nothing."""

    def __init__(self, packed: bytes) -> None:
        sizes: list[int] = []
        at = 0
        while (size := struct.unpack_from("<H", packed, at)[0]) != 0:
            sizes.append(size)
            at += 2
        at += 2
        self.layers: list[tuple[list[tuple[float, ...]], tuple[float, ...]]] = []
        """Of each layer its weights, input by input, and its biases."""
        for size, to in pairwise(sizes):
            rows = []
            for _ in range(size + 1):
                rows.append(struct.unpack_from(f"<{to}e", packed, at))
                at += 2 * to
            self.layers.append((rows[:-1], rows[-1]))

    def leanings(self, seen: Sequence[float]) -> list[float]:
        """How it leans to each action, as logarithms of odds."""
        values: Sequence[float] = seen
        for rows, biases in self.layers:
            sums = list(biases)
            for value, row in zip(values, rows, strict=True):
                if value == 1.0:
                    sums = [total + weight for total, weight in zip(sums, row, strict=True)]
                elif value > 0 or (value < 0 and values is seen):
                    sums = [total + value * weight for total, weight in zip(sums, row, strict=True)]
            values = sums
        return list(values)

    def mixture(self, seen: Sequence[float], actions: Sequence[int]) -> list[float]:
        """How likely it does each of these."""
        leanings = self.leanings(seen)
        most = max(leanings[action] for action in actions)
        odds = [exp(leanings[action] - most) for action in actions]
        total = sum(odds)
        return [each / total for each in odds]


def network_for(kind: int, count: int) -> PolicyNetwork:
    """The mind for a kind of play between so many, read when it is first asked for."""
    two = "_two" if count == 2 and kind in _FOR_MORE else ""
    return _read(f"{_NAMES[kind]}{two}")


@cache
def _read(name: str) -> PolicyNetwork:
    return PolicyNetwork(files("put_server.house").joinpath("minds", f"{name}.mind").read_bytes())
