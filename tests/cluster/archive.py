"""What a cluster has kept, and who runs its shards, as anybody can read it from NATS."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec
from nats.errors import Error as NatsError

from put_rules.record import GameRecord
from put_server.cluster import cluster_config
from put_server.cluster.broker import BrokerNames, OutOfReach
from put_server.cluster.shard_stream import ShardStream
from put_server.cluster.status import members_of
from put_server.journal.journal_reader import GameColumns, game_of
from tests.cluster.nodes import connected
from tests.crashes.scripted_bots import GameInputs, steps

_decode_row = msgspec.msgpack.Decoder(GameColumns).decode


T = TypeVar("T")

AGAIN_S, PATIENCE_S = 0.2, 30.0
"""Between two attempts to ask, and for all of them: an election of the broker's takes some seconds."""


async def insisted(ask: Callable[[], Awaitable[T]]) -> T:
    """What the broker answers, once it does."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            return await ask()
        except (NatsError, TimeoutError, OutOfReach):
            if time.monotonic() > deadline:
                raise
            await asyncio.sleep(AGAIN_S)


async def games_of(urls: Sequence[str], cluster: str, shards: int) -> dict[int, GameInputs]:
    """The finished games of each table, in order, each once."""
    games: dict[int, GameInputs] = {}
    for record in await records_of(urls, cluster, shards):
        games.setdefault(record.table, []).append(steps(record))
    return games


async def records_of(urls: Sequence[str], cluster: str, shards: int) -> list[GameRecord]:
    """The finished games, those of each table in order, each once."""
    records: list[GameRecord] = []
    async with connected(urls) as client:
        for shard in range(shards):
            name = BrokerNames(cluster).games(shard)
            rows = [_decode_row(kept.data) for kept in await insisted(ShardStream(client, name, replicas=1).read)]
            numbers = [row[0] for row in rows]
            assert numbers == sorted(set(numbers)), f"a game of shard {shard} was kept twice"
            for row in rows:
                record = game_of(row, Path(name)).record
                assert record.table % shards == shard
                records.append(record)
    return records


async def shards_of(urls: Sequence[str], cluster: str, pid: int) -> frozenset[int]:
    """The shards that the worker with this process id runs."""
    holders = await holders_of(urls, cluster)
    return frozenset(shard for shard, holder in enumerate(holders) if f"-{pid}-" in holder)


async def holders_of(urls: Sequence[str], cluster: str) -> Sequence[str]:
    """The workers that run the shards, by shard; empty: no worker does."""
    async with connected(urls) as client:
        config = await insisted(lambda: cluster_config.found(client, cluster))
        assert config is not None
        members = await insisted(lambda: members_of(client, BrokerNames(cluster)))
    workers = [member.worker for member in members if member.worker is not None]
    runs = {shard.number: worker.name for worker in workers for shard in worker.shards}
    return [runs.get(shard, "") for shard in range(config.shards)]
