"""Notes for beginners: each is given once, in this run and in the next."""

from pathlib import Path

from put_client.record.store import LocalRecord
from put_client.teaching import Teacher, teacher_for
from put_protocol.messages import Decision, TableSnapshot
from put_text.catalogue import say
from put_text.lessons import NAMES
from tests.text.test_lessons import INFO, LEAD, PUT, VIEW, YOU

SNAPSHOT = TableSnapshot(7, YOU, 1, INFO, view=VIEW)
ASKED = Decision(7, 1, "Lead.", (*LEAD, PUT))


def told(teacher: Teacher) -> list[str]:
    teacher.take(SNAPSHOT)
    return [lesson.name for lesson in teacher.take(ASKED)]


def test_note_is_never_given_again(tmp_path: Path) -> None:
    """By the next run of the program neither; each game brings the next one."""
    record = LocalRecord(tmp_path / "record.sqlite3")
    assert told(Teacher(record)) == ["put.lead"]
    assert told(Teacher(record)) == ["put.put"]
    assert told(Teacher(record)) == []


def test_notes_are_skipped_and_given_anew(tmp_path: Path) -> None:
    """All at once, and for good."""
    record = LocalRecord(tmp_path / "record.sqlite3")
    teacher = Teacher(record)
    assert teacher.obey("off") == say("client-notes-off")
    assert told(teacher) == []
    assert record.lessons() == NAMES
    assert teacher.obey("again") == say("client-notes-again")
    assert told(teacher) == ["put.lead"]
    assert teacher.obey("me") == say("client-notes-how")


def test_who_wants_no_notes_has_no_teacher(tmp_path: Path) -> None:
    """And a record that cannot be used is no reason to have none: then they are known until the program ends."""
    assert teacher_for(None, teaches=False) is None
    broken = LocalRecord(tmp_path / "record.sqlite3")
    broken.path.write_bytes(b"nonsense" * 1000)
    teacher = teacher_for(broken, teaches=True)
    assert teacher is not None
    assert told(teacher) == ["put.lead"]
    assert told(teacher) == ["put.put"]
