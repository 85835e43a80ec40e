"""Effects: what the screen wants done, as data. The shell does it and says what came of it: `Done` or `Failed`.

They are structs although they never travel: a dataclass takes a millisecond to make, and a person waits for the screen.
"""

from msgspec import Struct, field

from put_protocol.games.unions import (
    Action,
)
from put_protocol.table_info import (
    Admits,
)
from put_text.notation import Sheet


class Look(Struct, frozen=True):
    """Hear of the lobby."""


class LookAway(Struct, frozen=True):
    """Hear no more of it."""


class OpenTable(Struct, frozen=True, kw_only=True):
    game: str
    seats: int
    options: dict[str, str | int] = field(default_factory=dict)
    turn: int = 0
    bank: int = 300
    passcode: str = ""
    gallery: bool = True
    admits: Admits = Admits.ALL


class Sit(Struct, frozen=True):
    table: int
    seat: int | None = None
    passcode: str = ""


class Watch(Struct, frozen=True):
    table: int
    passcode: str = ""


class Stand(Struct, frozen=True):
    table: int


class Leave(Struct, frozen=True):
    table: int


class Resign(Struct, frozen=True):
    table: int


class Invite(Struct, frozen=True):
    table: int
    house: str = ""
    person: str = ""
    """A guest instead."""


class Dismiss(Struct, frozen=True):
    table: int
    seat: int


class Again(Struct, frozen=True):
    table: int


class Pause(Struct, frozen=True):
    table: int
    minutes: int = 0
    """0: as the others ask, or the usual."""


class GoOn(Struct, frozen=True):
    table: int


class Analyse(Struct, frozen=True):
    table: int


class Act(Struct, frozen=True):
    table: int
    decision: int
    action: Action


class Say(Struct, frozen=True):
    table: int
    text: str


class Save(Struct, frozen=True):
    """Write a game down in a file that is not there yet."""

    path: str
    sheet: Sheet
    """Without a date, which the model does not know."""


class Quit(Struct, frozen=True):
    """End the program."""

    keeps: bool = False
    """Without a goodbye, so that the seat is kept."""
    speaks: bool = False
    """The same, to go on at once in line mode."""


Request = (
    Look
    | LookAway
    | OpenTable
    | Sit
    | Watch
    | Stand
    | Leave
    | Resign
    | Invite
    | Dismiss
    | Again
    | Pause
    | GoOn
    | Analyse
    | Act
    | Say
    | Save
)
Effect = Request | Quit


class Done(Struct, frozen=True):
    """The server carried it out."""

    request: Request
    table: int | None = None
    """The number of the table opened."""


class Failed(Struct, frozen=True):
    """It was not carried out, or nobody can tell."""

    request: Request
    says: str
    """A sentence."""
    code: str | None = None
    """The refusal's, if it was refused."""
