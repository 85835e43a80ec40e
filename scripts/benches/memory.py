"""The growth of the server's memory: for each person who is connected and idle, and for each table in play."""

from scripts.benches import processes
from scripts.benches.load import introduced
from scripts.benches.report import Report
from scripts.benches.tables import Tables

PEOPLE = 1_000
TABLES = 500

MOVES_A_TABLE = 60
"""Enough for a table to hold all that it ever holds, the tail of its events being full."""

FIRST = 50
"""Connections, or tables, made before counting begins: what the first of anything costs is not each one's."""


def measure(report: Report, *, is_quick: bool) -> None:
    """Both, each in a server of its own, in private memory after a collection of garbage."""
    share = 4 if is_quick else 1
    report.section("Memory of the server, private (USS), after a collection of garbage")
    with processes.server(collects=True) as server:
        first = [introduced(server.port, f"first {number}") for number in range(FIRST)]
        server.collect()
        before = server.resident()
        people = [introduced(server.port, f"idle {number}") for number in range(PEOPLE // share)]
        server.collect()
        each = (server.resident() - before) / len(people)
        report.figure(f"an idle person, of {len(people)}", [each / 1000], "kB", decimals=1)
        report.figure("the server with nobody", [(before - FIRST * each) / 1e6], "MB", decimals=1)
        for peer in (*first, *people):
            peer.close()
    with processes.server(collects=True) as server:
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
