"""The journal as other processes read it."""

import asyncio
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from put_server.journal.archive import Archive
from put_server.journal.journal import Journal
from put_server.journal.journal_errors import JournalError
from tests.journal.recorded_journals import (
    event,
    games_of,
    inputs_of,
    keep,
    killed,
    lobby_after,
    recording,
    running,
    stored,
    stored_inputs,
    written,
)
from tests.journal.test_files import REFUSED, contents, version_1


def everything(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


# --- what it shows ---


def test_archive_lists_finished_games_newest_first(tmp_path: Path) -> None:
    """Each with who played it, where, and how it ended; as many as are asked for, of all tables or one."""
    with Archive(written(tmp_path / "put.sqlite3", recording(1))) as archive:
        rows = archive.latest(1_000)[0]
        ended = games_of(recording(1))
        assert [row.id for row in rows] == list(range(len(ended), 0, -1)) == archive.ids()[::-1]
        assert [
            (row.table, row.number, row.rule_set, row.players, row.result, row.ended[10:11] + row.ended[-1])
            for row in reversed(rows)
        ] == [
            (game.record.table, game.record.number, game.record.rule_set, game.record.players, game.end, "TZ")
            for game in ended
        ]
        assert archive.latest(2)[0] == rows[:2]
        for table in {row.table for row in rows}:
            assert archive.latest(1_000, table=table)[0] == [row for row in rows if row.table == table]
        assert archive.latest(1, table=10**6)[0] == []


def test_archive_shows_a_finished_game_with_every_card(tmp_path: Path) -> None:
    """The record is the one that was kept; of a game that is not there it says so."""
    with Archive(written(tmp_path / "put.sqlite3", recording(1))) as archive:
        for number, ended in enumerate(games_of(recording(1)), 1):
            game = archive.game(number)
            assert game is not None
            assert game.record == ended.record
            assert game.row in archive.latest(1_000)[0]
        assert archive.game(10**6) is None


def test_archive_that_was_damaged_in_a_game_names_it(tmp_path: Path) -> None:
    """The others can be read."""
    path = written(tmp_path / "put.sqlite3", recording(1))
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute("UPDATE games SET players = replace(players, 'Ann', 'Eve'), ended = '1674' WHERE id = 2")
    with Archive(path) as archive:
        assert archive.game(1) is not None
        with pytest.raises(JournalError, match=r"game 2 of .* cannot be read"):
            archive.game(2)


def test_damaged_game_is_skipped_and_told(tmp_path: Path) -> None:
    """The others are listed, also where the text itself is broken; and a backup says what it copied."""
    path = written(tmp_path / "put.sqlite3", recording(1))
    with Archive(path) as archive:
        rows = archive.latest(1_000)[0]
        assert archive.flaws() == []
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute("UPDATE games SET ended = '1674' WHERE id = 2")
        file.execute("UPDATE games SET players = CAST(x'ff22' AS TEXT) WHERE id = 1")
    with Archive(path) as archive:
        found, told = archive.latest(1_000)
        assert found == rows[:-2]
        assert len(told) == 2
        assert "game 2 of" in told[0]
        archive.backup(tmp_path / "copy.sqlite3")
    with Archive(tmp_path / "copy.sqlite3") as copy:
        assert len(copy.flaws()) == 2


async def test_archive_sees_one_moment_of_a_server_that_runs(tmp_path: Path) -> None:
    """What a server writes meanwhile, a checkpoint even, changes nothing for who reads; the next to open sees it."""
    path = tmp_path / "put.sqlite3"
    whole = recording(1)
    half = len(whole) // 2
    journal = Journal(path)
    async with running(journal):
        await keep(journal, whole[:half])
        with Archive(path) as archive:
            first = next(iter(archive.kept.inputs()))
            await keep(journal, whole[half:])
            journal.compact(10**9, lobby_after(whole).checkpoint())
            await keep(journal, whole[:1])
            assert [(at, given) for _, at, given in archive.kept.inputs()] == stored_inputs(whole[:half])
            assert first.number == 1
            assert archive.kept.lobby() is None
        with Archive(path) as archive:
            found = archive.kept.lobby()
            assert found is not None
            assert (found.number, found.at, found.lobby) == (
                len(inputs_of(whole)),
                10**9,
                lobby_after(whole).checkpoint(),
            )
            assert [record.number for record in archive.kept.inputs()] == [len(inputs_of(whole)) + 1]


def test_archive_is_read_by_another_process_while_a_server_runs(tmp_path: Path) -> None:
    """The server's lock is for servers."""
    path = written(tmp_path / "put.sqlite3", recording(1))
    program = (
        "from pathlib import Path; from put_server.journal.archive import Archive\n"
        f"print(len(Archive(Path({str(path)!r})).latest(1000)[0]))"
    )
    with closing(Journal(path)):
        said = subprocess.run([sys.executable, "-c", program], check=True, timeout=20, capture_output=True).stdout
    assert int(said) == len(games_of(recording(1)))


# --- what it leaves alone ---


def test_archive_of_a_stopped_server_leaves_no_trace(tmp_path: Path) -> None:
    """Not a byte changes, and no file is left."""
    path = written(tmp_path / "put.sqlite3", recording(1))
    before = everything(tmp_path)
    with Archive(path) as archive:
        archive.latest(10)
    assert everything(tmp_path) == before


def test_archive_where_nothing_can_be_written_is_read_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a stopped server: on a disk that is read only, say. Then there is not even a log while it is read."""
    path = written(tmp_path / "put.sqlite3", recording(1))
    before = everything(tmp_path)
    monkeypatch.setattr("put_server.journal.archive.os.access", lambda *_: False)
    with Archive(path) as archive:
        assert len(archive.latest(1_000)[0]) == len(games_of(recording(1)))
        assert everything(tmp_path) == before


def test_killed_journal_is_read_where_nothing_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From a copy that goes with the archive; what is there is left as it is, without so much as an index."""
    path = written(tmp_path / "whole" / "put.sqlite3", recording(1))
    killed = tmp_path / "killed" / "put.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute("PRAGMA wal_autocheckpoint = 0")
        file.execute("UPDATE meta SET value = '9.9.9' WHERE key = 'written_by'")
        killed.parent.mkdir()
        for end in ("", "-wal"):
            shutil.copy(f"{path}{end}", f"{killed}{end}")
    before = everything(killed.parent)
    monkeypatch.setattr("put_server.journal.archive.os.access", lambda *_: False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with Archive(killed) as archive:
        assert archive.written_by == "9.9.9"
        assert archive.flaws() == []
        assert everything(killed.parent) == before
        archive.backup(tmp_path / "copy.sqlite3")
    assert not list(tmp_path.glob("put-archive-*"))
    with Archive(tmp_path / "copy.sqlite3") as copy:
        assert copy.written_by == "9.9.9"


def test_archive_of_a_killed_server_leaves_its_log_alone(tmp_path: Path) -> None:
    """What the server had committed is shown, and is still for the next server to take over."""
    path = written(tmp_path / "put.sqlite3", recording(1))
    killed(path, "UPDATE meta SET value = '9.9' WHERE key = 'written_by'")
    before = contents(tmp_path)
    with Archive(path) as archive:
        assert archive.written_by == "9.9"
        assert len(archive.latest(1_000)[0]) == len(games_of(recording(1)))
    assert contents(tmp_path) == before
    with closing(Journal(path)) as journal:
        assert journal.written_by == "9.9"


async def test_archive_does_not_disturb_the_server_that_stops_meanwhile(tmp_path: Path) -> None:
    """It reads on, and the next server has everything."""
    path = tmp_path / "put.sqlite3"
    journal = Journal(path)
    async with running(journal):
        await keep(journal, recording(1))
        archive = Archive(path)
    assert [(at, given) for _, at, given in archive.kept.inputs()] == stored_inputs(recording(1))
    archive.close()
    archive.close()
    assert stored(path) == stored_inputs(recording(1))


def test_archive_cannot_be_written_to(tmp_path: Path) -> None:
    """Not by mistake either."""
    path = written(tmp_path / "put.sqlite3", recording(1))
    with Archive(path) as archive, pytest.raises(sqlite3.OperationalError, match="readonly"):
        archive._file.execute("DELETE FROM games")


@pytest.mark.parametrize(("make", "says"), REFUSED)
def test_archive_of_a_file_that_will_not_do_is_refused_and_left_alone(make: object, says: str, tmp_path: Path) -> None:
    """As a server refuses it; damage in the middle shows itself when that is read."""
    path = tmp_path / "put.sqlite3"
    assert callable(make)
    make(path)
    before = contents(tmp_path)
    with pytest.raises(JournalError, match=says) as caught:
        read_through(path)
    assert str(path) in str(caught.value)
    assert contents(tmp_path) == before


def read_through(path: Path) -> None:
    with Archive(path) as archive:
        archive.check_pages()
        list(archive.kept.inputs())


def test_archive_that_does_not_exist_is_not_made(tmp_path: Path) -> None:
    """Nor is one that is empty, or of an earlier version; each has its sentence."""
    path = tmp_path / "put.sqlite3"
    with pytest.raises(JournalError, match="does not exist"):
        Archive(path)
    assert everything(tmp_path) == {}
    path.touch()
    with pytest.raises(JournalError, match="is empty"):
        Archive(path)
    assert everything(tmp_path) == {"put.sqlite3": b""}
    version_1(path)
    before = everything(tmp_path)
    with pytest.raises(JournalError, match="earlier put-server"):
        Archive(path)
    assert everything(tmp_path) == before
    path.unlink()
    path.mkdir()
    with pytest.raises(JournalError, match="directory"):
        Archive(path)


# --- backups ---


async def test_backup_is_taken_while_the_server_writes(tmp_path: Path) -> None:
    """The copy is what was kept at one moment, in one file its owner alone can read, and a server can go on from it."""
    path, copy = tmp_path / "put.sqlite3", tmp_path / "away" / "copy.sqlite3"
    copy.parent.mkdir()
    journal = Journal(path)
    async with running(journal):
        await keep(journal, recording(1)[:200])
        writing = asyncio.create_task(keep(journal, recording(1)[200:]))
        with Archive(path) as archive:
            await asyncio.to_thread(archive.backup, copy)
        await writing
    assert [file.name for file in copy.parent.iterdir()] == ["copy.sqlite3"]
    assert copy.stat().st_mode & 0o777 == 0o600
    with Archive(copy) as archive:
        games = archive.latest(1_000)[0]
    records = stored(copy)
    batches = next(n for n in range(200, len(recording(1)) + 1) if len(inputs_of(recording(1)[:n])) == len(records))
    assert records == stored_inputs(recording(1)[:batches])
    assert len(games) == len(games_of(recording(1)[:batches]))
    journal = Journal(copy)
    async with running(journal):
        journal.record([(10**9, event(1))], lambda: None)
    assert stored(copy) == [*records, (10**9, event(1))]


def test_backup_never_overwrites(tmp_path: Path) -> None:
    """A file of that name stays as it is, a directory that is not there is not made, and nothing half done is left."""
    path, copy = written(tmp_path / "put.sqlite3", recording(1)), tmp_path / "copy.sqlite3"
    copy.write_text("mine")
    before = everything(tmp_path)
    with Archive(path) as archive:
        with pytest.raises(JournalError, match=r"copy.sqlite3: there is a file"):
            archive.backup(copy)
        with pytest.raises(JournalError, match="No such file or directory"):
            archive.backup(tmp_path / "nowhere" / "copy.sqlite3")
    assert everything(tmp_path) == before


def test_backup_that_fails_leaves_nothing(tmp_path: Path) -> None:
    """What was copied until then is no backup."""
    path, copy = written(tmp_path / "put.sqlite3", recording(1)), tmp_path / "away" / "copy.sqlite3"
    copy.parent.mkdir()
    data = bytearray(path.read_bytes())
    data[-4096 * 6 :] = bytes(4096 * 6)
    path.write_bytes(data)
    with Archive(path) as archive, pytest.raises(JournalError, match="malformed"):
        archive.backup(copy)
    assert everything(copy.parent) == {}


def test_backup_of_a_killed_server_has_what_was_committed(tmp_path: Path) -> None:
    """Its log is read, and left to the next server."""
    path = written(tmp_path / "put.sqlite3", recording(1))
    killed(path, "UPDATE meta SET value = '9.9' WHERE key = 'written_by'")
    shutil.copytree(tmp_path, tmp_path / "before")
    with Archive(path) as archive:
        archive.backup(tmp_path / "copy.sqlite3")
    assert path.read_bytes() == (tmp_path / "before" / "put.sqlite3").read_bytes()
    with closing(Journal(tmp_path / "copy.sqlite3")) as journal:
        assert journal.written_by == "9.9"
        assert [(record.at, record.input) for record in journal.kept.inputs()] == stored_inputs(recording(1))
