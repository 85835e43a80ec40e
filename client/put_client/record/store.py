"""The file of the record: SQLite, opened for each transaction and closed after it.

Laws:
- A transaction happens altogether or not at all, also when the process is killed in it.
- Several clients may use the file at once: it is in write-ahead mode, and each waits `PATIENCE_S` for another.
- It does not grow without end: the oldest rows go when there are more than `MOST` of a kind.
- A file that cannot be used raises `RecordError`, a sentence for people, and is left as it is.
"""

import os
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec

from put_client.record.entries import (
    Answer,
    Exercise,
    ExerciseKind,
    GameCost,
    GameOutcome,
    Opponent,
    PlayedGame,
    Review,
)
from put_protocol.analysis import Judged, Quality
from put_protocol.messages import Analysis, Position
from put_protocol.seats import Seat
from put_runtime.private_files import make_private_folder, open_private
from put_text.notation import FILE_LENGTH, NotationError, Sheet, read, write

VERSION: Final = 1
"""Version of the schema; a file of a later one is left alone."""

PATIENCE_S: Final = 2.0
"""For another client that writes. A write takes milliseconds."""

MOST: Final[Mapping[str, int]] = {"games": 50_000, "sheets": 5_000, "answers": 50_000, "exercises": 2_000}
"""Rows of each table. 5,000 sheets take some tens of megabytes; a game without its sheet takes half a kilobyte."""

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

_GAME_COLUMNS = (
    "id, server, table_number, number, began, ended, rule_set, options, seat, opponents, outcome, gain, "
    "is_exhibition, is_assisted, decisions, fine, cost, costly, "
    "EXISTS (SELECT 1 FROM sheets WHERE sheets.id = games.id)"
)

_Row = tuple[object, ...]


class RecordError(Exception):
    """The record cannot be used; the message is a sentence."""


