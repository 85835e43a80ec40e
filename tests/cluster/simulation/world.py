"""A whole cluster in one process and one thread, on a simulated broker, with bots that play; and what happens to it."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from random import Random
from typing import Any, ClassVar
from unittest.mock import patch

import put_client.sdk.wire
from put_client.bots.bot_session import patiently
from put_client.sdk.errors import Refusal
from put_protocol.connection import ClientConnection
from put_protocol.errors import ProtocolError
from put_protocol.messages import ClientMessage, Goodbye, ServerMessage
from put_server.cluster import cluster_config, roles
from put_server.cluster.broker import OutOfReach, heed_cancellation
from put_server.cluster.roles import Member, serving
from put_server.front import Front
from put_server.settings import Settings
from tests.cluster.members import settings
from tests.cluster.simulation.broker import Broker, SimulatedClient
from tests.cluster.simulation.virtual_time import Process, VirtualLoop, current
from tests.crashes.scripted_bots import Programme, Progress, ScriptedBot, play, seat_bots

NAME = "test"

POWER = "power failure"
"""Fault that only a NATS that acknowledges too early does not survive."""

DOOR = 4_000
"""Port that leads to any gateway."""

STUCK_S = 200.0
"""Longest time without a move, while things fail and afterwards."""

STALL_S = 30.0

NO_TABLE = 9_999

STEADY_S = 15.0
"""Time until the shards are shared out."""

ENDED_S = 60.0
"""Longest time in which a process ends in good order."""


class Violation(Exception):
    """A law was broken; the sentence says which."""


class _Listener:
    """The simulated port of a gateway."""

    def __init__(self, loop: VirtualLoop, port: int) -> None:
        self._loop = loop
        self._port = port
        self._process = current()
        self.sockets = [self]

    def getsockname(self) -> tuple[str, int]:
        return "127.0.0.1", self._port

    def serve(self, tasks: asyncio.TaskGroup) -> None: ...

    def tick(self, now: int) -> None: ...

    def stop(self) -> None:
        """A process that was killed while it started ends late: its port may be its successor's by then."""
        if self._loop.owners.get(self._port) is self._process:
            del self._loop.owners[self._port]

    def dismiss_all(self, goodbye: Goodbye) -> None: ...

    close = stop


@dataclass(eq=False)
class Machine:
    """A worker or a gateway: its process, or the one that takes the place of one that was killed."""

    role: str
    port: int
    process: Process
    client: SimulatedClient
    life: "asyncio.Task[None]"
    member: Member | None = None
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    is_busy: bool = False
    """Something is being done to it."""


class _Remembering(ClientConnection):
    """A client's connection that keeps everything in its order."""

    heard: ClassVar[list[list[ClientMessage | ServerMessage]]] = []

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
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
class Plan:
    """What one run is, from its seed."""

    seed: int
    workers: int
    gateways: int
    shards: int
    programme: Programme
    watches: bool
    """Everybody watches all tables but their own."""
    faults: tuple[tuple[int, str], ...]
    """Faults in order, each so many moves after the one before."""


