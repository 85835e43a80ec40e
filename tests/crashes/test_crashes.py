"""A server killed, and its connections cut, in the middle of play."""

from pathlib import Path

import pytest

from tests.crashes import campaigns
from tests.crashes.campaigns import WITH_PRIMERO, WITH_TRIOMPHE

KEYED = (("put-1674", 2), ("put-partners", 4))
"""One whose hands the server never reads, and one that it reads."""

SHORT = {"target": 2, "pack": 28}
"""So that most of what is disturbed is dealing."""


@pytest.mark.timeout(120)
async def test_crash_costs_nobody_anything(tmp_path: Path) -> None:
    """SIGKILL again and again: what was acknowledged stands, nothing comes twice, every game ends as it would have."""
    assert await campaigns.killed(1674, tmp_path, games=1, moves=60, tables=WITH_PRIMERO) >= 2


@pytest.mark.timeout(120)
async def test_upgrades_cost_nobody_anything(tmp_path: Path) -> None:
    """Another process takes over again and again: nothing is lost, nothing comes twice, and everyone is back."""
    upgrades, pauses = await campaigns.upgraded(1674, tmp_path, games=1, moves=40, tables=WITH_PRIMERO)
    assert upgrades >= 2
    assert len(pauses) >= upgrades


@pytest.mark.timeout(120)
async def test_cut_connections_cost_nobody_anything(tmp_path: Path) -> None:
    """Cut in the middle of messages: requests are answered once, events come once, games end as they would."""
    assert await campaigns.cut(1800, tmp_path, games=1, moves=40, tables=WITH_TRIOMPHE) >= 3


@pytest.mark.timeout(120)
async def test_crash_leaves_no_doubt_about_a_deal(tmp_path: Path) -> None:
    """Half shuffled or half shared: it goes on or is made anew in public, and nobody finds anything wrong."""
    assert await campaigns.killed(1674, tmp_path, games=1, moves=12, holds_keys=True, tables=KEYED, options=SHORT) >= 1


@pytest.mark.timeout(120)
async def test_cut_connections_leave_no_doubt_about_a_deal(tmp_path: Path) -> None:
    """The same where connections are cut in the middle of a shuffle or its shares."""
    assert await campaigns.cut(1800, tmp_path, games=1, moves=5, holds_keys=True, tables=KEYED, options=SHORT) >= 2
