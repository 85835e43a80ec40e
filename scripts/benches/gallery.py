"""Fan-out: what one table sends to a full gallery, and how long its players wait for a move meanwhile."""

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
            tables.latencies.clear()
            before, busy = [spectator.count for spectator in spectators], process.busy()
            _, span = tables.run(seconds)
            tables.read_on()
            sent = [spectator.count - had for spectator, had in zip(spectators, before, strict=True)]
            assert len(set(sent)) == 1, "not all spectators were sent the same"
            moves = len(tables.latencies)
            rates.append(count * moves / span)
            costs.append(1e6 * (process.busy() - busy) / (count * moves))
            latencies.append(sorted(tables.latencies))
        tables.close()
    report.figure("moves sent to spectators, counted for each", rates, "a second")
    report.figure("    processor time of each", costs, "us", decimals=2)
    for name, share in (("p50", 50), ("p99", 99)):
        found = [1000 * taken[len(taken) * share // 100] for taken in latencies]
        report.figure(f"    from a move to both players: {name}", found, "ms", decimals=1)
