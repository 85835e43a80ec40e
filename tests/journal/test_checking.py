"""The check of a journal: what is kept, held against the rules."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from random import Random

import msgspec
import pytest

from put_protocol.cards import Card
from put_protocol.games.put import Put
from put_protocol.messages import Act, Look, Sit
from put_protocol.offers import Limits
from put_rules.facts import Hidden
from put_rules.record import GameRecord, Player, Step
from put_rules.registry import GAMES
from put_server.journal.archive import Archive
from put_server.journal.journal import Journal
from put_server.journal.journal_check import JournalReport, check
from put_server.journal.journal_reader import JournalRecord
from put_server.journal.journal_schema import crc
from put_server.journal.lobby_replay import DoesNotFollow, replay
from put_server.journal.records import encode
from put_server.lobby.config import LobbyConfig
from put_server.lobby.inputs import Arrive, Ask, Input, InputOutcome, Lose, Return, Shuffled, Tick
from put_server.lobby.lobby import Lobby
from put_server.table.table_effects import GameConcluded, PersonId, TableId, WantPack
from tests.journal.recorded_journals import RecordedBatch, games_of, inputs_of, lobby_after, recording, written
from tests.lobby.lobby_harness import new_lobby

ACE, TWO, THREE, FOUR = map(Card, ("As", "2s", "3s", "4s"))


# What happened, which takes a while to make: by who tests it, not by all who collect it.


def evening() -> tuple[RecordedBatch, ...]:
    return recording(1)


@cache
def inputs() -> list[tuple[int, Input]]:
    return inputs_of(evening())


@cache
def games_ended() -> list[GameConcluded]:
    return games_of(evening())


def first() -> GameRecord:
    """The first finished game."""
    return games_ended()[0].record


def checked(path: Path) -> JournalReport:
    with Archive(path) as archive:
        return check(archive, new_lobby(), GAMES)


def edit(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.create_function("crc", -1, crc)
        file.execute(statement, values)


def put_in(path: Path, number: int, event: Input, at: int | None = None) -> None:
    """Another record in its place, whole and readable."""
    at = inputs()[number - 1][0] if at is None else at
    row = (number, at, encode(event))
    edit(path, "REPLACE INTO records VALUES (?, ?, ?, ?)", *row, crc(*row))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A journal without a checkpoint."""
    return written(tmp_path_factory.mktemp("whole") / "put.sqlite3", evening()).read_bytes()


@pytest.fixture
def path(tmp_path: Path, whole: bytes) -> Path:
    """The same to be spoilt."""
    path = tmp_path / "put.sqlite3"
    path.write_bytes(whole)
    return path


def place_of(kind: type[Input], nth: int = 0) -> int:
    """The number of such a record."""
    return [number for number, (_, event) in enumerate(inputs(), 1) if isinstance(event, kind)][nth]


# --- all is well ---


@pytest.mark.parametrize("part", [None, 0.01, 0.5, 1])
def test_check_finds_nothing_wrong_with_what_a_server_kept(part: float | None, tmp_path: Path) -> None:
    """From the beginning or from a checkpoint, every record follows, and every game comes to its end."""
    compacted_after = None if part is None else max(1, int(part * len(evening())))
    path = written(tmp_path / "put.sqlite3", evening(), compacted_after=compacted_after)
    since = evening()[compacted_after or 0 :]
    assert checked(path) == JournalReport(len(inputs_of(since)), len(games_ended()), ())


def test_check_while_a_server_runs_changes_nothing(path: Path) -> None:
    """An operator may ask at any time."""
    with closing(Journal(path)):
        assert checked(path).findings == ()


# --- records that do not follow ---


def refused_request(path: Path) -> int:
    at = next(
        number
        for number, (_, event) in enumerate(inputs(), 1)
        if isinstance(event, Ask) and isinstance(event.request, Sit)
    )
    _, asked = inputs()[at - 1]
    assert isinstance(asked, Ask)
    put_in(path, at, Ask(asked.person, Sit(1, 999)))
    return at


def turned_away(path: Path) -> int:
    put_in(path, (at := place_of(Return)), Return(b"no such token", ()))
    return at


def bad_name(path: Path) -> int:
    put_in(path, (at := place_of(Arrive, 2)), Arrive("a\x00b", is_bot=False, token=b"x"))
    return at


def nobody_lost(path: Path) -> int:
    put_in(path, (at := place_of(Tick, 5)), Lose(PersonId(999)))
    return at


def nobody_asks(path: Path) -> int:
    put_in(path, (at := place_of(Tick, 5)), Ask(PersonId(999), Look(1)))
    return at


def unwanted_pack(path: Path) -> int:
    _, shuffled = inputs()[place_of(Shuffled) - 1]
    put_in(path, (at := place_of(Tick, 5)), shuffled)
    return at


