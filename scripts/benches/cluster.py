"""Cost of a cluster: moves by workers and a gateway against the embedded server, and latency by replicas. Needs
`nats-server`.

All processes run on the measured core, like the embedded server; only processor time is compared.
"""

import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path

from scripts.benches import harness
from scripts.benches.harness import Report, costs_in, in_turns, under_load
from scripts.benches.load import BadLoad, LoadedTables, introduced

PROGRAM = shutil.which("nats-server")

SHARDS = 6
"""Shards of each cluster: an equal number for each of one, two or three workers."""

TABLES = 180
FEW_TABLES = 60
"""Tables for the measurement with small commits, in which a worker's cost of a commit matters more."""

AIMS = {"workers": 1.3, "gateways": 0.7}
"""Largest cost of a move by part, as a share of the embedded server's with its journal."""

PACE = 200
"""Moves a second for latency: far below the limit of a machine with three nodes."""

PACED_TABLES = 20

REPLICATED = "1 worker and a gateway, 3 replicas"

Served = tuple[Mapping[str, list[int]], int]
"""Process ids by role, and the port."""

READY_S = 20.0


class Nats:
    def __init__(self, stack: ExitStack, folder: Path, count: int) -> None:
        """:raises BadLoad: it does not begin, as when another program takes a port before it does."""
        self.ports = [_free_port() for _ in range(count)]
        self._monitors = [_free_port() for _ in range(count)]
        routes = [_free_port() for _ in range(count)]
        self.pids: list[int] = []
        assert PROGRAM is not None
        for number, (port, monitor, route) in enumerate(zip(self.ports, self._monitors, routes, strict=True)):
            place = folder / f"node-{number}"
            words = [PROGRAM, "-a", "127.0.0.1", "-p", str(port), "-m", str(monitor), "-n", f"node-{number}"]
            words += ["-js", "-sd", str(place), "-l", str(folder / f"node-{number}.log")]
            if count > 1:
                others = ",".join([f"nats-route://127.0.0.1:{other}" for other in routes if other != route])
                words += ["--cluster_name", "bench", "--cluster", f"nats://127.0.0.1:{route}", "--routes", others]
            with harness.on_cores(harness.CORE_MEASURED):
                popen = subprocess.Popen(words, stdin=subprocess.DEVNULL)
            stack.callback(popen.wait)
            stack.callback(popen.kill)
            self.pids.append(popen.pid)
        self._wait()

    @property
    def urls(self) -> str:
        return " ".join([f"nats://127.0.0.1:{port}" for port in self.ports])

    def _wait(self) -> None:
        """Wait until all nodes are healthy, and so have a leader."""
        deadline = time.monotonic() + READY_S
        while time.monotonic() < deadline:
            with suppress(OSError):
                for monitor in self._monitors:
                    urllib.request.urlopen(f"http://127.0.0.1:{monitor}/healthz", timeout=5).close()
                return
            time.sleep(0.1)
        raise BadLoad("NATS does not begin")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Cluster:
    """Workers and a gateway on a broker, started like an operator's."""

    def __init__(self, stack: ExitStack, folder: Path, *, workers: int, nodes: int = 1) -> None:
        nats = Nats(stack, folder, nodes)
        common = ["--nats", nats.urls, "--cluster", "bench", "--shards", str(SHARDS)]
        common += ["--replicas", str(nodes), "--may-lose-seconds", "120", "--log-level", "warning"]
        common += ["--drain-seconds", "0", "--exempt", "127.0.0.1"]
        played: list[int] = []
        for number in range(workers):
            words = ["--role", "worker", *common, "--data", str(folder / f"worker-{number}")]
            with harness.on_cores(harness.CORE_MEASURED):
                popen = subprocess.Popen(
                    [sys.executable, "-m", "put_server", *words],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    env=harness.environment(),
                    cwd=harness.ROOT,
                )
            stack.callback(_ended, popen)
            played.append(popen.pid)
        words = ["--role", "gateway", *common, "--host", "127.0.0.1", "--port", "0", "--data", str(folder / "gateway")]
        gateway = stack.enter_context(harness.running(["-m", "put_server", *words]))
        self.port = gateway.port
        self.parts: Mapping[str, list[int]] = {"workers": played, "gateways": [gateway.pid], "NATS": nats.pids}
        """Process ids by role."""
        self._wait(self.port)

    def _wait(self, port: int) -> None:
        """Wait until a peer is welcomed: then every shard has a worker."""
        deadline = time.monotonic() + READY_S
        while True:
            try:
                introduced(port, f"Early {port} {time.monotonic_ns()}"[:24]).close()
            except (BadLoad, OSError):
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)
            else:
                return


