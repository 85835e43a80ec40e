"""Moves served, against an echo with the same codec that is loaded by the same process with as many connections.

The server and the baselines share a core and are loaded in turns, round after round, so that whatever else the
machine does meets all of them alike.
"""

import tempfile
from collections.abc import Callable
from contextlib import ExitStack

from scripts.benches import processes
from scripts.benches.load import Echoes
from scripts.benches.processes import Process
from scripts.benches.report import Report
from scripts.benches.tables import Tables

TABLES = (50, 200)
AIM = 0.5


class _Contestant:
    """A server under load: a rate and two busy shares for each round."""

    def __init__(self, process: Process, run: Callable[[float], tuple[int, float]]) -> None:
        self._process = process
        self._run = run
        self.rates: list[float] = []
        self.busy: list[float] = []
        """Of the server's core, by the server."""
        self.load: list[float] = []
        """Of the other core, by the load."""
        self.costs: list[float] = []
        """Microseconds of the server's processor time for each: steadier than rates on a machine that is not quiet."""

    def warm_up(self, seconds: float) -> None:
        self._run(seconds)

    def play(self, seconds: float) -> None:
        busy, load = self._process.busy(), processes.busy_here()
        count, span = self._run(seconds)
        busy, load = self._process.busy() - busy, processes.busy_here() - load
        self.rates.append(count / span)
        self.busy.append(busy / span)
        self.load.append(load / span)
        self.costs.append(1e6 * busy / count)


def measure(report: Report, *, is_quick: bool) -> None:
    """Both numbers of tables."""
    seconds, rounds = (1.0, 3) if is_quick else (3.0, 7)
    for count in TABLES:
        report.section(f"Moves served to {count} tables of two over loopback ({2 * count} connections)")
        with ExitStack() as stack:
            _contest(report, stack, count, seconds, rounds)


def _contest(report: Report, stack: ExitStack, count: int, seconds: float, rounds: int) -> None:
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="put-bench-"))
    contestants: dict[str, _Contestant] = {}
    for name, data in (("the server", ":memory:"), ("the server with its journal on disk", folder)):
        process = stack.enter_context(processes.server(data=data))
        tables = Tables(process.port, count)
        stack.callback(tables.close)
        contestants[name] = _Contestant(process, tables.run)
    for name, kind in (("echo, plain", "plain"), ("echo, warm", "warm"), ("a table with no game", "table")):
        process = stack.enter_context(processes.echo(kind))
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
