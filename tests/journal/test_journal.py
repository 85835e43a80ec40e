"""The journal's file: commits, groups, and files it must not touch."""

import asyncio
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from put_protocol.messages import Look
from put_server.journal.journal import APPLICATION_ID, SCHEMA, Journal, JournalError
from put_server.journal.records import encode
from put_server.lobby.inputs import Arrive, Ask, Input, Tick
from put_server.table.effects import PersonId


class SlowDisk:
    """Commits of a journal, each of which waits until it is let through."""

    def __init__(self, journal: Journal, patch: pytest.MonkeyPatch) -> None:
        self.batches: list[int] = []
        self.began = asyncio.Event()
        self._pass = threading.Semaphore(0)
        self._loop = asyncio.get_running_loop()
        self._commit = journal._commit
        patch.setattr(journal, "_commit", self._slowly)

    def _slowly(self, rows: list[tuple[int, bytes]]) -> None:
        self._loop.call_soon_threadsafe(self.began.set)
        assert self._pass.acquire(timeout=20)
        self.batches.append(len(rows))
        self._commit(rows)

    async def begun(self) -> None:
        """A commit is under way."""
        await self.began.wait()
        self.began.clear()

    def let_through(self, count: int = 1) -> None:
        self._pass.release(count)


@asynccontextmanager
async def running(journal: Journal) -> AsyncIterator[asyncio.Task[None]]:
    """The journal commits for as long as the block runs."""
    async with asyncio.timeout(20):
        task = asyncio.create_task(journal.run())
        try:
            yield task
        finally:
            journal.finish()
            await task
            journal.close()


def kept(path: Path) -> list[tuple[int, Input]]:
    journal = Journal(path)
    try:
        return list(journal.records())
    finally:
        journal.close()


def event(number: int) -> Input:
    return Ask(PersonId(number), Look(1))


async def test_journal_keeps_what_it_was_given_in_order(tmp_path: Path) -> None:
    """Everything is there when the file is opened again, in its order and with its time."""
    path = tmp_path / "deep" / "put.sqlite3"
    given = [(at, event(at + 1)) for at in range(50)]
    journal = Journal(path)
    called: list[int] = []
    async with running(journal):
        for number, record in enumerate(given):
            journal.record([record], lambda number=number: called.append(number))  # type: ignore[misc]
    assert called == list(range(50))
    assert kept(path) == given
    again = Journal(path)
    assert again.last_time() == 49
    again.close()


async def test_journal_calls_back_only_after_the_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the disk is busy nobody is told; when it is done the file has the record already."""
    journal = Journal(tmp_path / "put.sqlite3")
    disk = SlowDisk(journal, monkeypatch)
    told = asyncio.Event()
    async with running(journal):
        journal.record([(1, event(1))], told.set)
        await disk.begun()
        assert not told.is_set()
        disk.let_through()
        await told.wait()
        rows = journal._file.execute("SELECT count(*) FROM records").fetchone()
        assert rows == (1,)


async def test_journal_groups_what_comes_while_a_commit_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However much comes meanwhile goes into one next commit, and is called back in its order."""
    journal = Journal(tmp_path / "put.sqlite3")
    disk = SlowDisk(journal, monkeypatch)
    called: list[int] = []
    done = asyncio.Event()
    async with running(journal):
        journal.record([(0, event(1))], lambda: called.append(0))
        await disk.begun()
        for number in range(1, 100):
            journal.record([(number, event(1))] * 2, lambda number=number: called.append(number))  # type: ignore[misc]
        journal.record([(100, event(1))], done.set)
        disk.let_through(2)
        await done.wait()
    assert disk.batches == [1, 199]
    assert called == list(range(100))


