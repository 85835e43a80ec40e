"""The parts runner: what the server does for blind deals beside its loop."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from put_protocol.blind.transcript import Entry, Kind
from put_server.lobby_runners import PartsRunner
from put_server.table.table_effects import TableId, WantParts
from tests.lobby.test_blind_tables import seated


@asynccontextmanager
async def running(runner: PartsRunner, **more: Any) -> AsyncIterator["asyncio.Queue[tuple[int, tuple[bytes, ...]]]"]:
    """What comes of the work, by table."""
    came: asyncio.Queue[tuple[int, tuple[bytes, ...]]] = asyncio.Queue()

    def done(wanted: WantParts, entries: tuple[bytes, ...], read: int, cost: float) -> None:
        assert cost > 0
        came.put_nowait((wanted.table, entries))

    task = asyncio.create_task(runner.run(done, **more))
    try:
        async with asyncio.timeout(20):
            yield came
    finally:
        task.cancel()


def key_wanted() -> WantParts:
    """A table waits for the key of the house."""
    return seated("put-1674", "kh")[0].works[0]


async def test_table_whose_work_fails_holds_up_no_other(caplog: pytest.LogCaptureFixture) -> None:
    """Its table hears that there is nothing, and no trace of it is logged."""
    wanted = key_wanted()
    broken = WantParts(TableId(9), 1, None, wanted.server, wanted.party)  # type: ignore[arg-type]  # that is the bug
    runner = PartsRunner(lambda _: "")
    async with running(runner) as came:
        runner.want(broken)
        runner.want(wanted)
        assert await came.get() == (9, ())
        table, (entry,) = await came.get()
    assert (table, Entry.parse(entry).kind) == (wanted.table, Kind.KEY)
    assert [record.exc_info for record in caplog.records] == [None]


async def test_work_waits_while_too_much_is_owed_for_it() -> None:
    """Other tables come first."""
    first = key_wanted()
    other = WantParts(TableId(9), 1, first.game, first.server, first.party)
    owed = [0.01]
    runner = PartsRunner(lambda _: "")
    async with running(runner, wait=lambda table: owed.pop() if table == first.table and owed else 0.0) as came:
        runner.want(first)
        runner.want(other)
        assert [(await came.get())[0], (await came.get())[0]] == [9, first.table]
