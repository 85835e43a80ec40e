"""An evening of simulated play: bots that play, watch and talk over simulated connections while things fail, and
everything that they are told. What they play at is for the rest: a cluster, or one server."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from random import Random
from typing import Any, ClassVar
from unittest.mock import patch

import put_client.sdk.wire
from put_client.sdk.errors import Refusal
from put_protocol.connection import ClientConnection
from put_protocol.errors import ProtocolError
from put_protocol.messages import ClientMessage, Goodbye, ServerMessage
from put_server.front import Front
from tests.cluster.simulation.virtual_time import Process, VirtualLoop, current
from tests.crashes.scripted_bots import Programme, Progress, ScriptedBot, play, seat_bots

STUCK_S = 200.0
"""Longest time without a move, while things fail and afterwards."""

STALL_S = 30.0

NO_TABLE = 9_999


class Violation(Exception):
    """A law was broken; the sentence says which."""


class _Listener:
    """The simulated port of a server."""

    def __init__(self, loop: VirtualLoop, port: int) -> None:
        self._loop = loop
        self._port = port
        self._process = current()
        self.sockets = [self]

    def getsockname(self) -> tuple[str, int]:
        return "127.0.0.1", self._port

    def serve(self, tasks: asyncio.TaskGroup) -> None: ...

    def tick(self, now: int) -> None: ...

    def stop(self, _goodbye: Goodbye | None = None) -> None:
        """A process that was killed while it started ends late: its port may be its successor's by then."""
        if self._loop.owners.get(self._port) is self._process:
            del self._loop.owners[self._port]

    close = stop


async def _listen(front: Front) -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    port = front._settings.port
    front.listener = _Listener(loop, port)  # type: ignore[assignment]
    if not current().is_dead:
        loop.owners[port] = current()
        loop.listeners[port] = lambda: front._session(None)  # type: ignore[arg-type]


class _Remembering(ClientConnection):
    """A client's connection that keeps everything in its order."""

    heard: ClassVar[list[list[ClientMessage | ServerMessage]]] = []

    def __init__(self, *given: object) -> None:
        super().__init__(*given)  # type: ignore[arg-type]  # as it comes
        self._kept: list[ClientMessage | ServerMessage] = []
        self.heard.append(self._kept)

    def send(self, message: ClientMessage) -> None:
        super().send(message)
        self._kept.append(message)

    def receive(self, data: bytes, now: int) -> list[ServerMessage | ProtocolError]:
        came = super().receive(data, now)
        self._kept += [message for message in came if not isinstance(message, ProtocolError)]
        return came


