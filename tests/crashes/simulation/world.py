"""One server with its journal over a simulated disk, in one process and one thread, with bots that play; and what
happens to it."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Self
from unittest.mock import patch

from put_server.app import DiskFailed, Server
from put_server.journal import journal
from put_server.journal.commit_queue import Batch
from put_server.journal.journal import ERASE_S, IDLE_CHECK_S, Journal
from put_server.journal.journal_errors import JournalError
from put_server.journal.journal_reader import ChanceColumns, RecordRow
from put_server.journal.records import encode
from put_server.settings import Settings
from tests.cluster.simulation.evening import (
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
from tests.crashes.campaigns import secrets_left
from tests.crashes.simulation.disk import Disk, simulated

PORT = 4_000

ENDED_S = 60.0
"""Longest time in which a server ends in good order."""

RECORDS = 40
"""Records after which a checkpoint is made: an evening has some hundreds."""

SLOW_S = 10.0
"""Longest time that a slow disk and a restart take."""

DAY_S = 86_400.0


class _DiskThread:
    """Takes the place of the thread on which a journal waits for its disk. A job is done at one moment, and begins and
    is known to be done at others: a process that ends in between ends at some call of the job."""

    def __init__(self, disk: Disk, **_: Any) -> None:
        self._disk = disk
        self._process = current()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...

    def submit(self, work: Callable[[], Any]) -> Future[Any]:
        job: Future[Any] = Future()
        asyncio.get_running_loop().call_later(self._disk.delay(), self._work, work, job)
        return job

    def _work(self, work: Callable[[], Any], job: Future[Any]) -> None:
        if self._process.is_dead:
            return
        self._disk.at_work_since = len(self._disk.steps)
        result, failed = None, None
        try:
            result = work()
        except Exception as error:  # noqa: BLE001  # it comes back, as from a thread
            failed = error
        asyncio.get_running_loop().call_later(self._disk.delay(), self._end, job, result, failed)

    def _end(self, job: Future[Any], result: Any, failed: Exception | None) -> None:
        if self._process.is_dead:
            return
        self._disk.at_work_since = None
        job.set_result(result) if failed is None else job.set_exception(failed)


class ServerWorld(Evening):
    def __init__(self, loop: VirtualLoop, plan: EveningPlan, root: Path) -> None:
        super().__init__(loop, plan)
        self.plan = plan
        self.disk = Disk(root, Random(f"{plan.seed} disk"))
        self.process = Process("server")
        self.is_busy = False
        """Something is being done to the server."""
        self.records: dict[int, RecordRow] = {}
        """Every record that was written, by number, without what a disk lost."""
        self.chances: dict[tuple[int, int], ChanceColumns] = {}
        """By number and table."""
        self.acknowledged = 0
        """The last record of which a journal said that it is kept."""
        self.brought_back: list[tuple[int, bytes]] = []
        """Lobbies with which a life began, after the record of that number."""
        self.traces: list[tuple[int, int]] = []
        """Blind games that could be read a minute after the last, by table and number."""
        self.passcode_key = b""
        self.wall_ahead = 0.0
        """Seconds by which the wall clock is ahead."""
        self._life: asyncio.Task[None]
        self._main: asyncio.Task[None] | None = None
        self._broken: BaseException | None = None
        """What ended a life that should have gone on."""
        self._stop = asyncio.Event()
        self._old: list[asyncio.Task[None]] = []
        self._lives = 0

    def settings(self) -> Settings:
        return Settings(
            host="127.0.0.1",
            port=PORT,
            data=str(self.disk.folder),
            seed=self.plan.programme.seed,
            tls="off",
            web="no",
            announce="no",
            exempt="127.0.0.1",
            keep_exhibitions="yes",
            drain_seconds=0,
        )

    # The life of the process

    def begin(self) -> None:
        """Start a server on what the disk has."""
        self._lives += 1
        self.process = Process(f"server-{self._lives}", ahead=self.rng.uniform(0, 1e6))
        self._stop = asyncio.Event()
        self._life = self.loop.create_task(self._live(self._stop), context=self.process.context)
        self._life.add_done_callback(self._note_end)

    def _note_end(self, life: "asyncio.Task[None]") -> None:
        if life is self._life and not life.cancelled() and (error := life.exception()) is not None:
            self._broken = error
            assert self._main is not None
            self._main.cancel()

    async def _live(self, stop: asyncio.Event) -> None:
        """Serve, and serve again where the disk failed, as systemd has it."""
        while not stop.is_set():
            self.disk.refused = ""
            try:
                await self._serve(stop)
            except (DiskFailed, JournalError) as error:
                if current().is_dead:
                    return
                if not self.disk.refused:
                    raise Violation(f"the server ended on a sound disk: {error}") from error
                if self.disk.refused == "sync" and self.rng.random() < 0.5:
                    self.disk.fail()  # the system has dropped what it could not write
            await asyncio.sleep(1.0)

    async def _serve(self, stop: asyncio.Event) -> None:
        server = Server(self.settings(), thinks=False)
        try:
            await server.listen()
        except BaseException:
            assert server.journal is not None
            server.journal.close()
            raise

        async def end() -> None:
            await stop.wait()
            server.drain()

        ending = asyncio.create_task(end())
        try:
            await server.run()
        finally:
            ending.cancel()

    def kill(self) -> None:
        self.process.is_dead = True
        self.loop.owners.pop(PORT, None)
        self._life.cancel()
        self._old.append(self._life)

    async def stop(self) -> None:
        """End the server in good order.

        :raises Violation: it does not end.
        """
        self._stop.set()
        done, _ = await asyncio.wait([self._life], timeout=ENDED_S)
        if not done:
            raise Violation("the server does not end")
        self._life.result()

    # What it did

    def note_written(self, batch: Batch) -> None:
        self.records.update({row[0]: row for row in batch.records})
        for change in batch.changes:
            if isinstance(change, tuple):  # a checkpoint numbers those that it keeps anew
                self.chances.setdefault(change[:2], change)

    def note_acknowledged(self, batch: Batch) -> None:
        if batch.records and not current().is_dead:
            self.acknowledged = max(self.acknowledged, batch.records[-1][0])

    def note_brought_back(self, server: Server) -> None:
        """
        :raises Violation: something that was acknowledged is lost.
        """
        kept = server.journal
        assert kept is not None
        self.passcode_key = kept.passcode_key
        if kept.number < self.acknowledged:
            raise Violation(f"record {self.acknowledged} was acknowledged, and the journal ends with {kept.number}")
        self.records = {number: row for number, row in self.records.items() if number <= kept.number}
        self.chances = {place: row for place, row in self.chances.items() if place[0] <= kept.number}
        self.brought_back.append((kept.number, encode(server.dispatcher.lobby.checkpoint())))

    # The evening

    async def last(self) -> None:
        self._main = asyncio.current_task()
        try:
            self.begin()
            await played(self, PORT)
            await self.stop()
        except asyncio.CancelledError:
            raise self._broken or Violation("the evening was cancelled") from None

    async def settled(self) -> None:
        """Wait until what blind games were made from is to be gone."""
        if self.plan.programme.holds_keys:
            await asyncio.sleep(ERASE_S + IDLE_CHECK_S + SLOW_S)
            self.traces = secrets_left(self.plan.programme.seed, self.disk.folder)

    def standstill(self) -> str:
        return f"the server {'listens' if PORT in self.loop.owners else 'does not listen'}"

    def processes(self) -> list[Process]:
        return [self.process]

    def fault(self, name: str) -> Callable[[Random], Awaitable[None]]:
        return partial(FAULTS[name], self)

    @contextmanager
    def patched(self) -> Iterator[None]:
        def write(file: Any, batch: Batch) -> None:
            self.note_written(batch)
            own_write(file, batch)

        def call_back(own: Journal, batch: Batch) -> None:
            self.note_acknowledged(batch)
            own_call_back(own, batch)

        def bring_back(own: Server, kept: Journal) -> None:
            own_bring_back(own, kept)
            self.note_brought_back(own)

        own_call_back, own_bring_back = Journal._call_back, Server._bring_back
        own_write = vars(journal)["write"]  # a mutation, it may be
        with (
            simulated(self.disk),
            patch.object(journal, "write", write),
            patch.object(journal, "ThreadPoolExecutor", partial(_DiskThread, self.disk)),
            patch.object(Journal, "_call_back", call_back),
            patch.object(Server, "_bring_back", bring_back),
            patch.object(Server, "_open_admin_socket", lambda _: None),
            patch.object(Journal, "most_records", RECORDS),
            patch.object(time, "time_ns", lambda: int((self.loop.time() + self.wall_ahead) * 1e9)),
        ):
            yield


Fault = Callable[[ServerWorld, Random], Awaitable[None]]


@contextmanager
def _alone(world: ServerWorld) -> Iterator[bool]:
    """One thing at a time is done to the process; False: something is."""
    if world.is_busy:
        yield False
        return
    world.is_busy = True
    try:
        yield True
    finally:
        world.is_busy = False


async def _killed(world: ServerWorld, rng: Random) -> None:
    with _alone(world) as is_free:
        if is_free:
            world.kill()
            world.disk.kill()
            await some_time(rng)
            world.begin()


async def _power(world: ServerWorld, rng: Random) -> None:
    with _alone(world) as is_free:
        if is_free:
            world.kill()
            world.disk.fail()
            await some_time(rng)
            world.begin()


async def _stopped(world: ServerWorld, rng: Random) -> None:
    with _alone(world) as is_free:
        if is_free:
            await world.stop()
            await some_time(rng)
            world.begin()


async def _paused(world: ServerWorld, rng: Random) -> None:
    with _alone(world) as is_free:
        if is_free:
            process = world.process
            world.loop.pause(process)
            await some_time(rng, 30.0)
            world.loop.resume(process)
            await asyncio.sleep(0.1)


async def _clock(world: ServerWorld, rng: Random) -> None:
    """The wall clock is set, by a day at most."""
    world.wall_ahead += rng.choice((rng.uniform(-5.0, 5.0), rng.uniform(-DAY_S, DAY_S)))
    await asyncio.sleep(0)


FAULTS: Mapping[str, Fault] = {
    "server killed": _killed,
    "power fails": _power,
    "server stopped": _stopped,
    "server paused": _paused,
    "disk full": degraded("disk", "is_full", True),
    "disk cannot sync": degraded("disk", "fails_to_sync", True),
    "disk slow": degraded("disk", "slowness", 50.0),
    "clock set": _clock,
    "players hang up": hang_up,
    "a player stalls": stall,
}
