"""Harness of the benches: processes under measurement, and the report.

The server and the echo share the first core, because only one of them works at a time. The load, which is this
process, has the last core.
"""

import json
import os
import re
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from put_runtime.child_process import listening

ROOT = Path(__file__).resolve().parents[2]

K = TypeVar("K")
T = TypeVar("T")

_TICKS = os.sysconf("SC_CLK_TCK")
_CORES = sorted(os.sched_getaffinity(0))
CORE_MEASURED, CORE_LOAD = _CORES[0], _CORES[-1]


COLLECTING = """
import ctypes, gc, signal
from put_server.cli import main

def collect(*_):
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)

signal.signal(signal.SIGUSR1, collect)
main()
"""
"""The server, which also collects its garbage on SIGUSR1, so that garbage does not count as memory in use."""


class Process:
    def __init__(self, popen: subprocess.Popen[str], port: int) -> None:
        self._popen = popen
        self.pid = popen.pid
        self.port = port

    def private_bytes(self) -> int:
        rollup = Path(f"/proc/{self.pid}/smaps_rollup").read_text()
        return sum(1024 * int(size) for size in re.findall(r"^Private_\w+:\s+(\d+) kB", rollup, re.MULTILINE))

    def collect(self) -> None:
        """Collect its garbage; only for a server started with `collects`."""
        os.kill(self.pid, signal.SIGUSR1)
        time.sleep(0.5)

    def kill(self) -> None:
        self._popen.kill()
        self._popen.wait()


def processor_seconds(pid: int) -> float:
    after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / _TICKS


@contextmanager
def server(*, data: str = ":memory:", collects: bool = False) -> Iterator[Process]:
    program = ["-c", COLLECTING] if collects else ["-m", "put_server"]
    flags = ["--host", "127.0.0.1", "--port", "0", "--drain-seconds", "0", "--log-level", "warning"]
    flags += ["--exempt", "127.0.0.1"]  # from where thousands come
    flags += ["--at-eof", "stop"]  # should this program be killed, the server's input ends
    with running([*program, *flags, "--data", data]) as process:
        yield process


def echo() -> AbstractContextManager[Process]:
    return running(["-m", "scripts.benches.echo"])


@contextmanager
def running(arguments: Sequence[str]) -> Iterator[Process]:
    """A Python program that listens, on the measured core."""
    with ExitStack() as stack:
        with on_cores(CORE_MEASURED):
            popen, port = stack.enter_context(
                listening([sys.executable, *arguments], stdin=subprocess.PIPE, environment=environment(), folder=ROOT)
            )
        yield Process(popen, port)


@contextmanager
def on_cores(*cores: int) -> Iterator[None]:
    """Processes started in the block run on these cores, with all their threads."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def environment() -> dict[str, str]:
    """Environment of a measured program: this checkout, even if another is installed."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PUT_SERVER_", "PYTHON"))}
    return {**kept, "PYTHONPATH": os.pathsep.join([str(ROOT / part) for part in ("protocol", "server", "client")])}


class BenchRound(NamedTuple):
    """Figures of a program under load."""

    rate: float
    """Moves a second."""
    costs: Mapping[str, float]
    """Microseconds of processor time for each move, by part: steadier than rates on a busy machine."""
    load: float
    """Share of the other core used by the load."""


def under_load(run: Callable[[float], tuple[int, float]], **parts: Sequence[int]) -> Callable[[float], BenchRound]:
    """A function that runs a round. `run` loads for a time, and returns the number of moves and the seconds. `parts`:
    process ids by role."""

    def play(seconds: float) -> BenchRound:
        before, load = _busy_by_part(parts), processor_seconds(os.getpid())
        count, span = run(seconds)
        after, load = _busy_by_part(parts), processor_seconds(os.getpid()) - load
        costs = {part: 1e6 * (after[part] - before[part]) / count for part in parts}
        return BenchRound(count / span, costs, load / span)

    return play


def _busy_by_part(parts: Mapping[str, Sequence[int]]) -> dict[str, float]:
    return {part: sum(map(processor_seconds, pids)) for part, pids in parts.items()}


