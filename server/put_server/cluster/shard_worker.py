"""Worker: runs its share of the shards, takes over those of dead workers, and gives some away to new workers.

Every worker publishes beats, and follows those of the others (`beats`). A worker with more than its share gives away
one shard at a time, and notes that in the stream. So a new worker takes such a shard at once; before taking any other,
it waits long enough to hear every live worker.
"""

import asyncio
import logging
import math
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Final

import msgspec
from msgspec import Struct
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from put_server.analysis.service import WorkerProcess
from put_server.cluster.beats import DEAD_S, Heartbeat, LiveWorkers, to_take
from put_server.cluster.broker import (
    BrokerNames,
    LinkPublisher,
    OutOfReach,
    heed_cancellation,
    process_name,
)
from put_server.cluster.cluster_config import ClusterConfig
from put_server.cluster.home_shards import home_of_digest
from put_server.cluster.shard import ServedShard, Shard
from put_server.cluster.shard_stream import Overtaken, ShardStream, StreamRequests, streams_of
from put_server.cluster.stream_journal import Diverged
from put_server.journal.journal_errors import JournalError
from put_server.settings import Settings
from put_server.table.clock import NEWS_MS
from put_server.ticks import telling, until_tick

log = logging.getLogger(__name__)

BEAT_S: Final = 0.25

START_S: Final = 0.1
"""Time for which a new worker listens to other new ones."""

KEEP_S: Final = 30.0
"""Interval for telling other shards of disconnected players with a seat here; they keep these people four times as
long. It is also the longest time for which such a seat waits for a person who said `bye` while the shard was down."""

LEAVE_S: Final = 10.0
"""Longest time for which a leaving worker tries to give a shard away in good order."""

MEND_S: Final = 10.0
"""Pause before another attempt with an unreadable shard, which an operator may repair."""


class AbsentPlayers(Struct, frozen=True, array_like=True):
    shard: int
    tokens: tuple[bytes, ...]
    """Their digests."""
    are_gone: bool = False
    """Their home says this: it knows them no more, and so they cannot come back."""


_encode = msgspec.msgpack.Encoder().encode
_decode_beat = msgspec.msgpack.Decoder(Heartbeat).decode
_decode_kept = msgspec.msgpack.Decoder(AbsentPlayers).decode


