"""Metrics of one process of a cluster in the format of Prometheus: its shards, each by its number, and its gateway.

The sum over all processes gives the whole cluster: a shard is counted at its worker only, and a connection at its
gateway only. The metrics contain no card, name, token or passcode.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from put_server.cluster.status import MemberStatus, WorkerStatus
from put_server.metrics import STATES, counters, gauges, histograms, of_connections, of_process

if TYPE_CHECKING:
    from put_server.cluster.gateway import Gateway
    from put_server.cluster.shard_worker import ShardWorker


class MemberCollector(Collector):
    def __init__(
        self, status: Callable[[], MemberStatus], gateway: "Gateway | None", worker: "ShardWorker | None"
    ) -> None:
        self._status = status
        self._gateway = gateway
        self._worker = worker

    def collect(self) -> Iterator[Metric]:
        status = self._status()
        refused: Counter[str] = Counter()
        yield from of_process(status.version, status.uptime_s, is_draining=status.is_draining)
        if status.gateway is not None and self._gateway is not None:
            refused += self._gateway.meters.refused
            yield from of_connections(status.gateway.connections, status.gateway.outboxes)
            linked = {str(link.shard): int(link.is_up) for link in self._gateway.links}
            yield gauges("put_gateway_linked", "1: this shard answers this gateway.", "shard", linked)
        if status.worker is not None and self._worker is not None:
            yield from self._of_shards(status.worker, self._worker, refused)
        yield counters("put_refusals", "Newcomers and requests refused here, by code.", "code", refused)

    def _of_shards(self, status: WorkerStatus, worker: "ShardWorker", refused: Counter[str]) -> Iterator[Metric]:
        is_open = {str(shard.number): int(shard.is_open) for shard in status.shards} | {
            str(number): 0 for number in status.aside
        }
        yield gauges("put_shard_open", "1: this shard is served here; 0: it cannot be, or not yet.", "shard", is_open)
        aside = {shard: int(int(shard) in status.aside) for shard in is_open}
        yield gauges("put_shard_aside", "1: this shard cannot be read.", "shard", aside)
        yield GaugeMetricFamily(
            "put_may_lose_seconds", "Acknowledged play that NATS may lose if power fails.", status.may_lose_seconds
        )
        found = {str(shard.number): shard for shard in status.shards if shard.is_open}
        tables = {n: shard.tables for n, shard in found.items() if shard.tables is not None}
        people = {n: shard.people for n, shard in found.items() if shard.people is not None}
        states = {(n, state): getattr(some, state) for n, some in tables.items() for state in STATES}
        yield gauges("put_tables", "Tables by shard and state.", "shard state", states)
        watching = {n: some.spectators for n, some in tables.items()}
        yield gauges("put_spectators", "People who watch, over all tables.", "shard", watching)
        presence = {(n, where): getattr(some, where) for n, some in people.items() for where in ("here", "away")}
        yield gauges("put_people", "People at home in a shard, by presence.", "shard presence", presence)
        yield gauges("put_bots", "Programs among the people.", "shard", {n: some.bots for n, some in people.items()})
        for name, field, meaning in (
            ("put_house_players", "house_players", "Seats taken by house players."),
            ("put_journal_bytes", "games_bytes", "Finished games in NATS, as of the last minute."),
            ("put_journal_records", "records", "Records since the checkpoint."),
            ("put_journal_uncommitted", "uncommitted", "Inputs that wait for NATS."),
        ):
            yield gauges(name, meaning, "shard", {n: getattr(shard, field) for n, shard in found.items()})
        finished = {n: shard.games_finished for n, shard in found.items()}
        yield counters("put_games", "Games finished since the shard came here.", "shard", finished)
        served = {str(n): there for n, there in worker.served.items()}
        meters = {n: there.dispatcher.meters for n, there in served.items()}
        for one in meters.values():
            refused += one.refused
        waits = {(n, what): count for n, one in meters.items() for what, count in one.waits.items()}
        yield counters("put_waits_ended", "Waits of tables that time ended.", "shard waited_for", waits)
        moves = {n: one.moves for n, one in meters.items()}
        yield histograms("put_move_seconds", "From a move's arrival at the shard to its being told.", "shard", moves)
        commits = {n: there.journal.commits for n, there in served.items()}
        yield histograms("put_commit_seconds", "Each commit, until a majority of replicas has it.", "shard", commits)
