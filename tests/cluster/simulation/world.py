"""A whole cluster in one process and one thread, on a simulated broker, with bots that play; and what happens to it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any
from unittest.mock import patch

from put_server.cluster import broker, cluster_config
from put_server.cluster.broker import BadCluster, BrokerNames, OutOfReach, heed_cancellation
from put_server.cluster.migration import READ_ATTEMPTS, StoredCluster
from put_server.cluster.roles import Member
from put_server.cluster.shard_repair import ShardRepair
from put_server.cluster.shard_stream import Overtaken
from put_server.journal.records import encode
from put_server.settings import Settings
from tests.cluster.members import settings
from tests.cluster.serving import serving
from tests.cluster.simulation.broker import Broker, SimulatedClient
from tests.cluster.simulation.evening import (
    STUCK_S,
    Evening,
    EveningPlan,
    Violation,
    degraded,
    hang_up,
    played,
    some_time,
    stall,
)
from tests.cluster.simulation.virtual_time import Process, VirtualLoop, current

NAME = "test"

_names = BrokerNames(NAME)

POWER = "power failure"
"""Fault that only a NATS that acknowledges too early does not survive."""

DOOR = 4_000
"""Port that leads to any gateway."""

WAITED_FOR = 400
"""Looks for a request that waits."""

STEADY_S = 15.0
"""Time until the shards are shared out."""

ENDED_S = 60.0
"""Longest time in which a process ends in good order."""


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


@dataclass(frozen=True, kw_only=True)
class Plan(EveningPlan):
    workers: int
    gateways: int
    shards: int


class World(Evening):
    plan: Plan

    def __init__(self, loop: VirtualLoop, plan: Plan) -> None:
        super().__init__(loop, plan)
        self.plan = plan
        self.broker = Broker(loop, Random(f"{plan.seed} broker"))
        self.machines: list[Machine] = []
        self.passcode_key = b""
        self.stored: StoredCluster
        """The cluster as an operator reaches it."""
        self.copies: list[tuple[int, int, bytes]] = []
        """Copies of shards that an operator made: the shard, the last record, and the lobby."""
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

    async def last(self) -> None:
        plan = self.plan
        _door(self)
        places = ["worker"] * plan.workers + ["gateway"] * plan.gateways
        self.machines += [self.start(role, DOOR + number) for number, role in enumerate(places, 1)]
        async with asyncio.timeout(60):
            while not all(machine.member is not None for machine in self.machines):  # noqa: ASYNC110  # as above
                await asyncio.sleep(0.1)
        await asyncio.sleep(STEADY_S)
        config = await cluster_config.found(self.machines[0].client, NAME)  # type: ignore[arg-type]
        assert config is not None
        self.passcode_key = bytes.fromhex(config.passcode_key)
        operator = SimulatedClient(self.broker, Process("operator"))
        self.stored = StoredCluster(operator, self.settings("worker", 0), config)  # type: ignore[arg-type]
        await played(self, DOOR)
        await self.end()

    async def settled(self) -> None:
        """Wait until each shard has a worker, and every game is in a stream of games: the last may have ended just
        before all workers died, or while one that was cut off still held the shard. The worker that claims the shard
        next tells it."""
        until = self.loop.time() + STUCK_S
        shards = range(self.plan.shards)
        games = self.plan.programme.games * len(self.plan.programme.tables)
        while True:
            is_open = {number for some in self._open_shards() for number in some} == set(shards)
            kept = sum(len(self.broker.streams[_names.games(shard)].all) for shard in shards)
            if is_open and kept >= games:
                return
            if self.loop.time() > until:
                raise Violation(f"at the end the shards {self._open_shards()} are open, and {kept} games kept")
            await asyncio.sleep(0.5)

    def _open_shards(self) -> list[list[int]]:
        """Of each worker."""
        return [
            list(machine.member.worker.served)
            for machine in self.of("worker")
            if machine.member is not None and machine.member.worker is not None
        ]

    def standstill(self) -> str:
        return f"the shards {self._open_shards()} are open"

    def processes(self) -> list[Process]:
        return [machine.process for machine in self.machines]

    def fault(self, name: str) -> Callable[[Random], Awaitable[None]]:
        return partial(FAULTS[name], self)

    @contextmanager
    def patched(self) -> Iterator[None]:
        with patch.object(broker, "connected", _connected):
            try:
                yield
            finally:
                _CLIENTS.clear()

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


Fault = Callable[[World, Random], Awaitable[None]]


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
                await some_time(rng)
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
                await some_time(rng)
                world.loop.resume(process)
                await asyncio.sleep(0.1)

    return fault


def _cut(role: str) -> Fault:
    async def fault(world: World, rng: Random) -> None:
        async with _one_of(world, rng, role) as victim:
            if victim is not None:
                victim.client.cut(rng.uniform(0.1, 6.0))
                await some_time(rng)

    return fault


def _apart(role: str) -> Fault:
    async def fault(world: World, rng: Random) -> None:
        async with _one_of(world, rng, role) as victim:
            if victim is not None:
                victim.client.is_apart = True
                await some_time(rng, 15.0)
                victim.client.is_apart = False

    return fault


async def _elections(world: World, rng: Random) -> None:
    """Of one stream, of some, or of all."""
    streams = list(world.broker.streams.values())
    for stream in rng.sample(streams, rng.choice((1, len(streams) // 2, len(streams)))):
        world.broker.elect(stream, rng.choice((rng.uniform(0, 1), rng.uniform(0, 9))))
    await some_time(rng)


def _shards(world: World) -> list[Any]:
    return [stream for name, stream in world.broker.streams.items() if name.startswith(f"put-{NAME}-")]


async def _lagging(world: World, rng: Random) -> None:
    stream = rng.choice(list(world.broker.streams.values()))
    stream.lag = rng.uniform(0.0, 3.0)
    stream.lags_until = world.loop.time() + rng.uniform(0.0, 6.0)
    await some_time(rng)


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
    await some_time(rng)


async def _no_majority(world: World, rng: Random) -> None:
    """Two of three servers: nothing is stored, and nothing answers."""
    seconds = rng.uniform(1.0, 30.0)
    for stream in world.broker.streams.values():
        world.broker.elect(stream, seconds)
    await asyncio.sleep(seconds)


async def _silent(world: World, rng: Random) -> None:
    """A player's connection breaks while they wait for an answer, and the shard that has it falls silent: its stream
    has no leader. Others go on."""
    if not world.bots:
        return
    bot = rng.choice(world.bots)
    for _ in range(WAITED_FOR):
        if any(getattr(one.request, "table", 0) == bot.table for one in bot.client._traffic.in_flight.values()):
            break
        await asyncio.sleep(0.005)
    await asyncio.sleep(rng.uniform(0.0, 0.02))
    world.broker.elect(world.broker.streams[_names.stream(bot.table % world.plan.shards)], rng.uniform(4.0, 12.0))
    bot.client._wire.current.drop()
    await some_time(rng)


async def _copied(world: World, rng: Random) -> None:
    """An operator makes a copy of a shard that is served."""
    shard = rng.randrange(world.plan.shards)
    try:
        kept = await world.stored._read(shard, READ_ATTEMPTS, is_served=True)
    except BadCluster as error:
        if not isinstance(error.__context__, OutOfReach):
            raise Violation(f"no copy can be made: {error}") from error
    else:
        world.copies.append((shard, kept.number, encode(kept.lobby)))


async def _rewritten(world: World, rng: Random) -> None:
    """An operator repairs a shard in which nothing is wrong."""
    with suppress(OutOfReach, Overtaken):
        await ShardRepair(world.stored, rng.randrange(world.plan.shards)).repair()


async def _power(world: World, rng: Random) -> None:
    world.broker.lose_tail(rng.uniform(0.0, 2.0))
    await some_time(rng)


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
    "answers lost": degraded("broker", "loses", 0.1),
    "answers delayed": degraded("broker", "slowness", 30.0),
    "packets repeated": degraded("broker", "repeats", 0.05),
    "subjects reordered": degraded("broker", "reorders", 1.0),
    "no majority": _no_majority,
    "a shard silent": _silent,
    "a shard copied": _copied,
    "a shard repaired": _rewritten,
    "players hang up": hang_up,
    "a player stalls": stall,
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
