"""Roles: the composition root of one process of a cluster, a gateway, a worker, or both.

It connects to the broker, reads the configuration, and runs its parts until it must stop. A gateway then says goodbye
to all guests, who return through another one. A worker gives away its shards, one after another. Games continue at
other processes, so neither waits for them.
"""

import asyncio
import logging
import os
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Final

from nats.aio.client import Client
from nats.aio.msg import Msg

from put_protocol.messages import Goodbye
from put_runtime.command_line import installed_version
from put_server.app import FAREWELL_SECONDS, clock_from, follow_input, following_signals, note_ready
from put_server.cluster import broker, cluster_config, durability
from put_server.cluster.cluster_config import ClusterConfig
from put_server.cluster.gateway import Gateway
from put_server.cluster.home_shards import read_homes
from put_server.cluster.link_messages import RELEASE, VERSION
from put_server.cluster.member_calls import GATEWAYS, WORKERS, GatewayCalls, WorkerCalls
from put_server.cluster.probes import Probes
from put_server.cluster.shard_worker import ShardWorker
from put_server.cluster.shared_value import SharedBans
from put_server.cluster.status import MemberStatus, answer, gateway_status, worker_status
from put_server.front import Front
from put_server.greeting import greeting
from put_server.handover import inherited, say_ready
from put_server.settings import Settings
from put_server.table.clock import NEWS_MS
from put_server.ticks import telling, ticking
from put_server.transport.bans import Bans
from put_server.transport.http_page import HttpPage
from put_server.transport.shuffler import Shuffler
from put_text.catalogue import say_in_english

log = logging.getLogger(__name__)

LINKED_SECONDS: Final = 10.0
"""Time limit for links with all shards before a gateway accepts connections; after that, hellos wait for links."""

CONFIG_INTERVAL_S: Final = 1.0
LOST_READINGS: Final = 10
"""Consecutive readings without a configuration after which everything in NATS counts as lost. A worker ends before it
would make an empty stream in place of the one that is gone."""

CUT_OFF_S: Final = 12.0
"""Silence of the broker after which a worker tries another of its servers. An election takes up to nine seconds."""

BANS_INTERVAL_S: Final = 1.0
POLL_SECONDS: Final = 0.02


class GatewayServer:
    def __init__(
        self,
        settings: Settings,
        client: Client,
        cluster_config: ClusterConfig,
        homes: Mapping[bytes, int],
        metrics: Callable[[], HttpPage],
        drain: Callable[[], None],
        sockets: Sequence[socket.socket] = (),
    ) -> None:
        """`drain`: starts the end of the process."""
        now = clock_from(0)
        self.settings = settings
        self.front = Front(
            settings, now, is_healthy=lambda: self.is_healthy, metrics=metrics, sockets=sockets, bans=Bans()
        )
        self._client = client
        self._names = broker.BrokerNames(settings.cluster)
        self._publisher = broker.LinkPublisher(client, self._packets)
        self.gateway = Gateway(
            now,
            name=broker.process_name(),
            shards=cluster_config.shards,
            first_link=time.time_ns() // 1_000,
            homes=homes,
            shuffler=Shuffler(settings.seed),
            admission=self.front.admission,
            password=settings.password,
            news_ms=settings.news_ms,
            wake=self._publisher.wake,
            call_later=lambda seconds, call: asyncio.get_running_loop().call_later(seconds, call),
        )
        self.front.reception = self.gateway
        self._calls = GatewayCalls(self.gateway, self.front.bans, SharedBans(client, settings.cluster), drain)
        self.is_stopping = False

    @property
    def is_healthy(self) -> bool:
        """True if newcomers may be sent to this gateway."""
        return not self.is_stopping and self.has_link

    @property
    def has_link(self) -> bool:
        """True if a shard answers."""
        return any(link.is_up for link in self.gateway.links)

    def _packets(self) -> Iterator[tuple[str, bytes]]:
        for shard, data in self.gateway.take():
            yield self._names.subject("shard", shard), data

    async def _receive(self, message: Msg) -> None:
        try:
            self.gateway.receive(message.data)
        except Exception:  # the boundary of shards: a packet never ends a gateway
            log.exception("a packet of a shard could not be handled")

    async def begin(self, tasks: asyncio.TaskGroup, stop: asyncio.Event) -> list[asyncio.Task[None]]:
        """Open the links, and then accept connections. Returns the tasks to cancel at the end."""
        for gateway in (self.gateway.name, ""):
            await self._client.subscribe(self._names.to_gateway(gateway), cb=self._receive)
        await self._client.subscribe(self._names.subject("calls", GATEWAYS), cb=self._calls.take)
        await self._read_bans(stop)
        works = [
            tasks.create_task(work)
            for work in (
                self._publisher.run(),
                ticking(self.gateway.tick, self.front.tick),
                telling(self.gateway.tell_news, lambda: self.gateway.is_empty, NEWS_MS / 1000),
                self._follow_bans(),
            )
        ]
        self._publisher.wake()
        deadline = time.monotonic() + LINKED_SECONDS
        while not (self.gateway.is_linked or stop.is_set()) and time.monotonic() < deadline:  # noqa: ASYNC110  # no event
            await asyncio.sleep(POLL_SECONDS)
        if not self.gateway.is_linked:
            log.warning("not every shard answers yet")
        return [*works, self.front.serve(tasks, lambda: self.gateway.lobby.counts)]

    async def _read_bans(self, stop: asyncio.Event) -> None:
        """Read the bans for the first time; no peer is let in before."""
        if self.settings.bans is not None and self.settings.bans.exists():
            log.warning("%s is not read: bans of a cluster are made with put-server ban", self.settings.bans)
        while not (await self._calls.read_bans() or stop.is_set()):
            broker.heed_cancellation()
            log.warning("no peer is let in before the bans are read; trying again")
            await asyncio.sleep(BANS_INTERVAL_S)

    async def _follow_bans(self) -> None:
        while True:
            broker.heed_cancellation()
            await asyncio.sleep(BANS_INTERVAL_S)
            await self._calls.read_bans()

    async def drain(self, stop_now: asyncio.Event) -> None:
        """Say goodbye to all guests, who return through another gateway."""
        self.is_stopping = True
        self.front.dismiss_all(Goodbye(code="draining", says=say_in_english("refused-gateway-stops"), back_s=0))
        deadline = time.monotonic() + FAREWELL_SECONDS
        while not (self.gateway.is_empty or stop_now.is_set()) and time.monotonic() < deadline:  # noqa: ASYNC110  # no event
            await asyncio.sleep(POLL_SECONDS)


