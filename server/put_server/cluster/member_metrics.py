"""Metrics of one process of a cluster in the format of Prometheus: its shards, each by its number, and its gateway.

The sum over all processes gives the whole cluster: a shard is counted at its worker only, and a connection at its
gateway only. The metrics contain no card, name, token or passcode.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

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
from put_server.cluster.status import MemberStatus, ShardStatus
from put_server.metrics import CONTENT_TYPE, resident_bytes
from put_server.transport.http_page import HttpPage

if TYPE_CHECKING:
    from put_server.cluster.gateway import Gateway
    from put_server.cluster.shard_worker import ShardWorker


class MemberCollector(Collector):
    """The numbers of a process."""

    def __init__(
        self, status: Callable[[], MemberStatus], gateway: "Gateway | None", worker: "ShardWorker | None"
    ) -> None:
        self._status = status
        self._gateway = gateway
        self._worker = worker

    def collect(self) -> Iterator[Metric]:
        status = self._status()
        yield InfoMetricFamily("put_server", "The version of this process.", {"version": status.version})
        yield GaugeMetricFamily("put_start_time_seconds", "When it started.", time.time() - status.uptime_s)
        yield GaugeMetricFamily("put_draining", "1: it was told to stop.", float(status.is_draining))
        yield GaugeMetricFamily("put_resident_memory_bytes", "Memory of the process.", resident_bytes())
        if status.gateway is not None and self._gateway is not None:
            gateway = status.gateway
            yield GaugeMetricFamily("put_connections", "Sockets, of strangers too.", gateway.connections)
            yield GaugeMetricFamily("put_outbox_bytes", "Bytes that peers have not read yet.", gateway.outboxes.bytes)
            yield GaugeMetricFamily(
                "put_outbox_largest_bytes", "The same of the slowest peer.", gateway.outboxes.largest
            )
            yield GaugeMetricFamily(
                "put_outboxes_waiting", "Peers who have something to read.", gateway.outboxes.waiting
            )
            linked = {str(link.shard): int(link.is_up) for link in self._gateway.links}
            yield _by_shard("put_gateway_linked", "1: this shard answers this gateway.", linked)
            refused = CounterMetricFamily(
                "put_refusals", "Newcomers and requests refused here, by code.", labels=["code"]
            )
            for code, count in sorted(self._gateway.meters.refused.items()):
                refused.add_metric([code], count)
            yield refused
        if status.worker is not None and self._worker is not None:
            yield from self._of_shards(status.worker.shards)

    def _of_shards(self, shards: Sequence[ShardStatus]) -> Iterator[Metric]:
        opened = [
            (str(shard.number), shard) for shard in shards if shard.tables is not None and shard.people is not None
        ]
        yield _by_shard(
            "put_shard_open",
            "1: this shard is served here; 0: it is being brought back.",
            {str(shard.number): int(shard.is_open) for shard in shards},
        )
        tables = GaugeMetricFamily("put_tables", "Tables by shard and state.", labels=["shard", "state"])
        people = GaugeMetricFamily(
            "put_people", "People at home in a shard, by presence.", labels=["shard", "presence"]
        )
        for name, shard in opened:
            assert shard.tables is not None
            assert shard.people is not None
            for state in ("playing", "paused", "filling", "between"):
                tables.add_metric([name, state], getattr(shard.tables, state))
            people.add_metric([name, "here"], shard.people.here)
            people.add_metric([name, "away"], shard.people.away)
        yield tables
        yield people
        games = CounterMetricFamily("put_games", "Games finished since the shard came here.", labels=["shard"])
        for name, shard in opened:
            games.add_metric([name], shard.games_finished)
        yield games
        yield _by_shard(
            "put_journal_records", "Records since the checkpoint.", {name: shard.records for name, shard in opened}
        )
        yield _by_shard(
            "put_journal_uncommitted", "Inputs that wait for NATS.", {name: shard.uncommitted for name, shard in opened}
        )
        assert self._worker is not None
        live = {number: shard for number, shard in self._worker.shards.items() if shard.opened_at}
        waits = CounterMetricFamily(
            "put_waits_ended", "Waits of tables that time ended.", labels=["shard", "waited_for"]
        )
        for number, opened_shard in live.items():
            if opened_shard.dispatcher is not None:
                for what, count in opened_shard.dispatcher.meters.waits.items():
                    waits.add_metric([str(number), what], count)
        yield waits
        moves = {str(n): shard.dispatcher.meters.moves for n, shard in live.items() if shard.dispatcher is not None}
        yield _histograms("put_move_seconds", "From a move's arrival at the shard to its being told.", moves)
        commits = {str(n): shard.journal.commits for n, shard in live.items() if shard.journal is not None}
        yield _histograms("put_commit_seconds", "Each commit, until a majority of replicas has it.", commits)


def metrics_page(collector: MemberCollector) -> Callable[[], HttpPage]:
    """Returns a function that makes the page with the metrics."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(collector)
    return lambda: HttpPage(200, generate_latest(registry), CONTENT_TYPE)


def _by_shard(name: str, meaning: str, values: dict[str, int]) -> Metric:
    family = GaugeMetricFamily(name, meaning, labels=["shard"])
    for shard, value in values.items():
        family.add_metric([shard], value)
    return family


def _histograms(name: str, meaning: str, by_shard: dict[str, Histogram]) -> Metric:
    family = HistogramMetricFamily(name, meaning, labels=["shard"])
    for shard, kept in by_shard.items():
        buckets: list[tuple[str, float]] = []
        count = 0
        for bound, number in zip((*map(str, BOUNDS), "+Inf"), kept.counts, strict=True):
            count += number
            buckets.append((bound, count))
        family.add_metric([shard], buckets=buckets, sum_value=kept.total)
    return family