async def test_journal_finishes_what_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was handed in before the end is committed before the end, also what came during the last commit."""
    path = tmp_path / "put.sqlite3"
    journal = Journal(path)
    disk = SlowDisk(journal, monkeypatch)
    async with running(journal):
        journal.record([(1, event(1))], lambda: None)
        await disk.begun()
        journal.record([(2, event(2))], lambda: None)
        journal.finish()
        disk.let_through(2)
    assert [at for at, _ in kept(path)] == [1, 2]


async def test_journal_that_cannot_write_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the disk fails the task ends with it, and nobody is called back."""
    path = tmp_path / "put.sqlite3"
    journal = Journal(path)

    def full(_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(journal, "_commit", full)
    told: list[int] = []
    task = asyncio.create_task(journal.run())
    journal.record([(1, event(1))], lambda: told.append(1))
    with pytest.raises(sqlite3.OperationalError, match="full"):
        await task
    journal.close()
    journal.close()
    assert (told, kept(path)) == ([], [])


# --- files that are not to be touched ---


def written(path: Path, count: int = 400) -> Path:
    """A journal with records in it."""
    journal = Journal(path)
    journal._commit([(at, b"") for at in range(count)])
    journal._file.execute("DELETE FROM records")
    rows = [(at, encoded(Arrive(f"Guest {at}", is_bot=False, token=b"x" * 32))) for at in range(count)]
    journal._commit(rows)
    journal.close()
    return path


def encoded(record: Input) -> bytes:
    return encode(record)


def other_program(path: Path) -> None:
    with sqlite3.connect(path) as file:
        file.execute("CREATE TABLE recipes (name)")
        file.execute("INSERT INTO recipes VALUES ('syllabub')")
    file.close()


def other_program_with_a_mark(path: Path) -> None:
    file = sqlite3.connect(path)
    file.execute("PRAGMA journal_mode = WAL")
    file.execute("PRAGMA application_id = 77")
    file.close()


def text_file(path: Path) -> None:
    path.write_text("Dear diary,\n" * 500)


def truncated(path: Path) -> None:
    data = written(path).read_bytes()
    path.write_bytes(data[: len(data) // 2 // 4096 * 4096 + 100])


def cut_to_the_bone(path: Path) -> None:
    path.write_bytes(written(path).read_bytes()[:60])


def zeroed_header(path: Path) -> None:
    data = written(path).read_bytes()
    path.write_bytes(bytes(100) + data[100:])


def scribbled(path: Path) -> None:
    data = bytearray(written(path).read_bytes())
    data[4096 * 2 : 4096 * 4] = bytes(range(256)) * 32
    path.write_bytes(data)


def later_version(path: Path) -> None:
    file = sqlite3.connect(written(path), isolation_level=None)
    file.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    file.close()


def without_its_table(path: Path) -> None:
    file = sqlite3.connect(written(path), isolation_level=None)
    file.execute("ALTER TABLE records RENAME TO something")
    file.close()


def killed(path: Path, *statements: str) -> None:
    """Another process writes these and is killed before it can tidy up."""
    program = (
        f"import os, sqlite3; file = sqlite3.connect({str(path)!r}, isolation_level=None)\n"
        f"for statement in {statements!r}: file.execute(statement)\n"
        "os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=20)
    assert path.with_name(path.name + "-wal").stat().st_size > 0


def other_program_killed(path: Path) -> None:
    killed(path, "PRAGMA journal_mode = WAL", "CREATE TABLE recipes (name)", "INSERT INTO recipes VALUES ('posset')")


def later_version_killed(path: Path) -> None:
    killed(written(path), "PRAGMA journal_mode = WAL", f"PRAGMA user_version = {SCHEMA + 1}")


def scribbled_and_killed(path: Path) -> None:
    killed(written(path), "PRAGMA journal_mode = WAL", "INSERT INTO records (at, input) VALUES (1, x'00')")
    data = bytearray(path.read_bytes())
    data[4096 * 2 : 4096 * 4] = bytes(range(256)) * 32
    path.write_bytes(data)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file but SQLite's index of its log, which is made anew whenever it is read."""
    return {file.name: file.read_bytes() for file in folder.iterdir() if not file.name.endswith("-shm")}


@pytest.mark.parametrize(
    ("make", "says"),
    [
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
    ],
)
def test_file_that_will_not_do_is_refused_and_left_alone(make: object, says: str, tmp_path: Path) -> None:
    """The refusal names the file, why, and what to do; not a byte of it changes, nor anything beside it."""
    path = tmp_path / "put.sqlite3"
    assert callable(make)
    make(path)
    before = contents(tmp_path)
    with pytest.raises(JournalError, match=says) as caught:
        Journal(path)
    assert str(path) in str(caught.value)
    assert "--data" in str(caught.value)
    assert contents(tmp_path) == before


def test_file_in_a_record_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    """A record that is no input is named."""
    path = tmp_path / "put.sqlite3"
    journal = Journal(path)
    journal._commit([(1, encoded(Tick())), (2, b"\xc1")])
    with pytest.raises(JournalError, match="record 2 of"):
        list(journal.records())
    journal.close()


def test_file_that_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    """A directory in its place, or a file where its directory should be, is said in a sentence."""
    (tmp_path / "put.sqlite3").mkdir()
    with pytest.raises(JournalError, match="cannot be opened"):
        Journal(tmp_path / "put.sqlite3")
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match="cannot be opened"):
        Journal(tmp_path / "file" / "put.sqlite3")


def test_file_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    """Hands and digests of tokens are in it."""
    path = tmp_path / "new" / "put.sqlite3"
    Journal(path).close()
    assert path.stat().st_mode & 0o077 == 0
    assert path.parent.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("killed_at", ["PRAGMA journal_mode = WAL", "BEGIN IMMEDIATE", None])
def test_file_killed_in_its_making_is_new(killed_at: str | None, tmp_path: Path) -> None:
    """However far the first start came before it was killed, the next one starts."""
    path = tmp_path / "put.sqlite3"
    if killed_at is None:
        path.touch()
    else:
        file = sqlite3.connect(path, isolation_level=None)
        file.execute("PRAGMA journal_mode = WAL")
        if killed_at == "BEGIN IMMEDIATE":
            file.execute("BEGIN IMMEDIATE")
            file.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        shutil.copytree(tmp_path, tmp_path / "killed")
        file.close()
        path = tmp_path / "killed" / "put.sqlite3"
    assert kept(path) == []
    assert kept(path) == []


def test_file_another_server_has_is_refused(tmp_path: Path) -> None:
    """Two servers never write one file; the one that came first goes on."""
    path = written(tmp_path / "put.sqlite3", 10)
    before = path.read_bytes()
    program = (
        "import sys, asyncio; from pathlib import Path; from put_server.journal.journal import Journal\n"
        f"async def main():\n  j = Journal(Path({str(path)!r})); print('open', flush=True); sys.stdin.readline()\n"
        "  print(len(list(j.records())), flush=True); j.close()\n"
        "asyncio.run(main())"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(JournalError, match="in use by another put-server"):
            Journal(path)
        assert path.read_bytes() == before
        other.stdin.write("\n")
        other.stdin.flush()
        assert other.stdout.readline() == "10\n"
    assert len(kept(path)) == 10