class Member:
    def __init__(
        self,
        settings: Settings,
        client: Client,
        cluster_config: ClusterConfig,
        *,
        homes: Mapping[bytes, int],
        unasked: list[str],
        sockets: Sequence[socket.socket] = (),
        thinks: bool = True,
    ) -> None:
        """`unasked`: NATS servers whose durability a worker must still check."""
        self._unasked = unasked
        self.settings = settings
        self._client = client
        self._config = cluster_config
        self.refusal = ""
        """Reason why it may not serve this cluster any more; empty: it may."""
        self._began = time.monotonic()
        self._stop = asyncio.Event()
        self._stop_now = asyncio.Event()
        role = settings.role
        self.worker = (
            ShardWorker(settings, client, cluster_config, homes=homes, thinks=thinks)
            if role in ("worker", "both")
            else None
        )
        self.server = (
            GatewayServer(settings, client, cluster_config, homes, self._metrics, self._stop.set, sockets)
            if role in ("gateway", "both")
            else None
        )
        self._metrics_page: Callable[[], HttpPage] | None = None
        self._probes: Probes | None = None
        """HTTP server of a worker, which has no port for players."""

    def stop(self) -> None:
        """Begin to end; a second call ends at once."""
        if self._stop.is_set():
            self._stop_now.set()
        self._stop.set()

    async def listen(self) -> None:
        """Open the port, if the role has one.

        :raises CannotListen: the address cannot be opened.
        """
        if self.server is not None:
            await self.server.front.listen()
        elif self.settings.metrics_port:
            self._probes = Probes(self.settings, is_healthy=lambda: not self._stop.is_set(), metrics=self._metrics)
            await self._probes.listen()

    def _metrics(self) -> HttpPage:
        if self._metrics_page is None:
            from put_server.cluster.member_metrics import MemberCollector  # noqa: PLC0415  # many have no monitor
            from put_server.metrics import page_of  # noqa: PLC0415  # as above

            gateway = None if self.server is None else self.server.gateway
            self._metrics_page = page_of(MemberCollector(lambda: self.status, gateway, self.worker))
        return self._metrics_page()

    @property
    def status(self) -> MemberStatus:
        server = self.server
        where = "" if server is None else f"{socket.gethostname()}:{server.front.port}"
        return MemberStatus(
            version=installed_version(),
            link=VERSION,
            link_release=RELEASE,
            uptime_s=int(time.monotonic() - self._began),
            is_draining=self._stop.is_set(),
            gateway=None if server is None else gateway_status(server.gateway, where),
            worker=None if self.worker is None else worker_status(self.worker, self._config.shards),
        )

    async def _follow_broker(self) -> None:
        """Read the configuration every second, and end if this process may not serve the cluster any more. If the
        broker's node is silent, because it is cut off from the others, another node is tried."""
        is_gateway = self.worker is None
        watch = broker.BrokerWatch(time.monotonic(), broker.ALONE_S if is_gateway else CUT_OFF_S)
        missing = 0
        while True:
            broker.heed_cancellation()
            await asyncio.sleep(CONFIG_INTERVAL_S)
            is_heard = is_gateway and self.server is not None and self.server.has_link
            with suppress(broker.OutOfReach, broker.BadCluster):
                config = await cluster_config.found(self._client, self.settings.cluster)
                is_heard = True
                missing = 0 if config is not None else missing + 1
                if not self.refusal and (config is not None or missing >= LOST_READINGS):
                    self.refusal = cluster_config.why_ended(config, self._config, self.settings)
                    if self.refusal:
                        log.error(self.refusal)
                        self._stop.set()
            await watch.look(self._client, time.monotonic(), is_heard=is_heard)

    async def _answer_status(self, message: Msg) -> None:
        await answer(message, self.status)

    async def run(self, begun: Callable[[], None] = lambda: None) -> None:
        """Serve until told to stop. `begun`: called when the process serves."""
        names = broker.BrokerNames(self.settings.cluster)
        await self._client.subscribe(names.subject("status"), cb=self._answer_status)
        if self.worker is not None:
            calls = WorkerCalls(self.worker, self._config.shards, self._stop.set)
            await self._client.subscribe(names.subject("calls", WORKERS), cb=calls.take)
        try:
            async with asyncio.TaskGroup() as tasks:
                working = None if self.worker is None else tasks.create_task(self.worker.run())
                works = [
                    tasks.create_task(durability.ask_absent(self._unasked, self.settings.may_lose_seconds)),
                    tasks.create_task(self._follow_broker()),
                ]
                works += [] if self.server is None else await self.server.begin(tasks, self._stop)
                if not self._stop.is_set():
                    begun()
                broker.heed_cancellation()
                await self._stop.wait()
                if self.server is not None:
                    await self.server.drain(self._stop_now)
                for work in works:
                    work.cancel()
                if self.worker is not None and working is not None:
                    self.worker.drain()
                    impatient = tasks.create_task(self._stop_now.wait())
                    await asyncio.wait((working, impatient), return_when=asyncio.FIRST_COMPLETED)
                    working.cancel()
                    impatient.cancel()
        finally:
            if self._probes is not None:
                self._probes.close()
            if self.server is not None:
                self.server.front.close()