class World:
    def __init__(self, loop: VirtualLoop, plan: Plan) -> None:
        self.plan = plan
        self.loop = loop
        self.rng = Random(f"{plan.seed} faults")
        self.broker = Broker(loop, Random(f"{plan.seed} broker"))
        self.machines: list[Machine] = []
        self.done: list[tuple[float, str]] = []
        """Faults, and when each began."""
        self.errors = _Errors()
        self.bots: list[ScriptedBot] = []
        self.heard: list[list[ClientMessage | ServerMessage]] = []
        self.passcode_key = b""
        self.said: list[str] = []
        """What was said and acknowledged."""
        self.degraded: Counter[str] = Counter()
        """Faults at work, by the attribute of the broker."""
        self._old: list[asyncio.Task[None]] = []
        self._started = 0

    def settings(self, role: str, port: int) -> Settings:
        plan = self.plan
        return settings(
            "nats://simulated",
            role,
            shards=plan.shards,
            replicas=3,
            seed=plan.programme.seed,
            port=port,
            keep_exhibitions="yes",
            exempt="127.0.0.1",
        )

    def start(self, role: str, port: int) -> Machine:
        self._started += 1
        process = Process(f"{role}-{self._started}", ahead=self.rng.uniform(0, 1e6))
        client = SimulatedClient(self.broker, process)
        machine = Machine(role, port, process, client, None)  # type: ignore[arg-type]  # set at once
        machine.life = self.loop.create_task(self._live(machine), context=process.context)
        return machine

    async def _live(self, machine: Machine) -> None:
        _CLIENTS[machine.process] = machine.client
        while not machine.stop.is_set():
            with suppress(OutOfReach):  # while nothing answers, a process cannot start; it is started again
                await self._serve(machine)
            await asyncio.sleep(1.0)

    async def _serve(self, machine: Machine) -> None:
        async with serving(self.settings(machine.role, machine.port), thinks=False) as member:
            machine.member = member
            heed_cancellation()
            await machine.stop.wait()
            member.stop()
            while member.worker is not None and member.worker._lives:  # noqa: ASYNC110  # it has no event
                await asyncio.sleep(0.05)

    def kill(self, machine: Machine) -> None:
        machine.process.is_dead = True
        machine.client.subscriptions.clear()
        machine.life.cancel()
        self._old.append(machine.life)

    def again(self, machine: Machine) -> None:
        """Start a process in the place of one that ended."""
        fresh = self.start(machine.role, machine.port)
        machine.process, machine.client, machine.life = fresh.process, fresh.client, fresh.life
        machine.stop = fresh.stop
        self.machines[self.machines.index(machine)] = fresh
        fresh.is_busy = machine.is_busy

    def of(self, role: str) -> list[Machine]:
        return [machine for machine in self.machines if machine.role == role]

    async def end(self) -> None:
        """End all processes in good order.

        :raises Violation: one does not end.
        """
        for role in ("gateway", "worker"):
            machines = self.of(role)
            for machine in machines:
                machine.stop.set()
            _, late = await asyncio.wait([machine.life for machine in machines], timeout=ENDED_S)
            if late:
                raise Violation(f"a {role} does not end")
            for machine in machines:
                machine.life.result()


_CLIENTS: dict[Process, SimulatedClient] = {}


@asynccontextmanager
async def _connected(_: Settings, __: str) -> AsyncIterator[Any]:
    yield _CLIENTS[current()]


async def _listen(front: Front) -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    port = front._settings.port
    front.listener = _Listener(loop, port)  # type: ignore[assignment]
    if not current().is_dead:
        loop.owners[port] = current()
        loop.listeners[port] = lambda: front._session(None)  # type: ignore[arg-type]


@contextmanager
def _patched(world: World) -> Iterator[None]:
    _Remembering.heard = world.heard
    log = logging.getLogger("put_server")
    log.addHandler(world.errors)
    try:
        with (
            patch.object(roles, "connected", _connected),
            patch.object(Front, "listen", _listen),
            patch.object(Front, "prepare", lambda _: None),
            patch.object(put_client.sdk.wire, "ClientConnection", _Remembering),
        ):
            yield
    finally:
        log.removeHandler(world.errors)
        _CLIENTS.clear()


Fault = Callable[[World, Random], Awaitable[None]]


async def _while(rng: Random, longest: float = 8.0) -> None:
    await asyncio.sleep(rng.choice((rng.uniform(0.0, 1.0), rng.uniform(0.0, longest))))


@asynccontextmanager
async def _one_of(world: World, rng: Random, role: str) -> AsyncIterator[Machine | None]:
    free = [machine for machine in world.machines if machine.role == role and not machine.is_busy]
    if not free:
        yield None
        return
    victim = rng.choice(free)
    victim.is_busy = True
    try:
        yield victim
    finally:
        for machine in world.machines:
            if machine.port == victim.port:
                machine.is_busy = False


def _killed(role: str) -> Fault:
    async def fault(world: World, rng: Random) -> None:
        async with _one_of(world, rng, role) as victim:
            if victim is not None:
                world.kill(victim)
                await _while(rng)
                world.again(victim)

    return fault


def _stopped(role: str) -> Fault:
    async def fault(world: World, rng: Random) -> None:
        async with _one_of(world, rng, role) as victim:
            if victim is not None:
                victim.stop.set()
                done, _ = await asyncio.wait([victim.life], timeout=ENDED_S)
                if not done:
                    raise Violation(f"a {role} that was to end does not")
                victim.life.result()
                world.again(victim)

    return fault


def _paused(role: str) -> Fault:
    async def fault(world: World, rng: Random) -> None:
        async with _one_of(world, rng, role) as victim:
            if victim is not None:
                process = victim.process
                world.loop.pause(process)
                await _while(rng)
                world.loop.resume(process)
                await asyncio.sleep(0.1)

    return fault


def _cut(role: str) -> Fault:
    async def fault(world: World, rng: Random) -> None:
        async with _one_of(world, rng, role) as victim:
            if victim is not None:
                victim.client.cut(rng.uniform(0.1, 6.0))
                await _while(rng)

    return fault


