"""Effects: what the screen wants done, as values. The shell does it and reports `TaskDone` or `TaskFailed`.

A request to the server is the protocol's own struct, with `NO_ID`: the client numbers it when it sends it.
They are structs although they never travel: a dataclass takes a millisecond to make, and a person waits for the screen.
"""

from msgspec import Struct

from put_protocol.messages import Request
from put_text.notation import Sheet

NO_ID = 0
"""The id of a request that is not sent yet."""


class Save(Struct, frozen=True):
    """Write a game to a file that does not exist yet."""

    path: str
    sheet: Sheet
    """Without a date, which the model does not know."""


class Teach(Struct, frozen=True):
    """Have notes for beginners given anew, or no more of them."""

    word: str


class Quit(Struct, frozen=True):
    keeps: bool = False
    """Without a goodbye, so that the seat is kept."""
    to_line_mode: bool = False
    """The same, to go on at once in line mode."""


class Show(Struct, frozen=True):
    """Another screen in the place of the lobby."""

    name: str
    """`record`, for one"""


Task = Request | Save | Teach
"""Effects that take time and have an outcome."""
Effect = Task | Quit | Show


class TaskDone(Struct, frozen=True):
    task: Task
    table: int | None = None
    """The number of the table opened."""
    says: str = ""
    """Sentence about the outcome; empty: nothing is said."""


class TaskFailed(Struct, frozen=True):
    """The task was not carried out, or its outcome is unknown."""

    task: Task
    says: str
    code: str | None = None
    """The refusal's, if it was refused."""
