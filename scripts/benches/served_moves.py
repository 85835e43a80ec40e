"""Served moves: rate compared with an echo with the same codec, latency, memory, and the journal.

The server and the echo share a core, and the same process loads them in turns, round after round, with equal
numbers of connections, so that other programs affect all equally. Latency is from sending a move until both players
have its events.
"""

import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from put_protocol.messages import ViewForm
from put_server.admin.admin_calls import AskStatus, ServerStatus
from put_server.admin.admin_client import ask
from put_server.journal.journal import Journal
from scripts.benches import harness
from scripts.benches.harness import BenchRound, Report, costs_in, in_turns, under_load
from scripts.benches.load import Echoes, LoadedTables, introduced

TABLES = 200

SERVER, JOURNALLED, ECHO = "the server", "the server with its journal on disk", "the echo"
CHANGES = "the server, of clients that ask for changes"

AIMS = (
    (JOURNALLED, ECHO, 0.3),
    (JOURNALLED, SERVER, 0.95),
    (CHANGES, SERVER, None),
)
"""Comparisons: measured program, reference, and least ratio."""


def measure_rate(report: Report, *, is_quick: bool) -> None:
    seconds, rounds = (1.0, 3) if is_quick else (2.0, 7)
    report.section(f"Moves served to {TABLES} tables of two over loopback ({2 * TABLES} connections)")
    with ExitStack() as stack:
        found = in_turns(_contestants(stack, TABLES), seconds, rounds)
    for name, figures in found.items():
        report.rounds(name, figures)
    for name, other, aim in AIMS:
        report.compare(f"{name} against {other}", found[name], found[other], at_least=aim)


def _contestants(stack: ExitStack, count: int) -> dict[str, Callable[[float], BenchRound]]:
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="put-bench-"))
    contestants: dict[str, Callable[[float], BenchRound]] = {}
    for name, running in (
        (SERVER, harness.server()),
        (CHANGES, harness.server()),
        (JOURNALLED, harness.server(data=folder)),
    ):
        process = stack.enter_context(running)
        tables = LoadedTables(process.port, count, views=ViewForm.CHANGES if name == CHANGES else ViewForm.WHOLE)
        stack.callback(tables.close)
        contestants[name] = under_load(tables.run, server=[process.pid])
    echo = stack.enter_context(harness.echo())
    echoes = Echoes(echo.port, 2 * count)
    stack.callback(echoes.close)
    contestants[ECHO] = under_load(echoes.run, server=[echo.pid])
    return contestants


PACE = 1_000
"""Moves a second: a fraction of what the server can do."""

P99_AIM_MS = 5.0


def measure_latency(report: Report, *, is_quick: bool) -> None:
    seconds, rounds = (1.0, 3) if is_quick else (2.0, 5)
    report.section("Latency of a move: from sending it to both players having its events")
    for name, data in (("", ":memory:"), (", journal on disk", None)):
        with (
            tempfile.TemporaryDirectory(prefix="put-bench-") as folder,
            harness.server(data=data or folder) as server,
        ):
            tables = LoadedTables(server.port, TABLES)
            tables.run(seconds)
            found = [tables.quantiles(partial(tables.run_paced, PACE, seconds)) for _ in range(rounds)]
            tables.close()
        report.latencies(f"{TABLES} tables, {PACE:,} moves a second{name}", found, p99_at_most=P99_AIM_MS)


GALLERY = 2_000
"""Spectators at one table: the server's limit."""


def measure_gallery(report: Report, *, is_quick: bool) -> None:
    count = GALLERY // 4 if is_quick else GALLERY
    seconds, rounds = (1.0, 3) if is_quick else (3.0, 5)
    report.section(f"A table of two that plays as fast as it can before {count:,} spectators")
    latencies = []
    with harness.server() as process:
        tables = LoadedTables(process.port, 1)
        spectators = tables.watch(process.port, count)
        tables.run(seconds)

        def shown(seconds: float) -> tuple[int, float]:
            tables.read_on()
            before, begun = [spectator.count for spectator in spectators], time.perf_counter()
            latencies.append(tables.quantiles(partial(tables.run, seconds)))
            span = time.perf_counter() - begun
            tables.read_on()
            sent = [spectator.count - had for spectator, had in zip(spectators, before, strict=True)]
            assert len(set(sent)) == 1, "not all spectators were sent the same"
            return count * len(tables.latencies), span

        play = under_load(shown, server=[process.pid])
        found = [play(seconds) for _ in range(rounds)]
        tables.close()
    report.figure("moves sent to spectators, counted for each", [each.rate for each in found], "a second")
    report.figure("    processor time of each", costs_in(found), "us", decimals=2)
    report.latencies("    from a move to both players", latencies)


