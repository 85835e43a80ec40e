"""Journal of a shard, kept in JetStream: the same records that a single server keeps in a file.

A commit is one message, or several that count only with the last. A worker that takes a shard over reads the stream
into a database in memory, by the statements that write the file, and then reads that database as a server reads its
file. So format, order and checks are the same; only the place differs.

The chance of a deal (all that it is made from) is a message of its own, before the commit that needs it. When the deal
is over, the commit says what remains of it, and once that commit is stored the broker overwrites the chance. A
checkpoint is an object in the object store. The commit that names it comes after it, and then everything before is
removed.
"""

import asyncio
import logging
import sqlite3
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

import msgspec
from msgspec import Struct, field

from put_runtime.histogram import Histogram
from put_runtime.system_errors import unwrapped
from put_server.cluster.cancellation import heed_cancellation
from put_server.cluster.checkpoints import Checkpoints, NoCheckpoint
from put_server.cluster.shard_clock import milliseconds
from put_server.cluster.shard_stream import (
    PIECE_BYTES,
    OutOfReach,
    Overtaken,
    ShardStream,
    Stored,
)
from put_server.journal.commit_queue import (
    Batch,
    CommitQueue,
    Compaction,
    CompactionBehind,
    Erase,
    RecordRow,
)
from put_server.journal.journal_errors import JournalError, as_journal_errors
from put_server.journal.journal_reader import (
    CHANCE_COLUMNS,
    GAME_COLUMNS,
    ChanceColumns,
    Checkpoint,
    GameColumns,
    JournalRecord,
    checkpoint_of,
    deals_at_rest,
    records_of,
)
from put_server.journal.journal_schema import bring_up
from put_server.journal.retention import UNKNOWN
from put_server.journal.writing import write
from put_server.table.table_effects import TableId

log = logging.getLogger(__name__)

COMMIT, PART, CHANCE, CLAIM, GAME = "commit", "part", "chance", "claim", "game"
"""Kinds of messages. The networks of a game follow its kind, so that the broker counts the games of each network."""


class Erased(Struct, frozen=True, tag="erase"):
    remains: ChanceColumns


class Compacted(Struct, frozen=True, tag="compact"):
    """A checkpoint: the lobby after a record."""

    number: int
    at: int
    object: str
    """Name of the object that holds it."""
    crc: int
    deals: tuple[tuple[int, TableId], ...]
    """Number and table of each deal in play then; their chances stand before this message."""
    is_behind: bool
    """True: there are later records already."""


class Commit(Struct, frozen=True):
    """A batch as it is sent: without chances, and with the name of a checkpoint in place of the checkpoint."""

    records: list[RecordRow]
    games: list[GameColumns]
    changes: list[Erased | Compacted]
    networks: dict[int, tuple[str, ...]] = {}
    """The same as `Batch.networks`."""


class _Left(Struct):
    """Work to do after commits."""

    erased: list[int] = field(default_factory=list)
    """Sequences of chances that are no longer needed."""
    games: list[tuple[GameColumns, tuple[str, ...]]] = field(default_factory=list)
    """Finished games, each with its networks."""
    compacted: list[tuple[Compacted, int]] = field(default_factory=list)
    """Checkpoints, each with the sequence of the commit that names it."""

    @property
    def is_something(self) -> bool:
        return bool(self.erased or self.games or self.compacted)

    def add(self, batch: Batch, erased: Sequence[int], compacted: Compacted | None, sequence: int) -> None:
        self.erased += erased
        self.games += [(row, batch.networks.get(row[0], ())) for row in batch.games]
        if compacted is not None:
            self.compacted.append((compacted, sequence))

    @property
    def is_much(self) -> bool:
        return len(self.erased) + len(self.games) >= MUCH_LEFT


_encode = msgspec.msgpack.Encoder().encode
_decode_commit = msgspec.msgpack.Decoder(Commit).decode
_decode_chance = msgspec.msgpack.Decoder(ChanceColumns).decode
encode_game_row: Callable[[GameColumns], bytes] = _encode
decode_game_row = msgspec.msgpack.Decoder(GameColumns).decode

