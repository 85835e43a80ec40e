"""Abuse: honest players on a real server, and each attack in turns with calm.

All of 127.0.0.0/8 is this machine: honest players, newcomers and attackers have addresses of their own there, and the
server treats them like any; a proxy that it believes names IPv6 addresses. Every attack has a server of its own. Calm
and attack take turns in one run, so that what else this machine does falls on both. In the calm the attacker's process
only counts, which takes its part of the machine and leaves the server alone.

How busy the server's loop is, the system says: the processor time of its thread. That depends on nobody else.
"""

import asyncio
import re
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from statistics import median
from typing import NamedTuple

from put_protocol.messages import Ok, OpenTable
from put_server.transport.peer_log import LINES_A_MINUTE
from tests.abuse.attacks import ATTACKS, PASSWORD, READY, Attack, get
from tests.abuse.honest import PATIENCE, PROXY, Address, Evening, Line, Visit, came_in, percentile

TABLES = 20
ROUNDS = 3
CALM_SECONDS = 1.5
SETTLE_SECONDS = 0.5
"""From the end of an attack to the calm."""

OWNERS = "127.9.0.1"
"""The one address that is exempt: from there the tables of a crowded lobby are opened."""

KINDS = 5
"""Of lines about peers: arrived, returned, left, refused, and those left out."""


FAULTS = re.compile(rb"ERROR|CRITICAL|Traceback", re.MULTILINE)
"""What no peer may make the server log."""


class Bound(NamedTuple):
    """The most that a figure may be during an attack: so much, or so many times what it was in the calm, or so much
    more than it was."""

    most: float = 0.0
    times: float = 0.0
    more: float = 0.0
    digits: int = 0
    """Behind the point, in the table."""
    is_time: bool = False
    """A busy machine makes it greater."""

    def holds(self, calm: float, attack: float) -> bool:
        return attack <= max(self.most, self.times * calm, calm + self.more)


BOUNDS: Mapping[str, Bound] = {
    "p50, ms": Bound(most=30, times=2, is_time=True),
    "p99, ms": Bound(most=60, times=2, is_time=True),
    "p99 after, ms": Bound(most=60, times=3, is_time=True),
    "loop, %": Bound(most=100),
    "starved, %": Bound(most=100),
    "attack, %": Bound(most=40),
    "welcome, s": Bound(most=1, times=3, digits=2, is_time=True),
    "table, s": Bound(most=1, times=3, digits=2, is_time=True),
    "position, s": Bound(most=2, times=3, digits=2, is_time=True),
    "back, s": Bound(most=1, times=3, digits=2, is_time=True),
    "memory, MB": Bound(more=30),
    "log, lines": Bound(more=KINDS * LINES_A_MINUTE + 20),
    "log, kB": Bound(more=100),
    "errors": Bound(),
    "lost": Bound(),
}
"""Of each figure: how long honest moves take, and how long in the calm after an attack, against the calm before any;
how busy the loop is, for how much of the time it waits for a processor, which is no doing of the server's, and what
part of the time the attack takes; how long a newcomer waits to be let in, then to sit at a table of their own, then for
a position to practise on, and a player to be back in their seat, all at worst; memory of the server and its children
that no other process shares; its log, and errors in it; honest connections that ended."""

MOST_STARVED = 40.0
"""Part of the time, in hundredths, that the loop may wait for a processor where waits of people are judged."""

HEADER = f"{'attack':<33}" + "".join(f"{name:>14}" for name in BOUNDS)


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one attack."""

    name: str
    figures: Mapping[str, tuple[float, float]]
    """In the calm, and during the attack, by the names of `BOUNDS`."""
    got: tuple[str, ...]
    """What it got that it never may get."""

    @property
    def faults(self) -> list[str]:
        """What should not be. Times are not judged while others take the server's processor."""
        broken = [name for name, pair in self.figures.items() if not BOUNDS[name].holds(*pair)]
        return [name for name in broken if not (BOUNDS[name].is_time and self.is_starved)] + list(self.got)

    @property
    def is_starved(self) -> bool:
        """The machine was too busy with other things."""
        return max(self.figures["starved, %"]) > MOST_STARVED

    def __str__(self) -> str:
        shown = [(pair, BOUNDS[name].digits) for name, pair in self.figures.items()]
        cells = [f"{f'{calm:.{digits}f}/{attack:.{digits}f}':>14}" for (calm, attack), digits in shown]
        return f"{self.name:<33}{''.join(cells)}  {'; '.join(self.faults)}{' (busy)' if self.is_starved else ''}"


