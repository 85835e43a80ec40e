"""The file's schema, and the steps that bring a file of an earlier version up to date.

Its version is in `user_version`. A step upgrades from each version to the next; a new file goes through all steps.
"""

import sqlite3
import zlib
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from put_runtime.command_line import installed_version
from put_server.journal.journal_errors import JournalError

APPLICATION_ID = 0x50555431
"""`PUT1`: in the file's header, to recognize other programs' files."""

_encode = msgspec.msgpack.Encoder().encode


def crc(*columns: int | str | bytes | None) -> int:
    """Checksum of a row's other columns, because SQLite does not detect a byte changed by the disk."""
    return zlib.crc32(_encode(columns))


def _records(file: sqlite3.Connection) -> None:
    file.execute("CREATE TABLE records (number INTEGER PRIMARY KEY, at INTEGER NOT NULL, input BLOB NOT NULL)")


def _checkpoint_and_games(file: sqlite3.Connection) -> None:
    file.execute("ALTER TABLE records RENAME TO former")
    file.execute(
        "CREATE TABLE records (number INTEGER PRIMARY KEY, at INTEGER NOT NULL, input BLOB NOT NULL,"
        " crc INTEGER NOT NULL)"
    )
    file.execute("INSERT INTO records SELECT number, at, input, crc(number, at, input) FROM former")
    file.execute("DROP TABLE former")
    file.execute(
        "CREATE TABLE checkpoint (number INTEGER PRIMARY KEY, at INTEGER NOT NULL, lobby BLOB NOT NULL,"
        " crc INTEGER NOT NULL)"
    )
    file.execute(
        "CREATE TABLE games (id INTEGER PRIMARY KEY, ended TEXT NOT NULL, table_id INTEGER NOT NULL,"
        " number INTEGER NOT NULL, rule_set TEXT NOT NULL, players TEXT NOT NULL, result TEXT, record BLOB NOT NULL,"
        " crc INTEGER NOT NULL)"
    )
    file.execute("CREATE INDEX games_of_a_table ON games (table_id)")
    file.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)")
    file.execute("INSERT INTO meta VALUES ('written_by', '0.1.0')")  # the only one that wrote version 1


def _chances(file: sqlite3.Connection) -> None:
    """Move the sources of deals, and their remains, to their own table. Records and a checkpoint that still contain
    them remain readable, until the next checkpoint replaces them."""
    for table in ("chances", "remains"):
        file.execute(
            f"CREATE TABLE {table} (number INTEGER NOT NULL, table_id INTEGER NOT NULL, chance BLOB NOT NULL,"
            " crc INTEGER NOT NULL, PRIMARY KEY (number, table_id)) WITHOUT ROWID"
        )
    for number, at, blob in file.execute("SELECT number, at, lobby FROM checkpoint").fetchall():
        lobby = msgspec.msgpack.decode(blob)
        for table in lobby["tables"]:
            _part_seal(table)
        blob = msgspec.msgpack.encode(lobby)
        file.execute("UPDATE checkpoint SET lobby = ?, crc = ?", (blob, crc(number, at, blob)))


def _networks(file: sqlite3.Connection) -> None:
    """Count finished games by the networks that opened their tables, so that the oldest game of the most crowded
    network is found quickly. Existing games have no known network, and count as one network."""
    file.execute("CREATE TABLE game_origins (game INTEGER PRIMARY KEY, network TEXT NOT NULL, bytes INTEGER NOT NULL)")
    file.execute("CREATE INDEX games_of_an_origin ON game_origins (network, game)")
    file.execute(
        "CREATE TABLE game_networks (network TEXT PRIMARY KEY, within TEXT NOT NULL, bytes INTEGER NOT NULL)"
        " WITHOUT ROWID"
    )
    file.execute("CREATE INDEX networks_by_size ON game_networks (within, bytes)")
    file.execute("INSERT INTO game_origins SELECT id, 'unknown', length(record) FROM games")
    file.execute("INSERT INTO game_networks SELECT 'unknown', 'all', sum(bytes) FROM game_origins HAVING count(*) > 0")


def _part_seal(table: dict[str, Any]) -> None:
    """Remove the secret from the deal that a table of version 2 was cutting."""
    seal = table["seal"]
    if seal is None:
        return
    table["chance"] = {"secret": seal.pop("secret")}
    timer = seal.pop("timer")
    cuts = enumerate(seal["sealed"]["cuts"])
    missing = [seat for seat, end in cuts if end is not None and seat not in seal["links"]]
    seal["waits"] = {seat: {"timer": timer, "stage": "due"} for seat in missing}


