"""Removal of old games from the stream of a shard's finished games, as a server by itself removes them from its file:
the oldest first and a few at a time, for as long and as far as the operator says.

The last game always stays: the next one's number is one more than its number, and none is to be used twice. A worker
that was overtaken and does not know it removes nothing that would not be removed anyway.
"""

import asyncio
import logging
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.errors import NotFoundError

from put_server.cluster.cancellation import heed_cancellation
from put_server.cluster.charter import reason
from put_server.cluster.stream_journal import decode_game_row
from put_server.journal.reading import GameColumns
from put_server.journal.retention import BETWEEN_S, ENDED, GAMES_AT_ONCE, LOOK_S, Retention

log = logging.getLogger(__name__)

ANSWER_S = 5.0


class OldGames:
    """The finished games of one shard, as its worker keeps them within limits."""

    def __init__(self, client: Client, stream: str, retention: Retention, *, shards: int) -> None:
        """`shards`: so many have the megabytes together."""
        self._client = client.jetstream(timeout=ANSWER_S)
        self._name = stream
        self._days = retention.days
        self._most_bytes = retention.megabytes * 2**20 // shards
        self.games = 0
        """Kept, when that was looked at last."""
        self.bytes = 0

    async def run(self) -> None:
        """Look every minute, until cancelled."""
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
        """Remove a few games that are to be kept no longer. Returns whether there may be more.

        :raises NatsError, TimeoutError: the broker does not do it.
        """
        state = (await self._client.stream_info(self._name)).state
        self.games, self.bytes = state.messages, state.bytes
        first, end = state.first_seq, min(state.first_seq + GAMES_AT_ONCE, state.last_seq)
        if not (self._most_bytes and state.bytes > self._most_bytes):
            if not self._days:
                return False
            before = ((now or datetime.now(UTC)) - timedelta(days=self._days)).strftime(ENDED)
            end = await self._first_since(before, first, end)
        if end <= first:
            return False
        for sequence in range(first, end):  # and none is purged: see `ShardStream.remove`
            with suppress(NotFoundError):
                await self._client.delete_msg(self._name, sequence)
        return end == first + GAMES_AT_ONCE

    async def _first_since(self, before: str, low: int, high: int) -> int:
        """The first sequence in these bounds of a game that ended then or later; the upper bound, if there is none."""
        while low < high:
            middle = (low + high) // 2
            if await self._ended(middle) < before:
                low = middle + 1
            else:
                high = middle
        return low

    async def _ended(self, sequence: int) -> str:
        try:
            found = await self._client.get_msg(self._name, seq=sequence)
        except NotFoundError:
            return ""
        row: GameColumns = decode_game_row(found.data or b"")
        return row[1]
