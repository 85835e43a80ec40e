"""The record: its entries, and its SQLite file, which is opened for each transaction and closed after it.

Laws:
- A transaction is atomic, even if the process is killed.
- Several clients may use the file at once: it is in write-ahead mode, and each waits `PATIENCE_S` for another.
- Its size is limited: the oldest rows are removed beyond `MOST` of a kind.
- Every method may raise `RecordError`, a sentence for people, if the file is unusable; the file is then unchanged.
- Times are milliseconds since 1970, in UTC.
"""

import os
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from put_protocol.analysis import Judged, Quality, Reviewed
from put_protocol.messages import Analysis, Position
from put_protocol.seats import Seat
from put_runtime.private_files import make_private_folder, open_private
from put_text.catalogue import say
from put_text.notation import FILE_LENGTH, NotationError, Sheet, read, write


class GameOutcome(StrEnum):
    WON = "won"
    LOST = "lost"
    EVEN = "even"
    """Neither won nor lost: the purse is as it was."""


class Opponent(Struct, frozen=True, omit_defaults=True):
    name: str
    is_bot: bool = False
    is_house: bool = False
    house: str = ""
    """Style of a house player."""

    @property
    def label(self) -> str:
        """Name under which the opponent is counted: for a house player the kind, because names change from game to
        game."""
        if self.is_house:
            return say("record-house", house=self.house) if self.house else say("screen-kind-house")
        return f"{self.name} (bot)" if self.is_bot else self.name


class GameCost(Struct, frozen=True):
    """Cost of the decisions of one or more games, against perfect play."""

    decisions: int = 0
    fine: int = 0
    """Decisions with almost no cost."""
    cost: int = 0
    """Ten-thousandths of a game."""
    costly: int = 0
    """Decisions that cost a hundredth of a game or more."""


class PlayedGame(Struct, frozen=True, kw_only=True):
    id: int = 0
    """Row in the file; 0: not in the file yet."""
    server: str
    """The server's name for itself."""
    table: int
    number: int
    """The game's number at the table."""
    began: int
    ended: int
    rule_set: str
    options: Mapping[str, str | int]
    seat: Seat
    opponents: tuple[Opponent, ...]
    outcome: GameOutcome
    gain: int
    """Gain of the purse; below 0: loss."""
    is_exhibition: bool = False
    is_assisted: bool = False
    """The coach was used in it."""
    weighed: GameCost | None = None
    has_sheet: bool = False
    """It can be replayed."""


class ExerciseKind(StrEnum):
    """Kind of a practised decision. Mistakes are counted by kind."""

    LEAD = "lead"
    FOLLOW = "follow"
    ANSWER = "answer"
    LAST_SAY = "last say"
    OPENING = "opening"


class Exercise(Struct, frozen=True, kw_only=True):
    """A position to practise repeatedly, with its solution, so that no server is needed."""

    id: int = 0
    rule_set: str
    source: str
    """Origin: a decision of a recorded game, or a position of the solver. Each occurs once."""
    kind: ExerciseKind
    position: Position
    judged: Judged
    """`done` is the first answer."""
    box: int = 0
    due: int = 0
    """Day on which it is due, as days since 1970."""


class Answer(Struct, frozen=True, kw_only=True):
    at: int
    rule_set: str
    kind: ExerciseKind
    cost: int
    """Ten-thousandths of a game."""
    is_right: bool


Review = tuple[Reviewed, ...]
"""The decisions of one game."""


T = TypeVar("T")

VERSION: Final = 1
"""Version of the schema; files of later versions are not touched."""

PATIENCE_S: Final = 2.0
"""Time to wait for another writing client. A write takes milliseconds."""

MOST: Final[Mapping[str, int]] = {"games": 50_000, "sheets": 5_000, "answers": 50_000, "exercises": 2_000}
"""Most rows of each table. 5,000 sheets take some tens of megabytes; a game without its sheet half a kilobyte."""

_SCHEMA = """
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    server TEXT NOT NULL, table_number INTEGER NOT NULL, number INTEGER NOT NULL,
    began INTEGER NOT NULL, ended INTEGER NOT NULL,
    rule_set TEXT NOT NULL, options TEXT NOT NULL, seat INTEGER NOT NULL, opponents TEXT NOT NULL,
    outcome TEXT NOT NULL, gain INTEGER NOT NULL, is_exhibition INTEGER NOT NULL, is_assisted INTEGER NOT NULL,
    decisions INTEGER, fine INTEGER, cost INTEGER, costly INTEGER,
    UNIQUE (server, table_number, number, began)
) STRICT;
CREATE INDEX games_by_end ON games (ended);
CREATE TABLE sheets (
    id INTEGER PRIMARY KEY REFERENCES games ON DELETE CASCADE,
    sheet BLOB NOT NULL, review BLOB
) STRICT;
CREATE TABLE answers (
    id INTEGER PRIMARY KEY, at INTEGER NOT NULL, rule_set TEXT NOT NULL, kind TEXT NOT NULL,
    cost INTEGER NOT NULL, is_right INTEGER NOT NULL
) STRICT;
CREATE TABLE exercises (
    id INTEGER PRIMARY KEY, rule_set TEXT NOT NULL, source TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
    position BLOB NOT NULL, judged BLOB NOT NULL, box INTEGER NOT NULL, due INTEGER NOT NULL
) STRICT;
CREATE TABLE lessons (name TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT;
"""

