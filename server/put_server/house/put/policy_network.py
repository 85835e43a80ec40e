"""Policy networks, one for each kind of play, which the house has learned by playing against itself.

A file (`.network`) has the sizes of the layers, as 16-bit integers that end with a 0, then for every layer its weights,
input by input, and its biases, as 16-bit floats; all in little-endian order.
"""

import struct
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from math import exp

from put_server.house.put import rank_hand as by_ranks

_NAMES = {
    by_ranks.ANY_TURN: "any_turn",
    by_ranks.STAGES: "stages",
    by_ranks.CONCESSIONS: "concessions",
    by_ranks.OPENING_ONLY: "opening",
    by_ranks.DOUBLING: "doubling",
}

_FOR_MORE = (by_ranks.ANY_TURN, by_ranks.OPENING_ONLY)
"""Kinds of play for more than two, with a network of its own for two."""


class PolicyNetwork:
    """Fully connected layers; all but the last set negative sums to 0."""

    def __init__(self, packed: bytes) -> None:
        sizes: list[int] = []
        at = 0
        while (size := struct.unpack_from("<H", packed, at)[0]) != 0:
            sizes.append(size)
            at += 2
        at += 2
        self.layers: list[tuple[list[tuple[float, ...]], tuple[float, ...]]] = []
        """The weights of each layer, input by input, and its biases."""
        for size, to in pairwise(sizes):
            rows = []
            for _ in range(size + 1):
                rows.append(struct.unpack_from(f"<{to}e", packed, at))
                at += 2 * to
            self.layers.append((rows[:-1], rows[-1]))

    def logits(self, features: Sequence[float]) -> list[float]:
        """The logarithm of the odds of each action."""
        values: Sequence[float] = features
        for rows, biases in self.layers:
            sums = list(biases)
            for value, row in zip(values, rows, strict=True):
                if value == 1.0:
                    sums = [total + weight for total, weight in zip(sums, row, strict=True)]
                elif value > 0 or (value < 0 and values is features):
                    sums = [total + value * weight for total, weight in zip(sums, row, strict=True)]
            values = sums
        return list(values)

    def mixture(self, features: Sequence[float], actions: Sequence[int]) -> list[float]:
        logits = self.logits(features)
        most = max(logits[action] for action in actions)
        odds = [exp(logits[action] - most) for action in actions]
        total = sum(odds)
        return [each / total for each in odds]


def network_for(kind: int, count: int) -> PolicyNetwork:
    """The network for a kind of play and a number of players, read when first needed."""
    two = "_two" if count == 2 and kind in _FOR_MORE else ""
    return _read(f"{_NAMES[kind]}{two}")


@cache
def _read(name: str) -> PolicyNetwork:
    return PolicyNetwork(files("put_server.house.put").joinpath("networks", f"{name}.network").read_bytes())