def pack_of_another_table(path: Path) -> int:
    at = place_of(Shuffled, 3)
    _, shuffled = inputs()[at - 1]
    assert isinstance(shuffled, Shuffled)
    put_in(path, at, Shuffled(TableId(999), shuffled.pack))
    return at


def pack_of_other_cards(path: Path) -> int:
    at = place_of(Shuffled, 3)
    _, shuffled = inputs()[at - 1]
    assert isinstance(shuffled, Shuffled)
    put_in(path, at, Shuffled(shuffled.table, (*shuffled.pack[:-1], shuffled.pack[0])))
    return at


def pack_left_out(path: Path) -> int:
    put_in(path, (at := place_of(Shuffled, 3)), Tick())
    return at


def last_pack_missing(path: Path) -> int:
    at = place_of(Shuffled, 3)
    edit(path, "DELETE FROM records WHERE number >= ?", at)
    return at - 1


def time_goes_back(path: Path) -> int:
    at = place_of(Tick, 5)
    put_in(path, at, Tick(), inputs()[at - 2][0] - 1)
    return at


def hole(path: Path) -> int:
    edit(path, "DELETE FROM records WHERE number = 50")
    return 50


def unreadable(path: Path) -> int:
    row = (50, inputs()[49][0], b"\xc1")
    edit(path, "REPLACE INTO records VALUES (?, ?, ?, ?)", *row, crc(*row))
    return 50


def damaged(path: Path) -> int:
    edit(path, "UPDATE records SET at = at + 1 WHERE number = 50")
    return 50


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (refused_request, "refused"),
        (turned_away, "refused"),
        (bad_name, "refused"),
        (nobody_lost, "a person who is not here"),
        (nobody_asks, "a person who is not here"),
        (unwanted_pack, "did not want"),
        (pack_of_another_table, "did not want"),
        (pack_of_other_cards, "other cards"),
        (pack_left_out, "in the place of the pack"),
        (last_pack_missing, "has not got the pack"),
        (time_goes_back, "before the one before it"),
        (hole, "record 51 is in its place"),
        (unreadable, "cannot be read"),
        (damaged, "was damaged"),
    ],
)
def test_check_names_the_record_that_does_not_follow(spoil: Callable[[Path], int], says: str, path: Path) -> None:
    """Its number, why, and nothing of anybody's cards; what follows was not judged."""
    number = spoil(path)
    report = checked(path)
    finding = report.findings[0]
    assert f"record {number} " in finding
    assert says in finding
    assert report.records == number - (1 if spoil is not last_pack_missing else 0)
    assert not any(card in finding for card in ("3s", "10h", "Hidden"))


def test_check_lets_the_house_be_late(path: Path) -> None:
    """Its action may be kept when its seat is gone already; it changed nothing."""
    put_in(path, len(inputs()) + 1, Ask(PersonId(999), Act(1, 1, 1, Put())), inputs()[-1][0])
    assert checked(path) == JournalReport(len(inputs()) + 1, len(games_ended()), ())


class TwoTables(Lobby):
    """A tick ends a hand at both; the first pack leaves a tie in the draw, so that table wants another."""

    def handle(self, event: Input, now: int) -> InputOutcome:
        wants = {Tick(): [1, 2], Shuffled(TableId(1), (ACE,)): [1]}.get(event, [])
        pack = (ACE,) if isinstance(event, Tick) else (TWO,)
        return InputOutcome(None, [WantPack(TableId(table), 1, pack) for table in wants])


def test_packs_are_dealt_in_the_order_they_are_wanted() -> None:
    """What a pack wants comes before what waited already, as they are dealt; in another order none follows."""
    tie, anew, second = Shuffled(TableId(1), (ACE,)), Shuffled(TableId(1), (TWO,)), Shuffled(TableId(2), (ACE,))
    assert len(list(replay(made(TwoTables), 0, in_order(Tick(), tie, anew, second)))) == 4
    with pytest.raises(DoesNotFollow, match="record 3 is a pack that table 2 did not want"):
        list(replay(made(TwoTables), 0, in_order(Tick(), tie, second, anew)))


class ArrangedTable(Lobby):
    """A tick wants a pack with two cards arranged on top."""

    def handle(self, event: Input, now: int) -> InputOutcome:
        wants = [WantPack(TableId(1), 1, (ACE, TWO, THREE, FOUR), top=(THREE, ACE))] if isinstance(event, Tick) else []
        return InputOutcome(None, [*wants])


@pytest.mark.parametrize(
    ("pack", "says"),
    [
        ((THREE, ACE, TWO, FOUR), ""),
        ((THREE, ACE, FOUR, TWO), ""),
        ((ACE, THREE, TWO, FOUR), "record 2 is a pack in another order than table 1 has arranged"),
        ((TWO, FOUR, THREE, ACE), "record 2 is a pack in another order than table 1 has arranged"),
        ((THREE, ACE, TWO, TWO), "record 2 is a pack of other cards than table 1 wanted"),
        ((THREE, ACE, TWO), "record 2 is a pack of other cards than table 1 wanted"),
    ],
)
def test_arranged_pack_has_its_arrangement_on_top(pack: tuple[Card, ...], says: str) -> None:
    """What was arranged lies there in its order, and the rest below it in any."""
    records = in_order(Tick(), Shuffled(TableId(1), pack))
    lobby = made(ArrangedTable)
    if not says:
        assert [record.number for record, _ in replay(lobby, 0, records)] == [1, 2]
        return
    with pytest.raises(DoesNotFollow, match=says):
        list(replay(lobby, 0, records))


