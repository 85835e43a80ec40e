"""Abuse: twenty tables of honest bots on a real server, and each attack in turn.

A table of figures says how long moves took before and during an attack, what memory it cost, and how soon a player came
back to their seat and a newcomer in. All of 127.0.0.0/8 is this machine; the server exempts 127.0.0.1 alone, so honest
bots and attackers from other addresses of it are treated like any.

An attack takes processor time of this machine besides that of the server. So that this is not taken for the server's
fault, a process that only counts runs while the moves before the attack are measured.
"""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Coroutine, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from put_protocol.messages import Ok, OpenTable, Sit
from put_server.transport.peer_log import LINES_A_MINUTE
from tests.abuse.attacks import ATTACKS, PASSWORD, READY
from tests.abuse.honest import Address, Evening, Line, came_in, percentile

Came = tuple[Line | None, float]

TABLES = 20
CROWDED = frozenset({"looks", "looks, sixteen", "lookers hang up", "resume with sixty looks"})
"""Attacks that look at the lobby: it has 960 tables."""
IDLE_TABLES = 940

BEFORE_SECONDS = 3.0
DURING_SECONDS = 8.0
CALM_SECONDS = 2.0
"""After an attack, before memory is looked at."""

MOST_MS = 60.0
MOST_TIMES = 2.0
MOST_MB = 64.0

KINDS = 5
"""Of lines about peers: arrived, returned, left, refused, and those left out."""

MOST_LINES = KINDS * LINES_A_MINUTE + 20
"""Of the log, with those of a start and of slow readers."""

HEADER = "{:<26}{:>16}{:>16}{:>10}{:>11}{:>10}{:>7}{:>7}{:>6}".format(
    "attack", "before p50/p99", "during p50/p99", "server %", "moves/s", "MB", "back", "new", "log"
)


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one attack."""

    name: str
    before: tuple[float, float]
    """Half of the moves took no longer, and 99 of 100, in milliseconds."""
    during: tuple[float, float]
    work: tuple[float, float]
    """Of a second that the server's processor time takes, before and during: it does not depend on who else is busy on
    this machine."""
    pace: tuple[float, float]
    """Moves a second, before and during."""
    megabytes: tuple[float, float]
    """Of the server, before and after."""
    back: float | None
    """Seconds until a player was back in their seat; None: never."""
    new: float | None
    """Seconds until a newcomer was in."""
    lost: int
    """Honest connections that ended."""
    log_lines: int

    @property
    def faults(self) -> list[str]:
        """What should not be."""
        found = []
        if self.during[1] > max(MOST_TIMES * self.before[1], MOST_MS):
            found.append("slow")
        if self.megabytes[1] - self.megabytes[0] > MOST_MB:
            found.append("memory")
        if self.back is None:
            found.append("no return")
        if self.new is None:
            found.append("no newcomer")
        if self.lost:
            found.append(f"{self.lost} honest connections lost")
        if self.log_lines > MOST_LINES:
            found.append("log")
        return found

    def __str__(self) -> str:
        pairs = [f"{one:.1f}/{other:.1f}" for one, other in (self.before, self.during)]
        work = f"{100 * self.work[0]:.0f}/{100 * self.work[1]:.0f}"
        pace, memory = f"{self.pace[0]:.0f}/{self.pace[1]:.0f}", f"{self.megabytes[0]:.0f}/{self.megabytes[1]:.0f}"
        times = ["never" if taken is None else f"{taken:.2f}" for taken in (self.back, self.new)]
        return (
            f"{self.name:<26}{pairs[0]:>16}{pairs[1]:>16}{work:>10}{pace:>11}{memory:>10}{times[0]:>7}{times[1]:>7}"
            f"{self.log_lines:>6}  {', '.join(self.faults)}"
        )


@asynccontextmanager
async def real_server(data: Path, *arguments: str) -> AsyncIterator[tuple[Address, int, Path]]:
    """A server process: its address, its process id, and its log."""
    log = data / "log"
    with log.open("wb") as errors:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "put_server", "--host", "127.0.0.1", "--port", "0", "--data", str(data)),
            *arguments,
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
        )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(30):
            line = (await process.stdout.readline()).decode()
        port = int(line.rpartition(":")[2])
        yield ("127.0.0.1", port), process.pid, log
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def resident_megabytes(process: int) -> float:
    text = Path(f"/proc/{process}/statm").read_text("ascii")
    return int(text.split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def processor_seconds(process: int) -> float:
    """That it has taken since its start, the system's share included."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _crowd(server: Address, tables: int) -> list[Line]:
    """Open tables where nobody sits, by people who are exempt."""
    owners: list[Line] = []
    for place in range(0, tables, 55):
        owner = await Line.connect(server, "127.0.0.1")
        await owner.hello(f"Owner {place}")
        owners.append(owner)
        for _ in range(min(55, tables - place)):
            answer = await owner.ask(lambda number: OpenTable(number, "put-1674"))
            assert isinstance(answer, Ok), answer
    return owners


