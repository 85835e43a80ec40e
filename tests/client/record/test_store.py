"""The file of the record: what is kept is kept, whatever happens to the program, and no more than that."""

import random
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from put_client.record import store
from put_client.record.store import Answer, ExerciseKind, LocalRecord, RecordError
from put_protocol.analysis import Quality
from put_protocol.messages import Analysis
from tests.client.record.games import NOW, WEIGHED, game
from tests.client.sample_sheet import sheet
from tests.client.tui.test_analysis_view import analysis

ANALYSIS = analysis(0, 150, 30, 0)


@pytest.fixture
def record(tmp_path: Path) -> LocalRecord:
    return LocalRecord(tmp_path / "state" / "record.sqlite3")


def test_game_is_read_as_it_was_saved(record: LocalRecord) -> None:
    """With its sheet, and once however often it is saved; the latest game comes first."""
    first, second = record.save(game(1), sheet()), record.save(game(2))
    assert record.save(game(1), sheet()) == first
    assert [one.id for one in record.games()] == [second, first]
    kept = record.game(first)
    assert kept is not None
    assert kept.has_sheet
    found = record.sheet(first)
    assert found is not None
    assert found == (sheet(), ())
    assert record.sheet(second) is None
    assert record.game(99) is None
    assert record.game(second) == replace(game(2), id=second)


def test_analysis_is_kept_with_its_game(record: LocalRecord) -> None:
    """Its totals with the game, every decision with the sheet; saving the game again does not lose them."""
    number = record.save(game(1), sheet())
    record.save_analysis(number, ANALYSIS)
    record.save(game(1), sheet())
    kept, found = record.game(number), record.sheet(number)
    assert kept is not None
    assert kept.weighed is not None
    assert (kept.weighed.decisions, kept.weighed.cost) == (ANALYSIS.decisions, ANALYSIS.cost)
    assert kept.weighed.fine == sum(one.judged.quality is Quality.FINE for one in ANALYSIS.reviewed)
    assert found is not None
    assert found[1] == ANALYSIS.reviewed


def test_number_that_no_file_has_room_for_is_an_error_and_no_crash(record: LocalRecord) -> None:
    """A message may have one of 64 bits without a sign; the game goes on without its record."""
    number = record.save(game())
    with pytest.raises(RecordError, match="makes no sense"):
        record.save_analysis(number, replace(ANALYSIS, cost=2**63))
    with pytest.raises(RecordError, match="makes no sense"):
        record.save(replace(game(), gain=2**64 - 1))