LEFT_S = 0.1
"""Time for which work after commits is gathered: chances of finished deals are erased together."""

MUCH_LEFT = 1_000
"""Items of work after commits from which on the next commits wait."""


def _networks(narrowest: str, within: Mapping[str, str]) -> tuple[str, ...]:
    """The networks of a game, the widest first; none, if they are unknown."""
    found: list[str] = []
    while narrowest not in ("all", *UNKNOWN):
        found.insert(0, narrowest)
        narrowest = within[narrowest]
    return tuple(found)


Key = tuple[int, TableId]
"""Number and table of a deal."""


class StreamJournal(CommitQueue):
    """The journal of a shard, and its one writer."""

    def __init__(self, stream: ShardStream, games: ShardStream, checkpoints: Checkpoints) -> None:
        super().__init__()
        self._stream = stream
        self._games = games
        self._told_game = 0
        """Number of the last game in the stream of games."""
        self._checkpoints = checkpoints
        self._strewn = 0
        """Last sequence in the store of checkpoints before the claim: former workers stored everything up to it."""
        self._made = 0
        """Number of checkpoints made, which makes their names unique."""
        self.path = Path(f"stream {stream.name}")
        """Name of the journal in sentences."""
        self._file = sqlite3.connect(":memory:", isolation_level=None)
        """Database in memory with the journal that was read."""
        self._chances: dict[Key, int] = {}
        """Sequences of the chances that are stored."""
        self._commits: list[tuple[int, int]] = []
        """Stored commits: the last record up to each, and the sequence of its first message."""
        self._stored: list[int] = []
        """Sequences of all stored messages except chances, in order."""
        self._object = ""
        """Name of the object with the checkpoint that counts."""
        self._last_time = 0
        self._left = _Left()
        self._is_left = asyncio.Event()
        self._finishing = asyncio.Lock()
        self._is_closing = False
        self._hurries = asyncio.Event()
        """Set: work after commits is done at once."""
        self._is_tidied = asyncio.Event()
        """Set: the messages that a checkpoint replaces were removed."""
        self.waits_since: int | None = None
        """Time at which the current commit was sent, by `shard_clock.milliseconds`; None: there is none."""
        self.commits = Histogram()
        """Durations of commits."""

    @classmethod
    async def opened(cls, stream: ShardStream, games: ShardStream, checkpoints: Checkpoints, holder: str) -> Self:
        """Claim a shard and read it. `games`: the stream of its finished games; `checkpoints`: its checkpoints;
        `holder`: a name that no other worker ever has.

        :raises Overtaken: another worker was quicker.
        :raises OutOfReach: the broker does not answer.
        :raises JournalError: the journal cannot be read.
        """
        journal = cls(stream, games, checkpoints)
        with journal._closed_on_error():
            await asyncio.gather(stream.make(), games.make())
            journal._strewn = await checkpoints.last()
            found = await stream.claimed(CLAIM, holder.encode())
            await journal._load(found)
            await journal._load_games()
        return journal

    @contextmanager
    def _closed_on_error(self) -> Iterator[None]:
        """Close the database where reading ends in an error, or is cancelled."""
        try:
            yield
        except BaseException:
            self.close()
            raise

    @property
    def claim(self) -> int:
        """The incarnation of the shard: greater than that of any worker before."""
        return self._stream.claim

    async def _load_games(self) -> None:
        last = await self._games.last()
        if last is not None:
            self._told_game = decode_game_row(last.data)[0]
        with as_journal_errors(self.path):
            origins = dict(self._file.execute("SELECT game, network FROM game_origins"))
            within = dict(self._file.execute("SELECT network, within FROM game_networks"))
        await self._tell_games([(row, _networks(origins[row[0]], within)) for row in self.games()])
        self._game = self._told_game

    @classmethod
    async def seen(cls, stream: ShardStream, games: ShardStream, checkpoints: Checkpoints) -> Self:
        """Read a shard while its worker serves it. The result may not record anything.

        :raises OutOfReach: the broker does not answer, or the worker has meanwhile removed messages, or the checkpoint,
            that were to be read.
        :raises JournalError: the journal cannot be read.
        """
        journal = cls(stream, games, checkpoints)
        with journal._closed_on_error():
            try:
                await journal._fold(await stream.read(is_served=True))
            except Overtaken as error:
                raise OutOfReach(str(error)) from None
        return journal

    @classmethod
    async def taken(
        cls, stream: ShardStream, games: ShardStream, checkpoints: Checkpoints, holder: str
    ) -> tuple[Self, str]:
        """Claim a shard in order to write it anew (`go_on`), also if it cannot be read. Returns why it cannot, too;
        empty: its records can be read.

        :raises Overtaken: another worker was quicker.
        :raises OutOfReach: the broker does not answer.
        """
        journal = cls(stream, games, checkpoints)
        with journal._closed_on_error():
            await asyncio.gather(stream.make(), games.make())
            journal._strewn = await checkpoints.last()
            found = await stream.claimed(CLAIM, holder.encode())
            why = ""
            try:
                await journal._fold(found)
            except JournalError as error:
                why = str(error)
            journal._chances.clear()
            journal._stored = [stored.sequence for stored in found] + [journal.claim]
            if (last := await games.last()) is not None:
                journal._told_game = journal._game = decode_game_row(last.data)[0]
        return journal, why

    def games(self) -> list[GameColumns]:
        """Finished games since the checkpoint, oldest first: the last may not be in the stream of games yet."""
        with as_journal_errors(self.path):
            return self._file.execute(f"SELECT {GAME_COLUMNS} FROM games ORDER BY id").fetchall()

    async def _load(self, found: Sequence[Stored]) -> None:
        await self._stream.erase(await self._fold(found))
        self._stored = [stored.sequence for stored in found if stored.kind != CHANCE] + [self.claim]

    async def _fold(self, found: Sequence[Stored]) -> list[int]:
        """Read messages into the database. Returns the sequences of chances that are no longer needed."""
        with as_journal_errors(self.path):
            bring_up(self._file, 0)
            stale: list[int] = []
            parts: list[bytes] = []
            first = 0
            last: Compacted | None = None
            for sequence, kind, data in found:
                match kind:
                    case "chance":
                        row = _decode_chance(data)
                        if (former := self._chances.get(row[:2])) is not None:
                            stale.append(former)
                        self._chances[row[0], row[1]] = sequence
                        self._file.execute("REPLACE INTO chances VALUES (?, ?, ?, ?)", row)
                    case "part":
                        first = first or sequence
                        parts.append(data)
                    case "commit":
                        commit = _decode_commit(b"".join((*parts, data)))
                        last = self._replay(commit, first or sequence) or last
                        parts, first = [], 0
                    case _:
                        parts, first = [], 0  # the worker that began that commit did not end it
            if last is not None:
                blob = await self._object_named(last.object)
                self._object = last.object
                self._file.execute("UPDATE checkpoint SET lobby = ?", (blob,))
            # No deal uses a chance whose commit never came.
            live = {
                tuple(row)
                for row in self._file.execute("SELECT number, table_id FROM chances WHERE number <= ?", (self._number,))
            }
            stale += [self._chances.pop(key) for key in list(self._chances) if key not in live]
            self._settle_numbers()
        return stale

    async def remove_checkpoints(self) -> None:
        """Remove checkpoints and pieces that former workers left and that do not count."""
        with suppress(OutOfReach):  # the next worker tries it again
            await self._checkpoints.remove_others(self._object, self._strewn)

    def _replay(self, commit: Commit, sequence: int) -> Compacted | None:
        last = None
        batch = Batch(commit.records, commit.games, networks=commit.networks)
        for change in commit.changes:
            if isinstance(change, Erased):
                batch.changes.append(Erase(change.remains))
                continue
            last = change
            self._number = max(self._number, change.number)  # the records that it replaces may all be gone
            row = (change.number, change.at, b"", change.crc)
            batch.changes.append(
                CompactionBehind(row, frozenset(change.deals))
                if change.is_behind
                else Compaction(row, [found for deal in change.deals for found in self._chance_rows(deal)])
            )
        write(self._file, batch)
        if commit.records:
            self._number = commit.records[-1][0]
        self._commits.append((self._number, sequence))
        return last

    def _chance_rows(self, deal: Key) -> list[ChanceColumns]:
        """The chance of a deal; none, if a later commit had it erased."""
        return self._file.execute(
            f"SELECT {CHANCE_COLUMNS} FROM chances WHERE (number, table_id) = (?, ?)", deal
        ).fetchall()

    def _settle_numbers(self) -> None:
        (self._checkpoint, at) = self._file.execute(
            "SELECT coalesce(max(number), 0), coalesce(max(at), 0) FROM checkpoint"
        ).fetchone()
        (number, last) = self._file.execute(
            "SELECT coalesce(max(number), 0), coalesce(max(at), 0) FROM records"
        ).fetchone()
        self._number, self._last_time = max(number, self._checkpoint), max(at, last)
        self._live = deals_at_rest(self._file)

    async def _object_named(self, name: str) -> bytes:
        try:
            return await self._checkpoints.get(name)
        except NoCheckpoint:
            await self._stream.check_unchanged()  # a later worker has removed it for one of its own
            raise JournalError(f"{self.path}: its checkpoint {name} is gone") from None

    def checkpoint(self) -> Checkpoint | None:
        return checkpoint_of(self._file, self.path)

    def records(self) -> Iterator[JournalRecord]:
        return records_of(self._file, self.path)

    def last_time(self) -> int:
        return self._last_time

    async def run(self) -> None:
        """Commit until closed; one owned task.

        :raises Overtaken: another worker has the shard; nothing more is stored, and no message may be sent any more.
        :raises OutOfReach: the broker did not answer for long.
        """
        self._file.close()
        async with unwrapped(), asyncio.TaskGroup() as tasks:
            works = [tasks.create_task(self.remove_checkpoints()), tasks.create_task(self._work_after_commits())]
            while not (self._is_closing and self._batch.is_empty):
                heed_cancellation()
                await self._wake.wait()
                self._wake.clear()
                batch = self._take()
                if batch.is_empty:
                    continue
                begun, self.waits_since = time.monotonic(), milliseconds()
                erased, compacted = await self._commit(batch)
                self.commits.observe(time.monotonic() - begun)
                self.waits_since = None
                self._call_back(batch)
                self._left.add(batch, erased, compacted, self._commits[-1][1])
                if self._left.is_something:
                    self._is_left.set()
                if self._left.is_much:
                    await self._finish_left()
            await self._finish_left()
            for work in works:
                work.cancel()

    async def _work_after_commits(self) -> None:
        """Do the work after commits, while the next commits go on."""
        while True:
            heed_cancellation()
            await self._is_left.wait()
            self._is_left.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(LEFT_S):
                    await self._hurries.wait()
            await self._finish_left()

    async def _finish_left(self) -> None:
        async with self._finishing:
            left, self._left = self._left, _Left()
            await self._stream.erase(left.erased)
            await self._tell_games(left.games)
            for compacted, sequence in left.compacted:
                await self._tidy(compacted, sequence)
                self._is_tidied.set()

    async def _commit(self, batch: Batch) -> tuple[list[int], Compacted | None]:
        """Store a batch. Returns the sequences of chances that are no longer needed, and the batch's checkpoint."""
        chances: list[ChanceColumns] = []
        changes: list[Erased | Compacted] = []
        compacted = None
        for change in batch.changes:
            match change:
                case Erase(remains=remains):
                    changes.append(Erased(remains))
                case Compaction(row=(number, at, blob, sum_), chances=rows):
                    chances += rows
                    compacted = await self._compacted(number, at, blob, sum_, [(row[0], row[1]) for row in rows])
                    changes.append(compacted)
                case CompactionBehind(row=(number, at, blob, sum_), deals=deals):
                    compacted = await self._compacted(number, at, blob, sum_, deals, is_behind=True)
                    changes.append(compacted)
                case _:
                    chances.append(change)
        data = _encode(Commit(batch.records, batch.games, changes, batch.networks))
        pieces = [data[at : at + PIECE_BYTES] for at in range(0, len(data), PIECE_BYTES)]
        messages = [(CHANCE, _encode(row)) for row in chances]
        messages += [(PART, piece) for piece in pieces[:-1]]
        messages.append((COMMIT, pieces[-1]))
        sequences = await self._stream.append(messages)
        erased = []
        for row, sequence in zip(chances, sequences, strict=False):
            if (former := self._chances.get((row[0], row[1]))) is not None:
                erased.append(former)
            self._chances[row[0], row[1]] = sequence
        number = batch.records[-1][0] if batch.records else (self._commits[-1][0] if self._commits else 0)
        number = max([number, *[one.number for one in changes if isinstance(one, Compacted)]])
        self._commits.append((number, sequences[len(chances)]))
        self._stored += sequences[len(chances) :]
        for stored in changes:
            erased += [self._chances.pop(deal) for deal in self._over(stored) if deal in self._chances]
        return erased, compacted

    def _over(self, change: Erased | Compacted) -> list[Key]:
        """Deals whose chances are no longer needed once a change is stored."""
        if isinstance(change, Erased):
            return [change.remains[:2]]
        kept = set(change.deals)
        return [deal for deal in self._chances if deal[0] <= change.number and deal not in kept]

    async def _compacted(
        self, number: int, at: int, blob: bytes, sum_: int, deals: Iterable[Key], *, is_behind: bool = False
    ) -> Compacted:
        """Store a checkpoint; it counts when the commit that names it is stored."""
        self._made += 1
        name = f"{self.claim}.{self._made}"
        await self._checkpoints.put(name, blob)
        return Compacted(number, at, name, sum_, tuple(deals), is_behind)

    async def _tidy(self, compacted: Compacted, sequence: int) -> None:
        """Remove the messages that a checkpoint replaces, but not the commit at `sequence`, which names it. After a
        failure the next checkpoint removes the rest."""
        place = next(
            at for at, (number, one) in enumerate(self._commits) if one == sequence or number > compacted.number
        )
        self._commits = self._commits[place:]
        gone = bisect_left(self._stored, self._commits[0][1])
        await self._stream.remove(self._stored[:gone])
        del self._stored[:gone]
        former, self._object = self._object, compacted.object
        if former:
            with suppress(OutOfReach):  # the next worker tries it again
                await self._checkpoints.remove(former)

    async def _tell_games(self, games: Sequence[tuple[GameColumns, tuple[str, ...]]]) -> None:
        """Add finished games, each with its networks, to their stream; games that it has already are left out."""
        new = [game for game in games if game[0][0] > self._told_game]
        if new:
            await self._games.append([(".".join((GAME, *networks)), encode_game_row(row)) for row, networks in new])
            self._told_game = new[-1][0][0]

    async def settle(self) -> None:
        """Wait until the latest checkpoint is stored and the messages that it replaces are removed. From now on no work
        is put off, so that `finish` takes no longer than a commit."""
        self._hurries.set()
        self._is_tidied.clear()
        await self._is_tidied.wait()

    def finish(self) -> None:
        """Let `run` end once everything is committed."""
        self._give_up_checkpoint()
        self._hurries.set()
        self._is_closing = True
        self._wake.set()

    def close(self) -> None:
        """Close the database; may be called again."""
        self._give_up_checkpoint()
        self._file.close()
