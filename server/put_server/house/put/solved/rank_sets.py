"""Hands as multisets of ranks. A rank is a number; the lowest is 0.

Ranks are enough because no rule depends on a suit: exchanging suits changes neither the legal moves nor the end of a
hand. Exchanging suits turns an equilibrium into another, and their average, also an equilibrium, treats hands of equal
ranks alike. So there is an equilibrium in which only ranks matter, and it is enough to find that one. With 13 ranks
there are 455 hands of three: 286 of three different ranks, 156 with a pair, 13 of three equal ones.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod

Ranks = tuple[int, ...]
"""Ranks in rising order."""

COPIES = 4
"""Cards of a rank in a pack: one of each suit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSet:
    """All hands of one size."""

    size: int
    hands: tuple[Ranks, ...]
    place: Mapping[Ranks, int]
    """The index of each in `hands`."""
    distinct: Mapping[Ranks, Ranks]
    """Distinct ranks of each hand in rising order: the cards it can play."""


@cache
def hands_of(ranks: int, size: int) -> HandSet:
    """Every hand of this size, in the order of tables."""
    hands = tuple(combinations_with_replacement(range(ranks), size))
    return HandSet(
        size=size,
        hands=hands,
        place={hand: at for at, hand in enumerate(hands)},
        distinct={hand: tuple(sorted(set(hand))) for hand in hands},
    )


def without(hand: Ranks, rank: int) -> Ranks:
    at = hand.index(rank)
    return hand[:at] + hand[at + 1 :]


def ways_dealt(hand: Ranks, gone: Ranks = ()) -> int:
    """Number of ways to deal a hand from a pack without the cards that are `gone`."""
    return prod(comb(COPIES - gone.count(rank), hand.count(rank)) for rank in set(hand))
