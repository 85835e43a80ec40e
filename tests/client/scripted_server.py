"""A put server on loopback whose every word is the test's."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import TypeVar

from put_client.sdk.client import Client
from put_client.sdk.traffic import Message
from put_protocol.cards import Card
from put_protocol.connection import TLS_FIRST_BYTE, ServerConnection
from put_protocol.errors import ProtocolError
from put_protocol.framing import frame
from put_protocol.games.put import Play, Put
from put_protocol.games.unions import Choice, Event
from put_protocol.messages import (
    Bye,
    ClientMessage,
    Decision,
    Events,
    Goodbye,
    Hello,
    Refused,
    ServerMessage,
    TableSnapshot,
    Welcome,
)
from put_protocol.offers import GameOffer, Limits, OptionOffer, RuleChange
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_info import ClockInfo, PauseInfo, SeatInfo, TableInfo, TableState

PATIENCE_S = 10
"""For whatever a test waits for: never waited out by a test that passes."""

TURNS = 20
"""Of the loop: more than any transport takes to close."""

M = TypeVar("M", bound=ClientMessage)

LIMITS = Limits(frame_bytes=65536, requests_per_second=20, requests_at_once=40, tables=8, quiet_ms=30000, dead_ms=75000)
CHOICES = (
    Choice(Play(Card("3s")), "lead the 3 of spades"),
    Choice(Play(Card("10h")), "lead the 10 of hearts"),
    Choice(Put(), 'say "I put"'),
)


OFFER = GameOffer(
    name="put-1674",
    title="Put",
    source="Cotton 1674",
    summary="Bluff.",
    seats=(2, 3),
    options=(
        OptionOffer(
            "target", "points that win", 5, least=1, most=21, changes=(RuleChange(1, "Most tricks win, up to {}."),)
        ),
        OptionOffer("cut", "who deals first", "high", values=("high", "low")),
        OptionOffer("arranged", "these cards lie on top", "", longest=160),
    ),
    rules=("Cards rank 3 2 A.", "Most tricks win."),
)


def welcome(name: str = "Moll", tables: tuple[int, ...] = (), token: str = "t1") -> Welcome:
    return Welcome(
        version=2, server="scripted", name=name, token=token, limits=LIMITS, games=(OFFER,), houses=(), tables=tables
    )


def events(first: int, *happened: Event, table: int = 7) -> Events:
    return Events(table=table, first=first, events=happened)


def decision(number: int = 1, table: int = 7) -> Decision:
    return Decision(table=table, decision=number, asks="Lead to trick 1.", legal=CHOICES)


def info(
    state: TableState = TableState.FILLING,
    *,
    names: tuple[str | None, ...] = ("Moll", "Nan"),
    games: int = 0,
    purses: tuple[int, ...] = (0, 0),
    agrees: tuple[bool, ...] = (False, False),
    pause: PauseInfo | None = None,
) -> TableInfo:
    """Table 7, for two."""
    seats = [
        SeatInfo(name=name, purse=purse, agrees=agreed)
        for name, purse, agreed in zip(names, purses, agrees, strict=True)
    ]
    return TableInfo(
        id=7,
        game="put-1674",
        options={},
        seats=tuple(seats),
        clock=ClockInfo(),
        state=state,
        games=games,
        pause=pause,
    )


class Peer(asyncio.Protocol):
    """One connection, from the server's side. It answers `bye` by itself, as any server does."""

    def __init__(self, arrivals: "asyncio.Queue[Peer]", peers: "list[Peer]") -> None:
        """It adds itself to both once it is connected, which it is not where TLS fails."""
        self.heard_bytes = b""
        """Everything since the hello."""
        self.is_mute = False
        """Whether it leaves heartbeats unanswered."""
        self._is_lost = False
        self._arrivals = arrivals
        self._peers = peers
        self._connection = ServerConnection(0)
        self._heard: asyncio.Queue[ClientMessage | ProtocolError | None] = asyncio.Queue()
        self._came = asyncio.Event()
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._arrivals.put_nowait(self)
        self._peers.append(self)

    def data_received(self, data: bytes) -> None:
        if self._connection.has_hello:
            self.heard_bytes += data
        self._came.set()
        if self.is_mute:
            return
        for message in self._connection.receive(data, 0):
            self._heard.put_nowait(message)
            if isinstance(message, Bye):
                self.say(Goodbye(code="bye", says="farewell"))
                self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_lost = True
        self._heard.put_nowait(None)

    async def hear(self, kind: type[M]) -> M:
        """The client's next message, which must be of this kind."""
        async with asyncio.timeout(PATIENCE_S):
            message = await self._heard.get()
        assert isinstance(message, kind), f"{message} came where a {kind.__name__} was due"
        return message

    async def hear_bytes(self, words: bytes) -> None:
        """These bytes come, whatever else does."""
        async with asyncio.timeout(PATIENCE_S):
            while words not in self.heard_bytes:
                self._came.clear()
                await self._came.wait()

    async def hear_end(self) -> None:
        """The client closes without another word."""
        async with asyncio.timeout(PATIENCE_S):
            message = await self._heard.get()
        assert message is None, f"{message} came where nothing was due"

    def say(self, *messages: ServerMessage) -> None:
        pieces = []
        for message in messages:  # what waits is one piece, which a flood would copy for each message
            self._connection.send(message)
            pieces.append(self._connection.take())
        self._transport.write(b"".join(pieces))

    @property
    def unsent(self) -> int:
        """Bytes the sockets have no room for."""
        return self._transport.get_write_buffer_size()

    def say_bytes(self, body: bytes) -> None:
        self._transport.write(frame(body))

    def drop(self) -> None:
        if not self._is_lost:
            self._transport.abort()

    async def welcome(self, *then: ServerMessage, tables: tuple[int, ...] = ()) -> Hello:
        """Receive the hello, and welcome them."""
        hello = await self.hear(Hello)
        self.say(welcome(hello.name or "Moll", tables), *then)
        return hello

    async def welcome_back(self, *then: ServerMessage, tables: tuple[int, ...] = ()) -> Hello:
        """The same after a drop, with nothing carried out of what was asked before."""
        hello = await self.hear(Hello)
        lost = [Refused(id=asked, code=RefusalCode.NOT_CARRIED_OUT, says="ask again") for asked in hello.asked]
        self.say(welcome("Moll", tables), *lost, *then)
        return hello


