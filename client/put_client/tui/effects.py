"""What the screen wants done, as data. The shell does it and says what came of it: `Done` or `Failed`."""

from dataclasses import dataclass, field

from put_protocol.actions import Action


@dataclass(frozen=True, slots=True)
class Look:
    """Hear of the lobby."""


@dataclass(frozen=True, slots=True)
class LookAway:
    """Hear no more of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTable:
    game: str
    seats: int
    options: dict[str, str | int] = field(default_factory=dict)
    turn: int = 0
    bank: int = 300
    passcode: str = ""
    gallery: bool = True


@dataclass(frozen=True, slots=True)
class Sit:
    table: int
    seat: int | None = None
    passcode: str = ""


@dataclass(frozen=True, slots=True)
class Watch:
    table: int
    passcode: str = ""


@dataclass(frozen=True, slots=True)
class Stand:
    table: int


@dataclass(frozen=True, slots=True)
class Leave:
    table: int


@dataclass(frozen=True, slots=True)
class Resign:
    table: int


@dataclass(frozen=True, slots=True)
class Invite:
    table: int
    house: str


@dataclass(frozen=True, slots=True)
class Dismiss:
    table: int
    seat: int


@dataclass(frozen=True, slots=True)
class Again:
    table: int


@dataclass(frozen=True, slots=True)
class Pause:
    table: int
    minutes: int = 0
    """0: as the others ask, or the usual."""


@dataclass(frozen=True, slots=True)
class GoOn:
    table: int


@dataclass(frozen=True, slots=True)
class Act:
    table: int
    decision: int
    action: Action


@dataclass(frozen=True, slots=True)
class Say:
    table: int
    text: str


@dataclass(frozen=True, slots=True)
class Quit:
    """End the program."""

    keeps: bool = False
    """Without a goodbye, so that the seat is kept."""


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
    | Act
    | Say
)
Effect = Request | Quit


@dataclass(frozen=True, slots=True)
class Done:
    """The server carried it out."""

    request: Request
    table: int | None = None
    """The number of the table opened."""


@dataclass(frozen=True, slots=True)
class Failed:
    """It was not carried out, or nobody can tell."""

    request: Request
    says: str
    """A sentence."""
    code: str | None = None
    """The refusal's, if it was refused."""
