"""The journal: one SQLite file with every input of the lobby in order, and every finished game.

Invariant: `then` is called only after its records are committed, in the order in which they came. Commits are grouped:
input during a commit goes into the next. So a busy server commits at the speed of the disk, and an idle one at once. A
commit of few records is expensive for each of them. So it waits, as long as more come, for the requests of players who
were just informed. A separate thread waits for the disk, never the event loop. A checkpoint replaces all earlier
records, so the file grows with the finished games, not with time.

The source of a deal, its `Chance`, is in the file while the deal is in play, and at most `ERASE_S` longer: then in no
table, free page or log. Overwriting is not enough. SQLite zeroes deleted data (`secure_delete`), but leaves copies in
the gaps when it moves rows between pages, about one secret in 50,000 deals. So sources have a small table of their own,
which is rebuilt before the log is emptied.
"""

import asyncio
import logging
import secrets
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from put_rules.record import GameRecord
from put_server.journal.commit_queue import Batch, CommitQueue, Compaction, Erase, Forgotten
from put_server.journal.files import copy, locked, make_folder, open_to_read, set_aside, sync
from put_server.journal.journal_errors import JournalError, as_journal_errors
from put_server.journal.journal_reader import CHANCE_COLUMNS, GAME_COLUMNS, JournalRows, game_of, rows_in
from put_server.journal.journal_schema import (
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
from put_server.journal.mark import Mark, mark_of, why_lost
from put_server.journal.records import encode
from put_server.journal.retention import BETWEEN_S, REMOVAL_INTERVAL_S, remove_oldest
from put_server.journal.writing import write

log = logging.getLogger(__name__)

PATIENCE_MS = 10_000
"""Time to wait for another program that writes to the file, which should not happen; then the disk counts as failed."""

LOG_BYTES = 16 * 2**20
"""Size to which the log is cut after another program has read the file for so long that the log grew."""

CACHE_KB = 256
"""Page cache of SQLite: the ends of the file, which moves are written to. The system caches the other pages."""

_UNREDUCED_VERSIONS = (1, 2)
"""Versions of the file with every card and secret of finished games."""

_UNREDUCED = "unreduced"
"""Key in `meta` of a file of such a version, until its old content is gone."""

ENOUGH = 16
"""Records for which a commit starts at once; fewer wait for more, as long as each turn of the loop brings some."""

GAMES_AT_ONCE = 500
"""Games reduced in one transaction: some megabytes."""

ERASE_S = 60.0
"""Time until data overwritten in the file leaves the log too. Copying the log back takes some milliseconds."""

IDLE_CHECK_S = 1.0

Work = asyncio.Future["Work | None"]
"""Work of the disk. Once it is done and told, the result is the work that was begun meanwhile."""


class Journal(CommitQueue):
    most_records = 20_000
    """A start replays them in a second or so. Fewer checkpoints make moves cheaper: while one is made, the server
    copies each memory page that it changes."""

    def __init__(
        self, path: Path, *, wait_s: float = 0, accepts_loss: bool = False, new_key: bytes | None = None
    ) -> None:
        """Open, create or upgrade the file; wait at most `wait_s` for another server to release it. `accepts_loss`:
        open it even if acknowledged play is missing, after setting a copy aside. `new_key`: seals the passcodes if the
        file has no key; None: a random one.

        :raises JournalError: it is no journal, is damaged, has a later version, lacks acknowledged play, or another
        server has it.
        """
        super().__init__()
        self.path = path
        self._places: dict[Path, tuple[int, int]] = {}
        """Device and inode of each file, after the first check."""
        self._erased_at: float | None = None
        """Time of the first erasure that may still be in the log; None: there is none."""
        self._next_removal_at = time.monotonic()
        self._is_signed = False
        """The file says that this version writes it."""
        with as_journal_errors(path), ExitStack() as opened:
            make_folder(path.parent)
            opened.enter_context(locked(path.parent, wait_s))
            self._file = self._open(opened, accepts_loss=accepts_loss)
            self.written_by = signature(self._file)
            """Version of put that wrote last, before this opening."""
            make_passcode_key(self._file, new_key or secrets.token_bytes(32))
            self.passcode_key = passcode_key(self._file)
            self.key_of_networks = self.passcode_key
            (self._game,) = self._file.execute("SELECT coalesce(max(id), 0) FROM games").fetchone()
            self._note_kept(self.kept)
            if not isinstance(self.last_time, int):
                raise sqlite3.DatabaseError("what should be a number is none")
            found = self._file.execute("SELECT 1 FROM meta WHERE key = ?", (_UNREDUCED,)).fetchone()
            self._is_unreduced = found is not None
            """The file still has cards and secrets of finished games, from an earlier version."""
            self._mark = opened.enter_context(closing(Mark(mark_of(path))))
            log_file = path.with_name(f"{path.name}-wal")
            if log_file.exists():
                sync(log_file)  # the server before may have ended between a write and its sync
                self._erased_at = time.monotonic() - ERASE_S  # or between an erasure and the emptying of the log
            self._mark.write(self.number)
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
        file.execute(f"PRAGMA cache_size = -{CACHE_KB}")
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

    @property
    def kept(self) -> JournalRows:
        """The lobby, and the records since, as of the last commit."""
        return rows_in(self._file, self.path)

    def reduce_games(self, change: Callable[[GameRecord], GameRecord]) -> None:
        """Replace each finished game by the result of `change`, in a file of a version that stored all cards of a game.
        Must be called before `run`, which completes the work with the first checkpoint.

        :raises JournalError: a game is unreadable.
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
    def file_bytes(self) -> int:
        """Size on disk, with the log."""
        files = (self.path, self.path.with_name(f"{self.path.name}-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def must_be_in_place(self) -> None:
        """Check that the file and its log were not moved: otherwise new data would be lost.

        :raises sqlite3.OperationalError: a file was renamed, replaced or deleted.
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
        """Commit until closed, as one owned task.

        :raises sqlite3.Error: the disk fails or is full. Committed data stays, and nothing more is committed.
        """
        job: Work | None = None
        with ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal") as self._disk:
            while True:
                self._wake.clear()
                if job is None:
                    await self._gather()
                    job = self._begun()
                if job is not None:
                    job = await job
                elif self._is_closing:
                    if self._erased_at is not None:  # once: who reads the file does not hold up the end
                        job = await self._on_disk(self._empty_log)
                    if job is None and self._batch.is_empty:
                        return
                else:
                    await self._rest()

    async def _gather(self) -> None:
        """Let records come, as long as each turn of the loop brings some, and there are few."""
        before = 0
        while before < self.number and len(self._batch.records) < ENOUGH:
            before = self.number
            await asyncio.sleep(0)

    def _begun(self, least: int = 0) -> Work | None:
        """Begin the next work of the disk: a commit of at least so many records, or work that is due between
        commits."""
        now = time.monotonic()
        if self._erased_at is not None and now >= self._erased_at + ERASE_S - IDLE_CHECK_S:
            return self._on_disk(self._empty_log)
        if self.retention.is_limited and not self._is_closing and now >= self._next_removal_at:
            return self._on_disk(self._remove_oldest)
        if self._batch.is_empty or len(self._batch.records) < least:
            return None
        return self._on_disk(partial(self._commit, self._take()))

    def _on_disk(self, work: Callable[[], Batch | None]) -> Work:
        loop = asyncio.get_running_loop()
        told: Work = loop.create_future()
        self._disk.submit(work).add_done_callback(lambda job: loop.call_soon_threadsafe(self._tell, job, told))
        return told

    def _tell(self, job: Future[Batch | None], told: Work) -> None:
        """Tell what the disk has done, in the turn of the loop that hears of it: a task would wake up in the next."""
        if told.cancelled():
            return
        following = None
        try:
            committed = job.result()
            following = self._begun(ENOUGH)  # the disk works while we tell
            if committed is not None:
                self._call_back(committed)
            told.set_result(following)
        except Exception as error:  # noqa: BLE001  # it ends the task that owns the journal
            told.set_exception(error)
            if following is not None:
                following.cancel()

    async def _rest(self) -> None:
        """Wait for input, or until work may be due."""
        seconds = IDLE_CHECK_S
        if self.retention.is_limited and not self._is_closing:
            seconds = min(seconds, max(0.0, self._next_removal_at - time.monotonic()))
        late = asyncio.get_running_loop().call_later(seconds, self._wake.set)
        try:
            await self._wake.wait()
        finally:
            late.cancel()

    def _remove_oldest(self) -> None:
        has_more = remove_oldest(self._file, self.retention)
        self._next_removal_at = time.monotonic() + (BETWEEN_S if has_more else REMOVAL_INTERVAL_S)

    def _empty_log(self) -> None:
        """Erase: rebuild the table of sources, copy the log into the file, and truncate the log."""
        with self._file as file:
            file.execute("BEGIN IMMEDIATE")
            live = file.execute(f"SELECT {CHANCE_COLUMNS} FROM chances").fetchall()
            file.execute("DELETE FROM chances")  # all of its pages become zeros
            file.executemany("INSERT INTO chances VALUES (?, ?, ?, ?)", live)
        file.execute("PRAGMA busy_timeout = 0")
        (is_busy, *_) = file.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        file.execute(f"PRAGMA busy_timeout = {PATIENCE_MS}")
        self._erased_at = time.monotonic() if is_busy else None  # busy: another program reads; then later

    def _reduce(self) -> None:
        """Rebuild the file, which no longer refers to the old content of an earlier version."""
        self._file.execute("VACUUM")
        self._file.execute("DELETE FROM meta WHERE key = ?", (_UNREDUCED,))
        self._is_unreduced = False

    def forget(self, name: str) -> Forgotten:
        """Remove a name from finished games, with the next commit. The lobby has already forgotten it, and a checkpoint
        must be passed in at the same time. Afterwards no page or log of the file has the name, except while another
        program reads it. A large file takes seconds, in which moves wait."""
        forgotten = Forgotten(name)
        self._batch.forgotten.append(forgotten)
        return forgotten

    def _make_anew(self, forgotten: Sequence[Forgotten]) -> None:
        """Rebuild the file, so that free pages and gaps have no old data."""
        try:
            self._file.execute("VACUUM")
        except sqlite3.OperationalError as error:  # as for want of room
            for one in forgotten:
                one.left = f"the file was not rewritten: {error}"
            log.error("%s: traces of what was forgotten may be left (%s); forget it again", self.path, error)
        self._empty_log()

    def _commit(self, batch: Batch) -> Batch:
        begun = time.monotonic()
        with self._file as file:
            file.execute("BEGIN IMMEDIATE")
            write(file, batch)
            if not self._is_signed:
                sign(file)
        self._is_signed = True
        if batch.records:
            try:
                self._mark.write(batch.records[-1][0])
            except OSError as error:
                raise sqlite3.OperationalError(f"its mark: {error.strerror}") from None
        if self._is_unreduced and any(
            isinstance(change, Compaction) and not change.is_behind for change in batch.changes
        ):
            self._reduce()
        if batch.forgotten:
            self._make_anew(batch.forgotten)
        if self._erased_at is None and any(isinstance(change, Erase | Compaction) for change in batch.changes):
            self._erased_at = time.monotonic()
        self.commits.observe(time.monotonic() - begun)
        return batch

    def close(self) -> None:
        """Close the file and release its directory; may be called again."""
        super().close()
        self._opened.close()
