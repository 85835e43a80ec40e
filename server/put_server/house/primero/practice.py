"""Table of what was counted over 70,000 hands of practice, as `practice.table` keeps it.

The file is compressed by zlib. Inside are 16-bit shares, little-endian, 65535 being 1: the chance of each strength
below 500 to beat a hand that another player shows (a tie counts half); and the worth of two cards, of different suits
and then of one suit, by rank and rank.
"""

import struct
import zlib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from put_server.house.primero.four_cards import RANK_OF, RANKS, STRENGTHS, SUIT_OF

_ONE = 65535
_PLACES = len(RANKS) ** 2
_COUNT = STRENGTHS + 2 * _PLACES


class Practice(NamedTuple):
    """Chances and worths learned from practice."""

    beats: tuple[float, ...]
    """The chance of each strength to beat the hand of another player; a tie counts half."""
    two: tuple[float, ...]
    """Worths of two cards: see `two_worth`."""

    def two_worth(self, a: int, b: int) -> float:
        """The worth of these two cards, by their numbers."""
        return self.two[_PLACES * (SUIT_OF[a] == SUIT_OF[b]) + len(RANKS) * RANK_OF[a] + RANK_OF[b]]


@cache
def practised() -> Practice:
    """The house's table, read when first needed."""
    packed = files("put_server.house.primero").joinpath("practice.table").read_bytes()
    shares = tuple([share / _ONE for share in struct.unpack(f"<{_COUNT}H", zlib.decompress(packed))])
    return Practice(beats=shares[:STRENGTHS], two=shares[STRENGTHS:])
