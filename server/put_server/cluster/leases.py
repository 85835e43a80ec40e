"""Leases: the worker of each shard, as one value in a bucket of the broker, changed by compare and set.

The bucket names the holder of a shard; beats tell whether the holder is alive (`shard_worker`). No acknowledged play
depends on either: the stream of a shard refuses a worker that wrongly believes to have it. So a lease ends only when
the bucket names another holder, and never because the broker is silent: while it elects a leader, no worker can take a
shard.

The value also holds the format in which shards are written: the greatest of any worker that has changed the holders. A
worker that cannot read this format must leave the shards alone.
"""

from typing import NamedTuple

import msgspec
from msgspec import Struct
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.api import KeyValueConfig, StorageType
from nats.js.errors import KeyNotFoundError, KeyWrongLastSequenceError, NotFoundError
from nats.js.kv import KeyValue

from put_server.cluster.cluster_config import reason
from put_server.cluster.shard_stream import OutOfReach
from put_server.journal.journal_schema import SCHEMA

FORMAT = SCHEMA
"""Format of a shard's records: that of a journal."""

ANSWER_S = 1.0

OLDER = 5
"""Readings in a row that may be older than the latest known. No replica lags for longer; after more of them, the bucket
was lost and made again, and its revisions begin anew."""

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
    """The bucket, as one worker knows it."""

    def __init__(self, client: Client, bucket: str, *, shards: int, replicas: int) -> None:
        self._stream = client.jetstream(timeout=ANSWER_S)
        self._config = KeyValueConfig(bucket=bucket, history=1, storage=StorageType.FILE, replicas=replicas)
        self._shards = shards
        self._bucket: KeyValue | None = None
        self._latest = self._empty()
        """The latest value read or written. A replica that lags behind may answer a reading, and name a dead worker
        whose shard we have taken since."""
        self._older = 0
        """Readings in a row that were older than the latest."""

    async def read(self) -> ShardHolders:
        """Read the value. If the bucket is gone, every shard is free, and the next call makes the bucket again.

        :raises OutOfReach: no answer comes, or none that can be read.
        """
        try:
            bucket = await self._found()
            try:
                entry = await bucket.get(_KEY)
            except KeyNotFoundError:
                return self._empty()
            value = _decode(entry.value or b"")
            holders = value.holders
        except NotFoundError:
            self._bucket = None
            return self._empty()
        except (NatsError, TimeoutError, msgspec.MsgspecError) as error:
            raise OutOfReach(f"bucket {self._config.bucket}: {reason(error)}") from None
        if len(holders) != self._shards:
            raise OutOfReach(f"bucket {self._config.bucket}: it is of {len(holders)} shards and not {self._shards}")
        found = ShardHolders(holders, entry.revision or 0, value.format)
        self._older = self._older + 1 if found.revision < self._latest.revision else 0
        if self._older <= OLDER:
            self._latest = max(self._latest, found, key=lambda roster: roster.revision)
        else:
            self._latest, self._older = found, 0
        return self._latest

    def _empty(self) -> ShardHolders:
        self._latest = ShardHolders((NO_WORKER,) * self._shards, 0)
        return self._latest

    async def write(self, holders: tuple[str, ...], revision: int) -> bool:
        """Replace the value that was read as this revision. Returns False if another worker was quicker.

        :raises OutOfReach: no answer comes.
        """
        format_ = max(FORMAT, self._latest.format)
        value = _encode(_Holders(holders, format_))
        try:
            bucket = await self._found()
            if revision:
                revision = await bucket.update(_KEY, value, last=revision)
            else:
                revision = await bucket.create(_KEY, value)
        except KeyWrongLastSequenceError:
            return False
        except (NatsError, TimeoutError) as error:
            self._bucket = None
            raise OutOfReach(f"bucket {self._config.bucket}: {reason(error)}") from None
        self._latest = ShardHolders(holders, revision, format_)
        return True

    async def _found(self) -> KeyValue:
        if self._bucket is None:
            try:
                self._bucket = await self._stream.key_value(self._config.bucket or "")
            except NotFoundError:
                self._bucket = await self._stream.create_key_value(self._config)
        return self._bucket
