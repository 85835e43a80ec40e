"""Shared value: one entry in a bucket of the broker, changed by compare and set."""

import asyncio
from typing import NamedTuple

from nats.aio.client import Client
from nats.js.api import KeyValueConfig, StorageType
from nats.js.errors import KeyNotFoundError, KeyWrongLastSequenceError, NotFoundError
from nats.js.kv import KeyValue

from put_server.cluster.broker import ANSWER_S, BadCluster, BrokerNames, OutOfReach, asking
from put_server.transport.bans import MOST_BANS, TOO_MANY, lines_of, parse_bans
from put_server.transport.origins import Network

OLDER = 5
"""Consecutive readings older than the latest known revision after which the bucket counts as lost and recreated, with
new revisions. No replica lags for longer."""


class Revision(NamedTuple):
    number: int
    """0: no value."""
    value: bytes


NONE = Revision(0, b"")


class SharedValue:
    def __init__(self, client: Client, bucket: str, key: str, *, named: str, replicas: int | None = None) -> None:
        """`named`: name of the value in sentences. `replicas`: those of the bucket, which is created if missing; None:
        it is not created."""
        self._stream = client.jetstream(timeout=ANSWER_S)
        self._config = KeyValueConfig(
            bucket=bucket, history=1, storage=StorageType.FILE, replicas=1 if replicas is None else replicas
        )
        self._may_make = replicas is not None
        self._key = key
        self._named = named
        self._bucket: KeyValue | None = None
        self._latest = NONE
        """The latest revision read or written, because a lagging replica may answer a reading."""
        self._older = 0
        """Consecutive readings older than the latest."""

    async def read(self) -> Revision:
        with asking(f"NATS cannot be asked for {self._named}"):
            try:
                entry = await (await self._found()).get(self._key)
            except NotFoundError as error:
                if not isinstance(error, KeyNotFoundError):  # the bucket is gone, and the next call makes it again
                    self._bucket = None
                self._latest = NONE
                return NONE
        found = Revision(entry.revision or 0, entry.value or b"")
        self._older = self._older + 1 if found.number < self._latest.number else 0
        if self._older == 0 or self._older > OLDER:
            self._latest, self._older = found, 0
        return self._latest

    async def write(self, value: bytes, revision: int) -> bool:
        """Replace the value of this revision. Returns False if another process was quicker.

        :raises OutOfReach: no answer; the value may have been stored.
        """
        with asking(f"NATS cannot keep {self._named}"):
            bucket = await self._found()
            try:
                if revision:
                    revision = await bucket.update(self._key, value, last=revision)
                else:
                    revision = await bucket.create(self._key, value)
            except KeyWrongLastSequenceError:
                return False
        self._latest = Revision(revision, value)
        return True

    async def _found(self) -> KeyValue:
        if self._bucket is None:
            try:
                self._bucket = await self._stream.key_value(self._config.bucket)
            except NotFoundError:
                if not self._may_make:
                    raise
                self._bucket = await self._stream.create_key_value(self._config)
        return self._bucket


_KEY = "bans"
"""Key in the bucket of the configuration."""

CHANGE_ATTEMPTS, CHANGE_PAUSE_S = 20, 0.05
"""Attempts at a change, and the pause between them, while other processes change the bans or a replica lags behind."""


class SharedBans:
    """The bans of a cluster, as known to one process; every gateway reads them repeatedly.

    A ban holds at all gateways until it is lifted. To change bans, a process writes the whole list with the change, and
    tries again if another process was quicker. A gateway admits no peer before its first reading.
    """

    def __init__(self, client: Client, cluster: str) -> None:
        self._cluster = cluster
        named = f"the bans of the cluster {cluster}"
        self._value = SharedValue(client, BrokerNames(cluster).config, _KEY, named=named)

    async def read(self) -> list[Network]:
        """:raises BadCluster: the stored bans are unreadable."""
        return (await self._read())[1]

    async def _read(self) -> tuple[int, list[Network]]:
        revision, value = await self._value.read()
        try:
            return revision, parse_bans(value.decode())
        except ValueError as error:
            raise BadCluster(f"the bans of the cluster {self._cluster} cannot be read: {error}") from None

    async def change(self, network: Network, *, is_banned: bool) -> bool:
        """Add or lift a ban. Returns whether anything changed.

        :raises BadCluster: there are too many.
        :raises OutOfReach: the broker does not answer, or other processes are always quicker.
        """
        for _ in range(CHANGE_ATTEMPTS):
            revision, networks = await self._read()
            if (network in networks) == is_banned:
                return False
            if is_banned and len(networks) >= MOST_BANS:
                raise BadCluster(TOO_MANY)
            wanted = [*networks, network] if is_banned else [kept for kept in networks if kept != network]
            if await self.write(wanted, revision):
                return True
            await asyncio.sleep(CHANGE_PAUSE_S)
        raise OutOfReach(f"the bans of the cluster {self._cluster} change all the time; try again")

    async def write(self, networks: list[Network], revision: int = 0) -> bool:
        """Replace the bans of this revision. Returns False if another process was quicker.

        :raises OutOfReach: the broker does not answer; the bans may have been stored.
        """
        return await self._value.write(lines_of(networks).encode(), revision)
