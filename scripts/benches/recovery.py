"""Cost of the journal: moves with it against moves without, commits, recovery after a kill, size of the file."""

import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from put_server.admin.admin_calls import AskStatus, ServerStatus
from put_server.admin.admin_client import ask
from put_server.journal.journal import Journal
from scripts.benches import harness
from scripts.benches.harness import Report, in_turns, under_load
from scripts.benches.load import LoadedTables

TABLES = 1_000
AIM = 0.9

PACE = 1_000
"""Moves a second, for the latency of commits when the server is not under full load."""

MOVES_A_TABLE = 60
"""Moves before the kill: a game or two at each table, so that most are in the middle of one."""

RECOVERY_AIM = 10.0
"""Seconds, for a thousand tables."""


def measure(report: Report, *, is_quick: bool) -> None:
    seconds, rounds = (2.0, 3) if is_quick else (3.0, 5)
    count = TABLES // 4 if is_quick else TABLES
    report.section(f"The journal: {count:,} tables of two, moves with it and without in turns")
    with tempfile.TemporaryDirectory(prefix="put-bench-") as folder:
        _cost(report, Path(folder), count, seconds, rounds)
    report.section("Recovery after SIGKILL: from the start of the process to the open port")
    for tables in sorted({count // 10, count // 3, count}):
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
        first, begun = _size(folder), _status(folder).games_finished
        found = in_turns(contestants, seconds, rounds)
        for name, figures in found.items():
            report.rounds(name, figures)
        without, journalled = found.values()
        report.compare("the second against the first", journalled, without, at_least=AIM)
        fast = _status(folder)
        loads[-1].run_paced(PACE, seconds)
        paced = _status(folder)
    for name, status in (("as fast as they can", fast), (f"{PACE:,} moves a second", paced)):
        assert status.journal is not None
        report.figure(f"commit, {name}: p50", [status.journal.commit_p50_ms or 0], "ms", decimals=2)
        report.figure("    p99", [status.journal.commit_p99_ms or 0], "ms", decimals=2)
    games = paced.games_finished - begun
    report.figure(f"the file grows by each of {games:,} games", [(_size(folder) - first) / games], "bytes")


def _status(folder: Path) -> ServerStatus:
    return ask(folder / "admin.sock", AskStatus(), ServerStatus)


def _size(folder: Path) -> int:
    return (folder / "put.sqlite3").stat().st_size


def _recovery(report: Report, count: int, rounds: int) -> None:
    spans, bare, records = [], [], 0
    for _ in range(rounds):
        with tempfile.TemporaryDirectory(prefix="put-bench-") as name:
            folder = Path(name)
            bare.append(_started(folder))
            with harness.server(data=name) as process:
                tables = LoadedTables(process.port, count)
                tables.run_moves(count * MOVES_A_TABLE)
                journal = _status(folder).journal
                assert journal is not None
                records = journal.records
                process.kill()
                tables.close()
            spans.append(_started(folder))
    report.figure("a start with nothing to bring back", bare, "s", decimals=2)
    report.figure(f"{count:,} tables in play, {records:,} records", spans, "s", at_most=RECOVERY_AIM, decimals=2)


def _started(folder: Path) -> float:
    begun = time.perf_counter()
    with harness.server(data=str(folder)):
        return time.perf_counter() - begun
