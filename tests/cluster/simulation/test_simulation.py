"""A cluster on a simulated broker: whatever fails, everybody is told once and in order what the records say."""

import pytest

from tests.cluster.simulation.campaign import CAMPAIGN
from tests.cluster.simulation.mutations import MUTATIONS

SEEDS = (0, 2, 4, 171)
"""Evenings in the suite, the last of blind deals and faults of many kinds; `scripts/soak simulation` tries as many as
there is time for."""


@pytest.mark.timeout(120)  # blind deals take seconds, and more on a busy machine
@pytest.mark.parametrize("seed", SEEDS)
def test_evening_of_faults_breaks_no_law(seed: int) -> None:
    assert CAMPAIGN.evening(CAMPAIGN.plan_of(seed)) == ""


@pytest.mark.timeout(120)
def test_evening_of_a_seed_is_always_the_same() -> None:
    assert CAMPAIGN.told_in(0) == CAMPAIGN.told_in(0)


@pytest.mark.timeout(120)
def test_answer_that_is_not_kept_is_found_and_cut_down() -> None:
    """The first evening has three faults, and finds it: those of twenty take long to cut down."""
    CAMPAIGN.must_find(MUTATIONS["an answer is forgotten"], range(12, 100))
