"""Notes for beginners, each shown once: the record stores which are known."""

from collections.abc import Callable

from put_client.record.store import LocalRecord, RecordError, wall_ms
from put_text.catalogue import say
from put_text.lessons import NAMES, Lesson, Lessons


class Teacher:
    """The notes of one person. Without a record they are remembered until the program ends."""

    def __init__(self, record: LocalRecord | None) -> None:
        self._record = record
        self._lessons = Lessons(() if record is None else record.lessons())

    def take(self, message: object) -> tuple[Lesson, ...]:
        """Lessons for a message; they count as known from now on."""
        due = self._lessons.take(message)
        if due:
            self._keep(lambda record: record.learn([lesson.name for lesson in due], wall_ms()))
        return due

    def obey(self, word: str) -> str:
        """Carry out `teach WORD`. Returns a sentence about the outcome."""
        match word.strip().casefold():
            case "off" | "skip":
                self._lessons.known |= NAMES
                self._keep(lambda record: record.learn(sorted(NAMES), wall_ms()))
                return say("client-notes-off")
            case "on" | "again":
                self._lessons.known.clear()
                self._keep(lambda record: record.forget())
                return say("client-notes-again")
            case _:
                return say("client-notes-how")

    def _keep(self, write: Callable[[LocalRecord], None]) -> None:
        if self._record is None:
            return
        try:
            write(self._record)
        except RecordError:
            self._record = None  # the recorder tells the player


def teacher_for(record: LocalRecord | None, *, teaches: bool) -> Teacher | None:
    if not teaches:
        return None
    try:
        return Teacher(record)
    except RecordError:
        return Teacher(None)
