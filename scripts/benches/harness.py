"""Harness of the benches: the processes under measurement, and the report of what was measured.

The server and the baselines share the first core, for only one of them works at a time. The load, which is this
process, has the last one.
"""

import json
import os
import re
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from put_runtime.child_process import listening

ROOT = Path(__file__).resolve().parents[2]

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
"""The server, which also collects its garbage on SIGUSR1, so that garbage is not taken for memory it needs."""


class Process:
    """A process that listens on a port of loopback."""

    def __init__(self, popen: subprocess.Popen[str], port: int) -> None:
        self._popen = popen
        self.pid = popen.pid
        self.port = port

    def busy(self) -> float:
        """Seconds of processor time used so far."""
        return busy(self.pid)

    def resident(self) -> int:
        """Bytes of it in memory that are its own: private pages, the heap among them (USS)."""
        rollup = Path(f"/proc/{self.pid}/smaps_rollup").read_text()
        return sum(1024 * int(size) for size in re.findall(r"^Private_\w+:\s+(\d+) kB", rollup, re.MULTILINE))

    def collect(self) -> None:
        """Have it collect its garbage; only a server started with `collects` can."""
        self.signal(signal.SIGUSR1)
        time.sleep(0.5)

    def signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def kill(self) -> None:
        """End it by SIGKILL, as a crash would."""
        self._popen.kill()
        self._popen.wait()


def busy_here() -> float:
    """Seconds of processor time this process, the load, has used."""
    return busy(os.getpid())


def busy(pid: int) -> float:
    """Seconds of processor time a process has used so far, by all its threads."""
    after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / _TICKS


def pin_load() -> None:
    """Keep this process off the measured core."""
    os.sched_setaffinity(0, {CORE_LOAD})


@contextmanager
def server(*, data: str = ":memory:", collects: bool = False) -> Iterator[Process]:
    """The server itself, as an operator starts it."""
    program = ["-c", COLLECTING] if collects else ["-m", "put_server"]
    flags = ["--host", "127.0.0.1", "--port", "0", "--drain-seconds", "0", "--log-level", "warning"]
    flags += ["--exempt", "127.0.0.1"]  # from where thousands come
    flags += ["--at-eof", "stop"]  # should this program be killed, the server's input ends
    with running([*program, *flags, "--data", data]) as process:
        yield process


@contextmanager
def baseline(name: str) -> Iterator[Process]:
    """`echo` or `toy`: see the module of that name."""
    with running(["-m", f"scripts.benches.{name}"]) as process:
        yield process


@contextmanager
def running(arguments: Sequence[str]) -> Iterator[Process]:
    """A program of Python that listens, on the measured core."""
    with on_measured_core(), ExitStack() as stack:
        popen, port = stack.enter_context(
            listening([sys.executable, *arguments], stdin=subprocess.PIPE, environment=environment(), folder=ROOT)
        )
        kept = stack.pop_all()
    with kept:
        yield Process(popen, port)


@contextmanager
def on_measured_core() -> Iterator[None]:
    """Processes that are started in the block, with all their threads, have the measured core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {CORE_MEASURED})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def environment() -> dict[str, str]:
    """Environment of a measured program: this checkout, whichever one is installed."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PUT_SERVER_", "PYTHON"))}
    return {**kept, "PYTHONPATH": os.pathsep.join([str(ROOT / part) for part in ("protocol", "server", "client")])}


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
        """Show a figure measured in so many rounds; returns the median."""
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

    def save(self, path: Path, about: dict[str, Any]) -> None:
        """Write everything to a file."""
        path.write_text(json.dumps({**about, "figures": self._figures}, indent=2) + "\n")


class Contestant:
    """A server or baseline under load, with its figures of each round."""

    def __init__(self, process: Process, run: Callable[[float], tuple[int, float]]) -> None:
        """`run` loads it for so many seconds; it returns how much was done, in how many seconds."""
        self._process = process
        self._run = run
        self._rates: list[float] = []
        self._busy: list[float] = []
        """Share of the server's core that the server used."""
        self._load: list[float] = []
        """Share of the other core that the load used."""
        self._costs: list[float] = []
        """Microseconds of the server's processor time per move: steadier than rates on a busy machine."""

    def warm_up(self, seconds: float) -> None:
        self._run(seconds)

    def play(self, seconds: float) -> None:
        busy, load = self._process.busy(), busy_here()
        count, span = self._run(seconds)
        busy, load = self._process.busy() - busy, busy_here() - load
        self._rates.append(count / span)
        self._busy.append(busy / span)
        self._load.append(load / span)
        self._costs.append(1e6 * busy / count)

    def report(self, report: Report, name: str) -> None:
        report.figure(name, self._rates, "a second")
        report.figure("    processor time of each", self._costs, "us", decimals=1)
        report.figure("    busy: server", [100 * share for share in self._busy], "%")
        report.figure("    busy: load", [100 * share for share in self._load], "%")

    def compare(self, report: Report, name: str, other: "Contestant", *, at_least: float | None = None) -> None:
        """Its speed as a share of the other's, round by round: by rate, and by processor time, which is what the aim
        refers to, because other programs change it least."""
        ratios = [ours / theirs for ours, theirs in zip(self._rates, other._rates, strict=True)]
        report.figure(name, ratios, "of it", decimals=2)
        costs = [theirs / ours for ours, theirs in zip(self._costs, other._costs, strict=True)]
        report.figure("    the same by processor time", costs, "of it", at_least=at_least, decimals=2)


def in_turns(contestants: Iterable[Contestant], seconds: float, rounds: int) -> None:
    """Warm all up, then load one after the other, round after round: what disturbs one disturbs all."""
    all_of_them = list(contestants)
    for contestant in all_of_them:
        contestant.warm_up(seconds)
    for _ in range(rounds):
        for contestant in all_of_them:
            contestant.play(seconds)
