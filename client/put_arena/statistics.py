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
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from statistics import NormalDist, fmean, pvariance
from typing import Any

from msgspec import Struct, field

CONFIDENCE = 0.95

STEADY_SETS = 20
"""Fewest sets for a variance that is reliable enough to judge luck, or to decide a match."""


class Interval(Struct, frozen=True, kw_only=True):
    """A mean and its 95% confidence interval."""

    mean: float
    low: float
    high: float
    count: int = field(name="of")
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
    half = t_quantile(count - 1) * math.sqrt(spread / count)
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


_FEW = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706)

NORMAL = NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / 2)


def t_quantile(freedom: int) -> float:
    """Half the width of a 95% interval in standard errors, by Student's t with `freedom` degrees of freedom.

    From a table, and beyond it by an expansion (Abramowitz and Stegun 26.7.5) that is exact to 0.0002: the standard
    library has only the normal distribution, and SciPy is a hundred megabytes that every player would install.
    """
    if freedom <= len(_FEW):
        return _FEW[freedom - 1]
    z = NORMAL
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + math.fsum([term / freedom**power for power, term in enumerate(terms, 1)])


PASSES = 12
STEPS = 20_000
"""Games in all passes together: less than a second. There are at least two passes."""

MIDDLE = 25.0
"""Initial rating, and the mean of all ratings."""

Outcome = tuple[tuple[int, ...], tuple[int, ...]]
"""The competitors on the sides of a game, and what it paid each side."""


class Rating(Struct, frozen=True, kw_only=True):
    mu: float
    """25 is the middle. A player with 4 more than the opponent wins about 2 games of 3, with 6.5 more 3 of 4."""
    sigma: float


def rated(outcomes: Iterable[Outcome], competitors: int) -> Iterator[list[Rating]]:
    """The ratings of all competitors at first, and after each game. Their mean is always the same, because games tell
    only differences."""
    from openskill.models import PlackettLuce  # noqa: PLC0415  # a quarter of a second, that `--help` need not wait

    model = PlackettLuce(tau=0.0)
    now = [model.rating() for _ in range(competitors)]
    yield _levelled(now)
    for sides, paid in outcomes:
        found = model.rate([[now[one]] for one in sides], ranks=[float(-stakes) for stakes in paid])
        for one in {*sides}:  # a competitor that sits there twice has won and lost at once
            own = [rating for side, (rating,) in zip(sides, found, strict=True) if side == one]
            now[one] = model.rating(mu=fmean([r.mu for r in own]), sigma=fmean([r.sigma for r in own]))
        yield _levelled(now)


def _levelled(now: Sequence[Any]) -> list[Rating]:
    level = fmean([rating.mu for rating in now]) - MIDDLE
    return [Rating(mu=rating.mu - level, sigma=rating.sigma) for rating in now]


def ratings(outcomes: Sequence[Outcome], competitors: int) -> tuple[Rating, ...]:
    """A rating for each competitor. A competitor without games keeps the initial rating."""
    order = list(outcomes)
    dice = random.Random(1674)
    passes = max(2, min(PASSES, STEPS // max(1, len(order))))
    found: list[list[Rating]] = []
    for _ in range(passes):
        dice.shuffle(order)
        found += deque(rated(order, competitors), maxlen=1)
    said = []
    for one in zip(*found, strict=True):
        spread = pvariance([pass_.mu for pass_ in one]) + fmean([pass_.sigma for pass_ in one]) ** 2
        said.append(Rating(mu=fmean([pass_.mu for pass_ in one]), sigma=spread**0.5))
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
        self._logs = [0.0] * len(STAKES), [0.0] * len(STAKES)
        """Logarithm of each part of the capital, staked on a mean above 0, and below."""

    def add(self, value: float) -> None:
        super().add(value)
        part = value / self._bound
        if not -1 <= part <= 1:
            raise ValueError(f"{value} is not between -{self._bound} and {self._bound}")
        for logs, gain in zip(self._logs, (part, -part), strict=True):
            logs[:] = [had + math.log1p(stake * gain) for had, stake in zip(logs, STAKES, strict=True)]

    @property
    def is_separated(self) -> bool:
        return any(map(self._is_rich, self._logs))

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
        for _ in range(HALVINGS if low < high else 0):
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
