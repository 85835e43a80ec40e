"""The hands another may hold, and how likely each is, by the dealing alone.

Cards are strengths, more is better; `unseen` is how many cards of each strength may be anywhere.
"""

from functools import lru_cache
from itertools import accumulate, combinations_with_replacement
from math import comb

from put_server.house.duel import Cards

Holdings = tuple[tuple[Cards, float], ...]
"""Hands, best card first, and in how many ways each can come about, up to a common factor."""


@lru_cache(maxsize=64)
def dealt(unseen: Cards, size: int) -> Holdings:
    """Every hand of this size that can be dealt."""
    best_first = range(len(unseen) - 1, -1, -1)
    holdings = []
    for cards in combinations_with_replacement(best_first, size):
        ways = 1
        for card in set(cards):
            ways *= comb(unseen[card], cards.count(card))
        if ways:
            holdings.append((cards, float(ways)))
    return tuple(holdings)


@lru_cache(maxsize=64)
def received(unseen: Cards, size: int, shown: Cards) -> Holdings:
    """The same of one who was given their partner's best card, discarded their worst, and played those `shown`.

    Either the gift is one of the cards they kept, their partner having held two that were no better, and what they
    threw away was no better than any; or the gift was no better than any, and they threw it away.
    """
    total = sum(unseen)
    # Of the others of its rank half are no better: of two equal cards either may have been given, or thrown away. And
    # never none: people do not always throw away their worst.
    not_above = [
        (below - count + max(count - 1, 1) / 2) / total for count, below in zip(unseen, accumulate(unseen), strict=True)
    ]
    holdings = []
    for cards, ways in dealt(unseen, size):
        kept = (*cards, *shown)
        lowest = not_above[min(kept)]
        holdings.append((cards, ways * lowest * (sum([not_above[card] ** 2 for card in kept]) + lowest * lowest / 3)))
    return tuple(holdings)
