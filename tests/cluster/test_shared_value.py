"""A shared value, as a process reads it from replicas of which some lag behind."""

from types import SimpleNamespace
from typing import cast

import pytest
from nats.aio.client import Client
from nats.js.errors import KeyNotFoundError
from nats.js.kv import KeyValue

from put_server.cluster.broker import OutOfReach
from put_server.cluster.shared_value import OLDER, SharedValue


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


def value_in(bucket: Lagging) -> SharedValue:
    client = cast("Client", SimpleNamespace(jetstream=lambda **_: None))
    value = SharedValue(client, "bucket", "key", named="the value")
    value._bucket = cast("KeyValue", bucket)
    return value


async def test_reading_from_a_replica_that_lags_takes_nothing_back() -> None:
    """A gateway that knows of a ban is not told by an old value that there is none."""
    value = value_in(bucket := Lagging())
    assert await value.write(b"former", 0)
    revision, stored = await value.read()
    assert stored == b"former"
    assert await value.write(b"later", revision)
    bucket.lag = 1
    for _ in range(OLDER):
        assert (await value.read()).value == b"later"
    assert (await value.read()).value == b"former", "it is another bucket, in the place of one that is gone"


async def test_value_made_by_another_that_a_lagging_replica_does_not_know_is_written_again_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As two processes begin: the value that is in the way of theirs is not found. The process goes on."""

    async def create(*_: object) -> int:
        raise KeyNotFoundError

    value = value_in(bucket := Lagging())
    monkeypatch.setattr(bucket, "create", create)
    with pytest.raises(OutOfReach, match="the value: key not found"):
        await value.write(b"ours", 0)
