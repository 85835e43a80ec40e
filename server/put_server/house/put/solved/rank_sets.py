"""Hands as sets of ranks in which a rank may come more than once. A rank is a number, the lowest 0.

Why ranks are enough: no rule asks for a suit, so exchanging suits changes neither what may be done nor how a hand ends.
From any equilibrium another follows by exchanging suits, and so does their average, which treats hands of equal ranks
alike. So there is an equilibrium in which only ranks matter, and to look for that one loses nothing. With 13 ranks
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
    """The distinct ranks of each: what may be played, in rising order."""


@cache
def hands_of(ranks: int, size: int) -> HandSet:
    """Every hand of this size, in the order in which tables have them."""
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


def ways(left: tuple[int, ...], hand: Ranks, other: Ranks) -> int:
    """Number of ways in which two players may hold these, with cards distinguished and in order, when `left` are left.

    Divided by the orders of each hand's equal cards this is the number of deals. Those factors belong to one hand alone
    and never change, so they are put once into its first weight (`orders`).
    """
    both = hand + other
    return prod(left[rank] - both[:at].count(rank) for at, rank in enumerate(both))


def ways_dealt(hand: Ranks) -> int:
    """Number of ways in which a hand is dealt from a whole pack."""
    return prod(comb(COPIES, hand.count(rank)) for rank in set(hand))


def orders(hand: Ranks) -> int:
    """Number of orders in which the equal cards of a hand may come."""
    return prod(1 + hand[:at].count(rank) for at, rank in enumerate(hand))
