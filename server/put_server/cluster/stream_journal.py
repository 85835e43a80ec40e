"""Journal of a shard, kept in JetStream: the same records that a single server keeps in a file.

A commit is one message, or several that count only when the last is there. It contains records, finished games, and
sometimes a checkpoint; after that is stored, all earlier messages are removed. A worker that takes over a shard reads
the stream, and checks each row as a server does for its file.

The chance of a deal (its source) is a separate message, before the commit that needs it. When the deal is over, the
commit contains the remains, and after that commit is stored the broker overwrites the chance.

A checkpoint is made in a child process, which also replays the stored rows and compares. If the lobby in memory
differs, the shard ends, and restarts from the stored rows.
"""

import asyncio
import logging
import time
from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Self

import msgspec
from msgspec import Struct, field

from put_runtime.system_errors import unwrapped
from put_server.cluster.broker import heed_cancellation
from put_server.cluster.shard_stream import GIVEN_AWAY, PIECE_BYTES, ShardStream, Stored
from put_server.journal.commit_queue import Batch, Change, CommitQueue, Compaction, Erase
from put_server.journal.journal_errors import JournalError
from put_server.journal.journal_reader import (
    ChanceColumns,
    DealKey,
    GameColumns,
    JournalRows,
    RecordRow,
)
from put_server.journal.lobby_replay import after_all
from put_server.journal.records import encode
from put_server.lobby.lobby import Lobby
from put_server.lobby.lobby_checkpoint import LobbyCheckpoint
from put_server.ticks import milliseconds

log = logging.getLogger(__name__)

COMMIT, PART, CHANCE, CLAIM, GAME = "commit", "part", "chance", "claim", "game"
"""Kinds of messages. The networks of a game follow its kind, so that the broker counts the games of each network."""


class Commit(Struct, frozen=True):
    """A batch as sent: without chances."""

    records: list[RecordRow]
    games: list[GameColumns]
    changes: list[Erase | Compaction]
    networks: dict[int, tuple[str, ...]] = {}
    """The same as `Batch.networks`."""


class _CleanUp(Struct):
    erased: list[int] = field(default_factory=list)
    """Sequences of chances that are no longer needed."""
    games: list[tuple[GameColumns, tuple[str, ...]]] = field(default_factory=list)
    """Finished games, each with its networks."""
    compacted: list[tuple[Compaction, int]] = field(default_factory=list)
    """Checkpoints, each with the sequence of the first message of its commit."""

    def add(self, commit: Commit, erased: Sequence[int], sequence: int) -> None:
        self.erased += erased
        self.games += [(row, commit.networks.get(row[0], ())) for row in commit.games]
        self.compacted += [(change, sequence) for change in commit.changes if isinstance(change, Compaction)]

    def __len__(self) -> int:
        return len(self.erased) + len(self.games) + len(self.compacted)


_encode = msgspec.msgpack.Encoder().encode
_decode_commit = msgspec.msgpack.Decoder(Commit).decode
_decode_chance = msgspec.msgpack.Decoder(ChanceColumns).decode
encode_game_row: Callable[[GameColumns], bytes] = _encode
_decode_game_row = msgspec.msgpack.Decoder(GameColumns).decode


def decode_game_row(data: bytes, stream: str, sequence: int) -> GameColumns:
    """A finished game as stored; its sum is not checked.

    :raises JournalError: the message is unreadable.
    """
    try:
        row: GameColumns = _decode_game_row(data)
    except msgspec.DecodeError as error:
        raise JournalError(f"message {sequence} of stream {stream} cannot be read ({error})") from None
    return row


LEFT_S, MUCH_LEFT = 0.1, 1_000
"""Time for which clean-up after commits is collected; and the number of items above which the next commits wait."""


class Diverged(Exception):
    """The lobby in memory differs from the stored records: the shard must restart from these."""


class Kept(JournalRows):
    """Current rows."""

    sequences: dict[DealKey, int] = field(default_factory=dict)
    """Sequences of the stored chances."""

    def copy(self) -> "Kept":
        return Kept(self.path, self.checkpoint, [*self.records], dict(self.chances))

    def add(self, records: Sequence[RecordRow], changes: Sequence[Change], sequences: Sequence[int] = ()) -> list[int]:
        """Add a batch. `sequences`: begin with those of its chances. Returns those of chances that are obsolete."""
        self.records += records
        over: list[int] = []
        stored = iter(sequences)
        for change in changes:
            match change:
                case Erase(remains=row):
                    over += self.keep(row)
                case Compaction(number=number):
                    self.checkpoint, deals = change.row, frozenset(change.deals)
                    self.records = [row for row in self.records if row[0] > number]
                    gone = [key for key in self.chances if key[0] <= number and key not in deals]
                    over += self.drop(gone)
                case _:
                    over += self.keep(change, next(stored, 0))
        return over

    def keep(self, row: ChanceColumns, sequence: int = 0) -> list[int]:
        """Add a chance with its sequence, or remains. Returns the sequence of the chance that this replaces, if any."""
        over = self.drop([row[:2]])
        self.chances[row[:2]] = row
        if sequence:
            self.sequences[row[:2]] = sequence
        return over

    def drop(self, keys: Collection[DealKey]) -> list[int]:
        """Returns the sequences of those that are stored chances."""
        for key in keys:
            self.chances.pop(key, None)
        return [self.sequences.pop(key) for key in keys if key in self.sequences]


