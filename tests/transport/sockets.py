"""Clients on real loopback sockets, speaking the protocol's own client side."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Protocol, TypeVar

from put_protocol.codecs import FRAMES, Codec
from put_protocol.connection import ClientConnection
from put_protocol.errors import ProtocolError
from put_protocol.games.unions import Action
from put_protocol.messages import (
    Act,
    ClientMessage,
    Decision,
    Goodbye,
    Hello,
    Ok,
    OpenTable,
    Refused,
    ServerMessage,
    Sit,
    Welcome,
)
from put_server.app import Server
from put_server.settings import Settings
from tests.serving import serving

M = TypeVar("M")

EXEMPT = "127.0.0.1 ::1"
"""From where the peers of tests come, unless a test is about quotas."""

BACKSTOP = 20
"""Seconds after which a test that waits for what does not come fails."""


class Connected(Protocol):
    """Whoever is connected, and hangs up when the test is over."""

    writer: asyncio.StreamWriter

    def cut(self) -> None: ...


class SocketPeer:
    """One connection."""

    def __init__(self, codec: Codec, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.client = ClientConnection(0, codec)
        self.messages: list[ServerMessage] = []
        self.is_over = False
        """The server has closed."""
        self.token = ""
        self.reader = reader
        self.writer = writer
        self._last = 0

    def send(self, *messages: ClientMessage) -> None:
        for message in messages:
            self.client.send(message)
        self.writer.write(self.client.take())

    async def read(self) -> None:
        """Whatever comes next."""
        try:
            data = await self.reader.read(65536)
        except ConnectionError:
            data = b""
        self.is_over = not data
        for message in self.client.receive(data, 0):
            assert not isinstance(message, ProtocolError), message
            self.messages.append(message)
            if isinstance(message, Welcome):
                self.token = message.token

    async def until(self, kind: type[M], so: Callable[[M], bool] = lambda _: True) -> M:
        """The last message of a kind that is so, read for if need be."""
        while True:
            for message in reversed(self.messages):
                if isinstance(message, kind) and so(message):
                    return message
            assert not self.is_over, f"closed before any {kind} came"
            await self.read()

    async def over(self) -> Goodbye | None:
        """The server closes; returns its goodbye, if it said one."""
        while not self.is_over:
            await self.read()
        goodbyes = [message for message in self.messages if isinstance(message, Goodbye)]
        return goodbyes[-1] if goodbyes else None

    async def hello(self, name: str = "", **fields: Any) -> Welcome:
        self.send(Hello(2, name, **fields))
        return await self.until(Welcome)

    async def ask(self, request: Callable[[int], ClientMessage]) -> Ok | Refused:
        """A request, given as what makes it of its id, and its answer."""
        self._last += 1
        number = self._last
        self.send(request(number))
        return await self.until(Ok | Refused, lambda answer: answer.id == number)  # type: ignore[arg-type]  # a union

    async def act(self, decision: Decision, action: Action | None = None) -> Ok | Refused:
        """An answer to a decision; what is listed first, unless told otherwise."""
        chosen = action or decision.legal[0].action
        return await self.ask(lambda number: Act(number, decision.table, decision.decision, chosen))

    def cut(self) -> None:
        """The connection breaks."""
        self.writer.transport.abort()


class ServerHarness:
    """A server in this process, its clock, and the peers connected to it."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.callers: list[Connected] = []
        self._ahead = 0
        real = server.dispatcher.now
        server.dispatcher.now = lambda: real() + self._ahead

    def advance(self, milliseconds: int) -> None:
        """Time passes at once, and the server looks at its clock."""
        self._ahead += milliseconds
        self.server.dispatcher.tick()
        self.server.front.tick()

    async def call(self, codec: Codec = FRAMES, *, buffer: int | None = None, address: str = "") -> SocketPeer:
        """Connect; with a receive buffer of so many bytes, from an address of 127.0.0.0/8."""
        line = socket.socket()
        line.bind((address, 0))
        if buffer is not None:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        line.setblocking(False)
        await asyncio.get_running_loop().sock_connect(line, ("127.0.0.1", self.server.port))
        reader, writer = await asyncio.open_connection(sock=line, limit=2**20)
        caller = SocketPeer(codec, reader, writer)
        self.callers.append(caller)
        return caller

    async def guest(self, name: str, codec: Codec = FRAMES, *, address: str = "", **fields: Any) -> SocketPeer:
        caller = await self.call(codec, address=address)
        await caller.hello(name, **fields)
        return caller

    async def game(self, *codecs: Codec, **fields: Any) -> list[SocketPeer]:
        """The first table, with a game just begun."""
        players = [await self.guest(f"Player {place}", codec) for place, codec in enumerate(codecs)]
        await players[0].ask(lambda n: OpenTable(n, "put-1674", seats=len(players), **fields))
        for player in players:
            await player.ask(lambda n: Sit(n, 1))
        return players

    async def asked(self, players: list[SocketPeer]) -> tuple[SocketPeer, Decision]:
        """Who is to move now, and the decision."""
        table = self.server.dispatcher.lobby.tables[1]  # type: ignore[index]  # a number is a number
        mover = players[table.model.turn.seat or 0]
        return mover, await mover.until(Decision, lambda decision: decision.decision == table.model.turn.decision)

    async def close(self) -> None:
        """Every caller hangs up."""
        for caller in self.callers:
            caller.cut()
        for caller in self.callers:
            await asyncio.wait({asyncio.ensure_future(_gone(caller))}, timeout=BACKSTOP)


async def _gone(caller: Connected) -> None:
    with suppress(OSError):
        await caller.writer.wait_closed()


@asynccontextmanager
async def running_server(*, backstop: float = BACKSTOP, **settings: Any) -> AsyncIterator[ServerHarness]:
    """A server on loopback that keeps nothing, unless told otherwise."""
    chosen = Settings(**{"host": "127.0.0.1", "port": 0, "data": ":memory:", "exempt": EXEMPT, **settings})
    async with asyncio.timeout(backstop), serving(chosen, thinks=False) as server:
        harness = ServerHarness(server)
        try:
            yield harness
        finally:
            await harness.close()
