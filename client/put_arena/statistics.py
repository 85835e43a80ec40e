"""The worth of results: intervals over sets, what playing every deal from all seats has gained, and when to stop.

Everything here is arithmetic on numbers a set: the games of a set share their packs and so depend on each other, but
sets do not.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist, fmean

CONFIDENCE = 0.95

STEADY_SETS = 20
"""Of fewer the spread is not known well enough: nothing is called decided, and nothing said of luck."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A mean, and where the true one is in 95 of 100 such intervals."""

    mean: float
    low: float
    high: float
    count: int
    """Of independent values it is made of."""

    @property
    def half(self) -> float:
        """Half its width."""
        return (self.high - self.low) / 2

    def shifted(self, factor: float, offset: float) -> "Interval":
        """The interval of `factor * x + offset`; the factor is above 0."""
        return Interval(
            mean=factor * self.mean + offset,
            low=factor * self.low + offset,
            high=factor * self.high + offset,
            count=self.count,
        )


def interval(values: Sequence[float], least: float, most: float) -> Interval | None:
    """By Student's t; None of nothing. `least` and `most`: what a value can be.

    Where all values are the same extreme, or there is but one, t would say nothing or too much. Then it is as wide as
    can be said of anything so bounded: a value short of the extreme by any amount has been missed so many times.
    """
    count = len(values)
    if count == 0:
        return None
    mean = fmean(values)
    if count == 1:
        return Interval(mean=mean, low=least, high=most, count=1)
    spread = variance(values)
    if spread == 0 and mean in (least, most):
        missed = 1 - ((1 - CONFIDENCE) / 2) ** (1 / count)
        low = most - missed * (most - least) if mean == most else least
        high = least + missed * (most - least) if mean == least else most
        return Interval(mean=mean, low=low, high=high, count=count)
    half = t_quantile(1 - (1 - CONFIDENCE) / 2, count - 1) * math.sqrt(spread / count)
    return Interval(mean=mean, low=max(least, mean - half), high=min(most, mean + half), count=count)


def variance(values: Sequence[float]) -> float:
    """Of a sample of two or more."""
    mean = fmean(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)


def luck_removed(sets: Sequence[Sequence[float]]) -> float | None:
    """The share of a mean's variance that sets take away, against as many games with packs of their own.

    0 where sharing packs gained nothing, 1 where nothing but luck told the games apart, below 0 where it did harm.
    None: not known.
    """
    games = [value for one in sets for value in one]
    if len(sets) < STEADY_SETS:
        return None
    plain = variance(games) / len(games)
    if plain == 0:
        return None
    return 1 - variance([fmean(one) for one in sets]) / len(sets) / plain


def is_separated(differences: Sequence[float], alpha: float = 1 - CONFIDENCE) -> bool:
    """Whether the mean difference is not 0, by a rule that may be asked after every set for as long as one likes: the
    chance that it ever says so wrongly is `alpha`, and not that much each time one looks.

    The confidence sequence of Robbins' normal mixture, with the sample's variance (Waudby-Smith, Arbour, Sinha, Kennedy
    and Ramdas 2021), at its tightest after some hundred sets.
    """
    count = len(differences)
    if count < STEADY_SETS:
        return False
    spread = variance(differences)
    if spread == 0:
        return differences[0] != 0
    rho = math.sqrt((-2 * math.log(alpha) + math.log(-2 * math.log(alpha) + 1)) / 200)
    scale = count * rho**2
    bound = math.sqrt(2 * (scale + 1) / (count**2 * rho**2) * math.log(math.sqrt(scale + 1) / alpha))
    return abs(fmean(differences)) > bound * math.sqrt(spread)


# --- Student's t -----------------------------------------------------------------------------------------------------


@cache
def t_quantile(probability: float, freedom: int) -> float:
    """Below which a t of so many degrees of freedom is with this probability, of a half or more."""
    low, high = 0.0, 2.0
    while t_below(high, freedom) < probability:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        if t_below(middle, freedom) < probability:
            low = middle
        else:
            high = middle
    return high


def t_below(t: float, freedom: int) -> float:
    """The probability of a value below `t`, which is not negative: the finite sums of Abramowitz and Stegun 26.7.3 and
    26.7.4, or the normal distribution where they are long and it differs in the fifth digit."""
    if freedom > 10_000:
        return NormalDist().cdf(t)
    angle = math.atan(t / math.sqrt(freedom))
    square = math.cos(angle) ** 2
    if freedom % 2:
        total, term = 0.0, math.cos(angle)
        for k in range(1, freedom - 1, 2):
            total += term
            term *= square * (k + 1) / (k + 2)
        within = 2 / math.pi * (angle + math.sin(angle) * total)
    else:
        total, term = 0.0, 1.0
        for k in range(0, freedom - 1, 2):
            total += term
            term *= square * (k + 1) / (k + 2)
        within = math.sin(angle) * total
    return (1 + within) / 2
