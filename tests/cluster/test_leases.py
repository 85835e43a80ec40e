"""The leases, as a worker reads them from replicas of which some lag behind."""

from types import SimpleNamespace
from typing import cast

import pytest
from nats.aio.client import Client
from nats.js.errors import KeyNotFoundError
from nats.js.kv import KeyValue

from put_server.cluster.broker import OutOfReach
from put_server.cluster.leases import Leases
from put_server.cluster.shared_value import OLDER


class Lagging:
    """A bucket that answers with any of the values that it ever had."""

    def __init__(self) -> None:
        self._values: list[bytes] = []
        self.lag = 0

    async def get(self, _key: str) -> SimpleNamespace:
        revision = len(self._values) - self.lag
        return SimpleNamespace(value=self._values[revision - 1], revision=revision)

    async def create(self, _key: str, value: bytes) -> int:
        self._values.append(value)
        return len(self._values)

    async def update(self, _key: str, value: bytes, last: int) -> int:
        assert last == len(self._values)
        return await self.create(_key, value)


async def test_reading_from_a_replica_that_lags_takes_nothing_back() -> None:
    """Who has taken a shard over is not told by an old value that the dead one has it."""
    client = cast("Client", SimpleNamespace(jetstream=lambda **_: None))
    leases, bucket = Leases(client, "leases", shards=2, replicas=3), Lagging()
    leases.value._bucket = cast("KeyValue", bucket)
    assert await leases.write(("dead", "dead"), 0)
    holders, revision, _ = await leases.read()
    assert holders == ("dead", "dead")
    assert await leases.write(("ours", "dead"), revision)
    bucket.lag = 1
    for _ in range(OLDER):
        assert (await leases.read()).holders == ("ours", "dead")
    assert (await leases.read()).holders == ("dead", "dead"), "it is another bucket, in the place of one that is gone"


async def test_value_made_by_another_that_a_lagging_replica_does_not_know_is_written_again_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As two workers begin: the value that is in the way of theirs is not found. The worker goes on."""

    async def create(*_: object) -> int:
        raise KeyNotFoundError

    client = cast("Client", SimpleNamespace(jetstream=lambda **_: None))
    leases, bucket = Leases(client, "leases", shards=2, replicas=3), Lagging()
    leases.value._bucket = cast("KeyValue", bucket)
    monkeypatch.setattr(bucket, "create", create)
    with pytest.raises(OutOfReach, match="the leases: key not found"):
        await leases.write(("ours", "ours"), 0)
