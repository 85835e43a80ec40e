"""Sequential tests of whether a mean is 0: they may be looked at after every value, as often as one likes.

The idea of `BoundedMean` is a wager (Shafer and Vovk; Waudby-Smith and Ramdas 2023, "Estimating means of bounded random
variables by betting"). A gambler begins with 1, and before each value stakes a part of it on the value being
above a mean `m`: the capital is multiplied by 1 + stake * (value - m). If each value has the mean `m`, given any
before it, nothing can be gained in the long run by any stakes, so long as the capital never falls below 0. Ville's
inequality then says that the chance ever to have 1/p or more is at most p. So a gambler who has become so rich has
shown, at any moment, that the mean is above `m`, and errs in at most a share p of all matches. The same is staked
on values below. It is known that values are bounded, which limits the stakes; nothing else is assumed of how they are
distributed, and the guarantee holds for few values as well as for many.

Which stakes are best depends on how large the mean is. So the first 1 is divided among stakes of many sizes, once and
for all.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from statistics import fmean

from put_arena.statistics import CONFIDENCE, STEADY_SETS, Interval

STAKES = tuple([0.9 / 2.2**step for step in range(8)])
"""Parts of the largest possible stake: from nearly all, for means near the bound, to some thousandths. With more parts
each gets less to begin with."""

HALVINGS = 18
"""Steps that find the end of an interval: to some millionths of the range of values."""


class SequentialTest(ABC):
    """A test that takes values one after another."""

    def __init__(self, alpha: float = 1 - CONFIDENCE) -> None:
        """`alpha`: the chance ever to find a difference where there is none."""
        self._alpha = alpha
        self._values: list[float] = []

    def add(self, value: float) -> None:
        self._values.append(value)

    @property
    @abstractmethod
    def is_separated(self) -> bool:
        """The mean is shown not to be 0."""

    @abstractmethod
    def interval(self) -> Interval | None:
        """Interval of the mean, at any moment; None without values."""


class BoundedMean(SequentialTest):
    """The test of values between `-bound` and `bound`."""

    def __init__(self, bound: float, alpha: float = 1 - CONFIDENCE) -> None:
        super().__init__(alpha)
        self._bound = bound
        self._above = [0.0] * len(STAKES)
        """Logarithm of each part of the capital that was staked on a mean above 0."""
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
        """The capital is enough for one side: each of the two may err in half of the cases."""
        most = max(logs)
        return most + math.log(fmean([math.exp(one - most) for one in logs])) >= math.log(2 / self._alpha)

    def interval(self) -> Interval | None:
        """All means that no capital has become rich enough to rule out."""
        if not self._values:
            return None
        mean = fmean(self._values)
        low = -self._end(-mean, [-value for value in self._values])
        return Interval(mean=mean, low=low, high=self._end(mean, self._values), count=len(self._values))

    def _end(self, mean: float, values: Sequence[float]) -> float:
        """The largest mean that stakes on values below it do not rule out. The larger it is, the more they gain."""
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
    """The test of values of which no bound is known, as what a purse gains.

    Robbins' normal mixture with the sample's variance (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2021), at its
    tightest after some hundred values. Its guarantee is that of the central limit theorem: the more values, the better
    it holds.
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
        """Interval of the mean; without ends while there are few values."""
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
