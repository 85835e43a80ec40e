"""Orders to the process of a player of a Python class, and its reports to the arena: JSON objects, one a line."""

from msgspec import Struct


class Terms(Struct, frozen=True):
    """What the process is started with."""

    host: str
    port: int
    descriptor: int
    """A connection to the server that is open already, for a process without network; below 0: there is none."""
    name: str
    what: str
    turn: float
    """Seconds for a choice; a coroutine that takes longer is stopped."""
    slow: float = 0.0
    """Seconds to wait before each answer, for a show."""


class Go(Struct, frozen=True, tag="go"):
    """An order: sit at this table when invited, and leave it after so many games."""

    table: int
    games: int
    dice: str
    """What the bot's dice there are made from, if it takes any, anew for each game."""


class GoAway(Struct, frozen=True, tag="go_away"):
    """An order: leave this table now."""

    table: int


class Beat(Struct, frozen=True, tag="beat"):
    """A report: alive."""


class Illegal(Struct, frozen=True, tag="illegal"):
    """A report: the bot chose what is not legal, and has given the game up."""

    says: str


class Raised(Struct, frozen=True, tag="raised"):
    """A report: the bot raised an error, and has given the game up."""

    says: str


class Late(Struct, frozen=True, tag="late"):
    """A report: a turn's time ran out."""

    running: int
    """How often without an answer in time between."""


class TooFast(Struct, frozen=True, tag="too_fast"):
    """A report: the server asked for patience."""


class Broken(Struct, frozen=True, tag="broken"):
    """The last report: it cannot go on."""

    says: str
    is_no_bot: bool = False
    """Nothing that could play was found where the arena was told to look."""


Order = Go | GoAway
Report = Beat | Illegal | Raised | Late | TooFast | Broken
