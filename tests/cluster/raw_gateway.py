"""A gateway by hand: links to shards on a real broker, and what their workers say."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import TypeVar

from nats.aio.client import Client
from nats.aio.msg import Msg

from put_protocol.codecs import FRAMES, decoder_of_replies
from put_protocol.framing import FrameSplitter
from put_protocol.messages import Request, Seen, ServerMessage, ViewForm
from put_protocol.parts import parts
from put_server.cluster.broker import BrokerNames
from put_server.cluster.link import GatewayLink, read_packet
from put_server.cluster.link_messages import (
    Admitted,
    Asked,
    Delivered,
    FromGateway,
    FromShard,
    PeerEncoding,
    Told,
    Visit,
    VisitKind,
)
from put_server.transport.reception import digest_of

T = TypeVar("T")


class RawGateway:
    def __init__(self, client: Client, cluster: str, name: str, *, first: int = 1) -> None:
        self._client, self._cluster, self._name = client, cluster, name
        self._first = first
        self.links: dict[int, GatewayLink] = {}
        self.heard: dict[int, list[str | FromShard]] = {}
        """Of each shard: its items, `opened` and `broken`."""
        self._news = asyncio.Event()

    @staticmethod
    def now() -> int:
        return int(asyncio.get_running_loop().time() * 1000)

    def link(self, shard: int) -> None:
        heard = self.heard[shard] = []
        self.links[shard] = GatewayLink(
            self._name,
            shard,
            self.now(),
            first=self._first,
            opened=lambda _: heard.append("opened"),
            handle=lambda _, item: heard.append(item),
            broken=lambda *_: heard.append("broken"),
        )

    async def run(self) -> None:
        for gateway in (self._name, ""):
            await self._client.subscribe(BrokerNames(self._cluster).to_gateway(gateway), cb=self._receive)
        while True:
            for link in self.links.values():
                link.tick(self.now())
            await self.flush()
            await asyncio.sleep(0.05)

    async def flush(self) -> None:
        for shard, link in self.links.items():
            for data in link.take(self.now()):
                await self._client.publish(BrokerNames(self._cluster).subject("shard", shard), data)

    async def _receive(self, message: Msg) -> None:
        packet = read_packet(message.data)
        if packet is not None and packet.shard in self.links:
            self.links[packet.shard].receive(packet, self.now())
            self._news.set()

    async def until(self, found: Callable[[], T | None]) -> T:
        """What comes of it, once it is something."""
        async with asyncio.timeout(20):
            while not (result := found()):
                self._news.clear()
                try:
                    async with asyncio.timeout(0.1):
                        await self._news.wait()
                except TimeoutError:
                    pass
            return result

    @property
    def is_up(self) -> bool:
        """Whether there is a link with every shard."""
        return all(link.is_up for link in self.links.values())

    async def up(self, shard: int) -> None:
        await self.until(lambda: self.links[shard].is_up)

    async def say(self, shard: int, item: FromGateway) -> None:
        self.links[shard].send(item)
        await self.flush()

    async def ask(self, shard: int, connection: int, request: Request, **more: bool) -> None:
        await self.say(shard, Asked(connection, request, **more))

    async def visit(
        self,
        shard: int,
        connection: int,
        name: str,
        coming: VisitKind = VisitKind.NEW,
        *,
        form: PeerEncoding = PeerEncoding.TOLD,
        seen: tuple[Seen, ...] = (),
        asked: tuple[int, ...] = (),
        incarnation: int = 0,
    ) -> Admitted:
        await self.up(shard)
        await self.say(
            shard,
            Visit(
                connection,
                coming,
                form,
                name,
                is_bot=True,
                token=digest_of(f"token of {name}"),
                knows=("put",),
                views=ViewForm.WHOLE,
                origin="",
                address="",
                incarnation=incarnation,
                epoch=0,
                seen=seen,
                asked=asked,
            ),
        )
        return await self.until(lambda: next(self._of(shard, connection, Admitted), None))

    def _of(self, shard: int, connection: int, kind: type[T]) -> Iterator[T]:
        for item in self.heard[shard]:
            if isinstance(item, kind) and getattr(item, "connection", None) == connection:
                yield item

    def told(self, shard: int, connection: int) -> list[ServerMessage]:
        """Every message for a connection, what came with its welcome included."""
        found: list[ServerMessage] = []
        for item in self.heard[shard]:
            match item:
                case Admitted(connection=admitted, messages=messages) if admitted == connection:
                    found += [part for message in messages for part in parts(message)]
                case Told(connections=connections, message=message) if connection in connections:
                    found += parts(message)
                case Delivered(connections=connections, data=data) if connection in connections:
                    found += [decoder_of_replies(FRAMES).decode(piece) for piece in FrameSplitter().feed(data)]
                case _:
                    pass
        return found

    async def answer(self, shard: int, connection: int, kind: type[T]) -> T:
        """The latest message of a kind, once there is one."""
        return await self.until(
            lambda: next((one for one in reversed(self.told(shard, connection)) if isinstance(one, kind)), None)
        )


@asynccontextmanager
async def gateway(
    client: Client, cluster: str, name: str = "g", *, shards: int, first: int = 1
) -> AsyncIterator[RawGateway]:
    found = RawGateway(client, cluster, name, first=first)
    for shard in range(shards):
        found.link(shard)
    task = asyncio.create_task(found.run())
    try:
        yield found
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
