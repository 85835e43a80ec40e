"""Statistics of a match: intervals over sets, the variance that sets remove, ratings, and sequential tests.

Intervals are over sets, with one value for each set. The games of a set share their packs, so they are not independent;
sets are.

openskill's Plackett-Luce model rates the order of the sides by their pay; equal pay is a tie. With two sides it is the
model of Bradley and Terry. With more sides, the winner is not enough. A player who throws in before others play out a
put pays nothing. A player who always puts wins as often as a good player, but loses more stakes. openskill rates games
one after another, and their order matters. So it rates several orders, shuffled with a fixed seed, and the mean is
taken. The spread of the orders is part of the uncertainty. Bots do not change, so there is no drift (tau is 0).
"""

import math
import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist, fmean, pvariance
from typing import Any

CONFIDENCE = 0.95

STEADY_SETS = 20
"""Fewest sets for a variance that is reliable enough to judge luck, or to decide a match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A mean and its 95% confidence interval."""

    mean: float
    low: float
    high: float
    count: int
    """Number of independent values."""

    @property
    def half(self) -> float:
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
    """The interval of a mean by Student's t; None without values. `least` and `most` bound a value.

    If all values are the same extreme, or there is only one value, t gives no interval or one of width 0. Then the
    exact interval for bounded values is used, because rarer values may just not have come yet.
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
    """Variance of a sample of two or more."""
    mean = fmean(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)


def luck_removed(sets: Sequence[Sequence[float]]) -> float | None:
    """The share of a mean's variance that sets remove, compared with the same number of games with their own packs.

    0: sharing packs gained nothing; 1: only luck made the games differ; below 0: sharing did harm. None: not known.
    """
    games = [value for one in sets for value in one]
    if len(sets) < STEADY_SETS:
        return None
    plain = variance(games) / len(games)
    if plain == 0:
        return None
    return 1 - variance([fmean(one) for one in sets]) / len(sets) / plain


def times_the_games(values: Sequence[float], fair: Sequence[float]) -> float | None:
    """Factor by which these values must be more for an interval as narrow as that of `fair`. None: not known."""
    if len(values) < STEADY_SETS or len(fair) < STEADY_SETS or variance(fair) == 0:
        return None
    return variance(values) / variance(fair)


# Student's t, because the standard library has only the normal distribution, and SciPy is a hundred megabytes that
# every player would install for these two functions. The sums are exact for whole degrees of freedom, and the tests
# compare them with printed tables.


@cache
def t_quantile(probability: float, freedom: int) -> float:
    """The quantile of t with `freedom` degrees of freedom. The probability is at least a half."""
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
    """The probability of a value below `t`, which is not negative. It is a finite sum (Abramowitz and Stegun 26.7.3 and
    26.7.4). If the sum is long, the normal distribution is used, which differs only in the fifth digit."""
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


PASSES = 12
STEPS = 20_000
"""Games in all passes together: less than a second. There are at least two passes."""

MIDDLE = 25.0
"""Initial rating, and the mean of all ratings."""

Outcome = tuple[tuple[int, ...], tuple[int, ...]]
"""The competitors on the sides of a game, and what it paid each side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    mu: float
    """25 is the middle. A player with 4 more than the opponent wins about 2 games of 3, with 6.5 more 3 of 4."""
    sigma: float


def rate(model: Any, now: list[Any], outcome: Outcome) -> None:
    """Update the current ratings of all competitors by a game, with a model of openskill."""
    sides, paid = outcome
    rated = model.rate([[now[one]] for one in sides], ranks=[float(-stakes) for stakes in paid])
    for one in {*sides}:  # a competitor that sits there twice has won and lost at once
        own = [rating for side, (rating,) in zip(sides, rated, strict=True) if side == one]
        now[one] = own[0]
        if len(own) > 1:
            now[one] = model.rating(mu=fmean([r.mu for r in own]), sigma=fmean([r.sigma for r in own]))


