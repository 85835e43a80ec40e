"""Bans of a cluster: one value in its bucket, changed by compare and set, and read by every gateway again and again.

A ban holds at all gateways until it is lifted. To add or lift one, a process writes the whole list as it read it with
that change, and tries again if another process was quicker. A gateway admits no peer before it has read the bans.
"""

import asyncio

from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.errors import KeyNotFoundError, KeyWrongLastSequenceError, NotFoundError
from nats.js.kv import KeyValue

from put_server.cluster.broker import NoBroker
from put_server.cluster.broker_names import BrokerNames
from put_server.cluster.cluster_config import BadCluster, reason
from put_server.transport.bans import MOST_BANS, TOO_MANY, lines_of, parse_bans
from put_server.transport.origins import Network

_KEY = "bans"
"""Key in the bucket of the configuration."""

ANSWER_S = 2.0

ATTEMPTS, AGAIN_S = 20, 0.05
"""Attempts at a change, while other processes change the bans or a replica lags behind."""


class SharedBans:
    """The bans, as one process knows them."""

    def __init__(self, client: Client, cluster: str) -> None:
        self._stream = client.jetstream(timeout=ANSWER_S)
        self._cluster = cluster
        self._bucket: KeyValue | None = None
        self._revision = 0
        self.all: list[Network] = []
        """The bans that were read last, in the order in which they were made."""

    async def read(self) -> list[Network]:
        """Read the bans. An older answer, of a replica that lags behind, is ignored.

        :raises NoBroker: the broker does not answer.
        :raises BadCluster: the stored bans cannot be read.
        """
        revision, networks = await self._read()
        if revision >= self._revision:
            self._revision, self.all = revision, networks
        return self.all

    async def _read(self) -> tuple[int, list[Network]]:
        try:
            entry = await (await self._found()).get(_KEY)
        except KeyNotFoundError:
            return 0, []
        except (NatsError, TimeoutError) as error:
            raise self._silent(error) from None
        try:
            return entry.revision or 0, parse_bans((entry.value or b"").decode())
        except ValueError as error:
            raise BadCluster(f"the bans of the cluster {self._cluster} cannot be read: {error}") from None

    async def change(self, network: Network, *, is_banned: bool) -> bool:
        """Ban or lift a ban. Returns whether anything had to be changed.

        :raises BadCluster: there are too many.
        :raises NoBroker: the broker does not answer, or other processes are always quicker.
        """
        for _ in range(ATTEMPTS):
            revision, networks = await self._read()
            if (network in networks) == is_banned:
                return False
            if is_banned and len(networks) >= MOST_BANS:
                raise BadCluster(TOO_MANY)
            wanted = [*networks, network] if is_banned else [kept for kept in networks if kept != network]
            if await self.write(wanted, revision):
                return True
            await asyncio.sleep(AGAIN_S)
        raise NoBroker(f"the bans of the cluster {self._cluster} change all the time; try again")

    async def write(self, networks: list[Network], revision: int = 0) -> bool:
        """Write these in place of those that were read as this revision. Returns False if another process was quicker.

        :raises NoBroker: the broker does not answer; they may have been kept all the same.
        """
        value = lines_of(networks).encode()
        try:
            bucket = await self._found()
            if revision:
                self._revision = await bucket.update(_KEY, value, last=revision)
            else:
                self._revision = await bucket.create(_KEY, value)
        except KeyWrongLastSequenceError:
            return False
        except (NatsError, TimeoutError) as error:
            raise self._silent(error) from None
        self.all = networks
        return True

    async def _found(self) -> KeyValue:
        if self._bucket is None:
            try:
                self._bucket = await self._stream.key_value(BrokerNames(self._cluster).config)
            except NotFoundError:
                raise BadCluster(f"there is no cluster {self._cluster}") from None
        return self._bucket

    def _silent(self, error: Exception) -> NoBroker:
        return NoBroker(f"NATS cannot be asked for the bans of {self._cluster}: {reason(error)}")
