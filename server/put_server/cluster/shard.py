"""Shard: a part of all tables, from the claim of its journal to its end.

A worker that takes a shard claims its stream, replays the records, and serves. The shard ends when it is given away,
with a checkpoint; when another worker has claimed its stream; or when the stream is unreachable for long. Nothing is
lost in any case: every message to a player follows from records on the stream, and the next worker continues from them.

Its clock continues from the last record, and never goes back. It stops while no player can play: while the stream
acknowledges nothing, because players then do not learn of their turns; while no gateway is heard; and while its process
stood still. So no player loses a turn to an election of the broker, or to a paused machine. It never reads the date, so
a wrong date does not affect games.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Final

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from put_runtime.system_errors import unwrapped
from put_server.analysis.service import WorkerProcess
from put_server.app import new_lobby
from put_server.cluster.broker import BrokerNames, OutOfReach, heed_cancellation
from put_server.cluster.cluster_config import ClusterConfig
from put_server.cluster.finished_games import OldGames
from put_server.cluster.link import ShardLinks, read_packet
from put_server.cluster.link_messages import FromShard
from put_server.cluster.shard_dispatcher import ShardDispatcher
from put_server.cluster.shard_stream import RETRY_S, Overtaken, StreamRequests, streams_of
from put_server.cluster.stream_journal import StreamJournal
from put_server.lobby_runners import LobbyRunners
from put_server.settings import Settings
from put_server.ticks import milliseconds, ticking
from put_server.transport.shuffler import Shuffler

STILL_MS: Final = 1_000
"""The clock stops after this time without an acknowledgment, a beat or a reading, which come several times a second."""


class ShardClock:
    def __init__(
        self, start: int, waits_since: Callable[[], int | None], milliseconds: Callable[[], int] = milliseconds
    ) -> None:
        """`waits_since`: time of `milliseconds` at which the wait for an answer began; None: no wait."""
        self._milliseconds = milliseconds
        self._waits_since = waits_since
        self._read_at = milliseconds()
        self._now = start

    def __call__(self) -> int:
        at = self._milliseconds()
        goes_until = min(at, self._read_at + STILL_MS)
        if (since := self._waits_since()) is not None:
            goes_until = min(goes_until, since + STILL_MS)
        self._now += max(0, goes_until - self._read_at)
        self._read_at = at
        return self._now


log = logging.getLogger(__name__)

FOLDED_AT_ONCE = 50
"""Records to replay before the worker's other shards are served again: some milliseconds."""

SETTLED_S = 2.0
"""Time limit for the last checkpoint; then the shard is given away without it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardHost:
    """Resources that the shards of a worker share."""

    client: Client
    requests: StreamRequests
    settings: Settings
    config: ClusterConfig
    holder: str
    """The worker's unique name."""
    process: WorkerProcess
    wake: Callable[[int], None]
    """Call it when a shard may have packets to publish."""
    thinks: bool = True
    """House players pause before they act."""


