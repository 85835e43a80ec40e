"""One server over a simulated disk: whatever fails, everybody is told once and in order what the records say, and what
was acknowledged is kept."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cluster.simulation.campaign import cut_down
from tests.cluster.simulation.evening import run
from tests.cluster.simulation.virtual_time import virtual_time
from tests.crashes.simulation.campaign import evening, must_hold, plan_of
from tests.crashes.simulation.disk import can_simulate
from tests.crashes.simulation.mutations import MUTATIONS
from tests.crashes.simulation.world import ServerWorld

pytestmark = pytest.mark.skipif(not can_simulate(), reason="SQLite is a part of Python here, and cannot be reached")

SEEDS = 7
"""Evenings in the suite; `scripts/soak simulation-server` tries as many as there is time for."""


def told_in(seed: int, root: Path) -> Sequence[str]:
    """All messages of an evening, in their order."""
    root.mkdir()
    with virtual_time(seed) as loop:
        world = ServerWorld(loop, plan_of(seed), root)
        run(world)
        must_hold(world)
    return [f"{message}" for connection in world.heard for message in connection]


@pytest.mark.timeout(120)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_evening_of_faults_at_one_server_breaks_no_law(seed: int) -> None:
    assert evening(plan_of(seed)) == ""


@pytest.mark.timeout(120)
def test_evening_of_one_server_is_always_the_same(tmp_path: Path) -> None:
    assert told_in(2, tmp_path / "once") == told_in(2, tmp_path / "again")


@pytest.mark.timeout(300)  # some twenty evenings
def test_journal_without_syncs_is_found_and_cut_down() -> None:
    """The shortest plan has fewer faults, and breaks a law as well."""
    with MUTATIONS["nothing is synced"]():
        plan = plan_of(next(seed for seed in range(100) if evening(plan_of(seed))))
        shortest = cut_down(plan, evening)
        assert evening(shortest)
        assert not evening(replace(shortest, faults=()))
    assert 0 < len(shortest.faults) < len(plan.faults)
    assert evening(shortest) == ""
