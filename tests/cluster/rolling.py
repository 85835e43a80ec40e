"""Evenings on a cluster that is upgraded in play: its workers and then its gateways are restarted one after another."""

import asyncio
import os
import random
import subprocess
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from put_runtime import exit_codes
from tests.cluster.archive import games_of, holders_of, shards_of
from tests.cluster.campaign import STUCK_S
from tests.cluster.nodes import Node
from tests.cluster.rig import NAME, Member, Rig, Size, running_rig
from tests.crashes.scripted_bots import Programme, Progress, check, play, seat_bots

REPOSITORY = Path(__file__).parents[2]

PACKAGES = ("protocol", "server", "client")

SIZE = Size(nodes=1, workers=2, gateways=2, shards=4)

Environment = Mapping[str, str] | None
"""In which members run, by its code; None: ours."""

LOOK_S = 0.1
"""Between two looks at who runs the shards."""

AFTER_S = 0.5
"""Watched after a restart: who was cut comes back."""


@dataclass
class Upgraded:
    """What was done, and what it cost."""

    upgrades: int = 0
    """Of the whole cluster."""
    pauses: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """By what was done, of every table that it concerned the longest time between two moves, in seconds."""


def checked_out(revision: str, folder: Path) -> Mapping[str, str]:
    """The code of another commit, in a folder; returns the environment in which it runs."""
    folder.mkdir()
    archive = folder / "archive.tar"
    words = ["git", "-C", str(REPOSITORY), "archive", "-o", str(archive), revision, *PACKAGES]
    subprocess.run(words, check=True)
    subprocess.run(["tar", "-xf", str(archive), "-C", str(folder)], check=True)
    return {**os.environ, "PYTHONPATH": os.pathsep.join(str(folder / package) for package in PACKAGES)}


async def rolled(
    seed: int,
    folder: Path,
    programme: Programme,
    *,
    moves: int,
    former: Environment = None,
    to: Sequence[Environment] = (None,),
    size: Size = SIZE,
) -> Upgraded:
    """The cluster is upgraded from one environment to each of the next, with about so many moves before each restart;
    then the programme goes on to its end, which is as if nothing had been. Of several NATS servers each is restarted,
    too, and that in two ways."""
    rng = random.Random(seed)
    evening, progress = Upgraded(), Progress()
    async with running_rig(folder, seed, size, former) as rig:
        try:
            async with AsyncExitStack() as stack:
                bots = await seat_bots(programme, rig.port, progress, stack)
                async with asyncio.TaskGroup() as tasks:
                    tasks.create_task(play(bots, progress))
                    begun = time.monotonic()
                    await _go_on(progress, 10 * moves)
                    _note(evening, "nothing restarted", progress, range(10**6), begun, time.monotonic())
                    for environment in to:
                        for member in (*rig.workers, *rig.gateways):
                            await _go_on(progress, rng.randrange(2 * moves) + 1)
                            await _restarted(rig, member, environment, progress, evening)
                        evening.upgrades += 1
                    for is_retired in (True, False) if size.nodes > 1 else ():
                        for node in rig.nodes.all:
                            await _go_on(progress, rng.randrange(2 * moves) + 1)
                            await _node_restarted(node, progress, evening, is_retired=is_retired)
            for member in (*rig.gateways, *rig.workers):
                assert await member.process.stop() == 0, f"{member.process.name} did not end well"
            recorded = await games_of(rig.nodes.urls, NAME, size.shards)
        except BaseException:
            print(rig.logs, flush=True)
            raise
    check(programme, bots, recorded)
    return evening


async def _go_on(progress: Progress, moves: int) -> None:
    async with asyncio.timeout(STUCK_S):
        assert await progress.after(moves), "the programme is too short to be upgraded in"


async def _restarted(rig: Rig, member: Member, environment: Environment, progress: Progress, evening: Upgraded) -> None:
    """One process ends in good order and begins again with other code, and everything is as before."""
    urls, process = rig.nodes.urls, member.process
    is_worker = member in rig.workers
    ran = await shards_of(urls, NAME, process.pid) if is_worker else frozenset()
    begun = time.monotonic()
    # A worker that finds a later format has given its shards away, and ended, by itself.
    assert await process.stop() in ((0, exit_codes.CONFIG) if is_worker else (0,)), f"{process.name} did not end well"
    process.environment = environment
    await process.start()
    if is_worker:
        ran |= await _settled(urls, process.pid, len(rig.workers))
    await asyncio.sleep(AFTER_S)
    shards = len(await holders_of(urls, NAME))
    tables = [table for table in progress.acknowledged if not is_worker or table % shards in ran]
    _note(evening, f"a {'worker' if is_worker else 'gateway'} restarted", progress, tables, begun, time.monotonic())


async def _node_restarted(node: Node, progress: Progress, evening: Upgraded, *, is_retired: bool) -> None:
    """One NATS server ends, begins again and has caught up with the others. `is_retired`: it ends as a lame duck."""
    begun = time.monotonic()
    if is_retired:
        await node.retire()
    else:
        await node.stop()
    await node.start()
    await node.current()
    await asyncio.sleep(AFTER_S)
    what = f"a NATS server restarted by {'SIGUSR2' if is_retired else 'SIGTERM'}"
    _note(evening, what, progress, progress.acknowledged, begun, time.monotonic())


async def _settled(urls: Sequence[str], pid: int, workers: int) -> frozenset[int]:
    """The shards that a worker has got, once it has its share."""
    async with asyncio.timeout(STUCK_S):
        while True:
            holders = await holders_of(urls, NAME)
            ours = frozenset(shard for shard, holder in enumerate(holders) if f"-{pid}-" in holder)
            if len(ours) >= len(holders) // workers:
                return ours
            await asyncio.sleep(LOOK_S)


def _note(evening: Upgraded, what: str, progress: Progress, tables: Iterable[int], begun: float, ended: float) -> None:
    """Of these tables the longest time between two moves that was in part in this time."""
    for table, moved in progress.acknowledged.items():
        gaps = [later - earlier for earlier, later in pairwise(moved) if later >= begun and earlier <= ended]
        if gaps and table in tables:
            evening.pauses[what].append(max(gaps))
