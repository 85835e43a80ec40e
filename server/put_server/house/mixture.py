"""A player's actions as likelihoods: the player draws from them, and whoever knows them can say how well it plays."""

from collections.abc import Sequence
from random import Random

from put_protocol.games.put import (
    ThrowIn,
)
from put_protocol.games.unions import (
    Action,
)

Mixture = dict[Action, float]
"""How likely each action is; in all, 1. What is never done is not in it."""

_NEVER = 1e-12
"""Likelihoods below this are errors of rounding."""


def drawn(mixture: Mixture, dice: Random) -> Action:
    """One of them, as likely as it says. No dice are thrown where there is no choice."""
    if len(mixture) == 1:
        return next(iter(mixture))
    return dice.choices(list(mixture), list(mixture.values()))[0]


def either(action: Action, share: float, rest: Mixture) -> Mixture:
    """This action so often, and the rest of the time what `rest` says, which has not got it."""
    if share < _NEVER:
        return rest
    if share > 1 - _NEVER:
        return {action: 1.0}
    return {action: share} | {other: (1 - share) * each for other, each in rest.items()}


def evenly(actions: Sequence[Action]) -> Mixture:
    """Any of them but giving up."""
    some = [action for action in actions if not isinstance(action, ThrowIn)] or actions
    return dict.fromkeys(some, 1 / len(some))
