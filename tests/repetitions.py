"""Repetitions of a law: a fixed slice in the suite, and as many as `scripts/soak` says there."""

import os
from collections.abc import Sequence
from typing import TypeVar

from hypothesis import HealthCheck, settings

TIMES = int(os.environ.get("PUT_TIMES", "1"))
"""As often as the suite tries it."""

TURN = os.environ.get("PUT_TURN", "")
"""The number of a campaign's turn, which has chances of its own. Empty: the suite."""


T = TypeVar("T")


def some(cases: Sequence[T], step: int) -> Sequence[T]:
    """Every so many of the cases in the suite; a campaign tries all of them."""
    return cases if TURN else cases[::step]


def often(examples: int, steps: int = 50) -> settings:
    """So many examples, of so many steps where there are steps, however slow the machine: always the same ones, but in
    a campaign others in every turn."""
    return settings(
        max_examples=examples * TIMES,
        deadline=None,
        derandomize=not TURN,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        stateful_step_count=steps,
    )