class GameRecord:
    """The record in a file, which is made when it is first used."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def check(self) -> None:
        """:raises RecordError: the file cannot be used."""
        with self._transaction() as database:
            database.execute("SELECT 1 FROM games LIMIT 1").fetchone()

    def save(self, game: PlayedGame, sheet: Sheet | None = None) -> int:
        """Keep a game, or what is now known of it. Returns its id.

        :raises RecordError: it cannot be written.
        """
        row = _row_of(game)
        names = ", ".join(row)
        changed = ", ".join(f"{name} = excluded.{name}" for name in row)
        with self._transaction() as database:
            (number,) = database.execute(
                f"INSERT INTO games ({names}) VALUES ({', '.join('?' * len(row))}) "
                f"ON CONFLICT (server, table_number, number, began) DO UPDATE SET {changed} RETURNING id",
                tuple(row.values()),
            ).fetchone()
            if sheet is not None:
                database.execute(
                    "INSERT INTO sheets (id, sheet) VALUES (?, ?) "
                    "ON CONFLICT (id) DO UPDATE SET sheet = excluded.sheet",
                    (number, zlib.compress(write(sheet).encode())),
                )
            _shorten(database, "games", "ended")
            _shorten(database, "sheets", "id")
        return int(number)

    def save_analysis(self, game: int, analysis: Analysis) -> None:
        """Keep what the decisions of a game cost. `analysis` is whole.

        :raises RecordError: it cannot be written.
        """
        fine = sum(one.judged.quality is Quality.FINE for one in analysis.reviewed)
        review = zlib.compress(msgspec.json.encode(analysis.reviewed))
        with self._transaction() as database:
            database.execute(
                "UPDATE games SET decisions = ?, fine = ?, cost = ?, costly = ? WHERE id = ?",
                (analysis.decisions, fine, analysis.cost, analysis.costly, game),
            )
            database.execute("UPDATE sheets SET review = ? WHERE id = ?", (review, game))

    def games(self, most: int = MOST["games"], *, before: int = 2**62) -> tuple[PlayedGame, ...]:
        """Games that ended before that time, the latest first.

        :raises RecordError: it cannot be read.
        """
        query = f"SELECT {_GAME_COLUMNS} FROM games WHERE ended < ? ORDER BY ended DESC, id DESC LIMIT ?"
        with self._transaction() as database:
            return tuple([_game_of(row) for row in database.execute(query, (before, most))])

    def game(self, number: int) -> PlayedGame | None:
        """One game. None: it is not kept.

        :raises RecordError: it cannot be read.
        """
        with self._transaction() as database:
            row = database.execute(f"SELECT {_GAME_COLUMNS} FROM games WHERE id = ?", (number,)).fetchone()
        return None if row is None else _game_of(row)

    def sheet(self, game: int) -> tuple[Sheet, Review] | None:
        """A game as it was shown, with the cost of its decisions if it was weighed. None: it is not kept any more.

        :raises RecordError: it cannot be read.
        """
        with self._transaction() as database:
            row = database.execute("SELECT sheet, review FROM sheets WHERE id = ?", (game,)).fetchone()
        if row is None:
            return None
        try:
            review = () if row[1] is None else msgspec.json.decode(_unpacked(row[1]), type=Review)
            return read(_unpacked(row[0]).decode()), review
        except (zlib.error, UnicodeDecodeError, NotationError, msgspec.DecodeError) as error:
            raise RecordError(f"Game {game} of the record cannot be read: {error}.") from None

    def save_answer(self, answer: Answer) -> None:
        """:raises RecordError: it cannot be written."""
        with self._transaction() as database:
            database.execute(
                "INSERT INTO answers (at, rule_set, kind, cost, is_right) VALUES (?, ?, ?, ?, ?)",
                (answer.at, answer.rule_set, answer.kind, answer.cost, answer.is_right),
            )
            _shorten(database, "answers", "at")

    def answers(self) -> tuple[Answer, ...]:
        """All answers, the first first.

        :raises RecordError: it cannot be read.
        """
        with self._transaction() as database:
            rows = database.execute("SELECT at, rule_set, kind, cost, is_right FROM answers ORDER BY at, id")
            return tuple(
                [
                    Answer(at=at, rule_set=rule_set, kind=ExerciseKind(kind), cost=cost, is_right=bool(right))
                    for at, rule_set, kind, cost, right in rows
                ]
            )

    def add_exercise(self, exercise: Exercise) -> bool:
        """Keep a position to practise. False: it is kept already, as it was.

        :raises RecordError: it cannot be written.
        """
        values = (
            exercise.rule_set,
            exercise.source,
            exercise.kind,
            msgspec.json.encode(exercise.position),
            msgspec.json.encode(exercise.judged),
            exercise.box,
            exercise.due,
        )
        with self._transaction() as database:
            added = database.execute(
                "INSERT INTO exercises (rule_set, source, kind, position, judged, box, due) "
                "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (source) DO NOTHING",
                values,
            )
            _shorten(database, "exercises", "id")
            return added.rowcount == 1

    def schedule(self, exercise: int, *, box: int, due: int) -> None:
        """Say when a position is practised again.

        :raises RecordError: it cannot be written.
        """
        with self._transaction() as database:
            database.execute("UPDATE exercises SET box = ?, due = ? WHERE id = ?", (box, due, exercise))

    def due(self, rule_set: str, day: int, most: int) -> tuple[Exercise, ...]:
        """Positions that are due on that day, the longest due first.

        :raises RecordError: it cannot be read.
        """
        query = (
            "SELECT id, rule_set, source, kind, position, judged, box, due FROM exercises "
            "WHERE rule_set = ? AND due <= ? ORDER BY due, box, id LIMIT ?"
        )
        with self._transaction() as database:
            rows = database.execute(query, (rule_set, day, most)).fetchall()
        return tuple([exercise for row in rows if (exercise := _exercise_of(row)) is not None])

    def sources(self) -> frozenset[str]:
        """Sources of all positions that are kept.

        :raises RecordError: it cannot be read.
        """
        with self._transaction() as database:
            return frozenset([source for (source,) in database.execute("SELECT source FROM exercises")])

    def lessons(self) -> frozenset[str]:
        """Those that are known.

        :raises RecordError: it cannot be read.
        """
        with self._transaction() as database:
            return frozenset([name for (name,) in database.execute("SELECT name FROM lessons")])

    def learn(self, names: Sequence[str], at: int) -> None:
        """These are known from now on.

        :raises RecordError: it cannot be written.
        """
        with self._transaction() as database:
            database.executemany("INSERT OR IGNORE INTO lessons (name, at) VALUES (?, ?)", [(n, at) for n in names])

    def forget(self) -> None:
        """None of them is known any more.

        :raises RecordError: it cannot be written.
        """
        with self._transaction() as database:
            database.execute("DELETE FROM lessons")

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        try:
            _touch(self.path)
            with closing(sqlite3.connect(self.path, timeout=PATIENCE_S, isolation_level=None)) as database:
                database.execute("PRAGMA foreign_keys = ON")
                if database.execute("PRAGMA journal_mode").fetchone() != ("wal",):
                    database.execute("PRAGMA journal_mode = WAL")
                database.execute("PRAGMA synchronous = NORMAL")
                database.execute("BEGIN IMMEDIATE")
                with _all_or_nothing(database):
                    self._prepare(database)
                    yield database
        except sqlite3.Error as error:
            raise self._error(str(error)) from None
        except (msgspec.DecodeError, ValueError) as error:
            raise self._error(f"a row of it makes no sense ({error})") from None
        except OSError as error:
            raise self._error(error.strerror or str(error)) from None

    def _prepare(self, database: sqlite3.Connection) -> None:
        """Make the tables, in a file that has none."""
        (version,) = database.execute("PRAGMA user_version").fetchone()
        if version > VERSION:
            raise RecordError(f"The record {self.path} was written by a later release of put-client; it is left alone.")
        if version == 0:
            for statement in filter(None, map(str.strip, _SCHEMA.split(";"))):
                database.execute(statement)
            database.execute(f"PRAGMA user_version = {VERSION}")

    def _error(self, why: str) -> RecordError:
        return RecordError(
            f"The record {self.path} cannot be used: {why}. Nothing is recorded; move the file away to begin another."
        )


@contextmanager
def _all_or_nothing(database: sqlite3.Connection) -> Iterator[None]:
    try:
        yield
    except BaseException:
        with suppress(sqlite3.Error):
            database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


def _touch(path: Path) -> None:
    """Make the file, for its owner alone."""
    if not path.exists():
        make_private_folder(path.parent)
        os.close(open_private(path, os.O_RDWR))


def _shorten(database: sqlite3.Connection, table: str, by: str) -> None:
    """Delete the oldest rows beyond `MOST`."""
    database.execute(
        f"DELETE FROM {table} WHERE id IN (SELECT id FROM {table} ORDER BY {by} DESC, id DESC LIMIT -1 OFFSET ?)",
        (MOST[table],),
    )


def _unpacked(data: bytes) -> bytes:
    """:raises zlib.error: it is damaged, or larger than any sheet."""
    unpacking = zlib.decompressobj()
    whole = unpacking.decompress(data, 4 * FILE_LENGTH)
    if not unpacking.eof:
        raise zlib.error("it is cut off, or too long")
    return whole


def _row_of(game: PlayedGame) -> dict[str, str | int | None]:
    row: dict[str, str | int | None] = {
        "server": game.server,
        "table_number": game.table,
        "number": game.number,
        "began": game.began,
        "ended": game.ended,
        "rule_set": game.rule_set,
        "options": msgspec.json.encode(game.options).decode(),
        "seat": game.seat,
        "opponents": msgspec.json.encode(game.opponents).decode(),
        "outcome": game.outcome.value,
        "gain": game.gain,
        "is_exhibition": int(game.is_exhibition),
        "is_assisted": int(game.is_assisted),
    }
    if game.weighed is not None:
        row.update(msgspec.structs.asdict(game.weighed))
    return row


def _game_of(row: _Row) -> PlayedGame:
    """A row with `_GAME_COLUMNS`."""
    number, server, table, game, began, ended, rule_set, options, seat, opponents, outcome, gain, *rest = row
    is_exhibition, is_assisted, decisions, fine, cost, costly, has_sheet = rest
    weighed = None
    if decisions is not None:
        weighed = GameCost(_integer(decisions), _integer(fine), _integer(cost), _integer(costly))
    return PlayedGame(
        id=_integer(number),
        server=str(server),
        table=_integer(table),
        number=_integer(game),
        began=_integer(began),
        ended=_integer(ended),
        rule_set=str(rule_set),
        options=msgspec.json.decode(str(options), type=dict[str, str | int]),
        seat=Seat(_integer(seat)),
        opponents=msgspec.json.decode(str(opponents), type=tuple[Opponent, ...]),
        outcome=GameOutcome(str(outcome)),
        gain=_integer(gain),
        is_exhibition=bool(is_exhibition),
        is_assisted=bool(is_assisted),
        weighed=weighed,
        has_sheet=bool(has_sheet),
    )


def _integer(value: object) -> int:
    assert isinstance(value, int)  # the tables are strict
    return value


def _exercise_of(row: _Row) -> Exercise | None:
    """None: of a later release, and not to be shown here."""
    number, rule_set, source, kind, position, judged, box, due = row
    assert isinstance(position, bytes)
    assert isinstance(judged, bytes)
    try:
        return Exercise(
            id=_integer(number),
            rule_set=str(rule_set),
            source=str(source),
            kind=ExerciseKind(str(kind)),
            position=msgspec.json.decode(position, type=Position),
            judged=msgspec.json.decode(judged, type=Judged),
            box=_integer(box),
            due=_integer(due),
        )
    except (msgspec.DecodeError, ValueError):
        return None
