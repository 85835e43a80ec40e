"""Loss of acknowledged play, as it is found in a journal's files before a server opens them."""

import sqlite3
from contextlib import closing
from pathlib import Path

from put_server.journal.files import open_to_read
from put_server.journal.journal_schema import SCHEMA, version_of
from put_server.journal.mark import BadMark, mark_of, read_mark


def why_lost(path: Path) -> str:
    """Missing part of a journal, as a clause; empty: nothing is missing.

    :raises OSError, sqlite3.Error, JournalError: the files cannot be read, or are no journal's.
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
    """The number of the last record that SQLite finds; None: the file is of an earlier version, which has no mark."""
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
