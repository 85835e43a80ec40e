"""Worker: runs its share of the shards, takes those of workers that died, and gives some away to newcomers.

Every worker publishes beats, with its name and the shards that it runs. A worker that is not heard for a lease is taken
for dead, and its shards for free. Each live worker takes free shards up to its fair share at once, and more if no other
worker took them. A worker with more than its share gives one away at a time. The leases decide, so a wrong guess about
which workers are alive costs a takeover and nothing else.
"""

import asyncio
import logging
import math
import os
import secrets
import socket
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

import msgspec
from msgspec import Struct
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from put_rules.steps import BadRecord
from put_server.analysis.service import WorkerProcess
from put_server.app import QUIET_SECONDS
from put_server.cluster.broker import LinkPublisher, OutOfReach, heed_cancellation
from put_server.cluster.cluster_config import ClusterConfig
from put_server.cluster.home_shards import home_of_digest
from put_server.cluster.leases import FORMAT, NO_WORKER, Heartbeat, Leases, LiveWorkers
from put_server.cluster.shard import Shard, ShardHost
from put_server.cluster.shard_stream import Overtaken, StreamRequests
from put_server.cluster.stream_journal import Diverged
from put_server.journal.journal_errors import JournalError
from put_server.journal.lobby_replay import DoesNotFollow
from put_server.settings import Settings
from put_server.table.gallery_news import NEWS_MS
from put_server.ticks import next_tick, until_tick

log = logging.getLogger(__name__)

BEAT_S: Final = 0.25
"""Interval of beats."""

LOOK_S: Final = 1.0
"""Interval at which the leases are read if nothing happens."""

SPARE_S: Final = 1.0
"""Time for which a free shard beyond our share is left to other workers."""

KEEP_S: Final = 30.0
"""Interval at which other shards are told of lost players with a seat here; they keep those four times as long. It is
the longest time, too, for which such a seat waits for a person who said `bye` while the shard was down."""

CUT_OFF_S: Final = 12.0
"""Silence of the broker after which another of its servers is tried. An election takes up to nine seconds."""

LEAVE_S: Final = 10.0
"""Longest silence of the broker that a leaving worker waits out."""

TOLD_S: Final = 10.0
"""Shortest time between two warnings about a silent broker."""

MEND_S: Final = 10.0
"""Pause before a shard whose journal cannot be read is tried again: an operator may mend it."""


def beats_subject(cluster: str) -> str:
    """The subject on which every worker of a cluster publishes its beats."""
    return f"put.{cluster}.workers"


class AbsentPlayers(Struct, frozen=True, array_like=True):
    """Lost players who have a seat in a shard."""

    shard: int
    tokens: tuple[bytes, ...]
    """Their digests."""
    are_gone: bool = False
    """Their home says this: it knows them no more, and so they cannot come back."""


_encode = msgspec.msgpack.Encoder().encode
_decode_beat = msgspec.msgpack.Decoder(Heartbeat).decode
_decode_kept = msgspec.msgpack.Decoder(AbsentPlayers).decode


def plan(
    us: str, holders: Sequence[str], running: Mapping[str, Collection[int]], free_for: Mapping[int, float]
) -> tuple[str, ...]:
    """The holders that this worker wants: it takes free shards up to its share, and others that stay free. `running`:
    shards that each live worker runs, this one included unless it is leaving; `free_for`: seconds for which each free
    shard was seen to be free."""
    wanted = list(holders)
    if us not in running:
        return tuple(wanted)
    share = math.ceil(len(holders) / len(running))
    ours = sum(holder == us for holder in holders)
    for shard in sorted(free_for, key=lambda shard: (shard not in running[us], shard)):
        if shard in running[us] or ours < share or free_for[shard] >= SPARE_S:
            wanted[shard] = us
            ours += 1
    return tuple(wanted)


