"""The end of a hand between two when both play it perfectly, each knowing what the other holds.

Nobody knows that at a table; but averaged over all the other may hold, the two errors nearly cancel, and the answer is
exact where it matters most: in the last trick, and in hands that cannot be lost.

Cards are strengths, more is better. A result is 1 for a hand won, 0 for a drawn one, -1 for one lost.
"""

from collections.abc import Iterable
from functools import lru_cache

Cards = tuple[int, ...]

_MEMORY = 1 << 14
"""Positions remembered: all there are between hands of three, if they come as `marks` has them."""


def marks(known: Iterable[int], highest: int) -> list[int]:
    """For each strength up to the highest, a number that tells it apart from others only where it matters.

    Only how the cards of one compare with those of the other does: two strengths between which there is none of the
    `known` cards, which are all that the other might compare with, are the same. So the two hundred thousand pairs of
    hands of three become some thousands.
    """
    ranks, below, marked = set(known), 0, []
    for strength in range(highest + 1):
        is_known = strength in ranks
        marked.append(below + is_known)
        below += 2 * is_known
    return marked


@lru_cache(maxsize=_MEMORY)
def leads(mine: Cards, theirs: Cards, ahead: int) -> Cards:
    """The result of leading each of my cards, when I am so many tricks ahead."""
    # What is best for the other is worst for me.
    return tuple([-max(replies(theirs, _without(mine, at), card, -ahead)) for at, card in enumerate(mine)])


@lru_cache(maxsize=_MEMORY)
def replies(mine: Cards, theirs: Cards, led: int, ahead: int) -> Cards:
    """The result of playing each of my cards to the one led; `theirs` are left in the other's hand."""
    results = []
    for at, card in enumerate(mine):
        left = _without(mine, at)
        now = ahead + (card > led) - (card < led)
        if abs(now) > len(left) or not left:
            results.append((now > 0) - (now < 0))
        elif card > led:
            results.append(max(leads(left, theirs, now)))
        else:
            results.append(-max(leads(theirs, left, -now)))
    return tuple(results)


def _without(cards: Cards, at: int) -> Cards:
    return cards[:at] + cards[at + 1 :]
