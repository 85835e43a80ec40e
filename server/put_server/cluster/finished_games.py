"""Finished games of a cluster, in one stream for each shard.

The cluster's number of a game is its number in the shard times the number of shards, plus the shard's number. So it is
unique, and identifies the shard. Games are read without a worker.

The worker of a shard removes old games, a few at a time, by the same limits as those of a single server
(`journal.retention`). Games that are too old go first. If the stream is too large, the oldest game of the most crowded
network goes. The network is in the subject of each message, so the broker counts the games of each network, and a
worker that takes over a shard need not read its games.

The last game always stays, because the next number is its number plus one, and numbers must be unique. If a worker was
overtaken and does not know it, it still removes only games that should be removed.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, suppress
from datetime import datetime
from pathlib import Path

import msgspec
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.api import RawStreamMsg
from nats.js.client import JetStreamContext
from nats.js.errors import NotFoundError

from put_server.cluster.broker import ANSWER_S, BrokerNames, asking, heed_cancellation, reason
from put_server.cluster.cluster_config import ClusterConfig
from put_server.cluster.stream_journal import decode_game_row
from put_server.journal.journal_errors import JournalError
from put_server.journal.journal_reader import FinishedGame, GameColumns, GameRow, game_of, row_of
from put_server.journal.retention import BETWEEN_S, GAMES_AT_ONCE, REMOVAL_INTERVAL_S, UNKNOWN, Retention

log = logging.getLogger(__name__)


class FinishedGames:
    def __init__(self, client: Client, cluster: str, config: ClusterConfig) -> None:
        self._stream: JetStreamContext = client.jetstream(timeout=ANSWER_S)
        self._cluster = cluster
        self._names = BrokerNames(cluster)
        self._shards = config.shards

    async def latest(self, limit: int, *, table: int | None = None) -> tuple[list[GameRow], list[str]]:
        """The latest games of all tables or of one, newest first; and a sentence for each unreadable one."""
        shards = range(self._shards) if table is None else [table % self._shards]
        rows: list[GameRow] = []
        flaws: list[str] = []
        with self._asking():
            walks = {shard: self._backwards(shard, table, flaws) for shard in shards}
            last = {shard: row for shard, walk in walks.items() if (row := await anext(walk, None)) is not None}
            while last and len(rows) + len(flaws) < limit:
                shard = max(last, key=lambda shard: (last[shard][1], last[shard][0], -shard))
                try:
                    rows.append(self._numbered(shard, row_of(last.pop(shard), self._path(shard))))
                except JournalError as error:
                    flaws.append(str(error))
                if (row := await anext(walks[shard], None)) is not None:
                    last[shard] = row
        return rows, flaws

    async def game(self, number: int) -> FinishedGame | None:
        """A game by its number in the cluster; None: there is no such game.

        :raises JournalError: the game is unreadable.
        """
        number, shard = divmod(number, self._shards)
        with self._asking():
            low, high = await self._ends(shard)
            while low <= high:  # numbers grow with the sequence, with gaps where games were moved here
                middle = (low + high) // 2
                later = await self._readable(shard, middle, high)
                if later is None or later[1][0] > number:
                    high = middle - 1
                elif later[1][0] < number:
                    low = later[0] + 1
                else:
                    found = game_of(later[1], self._path(shard))
                    return FinishedGame(self._numbered(shard, found.row), found.record)
        return None

    async def _backwards(self, shard: int, table: int | None, flaws: list[str]) -> AsyncIterator[GameColumns]:
        """Games of a shard, the latest first. Adds a sentence to `flaws` for each unreadable message."""
        first, last = await self._ends(shard)
        for sequence in range(last, first - 1, -1):
            if (found := await self._message(shard, sequence)) is None:
                continue
            try:
                row = decode_game_row(found.data or b"", self._names.games(shard), sequence)
            except JournalError as error:
                flaws.append(str(error))
            else:
                if table is None or row[2] == table:
                    yield row

    async def _readable(self, shard: int, first: int, last: int) -> tuple[int, GameColumns] | None:
        """The first readable game from one sequence to another, with its sequence."""
        while (found := await self._message(shard, first, or_later=True)) is not None:
            sequence = found.seq or 0
            if sequence > last:
                break
            with suppress(JournalError):
                return sequence, decode_game_row(found.data or b"", self._names.games(shard), sequence)
            first = sequence + 1
        return None

    async def _ends(self, shard: int) -> tuple[int, int]:
        """The first and the last sequence; last < first if there are no games."""
        try:
            state = (await self._stream.stream_info(self._names.games(shard))).state
        except NotFoundError:
            return 1, 0
        return (state.first_seq, state.last_seq) if state.messages else (1, 0)

    async def _message(self, shard: int, sequence: int, *, or_later: bool = False) -> RawStreamMsg | None:
        """The message at a sequence or, with `or_later`, the first from there on; None: there is none."""
        name = self._names.games(shard)
        try:
            return await self._stream.get_msg(
                name, seq=sequence, subject=f"{name}.>" if or_later else None, next=or_later
            )
        except NotFoundError:
            return None

    def _numbered(self, shard: int, row: GameRow) -> GameRow:
        return msgspec.structs.replace(row, id=row.id * self._shards + shard)

    def _path(self, shard: int) -> Path:
        return Path(f"stream {self._names.games(shard)}")

    def _asking(self) -> AbstractContextManager[None]:
        return asking(f"NATS cannot be asked for the games of {self._cluster}")


class OldGames:
    """Keeps a shard's finished games within the limits; run by the shard's worker."""

    def __init__(self, client: Client, stream: str, retention: Retention, *, shards: int) -> None:
        """`shards`: number of shards that share the megabytes."""
        self._client = client.jetstream(timeout=ANSWER_S)
        self._name = stream
        self._retention = retention
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
            await asyncio.sleep(REMOVAL_INTERVAL_S)

    async def remove_some(self, now: datetime | None = None) -> bool:
        """Remove a few games beyond the limits. Returns true if there may be more.

        :raises NatsError, TimeoutError: the broker failed.
        """
        state = (await self._client.stream_info(self._name)).state
        self.games, self.bytes = state.messages, state.bytes
        if not state.messages:
            return False
        before = self._retention.ended_before(now)
        old = [game async for game in self._oldest(state.first_seq, state.last_seq, before)]
        beyond = state.bytes - self._most_bytes if self._most_bytes else 0
        if beyond > 0 and not old:
            old = [game async for game in self._of_crowds(state.last_seq, beyond)]
        for sequence in old:  # not by purging: see `ShardStream.remove`
            with suppress(NotFoundError):
                await self._client.delete_msg(self._name, sequence)
        return bool(old) and (beyond > 0 or len(old) == GAMES_AT_ONCE)

    async def _oldest(self, first: int, last: int, before: str) -> AsyncIterator[int]:
        """Sequences of a few games that ended before a time, the oldest first."""
        for _ in range(GAMES_AT_ONCE if before else 0):
            sequence, data = await self._next(first)
            if sequence == last:
                return
            with suppress(JournalError):  # an unreadable game stays: its age is unknown
                if decode_game_row(data, self._name, sequence)[1] >= before:
                    return
                yield sequence
            first = sequence + 1

    async def _of_crowds(self, last: int, beyond: int) -> AsyncIterator[int]:
        """Sequences of a few games to remove, with `beyond` bytes in total. Each is the oldest game of the most crowded
        network after removing the earlier ones."""
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
        subject = subject or f"{self._name}.>"
        found = await self._client.get_msg(self._name, seq=sequence, subject=subject, next=True)
        return found.seq or 0, found.data or b""


def most_crowded(counts: Counter[str]) -> str:
    """Subject to remove a game of: the widest network with most games, within it the narrower network with most, and so
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
