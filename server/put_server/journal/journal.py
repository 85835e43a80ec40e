"""The journal: one SQLite file with every input of the lobby in order, and every finished game.

Invariant: `then` is called only after its records are committed, in the order they came. Commits are grouped: what
comes while one runs goes into the next, so a busy server commits as rarely as the disk wants and an idle one at once.
The disk is waited for on a thread of its own, never on the loop. A checkpoint takes the place of the records before it,
so the file grows with the games played and not with time.

What a deal is made from, its `Chance`, is in the file while the deal is in play, and no longer than `ERASE_S` after it:
not in a table, not in a free page, not in the log. Overwriting alone does not do that. SQLite zeroes what is deleted
(`secure_delete`), but when it moves rows between pages it leaves copies in the gaps, about one secret in 50,000 deals.
So chances are in a table of their own, which is small, and it is made anew before the log is emptied.
"""

import asyncio
import logging
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct, field

from put_runtime.histogram import Histogram
from put_server.games.record import Chance, GameRecord
from put_server.journal.errors import JournalError, as_journal_errors
from put_server.journal.files import copy, locked, make_folder, open_to_read, set_aside
from put_server.journal.forked import Forked
from put_server.journal.loss import why_lost
from put_server.journal.mark import Mark, mark_of
from put_server.journal.reading import (
    CHANCE_COLUMNS,
    GAME_COLUMNS,
    ChanceColumns,
    GameColumns,
    checkpoint_of,
    game_of,
    records_of,
)
from put_server.journal.records import chance_in, encode, split_chances, without_chance
from put_server.journal.retention import BETWEEN_S, ENDED, LOOK_S, Retention, remove_oldest
from put_server.journal.schema import (
    SCHEMA,
    bring_up,
    check_pages,
    crc,
    make_passcode_key,
    passcode_key,
    sign,
    signature,
    version_of,
)
from put_server.lobby.checkpoint import LobbyCheckpoint
from put_server.lobby.dealing import Entry
from put_server.lobby.inputs import Input, Secret, Shuffled
from put_server.table.effects import DealOver, GameOver, TableId

log = logging.getLogger(__name__)

PATIENCE_MS = 10_000
"""For another program that writes to the file, which none should: longer, and the disk counts as failed."""

LOG_BYTES = 16 * 2**20
"""What the log may keep of the disk after somebody read the file for so long that it grew."""

_UNREDUCED_VERSIONS = (1, 2)
"""Versions of the file with every card and secret of finished games."""

_UNREDUCED = "unreduced"
"""Of a file of such a version: it is in `meta` until nothing of that is left."""

GAMES_AT_ONCE = 500
"""That are reduced in one transaction: some megabytes."""

LATENCIES = 1_000
"""Commits that are remembered for how long they took: a minute of a busy server."""

ERASE_S = 60.0
"""Until what was overwritten in the file is gone from its log too. Copying the log back costs some milliseconds."""

_DEALT = frozenset((Secret, Shuffled))
"""Inputs that bring what a deal is made from."""

RecordRow = tuple[int, int, bytes, int]
CheckpointRow = tuple[int, int, bytes, int]


class Erase(NamedTuple):
    """What remains of a deal, in place of what it was made from."""

    remains: ChanceColumns


class Compaction(NamedTuple):
    """The lobby, and what the deals in play are made from."""

    row: CheckpointRow
    chances: list[ChanceColumns]


class CompactionBehind(NamedTuple):
    """The lobby as it was some records ago. What the deals in play then are made from stays where it is, or what
    remains of those that are over since."""

    row: CheckpointRow
    deals: frozenset[tuple[int, TableId]]
    """Number and table of each."""


Change = ChanceColumns | Erase | Compaction | CompactionBehind
"""What happens to the chances of deals, in order."""


_Made = tuple[bytes, int, dict[TableId, int]]
"""A checkpoint, its checksum, and the number of deals in play of each table."""

_encode_made = msgspec.msgpack.Encoder().encode
_decode_made = msgspec.msgpack.Decoder(_Made).decode


class Latency(NamedTuple):
    """How long it took from handing records in to the word that they are safe, in milliseconds."""

    p50: float
    p99: float


class Batch(Struct):
    """What goes into one transaction, and who waits for it."""

    records: list[RecordRow] = field(default_factory=list)
    games: list[GameColumns] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    waiting: list[Callable[[], None]] = field(default_factory=list)
    """To be called once it is committed, in order."""
    since: list[float] = field(default_factory=list)
    """When each of them began to wait."""

    @property
    def is_empty(self) -> bool:
        return not (self.records or self.changes or self.waiting)


