"""A cluster on a simulated broker: whatever fails, everybody is told once and in order what the records say."""

from dataclasses import replace

import pytest

from tests.cluster.simulation.campaign import cut_down, evening, plan_of
from tests.cluster.simulation.evening import run
from tests.cluster.simulation.laws import must_hold
from tests.cluster.simulation.mutations import MUTATIONS
from tests.cluster.simulation.virtual_time import virtual_time
from tests.cluster.simulation.world import Plan, World

SEEDS = 8
"""Evenings in the suite; `scripts/soak simulation` tries as many as there is time for."""


def told_in(plan: Plan) -> list[str]:
    """All messages of an evening, in their order."""
    with virtual_time(plan.seed) as loop:
        world = World(loop, plan)
        run(world)
        must_hold(world)
    return [f"{message}" for connection in world.heard for message in connection]


@pytest.mark.timeout(120)  # blind deals take seconds, and more on a busy machine
@pytest.mark.parametrize("seed", range(SEEDS))
def test_evening_of_faults_breaks_no_law(seed: int) -> None:
    assert evening(plan_of(seed)) == ""


@pytest.mark.timeout(120)
def test_evening_of_a_seed_is_always_the_same() -> None:
    plan = plan_of(3)
    assert told_in(plan) == told_in(plan)


@pytest.mark.timeout(120)  # some twenty evenings
def test_answer_that_is_not_kept_is_found_and_cut_down() -> None:
    """The shortest plan has fewer faults, and breaks a law as well."""
    with MUTATIONS["an answer is forgotten"]():
        plan = plan_of(next(seed for seed in range(100) if evening(plan_of(seed))))
        shortest = cut_down(plan, evening)
        assert evening(shortest)
        assert not evening(replace(shortest, faults=()))
    assert 0 < len(shortest.faults) < len(plan.faults)
    assert evening(shortest) == ""
