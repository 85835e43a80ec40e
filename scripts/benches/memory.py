"""Memory of the server: its growth for each person who is connected and idle, and for each table in play."""

from scripts.benches import harness
from scripts.benches.harness import Report
from scripts.benches.load import Tables, introduced

PEOPLE = 1_000
TABLES = 500

MOVES_A_TABLE = 60
"""Enough for a table to reach its full size, with the tail of its events full."""

FIRST = 50
"""Connections, or tables, made before measuring: the first of anything costs extra."""


def measure(report: Report, *, is_quick: bool) -> None:
    """Both, each with a server of its own: private memory after a collection of garbage."""
    share = 4 if is_quick else 1
    report.section("Memory of the server, private (USS), after a collection of garbage")
    with harness.server(collects=True) as server:
        first = [introduced(server.port, f"first {number}") for number in range(FIRST)]
        server.collect()
        before = server.resident()
        people = [introduced(server.port, f"idle {number}") for number in range(PEOPLE // share)]
        server.collect()
        each = (server.resident() - before) / len(people)
        report.figure(f"an idle person, of {len(people)}", [each / 1000], "kB", at_most=2.5, decimals=1)
        report.figure("the server without people", [(before - FIRST * each) / 1e6], "MB", decimals=1)
        for peer in (*first, *people):
            peer.close()
    with harness.server(collects=True) as server:
        opened = Tables(server.port, FIRST)
        opened.run_moves(FIRST * MOVES_A_TABLE)
        server.collect()
        before = server.resident()
        tables = Tables(server.port, TABLES // share, name="more")
        tables.run_moves(TABLES // share * MOVES_A_TABLE)
        server.collect()
        whole = (server.resident() - before) / (TABLES // share)
        opened.close()
        tables.close()
    report.figure(
        f"a table in play with its two players, of {TABLES // share}", [whole / 1000], "kB", at_most=10, decimals=1
    )
    report.figure("    the table without its players", [(whole - 2 * each) / 1000], "kB", decimals=1)
