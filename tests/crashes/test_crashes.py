"""A server killed, and its connections cut, in the middle of play."""

from pathlib import Path

import pytest

from tests.crashes import campaigns
from tests.crashes.campaigns import WITH_PRIMERO, WITH_TRIOMPHE, Tables
from tests.crashes.scripted_bots import Programme

KEYED = (("put-1674", 2), ("put-partners", 4))
"""One whose hands the server never reads, and one that it reads."""


def plain(seed: int, tables: Tables) -> Programme:
    return Programme(seed=seed, tables=tables, games=1)


def dealt_blind(seed: int) -> Programme:
    """Short games, so that most of what is disturbed is dealing."""
    return Programme(seed=seed, tables=KEYED, games=1, holds_keys=True, options={"target": 2, "pack": 28})


@pytest.mark.timeout(120)
async def test_crash_costs_nobody_anything(tmp_path: Path) -> None:
    """SIGKILL again and again: what was acknowledged stands, nothing comes twice, every game ends as it would have."""
    assert await campaigns.killed(plain(1674, WITH_PRIMERO), tmp_path, moves=60) >= 2


@pytest.mark.timeout(120)
async def test_upgrades_cost_nobody_anything(tmp_path: Path) -> None:
    """Another process takes over again and again: nothing is lost, nothing comes twice, and everyone is back."""
    upgrades, pauses = await campaigns.upgraded(plain(1674, WITH_PRIMERO), tmp_path, moves=40)
    assert upgrades >= 2
    assert len(pauses) >= upgrades


@pytest.mark.timeout(120)
async def test_cut_connections_cost_nobody_anything(tmp_path: Path) -> None:
    """Cut in the middle of messages: requests are answered once, events come once, games end as they would."""
    assert await campaigns.cut(plain(1800, WITH_TRIOMPHE), tmp_path, moves=40) >= 3


@pytest.mark.timeout(120)
async def test_crash_leaves_no_doubt_about_a_deal(tmp_path: Path) -> None:
    """Half shuffled or half shared: it goes on or is made anew in public, and nobody finds anything wrong."""
    assert await campaigns.killed(dealt_blind(1674), tmp_path, moves=12) >= 1


@pytest.mark.timeout(120)
async def test_cut_connections_leave_no_doubt_about_a_deal(tmp_path: Path) -> None:
    """The same where connections are cut in the middle of a shuffle or its shares."""
    assert await campaigns.cut(dealt_blind(1800), tmp_path, moves=5) >= 2
