"""Evenings on a cluster that is disturbed at random, and must end as if it had not been."""

import asyncio
import random
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from tests.cluster.archive import games_of, records_of, shards_of
from tests.cluster.nodes import Node
from tests.cluster.processes import Process
from tests.cluster.rig import LARGE, NAME, Member, Rig, Size, running_rig
from tests.crashes.campaigns import secrets_of
from tests.crashes.disturbances import CuttableProxy
from tests.crashes.scripted_bots import Programme, Progress, check, play, seat_bots

STUCK_S = 60
"""Without a move: nothing that is done here may last so long."""

DEAF_S = 0.5
"""After a death, in which the longest gap between two moves begins: what was under way is answered still."""

SHORT_S, LONG_S = (0.1, 1.0), (2.5, 5.0)
"""For which something is paused, cut or stalled: shorter than workers take for death, and longer."""


FORGOTTEN_S = 240
"""In which what deals were made from leaves the files of all nodes: they replace their logs every two minutes, but one
that was just started counts anew."""

MOST_SOUGHT = 300
"""Deals of which traces are looked for."""

FORGOTTEN_LOOK_S = 5
"""Between two looks at all of their files."""

ELECTION_S = 9.0
"""That a stream takes to elect a leader, at most."""


class Span(NamedTuple):
    begun: float
    ended: float


@dataclass
class Evening:
    """What was done, and what it cost."""

    done: Counter[str] = field(default_factory=Counter)
    deaths: list[tuple[float, frozenset[int]]] = field(default_factory=list)
    """When a worker was killed, and the shards that it ran."""
    waits: list[float] = field(default_factory=list)
    """Seconds from each death to the next move, at each table of those shards."""
    pauses: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """Seconds for which each bot was without a connection, each time, by what was done meanwhile."""
    nodes_away: list[Span] = field(default_factory=list)
    """When a NATS server was killed, paused or cut off, and the time after that in which streams elect a leader."""
    gateways_away: list[Span] = field(default_factory=list)
    """When there was no gateway that anybody could come by."""

    forgotten: float = 0.0
    """Seconds until no file of any node had what a sealed deal was made from; 0: no deal was sealed."""

    def note_pause(self, lost: float, back: float) -> None:
        """A bot was without a connection."""
        during = [
            what
            for what, spans in (("no gateway was there", self.gateways_away), ("a node was away", self.nodes_away))
            if any(span.begun <= back and span.ended >= lost for span in spans)
        ]
        self.pauses[", ".join(during) or "all nodes and a gateway were there"].append(back - lost)


class Disturber:
    """Does what can happen to a cluster, at random."""

    def __init__(self, rig: Rig, rng: random.Random, evening: Evening, names: Sequence[str]) -> None:
        """`names`: of the disturbances that it does."""
        self._rig = rig
        self._names = names
        self._rng = rng
        self._evening = evening
        self._at_nodes = asyncio.Lock()
        """One node at a time: a majority is what everything rests on."""
        self._at: set[str] = set()
        """Members to which something is being done, and no second thing."""
        self._without_gateway_since = 0.0

    async def something(self) -> None:
        """One disturbance, and after it everything is as before."""
        name = self._rng.choice(self._names)
        await DISTURBANCES[name](self)
        self._evening.done[name] += 1

    async def kill_worker(self) -> None:
        async with self._one_of(self._rig.workers) as victim:
            ran = await shards_of(self._rig.nodes.urls, NAME, victim.process.pid)
            self._evening.deaths.append((time.monotonic(), ran))
            await self._killed(victim.process)

    async def kill_gateway(self) -> None:
        async with self._one_of(self._rig.gateways) as victim:
            await self._killed(victim.process)

    async def kill_node(self) -> None:
        async with self._node() as victim:
            await self._killed(victim)

    async def pause_worker(self) -> None:
        """A worker that is taken for dead becomes a zombie: its shards are taken, and it wakes and does not know."""
        async with self._one_of(self._rig.workers) as victim:
            await self._paused(victim.process)

    async def pause_gateway(self) -> None:
        async with self._one_of(self._rig.gateways) as victim:
            await self._paused(victim.process)

    async def pause_node(self) -> None:
        async with self._node() as victim:
            await self._paused(victim)

    async def cut_member(self) -> None:
        """Its links to all nodes: cut, or silent."""
        async with self._one_of([*self._rig.workers, *self._rig.gateways]) as victim:
            await self._apart(victim.links)

    async def cut_node(self) -> None:
        """The node is there for its clients, and hears no other node."""
        async with self._node() as victim:
            await self._apart([victim.routes])

    @asynccontextmanager
    async def _node(self) -> AsyncIterator[Node]:
        """One at a time."""
        async with self._at_nodes:
            begun = time.monotonic()
            try:
                yield self._rng.choice(self._rig.nodes.all)
            finally:
                self._evening.nodes_away.append(Span(begun, time.monotonic() + ELECTION_S))

    @asynccontextmanager
    async def _one_of(self, members: Sequence[Member]) -> AsyncIterator[Member]:
        victim = self._rng.choice([member for member in members if member.process.name not in self._at])
        self._at.add(victim.process.name)
        if self._is_without_gateway:
            self._without_gateway_since = time.monotonic()
        try:
            yield victim
        finally:
            if self._is_without_gateway:
                self._evening.gateways_away.append(Span(self._without_gateway_since, time.monotonic()))
            self._at.discard(victim.process.name)

    @property
    def _is_without_gateway(self) -> bool:
        return all(gateway.process.name in self._at for gateway in self._rig.gateways)

    async def _a_while(self) -> None:
        await asyncio.sleep(self._rng.uniform(*self._rng.choice((SHORT_S, LONG_S))))

    async def _killed(self, process: Process) -> None:
        await process.kill()
        await self._a_while()
        await process.start()

    async def _paused(self, process: Process) -> None:
        process.pause()
        await self._a_while()
        process.resume()

    async def _apart(self, links: Sequence[CuttableProxy]) -> None:
        stalls = self._rng.random() < 0.5
        for link in links:
            if stalls:
                link.stall()
            else:
                link.cut()
        await self._a_while()
        for link in links:
            link.restore()


