"""The journal's file: what is opened, what is brought up to date, and what must not be touched."""

import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from put_server.journal.archive import Archive
from put_server.journal.commit_queue import Batch, Compaction
from put_server.journal.journal import Journal
from put_server.journal.journal_errors import JournalError
from put_server.journal.journal_schema import APPLICATION_ID, SCHEMA, STEPS, crc
from put_server.journal.mark import mark_of
from put_server.journal.records import encode
from put_server.lobby.inputs import Tick
from tests.journal.recorded_journals import RecordedBatch, inputs_of, killed, recording, stored, stored_inputs, written
from tests.repetitions import TURN, some


def evening() -> tuple[RecordedBatch, ...]:
    return recording(2, 400)


def full(path: Path) -> Path:
    """A journal in good order."""
    return written(path, evening(), compacted_after=100)


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        yield file


# --- files that are not to be touched ---


def other_program(path: Path) -> None:
    with opened(path) as file:
        file.execute("CREATE TABLE recipes (name)")
        file.execute("INSERT INTO recipes VALUES ('syllabub')")


def other_program_with_a_mark(path: Path) -> None:
    with opened(path) as file:
        file.execute("PRAGMA journal_mode = WAL")
        file.execute("PRAGMA application_id = 77")


def text_file(path: Path) -> None:
    path.write_text("Dear diary,\n" * 500)


