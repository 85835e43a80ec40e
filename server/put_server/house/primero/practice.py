"""Table of what was learned by playing many hands, as `practice.table` keeps it.

The file is compressed by zlib. Inside are 16-bit shares, little-endian, 65535 being 1: the chance of each strength
below 500 to beat a hand that another player shows (a tie counts half); and the worth of two cards, of different suits
and then of one suit, by rank and rank.

`scripts/research/learn_primero.py` writes it.
"""

import struct
import zlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from put_server.house.primero.four_cards import RANK_OF, RANKS, STRENGTHS, SUIT_OF

_ONE = 65535
_PLACES = len(RANKS) ** 2
_COUNT = STRENGTHS + 2 * _PLACES


class Practice(NamedTuple):
    """What was learned."""

    beats: tuple[float, ...]
    """The chance of each strength to beat the hand of another player; a tie counts half."""
    two: tuple[float, ...]
    """Worths of two cards: see `two_worth`."""

    def two_worth(self, a: int, b: int) -> float:
        """The worth of these two cards, by their numbers."""
        return self.two[_PLACES * (SUIT_OF[a] == SUIT_OF[b]) + len(RANKS) * RANK_OF[a] + RANK_OF[b]]


def write(path: Path, beats: Sequence[float], two: Sequence[Sequence[float]]) -> None:
    """Keep what was learned. `two`: by card and card."""
    shares, size = list(beats), len(RANKS)
    for is_same in (False, True):
        for a in range(size):
            shares += [two[a][b if is_same else size + b] if not (is_same and a == b) else 0.0 for b in range(size)]
    packed = struct.pack(f"<{_COUNT}H", *[min(_ONE, max(0, round(_ONE * share))) for share in shares])
    path.write_bytes(zlib.compress(packed, 9))


@cache
def practised() -> Practice:
    """The house's table, read when first needed."""
    packed = files("put_server.house.primero").joinpath("practice.table").read_bytes()
    shares = tuple([share / _ONE for share in struct.unpack(f"<{_COUNT}H", zlib.decompress(packed))])
    return Practice(beats=shares[:STRENGTHS], two=shares[STRENGTHS:])
