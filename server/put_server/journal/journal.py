"""The journal: one SQLite file with every input of the lobby in order, and every finished game.

Invariant: `then` is called only after its records are committed, in the order they came. Commits are grouped: what
comes while one runs goes into the next, so a busy server commits as rarely as the disk wants and an idle one at once. A
commit of few records costs each of them much: so it waits for what players send who were just told, as long as more
comes. The disk is waited for on a thread of its own, never on the loop. A checkpoint takes the place of the records
before it, so the file grows with the games played and not with time.

What a deal is made from, its `Chance`, is in the file while the deal is in play, and no longer than `ERASE_S` after it:
not in a table, not in a free page, not in the log. Overwriting alone does not do that. SQLite zeroes what is deleted
(`secure_delete`), but when it moves rows between pages it leaves copies in the gaps, about one secret in 50,000 deals.
So chances are in a table of their own, which is small, and it is made anew before the log is emptied.
"""

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from put_rules.record import GameRecord
from put_runtime.histogram import Histogram
from put_server.journal.commit_queue import Batch, CommitQueue, Compaction, Erase, Forgotten
from put_server.journal.files import copy, locked, make_folder, open_to_read, set_aside, sync
from put_server.journal.journal_errors import JournalError, as_journal_errors
from put_server.journal.journal_reader import (
    CHANCE_COLUMNS,
    GAME_COLUMNS,
    Checkpoint,
    JournalRecord,
    checkpoint_of,
    deals_at_rest,
    game_of,
    records_of,
)
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
from put_server.journal.retention import BETWEEN_S, LOOK_S, remove_oldest
from put_server.journal.writing import write

log = logging.getLogger(__name__)

PATIENCE_MS = 10_000
"""Time to wait for another program that writes to the file, which none should; after it the disk counts as failed."""

LOG_BYTES = 16 * 2**20
"""Limit of the log after another program read the file for so long that it grew."""

CACHE_KB = 256
"""Pages of the file in memory: its ends, to which moves are written. The system has the others, too."""

_UNREDUCED_VERSIONS = (1, 2)
"""Versions of the file with every card and secret of finished games."""

_UNREDUCED = "unreduced"
"""Key in `meta` of a file of such a version, until nothing of that is left."""

ENOUGH = 16
"""Records for which a commit begins at once; fewer wait for more, as long as each turn of the loop brings some."""

GAMES_AT_ONCE = 500
"""Games that are reduced in one transaction: some megabytes."""

ERASE_S = 60.0
"""Time until what was overwritten in the file leaves its log too. Copying the log back costs some milliseconds."""

LOOK_AROUND_S = 1.0
"""Time between two looks for what is due where nothing is committed."""


