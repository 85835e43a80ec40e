"""Removal of old games from the stream of a shard's finished games. A few are removed at a time, by the same limits as
those of a single server (`journal.retention`).

Games that are too old go first. If the stream is too large, the oldest game of the most crowded network goes. The
broker counts the games of each network, because the network is in the subject of each message: so a worker that takes a
shard over need not read its games.

The last game always stays: the next game gets its number plus one, and no number may be used twice. A worker that was
overtaken and does not know it removes only games that would be removed anyway.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.errors import NotFoundError

from put_server.cluster.cancellation import heed_cancellation
from put_server.cluster.cluster_config import reason
from put_server.cluster.stream_journal import decode_game_row
from put_server.journal.journal_reader import GameColumns
from put_server.journal.retention import BETWEEN_S, ENDED, GAMES_AT_ONCE, LOOK_S, UNKNOWN, Retention

log = logging.getLogger(__name__)

ANSWER_S = 5.0


class OldGames:
    """Keeps the finished games of one shard within the limits; its worker runs it."""

    def __init__(self, client: Client, stream: str, retention: Retention, *, shards: int) -> None:
        """`shards`: number of shards that share the megabytes."""
        self._client = client.jetstream(timeout=ANSWER_S)
        self._name = stream
        self._days = retention.days
        self._most_bytes = retention.megabytes * 2**20 // shards
        self.games = 0
        """Number of games in the stream, when it was last read."""
        self.bytes = 0

    async def run(self) -> None:
        """Remove old games every minute, until cancelled."""
        while True:
            try:
                while await self.remove_some():
                    heed_cancellation()
                    await asyncio.sleep(BETWEEN_S)
            except (NatsError, TimeoutError) as error:
                log.info("stream %s: old games stay for the moment: %s", self._name, reason(error))
            heed_cancellation()
            await asyncio.sleep(LOOK_S)

    async def remove_some(self, now: datetime | None = None) -> bool:
        """Remove a few games beyond the limits. Returns whether there may be more.

        :raises NatsError, TimeoutError: the broker does not do it.
        """
        state = (await self._client.stream_info(self._name)).state
        self.games, self.bytes = state.messages, state.bytes
        if not state.messages:
            return False
        before = ((now or datetime.now(UTC)) - timedelta(days=self._days)).strftime(ENDED) if self._days else ""
        old = [game async for game in self._oldest(state.first_seq, state.last_seq, before)]
        beyond = state.bytes - self._most_bytes if self._most_bytes else 0
        if beyond > 0 and not old:
            old = [game async for game in self._of_crowds(state.last_seq, beyond)]
        for sequence in old:  # and none is purged: see `ShardStream.remove`
            with suppress(NotFoundError):
                await self._client.delete_msg(self._name, sequence)
        return bool(old) and (beyond > 0 or len(old) == GAMES_AT_ONCE)

    async def _oldest(self, first: int, last: int, before: str) -> AsyncIterator[int]:
        """Sequences of a few games that ended before a time, the oldest first."""
        for _ in range(GAMES_AT_ONCE if before else 0):
            sequence, data = await self._next(first)
            row: GameColumns = decode_game_row(data)
            if sequence == last or row[1] >= before:
                return
            yield sequence
            first = sequence + 1

    async def _of_crowds(self, last: int, beyond: int) -> AsyncIterator[int]:
        """Sequences of a few games to remove, until they have `beyond` bytes. Each is the oldest game of the network
        that has most games once the earlier ones are gone."""
        found = (await self._client.stream_info(self._name, subjects_filter=f"{self._name}.>")).state.subjects or {}
        counts = Counter(found)
        counts[(await self._client.get_msg(self._name, seq=last)).subject or ""] -= 1
        first: dict[str, int] = {}
        for _ in range(min(GAMES_AT_ONCE, counts.total())):
            subject = most_crowded(counts)
            sequence, data = await self._next(first.get(subject, 1), subject)
            yield sequence
            first[subject] = sequence + 1
            counts[subject] -= 1
            beyond -= len(data)
            if beyond <= 0:
                return

    async def _next(self, sequence: int, subject: str = "") -> tuple[int, bytes]:
        """The sequence and the data of the first game at or after a sequence."""
        subject = subject or f"{self._name}.>"
        found = await self._client.get_msg(self._name, seq=sequence, subject=subject, next=True)
        return found.seq or 0, found.data or b""


def most_crowded(counts: Counter[str]) -> str:
    """The subject to remove a game of: in the widest network with most games, in its narrower one with most, and so
    on."""
    around = {subject: tuple(subject.split(".")[2:]) or UNKNOWN for subject in counts}
    chosen: tuple[str, ...] = ()
    while True:
        sizes: Counter[str] = Counter()
        for subject, networks in around.items():
            if networks[: len(chosen)] == chosen and len(networks) > len(chosen):
                sizes[networks[len(chosen)]] += counts[subject]
        if not sizes:
            return next(subject for subject, networks in around.items() if networks == chosen)
        chosen += (sizes.most_common(1)[0][0],)