def in_turns(runs: Mapping[K, Callable[[float], T]], seconds: float, rounds: int) -> dict[K, list[T]]:
    """Warm all up, then run one after another, round after round, so that disturbances affect all."""
    found: dict[K, list[T]] = {name: [] for name in runs}
    for number in range(rounds + 1):
        for name, run in runs.items():
            done = run(seconds)
            if number:
                found[name].append(done)
    return found


class Report:
    """Figures, shown as they are measured: median, least and most of all rounds, and whether the aim is met."""

    def __init__(self) -> None:
        self._figures: list[dict[str, Any]] = []
        self._section = ""

    def section(self, title: str) -> None:
        self._section = title
        print(f"\n{title}\n{'-' * len(title)}", flush=True)

    def note(self, text: str) -> None:
        print(f"  {text}", flush=True)

    def figure(
        self,
        name: str,
        rounds: Sequence[float],
        unit: str,
        *,
        at_least: float | None = None,
        at_most: float | None = None,
        decimals: int = 0,
    ) -> float:
        """Show a figure measured in several rounds; returns the median."""
        middle = statistics.median(rounds)
        shown = f"  {name:<58} {middle:>12,.{decimals}f} {unit:<10}"
        if len(rounds) > 1:
            shown += f" {min(rounds):,.{decimals}f} to {max(rounds):,.{decimals}f}"
        is_met = None
        if at_least is not None or at_most is not None:
            is_met = (at_least is None or middle >= at_least) and (at_most is None or middle <= at_most)
            aim = f"at least {at_least:,g}" if at_least is not None else f"at most {at_most:,g}"
            shown = f"{shown:<108}  aim: {aim}, {'met' if is_met else 'NOT MET'}"
        print(shown, flush=True)
        self._figures.append(
            {
                "section": self._section,
                "name": name,
                "unit": unit,
                "median": middle,
                "rounds": list(rounds),
                "at_least": at_least,
                "at_most": at_most,
                "is_met": is_met,
            }
        )
        return middle

    def ratio(
        self,
        name: str,
        ours: Sequence[float],
        theirs: Sequence[float],
        unit: str = "of it",
        *,
        at_least: float | None = None,
        at_most: float | None = None,
    ) -> None:
        """Show figures as shares of a reference, round by round."""
        shares = [one / other for one, other in zip(ours, theirs, strict=True)]
        self.figure(name, shares, unit, at_least=at_least, at_most=at_most, decimals=2)

    def latencies(self, name: str, found: Sequence[tuple[float, float]], *, p99_at_most: float | None = None) -> None:
        """Show medians and 99th percentiles, in milliseconds."""
        self.figure(f"{name}: p50", [half for half, _ in found], "ms", decimals=2)
        self.figure("    p99", [most for _, most in found], "ms", at_most=p99_at_most, decimals=2)

    def rounds(self, name: str, rounds: Sequence[BenchRound]) -> None:
        costs = costs_in(rounds)
        self.figure(name, [each.rate for each in rounds], "a second")
        self.figure("    processor time of each", costs, "us", decimals=1)
        self.figure("    busy: server", [each.rate * cost / 1e4 for each, cost in zip(rounds, costs, strict=True)], "%")
        self.figure("    busy: load", [100 * each.load for each in rounds], "%")

    def compare(
        self,
        name: str,
        ours: Sequence[BenchRound],
        theirs: Sequence[BenchRound],
        *,
        at_least: float | None = None,
    ) -> None:
        """Show the speed as a share of a reference: by rate, and by processor time. The aim is for processor time,
        because other programs affect it least."""
        self.ratio(name, [each.rate for each in ours], [each.rate for each in theirs])
        self.ratio("    the same by processor time", costs_in(theirs), costs_in(ours), at_least=at_least)

    def save(self, path: Path, about: dict[str, Any]) -> None:
        path.write_text(json.dumps({**about, "figures": self._figures}, indent=2) + "\n")


def costs_in(rounds: Sequence[BenchRound], part: str = "server") -> list[float]:
    return [each.costs[part] for each in rounds]
