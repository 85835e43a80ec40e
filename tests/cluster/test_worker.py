"""Workers on a real broker: shards are served, taken over and given away, and nothing acknowledged is lost."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from nats.aio.client import Client

from put_protocol.messages import Decision, Invite, Ok, OpenTable, Sit
from put_server.cluster import charter
from put_server.cluster.worker import Worker
from put_server.settings import Settings
from tests.cluster.nats_server import connected, nats_server, needs_nats
from tests.cluster.raw_gateway import RawGateway, gateway

pytestmark = needs_nats

CLUSTER = "test"
SHARDS = 4


def settings() -> Settings:
    return Settings(cluster=CLUSTER, shards=SHARDS, replicas=1)


@asynccontextmanager
async def working(client: Client) -> AsyncIterator[Worker]:
    worker = Worker(settings(), client, await charter.settled(client, settings()), thinks=False)
    task = asyncio.create_task(worker.run())
    try:
        yield worker
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[tuple[Client, RawGateway]]:
    """A broker, a connection for workers, and a gateway."""
    async with (
        nats_server(folder) as server,
        connected(server) as client,
        connected(server) as other,
        gateway(other, CLUSTER, shards=SHARDS) as found,
    ):
        yield client, found


async def test_game_is_played_at_a_shard(tmp_path: Path) -> None:
    """Somebody is let in at home, opens a table there, and plays against the house."""
    async with running(tmp_path) as (client, found), working(client):
        admitted = await found.visit(3, 1, "Ann")
        assert admitted.welcome.name == "Ann"
        await found.ask(3, 1, OpenTable(1, "put-1674"))
        assert (await found.answer(3, 1, Ok)).table == 3
        await found.ask(3, 1, Sit(2, 3))
        await found.ask(3, 1, Invite(3, 3, house="steady"))
        decision = await found.answer(3, 1, Decision)
        assert decision.table == 3