def ratings(outcomes: Sequence[Outcome], competitors: int) -> tuple[Rating, ...]:
    """A rating for each competitor. A competitor without games keeps the initial rating."""
    from openskill.models import PlackettLuce  # noqa: PLC0415  # a quarter of a second, that `--help` need not wait

    model = PlackettLuce(tau=0.0)
    order = list(outcomes)
    dice = random.Random(1674)
    passes = max(2, min(PASSES, STEPS // max(1, len(order))))
    found: list[list[tuple[float, float]]] = []
    for _ in range(passes):
        dice.shuffle(order)
        now = [model.rating() for _ in range(competitors)]
        for outcome in order:
            rate(model, now, outcome)
        level = fmean([rating.mu for rating in now]) - MIDDLE  # games tell only differences
        found.append([(rating.mu - level, rating.sigma) for rating in now])
    said = []
    for one in range(competitors):
        mus = [pass_[one][0] for pass_ in found]
        spread = pvariance(mus) + fmean([pass_[one][1] for pass_ in found]) ** 2
        said.append(Rating(mu=fmean(mus), sigma=spread**0.5))
    return tuple(said)


STAKES = tuple([0.9 / 2.2**step for step in range(8)])
"""Parts of the largest possible stake, from nearly all, for means near the bound, to some thousandths. With more parts,
each has less initial capital."""

HALVINGS = 18
"""Steps of the search for the end of an interval. The result is exact to some millionths of the range."""


class SequentialTest(ABC):
    """A sequential test of whether a mean is 0. It may be read after every value, any number of times."""

    def __init__(self, alpha: float = 1 - CONFIDENCE) -> None:
        """`alpha`: the probability of ever finding a difference if there is none."""
        self._alpha = alpha
        self._values: list[float] = []

    def add(self, value: float) -> None:
        self._values.append(value)

    @property
    @abstractmethod
    def is_separated(self) -> bool:
        """The mean differs from 0."""

    @abstractmethod
    def interval(self) -> Interval | None:
        """Interval of the mean, valid at any moment; None without values."""


class BoundedMean(SequentialTest):
    """The test of values between `-bound` and `bound`.

    The idea is a wager (Shafer and Vovk; Waudby-Smith and Ramdas 2023, "Estimating means of bounded random variables by
    betting"). A gambler begins with capital 1. Before each value the gambler stakes a part on the value being above a
    mean `m`: the capital is multiplied by 1 + stake * (value - m). If each value has the mean `m`, whatever values came
    before, no stakes can gain in the long run, as long as the capital never falls below 0. Ville's inequality says that
    the probability of ever having 1/p or more is at most p. So a capital of 1/p, reached at any moment, shows that the
    mean is above `m`, with an error in at most a share p of all matches. A second gambler stakes on values below `m`.
    Values are bounded, which limits the stakes. Nothing else is assumed of their distribution, and the guarantee holds
    for few values as well as for many.

    The best stakes depend on the mean. So the initial capital is divided among stakes of many sizes, once.
    """

    def __init__(self, bound: float, alpha: float = 1 - CONFIDENCE) -> None:
        super().__init__(alpha)
        self._bound = bound
        self._above = [0.0] * len(STAKES)
        """Logarithm of each part of the capital staked on a mean above 0."""
        self._below = [0.0] * len(STAKES)

    def add(self, value: float) -> None:
        super().add(value)
        part = value / self._bound
        if not -1 <= part <= 1:
            raise ValueError(f"{value} is not between -{self._bound} and {self._bound}")
        if part:
            self._above = [had + math.log1p(stake * part) for had, stake in zip(self._above, STAKES, strict=True)]
            self._below = [had + math.log1p(-stake * part) for had, stake in zip(self._below, STAKES, strict=True)]

    @property
    def is_separated(self) -> bool:
        return self._is_rich(self._above) or self._is_rich(self._below)

    def _is_rich(self, logs: Sequence[float]) -> bool:
        """The capital is enough for one side. Each side may err in half of the allowed cases."""
        most = max(logs)
        return most + math.log(fmean([math.exp(one - most) for one in logs])) >= math.log(2 / self._alpha)

    def interval(self) -> Interval | None:
        """All means that no capital has ruled out."""
        if not self._values:
            return None
        mean = fmean(self._values)
        low = -self._end(-mean, [-value for value in self._values])
        return Interval(mean=mean, low=low, high=self._end(mean, self._values), count=len(self._values))

    def _end(self, mean: float, values: Sequence[float]) -> float:
        """The largest mean that stakes on values below it do not rule out. A larger mean gives them more gain."""
        low, high = mean, self._bound
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            room = self._bound - middle
            parts = [(middle - value) / room for value in values]
            if self._is_rich([math.fsum([math.log1p(stake * part) for part in parts]) for stake in STAKES]):
                high = middle
            else:
                low = middle
        return high


class NormalMean(SequentialTest):
    """The test of values without a known bound, such as gains of a purse.

    Robbins' normal mixture with the sample's variance (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2021), tightest
    after some hundred values. Its guarantee comes from the central limit theorem, so it is better with more values.
    """

    def __init__(self, alpha: float = 1 - CONFIDENCE) -> None:
        super().__init__(alpha)
        self._mean = self._squares = 0.0
        """Mean of the values so far, and the sum of their squared distances from it (Welford)."""

    def add(self, value: float) -> None:
        super().add(value)
        before = value - self._mean
        self._mean += before / len(self._values)
        self._squares += before * (value - self._mean)

    @property
    def is_separated(self) -> bool:
        found = self.interval()
        return found is not None and not found.low <= 0 <= found.high

    def interval(self) -> Interval | None:
        """Interval of the mean; infinite while there are few values."""
        count, mean = len(self._values), self._mean
        if not count:
            return None
        if count < STEADY_SETS:
            return Interval(mean=mean, low=-math.inf, high=math.inf, count=count)
        rho = math.sqrt((-2 * math.log(self._alpha) + math.log(-2 * math.log(self._alpha) + 1)) / 200)
        scale = count * rho**2
        bound = math.sqrt(2 * (scale + 1) / (count**2 * rho**2) * math.log(math.sqrt(scale + 1) / self._alpha))
        half = bound * math.sqrt(self._squares / (count - 1))
        return Interval(mean=mean, low=mean - half, high=mean + half, count=count)
