"""Reader of the file: each row is checked against its checksum first. All functions that read raise `JournalError` if a
row is damaged, missing, or cannot be decoded."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct, field

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
ChanceColumns = tuple[int, TableId, bytes, int]
RecordRow = tuple[int, int, bytes, int]
CheckpointRow = tuple[int, int, bytes, int]
DealKey = tuple[int, TableId]
"""Number and table of a deal."""

decode_players = msgspec.json.Decoder(tuple[Player, ...]).decode
_decode_result = msgspec.json.Decoder(Ending).decode


class JournalRows(Struct):
    """Rows of a journal at one moment: the latest checkpoint, and what came after it."""

    path: Path
    """Name of the journal in errors."""
    checkpoint: CheckpointRow | None = None
    records: list[RecordRow] = field(default_factory=list)
    chances: dict[DealKey, ChanceColumns] = field(default_factory=dict)
    """Sources of deals, or their remains."""

    @property
    def number(self) -> int:
        """Number of the last record that the checkpoint replaces."""
        return 0 if self.checkpoint is None else self.checkpoint[0]

    @property
    def last(self) -> tuple[int, int]:
        """Number and time of the last record, or of the checkpoint."""
        row = self.records[-1] if self.records else self.checkpoint
        return (0, 0) if row is None else row[:2]

    def at_rest(self) -> list[ChanceColumns]:
        """Sources of the deals in play at the checkpoint, the oldest first."""
        return [self.chances[key] for key in sorted(self.chances) if key[0] <= self.number]

    def lobby(self) -> Checkpoint | None:
        """The lobby before the first record; None: the empty lobby."""
        if self.checkpoint is None:
            return None
        number, at, blob, _ = self.checkpoint
        with _checked("the checkpoint", self.path, self.checkpoint):
            lobby = decode_lobby(blob)
            found: dict[TableId, list[Chance]] = {}
            for columns in self.at_rest():
                found.setdefault(columns[1], []).append(_chance_of(columns, self.path))
            return Checkpoint(number, at, join_chances(lobby, found))

    def inputs(self) -> Iterator[JournalRecord]:
        """Every record since the checkpoint, first to last."""
        for number, columns in enumerate(self.records, self.number + 1):
            found, at, blob, _ = columns
            if found != number:
                raise _unreadable(f"record {number}", self.path, f"record {found} is in its place")
            with _checked(f"record {number}", self.path, columns):
                event = decode_input(blob)
                if isinstance(event, Secret | Shuffled):
                    row = self.chances.get((number, event.table))
                    event = with_chance(event, None if row is None else _chance_of(row, self.path))
            yield JournalRecord(number, at, event)


def rows_in(file: sqlite3.Connection, path: Path) -> JournalRows:
    """All rows of a file, as yet unchecked."""
    with as_journal_errors(path):
        checkpoint = file.execute("SELECT number, at, lobby, crc FROM checkpoint").fetchone()
        records = file.execute("SELECT number, at, input, crc FROM records ORDER BY number").fetchall()
        chances: list[Any] = [
            row
            for table in ("remains", "chances")
            for row in file.execute(f"SELECT {CHANCE_COLUMNS} FROM {table}").fetchall()
        ]
    for number, table, *_ in chances:
        if not (isinstance(number, int) and isinstance(table, int)):
            raise _unreadable(f"the deal of record {number}", path, "it was damaged")
    return JournalRows(path, checkpoint, records, {row[:2]: row for row in chances})


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
