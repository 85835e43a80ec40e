"""Read-only view of a journal, for any process, whether a server runs or not.

It shows one moment: what a server writes after the opening is not in it. It never makes a file nor writes to one.
While it reads, SQLite may put its log and its index beside the file; they go when it closes, or when the server that
owns them does. After a server that was killed the index stays.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from types import TracebackType
from typing import Self

from put_server.journal import reading
from put_server.journal.errors import JournalError, as_journal_errors
from put_server.journal.files import copy
from put_server.journal.retention import last_removed
from put_server.journal.schema import SCHEMA, check_pages, passcode_key, signature, version_of

PATIENCE_SECONDS = 5
"""For a server that is just starting."""


class Archive:
    """An open archive; to be closed."""

    def __init__(self, path: Path) -> None:
        """:raises JournalError: there is no such file, or it is none of ours, damaged, or of another version."""
        self.path = path
        if not path.exists():
            raise JournalError(f"{path} does not exist: no server has kept anything there")
        with as_journal_errors(path), ExitStack() as opened:
            if path.is_dir():
                raise OSError("it is a directory")
            self._file = opened.enter_context(closing(_reader(path)))
            found = version_of(self._file, path)
            if found != SCHEMA:
                what = "is empty" if not found else "was written by an earlier put-server"
                raise JournalError(f"{path} {what}; it can be read once this put-server was started with it")
            self._begin()
            self.written_by = signature(self._file)
            """The version of put that wrote last."""
            self.passcode_key = passcode_key(self._file)
            """With which the passcodes in it are sealed."""
            self.last_removed = last_removed(self._file)
            """The latest finished game that was kept long enough; 0: all are still there."""
            self._opened = opened.pop_all()

    def _begin(self) -> None:
        """From here on one moment is seen."""
        self._file.execute("BEGIN")
        self._file.execute("SELECT 1 FROM sqlite_master").fetchone()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """May be called again."""
        self._opened.close()

    def games(self, limit: int, *, table: int | None = None) -> list[reading.GameRow]:
        """The last so many finished games, of all tables or one, newest first.

        :raises JournalError: one cannot be read.
        """
        where, given = ("", (limit,)) if table is None else ("WHERE table_id = ?", (table, limit))
        with as_journal_errors(self.path):
            rows = self._file.execute(
                f"SELECT {reading.GAME_COLUMNS} FROM games {where} ORDER BY id DESC LIMIT ?", given
            )
            return [reading.row_of(row, self.path) for row in rows]

    def game(self, number: int) -> reading.FinishedGame | None:
        """A finished game by its id; None: there is none.

        :raises JournalError: it cannot be read.
        """
        with as_journal_errors(self.path):
            row = self._file.execute(f"SELECT {reading.GAME_COLUMNS} FROM games WHERE id = ?", (number,)).fetchone()
            return None if row is None else reading.game_of(row, self.path)

    def ids(self) -> list[int]:
        """Of every finished game, oldest first."""
        with as_journal_errors(self.path):
            return [number for (number,) in self._file.execute("SELECT id FROM games ORDER BY id")]

    def checkpoint(self) -> reading.Checkpoint | None:
        """The lobby that the records go on from; None: they begin with an empty one.

        :raises JournalError: it cannot be read.
        """
        with as_journal_errors(self.path):
            return reading.checkpoint_of(self._file, self.path)

    def records(self) -> Iterator[reading.Record]:
        """Every record since the checkpoint, first to last.

        :raises JournalError: a record cannot be read, or is missing.
        """
        with as_journal_errors(self.path):
            yield from reading.records_of(self._file, self.path)

    def check_pages(self) -> None:
        """Read the whole file through.

        :raises JournalError: it is damaged.
        """
        with as_journal_errors(self.path):
            check_pages(self._file)

    def backup(self, to: Path) -> None:
        """Copy what is recorded by now, also while a server writes. The copy is a journal to start a server with.

        :raises JournalError: there is a file of that name already, or it cannot be written.
        """
        try:
            with closing(_reader(self.path, is_guarded=False)) as file:
                copy(file, to)
        except (OSError, sqlite3.Error) as error:
            raise JournalError(f"{self.path} cannot be copied to {to}: {error}") from None


def _reader(path: Path, *, is_guarded: bool = True) -> sqlite3.Connection:
    """To read without a trace. A connection that could write but does not is the one that tidies up after itself; but
    it would tidy up after a killed server, too, and that is the next server's to do."""
    log = path.with_name(f"{path.name}-wal")
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
