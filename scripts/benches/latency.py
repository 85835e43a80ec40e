"""The latency of a move: from sending it to both players having its events."""

import tempfile
from collections.abc import Callable
from functools import partial

from scripts.benches import processes
from scripts.benches.report import Report
from scripts.benches.served import TABLES
from scripts.benches.tables import Tables

PACE = 1_000
"""Moves a second: a fraction of what the server can do, and of more people than will ever play Put at once."""


def measure(report: Report, *, is_quick: bool) -> None:
    """With every table playing as fast as it can, which is a measure of queues, and at a steady pace."""
    seconds, rounds = (1.0, 3) if is_quick else (3.0, 7)
    report.section("Latency of a move: from sending it to both players having its events")
    for count in TABLES:
        for name, data in (("", ":memory:"), (", journal on disk", None)):
            with (
                tempfile.TemporaryDirectory(prefix="put-bench-") as folder,
                processes.server(data=data or folder) as server,
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