def made(lobby: type[Lobby]) -> Lobby:
    return lobby(GAMES, LobbyConfig(server_name="Here", limits=Limits(0, 0, 0, 0, 0, 0), houses=()))


def in_order(*inputs: Input) -> list[JournalRecord]:
    return [JournalRecord(number, 0, event) for number, event in enumerate(inputs, 1)]


def test_check_names_a_checkpoint_that_does_not_hold(tmp_path: Path) -> None:
    """A table in it plays what its rules do not allow."""
    prefixes = (evening()[:length] for length in range(len(evening()) // 2, 0, -10))
    past, stored = next((one, found) for one in prefixes if (found := lobby_after(one).checkpoint()).tables)
    path = written(tmp_path / "put.sqlite3", past, compacted_after=len(past))
    tables = tuple(msgspec.structs.replace(table, rule_set="whist") for table in stored.tables)
    row = (len(inputs_of(past)), 10**6, encode(msgspec.structs.replace(stored, tables=tables)))
    edit(path, "DELETE FROM checkpoint")
    edit(path, "INSERT INTO checkpoint VALUES (?, ?, ?, ?)", *row, crc(*row))
    (finding,) = checked(path).findings
    assert finding.startswith("the checkpoint does not hold: table")
    assert "whist" in finding


def test_check_of_a_damaged_file_says_so(path: Path) -> None:
    """Its pages are read before anything in them is believed."""
    data = bytearray(path.read_bytes())
    data[-4096 * 3 :] = bytes(Random(1).randbytes(4096 * 3))
    path.write_bytes(data)
    (finding,) = checked(path).findings
    assert "damaged" in finding


# --- finished games ---


def change_game(path: Path, **columns: object) -> None:
    """The first finished game says something else, whole and readable."""
    for column, value in columns.items():
        edit(path, f"UPDATE games SET {column} = ? WHERE id = 1", value)
    edit(
        path,
        "UPDATE games SET crc = crc(id, ended, table_id, number, rule_set, players, result, record) WHERE id = 1",
    )


def other(record: GameRecord, **fields: object) -> bytes:
    return encode(msgspec.structs.replace(record, **fields))


def steps_of(record: GameRecord) -> list[Step]:
    return msgspec.msgpack.decode(record.steps.unseal(), type=list[Step])


def late_first_step() -> dict[str, object]:
    one, *others = steps_of(first())
    return {"record": with_steps([msgspec.structs.replace(one, at=10**9), *others])}


def other_players() -> dict[str, object]:
    return {"players": msgspec.json.encode([Player("Eve")] * len(first().players)).decode()}


def with_steps(steps: list[Step]) -> bytes:
    return other(first(), steps=Hidden(msgspec.msgpack.encode(steps)))


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        (lambda: {"record": with_steps(steps_of(first())[:-1])}, "does not come to its end"),
        (lambda: {"record": with_steps([*steps_of(first())[:1], *steps_of(first())])}, "does not follow: NotAwaited"),
        (late_first_step, "time"),
        (lambda: {"record": other(first(), steps=Hidden(b"\xc1"))}, "its steps cannot be read"),
        (lambda: {"record": b"\xc1"}, "cannot be read"),
        (lambda: {"record": other(first(), rule_set="whist"), "rule_set": "whist"}, "not played here"),
        (lambda: {"record": other(first(), is_exhibition=not first().is_exhibition)}, "is another than record"),
        (other_players, "listed as another"),
        (lambda: {"table_id": 999}, "listed as another"),
        (lambda: {"result": None}, "ends otherwise"),
        (lambda: {"players": "[]]"}, "cannot be read"),
        (lambda: {"result": "{}"}, "cannot be read"),
    ],
)
def test_check_names_the_game_that_is_wrong(columns: Callable[[], dict[str, object]], says: str, path: Path) -> None:
    """By its id; the others are judged all the same."""
    change_game(path, **columns())
    report = checked(path)
    assert "game 1 " in report.findings[0]
    assert says in report.findings[0]
    assert report.games == len(games_ended())
    assert not any("game 2 " in finding for finding in report.findings)


def test_check_misses_a_game_that_was_not_kept(path: Path) -> None:
    """A record ended it, and it is not there."""
    edit(path, "DELETE FROM games WHERE id = 2")
    (finding,) = checked(path).findings
    lost = games_ended()[1].record
    assert f"game {lost.number} of table {lost.table}, which is not among the finished games" in finding
