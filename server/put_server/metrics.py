"""Metrics in the format of Prometheus. Nearly all are computed on request, from existing state.

They contain no card, name, token or passcode: only numbers, states of tables, and codes of refusals.
"""

import mmap
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate
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
from put_server.admin.admin_calls import Outboxes
from put_server.admin.handler import AdminHandler, RunningServer
from put_server.transport.http_page import HttpPage

STATES = ("playing", "paused", "filling", "between")

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class ServerCollector(Collector):
    def __init__(self, server: RunningServer) -> None:
        self._server = server
        self._admin = AdminHandler(server)

    def collect(self) -> Iterator[Metric]:
        status, dispatcher, journal = self._admin.status(), self._server.dispatcher, self._server.journal
        tables, people = status.tables, status.people
        yield from of_process(status.version, status.uptime_s, is_draining=status.is_draining)
        yield gauges("put_people", "People by presence.", "presence", {"here": people.here, "away": people.away})
        yield GaugeMetricFamily("put_bots", "Programs among the people.", people.bots)
        states = {state: getattr(tables, state) for state in STATES}
        yield gauges("put_tables", "Tables by state.", "state", states)
        yield GaugeMetricFamily("put_spectators", "People who watch, over all tables.", tables.spectators)
        yield GaugeMetricFamily("put_house_players", "Seats taken by house players.", status.house_players)
        yield CounterMetricFamily("put_games", "Games finished since the start.", status.games_finished)
        meters = dispatcher.meters
        yield histograms("put_move_seconds", "From a move's being read to its being told.", "", {"": meters.moves})
        yield counters("put_refusals", "Requests and newcomers refused, by code.", "code", meters.refused)
        yield counters("put_waits_ended", "Waits of tables that time ended.", "waited_for", meters.waits)
        yield from of_connections(status.connections, status.outboxes)
        if journal is not None:
            yield histograms("put_commit_seconds", "Each commit of the journal.", "", {"": journal.commits})
            yield GaugeMetricFamily("put_journal_bytes", "The journal on disk.", journal.file_bytes)
            yield GaugeMetricFamily("put_journal_records", "Records since the checkpoint.", journal.since_checkpoint)
            yield GaugeMetricFamily("put_journal_uncommitted", "Inputs that wait for the disk.", journal.uncommitted)


def page_of(collector: Collector) -> Callable[[], HttpPage]:
    registry = CollectorRegistry(auto_describe=False)
    registry.register(collector)
    return lambda: HttpPage(200, generate_latest(registry), CONTENT_TYPE)


Values = Mapping[str, float] | Mapping[tuple[str, str], float]
"""Numbers by the values of their labels."""


def of_process(version: str, uptime_s: int, *, is_draining: bool) -> Iterator[Metric]:
    yield InfoMetricFamily("put_server", "The version of this process.", {"version": version})
    yield GaugeMetricFamily("put_start_time_seconds", "When it started.", time.time() - uptime_s)
    yield GaugeMetricFamily("put_draining", "1: it was told to stop.", float(is_draining))
    yield GaugeMetricFamily("put_resident_memory_bytes", "Memory of the process.", resident_bytes())


def of_connections(connections: int, outboxes: Outboxes) -> Iterator[Metric]:
    yield GaugeMetricFamily("put_connections", "Sockets, of strangers too.", connections)
    yield GaugeMetricFamily("put_outbox_bytes", "Bytes that peers have not read yet.", outboxes.bytes)
    yield GaugeMetricFamily("put_outbox_largest_bytes", "The same of the slowest peer.", outboxes.largest)
    yield GaugeMetricFamily("put_outboxes_waiting", "Peers who have something to read.", outboxes.waiting)


def gauges(name: str, meaning: str, labels: str, values: Values) -> Metric:
    """`labels`: names, separated by spaces."""
    return _labelled(GaugeMetricFamily(name, meaning, labels=labels.split()), values)


def counters(name: str, meaning: str, labels: str, values: Values) -> Metric:
    return _labelled(CounterMetricFamily(name, meaning, labels=labels.split()), values)


def _labelled(family: GaugeMetricFamily | CounterMetricFamily, values: Values) -> Metric:
    for found, value in sorted(values.items()):
        family.add_metric([found] if isinstance(found, str) else list(found), value)
    return family


def histograms(name: str, meaning: str, labels: str, values: Mapping[str, Histogram]) -> Metric:
    """Without `labels` there is a single histogram, with an empty key."""
    family = HistogramMetricFamily(name, meaning, labels=labels.split())
    for found, kept in values.items():
        counts = accumulate(kept.counts)
        buckets = [(bound, float(count)) for bound, count in zip((*map(str, BOUNDS), "+Inf"), counts, strict=True)]
        family.add_metric([found] if labels else [], buckets=buckets, sum_value=kept.total)
    return family


def resident_bytes() -> int:
    """Memory of this process; 0: unknown to the system."""
    try:
        return int(Path("/proc/self/statm").read_bytes().split()[1]) * mmap.PAGESIZE
    except (OSError, ValueError, IndexError):
        return 0
