"""A cluster that is disturbed in play; a slice of what `scripts/soak cluster` does."""

from pathlib import Path

import pytest

from tests.cluster.campaign import disturbed
from tests.cluster.nats_server import needs_nats
from tests.cluster.rig import SMALL
from tests.crashes.scripted_bots import Programme

pytestmark = needs_nats


@pytest.mark.timeout(120)
async def test_death_of_a_worker_costs_nobody_anything(tmp_path: Path) -> None:
    """Another worker takes its shards over: what was acknowledged stands, nothing comes twice, the game ends as it
    would have."""
    programme = Programme(seed=1674, tables=(("put-1674", 2),) * 2, games=1)
    evening = await disturbed(1674, tmp_path, programme, moves=10, names=("a worker killed",), size=SMALL)
    assert evening.done.total() >= 1
