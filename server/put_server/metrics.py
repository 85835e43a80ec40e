"""Metrics in the format of Prometheus. Nearly all are counted when they are asked for, from what is there anyway.

No card, name, token or passcode is in them: only numbers, the states of tables, and the codes of refusals.
"""

import mmap
import time
from collections.abc import Iterator
from pathlib import Path

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from put_runtime.histogram import BOUNDS, Histogram
from put_server.admin.handler import AdminHandler, RunningServer
from put_server.transport.http_page import HttpPage

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class ServerCollector(Collector):
    """The numbers of a running server."""

    def __init__(self, server: RunningServer) -> None:
        self._server = server
        self._admin = AdminHandler(server)

    def collect(self) -> Iterator[Metric]:
        status, dispatcher, journal = self._admin.status(), self._server.dispatcher, self._server.journal
        yield InfoMetricFamily("put_server", "The server's version.", {"version": status.version})
        yield GaugeMetricFamily("put_start_time_seconds", "When it started.", time.time() - status.uptime_s)
        yield GaugeMetricFamily("put_draining", "1: it was told to stop.", float(status.is_draining))
        yield _gauge_by(
            "put_people", "People by presence.", "presence", here=status.people.here, away=status.people.away
        )
        yield GaugeMetricFamily("put_bots", "Programs among the people.", status.people.bots)
        tables = status.tables
        yield _gauge_by(
            "put_tables",
            "Tables by state.",
            "state",
            playing=tables.playing,
            paused=tables.paused,
            filling=tables.filling,
            between=tables.between,
        )
        yield GaugeMetricFamily("put_spectators", "People who watch, over all tables.", tables.spectators)
        yield GaugeMetricFamily("put_house_players", "Seats taken by house players.", status.house_players)
        yield GaugeMetricFamily("put_connections", "Sockets, of strangers too.", status.connections)
        yield CounterMetricFamily("put_games", "Games finished since the start.", status.games_finished)
        yield _histogram("put_move_seconds", "From a move's being read to its being told.", dispatcher.meters.moves)
        yield _counter_by("put_refusals", "Requests and newcomers refused, by code.", "code", dispatcher.meters.refused)
        yield _counter_by("put_waits_ended", "Waits of tables that time ended.", "waited_for", dispatcher.meters.waits)
        outboxes = status.outboxes
        yield GaugeMetricFamily("put_outbox_bytes", "Bytes that peers have not read yet.", outboxes.bytes)
        yield GaugeMetricFamily("put_outbox_largest_bytes", "The same of the slowest peer.", outboxes.largest)
        yield GaugeMetricFamily("put_outboxes_waiting", "Peers who have something to read.", outboxes.waiting)
        yield GaugeMetricFamily("put_resident_memory_bytes", "Memory of the process.", resident_bytes())
        if journal is not None:
            yield _histogram("put_commit_seconds", "Each commit of the journal.", journal.commits)
            yield GaugeMetricFamily("put_journal_bytes", "The journal on disk.", journal.file_bytes)
            yield GaugeMetricFamily("put_journal_records", "Records since the checkpoint.", journal.since_checkpoint)
            yield GaugeMetricFamily("put_journal_uncommitted", "Inputs that wait for the disk.", journal.uncommitted)


class Metrics:
    """The page with the metrics."""

    def __init__(self, server: RunningServer) -> None:
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(ServerCollector(server))

    def page(self) -> HttpPage:
        return HttpPage(200, generate_latest(self._registry), CONTENT_TYPE)


def _gauge_by(name: str, meaning: str, label: str, **values: int) -> Metric:
    family = GaugeMetricFamily(name, meaning, labels=[label])
    for value, count in values.items():
        family.add_metric([value], count)
    return family


def _counter_by(name: str, meaning: str, label: str, counts: dict[str, int]) -> Metric:
    family = CounterMetricFamily(name, meaning, labels=[label])
    for value, count in sorted(counts.items()):
        family.add_metric([value], count)
    return family


def _histogram(name: str, meaning: str, kept: Histogram) -> Metric:
    buckets: list[tuple[str, float]] = []
    count = 0
    for bound, number in zip((*map(str, BOUNDS), "+Inf"), kept.counts, strict=True):
        count += number
        buckets.append((bound, count))
    return HistogramMetricFamily(name, meaning, buckets=buckets, sum_value=kept.total)


def resident_bytes() -> int:
    """Memory of this process; 0: the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_bytes().split()[1]) * mmap.PAGESIZE
    except (OSError, ValueError, IndexError):
        return 0