@dataclass(slots=True)
class Phases:
    """What was measured in the calm, or during an attack, over all rounds."""

    moves: list[list[float]] = field(default_factory=list)
    """Seconds, one by one, by round."""
    paces: list[float] = field(default_factory=list)
    """Moves a second, by round."""
    loops: list[float] = field(default_factory=list)
    """The part of the time that the server's loop was busy, by round."""
    starved: list[float] = field(default_factory=list)
    """The part of it that the loop waited for a processor of this machine."""
    visits: list[Visit] = field(default_factory=list)
    backs: list[float] = field(default_factory=list)


@asynccontextmanager
async def real_server(data: Path, *arguments: str) -> AsyncIterator[tuple[Address, int, Path]]:
    """A server process: its address, its process id, and its log."""
    log = data / "log"
    with log.open("wb") as errors:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "put_server", "--host", "127.0.0.1", "--port", "0", "--data", str(data)),
            *("--no-announce", "--proxies", PROXY, *arguments),
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


def own_megabytes(process: int) -> float:
    """Memory of a process and its children that they share with no other."""
    text = Path(f"/proc/{process}/smaps_rollup").read_text("ascii")
    own = sum(map(int, re.findall(r"^Private_\w+: +(\d+) kB", text, re.MULTILINE))) * 1024 / 1e6
    for child in Path(f"/proc/{process}/task/{process}/children").read_text("ascii").split():
        with suppress(OSError):  # it ended meanwhile
            own += own_megabytes(int(child))
    return own


def loop_seconds(process: int) -> tuple[float, float]:
    """For which a process's first thread, which runs the loop, has had a processor, and waited for one."""
    had, waited, _ = Path(f"/proc/{process}/schedstat").read_text("ascii").split()
    return int(had) / 1e9, int(waited) / 1e9


async def _crowd(server: Address, tables: int) -> list[Line]:
    """Open tables where nobody sits, by people who are exempt."""
    owners: list[Line] = []
    for place in range(0, tables, 55):
        owner = await Line.connect(server, OWNERS)
        await owner.hello(f"Owner {place}")
        owners.append(owner)
        for _ in range(min(55, tables - place)):
            answer = await owner.ask(lambda number: OpenTable(number, "put-1674"))
            assert isinstance(answer, Ok), answer
    return owners


class Assault:
    """The process of an attack, which rests at first."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.got: dict[str, None] = {}

    @classmethod
    @asynccontextmanager
    async def ready(cls, name: str, server: Address) -> AsyncIterator["Assault"]:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.abuse.attacks", name, str(server[1])),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            assault = cls(process)
            await assault._until(READY)
            yield assault
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()

    async def turn_to(self, word: str) -> None:
        """To `attack`, or to `rest`."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{word}\n".encode())
        await self._until(word)

    async def _until(self, word: str) -> None:
        assert self._process.stdout is not None
        async with asyncio.timeout(30):
            while (said := (await self._process.stdout.readline()).decode().strip()) != word:
                assert said, f"the attacking process ended before it said {word}"
                self.got[said] = None


