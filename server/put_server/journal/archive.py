"""Read-only view of a journal, for any process, whether a server runs or not.

It shows the state at its opening, without later writes of a server. It never creates or changes a journal. While it
reads, SQLite may create its log and index beside the file; they are removed when the archive or the owning server
closes. After a killed server the index stays.
"""

import os
import shutil
import sqlite3
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any

from put_server.journal import journal_reader
from put_server.journal.files import copy, locked
from put_server.journal.journal_errors import JournalError, as_journal_errors
from put_server.journal.journal_schema import SCHEMA, check_pages, passcode_key, signature, version_of
from put_server.journal.retention import last_removed

PATIENCE_SECONDS = 5
"""Time to wait for a server that is just starting."""


class Archive(AbstractContextManager["Archive"]):
    """An open archive, which must be closed. Its methods raise `JournalError` if the data is damaged."""

    def __init__(self, path: Path) -> None:
        """:raises JournalError: the file is missing, is no journal, is damaged, or has another version."""
        self.path = path
        if not path.exists():
            raise JournalError(f"{path} does not exist: no server has kept anything there")
        with as_journal_errors(path), ExitStack() as opened:
            if path.is_dir():
                raise OSError("it is a directory")
            place = path if _can_be_read_in_place(path) else _copied(path, opened)
            self._file = opened.enter_context(closing(_reader(place)))
            found = version_of(self._file, path)
            if found != SCHEMA:
                what = "is empty" if not found else "was written by an earlier put-server"
                raise JournalError(f"{path} {what}; it can be read once this put-server was started with it")
            self._begin()
            self.written_by = signature(self._file)
            """Version of put that wrote last."""
            self.passcode_key = passcode_key(self._file)
            self.last_removed = last_removed(self._file)
            """Number of the latest finished game removed after its time; 0: none was removed."""
            self._opened = opened.pop_all()

    def _begin(self) -> None:
        """Start a transaction: all reads see the same state."""
        self._file.execute("BEGIN")
        self._file.execute("SELECT 1 FROM sqlite_master").fetchone()

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._opened.close()

    def latest(self, limit: int, *, table: int | None = None) -> tuple[list[journal_reader.GameRow], list[str]]:
        """The latest games of all tables or of one, newest first; and a sentence for each unreadable one."""
        where, given = ("", (limit,)) if table is None else ("WHERE table_id = ?", (table, limit))
        rows: list[journal_reader.GameRow] = []
        flaws: list[str] = []
        for (number,) in self._query(f"SELECT id FROM games {where} ORDER BY id DESC LIMIT ?", *given):
            try:
                if (row := self._row(number)) is not None:
                    rows.append(journal_reader.row_of(row, self.path))
            except JournalError as error:
                flaws.append(str(error))
        return rows, flaws

    def _query(self, sql: str, *given: int) -> list[Any]:
        with as_journal_errors(self.path):
            return self._file.execute(sql, given).fetchall()

    def _row(self, number: int) -> journal_reader.GameColumns | None:
        rows = self._query(f"SELECT {journal_reader.GAME_COLUMNS} FROM games WHERE id = ?", number)
        return rows[0] if rows else None

    def game(self, number: int) -> journal_reader.FinishedGame | None:
        row = self._row(number)
        return None if row is None else journal_reader.game_of(row, self.path)

    def rows(self) -> Iterator[journal_reader.GameColumns]:
        """Every finished game in its stored form, oldest first."""
        for number in self.ids():
            row = self._row(number)
            assert row is not None
            journal_reader.row_of(row, self.path)  # its checksum
            yield row

    def ids(self) -> list[int]:
        """Ids of the finished games, oldest first."""
        return [number for (number,) in self._query("SELECT id FROM games ORDER BY id")]

    @property
    def kept(self) -> journal_reader.JournalRows:
        """The lobby, and the records since."""
        return journal_reader.rows_in(self._file, self.path)

    def check_pages(self) -> None:
        """Read the whole file through."""
        with as_journal_errors(self.path):
            check_pages(self._file)

    def flaws(self) -> list[str]:
        """Unreadable parts, a sentence each. This does not check the rest against the rules."""
        flaws: list[str] = []

        def attempt(read: Callable[[], object]) -> None:
            try:
                read()
            except JournalError as error:
                flaws.append(str(error))

        attempt(self.check_all)
        if not flaws:
            attempt(lambda: deque((self.kept.lobby(), *self.kept.inputs()), maxlen=0))
            for number in self.ids():
                attempt(partial(self.game, number))
        return flaws

    def check_all(self) -> None:
        """Read the whole file, including its indexes."""
        with as_journal_errors(self.path):
            (found,) = self._file.execute("PRAGMA integrity_check(1)").fetchone()
            if found != "ok":
                raise sqlite3.DatabaseError(found)

    def backup(self, to: Path) -> None:
        """Copy the current records, even while a server writes. A server can start with the copy.

        :raises JournalError: the file exists already, or cannot be written.
        """
        try:
            with ExitStack() as opened:
                place = self.path if _can_be_read_in_place(self.path) else _copied(self.path, opened)
                file = opened.enter_context(closing(_reader(place, is_guarded=False)))
                copy(file, to)
        except (OSError, sqlite3.Error) as error:
            raise JournalError(
                f"{self.path} cannot be copied to {to}: {getattr(error, 'strerror', None) or error}"
            ) from None


def _log(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _can_be_read_in_place(path: Path) -> bool:
    """True if SQLite can read the file in place: reading a log needs an index file, perhaps a new one."""
    return not (_log(path).exists() and _log(path).stat().st_size) or os.access(path.parent, os.W_OK)


def _copied(path: Path, opened: ExitStack) -> Path:
    """A copy of a killed server's journal, in a temporary directory while the archive is open.

    :raises JournalError: a server writes to the journal.
    """
    folder = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="put-archive-")))
    with locked(path.parent):
        for file in (path, _log(path)):
            shutil.copyfile(file, folder / file.name)
    return folder / path.name


def _reader(path: Path, *, is_guarded: bool = True) -> sqlite3.Connection:
    """Open a database read-only. A writable connection would clean up after a killed server: the next one's task."""
    log = _log(path)
    if log.exists() and log.stat().st_size:
        mode = "mode=ro"
    elif os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        mode = "mode=rw"
    else:
        mode = "immutable=1"
    file = sqlite3.connect(
        f"{path.absolute().as_uri()}?{mode}", uri=True, timeout=PATIENCE_SECONDS, isolation_level=None
    )
    if is_guarded:  # VACUUM INTO, which makes copies, will not have it
        file.execute("PRAGMA query_only = ON")
    return file
