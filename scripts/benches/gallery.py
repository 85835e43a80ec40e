"""Fan-out: what one table sends to a full gallery, and how long its players wait for a move meanwhile."""

import time
from functools import partial

from scripts.benches import harness
from scripts.benches.harness import Report
from scripts.benches.load import Tables

GALLERY = 2_000
"""Spectators at one table: as many as the server admits."""


def measure(report: Report, *, is_quick: bool) -> None:
    """One table of two that plays as fast as it can before a full gallery."""
    count = GALLERY // 4 if is_quick else GALLERY
    seconds, rounds = (1.0, 3) if is_quick else (3.0, 5)
    report.section(f"A table of two that plays as fast as it can before {count:,} spectators")
    rates, costs, latencies = [], [], []
    with harness.server() as process:
        tables = Tables(process.port, 1)
        spectators = tables.watch(process.port, count)
        tables.run(seconds)
        for _ in range(rounds):
            tables.read_on()
            before, busy = [spectator.count for spectator in spectators], harness.busy(process.pid)
            begun = time.perf_counter()
            latencies.append(tables.quantiles(partial(tables.run, seconds)))
            span = time.perf_counter() - begun
            tables.read_on()
            sent = [spectator.count - had for spectator, had in zip(spectators, before, strict=True)]
            assert len(set(sent)) == 1, "not all spectators were sent the same"
            moves = len(tables.latencies)
            rates.append(count * moves / span)
            costs.append(1e6 * (harness.busy(process.pid) - busy) / (count * moves))
        tables.close()
    report.figure("moves sent to spectators, counted for each", rates, "a second")
    report.figure("    processor time of each", costs, "us", decimals=2)
    report.latencies("    from a move to both players", latencies)