class ShardWorker:
    """One process that runs shards."""

    def __init__(
        self,
        settings: Settings,
        client: Client,
        config: ClusterConfig,
        *,
        homes: Mapping[bytes, int] | None = None,
        thinks: bool = True,
        end: Callable[[], None] = lambda: None,
    ) -> None:
        """`homes`: as a gateway has them. `end`: begins to end the process."""
        self.name = f"{socket.gethostname().split('.')[0]}-{os.getpid()}-{secrets.token_hex(4)}"
        """Name of the worker, which is part of names on the broker; no other worker ever has it."""
        self._client = client
        self._config = config
        self._homes = homes or {}
        self._beats_subject = beats_subject(settings.cluster)
        self._kept_subject = f"put.{settings.cluster}.kept"
        self._leases = Leases(client, settings.cluster, shards=config.shards, replicas=config.replicas)
        self._publisher = LinkPublisher(client, self._packets)
        self._host = ShardHost(
            client=client,
            requests=StreamRequests(client),
            settings=settings,
            config=config,
            holder=self.name,
            process=WorkerProcess(is_shared=True),
            wake=self._wake_publisher,
            thinks=thinks,
        )
        self.retention = settings.retention
        """Limits for finished games."""
        self.shards: dict[int, Shard] = {}
        """Shards that it runs, by number."""
        self._lives: dict[int, asyncio.Task[None]] = {}
        self._alive = LiveWorkers(time.monotonic())
        self._free_since: dict[int, float] = {}
        self._unsent: dict[int, None] = {}
        """Shards that may have something to publish."""
        self._lost: set[int] = set()
        """Shards whose lease another worker has."""
        self.may_lose_seconds = settings.may_lose_seconds
        self.aside: dict[int, str] = {}
        """Shards put aside because they cannot be read, and why."""
        self._mend_at: dict[int, float] = {}
        """Time at which a shard that could not be served may be tried again."""
        self._read_at = 0.0
        """Time of the last attempt to read the leases."""
        self._kept_at = time.monotonic()
        self._wake = asyncio.Event()
        self._is_leaving = False
        self._end = end
        self.refusal = ""
        """Reason why it may not serve this cluster; empty: it may."""
        self._answered_at = time.monotonic()
        """Time at which the leases were last read, or another server of the broker was tried."""
        self._silent_since: float | None = None
        """Time of the first reading of the leases that failed, counted anew from `drain`; None: the last succeeded."""
        self._told_at = -math.inf
        """Time of the last warning about a silent broker."""

    def drain(self) -> None:
        """Give every shard away, one after another; `run` then returns."""
        self._is_leaving = True
        self._silent_since = None
        self._wake.set()

    async def run(self) -> None:
        beats = await self._client.subscribe(self._beats_subject, cb=self._hear_beat)
        kept = await self._client.subscribe(self._kept_subject, cb=self._hear_kept)
        try:
            async with asyncio.TaskGroup() as tasks:
                works = [tasks.create_task(self._publisher.run()), tasks.create_task(self._tell_news())]
                while not (self._is_leaving and not self._lives):
                    heed_cancellation()
                    await self._beat()
                    if self._wants_look(time.monotonic()):
                        self._wake.clear()
                        await self._look(tasks)
                    with suppress(TimeoutError):
                        async with asyncio.timeout(until_tick(BEAT_S, time.monotonic())):
                            await self._wake.wait()
                for shard in list(self._mend_at):
                    await self._release(shard)
                await self._beat()
                for work in works:
                    work.cancel()
        finally:
            with suppress(NatsError):
                await beats.unsubscribe()
                await kept.unsubscribe()
            await self._host.process.end()

    async def _beat(self) -> None:
        beat = Heartbeat(self.name, tuple(sorted(self.shards)), self._is_leaving)
        with suppress(NatsError):
            await self._client.publish(self._beats_subject, _encode(beat))

    async def _hear_beat(self, message: Msg) -> None:
        try:
            beat = _decode_beat(message.data)
        except msgspec.MsgspecError:
            log.warning("a message on the subject of beats cannot be read")
            return
        if beat.worker != self.name and self._alive.hear(beat, time.monotonic()):
            self._wake.set()  # a shard may be free

    def _running(self, holders: Sequence[str], now: float) -> dict[str, Collection[int]]:
        """The shards of every living worker, leaving ones included."""
        running = self._alive.running([holder for holder in holders if holder != self.name], now)
        return {**running, self.name: self.shards}

    def _wants_look(self, now: float) -> bool:
        """True if it is time to read the leases, or a shard may be free."""
        self._alive.heed_stall(now)
        may_be_free = bool(self._free_since) or self._alive.is_anybody_silent(now)
        return self._wake.is_set() or may_be_free or now - self._read_at >= LOOK_S

    async def _look(self, tasks: asyncio.TaskGroup) -> None:
        """Read the leases, and end, begin or give away shards accordingly."""
        self._read_at = time.monotonic()
        try:
            holders, revision, format_ = await self._leases.read()
            self._answered_at = self._read_at
            self._silent_since = None
            if format_ > FORMAT and not self.refusal:
                self._refuse(format_)
        except OutOfReach as error:
            await self._heed_silence(error)
            return
        now = time.monotonic()
        for number in list(self.aside):
            if holders[number] != self.name or (number in self.shards and self.shards[number].opened_at):
                del self.aside[number]
        for shard, life in self._lives.items():
            if holders[shard] not in (NO_WORKER, self.name) and shard not in self._lost:
                log.warning("shard %d is run by %s now", shard, holders[shard])
                self._lost.add(shard)
                life.cancel()
        running = self._running(holders, now)
        free = self._free(holders, running, now)
        staying = {
            worker: shards
            for worker, shards in running.items()
            if not (self._is_leaving if worker == self.name else self._alive.leaves(worker))
        }
        wanted = plan(self.name, holders, staying, free)
        if wanted != holders:
            try:
                if not await self._leases.write(wanted, revision):
                    self._wake.set()
                    return
            except OutOfReach as error:
                log.warning("the leases cannot be changed: %s", error)
                return
        for shard, holder in enumerate(wanted):
            if holder == self.name and shard not in self._lives and now >= self._mend_at.get(shard, 0.0):
                self._begin(shard, tasks)
        self._give_away(wanted, len(staying))
        if now - self._kept_at >= KEEP_S:
            self._kept_at = now
            await self.tell_kept()

    def _refuse(self, format_: int) -> None:
        """End this worker: a later version serves the cluster, and this one cannot read the shards that it writes."""
        self.refusal = (
            f"a later put-server writes this cluster, in format {format_}, and this one writes format {FORMAT}: "
            "start that one"
        )
        log.error(self.refusal)
        self.drain()
        self._end()

    async def _heed_silence(self, error: OutOfReach) -> None:
        """Handle a failure to read the leases; it ends no shard by itself. A node of the broker that is cut off from
        the others keeps its connections but hears no other process: then another node is tried. A worker that is to end
        does not wait for ever to give shards away: they end as if the process had been killed, which loses nothing,
        because all acknowledged play is in their streams."""
        now = time.monotonic()
        if now - self._told_at >= TOLD_S:
            self._told_at = now
            log.warning("the leases cannot be read: %s", error)
        self._silent_since = now if self._silent_since is None else self._silent_since
        if self._is_leaving and now - self._silent_since >= LEAVE_S:
            log.warning("NATS has not answered for %d s: the shards that are left here end", LEAVE_S)
            self._lost.update(self._lives)
            for life in self._lives.values():
                life.cancel()
        elif now - self._answered_at >= CUT_OFF_S and self._client.is_connected:
            log.warning("NATS has not answered for %d s: trying another server", CUT_OFF_S)
            self._answered_at = now
            await self._client.force_reconnect()

    def _free(self, holders: Sequence[str], running: Mapping[str, Collection[int]], now: float) -> dict[int, float]:
        """Shards that no living worker holds or runs, each with the seconds for which it was seen to be free."""
        busy = {shard for worker, shards in running.items() if worker != self.name for shard in shards}
        free = [
            shard
            for shard, holder in enumerate(holders)
            if shard not in busy and holder != self.name and (holder == NO_WORKER or holder not in running)
        ]
        self._free_since = {shard: self._free_since.get(shard, now) for shard in free}
        return {shard: now - since for shard, since in self._free_since.items()}

    def _begin(self, number: int, tasks: asyncio.TaskGroup) -> None:
        shard = self.shards[number] = Shard(self._host, number)
        self._lives[number] = tasks.create_task(self._live(shard))

    def _give_away(self, holders: Sequence[str], staying: int) -> None:
        """Give away one shard if we have more than our share; one at a time."""
        if any(shard.is_given_away for shard in self.shards.values()):
            return
        share = 0 if self._is_leaving else math.ceil(len(holders) / staying)
        if len(self.shards) > share and (self._is_leaving or staying > 1):
            number = max(self.shards)
            log.info("shard %d is given away", number)
            self.shards[number].give_away()

    async def _live(self, shard: Shard) -> None:
        """Run a shard to its end, and release its lease if it is still ours."""
        number = shard.number
        is_ours = True
        try:
            await shard.run()
        except asyncio.CancelledError:
            if number not in self._lost:
                raise
            is_ours = False
        except (Overtaken, OutOfReach) as error:
            log.warning("shard %d ends here: %s", number, error)
        except Diverged as error:
            log.error("shard %d goes back to what is stored: %s", number, error)
        except Exception as error:  # the boundary of shards: a bug met in one ends that one alone
            is_known = isinstance(error, JournalError | DoesNotFollow | BadRecord)
            log.error("shard %d cannot be served: %s", number, error, exc_info=None if is_known else error)
            self.aside[number] = str(error) if is_known else "a bug was met in it; the log says more"
            self._mend_at[number] = time.monotonic() + MEND_S
            is_ours = False  # keep the lease: another worker would find the same
        finally:
            self._lost.discard(number)
            del self.shards[number], self._lives[number]
        if is_ours:
            await self._release(number)
        self._wake.set()

    async def _release(self, shard: int) -> None:
        """Free a shard, unless another worker has taken it."""
        while True:
            heed_cancellation()
            try:
                holders, revision, _ = await self._leases.read()
                if holders[shard] != self.name:
                    return
                freed = (*holders[:shard], NO_WORKER, *holders[shard + 1 :])
                if await self._leases.write(freed, revision):
                    await self._beat()
                    return
            except OutOfReach:
                return  # the next turn begins the shard again, or finds that another worker has it

    async def tell_kept(self) -> None:
        """Tell the other shards of lost players with a seat in ours."""
        for number, shard in self.shards.items():
            if shard.dispatcher is not None and (tokens := shard.dispatcher.lost_players()):
                with suppress(NatsError):
                    await self._client.publish(self._kept_subject, _encode(AbsentPlayers(number, tuple(tokens))))

    async def _hear_kept(self, message: Msg) -> None:
        try:
            kept = _decode_kept(message.data)
        except msgspec.MsgspecError:
            log.warning("a message about lost players cannot be read")
            return
        for number, shard in list(self.shards.items()):
            if shard.dispatcher is None or (number == kept.shard) != kept.are_gone:
                continue
            if kept.are_gone:
                shard.dispatcher.depart(kept.tokens)
                continue
            shard.dispatcher.keep(kept.tokens)
            ours = [token for token in kept.tokens if self._home_of(token) == number]
            if gone := shard.dispatcher.strangers(ours):
                with suppress(NatsError):
                    answer = AbsentPlayers(kept.shard, tuple(gone), are_gone=True)
                    await self._client.publish(self._kept_subject, _encode(answer))

    def _home_of(self, token: bytes) -> int:
        return self._homes.get(token, home_of_digest(token, self._config.shards))

    async def _tell_news(self) -> None:
        while True:
            shards = list(self.shards.values())
            is_quiet = all(shard.dispatcher is None or shard.dispatcher.is_empty for shard in shards)
            await next_tick(QUIET_SECONDS if is_quiet else NEWS_MS / 1000)
            for shard in shards:
                try:
                    shard.tell_news()
                except Exception:  # the boundary of shards
                    log.exception("the news of shard %d could not be told", shard.number)

    def _wake_publisher(self, shard: int) -> None:
        self._unsent[shard] = None
        self._publisher.wake()

    def _packets(self) -> Iterator[tuple[str, bytes]]:
        while self._unsent:
            number, _ = self._unsent.popitem()
            if (shard := self.shards.get(number)) is not None:
                yield from shard.packets()
