"""Honest peers: bots that play at the pace of quick people and measure how long each move takes, and a player who comes
back."""

import asyncio
import random
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any

from put_protocol.connection import ClientConnection
from put_protocol.errors import ProtocolError
from put_protocol.messages import (
    Act,
    Again,
    ClientMessage,
    Decision,
    Events,
    Goodbye,
    Hello,
    Ok,
    OpenTable,
    Pong,
    Refused,
    ServerMessage,
    Sit,
    Welcome,
)
from put_protocol.table_info import TableState

Address = tuple[str, int]

MOVE_SECONDS = 0.03
"""A bot's pause before a move: twenty tables make some 500 moves a second."""

PATIENCE = 10.0
"""Seconds after which something that was asked is taken for lost."""


class Line(asyncio.Protocol):
    """One connection from an address of our choice."""

    password = ""
    """Of the server."""

    def __init__(self, hear: Callable[[ServerMessage], None] = lambda _: None) -> None:
        self.client = ClientConnection(0)
        self.transport: asyncio.Transport | None = None
        self.is_over = False
        self.goodbye: Goodbye | None = None
        self.token = ""
        self._hear = hear
        self._asked: dict[int, asyncio.Future[Ok | Refused]] = {}
        self._welcome: asyncio.Future[Welcome] = asyncio.get_running_loop().create_future()

    @classmethod
    async def connect(
        cls, server: Address, address: str, hear: Callable[[ServerMessage], None] = lambda _: None
    ) -> "Line":
        async with asyncio.timeout(PATIENCE):
            _, line = await asyncio.get_running_loop().create_connection(
                lambda: cls(hear), *server, local_addr=(address, 0)
            )
        return line

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        for message in self.client.receive(data, 0):
            match message:
                case Welcome() if not self._welcome.done():
                    self.token = message.token
                    self._welcome.set_result(message)
                case Ok() | Refused() if message.id in self._asked:
                    waiting = self._asked.pop(message.id)
                    if not waiting.done():
                        waiting.set_result(message)
                case Goodbye():
                    self.goodbye = message
                case _:
                    pass
            if not isinstance(message, ProtocolError):
                self._hear(message)
        self.write(self.client.take())  # pongs

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_over = True
        lost = ConnectionResetError("closed by the server")
        futures: list[asyncio.Future[Any]] = [self._welcome, *self._asked.values()]
        for waiting in futures:
            if not waiting.done():
                waiting.set_exception(lost)
                waiting.exception()  # nobody may be waiting for it

    def write(self, data: bytes) -> None:
        if data and self.transport is not None and not self.transport.is_closing():
            self.transport.write(data)

    def send(self, *messages: ClientMessage) -> None:
        for message in messages:
            self.client.send(message)
        self.write(self.client.take())

    async def hello(self, name: str = "", token: str = "") -> Welcome:
        self.send(Hello(2, name, token=token, password=self.password, is_bot=True))
        async with asyncio.timeout(PATIENCE):
            return await self._welcome

    async def ask(self, request: Callable[[int], ClientMessage]) -> Ok | Refused:
        number = self.client.next_id()
        waiting: asyncio.Future[Ok | Refused] = asyncio.get_running_loop().create_future()
        self._asked[number] = waiting
        self.send(request(number))
        async with asyncio.timeout(PATIENCE):
            return await waiting

    async def beat(self) -> None:
        """Say that we are there."""
        self.send(Pong())

    def cut(self) -> None:
        if self.transport is not None:
            self.transport.abort()


class Player:
    """A bot at one table."""

    def __init__(self, times: list[float], rng: random.Random) -> None:
        self.line: Line
        self.token = ""
        self._times = times
        self._rng = rng
        self._tasks: set[asyncio.Task[None]] = set()

    def hear(self, message: ServerMessage) -> None:
        if isinstance(message, Decision):
            self._later(self._move(message))
        elif isinstance(message, Events) and message.info is not None and message.info.state is TableState.BETWEEN:
            self._later(self._again(message.table))

    def _later(self, doing: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(doing)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _move(self, decision: Decision) -> None:
        await asyncio.sleep(MOVE_SECONDS)
        action = self._rng.choice(decision.legal).action
        begun = time.perf_counter()
        try:
            await self.line.ask(lambda number: Act(number, decision.table, decision.decision, action))
        except (ConnectionError, TimeoutError):
            self._times.append(PATIENCE)  # a move that is lost is the slowest of all
        else:
            self._times.append(time.perf_counter() - begun)

    async def _again(self, table: int) -> None:
        try:
            await self.line.ask(lambda number: Again(number, table))
        except (ConnectionError, TimeoutError):
            self._times.append(PATIENCE)

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.line.cut()


@dataclass
class Evening:
    """Tables of honest bots, each table from an address of its own."""

    server: Address
    times: list[float] = field(default_factory=list)
    """Seconds from a move to its answer."""
    players: list[Player] = field(default_factory=list)

    async def begin(self, tables: int, *, seed: int) -> None:
        rng = random.Random(seed)
        for place in range(tables):
            address = f"127.0.0.{place + 2}"
            pair = [Player(self.times, rng) for _ in range(2)]
            for seat, player in enumerate(pair):
                player.line = await Line.connect(self.server, address, player.hear)
                player.token = (await player.line.hello(f"Honest {place} {seat}")).token
            opened = await pair[0].line.ask(lambda number: OpenTable(number, "put-1674", turn=60))
            assert isinstance(opened, Ok), opened
            table = opened.table or 0
            for player in pair:
                assert isinstance(await player.line.ask(lambda number, table=table: Sit(number, table)), Ok)  # type: ignore[misc]
            self.players += pair

    @property
    def lost(self) -> int:
        """Players whose connection ended."""
        return sum(player.line.is_over for player in self.players)

    async def end(self) -> None:
        for player in self.players:
            await player.close()


async def came_in(server: Address, address: str, *, name: str = "", token: str = "") -> tuple[Line | None, float]:
    """Somebody who comes, and tries again every quarter of a second as clients do; and how many seconds it took."""
    begun = time.perf_counter()
    while time.perf_counter() - begun < PATIENCE:
        try:
            line = await Line.connect(server, address)
        except (OSError, TimeoutError):
            await asyncio.sleep(0.25)
            continue
        try:
            await line.hello(name, token)
        except (ConnectionError, TimeoutError):
            line.cut()
            await asyncio.sleep(0.25)
            continue
        return line, time.perf_counter() - begun
    return None, time.perf_counter() - begun


def percentile(times: Sequence[float], part: float) -> float:
    """In milliseconds; 0 of nothing."""
    if not times:
        return 0.0
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] * 1000
