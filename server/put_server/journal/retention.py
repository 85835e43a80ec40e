"""Retention of finished games: how long they are kept, and their removal, a few at a time.

What is too old goes first. Where the file is too large, the network whose games take most goes on with less: its
narrower network with most, of that the address with most, and of that the oldest game. So no one pushes the games of
others out of the file by playing much. Networks are those of the address from which a table was opened
(`lobby.prefixes`), as digests: what is kept for years names no address. Each has its bytes in `game_networks`, with an
index, so a removal looks at a few rows however many games there are.

What is removed becomes zeros, and its pages are used again for what comes. So the file does not shrink, and grows no
further than its limit and what is written between two removals. The latest game always stays: the next game's number is
one more than the greatest in the file, and no number is to be used twice.
"""

import hashlib
import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

GAMES_AT_ONCE = 50
"""Games that are removed in one transaction: some milliseconds, in which commits wait."""

BETWEEN_S = 0.05
"""Interval of such transactions while there is more to remove: a thousand games a second, more than are played."""

UNKNOWN = ("unknown",)
"""Networks of games whose tables were opened by the exempt, or that an earlier version kept."""

LOOK_S = 60.0
"""Interval of looks at what may be removed."""

ENDED = "%Y-%m-%dT%H:%M:%SZ"
"""The form of the time when a game ended; as text, too, later times are greater."""


class Retention(NamedTuple):
    """Limits on finished games that are kept."""

    days: int = 0
    """Days for which they are kept; 0: for ever."""
    megabytes: int = 0
    """Size of the file without its free pages; beyond it the oldest games of the largest network go. 0: no limit."""
    exhibitions: bool = True
    """Games whose packs repeat from a seed, or were arranged, are kept as well."""

    @property
    def is_limited(self) -> bool:
        return bool(self.days or self.megabytes)


def remove_oldest(file: sqlite3.Connection, retention: Retention, now: datetime | None = None) -> bool:
    """Remove a few games that are to be kept no longer. Returns whether there may be more."""
    before = ""
    if retention.days:
        before = ((now or datetime.now(UTC)) - timedelta(days=retention.days)).strftime(ENDED)
    is_large = bool(retention.megabytes) and _used_bytes(file) > retention.megabytes * 2**20
    count = 0
    with file:
        file.execute("BEGIN IMMEDIATE")
        while count < GAMES_AT_ONCE and (game := _next_removed(file, before, is_large=is_large)) is not None:
            _remove(file, game)
            count += 1
    return count == GAMES_AT_ONCE


def _next_removed(file: sqlite3.Connection, before: str, *, is_large: bool) -> int | None:
    oldest = file.execute(
        "SELECT id, ended FROM games WHERE id < (SELECT max(id) FROM games) ORDER BY id LIMIT 1"
    ).fetchone()
    if oldest is None or not (is_large or oldest[1] < before):
        return None
    return int(oldest[0]) if oldest[1] < before else _oldest_of_crowd(file) or int(oldest[0])


def _oldest_of_crowd(file: sqlite3.Connection) -> int | None:
    """The oldest game of the address that has most, in the network that has most; None: there is only the latest."""
    network = ""
    largest: tuple[str] | None = ("all",)
    while largest is not None:
        (network,) = largest
        largest = file.execute(
            "SELECT network FROM game_networks WHERE within = ? ORDER BY bytes DESC LIMIT 1", (network,)
        ).fetchone()
    found = file.execute(
        "SELECT game FROM game_origins WHERE network = ? AND game < (SELECT max(id) FROM games) ORDER BY game LIMIT 1",
        (network,),
    ).fetchone()
    return None if found is None else int(found[0])


def _remove(file: sqlite3.Connection, game: int) -> None:
    file.execute("DELETE FROM games WHERE id = ?", (game,))
    file.execute("REPLACE INTO meta VALUES ('removed', ?)", (str(max(game, last_removed(file))),))
    _uncount(file, game)


def forget_networks(file: sqlite3.Connection, game: int) -> None:
    note_networks(file, game, _uncount(file, game), UNKNOWN)


def _uncount(file: sqlite3.Connection, game: int) -> int:
    """Take a game from those of its networks. Returns for how many bytes it counted."""
    found = file.execute("SELECT network, bytes FROM game_origins WHERE game = ?", (game,)).fetchone()
    if found is None:
        return 0
    network, size = found
    file.execute("DELETE FROM game_origins WHERE game = ?", (game,))
    while network != "all":
        (within,) = file.execute("SELECT within FROM game_networks WHERE network = ?", (network,)).fetchone()
        file.execute("UPDATE game_networks SET bytes = bytes - ? WHERE network = ?", (size, network))
        file.execute("DELETE FROM game_networks WHERE network = ? AND bytes <= 0", (network,))
        network = within
    return int(size)


def note_networks(file: sqlite3.Connection, game: int, size: int, networks: Sequence[str]) -> None:
    """A game of so many bytes is kept, of these networks, the widest first."""
    file.execute("INSERT INTO game_origins VALUES (?, ?, ?)", (game, networks[-1], size))
    for within, network in pairwise(("all", *networks)):
        file.execute(
            "INSERT INTO game_networks VALUES (?, ?, ?) ON CONFLICT (network) DO UPDATE SET bytes = bytes + ?",
            (network, within, size, size),
        )


def digest(network: str, key: bytes) -> str:
    """Digest of a network as the file keeps it: only the key's owner can search for the address."""
    return hashlib.blake2b(network.encode(), key=key, digest_size=12).hexdigest()


def last_removed(file: sqlite3.Connection) -> int:
    """The greatest number of a game that was removed; 0: none was."""
    found = file.execute("SELECT value FROM meta WHERE key = 'removed'").fetchone()
    return 0 if found is None else int(found[0])


def _used_bytes(file: sqlite3.Connection) -> int:
    count, free, size = (
        file.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((count - free) * size)
