"""Moves served: how many a second, against baselines with the same codec, and with which latency.

The server and the baselines share a core and are loaded in turns, round after round, by the same process with as many
connections, so that whatever else the machine does affects all of them alike. Latency runs from sending a move to both
players having its events.
"""

import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial

from scripts.benches import harness
from scripts.benches.harness import Process, Report
from scripts.benches.load import Echoes, Tables

TABLES = (50, 200)
AIM = 0.5


class _Contestant:
    """A server or baseline under load, with its figures of each round."""

    def __init__(self, process: Process, run: Callable[[float], tuple[int, float]]) -> None:
        self._process = process
        self._run = run
        self.rates: list[float] = []
        self.busy: list[float] = []
        """Share of the server's core that the server used."""
        self.load: list[float] = []
        """Share of the other core that the load used."""
        self.costs: list[float] = []
        """Microseconds of the server's processor time per move: steadier than rates on a busy machine."""

    def warm_up(self, seconds: float) -> None:
        self._run(seconds)

    def play(self, seconds: float) -> None:
        busy, load = self._process.busy(), harness.busy_here()
        count, span = self._run(seconds)
        busy, load = self._process.busy() - busy, harness.busy_here() - load
        self.rates.append(count / span)
        self.busy.append(busy / span)
        self.load.append(load / span)
        self.costs.append(1e6 * busy / count)


def measure_rate(report: Report, *, is_quick: bool) -> None:
    """The rate with each number of tables."""
    seconds, rounds = (1.0, 3) if is_quick else (3.0, 7)
    for count in TABLES:
        report.section(f"Moves served to {count} tables of two over loopback ({2 * count} connections)")
        with ExitStack() as stack:
            _contest(report, stack, count, seconds, rounds)


def _contest(report: Report, stack: ExitStack, count: int, seconds: float, rounds: int) -> None:
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="put-bench-"))
    contestants: dict[str, _Contestant] = {}
    for name, data in (("the server", ":memory:"), ("the server with its journal on disk", folder)):
        process = stack.enter_context(harness.server(data=data))
        tables = Tables(process.port, count)
        stack.callback(tables.close)
        contestants[name] = _Contestant(process, tables.run)
    for name, kind in (("echo, plain", "plain"), ("echo, warm", "warm"), ("a table with no game", "table")):
        process = stack.enter_context(harness.echo(kind))
        echoes = Echoes(process.port, 2 * count, is_paired=kind == "table")
        stack.callback(echoes.close)
        contestants[name] = _Contestant(process, echoes.run)
    for contestant in contestants.values():
        contestant.warm_up(seconds)
    for _ in range(rounds):
        for contestant in contestants.values():
            contestant.play(seconds)
    for name, contestant in contestants.items():
        report.figure(name, contestant.rates, "a second")
        report.figure("    processor time of each", contestant.costs, "us", decimals=1)
        report.figure("    busy: server", [100 * share for share in contestant.busy], "%")
        report.figure("    busy: load", [100 * share for share in contestant.load], "%")
    server = contestants["the server"]
    for name, aim in (("echo, plain", AIM), ("echo, warm", None), ("a table with no game", None)):
        ratios = [ours / theirs for ours, theirs in zip(server.rates, contestants[name].rates, strict=True)]
        report.figure(f"the server against {name}", ratios, "of it", at_least=aim, decimals=2)
        costs = [theirs / ours for ours, theirs in zip(server.costs, contestants[name].costs, strict=True)]
        report.figure("    the same by processor time", costs, "of it", decimals=2)


PACE = 1_000
"""Moves a second: a fraction of what the server can do."""


def measure_latency(report: Report, *, is_quick: bool) -> None:
    """The latency with every table playing as fast as it can, which measures queues, and at a steady pace."""
    seconds, rounds = (1.0, 3) if is_quick else (3.0, 7)
    report.section("Latency of a move: from sending it to both players having its events")
    for count in TABLES:
        for name, data in (("", ":memory:"), (", journal on disk", None)):
            with (
                tempfile.TemporaryDirectory(prefix="put-bench-") as folder,
                harness.server(data=data or folder) as server,
            ):
                tables = Tables(server.port, count)
                tables.run(seconds)
                full = [_quantiles(tables, partial(tables.run, seconds)) for _ in range(rounds)]
                paced = [_quantiles(tables, partial(tables.run_paced, PACE, seconds)) for _ in range(rounds)]
                tables.close()
            for pace, found in (("as fast as they can", full), (f"{PACE:,} moves a second", paced)):
                report.figure(f"{count} tables, {pace}{name}: p50", [half for half, _ in found], "ms", decimals=2)
                report.figure("    p99", [most for _, most in found], "ms", decimals=2)


def _quantiles(tables: Tables, play: Callable[[], object]) -> tuple[float, float]:
    tables.latencies.clear()
    play()
    taken = sorted(tables.latencies)
    return 1000 * taken[len(taken) // 2], 1000 * taken[len(taken) * 99 // 100]