DISTURBANCES: Mapping[str, Callable[[Disturber], Awaitable[None]]] = {
    "a worker killed": Disturber.kill_worker,
    "a gateway killed": Disturber.kill_gateway,
    "a node killed": Disturber.kill_node,
    "a worker paused": Disturber.pause_worker,
    "a gateway paused": Disturber.pause_gateway,
    "a node paused": Disturber.pause_node,
    "a member's links cut": Disturber.cut_member,
    "a node's routes cut": Disturber.cut_node,
}


async def disturbed(
    seed: int, folder: Path, programme: Programme, *, moves: int, names: Sequence[str] = (), size: Size = LARGE
) -> Evening:
    """Something is disturbed every so many moves on average, sometimes two things at once, until the programme is over
    and everything ended as it would have. `names`: of disturbances; none: all."""
    rng = random.Random(seed)
    evening, progress = Evening(), Progress()
    async with running_rig(folder, seed, size) as rig:
        try:
            async with AsyncExitStack() as stack:
                bots = await seat_bots(programme, rig.port, progress, stack)
                disturber = Disturber(rig, rng, evening, names or list(DISTURBANCES))
                async with asyncio.TaskGroup() as tasks:
                    tasks.create_task(play(bots, progress))
                    while await _goes_on(progress, rng.randrange(2 * moves) + 1):
                        count = rng.choice((1, 1, 2)) if size.nodes > 1 else 1
                        await asyncio.gather(*[disturber.something() for _ in range(count)])
            for member in (*rig.gateways, *rig.workers):
                assert await member.process.stop() == 0, f"{member.process.name} did not end well"
            recorded = await games_of(rig.nodes.urls, NAME, size.shards)
            if programme.holds_keys and size.nodes > 1:
                evening.forgotten = await _forgotten(rig, programme.seed, size.shards)
        except BaseException:
            print(rig.logs, flush=True)
            raise
    check(programme, bots, recorded)
    for bot in bots:
        for lost, back in bot.absences:
            evening.note_pause(lost, back)
    for died, ran in evening.deaths:
        waits = [after(died, moved) for table, moved in progress.acknowledged.items() if table % size.shards in ran]
        evening.waits += [wait for wait in waits if wait is not None]
    return evening


async def _forgotten(rig: Rig, seed: int, shards: int) -> float:
    """Seconds until the last trace of what the deals were made from is gone, which are all over.

    :raises AssertionError: it stays.
    """
    traces = secrets_of(seed, await records_of(rig.nodes.urls, NAME, shards))
    assert traces, "no game was played"
    rng = random.Random(seed)
    left = dict(rng.sample(sorted(traces.items()), min(MOST_SOUGHT, len(traces))))
    begun = time.monotonic()
    while True:
        stored = rig.nodes.stored
        left = {game: secret for game, secret in left.items() if secret in stored}
        lasted = time.monotonic() - begun
        if not left:
            return lasted
        assert lasted < FORGOTTEN_S, f"blind games can still be read, by table and number: {sorted(left)}"
        await asyncio.sleep(FORGOTTEN_LOOK_S)


async def _goes_on(progress: Progress, moves: int) -> bool:
    """Wait for so many moves, none of which may take long; False: the programme is over before."""
    goal = progress.moves + moves
    while progress.moves < goal:
        try:
            async with asyncio.timeout(STUCK_S):
                if not await progress.after(1):
                    return False
        except TimeoutError:
            raise AssertionError(f"no move in {STUCK_S} s") from None
    return True


def after(died: float, moved: Sequence[float]) -> float | None:
    """Seconds from a death to the next move that was made after it, if any: of those that came at once some were under
    way."""
    before = max([died, *[at for at in moved if at <= died + DEAF_S]])
    return next((at - died for at in moved if at > before), None)