async def measure(
    name: str, seed: int, data: Path, *, before: float, during: float, calm: float, tables: int = TABLES
) -> Result:
    """One attack on a server of its own."""
    password = ("--password", PASSWORD) if name == "password" else ()
    async with real_server(data, *password) as (server, pid, log):
        if password:
            Line.password = PASSWORD
        evening = Evening(server)
        try:
            crowd = await _crowd(server, IDLE_TABLES) if name in CROWDED else []
            await evening.begin(tables, seed=seed)
            sitter = await Line.connect(server, "127.0.0.200")
            await sitter.hello("Returning")
            opened = await sitter.ask(lambda number: OpenTable(number, "put-1674", passcode=PASSWORD))
            assert isinstance(opened, Ok)
            await sitter.ask(lambda number: Sit(number, opened.table or 0))
            await asyncio.sleep(0.5)
            async with _rival("count", server, before):
                calm_times, pace_before, work_before = await _times(evening, pid, before)
            memory = resident_megabytes(pid)
            async with _rival(name, server, during):
                await asyncio.sleep(during / 8)
                sitter.cut()
                coming = asyncio.gather(
                    _later(during / 4, came_in(server, "127.0.0.200", token=sitter.token)),
                    _later(during / 4, came_in(server, "127.0.0.201", name="Newcomer")),
                )
                busy_times, pace_during, work_during = await _times(evening, pid, during - during / 8 - 0.2)
                (returned, back), (newcomer, new) = await coming
            await asyncio.sleep(calm)
            result = Result(
                name,
                (percentile(calm_times, 0.5), percentile(calm_times, 0.99)),
                (percentile(busy_times, 0.5), percentile(busy_times, 0.99)),
                (work_before, work_during),
                (pace_before, pace_during),
                (memory, resident_megabytes(pid)),
                None if returned is None else back,
                None if newcomer is None else new,
                evening.lost,
                log.read_bytes().count(b"\n"),
            )
            for line in (returned, newcomer, *crowd):
                if line is not None:
                    line.cut()
            return result
        finally:
            Line.password = ""
            await evening.end()


@asynccontextmanager
async def _rival(name: str, server: Address, seconds: float) -> AsyncIterator[None]:
    """An attack, in a process of its own, from when it begins."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.abuse.attacks", name, str(server[1]), str(seconds)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(30):
            assert (await process.stdout.readline()).decode().strip() == READY
        yield
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def _later(seconds: float, doing: Coroutine[Any, Any, Came]) -> Came:
    await asyncio.sleep(seconds)
    return await doing


async def _times(evening: Evening, process: int, seconds: float) -> tuple[list[float], float, float]:
    """Of the moves that are answered from now on, for so long; how many there were a second, and how much of it the
    server took."""
    evening.times.clear()
    begun, work = time.perf_counter(), processor_seconds(process)
    await asyncio.sleep(seconds)
    times, took = list(evening.times), time.perf_counter() - begun
    return times, len(times) / took, (processor_seconds(process) - work) / took


def campaign(seed: int, names: Iterable[str] = tuple(ATTACKS), *, scale: float = 1.0) -> list[Result]:
    """Every attack, each on a server of its own; prints a line for each."""
    print(HEADER, flush=True)
    results = []
    for name in names:
        with tempfile.TemporaryDirectory(prefix="put-abuse-") as data:
            result = asyncio.run(
                measure(
                    name,
                    seed,
                    Path(data),
                    before=BEFORE_SECONDS * scale,
                    during=DURING_SECONDS * scale,
                    calm=CALM_SECONDS * scale,
                )
            )
        print(result, flush=True)
        results.append(result)
    return results


if __name__ == "__main__":
    found = campaign(1674, sys.argv[1:] or tuple(ATTACKS))
    sys.exit(any(result.faults for result in found))
