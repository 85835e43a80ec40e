"""Statements that write a batch into a database of the journal's schema."""

import sqlite3

from put_server.journal.recorder import Batch, Change, Compaction, CompactionBehind, Erase


def write(file: sqlite3.Connection, batch: Batch) -> None:
    """Write a batch, in a transaction of the caller's.

    :raises sqlite3.Error: it cannot be written.
    """
    file.executemany("INSERT INTO records VALUES (?, ?, ?, ?)", batch.records)
    file.executemany("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", batch.games)
    for change in batch.changes:
        _change(file, change)


def _change(file: sqlite3.Connection, change: Change) -> None:
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
