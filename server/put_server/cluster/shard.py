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
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Final

from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from put_runtime.system_errors import unwrapped
from put_server.app import new_lobby
from put_server.cluster.broker import OutOfReach, heed_cancellation
from put_server.cluster.finished_games import OldGames
from put_server.cluster.link import ShardLinks, read_packet
from put_server.cluster.link_messages import FromShard
from put_server.cluster.shard_dispatcher import ShardDispatcher
from put_server.cluster.shard_stream import RETRY_S
from put_server.cluster.stream_journal import StreamJournal
from put_server.lobby.lobby import Lobby
from put_server.lobby_runners import LobbyRunners
from put_server.ticks import milliseconds, ticking
from put_server.transport.shuffler import Shuffler

if TYPE_CHECKING:
    from put_server.cluster.shard_worker import ShardWorker

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


class ServedShard:
    """The lobby of a claimed shard with all that plays in it, and its links with gateways."""

    def __init__(self, worker: "ShardWorker", number: int, journal: StreamJournal, lobby: Lobby) -> None:
        self.number = number
        self.journal = journal
        self._worker = worker
        self.old_games = OldGames(
            worker.client, worker.names.games(number), worker.settings.retention, shards=worker.config.shards
        )
        self.links = ShardLinks(
            number,
            journal.claim,
            milliseconds(),
            opened=lambda gateway: log.info("shard %d: gateway %s is connected", number, gateway),
            handle=lambda gateway, item: self.dispatcher.hear(gateway, item),  # noqa: PLW0108  # made below
            broken=self._lose,
        )
        self.runners = LobbyRunners(lobby, worker.settings, thinks=worker.thinks, worker=worker.process)
        self.dispatcher = self.runners.dispatcher = ShardDispatcher(
            lobby,
            shuffler=Shuffler(worker.settings.seed),
            now=ShardClock(journal.last_time, self._stands_since),
            houses=self.runners.houses,
            journal=journal,
            studies=self.runners.analysis,
            want_parts=self.runners.parts.want,
            send=self._send,
        )

    def _stands_since(self) -> int | None:
        """Start of the silence of the stream or of the gateways; None: no commit waits, and there is no link."""
        return min([at for at in (self.journal.waits_since, self.links.heard_at) if at is not None], default=None)

    def _send(self, gateway: str, item: FromShard) -> None:
        self.links.send(gateway, item)
        self._worker.publish_soon(self.number)

    def _lose(self, gateway: str, why: str) -> None:
        log.info("shard %d: gateway %s is lost: %s", self.number, gateway, why)
        self.dispatcher.leave(gateway)

    async def receive(self, message: Msg) -> None:
        packet = read_packet(message.data)
        if packet is None:
            return
        self.dispatcher.read_at = perf_counter()
        try:
            self.links.receive(packet, milliseconds())
        except Exception:  # the boundary of gateways: a packet never ends a shard
            log.exception("a packet of gateway %s could not be handled", packet.gateway)
        self._worker.publish_soon(self.number)

    def packets(self) -> Iterator[tuple[str, bytes]]:
        """Packets to publish now, each with its subject."""
        for gateway, data in self.links.take(milliseconds()):
            yield self._worker.names.to_gateway(gateway), data

    def begin(self) -> None:
        self.runners.begin()
        if self.journal.kept.records:  # the next worker need not fold what this one did
            self.dispatcher.compact_behind()

    def works(self) -> list[Coroutine[None, None, None]]:
        """Work that never ends: make owned tasks of it."""
        return [
            ticking(self._tick, self.dispatcher.tick_sessions),
            self.old_games.run(),
            *self.runners.works(),
        ]

    def _tick(self) -> None:
        self._worker.requests.heed_reconnection()
        self.dispatcher.tick()
        self.links.tick(milliseconds())
        self._worker.publish_soon(self.number)

    async def settle(self) -> None:
        """Make a checkpoint while the shard is still served, so that the next worker has few records to replay."""
        self.dispatcher.compact_behind()
        with suppress(TimeoutError):
            async with asyncio.timeout(SETTLED_S):
                await self.journal.settle()

    def close(self) -> None:
        self.runners.houses.close()
        self.dispatcher.cut_all()


class Shard:
    """A shard at this worker, from its claim to its end."""

    def __init__(self, worker: "ShardWorker", number: int) -> None:
        self.number = number
        self._worker = worker
        self._is_given_away = asyncio.Event()
        self.claim = 0
        """Incarnation of the shard; 0 until it is claimed."""
        self.served: ServedShard | None = None
        """None until its tables are back, and from its end on."""

    @property
    def is_given_away(self) -> bool:
        return self._is_given_away.is_set()

    def give_away(self) -> None:
        """Begin to end in good order."""
        self._is_given_away.set()

    async def run(self) -> None:
        """Claim the shard, and serve it until it is given away.

        :raises Overtaken: another worker has it.
        :raises OutOfReach: its stream accepted no message for long.
        :raises JournalError: the stream is unreadable, or its records cannot be replayed.
        :raises Diverged: the lobby here differs from the records.
        """
        begun = time.monotonic()
        journal = await self._claimed()
        self.claim = journal.claim
        try:
            lobby = await self._brought_back(journal)
            taken = time.monotonic() - begun
            says = "shard %d: %d tables back in %.2f s, claim %d"
            log.info(says, self.number, len(lobby.tables), taken, journal.claim)
            await self._serve(ServedShard(self._worker, self.number, journal, lobby))
        finally:
            journal.close()

    async def _claimed(self) -> StreamJournal:
        worker = self._worker
        while True:
            heed_cancellation()
            try:
                journal = await StreamJournal.opened(*worker.streams(self.number), worker.name)
                journal.retention = worker.settings.retention
                journal.key_of_networks = bytes.fromhex(worker.config.passcode_key)
                return journal
            except OutOfReach as error:
                log.warning("shard %d cannot be claimed yet: %s", self.number, error)
            await asyncio.sleep(RETRY_S)

    async def _brought_back(self, journal: StreamJournal) -> Lobby:
        """Replay the stream into a lobby, while other tasks run."""
        config, settings = self._worker.config, self._worker.settings
        key = bytes.fromhex(config.passcode_key)
        journal.fresh = partial(new_lobby, settings, key, shard=self.number, shards=config.shards)
        lobby = journal.fresh()
        for place, _ in enumerate(journal.bring_back(lobby, journal.kept)):
            if place % FOLDED_AT_ONCE == 0:
                await asyncio.sleep(0)
        return lobby

    async def _serve(self, served: ServedShard) -> None:
        subject = self._worker.names.subject("shard", self.number)
        try:
            async with unwrapped(), asyncio.TaskGroup() as tasks:
                writing = tasks.create_task(served.journal.run())
                served.begin()
                works = [tasks.create_task(work) for work in served.works()]
                reading = await self._worker.client.subscribe(subject, cb=served.receive)
                try:
                    self.served = served
                    self._worker.publish_soon(self.number)
                    heed_cancellation()
                    await self._is_given_away.wait()
                    await served.settle()
                finally:
                    with suppress(NatsError):
                        await reading.unsubscribe()
                for work in works:
                    work.cancel()
                served.journal.finish()
                await writing
                await served.journal.note_given_away()
        finally:
            if self.served is not None:
                with suppress(NatsError):
                    await self._publish(served)
                    served.links.close()
                    await self._publish(served)
            self.served = None
            served.close()

    async def _publish(self, served: ServedShard) -> None:
        for data in list(served.packets()):
            await self._worker.client.publish(*data)