class Campaign:
    """One attack on one server."""

    def __init__(self, server: Address, process: int, log: Path, *, studies: bool) -> None:
        """`studies`: newcomers ask for a position to practise on, too."""
        self._studies = studies
        self._server = server
        self._process = process
        self._log = log
        self._evening = Evening(server)
        self._visitors = 0
        self._sitter: Line | None = None

    async def run(self, name: str, attack: Attack, *, seed: int, tables: int, rounds: int, scale: float) -> Result:
        crowd = await _crowd(self._server, attack.tables)
        calm, busy = Phases(), Phases()
        try:
            await self._evening.begin(tables, seed=seed)
            await self._sit_down()
            await self._load_http()
            async with Assault.ready(name, self._server) as assault:
                await self._phase(Phases(), CALM_SECONDS * scale)  # whatever is loaded once is loaded now
                memory, (lines, size, _) = own_megabytes(self._process), self._logged()
                for _ in range(rounds):
                    await self._phase(calm, CALM_SECONDS * scale)
                    await assault.turn_to("attack")
                    await self._phase(busy, attack.seconds * scale, cuts=True)
                    await assault.turn_to("rest")
                    await asyncio.sleep(SETTLE_SECONDS * scale)
                await self._phase(Phases(), CALM_SECONDS * scale)
            lines_after, size_after, errors = self._logged()
            figures = {
                **_paired(calm, busy),
                "memory, MB": (memory, own_megabytes(self._process)),
                "log, lines": (lines, lines_after),
                "log, kB": (size, size_after),
                "errors": (0.0, errors),
                "lost": (0.0, self._evening.lost),
            }
            return Result(name, {column: figures[column] for column in BOUNDS}, tuple(assault.got))
        finally:
            for line in crowd:
                line.cut()
            await self._evening.end()

    async def _sit_down(self) -> None:
        """A player who will be cut off and come back. Nobody else can sit at their table."""
        self._sitter = await Line.connect(self._server, "127.200.0.1")
        await self._sitter.hello("Returning")
        assert await self._sitter.opened(passcode=PASSWORD)

    async def _load_http(self) -> None:
        """Ask for the page once: what a server keeps of it from then on is no doing of an attack."""
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection(*self._server, local_addr=(OWNERS, 0))
            writer.write(get("/"))
            await reader.readuntil(b"</html>")
        writer.transport.abort()

    async def _phase(self, into: Phases, seconds: float, *, cuts: bool = False) -> None:
        """Measure for so long; a newcomer comes meanwhile, and where it `cuts`, a player is cut off and comes back."""
        self._evening.times.clear()
        begun, (work, waited) = time.perf_counter(), loop_seconds(self._process)
        async with asyncio.TaskGroup() as tasks:
            visit = tasks.create_task(self._visited(seconds / 4))
            back = tasks.create_task(self._came_back(seconds / 3)) if cuts else None
            await asyncio.sleep(seconds)
            moves, took = list(self._evening.times), time.perf_counter() - begun
            had, wait = loop_seconds(self._process)
            into.loops.append((had - work) / took)
            into.starved.append((wait - waited) / took)
            into.paces.append(len(moves) / took)
            into.moves.append(moves)
        into.visits.append(visit.result())
        into.backs.append(into.visits[-1].welcome if back is None else back.result())

    async def _visited(self, after: float) -> Visit:
        await asyncio.sleep(after)
        self._visitors += 1
        address, name = f"127.201.{self._visitors}.1", f"Newcomer {self._visitors}"
        return await Visit.made(self._server, address, name, studies=self._studies)

    async def _came_back(self, after: float) -> float:
        await asyncio.sleep(after)
        assert self._sitter is not None
        token = self._sitter.token
        self._sitter.cut()
        try:
            self._sitter, seconds = await came_in(self._server, "127.200.0.1", token=token)
        except TimeoutError:
            return PATIENCE
        return seconds

    def _logged(self) -> tuple[int, float, int]:
        """Lines, kilobytes, and errors."""
        text = self._log.read_bytes()
        return text.count(b"\n"), len(text) / 1000, len(FAULTS.findall(text))


def _paired(calm: Phases, busy: Phases) -> dict[str, tuple[float, float]]:
    """The figures of both. An attack's share of the loop is what its time exceeds that of the moves made meanwhile. A
    wait in the calm is the shortest: what an attack leaves behind excuses no attack."""
    rounds = zip(calm.loops, calm.paces, busy.loops, busy.paces, strict=True)
    share = median(during - before * pace / (usual or 1) for before, usual, during, pace in rounds)
    first, later = calm.moves[0], list(chain(*calm.moves[1:]))
    calms, hits = [*first, *later], list(chain(*busy.moves))

    def waits(of: str) -> tuple[float, float]:
        return min(getattr(visit, of) for visit in calm.visits), max(getattr(visit, of) for visit in busy.visits)

    return {
        "p50, ms": (percentile(calms, 0.5), percentile(hits, 0.5)),
        "p99, ms": (percentile(calms, 0.99), percentile(hits, 0.99)),
        "p99 after, ms": (percentile(first, 0.99), percentile(later, 0.99)),
        "loop, %": (100 * median(calm.loops), 100 * median(busy.loops)),
        "starved, %": (100 * median(calm.starved), 100 * median(busy.starved)),
        "attack, %": (0.0, 100 * share),
        "welcome, s": waits("welcome"),
        "table, s": waits("table"),
        "position, s": waits("study"),
        "back, s": (min(calm.backs), max(busy.backs)),
    }


async def measure(
    name: str,
    seed: int,
    data: Path,
    *,
    tables: int = TABLES,
    rounds: int = ROUNDS,
    scale: float = 1.0,
    studies: bool = True,
) -> Result:
    """One attack on a server of its own."""
    attack = ATTACKS[name]
    Line.password = PASSWORD if "--password" in attack.settings else ""
    try:
        async with real_server(data, "--exempt", OWNERS, *attack.settings) as (server, process, log):
            campaign = Campaign(server, process, log, studies=studies)
            return await campaign.run(name, attack, seed=seed, tables=tables, rounds=rounds, scale=scale)
    finally:
        Line.password = ""


def campaign(seed: int, names: Iterable[str] = tuple(ATTACKS)) -> list[Result]:
    """Every attack, each on a server of its own; prints a line for each."""
    print(HEADER, flush=True)
    results = []
    for name in names:
        with tempfile.TemporaryDirectory(prefix="put-abuse-") as data:
            result = asyncio.run(measure(name, seed, Path(data)))
        print(result, flush=True)
        results.append(result)
    return results


if __name__ == "__main__":
    found = campaign(1674, sys.argv[1:] or tuple(ATTACKS))
    sys.exit(any(result.faults for result in found))
