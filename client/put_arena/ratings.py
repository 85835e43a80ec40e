"""Ratings of competitors, from the order in which games paid them.

openskill's Plackett-Luce model rates the order of the sides by what the game paid them; equal pay is a tie. With two
sides it is the model of Bradley and Terry. With more, who wins is not enough: a player who throws in before others play
a put out pays nothing, and one who always puts wins as often as a good player, and loses more stakes.

openskill takes games one after another and their order matters, so it is given them in several orders, shuffled by the
same dice each time, and the mean is taken; the spread of the orders is part of the uncertainty. Bots do not change, so
no drift is allowed for (tau is 0).
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, pvariance
from typing import Any

PASSES = 12
STEPS = 20_000
"""Games in all passes together, less than a second; but there are at least two passes."""

MIDDLE = 25.0
"""Initial rating, and the mean of all ratings."""

Outcome = tuple[tuple[int, ...], tuple[int, ...]]
"""The competitors on the sides of a game, and what it paid each side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    mu: float
    """25 is the middle. Of two who play each other, 4 more wins about 2 games of 3, and 6.5 more 3 of 4."""
    sigma: float
    """Standard deviation."""


def rate(model: Any, now: list[Any], outcome: Outcome) -> None:
    """Take a game into the ratings of all competitors as they are now, by a model of openskill's."""
    sides, paid = outcome
    rated = model.rate([[now[one]] for one in sides], ranks=[float(-stakes) for stakes in paid])
    for one in {*sides}:  # a competitor that sits there twice has won and lost at once
        own = [rating for side, (rating,) in zip(sides, rated, strict=True) if side == one]
        now[one] = model.rating(mu=fmean([r.mu for r in own]), sigma=fmean([r.sigma for r in own]))


def ratings(outcomes: Sequence[Outcome], competitors: int) -> tuple[Rating, ...]:
    """A rating for each; those who played no game keep the initial one."""
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
