"""Post: what one process publishes on NATS for its links, and the subjects by which it goes.

Links queue what they send. The post asks for all of it once in a turn of the event loop, so that whatever one turn has
caused goes out in one packet a link. What cannot be published is dropped: the next packet shows the gap, and the link
breaks.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from put_server.cluster.cancellation import heed_cancellation
from put_server.cluster.link_messages import PIECE_BYTES

if TYPE_CHECKING:
    from nats.aio.client import Client

log = logging.getLogger(__name__)

HEADER_BYTES = 1024
"""Of a packet beside its items, at most."""


class SmallPayload(Exception):
    """The NATS server carries less in a message than a packet may have; the sentence says what to set."""


def to_shard(cluster: str, shard: int) -> str:
    """The subject that the worker of a shard reads."""
    return f"put.{cluster}.shard.{shard}"


def to_gateway(cluster: str, gateway: str) -> str:
    """The subject that one gateway reads; of an empty name, the one that all read."""
    return f"put.{cluster}.gate.{gateway}" if gateway else f"put.{cluster}.gates"


class Post:
    """Publishes for all links of a process."""

    def __init__(self, client: "Client", collect: Callable[[], Iterable[tuple[str, bytes]]]) -> None:
        """`collect`: what is to be published by now, each with its subject.

        :raises SmallPayload: see there.
        """
        if client.max_payload < PIECE_BYTES + HEADER_BYTES:
            says = f"the NATS server carries {client.max_payload} bytes a message: set its max_payload to 1MB"
            raise SmallPayload(says)
        self._client = client
        self._collect = collect
        self._is_wanted = asyncio.Event()

    def wake(self) -> None:
        """Something was sent."""
        self._is_wanted.set()

    async def run(self) -> None:
        """Publish, until cancelled."""
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