class StreamJournal(CommitQueue):
    def __init__(self, stream: ShardStream, games: ShardStream) -> None:
        """`games`: the stream of the shard's finished games."""
        super().__init__()
        self._stream = stream
        self._games = games
        self._last_told_game = 0
        self.path = Path(f"stream {stream.name}")
        """Name of the journal in sentences."""
        self.kept = Kept(self.path)
        self._sending = Batch()
        self.fresh: Callable[[], Lobby] | None = None
        """Makes an empty lobby for replaying beside the shard; None: checkpoints are not compared."""
        self._divergence: Diverged | None = None
        self._stored: list[tuple[int, int]] = []
        """All stored messages except chances, in order: the last record up to each, and its sequence."""
        self._left = _CleanUp()
        self._is_left = asyncio.Event()
        self._finishing = asyncio.Lock()
        self._is_tidied = asyncio.Event()
        """Set: the messages replaced by a checkpoint were removed."""
        self.waits_since: int | None = None
        """Time when the current commit was sent, by `ticks.milliseconds`; None: there is none."""

    @classmethod
    async def opened(cls, stream: ShardStream, games: ShardStream, holder: str) -> Self:
        """Claim a shard and read it. `holder`: the worker's unique name.

        :raises Overtaken: another worker was quicker.
        :raises JournalError: the journal is unreadable.
        """
        journal, found = await cls._claimed(stream, games, holder)
        left = journal._fold(found)
        await stream.erase(left.erased)
        await journal._tell_games(left.games)
        journal._game = journal._last_told_game
        return journal

    @classmethod
    async def taken(cls, stream: ShardStream, games: ShardStream, holder: str) -> tuple[Self, str]:
        """Claim a shard in order to rewrite it (`go_on`), even if it is unreadable. Also returns the reason; empty:
        readable.

        :raises Overtaken: another worker was quicker.
        """
        journal, found = await cls._claimed(stream, games, holder)
        why = ""
        try:
            # Games that no worker told yet: the commits that have them go.
            journal._left.games = journal._fold(found).games
        except JournalError as error:
            why = str(error)
        journal.kept.sequences.clear()
        journal._left.erased = [stored.sequence for stored in found if stored.kind == CHANCE]
        journal._stored = [(0, stored.sequence) for stored in found if stored.kind != CHANCE] + [(0, journal.claim)]
        return journal, why

    @classmethod
    async def seen(cls, stream: ShardStream, games: ShardStream) -> Self:
        """Read a shard while its worker serves it. The result must not record anything.

        :raises OutOfReach: the broker does not answer, or the worker has removed messages meanwhile.
        :raises JournalError: the journal is unreadable.
        """
        journal = cls(stream, games)
        journal._fold(await stream.read(is_served=True))
        return journal

    @classmethod
    async def _claimed(cls, stream: ShardStream, games: ShardStream, holder: str) -> tuple[Self, list[Stored]]:
        journal = cls(stream, games)
        await asyncio.gather(stream.make(), games.make())
        found = await stream.claimed(CLAIM, holder.encode())
        if (last := await games.last()) is not None:
            journal._last_told_game = journal._game = decode_game_row(last.data, games.name, last.sequence)[0]
        return journal, found

    @property
    def claim(self) -> int:
        """The incarnation of the shard: greater than that of any earlier worker."""
        return self._stream.claim

    def _fold(self, found: Sequence[Stored]) -> "_CleanUp":
        """Read messages. Returns the clean-up that former workers left."""
        left = _CleanUp()
        parts: list[Stored] = []
        try:
            for stored in (*found, Stored(self.claim, CLAIM, b"")):
                if stored.kind == CHANCE:
                    left.erased += self.kept.keep(_decode_chance(stored.data), stored.sequence)
                    continue
                parts.append(stored)
                if stored.kind == PART:
                    continue
                commit = None  # the worker that began a commit did not end it
                if stored.kind == COMMIT:
                    commit = _decode_commit(b"".join([part.data for part in parts]))
                    left.add(commit, self.kept.add(commit.records, commit.changes), parts[0].sequence)
                self._note_stored([part.sequence for part in parts], commit)
                parts.clear()
        except msgspec.MsgspecError as error:
            raise JournalError(f"{self.path}: a message cannot be read ({error})") from None
        finally:
            self._note_kept(self.kept)
        # No deal uses a chance that was never committed.
        left.erased += self.kept.drop([key for key in self.kept.chances if key[0] > self.number])
        return left

    def _note_stored(self, sequences: Sequence[int], commit: Commit | None) -> None:
        """Note stored messages, and the commit in them."""
        numbers = [self._stored[-1][0] if self._stored else 0]
        if commit is not None:
            numbers += [row[0] for row in commit.records[-1:]]
            # The records that a checkpoint replaces may all be gone.
            numbers += [change.number for change in commit.changes if isinstance(change, Compaction)]
        self._stored += [(max(numbers), sequence) for sequence in sequences]

    def _follows(self, lobby: LobbyCheckpoint) -> bool:
        if self.fresh is None:
            return True
        kept = self.kept.copy()
        for batch in (self._sending, self._batch):
            kept.add(batch.records, batch.changes)
        try:
            return encode(after_all(self.fresh(), kept).lobby) == encode(lobby)
        except JournalError:
            return False

    def _note_divergence(self) -> None:
        self._divergence = Diverged(f"{self.path}: the lobby in memory is not what its records say")
        self._wake.set()

    async def run(self) -> None:
        """Commit until closed, as one owned task.

        :raises Overtaken: another worker has the shard: nothing more is stored, and no message may be sent.
        :raises OutOfReach: the broker was silent for long.
        :raises Diverged: nothing more may be sent about the lobby in memory.
        """
        async with unwrapped(), asyncio.TaskGroup() as tasks:
            work = tasks.create_task(self._work_after_commits())
            while not (self._is_closing and self._batch.is_empty):
                heed_cancellation()
                await self._wake.wait()
                self._wake.clear()
                self._sending = batch = self._take()
                if self._divergence is not None:
                    raise self._divergence
                if batch.is_empty:
                    continue
                begun, self.waits_since = time.monotonic(), milliseconds()
                await self._commit(batch)
                self.commits.observe(time.monotonic() - begun)
                self.waits_since = None
                self._sending = Batch()
                if self._divergence is not None:
                    raise self._divergence
                self._call_back(batch)
                if self._left:
                    self._is_left.set()
                if len(self._left) >= MUCH_LEFT:
                    await self._finish_left()
            await self._finish_left()
            work.cancel()

    async def _work_after_commits(self) -> None:
        while True:
            heed_cancellation()
            await self._is_left.wait()
            self._is_left.clear()
            await asyncio.sleep(LEFT_S)
            await self._finish_left()

    async def _finish_left(self) -> None:
        # Not released after a failure: a later checkpoint must not remove a game that is not told.
        await self._finishing.acquire()
        left, self._left = self._left, _CleanUp()
        await self._stream.erase(left.erased)
        await self._tell_games(left.games)
        for compacted, sequence in left.compacted:
            await self._tidy(compacted, sequence)
            self._is_tidied.set()
        self._finishing.release()

    async def _commit(self, batch: Batch) -> None:
        chances = [change for change in batch.changes if isinstance(change, tuple)]
        changes = [change for change in batch.changes if not isinstance(change, tuple)]
        commit = Commit(batch.records, batch.games, changes, batch.networks)
        data = _encode(commit)
        pieces = [data[at : at + PIECE_BYTES] for at in range(0, len(data), PIECE_BYTES)]
        messages = [(CHANCE, _encode(row)) for row in chances]
        messages += [*[(PART, piece) for piece in pieces[:-1]], (COMMIT, pieces[-1])]
        sequences = await self._stream.append(messages)
        self._note_stored(sequences[len(chances) :], commit)
        self._left.add(commit, self.kept.add(batch.records, batch.changes, sequences), sequences[len(chances)])

    async def _tidy(self, compacted: Compaction, sequence: int) -> None:
        """Remove the messages that a checkpoint replaces, except its commit, whose first message is at `sequence`.
        After a failure the next checkpoint removes the rest."""
        gone = bisect_left(self._stored, (compacted.number, sequence))
        await self._stream.remove([one for _, one in self._stored[:gone]])
        del self._stored[:gone]

    async def _tell_games(self, games: Sequence[tuple[GameColumns, tuple[str, ...]]]) -> None:
        """Add finished games with their networks to their stream, except games that it has already."""
        new = [game for game in games if game[0][0] > self._last_told_game]
        if new:
            await self._games.append([(".".join((GAME, *networks)), encode_game_row(row)) for row, networks in new])
            self._last_told_game = new[-1][0][0]

    async def note_given_away(self) -> None:
        """Note as the last message that this worker ended normally.

        :raises Overtaken, OutOfReach: the note cannot be stored.
        """
        await self._stream.append([(GIVEN_AWAY, b"")])

    async def settle(self) -> None:
        """Wait until the latest checkpoint is stored and the replaced messages are removed."""
        self._is_tidied.clear()
        await self._is_tidied.wait()
