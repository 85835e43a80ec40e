"""The log that is kept for whoever comes back: what is in it, for whom, and when it goes."""

import stat
from pathlib import Path

import pytest
from msgspec.structs import replace
from msgspec.structs import replace as altered

from put_client.tui.kept_log import KeptLog, path_of
from put_client.tui.model import LOG_ENTRIES, AtTable, EntryKind, LogEntry
from put_client.tui.update.dispatch import begin, update
from put_protocol.messages import TableSnapshot
from put_protocol.seats import GALLERY, Seat
from tests.client.tui.sample_models import TABLE, WELCOME, info_of, send_keys, table_of, view_of, your_lead


def told(table: AtTable, *texts: str) -> AtTable:
    return table.note(*(LogEntry(text, EntryKind.TALK) for text in texts))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "logs" / "mine.jsonl"


def test_log_is_read_by_whoever_comes_back(path: Path) -> None:
    """Every entry with its kind, as it was written; nobody else can read it."""
    log = KeptLog(path)
    table = told(table_of(your_lead()), "Moll: good luck")
    log.note(table)
    log.note(table)
    table = told(table, "Moll: 李 \x1b[2J", "Will: thanks")
    log.note(table)
    log.end(keeps=True)
    assert KeptLog(path).read(TABLE) == table.log.entries
    assert KeptLog(path).read(TABLE + 1) == ()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_log_of_who_left_is_deleted(path: Path) -> None:
    """With the seat; a seat that is kept keeps it; another table begins it anew."""
    log = KeptLog(path)
    table = told(table_of(your_lead()), "one")
    log.note(table)
    log.end(keeps=True)
    assert KeptLog(path).read(TABLE)
    log = KeptLog(path)
    log.note(table)
    other = replace(table, info=altered(table.info, id=9))
    log.note(other)
    assert log.read(TABLE) == ()
    assert log.read(9) == other.log.entries
    log.note(None)
    assert not path.exists()
    log.note(replace(table, viewer=GALLERY))
    assert not path.exists()
    log.note(table)
    log.end(keeps=False)
    assert not path.exists()


def test_log_does_not_grow_without_end(path: Path) -> None:
    """It has what is remembered."""
    log, table = KeptLog(path), table_of(your_lead())
    for first in range(0, LOG_ENTRIES + 10, 100):
        table = told(table, *[f"word {number}" for number in range(first, first + 100)])
        log.note(table)
    assert len(path.read_bytes().splitlines()) == LOG_ENTRIES + 1
    assert log.read(TABLE) == table.log.entries
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_file_that_is_none_is_not_read(path: Path) -> None:
    """It is replaced by the next log."""
    path.parent.mkdir()
    for junk in (b"", b"\xff\xff\n\n", b'{"table": "x"}\n', b"[]", b'{"table":3}\n{"text'):
        path.write_bytes(junk)
        assert KeptLog(path).read(TABLE) == ()
    log, table = KeptLog(path), told(table_of(your_lead()), "one", "two")
    log.note(table)
    assert log.read(TABLE) == table.log.entries


def test_where_nothing_can_be_written_the_game_goes_on(tmp_path: Path) -> None:
    """The folder is a file."""
    (tmp_path / "logs").write_text("")
    log = KeptLog(tmp_path / "logs" / "mine.jsonl")
    log.note(told(table_of(your_lead()), "one"))
    log.end(keeps=True)
    assert log.read(TABLE) == ()


def test_players_have_files_of_their_own() -> None:
    """By server and name, however that is written."""
    assert path_of("put-client a", "Will") == path_of("put-client a", "WILL")
    assert len({path_of("put-client a", "Will"), path_of("put-client b", "Will"), path_of("put-client a", "Moll")}) == 3


def test_screen_begins_with_what_was_kept() -> None:
    """For who is back in the seat, and for nobody else; then a line says where they come back."""
    kept = (LogEntry("Moll: good luck", EntryKind.TALK), LogEntry("You deal hand 1.", begins=True))
    snapshot = TableSnapshot(TABLE, Seat(0), 10, info_of("Will", "Moll"), view=view_of(2, Seat(0)))
    for tables, log in (((TABLE,), [*kept, LogEntry("You are back at table 3.", EntryKind.NOTE)]), ((), [])):
        model, _ = begin(altered(WELCOME, tables=tables), kept=kept)
        model, _ = update(model, snapshot, 0)
        shown = table_of(model)
        assert list(shown.log.entries) == (log or [LogEntry("You sit at table 3.", EntryKind.NOTE)])
        assert len(shown.log.talk) == bool(tables)
        assert send_keys(model, "u")[0].overlay is not None