class Journal(CommitQueue):
    most_records = 20_000
    """A start folds them in a second or so. The fewer checkpoints, the less a move costs: while one is made, the server
    copies each page of its memory that it changes."""

    def __init__(self, path: Path, *, wait_s: float = 0, accepts_loss: bool = False) -> None:
        """Open the file, or make it, or bring it up to date; wait so long for another server to let go of it.
        `accepts_loss`: also if acknowledged play is missing, which is then set aside as it is.

        :raises JournalError: it is not ours, is damaged, is of a later version, lacks what was acknowledged, or another
            server has it.
        """
        super().__init__()
        self.path = path
        self._places: dict[Path, tuple[int, int]] = {}
        """Device and inode of each file, once it was looked at."""
        self._is_closing = False
        self._loop: asyncio.AbstractEventLoop | None = None
        """While the journal runs."""
        self._is_at_work = False
        """The disk has a job."""
        self._is_roused = False
        """`_go_on` comes at the end of this turn of the loop."""
        self._ended: asyncio.Future[None]
        self._erased_at: float | None = None
        """Time of the first erasure that may still be in the log; None: there is none."""
        self._removes_at = time.monotonic()
        """Time of the next look for games that are kept no longer."""
        self._is_signed = False
        """The file says that this version writes it."""
        self.commits = Histogram()
        with as_journal_errors(path), ExitStack() as opened:
            make_folder(path.parent)
            opened.enter_context(locked(path.parent, wait_s))
            self._file = self._open(opened, accepts_loss=accepts_loss)
            self.written_by = signature(self._file)
            """The version of put that wrote last, before this opening."""
            make_passcode_key(self._file)
            self.passcode_key = passcode_key(self._file)
            """Key by which the passcodes in it are sealed."""
            self.key_of_networks = self.passcode_key
            self._checkpoint, checkpoint_at = _last(self._file, "number", "at", "checkpoint")
            number, at = _last(self._file, "number", "at", "records")
            self._number, self._last_time = max(number, self._checkpoint), max(at, checkpoint_at)
            self._game, _ = _last(self._file, "id", "id", "games")
            self._live = deals_at_rest(self._file)
            found = self._file.execute("SELECT 1 FROM meta WHERE key = ?", (_UNREDUCED,)).fetchone()
            self._is_unreduced = found is not None
            """It has cards and secrets of finished games, as files of earlier versions do."""
            self._mark = opened.enter_context(closing(Mark(mark_of(path))))
            log_file = path.with_name(f"{path.name}-wal")
            if log_file.exists():
                sync(log_file)  # the server before may have ended between a write and its sync
                self._erased_at = time.monotonic() - ERASE_S  # or between an erasure and the emptying of the log
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

    def checkpoint(self) -> Checkpoint | None:
        return checkpoint_of(self._file, self.path)

    def records(self) -> Iterator[JournalRecord]:
        return records_of(self._file, self.path)

    def last_time(self) -> int:
        """Time of the last record. The server's clock goes on from here: clocks stood still while it was down."""
        return self._last_time

    def reduce_games(self, change: Callable[[GameRecord], GameRecord]) -> None:
        """Replace each finished game by the result of `change`, in a file of a version that kept every card of a game.
        Must be called before `run`, which does the rest with the first checkpoint.

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
    def file_bytes(self) -> int:
        """Size on disk, with the log."""
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
        self._loop = asyncio.get_running_loop()
        self._ended = self._loop.create_future()
        with ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal") as self._disk:
            try:
                while not self._ended.done():
                    self._go_on()
                    await asyncio.wait((self._ended,), timeout=LOOK_AROUND_S)
            finally:
                self._ended.cancel()  # where this task was: nobody is called back any more
        self._ended.result()

    def _note_waiting(self) -> None:
        """Commit soon, and together, what is handed in during some turns of the loop or during one commit."""
        if not (self._is_at_work or self._is_roused or self._loop is None):
            self._is_roused = True
            self._loop.call_soon(self._gather)

    def _gather(self, before: int = 0) -> None:
        """Begin a commit, unless few records wait, and more came since that one."""
        if before < self._number and len(self._batch.records) < ENOUGH:
            assert self._loop is not None
            self._loop.call_soon(self._gather, self._number)
        else:
            self._go_on()

    def _go_on(self) -> None:
        """Give the disk what is next, unless it is at work: what is due between two commits, or a commit."""
        self._is_roused = False
        if self._is_at_work or self._ended.done():
            return
        now = time.monotonic()
        if self._erased_at is not None and now >= self._erased_at + ERASE_S - LOOK_AROUND_S:
            self._work(self._empty_log)
        elif self.retention.is_limited and not self._is_closing and now >= self._removes_at:
            self._work(partial(remove_oldest, self._file, self.retention), self._removed)
        elif not self._batch.is_empty:
            batch = self._take()
            self._work(partial(self._commit, batch), partial(self._committed, batch, now))
        elif self._is_closing and self._erased_at is not None:
            self._work(self._empty_log, self._finished)  # once: who reads the file does not hold up the end
        elif self._is_closing:
            self._finished()

    def _work(self, work: Callable[[], Any], then: Callable[[Any], None] = lambda _: None) -> None:
        self._is_at_work = True
        # A function that knew the job would be a cycle with it, and all that the commit holds garbage to be searched.
        self._disk.submit(work).add_done_callback(partial(self._tell_loop, then))

    def _tell_loop(self, then: Callable[[Any], None], job: Future[Any]) -> None:
        """Called on the thread of the disk."""
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._worked, then, job)

    def _worked(self, then: Callable[[Any], None], job: Future[Any]) -> None:
        """The disk has done it: what waited for this job hears, in this turn of the loop."""
        self._is_at_work = False
        if self._ended.done():
            return
        try:
            then(job.result())
            self._note_waiting()
        except Exception as error:  # noqa: BLE001  # it ends the task that owns the journal
            self._ended.set_exception(error)

    def _committed(self, batch: Batch, begun: float, _: None) -> None:
        self.commits.observe(time.monotonic() - begun)
        if len(self._batch.records) >= ENOUGH:
            self._go_on()  # the disk works while we tell
        self._call_back(batch)

    def _finished(self, _: None = None) -> None:
        if self._batch.is_empty:
            self._ended.set_result(None)

    def _removed(self, has_more: bool) -> None:
        self._removes_at = time.monotonic() + (BETWEEN_S if has_more else LOOK_S)
        if has_more and self._loop is not None:
            self._loop.call_later(BETWEEN_S, self._go_on)

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
        self._erased_at = time.monotonic() if is_busy else None  # busy: another program reads; then later

    def _reduce(self) -> None:
        """Nothing refers any more to what a file of an earlier version held: make the file anew without it."""
        self._file.execute("VACUUM")
        self._file.execute("DELETE FROM meta WHERE key = ?", (_UNREDUCED,))
        self._is_unreduced = False

    def forget(self, name: str) -> Forgotten:
        """Take a name out of finished games, with the next commit; the lobby has forgotten it, and a checkpoint of that
        is to be handed in at the same time. What the file held before is in no page of it then, nor in its log, but for
        as long as another program reads it. A large file takes seconds, in which moves wait."""
        forgotten = Forgotten(name)
        self._batch.forgotten.append(forgotten)
        return forgotten

    def _make_anew(self) -> None:
        """Leave nothing in free pages and gaps."""
        try:
            self._file.execute("VACUUM")
        except sqlite3.OperationalError as error:  # as for want of room
            log.error("%s: traces of what was forgotten may be left (%s); forget it again", self.path, error)
        self._empty_log()

    def _commit(self, batch: Batch) -> None:
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
            self._make_anew()
        if self._erased_at is None and any(isinstance(change, Erase | Compaction) for change in batch.changes):
            self._erased_at = time.monotonic()

    def finish(self) -> None:
        """Let `run` end once everything is committed."""
        self._give_up_checkpoint()
        self._is_closing = True
        self._note_waiting()

    def close(self) -> None:
        """Close the file and let go of its directory; may be called again."""
        self._give_up_checkpoint()
        self._opened.close()


def _last(file: sqlite3.Connection, number: str, at: str, table: str) -> tuple[int, int]:
    """The greatest number and the latest time in a table; 0 where it is empty."""
    found = file.execute(f"SELECT coalesce(max({number}), 0), coalesce(max({at}), 0) FROM {table}").fetchone()
    if not all(isinstance(value, int) for value in found):
        raise sqlite3.DatabaseError("what should be a number is none")
    return int(found[0]), int(found[1])
