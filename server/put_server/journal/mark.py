"""Mark: the last acknowledged record, in a small file beside the journal, to detect a loss.

SQLite reads its log as far as it is valid, and silently drops the rest, because a log may end with an incomplete write
after a power failure. So a flipped bit in the log, a truncated or missing log, or a database restored from an older
copy looks just like a crash without loss. The difference is in what was acknowledged: after each commit, and before any
message about it, the number of the last record is written here. If the journal has fewer records at the next start,
acknowledged data is lost. A crash cannot cause that, because the commit is on disk before the mark.

The mark is not flushed to disk: after a power failure it may be some commits old, and a loss of those is not detected.
Unlike checksums in the log, it also detects a missing log, and one that is valid but too short. Writes alternate
between two places, sectors apart, so an interrupted write leaves the previous mark.
"""

import os
import sqlite3
import struct
import zlib
from contextlib import closing
from pathlib import Path

from put_runtime.private_files import open_private
from put_server.journal.files import open_to_read
from put_server.journal.journal_schema import SCHEMA, version_of

PLACES = (0, 4096)

_FORM = struct.Struct("<QQ")
_SUM = struct.Struct("<I")


class BadMark(ValueError):
    """The content of the file is invalid."""


def mark_of(journal: Path) -> Path:
    return journal.with_name(f"{journal.name}-mark")


def read_mark(path: Path) -> int | None:
    """The last acknowledged record; None: there is no mark, as with a journal of an earlier version.

    :raises BadMark: the file is damaged.
    :raises OSError: the file cannot be read.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    found = [_read(data[place : place + _FORM.size + _SUM.size]) for place in PLACES]
    whole = [one for one in found if one is not None]
    if data and not whole:
        raise BadMark
    return max(whole)[1] if whole else None


def _read(data: bytes) -> tuple[int, int] | None:
    if len(data) < _FORM.size + _SUM.size or _SUM.unpack_from(data, _FORM.size)[0] != zlib.crc32(data[: _FORM.size]):
        return None
    count, number = _FORM.unpack_from(data)
    return count, number


class Mark:
    def __init__(self, path: Path) -> None:
        """:raises OSError: the file cannot be written."""
        self._file = open_private(path, os.O_RDWR)
        found = [self._place(place) for place in PLACES]
        self._count = max([one[0] for one in found if one is not None], default=0)

    def write(self, number: int) -> None:
        """:raises OSError: the file cannot be written."""
        self._count += 1
        data = _FORM.pack(self._count, number)
        os.lseek(self._file, PLACES[self._count % 2], os.SEEK_SET)  # Windows has no `pwrite`
        os.write(self._file, data + _SUM.pack(zlib.crc32(data)))

    def _place(self, place: int) -> tuple[int, int] | None:
        os.lseek(self._file, place, os.SEEK_SET)
        return _read(os.read(self._file, _FORM.size + _SUM.size))

    def close(self) -> None:
        os.close(self._file)


def why_lost(path: Path) -> str:
    """Missing part of a journal, as a clause; empty: nothing is missing.

    :raises OSError, sqlite3.Error, JournalError: the files cannot be read, or are no journal.
    """
    log = path.with_name(f"{path.name}-wal")
    size = path.stat().st_size if path.exists() else 0
    if not size and log.exists() and log.stat().st_size:
        return "is empty or gone, and its log is not"
    try:
        acknowledged = read_mark(mark_of(path))
    except BadMark:
        return "has a damaged mark beside it, so it may not be whole"
    if acknowledged is None:
        return ""
    last = _last_record(path) if size else 0
    if last is None or last >= acknowledged:
        return ""
    return f"ends with record {last}, and {acknowledged} were acknowledged: what came after has been lost"


def _last_record(path: Path) -> int | None:
    """Number of the last record that SQLite finds; None: the file is of an earlier version, which has no mark."""
    with closing(open_to_read(path)) as file:
        found = version_of(file, path)
        if found != SCHEMA:
            return None if found else 0
        of_records = "SELECT max(number) AS number FROM records"
        (last,) = file.execute(
            f"SELECT coalesce(max(number), 0) FROM ({of_records} UNION ALL SELECT number FROM checkpoint)"
        ).fetchone()
    if not isinstance(last, int):
        raise sqlite3.DatabaseError("what should be a number is none")
    return last