PEOPLE = 1_000
TABLES_IN_PLAY = 500

MOVES_A_TABLE = 60
"""Moves after which a table has its full size, with a full tail of events, in the middle of a game."""

FIRST = 50
"""Connections, or tables, made before measuring, because the first ones cost extra."""


def measure_memory(report: Report, *, is_quick: bool) -> None:
    """Connections and tables, each on its own server: private memory after a garbage collection."""
    share = 4 if is_quick else 1
    report.section("Memory of the server, private (USS), after a collection of garbage")
    with harness.server(collects=True) as server:
        first = [introduced(server.port, f"first {number}") for number in range(FIRST)]
        server.collect()
        before = server.private_bytes()
        people = [introduced(server.port, f"idle {number}") for number in range(PEOPLE // share)]
        server.collect()
        each = (server.private_bytes() - before) / len(people)
        report.figure(f"an idle person, of {len(people)}", [each / 1000], "kB", at_most=2.5, decimals=1)
        for peer in (*first, *people):
            peer.close()
    with harness.server(collects=True) as server:
        opened = LoadedTables(server.port, FIRST)
        opened.run_moves(FIRST * MOVES_A_TABLE)
        server.collect()
        before = server.private_bytes()
        tables = LoadedTables(server.port, TABLES_IN_PLAY // share, name="more")
        tables.run_moves(TABLES_IN_PLAY // share * MOVES_A_TABLE)
        server.collect()
        whole = (server.private_bytes() - before) / (TABLES_IN_PLAY // share)
        opened.close()
        tables.close()
    report.figure(
        f"a table in play with its two players, of {TABLES_IN_PLAY // share}",
        [whole / 1000],
        "kB",
        at_most=10,
        decimals=1,
    )


MANY_TABLES = 1_000
AIM_OF_MANY = 0.9

RECOVERY_AIM = 10.0
"""Seconds, for a thousand tables."""


def measure_durability(report: Report, *, is_quick: bool) -> None:
    """Moves with the journal against moves without, commits, and recovery after a kill."""
    seconds, rounds = (2.0, 3) if is_quick else (3.0, 5)
    count = MANY_TABLES // 4 if is_quick else MANY_TABLES
    report.section(f"The journal: {count:,} tables of two, moves with it and without in turns")
    with tempfile.TemporaryDirectory(prefix="put-bench-") as folder:
        _cost(report, Path(folder), count, seconds, rounds)
    report.section("Recovery after SIGKILL: from the start of the process to the open port")
    for tables in (count // 3, count):
        _recovery(report, tables, 1 if is_quick else 3)


def _cost(report: Report, folder: Path, count: int, seconds: float, rounds: int) -> None:
    with ExitStack() as stack:
        contestants, loads = {}, []
        for name, data in (("without a journal", ":memory:"), ("with the journal on disk", str(folder))):
            process = stack.enter_context(harness.server(data=data))
            tables = LoadedTables(process.port, count)
            stack.callback(tables.close)
            tables.run_moves(Journal.most_records)  # what a checkpoint frees is used again from here on
            contestants[name] = under_load(tables.run, server=[process.pid])
            loads.append(tables)
        found = in_turns(contestants, seconds, rounds)
        for name, figures in found.items():
            report.rounds(name, figures)
        without, journalled = found.values()
        report.compare("the second against the first", journalled, without, at_least=AIM_OF_MANY)
        fast = _status(folder)
        loads[-1].run_paced(PACE, seconds)
        paced = _status(folder)
    for name, status in (("as fast as they can", fast), (f"{PACE:,} moves a second", paced)):
        assert status.journal is not None
        report.figure(f"commit, {name}: p50", [status.journal.commit_p50_ms or 0], "ms", decimals=2)
        report.figure("    p99", [status.journal.commit_p99_ms or 0], "ms", decimals=2)


def _status(folder: Path) -> ServerStatus:
    return ask(folder / "admin.sock", AskStatus(), ServerStatus)


def _recovery(report: Report, count: int, rounds: int) -> None:
    spans, records = [], 0
    for _ in range(rounds):
        with tempfile.TemporaryDirectory(prefix="put-bench-") as name:
            folder = Path(name)
            with harness.server(data=name) as process:
                tables = LoadedTables(process.port, count)
                tables.run_moves(count * MOVES_A_TABLE)
                journal = _status(folder).journal
                assert journal is not None
                records = journal.records
                process.kill()
                tables.close()
            begun = time.perf_counter()
            with harness.server(data=name):
                spans.append(time.perf_counter() - begun)
    report.figure(f"{count:,} tables in play, {records:,} records", spans, "s", at_most=RECOVERY_AIM, decimals=2)