def _ended(popen: "subprocess.Popen[bytes]") -> None:
    popen.terminate()
    try:
        popen.wait(10)
    except subprocess.TimeoutExpired:
        popen.kill()
        popen.wait()


def measure(report: Report, *, is_quick: bool) -> None:
    if PROGRAM is None:
        report.note("nats-server is not installed: the cluster is not measured")
        return
    seconds, rounds = (1.0, 2) if is_quick else (1.5, 4)
    _moves(report, seconds, rounds)
    _replicas(report, seconds, rounds)


def _moves(report: Report, seconds: float, rounds: int) -> None:
    with tempfile.TemporaryDirectory(prefix="put-bench-") as name, ExitStack() as stack:
        folder = Path(name)
        server = stack.enter_context(harness.server(data=str(folder / "embedded")))
        served: dict[int, Served] = {0: ({"server": [server.pid]}, server.port)}
        for workers in (1, 2, 3):
            place = folder / str(workers)
            place.mkdir()
            cluster = Cluster(stack, place, workers=workers)
            served[workers] = cluster.parts, cluster.port
        _compared(report, served, TABLES, seconds, rounds)
        _compared(report, served, FEW_TABLES, seconds, rounds)
        report.section(f"A cluster: from a move to both its players, {PACED_TABLES} tables, {PACE} moves a second")
        _paced(report, {_label(workers): found for workers, found in served.items()}, seconds, rounds)


def _label(workers: int) -> str:
    if not workers:
        return "the embedded server with its journal"
    return f"{workers} worker{'s' * (workers > 1)} and a gateway"


def _compared(report: Report, served: Mapping[int, Served], count: int, seconds: float, rounds: int) -> None:
    """Cost of a move at this many tables, by number of workers; 0: the embedded server."""
    report.section(
        f"A cluster: moves of {count} tables of two, processor time of each, and of the embedded server in turns"
    )
    with ExitStack() as stack:
        contestants = {}
        for workers, (parts, port) in served.items():
            tables = LoadedTables(port, count, name=f"bench {count}")
            stack.callback(tables.close)
            contestants[workers] = under_load(tables.run, **parts)
        found = in_turns(contestants, seconds, rounds)
    embedded = costs_in(found[0])
    for workers, figures in found.items():
        report.figure(f"{_label(workers)}: moves", [each.rate for each in figures], "a second")
        for part in figures[0].costs:
            report.figure(f"    {part}", costs_in(figures, part), "us", decimals=1)
            if workers:
                report.ratio(
                    "        of the embedded server's", costs_in(figures, part), embedded, at_most=AIMS.get(part)
                )


def _replicas(report: Report, seconds: float, rounds: int) -> None:
    report.section("The same with three NATS nodes and three replicas, and of the embedded server in turns")
    with tempfile.TemporaryDirectory(prefix="put-bench-") as name, ExitStack() as stack:
        folder = Path(name)
        server = stack.enter_context(harness.server(data=str(folder / "embedded")))
        cluster = Cluster(stack, folder, workers=1, nodes=3)
        served: dict[str, Served] = {
            _label(0): ({"server": [server.pid]}, server.port),
            REPLICATED: (cluster.parts, cluster.port),
        }
        _paced(report, served, seconds, rounds)


def _paced(report: Report, served: Mapping[str, Served], seconds: float, rounds: int) -> None:
    """Latencies of the servers at these ports, and the cost of a move with small commits."""
    loads = {label: LoadedTables(port, PACED_TABLES, name="paced") for label, (_, port) in served.items()}
    taken: dict[str, list[tuple[float, float]]] = {label: [] for label in loads}

    def at_pace(label: str, seconds: float) -> tuple[int, float]:
        taken[label].append(loads[label].quantiles(partial(loads[label].run_paced, PACE, seconds)))
        return int(PACE * seconds), seconds

    runs = {label: under_load(partial(at_pace, label), **parts) for label, (parts, _) in served.items()}
    for label, figures in in_turns(runs, seconds, rounds).items():
        report.latencies(label, taken[label][1:])  # the first warmed up
        for part in figures[0].costs:
            report.figure(f"    {part}, a move", costs_in(figures, part), "us")
    for tables in loads.values():
        tables.close()