def test_record_is_readable_by_its_owner_alone(record: LocalRecord) -> None:
    """And is made in a folder that is so, too."""
    record.check()
    assert stat.S_IMODE(record.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(record.path.parent.stat().st_mode) == 0o700


def test_oldest_games_go_when_there_are_too_many(record: LocalRecord, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of sheets fewer are kept than of games, and of each so many at most."""
    monkeypatch.setattr(store, "MOST", {"games": 3, "sheets": 2, "answers": 2, "exercises": 2})
    for number in range(1, 6):
        record.save(game(number), sheet())
    assert [(one.number, one.has_sheet) for one in record.games()] == [(5, True), (4, True), (3, False)]
    for at in range(4):
        record.save_answer(Answer(at=at, rule_set="put-1674", kind=ExerciseKind.LEAD, cost=0, is_right=True))
    assert [answer.at for answer in record.answers()] == [2, 3]


def test_file_that_is_no_record_is_said_and_left_alone(record: LocalRecord) -> None:
    """In a sentence that names it and says what to do."""
    record.path.parent.mkdir()
    record.path.write_bytes(b"these are my shopping lists" * 100)
    with pytest.raises(RecordError, match=r"record\.sqlite3 cannot be used: .*move the file away") as caught:
        record.check()
    assert "\n" not in str(caught.value)
    assert record.path.read_bytes().startswith(b"these are my")


def test_record_that_cannot_be_written_now_is_not_to_be_moved_away(
    record: LocalRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program writes for long. The games in it are well, and later ones are added."""
    monkeypatch.setattr(store, "PATIENCE_S", 0)
    record.save(game(1))
    with closing(sqlite3.connect(record.path)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(RecordError, match=r"cannot be used: database is locked\. Nothing is recorded\.$"):
            record.save(game(2))
    record.save(game(2))


@pytest.mark.parametrize("place", ["head", "middle"])
def test_damaged_record_is_an_error_and_no_crash(record: LocalRecord, place: str) -> None:
    """Wherever it is damaged: each use raises the sentence for people, and the file is left as it is."""
    for number in range(1, 60):
        record.save(game(number), sheet())
    with sqlite3.connect(record.path) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    whole = bytearray(record.path.read_bytes())
    at = 0 if place == "head" else len(whole) // 2
    whole[at : at + 20_000] = random.Random(place).randbytes(20_000)
    record.path.write_bytes(whole)
    with pytest.raises(RecordError, match=r"cannot be (used|read)"):
        [record.sheet(one.id) for one in record.games()]
    with pytest.raises(RecordError, match="move the file away"):
        record.save(game(500), sheet())
    assert record.path.read_bytes() == whole


def test_record_of_a_later_release_is_left_alone(record: LocalRecord) -> None:
    """Nothing in it is changed."""
    record.save(game())
    with sqlite3.connect(record.path) as database:
        database.execute(f"PRAGMA user_version = {store.VERSION + 1}")
    database.close()
    with pytest.raises(RecordError, match="written by a later release"):
        record.save(game(2))


def test_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    """A file where the folder would be, as on a disk that is set up wrongly."""
    (tmp_path / "state").write_text("")
    with pytest.raises(RecordError, match="cannot be used"):
        LocalRecord(tmp_path / "state" / "record.sqlite3").check()


def test_two_clients_write_to_one_record(record: LocalRecord) -> None:
    """At once, from the first moment on: no game is lost, none is an error."""
    errors: list[Exception] = []

    def play(table: int) -> None:
        try:
            for number in range(1, 21):
                LocalRecord(record.path).save(game(number, table=table), sheet())
        except RecordError as error:
            errors.append(error)

    threads = [threading.Thread(target=play, args=(table,)) for table in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert len(record.games()) == 40


KILLED = """
import sys
from pathlib import Path
from put_client.record.store import LocalRecord
from tests.client.record.games import game
from tests.client.sample_sheet import sheet
record = LocalRecord(Path(sys.argv[1]))
for number in range(1, 100_000):
    record.save(game(number), sheet())
    print(number, flush=True)
"""


def test_record_survives_a_kill(record: LocalRecord) -> None:
    """At any moment: what was said to be saved is there, each game whole."""
    for _ in range(2):
        with subprocess.Popen([sys.executable, "-c", KILLED, str(record.path)], stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            said = [int(child.stdout.readline()) for _ in range(20)][-1]
            child.send_signal(signal.SIGKILL)
        kept = record.games()
        assert {one.number for one in kept} >= set(range(1, said + 1))
        assert all(record.sheet(one.id) is not None for one in kept)


def test_lessons_are_learned_once(record: LocalRecord) -> None:
    """And stay so."""
    assert record.lessons() == frozenset()
    record.learn(["put.lead", "put.tie"], NOW)
    record.learn(["put.lead"], NOW + 1)
    assert record.lessons() == {"put.lead", "put.tie"}


def test_weighed_game_keeps_its_totals(record: LocalRecord) -> None:
    """Also without a sheet."""
    number = record.save(game(weighed=WEIGHED))
    assert (kept := record.game(number)) is not None
    assert kept.weighed == WEIGHED


def test_part_of_an_analysis_is_nothing_without_its_game(record: LocalRecord) -> None:
    """A game that is not kept any more is not made up."""
    record.save_analysis(77, Analysis(3, 1, game().seat))
    assert record.games() == ()
