"""Reader of the file: each row is checked against its checksum first. All functions that read raise `JournalError` if a
row is damaged, missing, or cannot be decoded."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from put_protocol.games.unions import Ending
from put_rules.record import Chance, GameRecord, Player
from put_server.journal.journal_errors import JournalError, as_journal_errors
from put_server.journal.journal_schema import crc
from put_server.journal.records import decode_chance, decode_game, decode_input, decode_lobby, join_chances, with_chance
from put_server.lobby.inputs import Input, Secret, Shuffled
from put_server.lobby.lobby_checkpoint import LobbyCheckpoint
from put_server.table.table_effects import TableId


class JournalRecord(NamedTuple):
    number: int
    at: int
    """Milliseconds of the server's clock."""
    input: Input


class Checkpoint(NamedTuple):
    """The lobby after a record, which replaces this and all earlier records."""

    number: int
    at: int
    lobby: LobbyCheckpoint


class GameRow(Struct, frozen=True):
    """Public facts of a finished game."""

    id: int
    ended: str
    """Time of the end in UTC, in ISO 8601."""
    table: int
    number: int
    """Number of the game at the table, from 1."""
    rule_set: str
    players: tuple[Player, ...]
    """Players by seat, at the start."""
    result: Ending | None


class FinishedGame(NamedTuple):
    """A finished game, with every card."""

    row: GameRow
    record: GameRecord


GAME_COLUMNS = "id, ended, table_id, number, rule_set, players, result, record, crc"
GameColumns = tuple[int, str, int, int, str, str, str | None, bytes, int]

CHANCE_COLUMNS = "number, table_id, chance, crc"
_ALL_CHANCES = f"SELECT {CHANCE_COLUMNS} FROM chances UNION ALL SELECT {CHANCE_COLUMNS} FROM remains"
_CHANCES = f"SELECT * FROM ({_ALL_CHANCES}) WHERE number = :number"
_CHANCES_AT_REST = f"SELECT * FROM ({_ALL_CHANCES}) WHERE number <= :number ORDER BY number"
"""Sources of the checkpoint with this number. For several deals of a hand, the last has this number, the one before it
the previous number, and so on. No records have these numbers any more."""
_DEALS_AT_REST = f"""SELECT number, table_id FROM ({_ALL_CHANCES})
    WHERE number <= (SELECT max(number) FROM checkpoint) ORDER BY number"""
ChanceColumns = tuple[int, TableId, bytes, int]
RecordRow = tuple[int, int, bytes, int]
CheckpointRow = tuple[int, int, bytes, int]

decode_players = msgspec.json.Decoder(tuple[Player, ...]).decode
_decode_result = msgspec.json.Decoder(Ending).decode


def deals_at_rest(file: sqlite3.Connection) -> dict[TableId, list[int]]:
    """Deals in play at the checkpoint: for each table the numbers of its sources, or of their remains."""
    found: dict[TableId, list[int]] = {}
    for number, table in file.execute(_DEALS_AT_REST):
        found.setdefault(table, []).append(number)
    return found


def checkpoint_of(file: sqlite3.Connection, path: Path) -> Checkpoint | None:
    """The lobby before the first record; None: the empty lobby."""
    with as_journal_errors(path):
        row = file.execute("SELECT number, at, lobby, crc FROM checkpoint").fetchone()
        return row and checkpoint_in(row, file.execute(_CHANCES_AT_REST, {"number": row[0]}), path)


def checkpoint_in(row: CheckpointRow, chances: Iterable[ChanceColumns], path: Path) -> Checkpoint:
    """The checkpoint of a row. `chances`: sources of its deals in play, the oldest first."""
    number, at, blob, _ = row
    with _checked("the checkpoint", path, row):
        lobby = decode_lobby(blob)
        found: dict[TableId, list[Chance]] = {}
        for columns in chances:
            found.setdefault(columns[1], []).append(_chance_of(columns, path))
        return Checkpoint(number, at, join_chances(lobby, found))


def records_of(file: sqlite3.Connection, path: Path) -> Iterator[JournalRecord]:
    """Every record since the checkpoint, first to last."""

    def chance(number: int, table: TableId) -> ChanceColumns | None:
        return next((row for row in file.execute(_CHANCES, {"number": number}) if row[1] == table), None)

    with as_journal_errors(path):
        (number,) = file.execute("SELECT coalesce(max(number), 0) FROM checkpoint").fetchone()
        yield from records_in(
            number, file.execute("SELECT number, at, input, crc FROM records ORDER BY number"), chance, path
        )


def records_in(
    number: int, rows: Iterable[RecordRow], chance: Callable[[int, TableId], ChanceColumns | None], path: Path
) -> Iterator[JournalRecord]:
    """Records from rows that follow the record with this number. `chance`: finds the source of a deal."""
    for columns in rows:
        number += 1
        found, at, blob, _ = columns
        if found != number:
            raise _unreadable(f"record {number}", path, f"record {found} is in its place")
        with _checked(f"record {number}", path, columns):
            event = decode_input(blob)
            if isinstance(event, Secret | Shuffled):
                row = chance(number, event.table)
                event = with_chance(event, None if row is None else _chance_of(row, path))
        yield JournalRecord(number, at, event)


def _chance_of(columns: ChanceColumns, path: Path) -> Chance:
    with _checked(f"the deal of record {columns[0]}", path, columns):
        return decode_chance(columns[2])


def row_of(columns: GameColumns, path: Path) -> GameRow:
    number, ended, table, game, rule_set, players, result, *_ = columns
    with _checked(f"game {number}", path, columns):
        ending = None if result is None else _decode_result(result)
        return GameRow(number, ended, table, game, rule_set, decode_players(players), ending)


def game_of(columns: GameColumns, path: Path) -> FinishedGame:
    with _checked(f"game {columns[0]}", path, columns):
        return FinishedGame(row_of(columns, path), decode_game(columns[7]))


@contextmanager
def _checked(what: str, path: Path, columns: Sequence[Any]) -> Iterator[None]:
    """Check a row against its checksum, which is the last column, and let the block decode it."""
    if columns[-1] != crc(*columns[:-1]):
        raise _unreadable(what, path, "it was damaged")
    try:
        yield
    except msgspec.DecodeError as error:
        raise _unreadable(what, path, str(error)) from None


def _unreadable(what: str, path: Path, why: str) -> JournalError:
    # A stream of a cluster has no suffix, and `put-server shard` says what to do there.
    advice = "; put a backup in the file's place, or choose another --data" if path.suffix else ""
    return JournalError(f"{what} of {path} cannot be read ({why}){advice}")
