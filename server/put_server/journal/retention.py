"""Retention of finished games: their limits, and their removal in small steps.

Games that are too old are removed first. If the file is still too large, the network whose games take most space loses
one: the oldest game of its largest address, in its largest narrower network. So no person can push out the games of
others by playing much. Networks are those of the address that opened the table (`lobby.prefixes`), stored as digests,
so long-term data names no address. `game_networks` has the bytes of each network, with an index, so a removal reads
only a few rows.

Removed data becomes zeros, and its pages are reused. So the file does not shrink, and exceeds its limit only by what is
written between two removals. The latest game always stays, because the next number is one more than the greatest in the
file, and numbers must not be reused.
"""

import hashlib
import sqlite3
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import pairwise
from typing import NamedTuple

GAMES_AT_ONCE = 50
"""Games removed in one transaction: some milliseconds, in which commits wait."""

BETWEEN_S = 0.05
"""Time between such transactions while more must be removed: a thousand games a second, more than are played."""

UNKNOWN = ("unknown",)
"""Network of games without one: opened by exempt peers, or stored by an earlier version."""

REMOVAL_INTERVAL_S = 60.0

AGED_AFTER_S = 3600.0
"""Time from the start for which no game is too old. A machine may start with a clock that is ahead, until it has asked
for the time; and what is removed does not come back."""

_STARTED = time.monotonic()


@cache
def _begun() -> float:
    """Clock of this machine when the monotonic clock was 0, from what it says after the first hour. If it is set
    forward later, no game ages by that."""
    return time.time() - time.monotonic()


ENDED = "%Y-%m-%dT%H:%M:%SZ"
"""Format of the time when a game ended; its text order is the order of time."""


class Retention(NamedTuple):
    days: int = 0
    """Days for which games are stored; 0: for ever."""
    megabytes: int = 0
    """Largest size of the file, without free pages. Then the largest network loses its oldest games. 0: no limit."""
    exhibitions: bool = True
    """True if games with packs from a seed, or arranged, are stored too."""

    @property
    def is_limited(self) -> bool:
        return bool(self.days or self.megabytes)

    def ended_before(self, now: datetime | None = None) -> str:
        """Games that ended before this time are too old; empty: none is."""
        at = time.monotonic()
        if not self.days or (now is None and at < _STARTED + AGED_AFTER_S):
            return ""
        now = now or datetime.fromtimestamp(min(_begun() + at, time.time()), UTC)
        return (now - timedelta(days=self.days)).strftime(ENDED)


def remove_oldest(file: sqlite3.Connection, retention: Retention, now: datetime | None = None) -> bool:
    """Remove a few games beyond the limits. Returns true if there may be more."""
    before = retention.ended_before(now)
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
    """The oldest game of the largest address in the largest network; None: only the latest game is left."""
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
    """Subtract a game from its networks. Returns its size in bytes."""
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
    """Add a game of this size to its networks, the widest first."""
    file.execute("INSERT INTO game_origins VALUES (?, ?, ?)", (game, networks[-1], size))
    for within, network in pairwise(("all", *networks)):
        file.execute(
            "INSERT INTO game_networks VALUES (?, ?, ?) ON CONFLICT (network) DO UPDATE SET bytes = bytes + ?",
            (network, within, size, size),
        )


def digest(network: str, key: bytes) -> str:
    """Digest of a network as stored: only the owner of the key can search for an address."""
    return hashlib.blake2b(network.encode(), key=key, digest_size=12).hexdigest()


def last_removed(file: sqlite3.Connection) -> int:
    """Greatest number of a removed game; 0: none was removed."""
    found = file.execute("SELECT value FROM meta WHERE key = 'removed'").fetchone()
    return 0 if found is None else int(found[0])


def _used_bytes(file: sqlite3.Connection) -> int:
    count, free, size = (
        file.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((count - free) * size)
