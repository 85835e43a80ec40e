"""Honest peers, each from an address of our choice: bots that play and measure how long each move takes, a player who
comes back, and a newcomer."""

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
    Bye,
    ClientMessage,
    Decision,
    Drill,
    Events,
    Goodbye,
    Hello,
    Ok,
    OpenTable,
    Position,
    Refused,
    ServerMessage,
    Sit,
    Welcome,
)
from put_protocol.refusals import RefusalCode
from put_protocol.table_info import TableState

Address = tuple[str, int]

MOVE_SECONDS = 0.03
"""A bot's pause before a move: twenty tables make some 500 moves a second."""

PATIENCE = 20.0
"""Seconds after which something that was asked is taken for lost."""

PROXY = "127.3.0.1"
"""A proxy that the server believes. Who claims an IPv6 address speaks through it."""


def way_from(address: str) -> tuple[str, bytes]:
    """The address of this machine to connect from, and what to send first, so that a peer seems to be there."""
    if ":" not in address:
        return address, b""
    return PROXY, f"PROXY TCP6 {address} ::1 1 1674\r\n".encode()


class Line(asyncio.Protocol):
    """One connection from an address of our choice."""

    password = ""
    """Of the server."""

    def __init__(self, hear: Callable[[ServerMessage], None] = lambda _: None) -> None:
        self.client = ClientConnection(0)
        self.transport: asyncio.Transport | None = None
        self.over = asyncio.Event()
        self.goodbye: Goodbye | None = None
        self.token = ""
        self.heard_position = asyncio.Event()
        self._hear = hear
        self._asked: dict[int, asyncio.Future[Ok | Refused]] = {}
        self._welcome: asyncio.Future[Welcome] = asyncio.get_running_loop().create_future()

    @classmethod
    async def connect(
        cls, server: Address, address: str, hear: Callable[[ServerMessage], None] = lambda _: None
    ) -> "Line":
        local, first = way_from(address)
        async with asyncio.timeout(PATIENCE):
            _, line = await asyncio.get_running_loop().create_connection(
                lambda: cls(hear), *server, local_addr=(local, 0)
            )
        line.write(first)
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
                case Position():
                    self.heard_position.set()
                case _:
                    pass
            if not isinstance(message, ProtocolError):
                self._hear(message)
        self.write(self.client.take())  # pongs

    def connection_lost(self, exc: Exception | None) -> None:
        self.over.set()
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

    async def ask_patiently(self, request: Callable[[int], ClientMessage]) -> Ok | Refused:
        """The same, again and again while it comes too fast."""
        while True:
            answer = await self.ask(request)
            if isinstance(answer, Ok) or answer.code is not RefusalCode.TOO_FAST:
                return answer
            await asyncio.sleep(0.1)

    async def opened(self, **options: Any) -> int:
        """The number of a table that was opened, where we sit; 0: there is none to be had."""
        answer = await self.ask_patiently(lambda number: OpenTable(number, "put-1674", **options))
        if isinstance(answer, Refused):
            return 0
        table = answer.table or 0
        await self.ask_patiently(lambda number: Sit(number, table))
        return table

    @property
    def is_over(self) -> bool:
        """The server, or we, have closed."""
        return self.over.is_set()

    def cut(self) -> None:
        if self.transport is not None:
            self.transport.abort()


class Player:
    """A bot, at any number of tables."""

    def __init__(self, times: list[float], rng: random.Random, pause: float = MOVE_SECONDS) -> None:
        self.line: Line
        self._times = times
        self._rng = rng
        self._pause = pause
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
        await asyncio.sleep(self._pause)
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
            address = f"127.100.{place}.1"
            pair = [Player(self.times, rng) for _ in range(2)]
            for seat, player in enumerate(pair):
                player.line = await Line.connect(self.server, address, player.hear)
                await player.line.hello(f"Honest {place} {seat}")
            table = await pair[0].line.opened(turn=60)
            assert isinstance(await pair[1].line.ask(lambda number, table=table: Sit(number, table)), Ok)  # type: ignore[misc]
            self.players += pair

    @property
    def lost(self) -> int:
        """Players whose connection ended."""
        return sum(player.line.is_over for player in self.players)

    async def end(self) -> None:
        for player in self.players:
            await player.close()


async def came_in(server: Address, address: str, *, name: str = "", token: str = "") -> tuple[Line, float]:
    """A person who comes, and tries again every quarter of a second as clients do; and how many seconds it took.

    :raises TimeoutError: they did not get in.
    """
    begun = time.perf_counter()
    while time.perf_counter() - begun < PATIENCE:
        line = None
        try:
            line = await Line.connect(server, address)
            await line.hello(name, token)
        except (OSError, TimeoutError):
            if line is not None:
                line.cut()
            await asyncio.sleep(0.25)
        else:
            return line, time.perf_counter() - begun
    raise TimeoutError(f"{address} did not get in")


@dataclass(frozen=True, slots=True)
class Visit:
    """Seconds that a newcomer waited for each thing; `PATIENCE` for what never came."""

    welcome: float = PATIENCE
    table: float = PATIENCE
    """From then on, until they sit at a table of their own."""
    study: float = PATIENCE
    """From then on, until they have a position to practise on, where they ask for one."""

    @classmethod
    async def made(cls, server: Address, address: str, name: str, *, studies: bool = True) -> "Visit":
        """A newcomer comes in, opens a table, sits down, asks for a position, and goes."""
        took: list[float] = []
        line = None
        try:
            line, seconds = await came_in(server, address, name=name)
            took.append(seconds)
            for doing in (_seated, _studied) if studies else (_seated,):
                begun = time.perf_counter()
                await doing(line)
                took.append(time.perf_counter() - begun)
        except (OSError, TimeoutError):
            pass
        finally:
            if line is not None:
                line.send(Bye())
                line.cut()
        return cls(*took)


async def _seated(line: Line) -> None:
    async with asyncio.timeout(PATIENCE):
        while not await line.opened():  # noqa: ASYNC110 - it asks
            await asyncio.sleep(0.25)


async def _studied(line: Line) -> None:
    async with asyncio.timeout(PATIENCE):
        while not isinstance(await line.ask(lambda number: Drill(number, "put-1674")), Ok):  # noqa: ASYNC110
            await asyncio.sleep(0.25)
        await line.heard_position.wait()


def percentile(times: Sequence[float], part: float) -> float:
    """In milliseconds; 0 of nothing."""
    if not times:
        return 0.0
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] * 1000