class _Errors(logging.Handler):
    """Keeps what processes log as errors; no simulated fault is one."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(self.format(record))


@dataclass(frozen=True, kw_only=True)
class EveningPlan:
    """What one evening is, from its seed."""

    seed: int
    programme: Programme
    watches: bool
    """Everybody watches all tables but their own."""
    faults: tuple[tuple[int, str], ...]
    """Faults in order, each so many moves after the one before."""


class Evening(ABC):
    """What everybody did and was told, and what happened meanwhile."""

    plan: EveningPlan

    def __init__(self, loop: VirtualLoop, plan: EveningPlan) -> None:
        self.loop = loop
        self.rng = Random(f"{plan.seed} faults")
        self.done: list[tuple[float, str]] = []
        """Faults, and when each began."""
        self.errors = _Errors()
        self.bots: list[ScriptedBot] = []
        self.heard: list[list[ClientMessage | ServerMessage]] = []
        self.said: list[str] = []
        """What was said and acknowledged."""
        self.degraded: Counter[str] = Counter()
        """Faults at work, by what they change."""

    @abstractmethod
    async def last(self) -> None:
        """The evening, from the start of every process to its end.

        :raises Violation: something waits for ever.
        """

    @abstractmethod
    async def settled(self) -> None:
        """Wait, once all games are over, until what they left is done.

        :raises Violation: it is not done for long.
        """

    @abstractmethod
    def processes(self) -> list[Process]:
        """All that may still run."""

    @abstractmethod
    def fault(self, name: str) -> Callable[[Random], Awaitable[None]]: ...

    @abstractmethod
    def standstill(self) -> str:
        """State of the processes, as a clause."""

    @abstractmethod
    def patched(self) -> AbstractContextManager[None]:
        """While the block runs, what processes meet is simulated."""


async def played(world: Evening, port: int) -> None:
    """Everything plays, things fail, and all games end.

    :raises Violation: something waits for ever.
    """
    plan = world.plan
    progress = Progress()
    async with AsyncExitStack() as stack:
        try:
            async with asyncio.timeout(STUCK_S):
                world.bots = bots = await seat_bots(plan.programme, port, progress, stack)
        except TimeoutError:
            raise Violation(f"nobody can sit down within {STUCK_S:.0f} s: {_standstill(world)}") from None
        for bot in bots:
            for other in {one.table for one in bots} - {bot.table}:
                if plan.watches:
                    await bot.client.watch(other)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(play(bots, progress))
            talks = [tasks.create_task(_talk(world, bot, progress)) for bot in bots]
            faults = tasks.create_task(_disturb(world, progress))
            last, still_since = -1, world.loop.time()
            while not progress.is_over:
                await asyncio.sleep(1.0)
                if progress.moves != last:
                    last, still_since = progress.moves, world.loop.time()
                if world.loop.time() - still_since > STUCK_S:
                    raise Violation(f"no move for {STUCK_S:.0f} s: {_standstill(world)}")
            for talk in talks:
                talk.cancel()
            with suppress(asyncio.CancelledError):
                await faults
        await world.settled()
        await asyncio.sleep(3.0)


def _standstill(world: Evening) -> str:
    waiting = Counter(
        type(one.request).__name__ for bot in world.bots for one in bot.client._traffic.in_flight.values()
    )
    return f"{dict(waiting)} wait, {world.standstill()}"


async def _talk(world: Evening, bot: ScriptedBot, progress: Progress) -> None:
    """Say something from time to time, each time another thing, and sometimes ask for more at the same time: what a
    gateway answers by itself, refuses, or asks another shard, a pause, or to watch another table or do so no more."""
    rng = Random(f"{world.plan.seed} {bot.client.name}")
    client = bot.client
    others = sorted({one.table for one in world.bots} - {bot.table})
    asides: list[Callable[[], Awaitable[object]]] = [
        partial(client.look, 0),
        client.look_away,
        partial(client.say, NO_TABLE, "here?"),
        partial(client.mute, "Nobody at all"),
        partial(client.block, client.name, on=False),
        partial(client.pause, bot.table, 1),
        *[partial(come_or_go, table) for table in others for come_or_go in (client.watch, client.leave)],
    ]

    async def aside(ask: Callable[[], Awaitable[object]]) -> None:
        with suppress(Refusal):
            await ask()

    for number in count(1):
        if not await progress.after(rng.randrange(1, 40)):
            return
        text = f"{client.name} says {number}"
        more = rng.sample(asides, rng.choice((0, 0, 1, 2, 3)))
        at = rng.randrange(len(more) + 1)
        say = client.say(bot.table, text)
        await asyncio.gather(*map(aside, more[:at]), say, *map(aside, more[at:]))
        world.said.append(text)


async def _later(fault: Callable[[Random], Awaitable[None]], rng: Random) -> None:
    """Faults come between moves, too: as while a deal is cut, or a message is on its way."""
    await asyncio.sleep(rng.choice((0.0, rng.uniform(0.0, 0.02), rng.uniform(0.0, 0.5))))
    await fault(rng)


async def _disturb(world: Evening, progress: Progress) -> None:
    async with asyncio.TaskGroup() as tasks:
        for number, (moves, name) in enumerate(world.plan.faults):
            if not await progress.after(moves):
                return
            world.done.append((round(world.loop.time(), 3), name))
            tasks.create_task(_later(world.fault(name), Random(f"{world.plan.seed} {number} {moves}")))


async def some_time(rng: Random, longest: float = 8.0) -> None:
    """A fault lasts."""
    await asyncio.sleep(rng.choice((rng.uniform(0.0, 1.0), rng.uniform(0.0, longest))))


def degraded(place: str, what: str, value: object) -> Callable[[Any, Random], Awaitable[None]]:
    """Fault of a part of the world, named by `place`: it works less well for some time."""

    async def fault(world: Any, rng: Random) -> None:
        part = getattr(world, place)
        setattr(part, what, value)
        world.degraded[what] += 1
        await some_time(rng)
        world.degraded[what] -= 1
        if not world.degraded[what]:
            setattr(part, what, getattr(type(part), what))

    return fault


async def hang_up(world: Evening, rng: Random) -> None:
    """Some players lose their connections."""
    for bot in world.bots:
        if rng.random() < 0.5:
            bot.client._wire.current.drop()


async def stall(world: Evening, rng: Random) -> None:
    """What a player sends takes longer than a deal waits for a cut."""
    if world.bots:
        rng.choice(world.bots).client._traffic.wire.current._writer.transport._free_at += rng.uniform(0.0, STALL_S)  # type: ignore[attr-defined]
    await asyncio.sleep(0)


@contextmanager
def _patched(world: Evening) -> Iterator[None]:
    _Remembering.heard = world.heard
    log = logging.getLogger("put_server")
    log.addHandler(world.errors)
    try:
        with (
            patch.object(Front, "listen", _listen),
            patch("put_server.front._encryption", lambda _: None),
            patch("put_server.front._allow_files", int),
            patch.object(put_client.sdk.wire, "ClientConnection", _Remembering),
            world.patched(),
        ):
            yield
    finally:
        log.removeHandler(world.errors)


def run(world: Evening) -> None:
    """One evening, to its end.

    :raises Violation: a law was broken while it lasted.
    """
    loop = world.loop
    main = loop.create_task(world.last())
    with _patched(world):
        try:
            loop.run_until_complete(main)
        except BaseExceptionGroup as group:
            raise _first(group) from group
        finally:
            left = asyncio.all_tasks(loop)
            for process in world.processes():
                process.is_dead = True
                loop.resume(process)
            for task in left:
                task.cancel()
            with suppress(Exception):
                loop.run_until_complete(asyncio.wait_for(asyncio.gather(*left, return_exceptions=True), 60))


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = next(
            (one for one in error.exceptions if not isinstance(one, asyncio.CancelledError)), error.exceptions[0]
        )
    return error