class Server:
    """Where clients arrive."""

    def __init__(self, server: asyncio.Server, arrivals: asyncio.Queue[Peer]) -> None:
        self.port: int = server.sockets[0].getsockname()[1]
        self._server = server
        self.arrivals = arrivals

    async def arrival(self) -> Peer:
        async with asyncio.timeout(PATIENCE_S):
            return await self.arrivals.get()

    def shut(self) -> None:
        """Nobody listens any more; who is here stays."""
        self._server.close()


class OldPeer(Peer):
    """As release 0.2 met TLS: it says in JSON that it does not speak it."""

    def data_received(self, data: bytes) -> None:
        if data[0] == TLS_FIRST_BYTE and not self.heard_bytes:
            self._transport.write(b'{"type":"goodbye","code":"protocol","says":"it does not speak TLS on this port"}\n')
            self._transport.close()
        else:
            super().data_received(data)


@asynccontextmanager
async def scripted_server(
    context: ssl.SSLContext | None = None, kind: type[Peer] = Peer, port: int = 0
) -> AsyncIterator[Server]:
    arrivals: asyncio.Queue[Peer] = asyncio.Queue()
    peers: list[Peer] = []

    def arrive() -> Peer:
        return kind(arrivals, peers)

    server = await asyncio.get_running_loop().create_server(arrive, "127.0.0.1", port, ssl=context)
    try:
        yield Server(server, arrivals)
    finally:
        server.close()
        for peer in peers:
            peer.drop()
        await server.wait_closed()
        for _ in range(TURNS):  # connections that ended in their handshake are closed by then
            await asyncio.sleep(0)


SNAPSHOT = TableSnapshot(table=7, viewer=Seat(0), number=3, info=info())


def at_once() -> Iterable[float]:
    """Waits for tests: three attempts, none later than now."""
    return (0.0, 0.0, 0.0)


async def meet(server: Server) -> tuple[Client, Peer]:
    """A welcomed client and the server's end of it."""
    connecting = asyncio.ensure_future(Client.connect("127.0.0.1", server.port, name="Moll", waits=at_once))
    peer = await server.arrival()
    await peer.welcome()
    return await connecting, peer


async def take(client: Client, number: int) -> list[Message]:
    async with asyncio.timeout(PATIENCE_S):
        return [await anext(client) for _ in range(number)]
