"""Orders to a worker and its reports: JSON objects, one a line."""

from msgspec import Struct

from put_arena.competitors import Kind
from put_arena.results import Fault


class Player(Struct, frozen=True):
    """A competitor as a worker needs it."""

    name: str
    kind: Kind
    what: str


class Begin(Struct, frozen=True, tag="begin"):
    """The first order: what is played, and by whom."""

    game: str
    seats: int
    """0: as few as the rule set has."""
    options: dict[str, int | str]
    turn: float
    """Seconds for a decision."""
    late: int
    seed: int
    players: tuple[Player, ...]
    removes_luck: bool = False
    """Whether each game is to say how lucky its deals were."""
    save: str = ""
    """The folder for games; empty: none is saved."""


class Play(Struct, frozen=True, tag="play"):
    """Play a round."""

    match: int
    name: str
    seatings: tuple[tuple[int, ...], ...]
    games: int


Order = Begin | Play


class Ready(Struct, frozen=True, tag="ready"):
    """The first report: it can be played."""

    sides: tuple[int, ...]
    """The side of each seat."""
    by_purse: bool


class Unplayable(Struct, frozen=True, tag="unplayable"):
    """The first report: it cannot."""

    says: str
    is_no_bot: bool = False
    """A competitor is not there; else the game is not."""


class Ended(Struct, frozen=True, array_like=True):
    """A game that is over."""

    number: int
    seating: int
    paid: tuple[int, ...]
    luck: float | None = None
    """How much better for the first seat its deals were than others, in stakes; None: nobody asked."""


class Games(Struct, frozen=True, tag="games"):
    """Some games of the round in play are over."""

    ended: tuple[Ended, ...]
    sets: int | None = None
    """The round is over, after so many sets; fewer than asked for where somebody is disqualified. None: it goes on."""


class Fell(Struct, frozen=True, tag="fell"):
    """A bot has misbehaved."""

    player: int
    fault: Fault
    says: str
    running: int = 0
    """Of turns that ran out: how many did one after another."""


Report = Ready | Unplayable | Games | Fell
