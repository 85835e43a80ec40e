"""The log of the table at which we sit, kept in a file for a player who comes back.

The first line has the number of the table, each of the others an entry.

A seat outlives the program, and its player should not lose earlier events and talk. There is one file for each server
and name, readable only by its owner, because the log contains their cards. It is replaced as a whole, and deleted when
they leave the table. If it cannot be written, the game continues without.
"""

import hashlib
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from put_client.places import state_folder
from put_client.tui.model import AtTable, LogEntry
from put_protocol.text import same_name
from put_runtime.private_files import make_private_folder, replace_private

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
        self._kept: tuple[int, tuple[LogEntry, ...]] | None = None
        """Content of the file: the number of a table, and its log."""

    def read(self, table: int) -> tuple[LogEntry, ...]:
        """Stored entries of this table; empty if the file is of another table, or unreadable."""
        with suppress(OSError, ValueError):
            with self._path.open("rb") as file:
                first, _, rest = file.read(MOST_BYTES).partition(b"\n")
            if msgspec.json.decode(first, type=_Table).table == table:
                return tuple(msgspec.json.Decoder(LogEntry).decode_lines(rest))
        return ()

    def note(self, table: AtTable | None) -> None:
        """Keep our table's log; without a seat nothing is stored."""
        kept = None if table is None or table.seat is None else (table.id, table.log.entries)
        if kept == self._kept:
            return
        self._kept = kept
        with suppress(OSError, UnicodeEncodeError):
            if kept is None:
                self._path.unlink()
                return
            make_private_folder(self._path.parent)
            content = msgspec.json.Encoder().encode_lines([_Table(kept[0]), *kept[1]])
            replace_private(self._path, content, is_durable=False)

    def end(self, *, keeps: bool) -> None:
        """Delete the file unless the seat is kept."""
        if not keeps:
            self.note(None)