class Shard:
    def __init__(self, host: ShardHost, number: int) -> None:
        self.number = number
        self._host = host
        self._is_given_away = asyncio.Event()
        self._is_overtaken = asyncio.Event()
        self.journal: StreamJournal | None = None
        self.dispatcher: ShardDispatcher | None = None
        """None until the shard is claimed."""
        self._links: ShardLinks | None = None
        self._names = BrokerNames(host.settings.cluster)
        self.old_games = OldGames(
            host.client, self._names.games(number), host.settings.retention, shards=host.config.shards
        )
        self.opened_at = 0.0
        """Time when it began to serve, by `time.monotonic`; 0: it does not serve."""

    @property
    def is_given_away(self) -> bool:
        return self._is_given_away.is_set()

    @property
    def claim(self) -> int:
        return 0 if self.journal is None else self.journal.claim

    def give_away(self) -> None:
        """Begin to end in good order."""
        self._is_given_away.set()

    async def run(self) -> None:
        """Claim the shard, and serve it until it is given away.

        :raises Overtaken: another worker has it.
        :raises OutOfReach: its stream accepted no message for long.
        :raises JournalError: the stream is unreadable.
        :raises DoesNotFollow, BadRecord: the records cannot be replayed.
        :raises Diverged: the lobby here differs from the records.
        """
        begun = time.monotonic()
        self.journal = journal = await self._claimed()
        try:
            tables = await self._bring_back(journal)
            taken = time.monotonic() - begun
            log.info("shard %d: %d tables back in %.2f s, claim %d", self.number, tables, taken, journal.claim)
            await self._serve(journal)
        finally:
            await self._close(journal)

    async def _claimed(self) -> StreamJournal:
        host = self._host
        while True:
            heed_cancellation()
            streams = streams_of(host.client, host.settings.cluster, host.config, self.number, host.requests)
            try:
                journal = await StreamJournal.opened(*streams, host.holder)
                journal.retention = host.settings.retention
                journal.key_of_networks = bytes.fromhex(host.config.passcode_key)
                return journal
            except OutOfReach as error:
                log.warning("shard %d cannot be claimed yet: %s", self.number, error)
            await asyncio.sleep(RETRY_S)

    async def _bring_back(self, journal: StreamJournal) -> int:
        """Replay the stream into a lobby, while other tasks run. Returns the number of tables."""
        host, settings = self._host, self._host.settings
        key = bytes.fromhex(host.config.passcode_key)
        journal.fresh = partial(new_lobby, settings, key, shard=self.number, shards=host.config.shards)
        lobby = journal.fresh()
        now = ShardClock(journal.last_time(), lambda: self._stands_since(journal))
        for place, _ in enumerate(journal.bring_back(lobby, journal.checkpoint(), journal.records())):
            if place % FOLDED_AT_ONCE == 0:
                await asyncio.sleep(0)
        self._runners = LobbyRunners(lobby, settings, thinks=host.thinks, worker=host.process)
        self.dispatcher = self._runners.dispatcher = ShardDispatcher(
            lobby,
            shuffler=Shuffler(settings.seed),
            now=now,
            houses=self._runners.houses,
            journal=journal,
            studies=self._runners.analysis,
            want_parts=self._runners.parts.want,
            send=self._send,
        )
        self._links = ShardLinks(
            self.number,
            journal.claim,
            milliseconds(),
            opened=lambda gateway: log.info("shard %d: gateway %s is connected", self.number, gateway),
            handle=self.dispatcher.hear,
            broken=self._lose,
            overtaken=self._is_overtaken.set,
        )
        return len(lobby.tables)

    def _stands_since(self, journal: StreamJournal) -> int | None:
        """Start of the silence of the stream or of the gateways; None: no commit waits, and there is no link."""
        heard_at = None if self._links is None else self._links.heard_at
        return min([at for at in (journal.waits_since, heard_at) if at is not None], default=None)

    def _send(self, gateway: str, item: FromShard) -> None:
        assert self._links is not None
        self._links.send(gateway, item)
        self._host.wake(self.number)

    def _lose(self, gateway: str, why: str) -> None:
        assert self.dispatcher is not None
        log.info("shard %d: gateway %s is lost: %s", self.number, gateway, why)
        self.dispatcher.leave(gateway)

    async def _serve(self, journal: StreamJournal) -> None:
        assert self.dispatcher is not None
        dispatcher, settings = self.dispatcher, self._host.settings
        is_exhibition = settings.seed is not None
        async with unwrapped(), asyncio.TaskGroup() as tasks:
            writing = tasks.create_task(journal.run())
            dispatcher.begin(
                settings.policy, is_exhibition=is_exhibition, today=1 if is_exhibition else time.time_ns() // 1_000_000
            )
            if journal.kept.records:  # the next worker need not fold what this one did
                dispatcher.compact_behind()
            works = [
                tasks.create_task(work)
                for work in (
                    ticking(self._tick, dispatcher.tick_sessions),
                    self._follow_claims(),
                    self.old_games.run(),
                    *self._runners.works(),
                )
            ]
            reading = await self._host.client.subscribe(self._names.subject("shard", self.number), cb=self._receive)
            try:
                self.opened_at = time.monotonic()
                self._host.wake(self.number)
                heed_cancellation()
                await self._is_given_away.wait()
                await self._settle(journal)
            finally:
                with suppress(NatsError):
                    await reading.unsubscribe()
            for work in works:
                work.cancel()
            journal.finish()
            await writing
            await journal.note_given_away()

    async def _settle(self, journal: StreamJournal) -> None:
        """Make a checkpoint while the shard is still served, so that the next worker has few records to replay."""
        assert self.dispatcher is not None
        self.dispatcher.compact_behind()
        with suppress(TimeoutError):
            async with asyncio.timeout(SETTLED_S):
                await journal.settle()

    async def _receive(self, message: Msg) -> None:
        assert self._links is not None
        assert self.dispatcher is not None
        packet = read_packet(message.data)
        if packet is None:
            return
        self.dispatcher.read_at = perf_counter()
        try:
            self._links.receive(packet, milliseconds())
        except Exception:  # the boundary of gateways: a packet never ends a shard
            log.exception("a packet of gateway %s could not be handled", packet.gateway)
        if self._links.must_answer:
            self._host.wake(self.number)

    def packets(self) -> Iterator[tuple[str, bytes]]:
        """Packets to publish now, each with its subject."""
        if self._links is not None and self.opened_at:
            assert self.dispatcher is not None
            for gateway, data in self._links.take(milliseconds()):
                yield self._names.to_gateway(gateway), data

    def _tick(self) -> None:
        assert self._links is not None
        assert self.dispatcher is not None
        self._host.requests.heed_reconnection()
        self.dispatcher.tick()
        self._links.tick(milliseconds())
        self._host.wake(self.number)

    def tell_news(self) -> None:
        """Send delayed news; call it ten times a second."""
        if self.opened_at and self.dispatcher is not None:
            self.dispatcher.tell_news()

    async def _follow_claims(self) -> None:
        """:raises Overtaken: a gateway has heard of a later worker."""
        await self._is_overtaken.wait()
        raise Overtaken(f"a later worker has shard {self.number}")

    async def _close(self, journal: StreamJournal) -> None:
        with suppress(NatsError):
            for data in list(self.packets()):
                await self._host.client.publish(*data)
            if self._links is not None:
                self._links.close()
            for data in list(self.packets()):
                await self._host.client.publish(*data)
        self.opened_at = 0.0
        if self.dispatcher is not None:
            self._runners.houses.close()
            self.dispatcher.cut_all()
        journal.close()