def _apart(role: str) -> Fault:
    async def fault(world: World, rng: Random) -> None:
        async with _one_of(world, rng, role) as victim:
            if victim is not None:
                victim.client.is_apart = True
                await _while(rng, 15.0)
                victim.client.is_apart = False

    return fault


async def _elections(world: World, rng: Random) -> None:
    """Of one stream, of some, or of all."""
    streams = list(world.broker.streams.values())
    for stream in rng.sample(streams, rng.choice((1, len(streams) // 2, len(streams)))):
        world.broker.elect(stream, rng.choice((rng.uniform(0, 1), rng.uniform(0, 9))))
    await _while(rng)


def _shards(world: World) -> list[Any]:
    return [stream for name, stream in world.broker.streams.items() if name.startswith(f"put-{NAME}-")]


async def _lagging(world: World, rng: Random) -> None:
    stream = rng.choice(list(world.broker.streams.values()))
    stream.lag = rng.uniform(0.0, 3.0)
    stream.lags_until = world.loop.time() + rng.uniform(0.0, 6.0)
    await _while(rng)


async def _wrong_count(world: World, rng: Random) -> None:
    """A machine fails that has a NATS server and a worker. The counts stay wrong: NATS counts anew only when the server
    starts."""
    for stream in _shards(world):
        stream.off_by += rng.choice((-1, 1, 2))
    await _killed("worker")(world, rng)


async def _full(world: World, rng: Random) -> None:
    until = world.loop.time() + rng.uniform(0.5, 10.0)
    for stream in world.broker.streams.values():
        stream.full_until = until
    await _while(rng)


def _degraded(what: str, value: float) -> Fault:
    async def fault(world: World, rng: Random) -> None:
        former = getattr(Broker, what)
        setattr(world.broker, what, value)
        world.degraded[what] += 1
        await _while(rng)
        world.degraded[what] -= 1
        if not world.degraded[what]:
            setattr(world.broker, what, former)

    return fault


async def _no_majority(world: World, rng: Random) -> None:
    """Two of three servers: nothing is stored, and nothing answers."""
    seconds = rng.uniform(1.0, 30.0)
    for stream in world.broker.streams.values():
        world.broker.elect(stream, seconds)
    await asyncio.sleep(seconds)


async def _hang_up(world: World, rng: Random) -> None:
    """Some players lose their connections."""
    for bot in world.bots:
        if rng.random() < 0.5:
            bot.client._wire.current.drop()


async def _stall(world: World, rng: Random) -> None:
    """What a player sends takes longer than a deal waits for a cut."""
    if world.bots:
        rng.choice(world.bots).client._traffic.wire.current._writer.transport._free_at += rng.uniform(0.0, STALL_S)  # type: ignore[attr-defined]
    await asyncio.sleep(0)


async def _power(world: World, rng: Random) -> None:
    world.broker.lose_tail(rng.uniform(0.0, 2.0))
    await _while(rng)


FAULTS: Mapping[str, Fault] = {
    "worker killed": _killed("worker"),
    "gateway killed": _killed("gateway"),
    "worker stopped": _stopped("worker"),
    "gateway stopped": _stopped("gateway"),
    "worker paused": _paused("worker"),
    "gateway paused": _paused("gateway"),
    "worker cut off": _cut("worker"),
    "gateway cut off": _cut("gateway"),
    "worker's node apart": _apart("worker"),
    "gateway's node apart": _apart("gateway"),
    "elections": _elections,
    "lagging replica": _lagging,
    "wrong count": _wrong_count,
    "disk full": _full,
    "answers lost": _degraded("loses", 0.1),
    "answers delayed": _degraded("slowness", 30.0),
    "packets repeated": _degraded("repeats", 0.05),
    "subjects reordered": _degraded("reorders", 1.0),
    "no majority": _no_majority,
    "players hang up": _hang_up,
    "a player stalls": _stall,
    POWER: _power,
}


def _door(world: World) -> None:
    """Have the door lead to a gateway that runs, another for each connection."""

    class Owners(dict[int, Process]):
        def get(self, port: int, default: Any = None) -> Any:
            if port != DOOR:
                return super().get(port, default)
            up = [machine.port for machine in world.of("gateway") if machine.port in self]
            if not up:
                return default
            chosen = world.rng.choice(up)
            world.loop.listeners[DOOR] = world.loop.listeners[chosen]
            return self[chosen]

    world.loop.owners = Owners(world.loop.owners)


async def evening(world: World) -> None:
    """Everything plays, things fail, and everything ends.

    :raises Violation: something waits for ever.
    """
    plan = world.plan
    progress = Progress()
    _door(world)
    places = ["worker"] * plan.workers + ["gateway"] * plan.gateways
    world.machines += [world.start(role, DOOR + number) for number, role in enumerate(places, 1)]
    async with asyncio.timeout(60):
        while not all(machine.member is not None for machine in world.machines):  # noqa: ASYNC110  # as above
            await asyncio.sleep(0.1)
    await asyncio.sleep(STEADY_S)
    config = await cluster_config.found(world.machines[0].client, NAME)  # type: ignore[arg-type]
    assert config is not None
    world.passcode_key = bytes.fromhex(config.passcode_key)
    async with AsyncExitStack() as stack:
        try:
            async with asyncio.timeout(STUCK_S):
                world.bots = bots = await seat_bots(plan.programme, DOOR, progress, stack)
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
        await _served(world)
        await asyncio.sleep(3.0)
    await world.end()


async def _served(world: World) -> None:
    """Wait until each shard has a worker: the last game may have ended just before all workers died, and whoever claims
    the shard next tells it to the stream of games.

    :raises Violation: a shard has none for long.
    """
    until = world.loop.time() + STUCK_S
    while {number for some in _open_shards(world) for number in some} != set(range(world.plan.shards)):
        if world.loop.time() > until:
            raise Violation(f"at the end only the shards {_open_shards(world)} are open")
        await asyncio.sleep(0.5)


def _open_shards(world: World) -> list[list[int]]:
    """Of each worker."""
    return [
        sorted(number for number, shard in machine.member.worker.shards.items() if shard.opened_at)
        for machine in world.of("worker")
        if machine.member is not None and machine.member.worker is not None
    ]


def _standstill(world: World) -> str:
    waiting = Counter(
        type(one.request).__name__ for bot in world.bots for one in bot.client._traffic._in_flight._pending.values()
    )
    return f"{dict(waiting)} wait, the shards {_open_shards(world)} are open"


async def _talk(world: World, bot: ScriptedBot, progress: Progress) -> None:
    """Say something from time to time, each time another thing, and sometimes ask for more at the same time: what a
    gateway answers by itself, refuses, or asks another shard."""
    rng = Random(f"{world.plan.seed} {bot.client.name}")
    client = bot.client
    asides: list[Callable[[], Awaitable[object]]] = [
        partial(client.look, 0),
        client.look_away,
        partial(client.say, NO_TABLE, "here?"),
        partial(client.mute, "Nobody at all"),
        partial(client.block, client.name, on=False),
    ]
    for number in count(1):
        if not await progress.after(rng.randrange(1, 40)):
            return
        text = f"{client.name} says {number}"
        more = rng.sample(asides, rng.choice((0, 0, 1, 2, 3)))
        at = rng.randrange(len(more) + 1)
        say = patiently(partial(client.say, bot.table, text))
        await asyncio.gather(*map(_aside, more[:at]), say, *map(_aside, more[at:]))
        world.said.append(text)


async def _aside(ask: Callable[[], Awaitable[object]]) -> None:
    with suppress(Refusal):
        await patiently(ask)


async def _later(world: World, fault: Fault, rng: Random) -> None:
    """Faults come between moves, too: as while a deal is cut, or a message is on its way."""
    await asyncio.sleep(rng.choice((0.0, rng.uniform(0.0, 0.02), rng.uniform(0.0, 0.5))))
    await fault(world, rng)


async def _disturb(world: World, progress: Progress) -> None:
    async with asyncio.TaskGroup() as tasks:
        for number, (moves, name) in enumerate(world.plan.faults):
            if not await progress.after(moves):
                return
            world.done.append((round(world.loop.time(), 3), name))
            tasks.create_task(_later(world, FAULTS[name], Random(f"{world.plan.seed} {number} {moves}")))


def run(loop: VirtualLoop, world: World) -> None:
    """One evening, to its end.

    :raises Violation: a law was broken while it lasted.
    """
    main = loop.create_task(evening(world))
    with _patched(world):
        try:
            loop.run_until_complete(main)
        except BaseExceptionGroup as group:
            raise _first(group) from group
        finally:
            left = asyncio.all_tasks(loop)
            for machine in world.machines:
                machine.process.is_dead = True
                loop.resume(machine.process)
            for task in left:
                task.cancel()
            with suppress(Exception):
                loop.run_until_complete(asyncio.wait_for(asyncio.gather(*left, return_exceptions=True), 60))


def _first(group: BaseExceptionGroup[Any]) -> BaseException:
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = next(
            (one for one in error.exceptions if not isinstance(one, asyncio.CancelledError)), error.exceptions[0]
        )
    return error
