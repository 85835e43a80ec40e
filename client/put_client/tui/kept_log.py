"""The log of the table at which we sit, kept in a file for a player who comes back.

The first line has the number of the table, each of the others an entry.

A seat outlives the program, and its player should not lose earlier events and talk. There is one file for each server
and name, readable only by its owner, because the log contains their cards. It restarts with another table, and is
deleted when they leave the table. If it cannot be written, the game continues without.
"""

import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

import msgspec
from msgspec import Struct

from put_client.places import state_folder
from put_client.tui.model import LOG_ENTRIES, AtTable, LogEntry
from put_protocol.text import same_name
from put_runtime.private_files import make_private_folder, open_private

MOST_LINES = 4 * LOG_ENTRIES
"""Lines of the file at which it is rewritten with the entries in memory."""

MOST_BYTES = 4 * 1024 * 1024


class _Table(Struct, frozen=True):
    table: int


def path_of(place: str, name: str) -> Path:
    """File of a player at a server; the same after they return in the same way."""
    digest = hashlib.sha256(f"{place}\n{same_name(name)}".encode()).hexdigest()
    return state_folder() / "logs" / f"{digest[:32]}.jsonl"


class KeptLog:
    """The file of one player. Call `note` with every table, and `end` once at the end."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[str] | None = None
        self._table: int | None = None
        self._noted = 0
        self._lines = 0

    def read(self, table: int) -> tuple[LogEntry, ...]:
        """Stored entries of this table; empty if the file is of another table, or unreadable."""
        with suppress(OSError, ValueError):
            with self._path.open("rb") as file:
                first, *rest = file.read(MOST_BYTES).splitlines()
            if msgspec.json.decode(first, type=_Table).table == table:
                return tuple(_entries(rest))[-LOG_ENTRIES:]
        return ()

    def note(self, table: AtTable | None) -> None:
        """Write new entries of our table's log; without a seat nothing is stored."""
        if table is None or table.seat is None:
            self._clear()
            return
        new = table.log.noted - self._noted
        if table.id != self._table or self._file is None or new < 0 or self._lines > MOST_LINES:
            self._begin(table.id)
            new = len(table.log.entries)
        if new:
            self._write(table.log.entries[-new:])
        self._noted = table.log.noted

    def end(self, *, keeps: bool) -> None:
        """Close the file; delete it unless the seat is kept."""
        if not keeps:
            self._clear()
        elif self._file is not None:
            self._file.close()

    def _begin(self, table: int) -> None:
        self._table, self._lines, self._noted = table, 0, 0
        with suppress(OSError):
            if self._file is not None:
                self._file.close()
            self._file = None
            make_private_folder(self._path.parent)
            descriptor = open_private(self._path, os.O_WRONLY | os.O_TRUNC)
            self._file = os.fdopen(descriptor, "w", encoding="utf-8")
            self._put(_Table(table))

    def _write(self, entries: tuple[LogEntry, ...]) -> None:
        for entry in entries:
            self._put(entry)
        self._lines += len(entries)
        if self._file is not None:
            with suppress(OSError):
                self._file.flush()

    def _put(self, line: Struct) -> None:
        if self._file is not None:
            with suppress(OSError, UnicodeEncodeError):
                self._file.write(msgspec.json.encode(line).decode() + "\n")

    def _clear(self) -> None:
        if self._table is None and self._file is None:
            return
        if self._file is not None:
            with suppress(OSError):
                self._file.close()
        self._file, self._table, self._noted = None, None, 0
        with suppress(OSError):
            self._path.unlink()


def _entries(lines: list[bytes]) -> Iterator[LogEntry]:
    """Decode lines up to the first broken one: the last one may be incomplete."""
    for line in lines:
        try:
            yield msgspec.json.decode(line, type=LogEntry)
        except msgspec.DecodeError:
            return