def truncated(path: Path) -> None:
    data = full(path).read_bytes()
    path.write_bytes(data[: len(data) // 2 // 4096 * 4096 + 100])


def cut_to_the_bone(path: Path) -> None:
    path.write_bytes(full(path).read_bytes()[:60])


def zeroed_header(path: Path) -> None:
    data = full(path).read_bytes()
    path.write_bytes(bytes(100) + data[100:])


def scribbled(path: Path) -> None:
    data = bytearray(full(path).read_bytes())
    data[4096 * 2 : 4096 * 4] = bytes(range(256)) * 32
    path.write_bytes(data)


def later_version(path: Path) -> None:
    with opened(full(path)) as file:
        file.execute(f"PRAGMA user_version = {SCHEMA + 1}")


def without_its_table(path: Path) -> None:
    with opened(full(path)) as file:
        file.execute("ALTER TABLE records RENAME TO something")


def with_another_column(path: Path) -> None:
    with opened(full(path)) as file:
        file.execute("ALTER TABLE games ADD COLUMN weather TEXT")


def other_program_killed(path: Path) -> None:
    killed(path, "PRAGMA journal_mode = WAL", "CREATE TABLE recipes (name)", "INSERT INTO recipes VALUES ('posset')")


def later_version_killed(path: Path) -> None:
    killed(full(path), f"PRAGMA user_version = {SCHEMA + 1}")


def scribbled_and_killed(path: Path) -> None:
    killed(full(path), "INSERT INTO records VALUES (100000, 1, x'00', 0)")
    data = bytearray(path.read_bytes())
    data[4096 * 2 : 4096 * 4] = bytes(range(256)) * 32
    path.write_bytes(data)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file but SQLite's index of its log, which is made anew whenever it is read."""
    return {file.name: file.read_bytes() for file in folder.iterdir() if not file.name.endswith("-shm")}


REFUSED: list[tuple[Callable[[Path], None], str]] = [
    (other_program_killed, "belongs to another program"),
    (later_version_killed, "later put-server"),
    (scribbled_and_killed, "damaged or not a journal"),
    (other_program, "belongs to another program"),
    (other_program_with_a_mark, "belongs to another program"),
    (text_file, "damaged or not a journal"),
    (truncated, "damaged or not a journal"),
    (cut_to_the_bone, "damaged or not a journal"),
    (zeroed_header, "damaged or not a journal"),
    (scribbled, "damaged or not a journal"),
    (later_version, "later put-server"),
    (without_its_table, "damaged or not a journal"),
    (with_another_column, "damaged or not a journal"),
]


@pytest.mark.parametrize(("make", "says"), REFUSED)
def test_file_that_will_not_do_is_refused_and_left_alone(
    make: Callable[[Path], None], says: str, tmp_path: Path
) -> None:
    """The refusal names the file, why, and what to do; not a byte of it changes, nor anything beside it."""
    path = tmp_path / "put.sqlite3"
    make(path)
    before = contents(tmp_path)
    for _ in range(2):
        with pytest.raises(JournalError, match=says) as caught:
            Journal(path)
        assert str(path) in str(caught.value)
        assert "--data" in str(caught.value)
        assert contents(tmp_path) == before


def test_file_that_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    """A directory in its place, or a file where its directory should be, is said in a sentence."""
    (tmp_path / "put.sqlite3").mkdir()
    with pytest.raises(JournalError, match="cannot be opened"):
        Journal(tmp_path / "put.sqlite3")
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match="cannot be opened"):
        Journal(tmp_path / "file" / "put.sqlite3")


@pytest.mark.parametrize("bit", some(range(8), 3))
def test_file_with_a_bit_changed_is_refused_or_says_the_same(bit: int, tmp_path: Path) -> None:
    """Whatever the disk does to a byte: either it is noticed, or it is one that stands for nothing."""
    path = written(tmp_path / "whole" / "put.sqlite3", evening()[:60], compacted_after=30)
    data = path.read_bytes()
    with closing(Journal(path)) as journal:
        said = (journal.kept.lobby(), list(journal.kept.inputs()))
    refused = 0
    hurt = tmp_path / "hurt" / "put.sqlite3"
    hurt.parent.mkdir()
    for place in range(bit * 16, len(data), 127 if TURN else 509):
        changed = bytearray(data)
        changed[place] ^= 1 << bit
        hurt.write_bytes(changed)
        try:
            with closing(Journal(hurt)) as journal:
                assert (journal.kept.lobby(), list(journal.kept.inputs())) == said, f"bit {bit} of byte {place}"
        except JournalError:
            refused += 1
            assert hurt.read_bytes() == changed
        for file in hurt.parent.glob("put.sqlite3-*"):
            file.unlink()
    assert refused > 4


def test_file_in_a_record_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    """A record that is no input is named, and so is one that is missing or was changed."""
    path = tmp_path / "put.sqlite3"
    tick = (1, 1, encode(Tick()))
    good, bad = (*tick, crc(*tick)), (2, 2, b"\xc1", crc(2, 2, b"\xc1"))
    for rows, says in (
        ([good, bad], "record 2 of .*malformed"),
        ([good, (2, 3, b"\xc1", bad[3])], "record 2 of .*damaged"),
        ([bad], "record 1 of .*record 2 is in its place"),
    ):
        with closing(Journal(path)) as journal:
            journal._commit(Batch(rows, [], []))
            with pytest.raises(JournalError, match=says) as caught:
                list(journal.kept.inputs())
            assert "backup" in str(caught.value)
        path.unlink()
        mark_of(path).unlink()


def test_file_in_a_checkpoint_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    """It is named as what it is."""
    path = tmp_path / "put.sqlite3"
    for at, says in ((1, "the checkpoint of .*malformed"), (2, "the checkpoint of .*damaged")):
        row = Compaction(1, at, crc(1, 1, b"\xc1"), [], is_behind=False, blob=b"\xc1")
        with closing(Journal(path)) as journal:
            journal._commit(Batch([], [], [row]))
            with pytest.raises(JournalError, match=says):
                journal.kept.lobby()
        path.unlink()


# --- new files ---


def test_file_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    """Hands and digests of tokens are in it."""
    path = tmp_path / "new" / "put.sqlite3"
    with closing(Journal(path)):
        assert {file.stat().st_mode & 0o077 for file in (path.parent, *path.parent.iterdir())} == {0}


@pytest.mark.parametrize("killed_at", ["PRAGMA journal_mode = WAL", "BEGIN IMMEDIATE", None])
def test_file_killed_in_its_making_is_new(killed_at: str | None, tmp_path: Path) -> None:
    """However far the first start came before it was killed, the next one starts."""
    path = tmp_path / "put.sqlite3"
    if killed_at is None:
        path.touch()
    else:
        with opened(path) as file:
            file.execute("PRAGMA journal_mode = WAL")
            if killed_at == "BEGIN IMMEDIATE":
                file.execute("BEGIN IMMEDIATE")
                file.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            shutil.copytree(tmp_path, tmp_path / "killed")
        path = tmp_path / "killed" / "put.sqlite3"
    assert stored(path) == []
    assert stored(path) == []


@pytest.mark.parametrize(
    "trouble", ["database or disk is full", "disk I/O error", "attempt to write a readonly database"]
)
def test_file_whose_disk_fails_is_not_called_damaged(
    trouble: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is the disk that wants seeing to; once that is done the server starts."""
    path = tmp_path / "put.sqlite3"

    def fail(*_: object) -> None:
        raise sqlite3.OperationalError(trouble)

    monkeypatch.setattr("put_server.journal.journal.bring_up", fail)
    with pytest.raises(JournalError, match=r"cannot be read or written .* see to its disk"):
        Journal(path)
    monkeypatch.undo()
    assert stored(path) == []


# --- one server a directory ---


@contextmanager
def another_server(path: Path, *, with_an_earlier_lock: bool = False) -> Iterator[subprocess.Popen[str]]:
    """A process that has the journal open until its input ends."""
    program = (
        "import sys; from pathlib import Path; from put_server.journal.journal import Journal\n"
        f"journal = Journal(Path({str(path)!r})); print('open', flush=True); sys.stdin.read()\n"
        "print(len(list(journal.kept.inputs())), flush=True); journal.close()"
    )
    if with_an_earlier_lock:
        program = (
            f"import sys, sqlite3; file = sqlite3.connect({str(path)!r}, isolation_level=None)\n"
            "file.execute('PRAGMA locking_mode = EXCLUSIVE'); file.execute('BEGIN IMMEDIATE'); file.execute('COMMIT')\n"
            "print('open', flush=True); sys.stdin.read(); file.close()"
        )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        yield other


def test_directory_another_server_has_is_refused(tmp_path: Path) -> None:
    """Two servers never write one file; the one that came first goes on."""
    path = full(tmp_path / "put.sqlite3")
    before = path.read_bytes()
    with another_server(path) as other:
        with pytest.raises(JournalError, match="in use by another put-server") as caught:
            Journal(path)
        assert str(tmp_path) in str(caught.value)
        assert path.read_bytes() == before
        said, _ = other.communicate()
        assert int(said) == len(inputs_of(evening()[100:]))
    assert stored(path) == stored_inputs(evening()[100:])


def test_directory_of_a_killed_server_is_free(tmp_path: Path) -> None:
    """The lock ends with the process, and nothing of it is left to be cleared away."""
    path = full(tmp_path / "put.sqlite3")
    with another_server(path) as other:
        other.send_signal(signal.SIGKILL)
        other.wait()
    assert stored(path) == stored_inputs(evening()[100:])
    assert {file.name for file in tmp_path.iterdir()} == {"put.sqlite3", "put.sqlite3-mark"}


def test_file_a_server_of_an_earlier_version_has_is_refused(tmp_path: Path) -> None:
    """Such a server locks the file itself."""
    path = tmp_path / "put.sqlite3"
    version_1(path)
    with another_server(path, with_an_earlier_lock=True):
        before = contents(tmp_path)
        with pytest.raises(JournalError, match="in use by another put-server"):
            Journal(path)
        assert contents(tmp_path) == before


# --- files of earlier versions ---


def version_1(path: Path) -> None:
    """As put 0.1.0 wrote it."""
    with opened(path) as file:
        file.execute("PRAGMA journal_mode = WAL")
        file.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        file.execute("PRAGMA user_version = 1")
        file.execute("CREATE TABLE records (number INTEGER PRIMARY KEY, at INTEGER NOT NULL, input BLOB NOT NULL)")
        file.executemany(
            "INSERT INTO records (at, input) VALUES (?, ?)", [(at, encode(event)) for at, event in inputs_of(evening())]
        )


def test_file_of_version_1_is_brought_up_to_date(tmp_path: Path) -> None:
    """Its records are all there and can be folded; games that end from now on are kept, too."""
    path = tmp_path / "put.sqlite3"
    version_1(path)
    with closing(Journal(path)) as journal:
        assert journal.kept.lobby() is None
        assert journal.written_by == "0.1.0"
        assert [(record.at, record.input) for record in journal.kept.inputs()] == inputs_of(evening())
        assert journal.since_checkpoint == len(inputs_of(evening()))
    (ended,) = [batch for batch in recording(1) if batch.games][:1]
    written(path, [ended])
    with Archive(path) as archive:
        assert len(archive.latest(10)[0]) == len(ended.games)
        assert archive.written_by != ""


def test_file_of_version_1_is_copied_first(tmp_path: Path) -> None:
    """Who wants their former server back finds what it left, byte for byte the same records."""
    path = tmp_path / "put.sqlite3"
    version_1(path)
    Journal(path).close()
    Journal(path).close()
    (copy,) = set(tmp_path.iterdir()) - {path, mark_of(path)}
    assert copy.stat().st_mode & 0o077 == 0
    with opened(copy) as file:
        assert file.execute("PRAGMA user_version").fetchone() == (1,)
        assert file.execute("SELECT at, input FROM records ORDER BY number").fetchall() == [
            (at, encode(event)) for at, event in inputs_of(evening())
        ]


def test_file_of_version_1_killed_at_any_step_is_still_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The steps are taken all or none: what stops before the last leaves a file that can be brought up to date."""
    path = tmp_path / "put.sqlite3"
    version_1(path)

    def cut(file: sqlite3.Connection) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr("put_server.journal.journal_schema.STEPS", (cut, Stepped(cut)))
    with pytest.raises(JournalError, match="disk I/O error"):
        Journal(path)
    monkeypatch.undo()
    with opened(path) as file:
        assert file.execute("PRAGMA user_version").fetchone() == (1,)
    assert stored(path) == inputs_of(evening())


class Stepped:
    """The second step, and then something else."""

    def __init__(self, then: Callable[[sqlite3.Connection], None]) -> None:
        self._step, self._then = STEPS[1], then

    def __call__(self, file: sqlite3.Connection) -> None:
        self._step(file)
        self._then(file)


def test_file_is_signed_by_who_writes_and_not_by_who_opens(tmp_path: Path) -> None:
    """The version that wrote what is there is known until another has written."""
    path = tmp_path / "put.sqlite3"
    version_1(path)
    for _ in range(2):
        with closing(Journal(path)) as journal:
            assert journal.written_by == "0.1.0"
    with opened(path) as file:
        file.execute("UPDATE meta SET value = '0.0.9' WHERE key = 'written_by'")
    written(path, [RecordedBatch([(10**9, Tick())], [])])
    with closing(Journal(path)) as journal:
        assert journal.written_by not in {"0.0.9", ""}


def test_new_directories_survive_a_power_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each that was made is synced into the one above it."""
    synced: list[Path] = []
    monkeypatch.setattr("put_server.journal.files.sync_folder", synced.append)
    with closing(Journal(tmp_path / "var" / "lib" / "put" / "put.sqlite3")):
        pass
    assert {tmp_path, tmp_path / "var", tmp_path / "var" / "lib"} <= set(synced)
    assert (tmp_path / "var" / "lib" / "put").stat().st_mode & 0o777 == 0o700
