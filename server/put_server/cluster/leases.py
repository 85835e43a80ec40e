"""Leases: the worker of each shard, as one value in a bucket of the broker, changed by compare and set.

The bucket names the holder of a shard; beats tell whether the holder is alive. No acknowledged play
depends on either: the stream of a shard refuses a worker that wrongly believes to have it. So a lease ends only when
the bucket names another holder, and never because the broker is silent: while it elects a leader, no worker can take a
shard.

The value also holds the format in which shards are written: the greatest of any worker that has changed the holders. A
worker that cannot read this format must leave the shards alone.
"""

from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct
from nats.aio.client import Client

from put_server.cluster.broker import OutOfReach
from put_server.cluster.broker_names import BrokerNames
from put_server.cluster.shared_value import SharedValue
from put_server.journal.journal_schema import SCHEMA

FORMAT = SCHEMA + 1
"""Format of a shard: that of a journal, and one change of its own."""

LEASE_S: Final = 1.5
"""Silence after which a worker is taken for dead: six beats."""

STALL_S: Final = 1.0
"""Pause of our own process after which the silence of others may be ours."""

ANSWER_S = 1.0

NO_WORKER = ""

_KEY = "holders"


class _Holders(Struct, frozen=True):
    holders: tuple[str, ...]
    """Worker of each shard."""
    format: int = 0
    """0: of a worker that did not say it."""


class ShardHolders(NamedTuple):
    holders: tuple[str, ...]
    """Worker of each shard; `NO_WORKER`: the shard is free."""
    revision: int
    """Revision of the value; 0: there is none yet."""
    format: int = 0
    """Greatest format in which any of the shards may be written."""


_decode = msgspec.json.Decoder(_Holders).decode
_encode = msgspec.json.Encoder().encode


class Leases:
    """The holders, as one worker knows them."""

    def __init__(self, client: Client, cluster: str, *, shards: int, replicas: int) -> None:
        bucket = BrokerNames(cluster).leases
        self.value = SharedValue(client, bucket, _KEY, named="the leases", seconds=ANSWER_S, replicas=replicas)
        self._shards = shards
        self._format = FORMAT

    async def read(self) -> ShardHolders:
        """Read the value. If the bucket is gone, every shard is free, and the next call makes the bucket again.

        :raises OutOfReach: no answer comes, or none that can be read.
        """
        revision, stored = await self.value.read()
        if not revision:
            return ShardHolders((NO_WORKER,) * self._shards, 0)
        try:
            holders = _decode(stored)
        except msgspec.MsgspecError as error:
            raise OutOfReach(f"the leases cannot be read: {error}") from None
        if len(holders.holders) != self._shards:
            raise OutOfReach(f"the leases are of {len(holders.holders)} shards and not {self._shards}")
        self._format = max(FORMAT, holders.format)
        return ShardHolders(holders.holders, revision, holders.format)

    async def write(self, holders: tuple[str, ...], revision: int) -> bool:
        """Replace the value that was read as this revision. Returns False if another worker was quicker.

        :raises OutOfReach: no answer comes.
        """
        return await self.value.write(_encode(_Holders(holders, self._format)), revision)


class Heartbeat(Struct, frozen=True, array_like=True):
    """Message by which a worker says that it is alive."""

    worker: str
    shards: tuple[int, ...]
    """Shards that it runs."""
    is_leaving: bool = False
    """It gives away all its shards, and takes no other."""


class LiveWorkers:
    """Workers that are alive, by the time at which each was last heard."""

    def __init__(self, now: float) -> None:
        self._beats: dict[str, tuple[Heartbeat, float]] = {}
        """The last beat of each worker, and its time."""
        self._silent_since: dict[str, float] = {}
        """Holders of shards that do not beat: the time of their last beat, or at which we first knew of them."""
        self._looked_at = now

    def heed_stall(self, now: float) -> None:
        """Forgive silence if our own process stood still; call it several times a second."""
        if now - self._looked_at >= STALL_S:
            self._beats = {worker: (beat, now) for worker, (beat, _) in self._beats.items()}
            self._silent_since.clear()
        self._looked_at = now

    def is_anybody_silent(self, now: float) -> bool:
        """Tell whether a worker may have died."""
        return bool(self._silent_since) or any(now - at >= LEASE_S for _, at in self._beats.values())

    def hear(self, beat: Heartbeat, now: float) -> bool:
        """Note a worker's beat; returns whether it says something new."""
        former = self._beats.get(beat.worker)
        self._beats[beat.worker] = beat, now
        return former is None or former[0] != beat

    def leaves(self, worker: str) -> bool:
        heard = self._beats.get(worker)
        return heard is not None and heard[0].is_leaving

    def running(self, holders: Iterable[str], now: float) -> dict[str, Collection[int]]:
        """The shards of every living worker, leaving ones included. A holder that has not beaten yet has none."""
        self.heed_stall(now)
        for worker, (_, at) in list(self._beats.items()):
            if now - at >= LEASE_S:
                del self._beats[worker]
                self._silent_since[worker] = at
        silent = {holder for holder in holders if holder != NO_WORKER and holder not in self._beats}
        self._silent_since = {holder: self._silent_since.get(holder, now) for holder in silent}
        running: dict[str, Collection[int]] = {worker: beat.shards for worker, (beat, _) in self._beats.items()}
        for holder, since in self._silent_since.items():
            if now - since < LEASE_S:
                running[holder] = ()
        return running
