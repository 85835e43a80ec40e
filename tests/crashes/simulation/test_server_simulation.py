"""One server over a simulated disk: whatever fails, everybody is told once and in order what the records say, and what
was acknowledged is kept."""

import pytest

from tests.crashes.simulation.campaign import CAMPAIGN
from tests.crashes.simulation.disk import can_simulate
from tests.crashes.simulation.mutations import MUTATIONS

pytestmark = pytest.mark.skipif(not can_simulate(), reason="SQLite is a part of Python here, and cannot be reached")

SEEDS = 2
"""Evenings in the suite; `scripts/soak simulation-server` tries as many as there is time for."""


@pytest.mark.timeout(120)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_evening_of_faults_at_one_server_breaks_no_law(seed: int) -> None:
    assert CAMPAIGN.evening(CAMPAIGN.plan_of(seed)) == ""


@pytest.mark.timeout(120)
def test_evening_of_one_server_is_always_the_same() -> None:
    assert CAMPAIGN.told_in(2) == CAMPAIGN.told_in(2)


@pytest.mark.timeout(300)
def test_journal_without_syncs_is_found_and_cut_down() -> None:
    """The first evening has four faults, and finds it most often: those of twenty take long to cut down."""
    CAMPAIGN.must_find(MUTATIONS["nothing is synced"], range(15, 100))
