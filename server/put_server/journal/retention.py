"""Retention of finished games: how long they are kept, and their removal, the oldest first and a few at a time.

What is removed becomes zeros, and its pages are used again for what comes. So the file does not shrink, and grows no
further than its limit and what is written between two removals. The latest game always stays: the next game's number is
one more than the greatest in the file, and no number is to be used twice.
"""

import sqlite3
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

GAMES_AT_ONCE = 50
"""That are removed in one transaction: some milliseconds, in which commits wait."""

BETWEEN_S = 0.05
"""Between two such transactions while there is more to remove: a thousand games a second, more than anybody plays."""

LOOK_S = 60.0
"""Between two looks at what may be removed."""

ENDED = "%Y-%m-%dT%H:%M:%SZ"
"""The form of the time when a game ended; as text, too, later times are greater."""


class Retention(NamedTuple):
    """What is kept of finished games."""

    days: int = 0
    """For how long; 0: for ever."""
    megabytes: int = 0
    """Of the file, without its free pages; beyond that the oldest games go. 0: no limit."""
    exhibitions: bool = True
    """Games whose packs repeat from a seed, or were arranged, are kept as well."""

    @property
    def is_limited(self) -> bool:
        """Whether games are ever removed."""
        return bool(self.days or self.megabytes)


def remove_oldest(file: sqlite3.Connection, retention: Retention, now: datetime | None = None) -> bool:
    """Remove a few games that are to be kept no longer. Returns whether there may be more."""
    oldest = file.execute(
        "SELECT id, ended FROM games WHERE id < (SELECT max(id) FROM games) ORDER BY id LIMIT ?", (GAMES_AT_ONCE,)
    ).fetchall()
    if not oldest:
        return False
    if not (retention.megabytes and _used_bytes(file) > retention.megabytes * 2**20):
        if not retention.days:
            return False
        before = ((now or datetime.now(UTC)) - timedelta(days=retention.days)).strftime(ENDED)
        oldest = [row for row in oldest if row[1] < before]
    if not oldest:
        return False
    with file:
        file.execute("BEGIN IMMEDIATE")
        file.executemany("DELETE FROM games WHERE id = ?", [(number,) for number, _ in oldest])
        file.execute("REPLACE INTO meta VALUES ('removed', ?)", (str(oldest[-1][0]),))
    return len(oldest) == GAMES_AT_ONCE


def last_removed(file: sqlite3.Connection) -> int:
    """The latest game that was removed; 0: none was."""
    found = file.execute("SELECT value FROM meta WHERE key = 'removed'").fetchone()
    return 0 if found is None else int(found[0])


def _used_bytes(file: sqlite3.Connection) -> int:
    count, free, size = (
        file.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((count - free) * size)
