"""Ratings of all competitors on one scale, by openskill's Plackett-Luce model.

A game of Put has one winning side and no second place: the winner is chosen from those at the table, which is what
Plackett and Luce describe; with two sides it is the model of Bradley and Terry. openskill takes games one after another
and the order tells, so it is given them in several orders, shuffled by the same dice each time, and the mean is taken;
how far the orders disagree is part of the uncertainty. Bots do not change, so no drift is allowed for (tau is 0).
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, pvariance

PASSES = 12
STEPS = 20_000
"""Games taken in all passes together, less than a second; but there are two passes at least."""

MIDDLE = 25.0
"""Where everyone begins, and the mean of all ratings."""

_Outcome = tuple[tuple[int, ...], int]
"""The competitors on the sides of a game, and which side won."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """Where a competitor stands."""

    mu: float
    """25 is the middle. Of two who play each other, 4 more wins about 2 games of 3, and 6.5 more 3 of 4."""
    sigma: float
    """The uncertainty of it, as a standard deviation."""


def ratings(outcomes: Sequence[_Outcome], competitors: int) -> tuple[Rating, ...]:
    """A rating for each; those who played no game keep what everyone begins with."""
    from openskill.models import PlackettLuce  # noqa: PLC0415  # a quarter of a second, that `--help` need not wait

    model = PlackettLuce(tau=0.0)
    order = list(outcomes)
    dice = random.Random(1674)
    passes = max(2, min(PASSES, STEPS // max(1, len(order))))
    found: list[list[tuple[float, float]]] = []
    for _ in range(passes):
        dice.shuffle(order)
        now = [model.rating() for _ in range(competitors)]
        for sides, winner in order:
            ranks = [0.0 if side == winner else 1.0 for side in range(len(sides))]
            rated = model.rate([[now[one]] for one in sides], ranks=ranks)
            for one in {*sides}:  # who sits there twice has won and lost at once
                own = [rating for side, (rating,) in zip(sides, rated, strict=True) if side == one]
                now[one] = model.rating(mu=fmean([r.mu for r in own]), sigma=fmean([r.sigma for r in own]))
        level = fmean([rating.mu for rating in now]) - MIDDLE  # only differences are told by games
        found.append([(rating.mu - level, rating.sigma) for rating in now])
    said = []
    for one in range(competitors):
        mus = [pass_[one][0] for pass_ in found]
        spread = pvariance(mus) + fmean([pass_[one][1] for pass_ in found]) ** 2
        said.append(Rating(mu=fmean(mus), sigma=spread**0.5))
    return tuple(said)
