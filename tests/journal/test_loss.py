"""Acknowledged play that a disk or an operator has lost: it is noticed, whatever SQLite makes of the files."""

import logging
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from put_server.journal.commit_queue import Batch
from put_server.journal.journal import Journal
from put_server.journal.journal_errors import JournalError
from put_server.journal.journal_schema import crc
from put_server.journal.mark import PLACES, BadMark, Mark, mark_of, read_mark
from put_server.journal.records import encode
from put_server.lobby.inputs import Tick
from tests.server.test_process import started

COMMITS = 40


def row(number: int) -> tuple[int, int, bytes, int]:
    blob = encode(Tick())
    return number, number, blob, crc(number, number, blob)


def killed(folder: Path, *, commits: int = COMMITS) -> Path:
    """The journal of a server that was killed when it had acknowledged so many records, each in a commit of its own."""
    live = folder / "live" / "put.sqlite3"
    with closing(Journal(live)) as journal:
        for number in range(1, commits + 1):
            journal._commit(Batch([row(number)]))
        shutil.copytree(live.parent, folder / "killed")
    shutil.rmtree(live.parent)
    return folder / "killed" / "put.sqlite3"


def log_of(path: Path) -> Path:
    return path.with_name("put.sqlite3-wal")


def flipped(path: Path) -> None:
    """A bit of the first half of the log."""
    data = bytearray(log_of(path).read_bytes())
    data[random.Random(1).randrange(40, len(data) // 2)] ^= 4
    log_of(path).write_bytes(data)


def cut(path: Path) -> None:
    data = log_of(path).read_bytes()
    log_of(path).write_bytes(data[: len(data) // 2])


def last_bit(path: Path) -> None:
    data = bytearray(log_of(path).read_bytes())
    data[-1] ^= 1
    log_of(path).write_bytes(data)


def headless(path: Path) -> None:
    data = bytearray(log_of(path).read_bytes())
    data[0] ^= 255
    log_of(path).write_bytes(data)


def without_log(path: Path) -> None:
    log_of(path).unlink()
    path.with_name("put.sqlite3-shm").unlink(missing_ok=True)


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def gone(path: Path) -> None:
    path.unlink()


def put_back(path: Path) -> None:
    """An earlier copy in its place, sound and whole."""
    without_log(path)
    path.unlink()
    other = killed(path.parent / "other", commits=COMMITS // 2)
    with closing(Journal(other)):
        pass
    shutil.copy(other, path)
    shutil.rmtree(path.parent / "other")


DAMAGES: tuple[Callable[[Path], None], ...] = (
    flipped,
    cut,
    last_bit,
    headless,
    without_log,
    emptied,
    gone,
    put_back,
)


def content(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if not file.name.endswith("-shm")}


@pytest.mark.parametrize("damage", DAMAGES)
def test_loss_is_refused_and_everything_left_as_it_is(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    """SQLite opens each of these without a word, or as a new database."""
    path = killed(tmp_path)
    damage(path)
    before = content(path.parent)
    with pytest.raises(JournalError, match="--accept-loss"):
        Journal(path)
    assert content(path.parent) == before


@pytest.mark.parametrize("damage", DAMAGES)
def test_accepted_loss_is_set_aside_and_told(
    tmp_path: Path, damage: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    """The operator can have it looked at later; the server goes on, and the next start asks nothing."""
    path = killed(tmp_path)
    damage(path)
    before = content(path.parent)
    with caplog.at_level(logging.ERROR), closing(Journal(path, accepts_loss=True)) as journal:
        records = len(list(journal.kept.inputs()))
        assert records < COMMITS
        journal._commit(Batch([row(records + 1)]))
    assert "it is set aside as" in caplog.text
    aside = {name: data for name, data in content(path.parent).items() if name.startswith("put.sqlite3.lost.")}
    assert sorted(aside.values()) == sorted(before.values())
    with closing(Journal(path)) as journal:
        assert len(list(journal.kept.inputs())) == records + 1


@pytest.mark.parametrize("torn", [0, 1, 100, 4_000, 4_121])
def test_crash_that_lost_nothing_is_nothing_to_ask_about(tmp_path: Path, torn: int) -> None:
    """The log may end in anything that nobody was told of."""
    path = killed(tmp_path)
    with log_of(path).open("ab") as log:
        log.write(random.Random(torn).randbytes(torn))
    with closing(Journal(path)) as journal:
        assert len(list(journal.kept.inputs())) == COMMITS


def test_commit_that_nobody_was_told_of_may_be_missing(tmp_path: Path) -> None:
    """The power went between the commit and its mark, or before the mark was on the disk."""
    path = killed(tmp_path)
    with closing(Mark(mark_of(path))) as mark:
        mark.write(COMMITS - 3)
    cut_last = log_of(path).read_bytes()[:-100]
    log_of(path).write_bytes(cut_last)
    with closing(Journal(path)) as journal:
        assert len(list(journal.kept.inputs())) == COMMITS - 1


def test_journal_without_a_mark_is_taken_as_it_is(tmp_path: Path) -> None:
    """It is of an earlier version, or a backup."""
    path = killed(tmp_path)
    mark_of(path).unlink()
    cut(path)
    with closing(Journal(path)) as journal:
        assert list(journal.kept.inputs())
    assert read_mark(mark_of(path)) == journal.number


def test_mark_survives_a_write_that_is_interrupted(tmp_path: Path) -> None:
    """The other place has the one before."""
    path = tmp_path / "mark"
    with closing(Mark(path)) as mark:
        for number in range(1, 8):
            mark.write(number)
    whole = path.read_bytes()
    for place in PLACES:
        hurt = bytearray(whole)
        hurt[place + 3] ^= 1
        path.write_bytes(hurt)
        assert read_mark(path) in (6, 7)
    path.write_bytes(bytes(len(whole) - 1) + b"1")
    with pytest.raises(BadMark):
        read_mark(path)


def test_damaged_mark_is_asked_about(tmp_path: Path) -> None:
    """Then nobody can tell."""
    path = killed(tmp_path)
    mark_of(path).write_bytes(b"nothing of the kind")
    with pytest.raises(JournalError, match="damaged mark"):
        Journal(path)
    with closing(Journal(path, accepts_loss=True)) as journal:
        assert len(list(journal.kept.inputs())) == COMMITS


def test_program_refuses_and_goes_on_when_told_to(tmp_path: Path) -> None:
    """By its exit code for bad data, so that systemd does not try again; and by a flag."""
    path = killed(tmp_path)
    without_log(path)
    command = [sys.executable, "-m", "put_server", "--port", "0", "--host", "127.0.0.1", "--data", str(path.parent)]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 65
    assert "40 were acknowledged" in ended.stderr
    with subprocess.Popen([*command, "--accept-loss"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as on:
        assert on.stdout is not None
        assert "listens on" in on.stdout.readline()
        on.send_signal(signal.SIGTERM)
        _, log = on.communicate()
    assert on.returncode == 0
    assert "is set aside as" in log


@pytest.mark.parametrize("end", ["", "-wal"])
@pytest.mark.parametrize("how", ["renamed", "deleted", "replaced"])
async def test_file_that_goes_away_under_the_server_stops_it(tmp_path: Path, end: str, how: str) -> None:
    """What it writes from then on could not be found again."""
    async with started("--data", str(tmp_path)) as (process, _):
        file = tmp_path / f"put.sqlite3{end}"
        (tmp_path / "copy").write_bytes(file.read_bytes())
        if how == "renamed":
            file.rename(tmp_path / "elsewhere")
        else:
            file.unlink()
        if how == "replaced":
            (tmp_path / "copy").rename(file)
        _, said = await process.communicate()
    assert process.returncode == 74
    assert f"{file} was renamed, replaced or deleted while the server ran" in said.decode()
