"""Publisher of one process's links on NATS, and the subjects of links.

Links queue what they send. The publisher collects it once in a turn of the event loop, so that all items of a turn go
out in one packet a link. A packet that cannot be published is dropped: the next one shows the gap, and the link breaks.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from put_server.cluster.broker import heed_cancellation
from put_server.cluster.link_messages import PIECE_BYTES

if TYPE_CHECKING:
    from nats.aio.client import Client

log = logging.getLogger(__name__)

HEADER_BYTES = 1024
"""Largest size of a packet without its items."""


class SmallPayload(Exception):
    """The NATS server's limit for a message is below the size of a packet; the sentence says what to set."""


def to_shard(cluster: str, shard: int) -> str:
    """The subject that a shard's worker reads."""
    return f"put.{cluster}.shard.{shard}"


def to_gateway(cluster: str, gateway: str) -> str:
    """The subject that one gateway reads; with an empty name, the one that all gateways read."""
    return f"put.{cluster}.gate.{gateway}" if gateway else f"put.{cluster}.gates"


class LinkPublisher:
    """Publishes for all links of a process."""

    def __init__(self, client: "Client", collect: Callable[[], Iterable[tuple[str, bytes]]]) -> None:
        """`collect`: returns what is to be published now, each with its subject.

        :raises SmallPayload: packets do not fit into the server's messages.
        """
        if client.max_payload < PIECE_BYTES + HEADER_BYTES:
            says = f"the NATS server carries {client.max_payload} bytes a message: set its max_payload to 1MB"
            raise SmallPayload(says)
        self._client = client
        self._collect = collect
        self._is_wanted = asyncio.Event()

    def wake(self) -> None:
        """Publish soon: a link has something to send."""
        self._is_wanted.set()

    async def run(self) -> None:
        from nats.errors import Error  # noqa: PLC0415  # an extra, which only a server of a cluster has

        while True:
            heed_cancellation()
            await self._is_wanted.wait()
            self._is_wanted.clear()
            for subject, data in self._collect():
                try:
                    await self._client.publish(subject, data)
                except Error as error:
                    log.warning("nothing can be published on NATS: %s", error)
                    break
