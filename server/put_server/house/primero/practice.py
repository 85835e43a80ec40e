"""Table of what was learned by playing many hands, as `practice.table` keeps it.

The house values hands by the chances and worths in it. How to bet at each spot is in it, too; no house player bets by
that, but `scripts/research/learned_primero.py`.

The file is compressed by zlib. Inside are 16-bit shares, little-endian, 65535 being 1: for hands shown after 0, 1 and 2
cards were traded, and for all together, the chance of each strength below 500 to beat them (a tie counts half); the
worth of two cards, of different suits and then of one suit, by rank and rank; the bounds of the grades of two cards;
and those of four, against 1, 2 and 3 others. What follows are bytes: for each spot of `spots`, how often to do each of
five things, 255 being always. A spot that was never met has only zeros.

`scripts/research/learn_primero.py` writes it.
"""

import struct
import zlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from put_server.house.primero import spots
from put_server.house.primero.four_cards import RANK_OF, RANKS, STRENGTHS, SUIT_OF

_ONE, _ALWAYS = 65535, 255
_TRADED = 4
"""0, 1 or 2 cards, or any number."""
_OTHERS = 3
"""1, 2, or 3 and more."""
_PLACES = len(RANKS) ** 2
_SIZES = (_TRADED * STRENGTHS, 2 * _PLACES, spots.TWO_GRADES - 1, _OTHERS * (spots.FOUR_GRADES - 1))


class Practice(NamedTuple):
    """What was learned."""

    beats: tuple[tuple[float, ...], ...]
    """By the cards that another has traded, the chance of each strength to beat their hand; the last is for any number.
    A tie counts half."""
    two: tuple[float, ...]
    """What two cards are worth: see `two_worth`."""
    two_bounds: tuple[float, ...]
    four_bounds: tuple[tuple[float, ...], ...]
    """By the number of others who are in, less 1."""
    shares: bytes
    """How often to do what, in 255ths."""

    def two_worth(self, a: int, b: int) -> float:
        """What these two cards are worth, by their numbers."""
        return self.two[_PLACES * (SUIT_OF[a] == SUIT_OF[b]) + len(RANKS) * RANK_OF[a] + RANK_OF[b]]

    def deeds(self, spot: int) -> Sequence[int]:
        """How often to do what at a spot, in 255ths; all 0 if it was never met."""
        return self.shares[spots.DEEDS * spot : spots.DEEDS * (spot + 1)]


def grade_of(worth: float, bounds: Sequence[float]) -> int:
    """The grade of a worth: how many bounds it reaches."""
    return sum([worth >= bound for bound in bounds])


def write(
    path: Path,
    mixtures: Sequence[Sequence[float]],
    beats: Sequence[Sequence[float]],
    two: Sequence[Sequence[float]],
    two_bounds: Sequence[float],
    four_bounds: Sequence[Sequence[float]],
) -> None:
    """Keep what was learned. `two`: by card and card; the rest is as in `Practice`."""
    shares = [chance for chances in beats for chance in chances]
    size = len(RANKS)
    for is_same in (False, True):
        for a in range(size):
            shares += [two[a][b if is_same else size + b] if not (is_same and a == b) else 0.0 for b in range(size)]
    shares += [*two_bounds, *(bound for bounds in four_bounds for bound in bounds)]
    often = bytes(min(_ALWAYS, round(_ALWAYS * share)) for mixture in mixtures for share in mixture)
    packed = struct.pack(f"<{len(shares)}H", *[min(_ONE, max(0, round(_ONE * share))) for share in shares])
    path.write_bytes(zlib.compress(packed + often, 9))


@cache
def practised() -> Practice:
    """What the house has learned, read when first needed."""
    return read(files("put_server.house.primero").joinpath("practice.table").read_bytes())


def read(packed: bytes) -> Practice:
    """What such a file says."""
    raw = zlib.decompress(packed)
    count = sum(_SIZES)
    shares = [share / _ONE for share in struct.unpack_from(f"<{count}H", raw)]
    parts = []
    for size in _SIZES:
        parts.append(tuple(shares[:size]))
        shares = shares[size:]
    beats, two, two_bounds, four_bounds = parts
    each = spots.FOUR_GRADES - 1
    return Practice(
        beats=tuple([beats[STRENGTHS * place : STRENGTHS * (place + 1)] for place in range(_TRADED)]),
        two=two,
        two_bounds=two_bounds,
        four_bounds=tuple([four_bounds[each * place : each * (place + 1)] for place in range(_OTHERS)]),
        shares=raw[2 * count :],
    )
