"""Effects: actions requested by the screen. The shell carries them out, and reports `TaskDone` or `TaskFailed`.

A request to the server is the protocol's struct with `NO_ID`; the client numbers it on sending. Effects are structs,
because creating a dataclass takes a millisecond, and a person waits for the screen.
"""

from msgspec import Struct

from put_protocol.messages import Request
from put_text.notation import Sheet

NO_ID = 0
"""Id of a request that is not sent yet."""


class Save(Struct, frozen=True):
    """Write a game to a new file."""

    path: str
    sheet: Sheet
    """Without a date, because the model has none."""


class Teach(Struct, frozen=True):
    """Show notes for beginners again, or turn them off."""

    word: str


class Quit(Struct, frozen=True):
    keeps: bool = False
    """End without a goodbye, so that the seat is kept."""
    to_line_mode: bool = False
    """Keep the seat, to continue in line mode."""


class Show(Struct, frozen=True):
    """Show another screen instead of the lobby."""

    name: str
    """Name, such as `record`."""


Task = Request | Save | Teach
"""Effects that take time and have a result."""

Effect = Task | Quit | Show


class TaskDone(Struct, frozen=True):
    task: Task
    table: int | None = None
    """The number of the table opened."""
    says: str = ""
    """Sentence about the result; empty: none."""


class TaskFailed(Struct, frozen=True):
    """The task failed, or its result is unknown."""

    task: Task
    says: str
    code: str | None = None
    """Code of the refusal, if it was refused."""