@asynccontextmanager
async def listening(
    settings: Settings, sockets: Sequence[socket.socket] = (), *, thinks: bool = True
) -> AsyncIterator[Member]:
    """:raises BadCluster: this process may not serve the cluster."""
    async with broker.connected(settings, f"put-server {settings.role}") as client:
        settled = await cluster_config.settled(client, settings)
        unasked = [] if settings.role == "gateway" else await durability.check(settings, settled.replicas)
        homes = await read_homes(client, settings.cluster)
        member = Member(settings, client, settled, homes=homes, unasked=unasked, sockets=sockets, thinks=thinks)
        await member.listen()
        yield member


async def serve(settings: Settings, announce: Callable[[str], None]) -> None:
    """Run a process of a cluster until a signal ends it. `announce`: gets each line of the greeting when the process
    serves.

    :raises BadCluster: this program cannot serve the cluster, or no longer can.
    """
    sockets = inherited(os.environ)
    say_ready(os.environ)
    async with listening(settings, sockets) as member:
        if settings.at_eof == "stop":
            follow_input(member.stop)
        encryption = None if member.server is None else member.server.front.encryption

        def greet() -> None:
            for line in _greeting(member):
                announce(line)
            note_ready()

        with following_signals(settings, member.stop, lambda: encryption):
            await member.run(greet)
        if member.refusal:
            raise broker.BadCluster(member.refusal)


def _greeting(member: Member) -> Iterator[str]:
    settings = member.settings
    if member.server is not None:
        front = member.server.front
        yield from greeting(settings, front.port, front.encryption, is_terminal=sys.stdout.isatty())
    if member.worker is not None:
        yield f"{settings.name} plays at worker {member.worker.name} of the cluster {settings.cluster}."
