"""Mixtures of Put's actions."""

from collections.abc import Sequence

from put_protocol.games.put import PutAction, ThrowIn

Mixture = dict[PutAction, float]
"""Probability of each action; in all, 1. What is never done is not in it."""


def uniform(actions: Sequence[PutAction]) -> Mixture:
    """Any of them but giving up, all equally likely."""
    some = [action for action in actions if not isinstance(action, ThrowIn)] or actions
    return dict.fromkeys(some, 1 / len(some))
