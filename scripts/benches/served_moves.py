"""Moves served: how many a second, against baselines with the same codec, and with which latency.

The server and the baselines share a core and are loaded in turns, round after round, by the same process with as many
connections, so that other programs affect all of them alike. Latency runs from sending a move to both
players having its events.
"""

import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial

from put_protocol.messages import ViewForm
from scripts.benches import harness
from scripts.benches.harness import Report, Round, in_turns, under_load
from scripts.benches.load import Echoes, Tables

TABLES = (50, 200)

SERVER, JOURNALLED, TOY, ECHO = "the server", "the server with its journal on disk", "the toy", "the echo"
CHANGES = "the server, of clients that ask for changes"

AIMS = (
    (JOURNALLED, TOY, 0.5),
    (JOURNALLED, ECHO, 0.3),
    (JOURNALLED, SERVER, 0.95),
    (CHANGES, SERVER, None),
    (TOY, ECHO, None),
)
"""Comparisons: the one, the other, and the least share it should be."""


def measure_rate(report: Report, *, is_quick: bool) -> None:
    """The rate with each number of tables."""
    seconds, rounds = (1.0, 3) if is_quick else (2.0, 7)
    for count in TABLES:
        report.section(f"Moves served to {count} tables of two over loopback ({2 * count} connections)")
        with ExitStack() as stack:
            found = in_turns(_contestants(stack, count), seconds, rounds)
        for name, figures in found.items():
            report.rounds(name, figures)
        for name, other, aim in AIMS:
            report.compare(f"{name} against {other}", found[name], found[other], at_least=aim)


def _contestants(stack: ExitStack, count: int) -> dict[str, Callable[[float], Round]]:
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="put-bench-"))
    contestants: dict[str, Callable[[float], Round]] = {}
    for name, running in (
        (SERVER, harness.server()),
        (CHANGES, harness.server()),
        (JOURNALLED, harness.server(data=folder)),
        (TOY, harness.baseline("toy")),
    ):
        process = stack.enter_context(running)
        tables = Tables(process.port, count, views=ViewForm.CHANGES if name == CHANGES else ViewForm.WHOLE)
        stack.callback(tables.close)
        contestants[name] = under_load(tables.run, server=[process.pid])
    echo = stack.enter_context(harness.baseline("echo"))
    echoes = Echoes(echo.port, 2 * count)
    stack.callback(echoes.close)
    contestants[ECHO] = under_load(echoes.run, server=[echo.pid])
    return contestants


PACE = 1_000
"""Moves a second: a fraction of what the server can do."""

P99_AIM = 5.0
"""Milliseconds, at that pace."""


def measure_latency(report: Report, *, is_quick: bool) -> None:
    """The latency with every table playing as fast as it can, which measures queues, and at a steady pace."""
    seconds, rounds = (1.0, 3) if is_quick else (2.0, 5)
    report.section("Latency of a move: from sending it to both players having its events")
    for count in TABLES:
        for name, data in (("", ":memory:"), (", journal on disk", None)):
            with (
                tempfile.TemporaryDirectory(prefix="put-bench-") as folder,
                harness.server(data=data or folder) as server,
            ):
                tables = Tables(server.port, count)
                tables.run(seconds)
                full = [tables.quantiles(partial(tables.run, seconds)) for _ in range(rounds)]
                paced = [tables.quantiles(partial(tables.run_paced, PACE, seconds)) for _ in range(rounds)]
                tables.close()
            for pace, found, aim in (("as fast as they can", full, None), (f"{PACE:,} moves a second", paced, P99_AIM)):
                report.latencies(f"{count} tables, {pace}{name}", found, p99_at_most=aim)
