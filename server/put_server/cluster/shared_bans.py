"""Bans of a cluster: one value in its bucket, changed by compare and set, and read by every gateway again and again.

A ban holds at all gateways until it is lifted. To add or lift one, a process writes the whole list as it read it with
that change, and tries again if another process was quicker. A gateway admits no peer before it has read the bans.
"""

import asyncio

from nats.aio.client import Client

from put_server.cluster.broker import OutOfReach
from put_server.cluster.broker_names import BrokerNames
from put_server.cluster.cluster_config import BadCluster
from put_server.cluster.shared_value import SharedValue
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
        self._cluster = cluster
        named = f"the bans of the cluster {cluster}"
        self._value = SharedValue(client, BrokerNames(cluster).config, _KEY, named=named, seconds=ANSWER_S)

    async def read(self) -> list[Network]:
        """Read the bans, in the order in which they were made.

        :raises OutOfReach: the broker does not answer.
        :raises BadCluster: the stored bans cannot be read.
        """
        return (await self._read())[1]

    async def _read(self) -> tuple[int, list[Network]]:
        revision, value = await self._value.read()
        try:
            return revision, parse_bans(value.decode())
        except ValueError as error:
            raise BadCluster(f"the bans of the cluster {self._cluster} cannot be read: {error}") from None

    async def change(self, network: Network, *, is_banned: bool) -> bool:
        """Ban or lift a ban. Returns whether anything had to be changed.

        :raises BadCluster: there are too many.
        :raises OutOfReach: the broker does not answer, or other processes are always quicker.
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
        raise OutOfReach(f"the bans of the cluster {self._cluster} change all the time; try again")

    async def write(self, networks: list[Network], revision: int = 0) -> bool:
        """Write these in place of those that were read as this revision. Returns False if another process was quicker.

        :raises OutOfReach: the broker does not answer; they may have been kept all the same.
        """
        return await self._value.write(lines_of(networks).encode(), revision)