class Journal:
    """An open journal."""

    def __init__(self, path: Path, *, wait_s: float = 0, accepts_loss: bool = False) -> None:
        """Open the file, or make it, or bring it up to date; wait so long for another server to let go of it.
        `accepts_loss`: also if acknowledged play is missing, which is then set aside as it is.

        :raises JournalError: it is not ours, is damaged, is of a later version, lacks what was acknowledged, or another
            server has it.
        """
        self.path = path
        self._batch = Batch()
        """What the next transaction will hold."""
        self._live: dict[TableId, list[int]] = {}
        """The numbers under which the chances of each table's last hand are stored, that of its first deal first."""
        self._wake = asyncio.Event()
        self._places: dict[Path, tuple[int, int]] = {}
        """Device and inode of each file, once it was looked at."""
        self._is_closing = False
        self._forked: Forked | None = None
        """Makes a checkpoint."""
        self._uncommitted = 0
        """Calls of `record` whose entries are not committed yet."""
        self._erased_at: float | None = None
        """When something was erased first that may still be in the log; None: nothing was."""
        self.retention = Retention()
        """What is kept of finished games; to be set before `run`."""
        self._removes_at = time.monotonic()
        """When to look next for games that are kept no longer."""
        self._is_signed = False
        """Whether the file says that this version writes it."""
        self.commits = Histogram()
        """How long each transaction took."""
        self._latencies: deque[float] = deque(maxlen=LATENCIES)
        with as_journal_errors(path), ExitStack() as opened:
            make_folder(path.parent)
            opened.enter_context(locked(path.parent, wait_s))
            self._file = self._open(opened, accepts_loss=accepts_loss)
            self._written_by = signature(self._file)
            make_passcode_key(self._file)
            self.passcode_key = passcode_key(self._file)
            """With which the passcodes in it are sealed."""
            self._checkpoint, checkpoint_at = _last(self._file, "number", "at", "checkpoint")
            number, at = _last(self._file, "number", "at", "records")
            self._number, self._last_time = max(number, self._checkpoint), max(at, checkpoint_at)
            self._game, _ = _last(self._file, "id", "id", "games")
            last = self._file.execute("SELECT table_id, max(number) FROM chances GROUP BY table_id")
            self._live.update({table: [stored] for table, stored in last.fetchall()})
            found = self._file.execute("SELECT 1 FROM meta WHERE key = ?", (_UNREDUCED,)).fetchone()
            self._is_unreduced = found is not None
            """Whether it has cards and secrets of finished games, as files of earlier versions do."""
            self._mark = opened.enter_context(closing(Mark(mark_of(path))))
            self._mark.write(self._number)
            self.must_be_in_place()
            self._opened = opened.pop_all()

    def _open(self, opened: ExitStack, *, accepts_loss: bool) -> sqlite3.Connection:
        if self.path.is_dir():
            raise OSError("it is a directory")
        loss = why_lost(self.path)
        if loss and not accepts_loss:
            raise JournalError(
                f"{self.path} {loss}. It was left as it is. Put a backup in its place; or start once with "
                "--accept-loss, to go on without what is missing"
            )
        if loss:
            log.error("%s %s; it is set aside as %s", self.path, loss, set_aside(self.path))
        if not self.path.exists():
            self.path.touch(mode=0o600)
        if self.path.with_name(f"{self.path.name}-journal").exists():
            # The power went while the file was being made. Who only reads cannot take that back.
            with closing(sqlite3.connect(self.path)) as file:
                file.execute("SELECT 1 FROM sqlite_master").fetchone()
        with closing(open_to_read(self.path)) as file:
            found = version_of(file, self.path)
            check_pages(file)
        file = opened.enter_context(
            closing(sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=1))
        )
        file.execute("PRAGMA journal_mode = WAL")
        file.execute("PRAGMA secure_delete = ON")  # what is overwritten or deleted becomes zeros
        file.execute("PRAGMA synchronous = FULL")  # survives a power cut, not only a killed process
        file.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")
        if found != SCHEMA:
            with file:
                file.execute("BEGIN IMMEDIATE")
                self._bring_up(file, found)
        file.execute(f"PRAGMA busy_timeout = {PATIENCE_MS}")
        return file

    def _bring_up(self, file: sqlite3.Connection, found: int) -> None:
        if found:
            # Who wants the former put-server back can have it with this copy, and with nothing else.
            with closing(open_to_read(self.path)) as before:
                copy(before, self.path.with_name(f"{self.path.name}.version-{found}.{time.time_ns()}"))
        bring_up(file, found)
        if found in _UNREDUCED_VERSIONS:
            file.execute("INSERT INTO meta VALUES (?, ?)", (_UNREDUCED, f"since version {found}"))
        if not found:
            file.execute("INSERT INTO meta VALUES ('made', ?)", (datetime.now(UTC).date().isoformat(),))
            sign(file)

    # --- reading ---

    @property
    def written_by(self) -> str:
        """The version of put that wrote last, before this opening."""
        return self._written_by

    def checkpoint(self) -> tuple[int, LobbyCheckpoint] | None:
        """The number of the last record it stands for, and the lobby as it was then; None: there is none yet.

        :raises JournalError: it cannot be read.
        """
        with as_journal_errors(self.path):
            found = checkpoint_of(self._file, self.path)
        return None if found is None else (found.number, found.lobby)

    def records(self) -> Iterator[tuple[int, Input]]:
        """Every record since the checkpoint, first to last, each with its time in milliseconds of the server.

        :raises JournalError: a record cannot be read, or is missing.
        """
        with as_journal_errors(self.path):
            for record in records_of(self._file, self.path):
                yield record.at, record.input

    def last_time(self) -> int:
        """Time of the last record. The server's clock goes on from here: clocks stood still while it was down."""
        return self._last_time

    # --- recording ---

    def record(self, entries: Sequence[Entry], then: Callable[[], None], games: Sequence[GameOver] = ()) -> None:
        """Record these and the games they ended, and of deals that are over only what remains; then call back.

        What is waiting is bounded by what sessions may ask before they are answered.
        """
        batch = self._batch
        for entry in entries:
            if not isinstance(entry, tuple):
                batch.changes += self._erase(entry)
                continue
            at, event = entry
            self._number = number = self._number + 1
            if type(event) in _DEALT:
                assert isinstance(event, Secret | Shuffled)
                self._live[event.table] = [*self._live.get(event.table, ())[: event.beside], number]
                batch.changes.append(_chance_row(number, event.table, chance_in(event)))
                event = without_chance(event)
            blob = encode(event)
            batch.records.append((number, at, blob, crc(number, at, blob)))
        batch.games += [
            self._row_of(game) for game in games if self.retention.exhibitions or not game.record.is_exhibition
        ]
        batch.waiting.append(then)
        batch.since.append(time.perf_counter())
        self._uncommitted += 1
        self._wake.set()

    def _erase(self, over: DealOver) -> list[Change]:
        numbers = self._live.pop(over.table, None)
        if numbers is None:  # of a file of an earlier version, until its first checkpoint
            return []
        # The last of them may be that of a stock which was called off: whoever reads its record needs it still.
        packs = zip(numbers, over.remains, strict=False)
        return [Erase(_chance_row(number, over.table, Chance(pack=pack))) for number, pack in packs]

    def _row_of(self, game: GameOver) -> GameColumns:
        self._game += 1
        row = (
            self._game,
            datetime.now(UTC).strftime(ENDED),
            game.record.table,
            game.record.number,
            game.record.rule_set,
            _json(game.record.players),
            None if game.end is None else _json(game.end),
            encode(game.record),
        )
        return (*row, crc(*row))

    def compact(self, at: int, checkpoint: LobbyCheckpoint) -> None:
        """Keep the lobby as it is after everything handed in so far, in place of all those records."""
        if self._forked is not None:  # what it makes would be of an earlier moment
            self._forked.give_up()
            self._forked = None
        lobby, chances = split_chances(checkpoint)
        row = (self._number, at, encode(lobby))
        self._live = {
            table: list(range(self._number - len(of_table) + 1, self._number + 1))
            for table, of_table in chances.items()
        }
        rows = [
            _chance_row(number, table, chance)
            for table, of_table in chances.items()
            for number, chance in zip(self._live[table], of_table, strict=True)
        ]
        self._batch.changes.append(Compaction((*row, crc(*row)), rows))
        self._checkpoint = self._number
        self._wake.set()

    def compact_behind(self, at: int, take: Callable[[], LobbyCheckpoint]) -> None:
        """Begin to keep the lobby as it is now, while more is handed in: another process makes the checkpoint of it."""
        if self._forked is not None:
            return
        number, live = self._number, dict(self._live)

        def work() -> bytes:
            lobby, chances = split_chances(take())
            blob = encode(lobby)
            counts = {table: len(of_table) for table, of_table in chances.items()}
            return _encode_made((blob, crc(number, at, blob), counts))

        def done(made: bytes | None) -> None:
            self._forked = None
            if made is None:
                log.warning("a checkpoint could not be made; the next is tried later")
                return
            blob, sum_, counts = _decode_made(made)
            if any(len(live.get(table, ())) != count for table, count in counts.items()):
                log.warning("a checkpoint does not fit the deals in play; the next is tried later")
                return
            deals = frozenset((one, table) for table in counts for one in live[table])
            self._batch.changes.append(CompactionBehind((number, at, blob, sum_), deals))
            self._checkpoint = number
            self._wake.set()

        try:
            self._forked = Forked(work, done)
        except OSError as error:
            log.warning("a checkpoint could not be begun (%s); the next is tried later", error.strerror)

    def reduce_games(self, change: Callable[[GameRecord], GameRecord]) -> None:
        """In a file of a version with every card of a game, replace each finished game by what `change` makes of it. To
        be called before `run`, which does the rest with the first checkpoint.

        :raises JournalError: a game cannot be read.
        """
        if not self._is_unreduced:
            return
        with as_journal_errors(self.path):
            last = 0
            while rows := self._file.execute(
                f"SELECT {GAME_COLUMNS} FROM games WHERE id > ? ORDER BY id LIMIT {GAMES_AT_ONCE}", (last,)
            ).fetchall():
                reduced = [(*row[:-2], encode(change(game_of(row, self.path).record))) for row in rows]
                with self._file as file:
                    file.execute("BEGIN IMMEDIATE")
                    file.executemany(
                        "UPDATE games SET record = ?, crc = ? WHERE id = ?",
                        [(row[-1], crc(*row), row[0]) for row in reduced],
                    )
                last = rows[-1][0]

    @property
    def since_checkpoint(self) -> int:
        """Records that a restart would have to fold."""
        return self._number - self._checkpoint

    @property
    def has_uncommitted(self) -> bool:
        """Whether anything handed in is not committed yet."""
        return self._uncommitted > 0

    @property
    def uncommitted(self) -> int:
        """Calls of `record` that are not called back yet."""
        return self._uncommitted

    @property
    def latency(self) -> Latency | None:
        """Of the last commits; None: there were none yet."""
        taken = sorted(self._latencies)
        if not taken:
            return None
        return Latency(taken[len(taken) // 2] * 1000, taken[len(taken) * 99 // 100] * 1000)

    @property
    def file_bytes(self) -> int:
        """What it takes of the disk, its log included."""
        files = (self.path, self.path.with_name(f"{self.path.name}-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def must_be_in_place(self) -> None:
        """Look whether the file, and its log, are where they were: what is written to others cannot be found again.

        :raises sqlite3.OperationalError: one was renamed, replaced or deleted.
        """
        for file in (self.path, self.path.with_name(f"{self.path.name}-wal")):
            try:
                found = file.stat()
            except FileNotFoundError:
                found = None
            except OSError as error:
                raise sqlite3.OperationalError(f"{file} cannot be looked at: {error.strerror}") from None
            place = None if found is None else (found.st_dev, found.st_ino)
            if place != self._places.setdefault(file, place) if place else file in self._places:
                raise sqlite3.OperationalError(f"{file} was renamed, replaced or deleted while the server ran")

    async def run(self) -> None:
        """Commit until closed; one owned task.

        :raises sqlite3.Error: the disk fails or is full: what was committed stands, and nothing more will be.
        """
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal") as thread:
            while not (self._is_closing and self._batch.is_empty):
                await self._wait_to_write()
                batch, self._batch = self._batch, Batch()
                if not batch.is_empty:
                    begun = time.monotonic()
                    await loop.run_in_executor(thread, self._commit, batch)
                    self.commits.observe(time.monotonic() - begun)
                    now = time.perf_counter()
                    self._latencies.extend([now - since for since in batch.since])
                    for then in batch.waiting:
                        self._uncommitted -= 1
                        then()
                if self._erased_at is not None and (self._is_closing or self._erases_in() <= 0):
                    await loop.run_in_executor(thread, self._empty_log)
                if self.retention.is_limited and not self._is_closing and self._removes_in() <= 0:
                    has_more = await loop.run_in_executor(thread, remove_oldest, self._file, self.retention)
                    self._removes_at = time.monotonic() + (BETWEEN_S if has_more else LOOK_S)

    async def _wait_to_write(self) -> None:
        """Until something is handed in, the log is to be emptied of what was erased, or old games are to be removed."""
        due = [] if self._erased_at is None else [self._erases_in()]
        if self.retention.is_limited:
            due.append(self._removes_in())
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, min(due)) if due else None):
                await self._wake.wait()
        self._wake.clear()

    def _removes_in(self) -> float:
        return self._removes_at - time.monotonic()

    def _erases_in(self) -> float:
        assert self._erased_at is not None
        return self._erased_at + ERASE_S - time.monotonic()

    def _empty_log(self) -> None:
        """Copy the log back into the file, in which nothing is left of what was erased, and cut it to nothing."""
        with self._file as file:
            file.execute("BEGIN IMMEDIATE")
            live = file.execute(f"SELECT {CHANCE_COLUMNS} FROM chances").fetchall()
            file.execute("DELETE FROM chances")  # all of its pages become zeros
            file.executemany("INSERT INTO chances VALUES (?, ?, ?, ?)", live)
        file.execute("PRAGMA busy_timeout = 0")
        (is_busy, *_) = file.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        file.execute(f"PRAGMA busy_timeout = {PATIENCE_MS}")
        self._erased_at = time.monotonic() if is_busy else None  # busy: somebody reads; then later

    def _reduce(self) -> None:
        """Nothing refers any more to what a file of an earlier version held: make the file anew without it."""
        self._file.execute("VACUUM")
        self._file.execute("DELETE FROM meta WHERE key = ?", (_UNREDUCED,))
        self._is_unreduced = False

    def _commit(self, batch: Batch) -> None:
        with self._file as file:
            file.execute("BEGIN IMMEDIATE")
            file.executemany("INSERT INTO records VALUES (?, ?, ?, ?)", batch.records)
            file.executemany("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", batch.games)
            for change in batch.changes:
                self._change(file, change)
            if not self._is_signed:
                sign(file)
        self._is_signed = True
        if batch.records:
            try:
                self._mark.write(batch.records[-1][0])
            except OSError as error:
                raise sqlite3.OperationalError(f"its mark: {error.strerror}") from None
        if self._is_unreduced and any(isinstance(change, Compaction) for change in batch.changes):
            self._reduce()
        if self._erased_at is None and any(
            isinstance(change, Erase | Compaction | CompactionBehind) for change in batch.changes
        ):
            self._erased_at = time.monotonic()

    def _change(self, file: sqlite3.Connection, change: Change) -> None:
        match change:
            case Erase(remains=remains):
                file.execute("DELETE FROM chances WHERE number = ? AND table_id = ?", remains[:2])
                file.execute("INSERT INTO remains VALUES (?, ?, ?, ?)", remains)
            case Compaction(row=row, chances=chances):
                file.execute("DELETE FROM checkpoint")
                file.execute("INSERT INTO checkpoint VALUES (?, ?, ?, ?)", row)
                file.execute("DELETE FROM records WHERE number <= ?", row[:1])
                file.execute("DELETE FROM chances WHERE number <= ?", row[:1])
                file.execute("DELETE FROM remains WHERE number <= ?", row[:1])
                file.executemany("INSERT INTO chances VALUES (?, ?, ?, ?)", chances)
            case CompactionBehind(row=row, deals=deals):
                file.execute("DELETE FROM checkpoint")
                file.execute("INSERT INTO checkpoint VALUES (?, ?, ?, ?)", row)
                file.execute("DELETE FROM records WHERE number <= ?", row[:1])
                for table in ("chances", "remains"):
                    found = file.execute(f"SELECT number, table_id FROM {table} WHERE number <= ?", row[:1]).fetchall()
                    over = [one for one in found if one not in deals]
                    file.executemany(f"DELETE FROM {table} WHERE number = ? AND table_id = ?", over)
            case _:
                file.execute("INSERT INTO chances VALUES (?, ?, ?, ?)", change)

    def finish(self) -> None:
        """Let `run` end once everything is committed."""
        if self._forked is not None:
            self._forked.give_up()
            self._forked = None
        self._is_closing = True
        self._wake.set()

    def close(self) -> None:
        """Close the file and let go of its directory; may be called again."""
        if self._forked is not None:
            self._forked.give_up()
            self._forked = None
        self._opened.close()


def _chance_row(number: int, table: TableId, chance: Chance) -> ChanceColumns:
    blob = encode(chance)
    return number, table, blob, crc(number, table, blob)


def _last(file: sqlite3.Connection, number: str, at: str, table: str) -> tuple[int, int]:
    """The greatest number and the latest time in a table; 0 where it is empty."""
    found = file.execute(f"SELECT coalesce(max({number}), 0), coalesce(max({at}), 0) FROM {table}").fetchone()
    if not all(isinstance(value, int) for value in found):
        raise sqlite3.DatabaseError("what should be a number is none")
    return int(found[0]), int(found[1])


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