class ShardWorker:
    def __init__(
        self,
        settings: Settings,
        client: Client,
        config: ClusterConfig,
        *,
        homes: Mapping[bytes, int] | None = None,
        thinks: bool = True,
    ) -> None:
        """`homes`: as in a gateway."""
        self.name = process_name()
        self.settings = settings
        self.client = client
        self.config = config
        self._homes = homes or {}
        self.names = BrokerNames(settings.cluster)
        self._beats_subject, self._kept_subject = self.names.subject("workers"), self.names.subject("kept")
        self._publisher = LinkPublisher(client, self._packets)
        self.requests = StreamRequests(client)
        self.process = WorkerProcess(is_shared=True)
        self.thinks = thinks
        """House players pause before they act."""
        self.shards: dict[int, Shard] = {}
        self._lives: dict[int, asyncio.Task[None]] = {}
        self._alive = LiveWorkers(time.monotonic())
        self._free_since: dict[int, float] = {}
        """Time from which each shard without a worker may be taken; may be in the future."""
        self._unsent: dict[int, None] = {}
        """Shards that may have packets to publish."""
        self._cancelled: set[int] = set()
        self.aside: dict[int, str] = {}
        """Shards put aside because they cannot be read, and why."""
        self._retry_at: dict[int, float] = {}
        self._kept_at = time.monotonic()
        self._wake = asyncio.Event()
        self._is_leaving = False
        self._gives_up_at = math.inf

    @property
    def served(self) -> dict[int, ServedShard]:
        """Shards that are open, by number."""
        return {number: shard.served for number, shard in sorted(self.shards.items()) if shard.served is not None}

    def streams(self, shard: int) -> tuple[ShardStream, ShardStream]:
        return streams_of(self.client, self.settings.cluster, self.config, shard, self.requests)

    def drain(self) -> None:
        """Give away every shard, one after another; then `run` returns."""
        self._is_leaving = True
        self._wake.set()

    async def run(self) -> None:
        beats = await self.client.subscribe(self._beats_subject, cb=self._hear_beat)
        kept = await self.client.subscribe(self._kept_subject, cb=self._hear_kept)
        try:
            async with asyncio.TaskGroup() as tasks:
                works = [
                    tasks.create_task(work)
                    for work in (
                        self._publisher.run(),
                        telling(self._tell_news, self._is_quiet, NEWS_MS / 1000),
                    )
                ]
                await self._begin_looking()
                while not (self._is_leaving and not self._lives):
                    heed_cancellation()
                    await self._beat()
                    self._wake.clear()
                    await self._look(tasks)
                    with suppress(TimeoutError):
                        async with asyncio.timeout(until_tick(BEAT_S, time.monotonic())):
                            await self._wake.wait()
                self.aside.clear()
                await self._beat()
                for work in works:
                    work.cancel()
        finally:
            with suppress(NatsError):
                await beats.unsubscribe()
                await kept.unsubscribe()
            await self.process.end()

    async def _begin_looking(self) -> None:
        """Find the shards that may be taken at once, and listen to other workers."""
        await self._beat()
        journals = [self.streams(shard)[0] for shard in range(self.config.shards)]
        given_away = await asyncio.gather(*[journal.is_given_away() for journal in journals])
        now = time.monotonic()
        self._free_since = {shard: now + (0.0 if free else DEAD_S) for shard, free in enumerate(given_away)}
        await asyncio.sleep(START_S)

    @property
    def _ours(self) -> list[int]:
        return sorted({*self.shards, *self.aside})

    async def _beat(self) -> None:
        claims = tuple([self.shards[shard].claim if shard in self.shards else 0 for shard in self._ours])
        beat = Heartbeat(self.name, tuple(self._ours), self._is_leaving, claims)
        with suppress(NatsError):
            await self.client.publish(self._beats_subject, _encode(beat))

    async def _hear_beat(self, message: Msg) -> None:
        try:
            beat = _decode_beat(message.data)
        except msgspec.MsgspecError:
            log.warning("a message on the subject of beats cannot be read")
            return
        if beat.worker != self.name and self._alive.hear(beat, time.monotonic()):
            self._wake.set()  # a shard may be free, or a worker begins and does not know us

    async def _look(self, tasks: asyncio.TaskGroup) -> None:
        """End, begin or give away shards, depending on the other workers."""
        now = time.monotonic()
        living = self._alive.living(now)
        for beat in living:
            for number, claim in zip(beat.shards, beat.claims, strict=False):
                if number in self.shards and claim > self.shards[number].claim > 0:
                    self._cancel(number, f"{beat.worker} runs it now")
        for number in [number for number in self.aside if number in self.shards and self.shards[number].served]:
            del self.aside[number]
        busy = {*self._ours, *[shard for beat in living for shard in beat.shards]}
        self._free_since = {
            shard: self._free_since.get(shard, now) for shard in range(self.config.shards) if shard not in busy
        }
        loads = {beat.worker: len(beat.shards) for beat in living if not beat.is_leaving}
        if not self._is_leaving:
            loads[self.name] = len(self._ours)
        free = {shard: now - since for shard, since in self._free_since.items() if now >= since}
        mended = [shard for shard, at in self._retry_at.items() if now >= at and not self._is_leaving]
        for number in [*to_take(self.name, loads, free), *[n for n in mended if n in self.aside]]:
            if number not in self._lives:
                self._begin(number, tasks)
        self._give_away(len(loads), now)
        if now - self._kept_at >= KEEP_S:
            self._kept_at = now
            await self.tell_kept()

    def _cancel(self, number: int, why: str) -> None:
        if number not in self._cancelled:
            log.warning("shard %d ends here: %s", number, why)
            self._cancelled.add(number)
            self._lives[number].cancel()

    def _begin(self, number: int, tasks: asyncio.TaskGroup) -> None:
        shard = self.shards[number] = Shard(self, number)
        self._lives[number] = tasks.create_task(self._live(shard))

    def _give_away(self, staying: int, now: float) -> None:
        """Give away one shard if we have more than our share; one at a time. A leaving worker does this only for a
        limited time. Then its shards end as in a crash, which loses nothing."""
        if any(shard.is_given_away for shard in self.shards.values()):
            if now >= self._gives_up_at:
                for number in self._lives:
                    self._cancel(number, f"NATS has not answered for {LEAVE_S:.0f} s")
            return
        share = 0 if self._is_leaving else math.ceil(self.config.shards / staying)
        if len(self.shards) > share and (self._is_leaving or staying > 1):
            number = max(self.shards)
            log.info("shard %d is given away", number)
            self.shards[number].give_away()
            self._gives_up_at = now + LEAVE_S if self._is_leaving else math.inf

    async def _live(self, shard: Shard) -> None:
        number = shard.number
        is_free_in = 0.0
        try:
            await shard.run()
        except asyncio.CancelledError:
            if number not in self._cancelled:
                raise
            is_free_in = DEAD_S
        except Overtaken as error:
            log.warning("shard %d ends here: %s", number, error)
            is_free_in = DEAD_S  # the beats of the later worker may come a little later
        except OutOfReach as error:
            log.warning("shard %d ends here: %s", number, error)
        except Diverged as error:
            log.error("shard %d goes back to what is stored: %s", number, error)
        except Exception as error:  # the boundary of shards: a bug in a shard ends only this shard
            is_known = isinstance(error, JournalError)
            log.error("shard %d cannot be served: %s", number, error, exc_info=None if is_known else error)
            # It stays ours: another worker would have the same bug.
            self.aside[number] = str(error) if is_known else "a bug was met in it; the log says more"
            self._retry_at[number] = time.monotonic() + MEND_S
        finally:
            self._cancelled.discard(number)
            del self.shards[number], self._lives[number]
        self._free_since[number] = time.monotonic() + is_free_in
        self._wake.set()

    async def tell_kept(self) -> None:
        """Tell the other shards of disconnected players with a seat in ours."""
        for number, there in self.served.items():
            if tokens := there.dispatcher.lost_players():
                with suppress(NatsError):
                    await self.client.publish(self._kept_subject, _encode(AbsentPlayers(number, tuple(tokens))))

    async def _hear_kept(self, message: Msg) -> None:
        try:
            kept = _decode_kept(message.data)
        except msgspec.MsgspecError:
            log.warning("a message about lost players cannot be read")
            return
        for number, there in self.served.items():
            if (number == kept.shard) != kept.are_gone:
                continue
            if kept.are_gone:
                there.dispatcher.depart(kept.tokens)
                continue
            there.dispatcher.keep(kept.tokens)
            ours = [token for token in kept.tokens if self._home_of(token) == number]
            if gone := there.dispatcher.strangers(ours):
                with suppress(NatsError):
                    answer = AbsentPlayers(kept.shard, tuple(gone), are_gone=True)
                    await self.client.publish(self._kept_subject, _encode(answer))

    def _home_of(self, token: bytes) -> int:
        return self._homes.get(token, home_of_digest(token, self.config.shards))

    def _is_quiet(self) -> bool:
        return all(there.dispatcher.is_empty for there in self.served.values())

    def _tell_news(self) -> None:
        for number, there in self.served.items():
            try:
                there.dispatcher.tell_news()
            except Exception:  # the boundary of shards
                log.exception("the news of shard %d could not be told", number)

    def publish_soon(self, shard: int) -> None:
        """Publish what a shard has to send, at the end of this turn of the loop."""
        self._unsent[shard] = None
        self._publisher.wake()

    def _packets(self) -> Iterator[tuple[str, bytes]]:
        while self._unsent:
            number, _ = self._unsent.popitem()
            if (shard := self.shards.get(number)) is not None and shard.served is not None:
                yield from shard.served.packets()
