"""A small cluster in this process: a broker, a worker, and gateways with peers on real sockets."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from put_protocol import PROTOCOL_VERSION
from put_protocol.codecs import FRAMES, Codec
from put_protocol.games.put import GameEnded
from put_protocol.messages import Act, Decision, Events, Hello, Ok, OpenTable, Sit, Welcome
from put_server.cluster.home_shards import home_of_name
from put_server.cluster.roles import Member
from put_server.settings import Settings
from tests.cluster.nats_server import NatsServer, nats_server
from tests.cluster.serving import serving
from tests.transport.sockets import BACKSTOP, EXEMPT, SocketPeer

SHARDS = 4


def settings(url: str, role: str, **more: Any) -> Settings:
    fields: dict[str, Any] = {
        "nats": url,
        "cluster": "test",
        "role": role,
        "shards": SHARDS,
        "replicas": 1,
        "may_lose_seconds": 120,
        "host": "127.0.0.1",
        "port": 0,
        "data": ":memory:",
        "tls": "off",
        "announce": "no",
        "exempt": EXEMPT,
    }
    return Settings(**(fields | more))


class Cluster:
    def __init__(self, broker: NatsServer, worker: Member, gateways: list[Member]) -> None:
        self.broker = broker
        self.worker = worker
        self.gateways = gateways
        self._peers: list[SocketPeer] = []

    def port(self, gateway: int = 0) -> int:
        server = self.gateways[gateway].server
        assert server is not None
        return server.front.port

    async def call(self, gateway: int = 0, codec: Codec = FRAMES, context: ssl.SSLContext | None = None) -> SocketPeer:
        """`context`: for TLS."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port(gateway), limit=2**20, ssl=context)
        peer = SocketPeer(codec, reader, writer)
        self._peers.append(peer)
        return peer

    async def guest(self, name: str, gateway: int = 0, codec: Codec = FRAMES, **fields: Any) -> SocketPeer:
        peer = await self.call(gateway, codec)
        await peer.hello(name, **fields)
        return peer

    async def back(self, guest: SocketPeer, gateway: int = 0) -> Welcome:
        """A guest comes back as clients do, who call again when a shard is on its way to another worker."""
        while True:
            again = await self.call(gateway)
            again.client.follow_from(guest.client.seen)
            again.send(Hello(version=PROTOCOL_VERSION, token=guest.token, seen=guest.client.seen))
            while not again.is_over:
                await again.read()
                for message in again.messages:
                    if isinstance(message, Welcome):
                        return message

    def hang_up(self) -> None:
        for peer in self._peers:
            peer.cut()


@asynccontextmanager
async def cluster(folder: Path, *, gateways: int = 2, **more: Any) -> AsyncIterator[Cluster]:
    async with asyncio.timeout(3 * BACKSTOP), AsyncExitStack() as stack:
        broker = await stack.enter_async_context(nats_server(folder))
        worker = await stack.enter_async_context(serving(settings(broker.url, "worker"), thinks=False))
        found = [
            await stack.enter_async_context(serving(settings(broker.url, "gateway", **more))) for _ in range(gateways)
        ]
        made = Cluster(broker, worker, found)
        try:
            yield made
        finally:
            made.hang_up()


async def seat(guest: SocketPeer, table: int) -> None:
    answer = await guest.ask(lambda number: Sit(number, table))
    assert isinstance(answer, Ok), answer


async def opened(host: SocketPeer, **fields: Any) -> int:
    """A table in the home of whoever opens it."""
    answer = await host.ask(lambda number: OpenTable(number, "put-1674", **fields))
    assert isinstance(answer, Ok), answer
    assert answer.table is not None
    return answer.table


async def play(guest: SocketPeer) -> None:
    """Answer every decision with the first choice, until the game is over."""
    place = 0
    while True:
        while place == len(guest.messages):
            await guest.read()
        message = guest.messages[place]
        place += 1
        if isinstance(message, Decision):
            guest.send(Act(1000 + message.decision, message.table, message.decision, message.legal[0].action))
        if isinstance(message, Events) and any(isinstance(event, GameEnded) for event in message.events):
            return


def named(home: int, like: str = "Guest") -> str:
    """A name whose home is this shard."""
    return next(name for n in range(1000) if home_of_name(name := f"{like} {n}", SHARDS) == home)


async def until(claim: Callable[[], bool]) -> None:
    """Wait for something that is about to be true."""
    while not claim():  # noqa: ASYNC110  # what is waited for has no event
        await asyncio.sleep(0.005)
