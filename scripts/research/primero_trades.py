"""Trades in Primero, compiled: what each hand is worth after its best trade, counted over all draws."""

from typing import Any

import numpy as np
import numpy.typing as npt

from scripts.research.compiling import compiled, fast
from scripts.research.primero_spots import FOUR_GRADES, TWO_GRADES

Doubles = npt.NDArray[np.float64]

# What is compiled must find what it uses under plain names.
cards: Any = compiled("put_server.house.primero.four_cards")
strength, STRENGTHS, COUNT = cards.strength, cards.STRENGTHS, cards.COUNT
HANDS = 91_390
"""Hands of four cards."""


@fast
def place_of(a: int, b: int, c: int, d: int) -> int:
    """The number of four cards in ascending order."""
    return a + b * (b - 1) // 2 + c * (c - 1) * (c - 2) // 6 + d * (d - 1) * (d - 2) * (d - 3) // 24


@fast
def draws(held: Any, chance: Any, best: Any, strengths: Any) -> int:
    """The best trade of a hand in ascending order, as a set of the places laid down; `best[0]` is what it is worth."""
    top, which = chance[strengths[place_of(held[0], held[1], held[2], held[3])]], 0
    others = np.empty(36, np.int64)
    count = 0
    for card in range(COUNT):
        if card != held[0] and card != held[1] and card != held[2] and card != held[3]:
            others[count] = card
            count += 1
    for out in range(1, 15):
        kept = np.empty(4, np.int64)
        left = 0
        for place in range(4):
            if not out >> place & 1:
                kept[left] = held[place]
                left += 1
        if left < 2:
            continue
        total = 0.0
        if left == 3:
            for x in range(36):
                total += chance[strength(kept[0], kept[1], kept[2], others[x])]
            total /= 36
        else:
            for x in range(36):
                for y in range(x):
                    total += chance[strength(kept[0], kept[1], others[x], others[y])]
            total /= 630
        if total > top:
            top, which = total, out
    best[0] = top
    return which


@fast
def all_draws(chance: Any, strengths: Any, worth: Any, trades: Any) -> None:
    """The worth and the best trade of every hand of four."""
    held, best = np.empty(4, np.int64), np.empty(1)
    for d in range(3, COUNT):
        for c in range(2, d):
            for b in range(1, c):
                for a in range(b):
                    held[0], held[1], held[2], held[3] = a, b, c, d
                    at = place_of(a, b, c, d)
                    trades[at] = draws(held, chance, best, strengths)
                    worth[at] = best[0]


@fast
def all_strengths(strengths: Any) -> None:
    for d in range(3, COUNT):
        for c in range(2, d):
            for b in range(1, c):
                for a in range(b):
                    strengths[place_of(a, b, c, d)] = strength(a, b, c, d)


@fast
def two_worths(worth: Any, two: Any, trades: Any) -> None:
    """What each two cards are worth: the mean over the two that come. And the best trade: a set of the places."""
    hand = np.empty(4, np.int64)
    for b in range(COUNT):
        for a in range(b):
            total, count = 0.0, 0
            for d in range(COUNT):
                for c in range(d):
                    if a in (c, d) or b in (c, d):
                        continue
                    hand[0], hand[1], hand[2], hand[3] = a, b, c, d
                    hand.sort()
                    total += worth[place_of(hand[0], hand[1], hand[2], hand[3])]
                    count += 1
            two[a, b] = two[b, a] = total / count
    mean = two.sum() / (COUNT * (COUNT - 1))
    for a in range(COUNT):
        for b in range(COUNT):
            if a == b:
                continue
            without_a = (two[b].sum() - two[a, b]) / (COUNT - 2)
            without_b = (two[a].sum() - two[a, b]) / (COUNT - 2)
            best = max(without_a, without_b, mean)
            trades[a, b] = 3 if best == mean else (1 if best == without_a else 2)


def beaten(shown: Doubles) -> Doubles:
    """The chance of each strength to beat one hand, given how often hands of each strength were shown."""
    share = shown / max(shown.sum(), 1.0)
    chance: Doubles = np.cumsum(share) - share / 2
    return chance


class Trades:
    """The worth of every trade against others who show such hands."""

    def __init__(self, chance: Doubles) -> None:
        strengths = np.zeros(HANDS, np.int64)
        all_strengths(strengths)
        self.worth, self.trades = np.zeros((3, HANDS)), np.zeros((3, HANDS), np.int64)
        for others in range(3):
            all_draws(chance ** (others + 1), strengths, self.worth[others], self.trades[others])
        self.chance = chance
        self.two, self.two_trades = np.zeros((COUNT, COUNT)), np.zeros((COUNT, COUNT), np.int64)
        two_worths(self.worth[1], self.two, self.two_trades)
        off = self.two[~np.eye(COUNT, dtype=bool)]
        self.two_bounds = np.quantile(off, np.arange(1, TWO_GRADES) / TWO_GRADES)
        self.four_bounds = np.zeros((3, FOUR_GRADES - 1))

    def grade(self, met: Doubles) -> None:
        """Bounds of the grades, such that hands met so often are in each."""
        for others in range(3):
            order = np.argsort(self.worth[others])
            share = np.cumsum(met[order]) / met.sum()
            at = np.minimum(np.searchsorted(share, np.arange(1, FOUR_GRADES) / FOUR_GRADES), HANDS - 1)
            self.four_bounds[others] = self.worth[others][order][at]

    def tables(self) -> tuple[Any, ...]:
        """As the compiled functions take them."""
        return self.worth, self.trades, self.two, self.two_bounds, self.two_trades, self.four_bounds