def _unsealed(file: sqlite3.Connection) -> None:
    """Drop sealed deals. Tables and finished games of earlier versions stay, but a game in play with sealed deals
    cannot continue.

    :raises JournalError: such a game is in play, or records of one are left.
    """
    for (blob,) in file.execute("SELECT input FROM records"):
        request = msgspec.msgpack.decode(blob).get("request", {})
        if request.get("type") in ("promise", "cut") or request.get("end") is not None:
            raise JournalError(_SEALED)
    for number, at, blob in file.execute("SELECT number, at, lobby FROM checkpoint").fetchall():
        lobby = msgspec.msgpack.decode(blob)
        for table in lobby["tables"]:
            if table["seal"] is not None or (table["mover"] is not None and any(map(_is_cutter, table["chairs"]))):
                raise JournalError(_SEALED)
            table["options"] = {name: value for name, value in table["options"].items() if name != "open"}
            if table["options"].get("dealing") == "sealed":
                table["options"]["dealing"], table["way"] = "blind", None
        blob = msgspec.msgpack.encode(lobby)
        file.execute("UPDATE checkpoint SET lobby = ?, crc = ?", (blob, crc(number, at, blob)))


_SEALED = (
    "the journal has games that were dealt sealed, with which this version cannot go on: "
    "start the former version again, let them end (put-server drain), and stop it"
)


def _is_cutter(chair: dict[str, Any]) -> bool:
    return chair.get("end") is not None


Step = Callable[[sqlite3.Connection], None]

STEPS: tuple[Step, ...] = (_records, _checkpoint_and_games, _chances, _networks, _unsealed)

SCHEMA = len(STEPS)


def version_of(file: sqlite3.Connection, path: Path) -> int:
    """Version of a file; 0: it is empty.

    :raises JournalError: it is another program's file, or of a later version.
    :raises sqlite3.Error: it is no database, or its beginning is damaged.
    """
    (owner,) = file.execute("PRAGMA application_id").fetchone()
    (found,) = file.execute("PRAGMA user_version").fetchone()
    # A file whose creation was interrupted is new too: it has no content and no owner.
    if (owner, found) == (0, 0) and file.execute("SELECT 1 FROM sqlite_master").fetchone() is None:
        return 0
    if owner != APPLICATION_ID:
        raise JournalError(f"{path} belongs to another program; choose another directory with --data")
    if found > SCHEMA:
        raise JournalError(f"{path} was written by a later put-server; use that one, or another --data")
    with closing(sqlite3.connect(":memory:")) as model:
        _take(model, STEPS[:found])
        if _tables(file) != _tables(model):
            raise sqlite3.DatabaseError("its tables are not a journal's")
    return int(found)


def _tables(file: sqlite3.Connection) -> list[tuple[str, ...]]:
    return file.execute(
        "SELECT name, type, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite%' ORDER BY name"
    ).fetchall()


def check_pages(file: sqlite3.Connection) -> None:
    """:raises sqlite3.Error: the file is damaged."""
    (found,) = file.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise sqlite3.DatabaseError(found)


def bring_up(file: sqlite3.Connection, found: int) -> None:
    """Upgrade from a version to the current one, within the caller's transaction, so all or nothing."""
    _take(file, STEPS[found:])
    file.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    file.execute(f"PRAGMA user_version = {SCHEMA}")


def _take(file: sqlite3.Connection, steps: Sequence[Step]) -> None:
    file.create_function("crc", -1, crc, deterministic=True)
    for step in steps:
        step(file)


def sign(file: sqlite3.Connection) -> None:
    """Note the version of put that writes the file."""
    file.execute("REPLACE INTO meta VALUES ('written_by', ?)", (installed_version(),))


def make_passcode_key(file: sqlite3.Connection, key: bytes) -> None:
    """Give a file without a key this one."""
    if not passcode_key(file):
        file.execute("INSERT INTO meta VALUES ('passcode_key', ?)", (key.hex(),))


def passcode_key(file: sqlite3.Connection) -> bytes:
    """The key that seals passcodes; empty: the file has no sealed ones.

    :raises sqlite3.Error: the file is damaged.
    """
    found = file.execute("SELECT value FROM meta WHERE key = 'passcode_key'").fetchone()
    try:
        return b"" if found is None else bytes.fromhex(found[0])
    except ValueError:
        raise sqlite3.DatabaseError("its key of passcodes is none") from None


def signature(file: sqlite3.Connection) -> str:
    """Version of put that wrote last.

    :raises sqlite3.Error: the file is damaged.
    """
    found = file.execute("SELECT value FROM meta WHERE key = 'written_by'").fetchone()
    if found is None:
        raise sqlite3.DatabaseError("it does not say what wrote it")
    return str(found[0])
