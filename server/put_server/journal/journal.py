"""The journal: one SQLite file that keeps every input of the lobby in order.

Law: `then` is called only after its records are committed, in the order they came. Commits are grouped: what comes
while one runs goes into the next, so a busy server commits as rarely as the disk wants and an idle one at once. The
disk is waited for on a thread of its own, never on the loop.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import msgspec

from put_server.journal.records import decode, encode
from put_server.lobby.inputs import Input

APPLICATION_ID = 0x50555431
"""`PUT1`: in the file's header, so that no other program's file is taken for ours."""

SCHEMA = 1


class JournalError(Exception):
    """The file cannot be used; the sentence says why and what to do. It was not changed."""


class Journal:
    """An open journal."""

    def __init__(self, path: Path) -> None:
        """Open the file, or make it.

        :raises JournalError: it is not ours, is damaged, is of a later version, or another server has it.
        """
        self._path = path
        self._waiting: list[tuple[list[tuple[int, Input]], Callable[[], None]]] = []
        self._wake = asyncio.Event()
        self._is_closing = False
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            path.touch(mode=0o600)
            if path.is_dir():
                raise OSError("it is a directory")
            with closing(_reader(path)) as file:
                is_new, self._last_time = self._examine(file)
            self._file = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=1)
            try:
                self._prepare(is_new)
            except sqlite3.Error:
                self._file.close()
                raise
        except (OSError, sqlite3.Error) as error:
            raise JournalError(f"{path} {_trouble(error)}") from None

    def _examine(self, file: sqlite3.Connection) -> tuple[bool, int]:
        """Whether nothing is in the file yet, and the time of the last record."""
        (owner,) = file.execute("PRAGMA application_id").fetchone()
        (version,) = file.execute("PRAGMA user_version").fetchone()
        # Also one that was killed while it was being made is new: nothing is in it, nor whose it is.
        if (owner, version) == (0, 0) and file.execute("SELECT 1 FROM sqlite_master").fetchone() is None:
            return True, 0
        if owner != APPLICATION_ID:
            raise JournalError(f"{self._path} belongs to another program; choose another directory with --data")
        if version > SCHEMA:
            raise JournalError(f"{self._path} was written by a later put-server; use that one, or another --data")
        (found,) = file.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise sqlite3.DatabaseError(found)
        (at,) = file.execute("SELECT coalesce(max(at), 0) FROM records").fetchone()
        return False, at

    def _prepare(self, is_new: bool) -> None:
        self._file.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._file.execute("PRAGMA journal_mode = WAL")
        self._file.execute("PRAGMA synchronous = FULL")  # survives a power cut, not only a killed process
        self._file.execute("BEGIN IMMEDIATE")
        if is_new:
            self._file.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            self._file.execute(f"PRAGMA user_version = {SCHEMA}")
            self._file.execute(
                "CREATE TABLE records (number INTEGER PRIMARY KEY, at INTEGER NOT NULL, input BLOB NOT NULL)"
            )
        self._file.execute("COMMIT")

    def records(self) -> Iterator[tuple[int, Input]]:
        """Everything kept, first to last, each with its time in milliseconds of the server's clock.

        :raises JournalError: a record cannot be read.
        """
        for number, at, blob in self._file.execute("SELECT number, at, input FROM records ORDER BY number"):
            try:
                yield at, decode(blob)
            except msgspec.DecodeError as error:
                raise JournalError(
                    f"record {number} of {self._path} cannot be read ({error}); "
                    "move the file away, or choose another --data"
                ) from None

    def last_time(self) -> int:
        """Of the last record: the server's clock goes on from here, so clocks stood still while it was down."""
        return self._last_time

    def record(self, records: list[tuple[int, Input]], then: Callable[[], None]) -> None:
        """Keep these, then call back. What is waiting is bounded by what sessions may ask before they are answered."""
        self._waiting.append((records, then))
        self._wake.set()

    async def run(self) -> None:
        """Commit until closed; one owned task.

        :raises sqlite3.Error: the disk fails or is full: what was told stands, and nothing more will be.
        """
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal") as thread:
            while not (self._is_closing and not self._waiting):
                await self._wake.wait()
                self._wake.clear()
                batch, self._waiting = self._waiting, []
                if batch:
                    rows = [(at, encode(event)) for records, _ in batch for at, event in records]
                    await loop.run_in_executor(thread, self._commit, rows)
                    for _, then in batch:
                        then()

    def _commit(self, rows: list[tuple[int, bytes]]) -> None:
        self._file.execute("BEGIN IMMEDIATE")
        try:
            self._file.executemany("INSERT INTO records (at, input) VALUES (?, ?)", rows)
            self._file.execute("COMMIT")
        except sqlite3.Error:
            if self._file.in_transaction:
                self._file.execute("ROLLBACK")
            raise

    def finish(self) -> None:
        """Let `run` end once everything is committed."""
        self._is_closing = True
        self._wake.set()

    def close(self) -> None:
        """Close the file; may be called again."""
        self._file.close()


def _reader(path: Path) -> sqlite3.Connection:
    """The file, to be looked at and left as it is: a writer would tidy up after one that was killed."""
    log = path.with_name(f"{path.name}-wal")
    is_at_rest = not log.exists() or log.stat().st_size == 0
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{'immutable=1' if is_at_rest else 'mode=ro'}", uri=True, timeout=1
    )


def _trouble(error: OSError | sqlite3.Error) -> str:
    """What is wrong with a file, and what to do."""
    said = str(error)
    if isinstance(error, OSError) or "unable to open" in said:
        return f"cannot be opened ({said}); choose another directory with --data"
    if "locked" in said:
        return "is in use by another put-server; choose another --data"
    return (
        f"is damaged or not a journal of put-server ({said}); it was left as it is. "
        "Move it away, or choose another --data"
    )
