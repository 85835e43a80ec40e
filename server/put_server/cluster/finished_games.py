"""Finished games of a cluster, read from the streams of all shards; no worker needs to run.

A game's number in the whole cluster is its number in its shard times the number of shards, plus its shard's number: so
it leads to the shard, and no number is used twice.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.client import JetStreamContext
from nats.js.errors import NotFoundError

from put_server.cluster.broker import NoBroker
from put_server.cluster.broker_names import BrokerNames
from put_server.cluster.cluster_config import ClusterConfig, reason
from put_server.cluster.stream_journal import decode_game_row
from put_server.journal.journal_errors import JournalError
from put_server.journal.journal_reader import FinishedGame, GameColumns, GameRow, game_of, row_of

ANSWER_S = 5.0


class FinishedGames:
    """Finished games of one cluster."""

    def __init__(self, client: Client, cluster: str, config: ClusterConfig) -> None:
        self._stream: JetStreamContext = client.jetstream(timeout=ANSWER_S)
        self._cluster = cluster
        self._names = BrokerNames(cluster)
        self._shards = config.shards

    async def latest(self, limit: int, *, table: int | None = None) -> tuple[list[GameRow], list[str]]:
        """The latest games of all tables or of one, newest first; and a sentence for each that could not be read.

        :raises NoBroker: the broker does not answer.
        """
        shards = range(self._shards) if table is None else [table % self._shards]
        rows: list[GameRow] = []
        flaws: list[str] = []
        try:
            walks = {shard: self._backwards(shard, table) for shard in shards}
            last = {shard: row for shard, walk in walks.items() if (row := await anext(walk, None)) is not None}
            while last and len(rows) + len(flaws) < limit:
                shard = max(last, key=lambda shard: (last[shard][1], last[shard][0], -shard))
                try:
                    rows.append(self._numbered(shard, row_of(last.pop(shard), self._path(shard))))
                except JournalError as error:
                    flaws.append(str(error))
                if (row := await anext(walks[shard], None)) is not None:
                    last[shard] = row
        except (NatsError, TimeoutError) as error:
            raise self._silent(error) from None
        return rows, flaws

    async def game(self, number: int) -> FinishedGame | None:
        """A game by its number in the cluster; None: there is no such game.

        :raises NoBroker: the broker does not answer.
        :raises JournalError: it cannot be read.
        """
        number, shard = divmod(number, self._shards)
        try:
            low, high = await self._ends(shard)
            while low <= high:  # numbers grow with the sequence, with gaps where games were moved here
                middle = (low + high) // 2
                row = await self._at(shard, middle, or_later=True)
                if row is None or row[0] > number:
                    high = middle - 1
                elif row[0] < number:
                    low = middle + 1
                else:
                    found = game_of(row, self._path(shard))
                    return FinishedGame(self._numbered(shard, found.row), found.record)
        except (NatsError, TimeoutError) as error:
            raise self._silent(error) from None
        return None

    async def _backwards(self, shard: int, table: int | None) -> AsyncIterator[GameColumns]:
        first, last = await self._ends(shard)
        for sequence in range(last, first - 1, -1):
            row = await self._at(shard, sequence)
            if row is not None and (table is None or row[2] == table):
                yield row

    async def _ends(self, shard: int) -> tuple[int, int]:
        """The first and the last sequence; last < first if there are no games."""
        try:
            state = (await self._stream.stream_info(self._names.games(shard))).state
        except NotFoundError:
            return 1, 0
        return (state.first_seq, state.last_seq) if state.messages else (1, 0)

    async def _at(self, shard: int, sequence: int, *, or_later: bool = False) -> GameColumns | None:
        """The game at a sequence, or the first after it with `or_later`; None: there is none that can be read."""
        name = self._names.games(shard)
        try:
            found = await self._stream.get_msg(
                name, seq=sequence, subject=f"{name}.>" if or_later else None, next=or_later
            )
            row: GameColumns = decode_game_row(found.data or b"")
        except (NotFoundError, msgspec.MsgspecError):
            return None
        return row

    def _numbered(self, shard: int, row: GameRow) -> GameRow:
        return msgspec.structs.replace(row, id=row.id * self._shards + shard)

    def _path(self, shard: int) -> Path:
        return Path(f"stream {self._names.games(shard)}")

    def _silent(self, error: Exception) -> NoBroker:
        return NoBroker(f"NATS cannot be asked for the games of {self._cluster}: {reason(error)}")