_GAMES = """
SELECT *, table_number AS "table", EXISTS (SELECT 1 FROM sheets WHERE sheets.id = games.id) AS has_sheet FROM games
"""


class RecordError(Exception):
    """The record is unusable; the message is a sentence."""


class LocalRecord:
    """The record in a file, which is created on first use."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def check(self) -> None:
        """Raise an error if the file cannot be used."""
        self._read("SELECT 1 FROM games LIMIT 1", bool)

    def save(self, game: PlayedGame, sheet: Sheet | None = None) -> int:
        """Save a game, or update it. Returns its id."""
        row = _row_of(game)
        changed = ", ".join(f"{name} = excluded.{name}" for name in row)
        on_conflict = f"ON CONFLICT (server, table_number, number, began) DO UPDATE SET {changed} RETURNING id"
        with self._transaction() as database:
            (number,) = _insert(database, "games", row, on_conflict).fetchone()
            if sheet is not None:
                values = {"id": number, "sheet": zlib.compress(write(sheet).encode())}
                _insert(database, "sheets", values, "ON CONFLICT (id) DO UPDATE SET sheet = excluded.sheet")
            _shorten(database, "games", "ended")
            _shorten(database, "sheets", "id")
        return int(number)

    def save_analysis(self, game: int, analysis: Analysis) -> None:
        fine = sum(one.judged.quality is Quality.FINE for one in analysis.reviewed)
        review = zlib.compress(msgspec.json.encode(analysis.reviewed))
        with self._transaction() as database:
            database.execute(
                "UPDATE games SET decisions = ?, fine = ?, cost = ?, costly = ? WHERE id = ?",
                (analysis.decisions, fine, analysis.cost, analysis.costly, game),
            )
            database.execute("UPDATE sheets SET review = ? WHERE id = ?", (review, game))

    def games(self, most: int = MOST["games"], *, before: int = 2**62) -> tuple[PlayedGame, ...]:
        """Games that ended before this time, the latest first."""
        return self._read(f"{_GAMES} WHERE ended < ? ORDER BY ended DESC, id DESC LIMIT ?", _game_of, before, most)

    def game(self, number: int) -> PlayedGame | None:
        return next(iter(self._read(f"{_GAMES} WHERE id = ?", _game_of, number)), None)

    def sheet(self, game: int) -> tuple[Sheet, Review] | None:
        """The sheet of a game, with its analysis if there is one. None: no longer stored."""
        rows = self._read("SELECT sheet, review FROM sheets WHERE id = ?", tuple, game)
        if not rows:
            return None
        ((sheet, review),) = rows
        try:
            decisions = () if review is None else msgspec.json.decode(_unpacked(review), type=Review)
            return read(_unpacked(sheet).decode()), decisions
        except (zlib.error, UnicodeDecodeError, NotationError, msgspec.DecodeError) as error:
            raise RecordError(f"Game {game} of the record cannot be read: {error}.") from None

    def save_answer(self, answer: Answer) -> None:
        with self._transaction() as database:
            _insert(database, "answers", msgspec.structs.asdict(answer))
            _shorten(database, "answers", "at")

    def answers(self) -> tuple[Answer, ...]:
        """All answers, the first first."""
        query = "SELECT * FROM answers ORDER BY at, id"
        return self._read(query, lambda row: msgspec.convert(dict(row), Answer, strict=False))

    def add_exercise(self, exercise: Exercise) -> bool:
        """Save a position to practise. False: it is already stored, unchanged."""
        row = msgspec.structs.asdict(exercise)
        del row["id"]
        row |= {name: msgspec.json.encode(row[name]) for name in ("position", "judged")}
        with self._transaction() as database:
            added = _insert(database, "exercises", row, "ON CONFLICT (source) DO NOTHING")
            _shorten(database, "exercises", "id")
            return added.rowcount == 1

    def schedule(self, exercise: int, *, box: int, due: int) -> None:
        with self._transaction() as database:
            database.execute("UPDATE exercises SET box = ?, due = ? WHERE id = ?", (box, due, exercise))

    def due(self, rule_set: str, day: int, most: int) -> tuple[Exercise, ...]:
        """Positions due on that day, the longest due first."""
        query = "SELECT * FROM exercises WHERE rule_set = ? AND due <= ? ORDER BY due, box, id LIMIT ?"
        found = self._read(query, _exercise_of, rule_set, day, most)
        return tuple([exercise for exercise in found if exercise is not None])

    def sources(self) -> frozenset[str]:
        return frozenset(self._read("SELECT source FROM exercises", _first))

    def lessons(self) -> frozenset[str]:
        return frozenset(self._read("SELECT name FROM lessons", _first))

    def learn(self, names: Sequence[str], at: int) -> None:
        with self._transaction() as database:
            database.executemany("INSERT OR IGNORE INTO lessons (name, at) VALUES (?, ?)", [(n, at) for n in names])

    def forget(self) -> None:
        with self._transaction() as database:
            database.execute("DELETE FROM lessons")

    def _read(self, query: str, make: Callable[[Any], T], *values: str | int) -> tuple[T, ...]:
        with self._transaction() as database:
            return tuple([make(row) for row in database.execute(query, values)])

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        try:
            _touch(self.path)
            with closing(sqlite3.connect(self.path, timeout=PATIENCE_S, isolation_level=None)) as database:
                database.row_factory = sqlite3.Row
                database.execute("PRAGMA foreign_keys = ON")
                if database.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                    database.execute("PRAGMA journal_mode = WAL")
                database.execute("PRAGMA synchronous = NORMAL")
                database.execute("BEGIN IMMEDIATE")
                with database:  # all or nothing
                    self._prepare(database)
                    yield database
        except sqlite3.Error as error:
            # Operational: a full disk, another program that writes. The next use may succeed.
            raise self._error(str(error), is_damaged=not isinstance(error, sqlite3.OperationalError)) from None
        except (msgspec.DecodeError, ValueError, OverflowError) as error:  # the last: too large for SQLite
            raise self._error(f"a row of it makes no sense ({error})", is_damaged=True) from None
        except OSError as error:
            raise self._error(error.strerror or str(error), is_damaged=False) from None

    def _prepare(self, database: sqlite3.Connection) -> None:
        """Create the tables in a new file."""
        (version,) = database.execute("PRAGMA user_version").fetchone()
        if version > VERSION:
            raise RecordError(say("record-later", file=str(self.path)))
        if version == 0:
            for statement in filter(None, map(str.strip, _SCHEMA.split(";"))):
                database.execute(statement)
            database.execute(f"PRAGMA user_version = {VERSION}")

    def _error(self, why: str, *, is_damaged: bool) -> RecordError:
        return RecordError(say("record-unusable", file=str(self.path), why=why, damaged=is_damaged))


def wall_ms() -> int:
    return time.time_ns() // 1_000_000


def _touch(path: Path) -> None:
    if not path.exists():
        make_private_folder(path.parent)
        os.close(open_private(path, os.O_RDWR))


def _shorten(database: sqlite3.Connection, table: str, by: str) -> None:
    database.execute(
        f"DELETE FROM {table} WHERE id IN (SELECT id FROM {table} ORDER BY {by} DESC, id DESC LIMIT -1 OFFSET ?)",
        (MOST[table],),
    )


def _unpacked(data: bytes) -> bytes:
    """:raises zlib.error: the data is damaged, or larger than any sheet."""
    unpacking = zlib.decompressobj()
    whole = unpacking.decompress(data, 4 * FILE_LENGTH)
    if not unpacking.eof:
        raise zlib.error("it is cut off, or too long")
    return whole


def _insert(database: sqlite3.Connection, table: str, row: Mapping[str, Any], more: str = "") -> sqlite3.Cursor:
    names, places = ", ".join(row), ", ".join(f":{name}" for name in row)
    return database.execute(f"INSERT INTO {table} ({names}) VALUES ({places}) {more}", row)


def _first(row: sqlite3.Row) -> str:
    return str(row[0])


def _row_of(game: PlayedGame) -> dict[str, Any]:
    row = msgspec.structs.asdict(game)
    row |= {name: msgspec.json.encode(row[name]).decode() for name in ("options", "opponents")}
    row["table_number"] = row.pop("table")
    weighed = row.pop("weighed")
    for name in ("id", "has_sheet"):
        del row[name]
    return row if weighed is None else row | msgspec.structs.asdict(weighed)


def _game_of(row: sqlite3.Row) -> PlayedGame:
    values = dict(row)
    values |= {name: msgspec.json.decode(values[name]) for name in ("options", "opponents")}
    if values["decisions"] is not None:
        values["weighed"] = {name: values[name] for name in GameCost.__struct_fields__}
    return msgspec.convert(values, PlayedGame, strict=False)


def _exercise_of(row: sqlite3.Row) -> Exercise | None:
    """None: the exercise is of a later release, and cannot be shown here."""
    try:
        position = msgspec.json.decode(row["position"], type=Position)
        judged = msgspec.json.decode(row["judged"], type=Judged)
        return msgspec.convert({**row, "position": position, "judged": judged}, Exercise)
    except msgspec.DecodeError:
        return None
