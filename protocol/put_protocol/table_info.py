"""Facts about a table beside its game: who sits there, its clock, its options, and how far it is."""

from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct

from put_protocol.limits import MAP_ITEMS
from put_protocol.seats import Seat


class TableState(StrEnum):
    """The stage of a table."""

    FILLING = "filling"
    """a seat is empty"""
    PLAYING = "playing"
    """a game is in play"""
    PAUSED = "paused"
    """a game is in play, and everyone agreed to let it rest"""
    BETWEEN = "between"
    """every seat is taken and no game is in play: one is over, or the first begins in a moment"""


class Admits(StrEnum):
    """The guests who may sit at a table. House players come where they are invited, and anybody may watch."""

    ALL = "all"
    """anybody"""
    PEOPLE = "people"
    """nobody who said `is_bot`"""
    BOTS = "bots"
    """only who did"""


class SeatInfo(Struct, frozen=True, omit_defaults=True, gc=False):
    """One chair at a table."""

    name: str | None = None
    """None: empty."""
    is_house: bool = False
    is_bot: bool = False
    is_away: bool = False
    """Their connection is lost; `bank` of the table's clock runs."""
    is_gone: bool = False
    """They left the game in play, which goes on without them; the seat is free when it is over."""
    agrees: bool = False
    """They ask for another game."""
    purse: int = 0
    """Stakes won less stakes lost at this table; a reckoning, not money."""
    house: str = ""
    """The style of a house player here, such as `steady`."""
    holds_key: bool = False
    """True where games are dealt blind and this player alone can read their cards. False: the server can."""
    missed: int = 0
    """Parts of blind deals that the player of this seat did not do in the last game, or did wrongly."""


class ClockInfo(Struct, frozen=True, omit_defaults=True, gc=False):
    """The time a player has, in seconds."""

    turn: int = 0
    """The time for each decision; 0 for none but the server's own."""
    bank: int = 300
    """The time for being disconnected, in all, during one game."""


class PauseInfo(Struct, frozen=True, omit_defaults=True, gc=False):
    """A pause that is asked for or, where the table's state is `paused`, on."""

    minutes: int
    """The longest it may last."""
    seats: tuple[Seat, ...] = ()
    """Each player who asks for it; once it is on, each who is ready to go on."""


class TableInfo(Struct, frozen=True, omit_defaults=True, gc=False):
    """A table as the lobby lists it and as those at it know it."""

    id: int
    """Its number."""
    game: str
    """The name of the rule set."""
    options: Annotated[dict[str, str | int], Meta(max_length=MAP_ITEMS)]
    """Every option of the rule set, chosen or by default."""
    seats: tuple[SeatInfo, ...]
    """Its chairs, by seat."""
    clock: ClockInfo
    """The time its players have."""
    state: TableState = TableState.FILLING
    """The stage it has reached."""
    games: int = 0
    """Games begun at it; a rubber is one."""
    watchers: int = 0
    """Number of players who watch."""
    is_locked: bool = False
    """A passcode is asked of whoever sits or watches."""
    is_gallery_open: bool = True
    """People may watch."""
    admits: Admits = Admits.ALL
    """The player who may sit."""
    is_exhibition: bool = False
    """Its packs repeat from a seed or were arranged: nothing here counts."""
    pause: PauseInfo | None = None
    """None: nobody asks for one."""
    is_assisted: bool = False
    """True if a player has asked the coach in the game in play, or the last one."""
    is_solved: bool = False
    """Perfect play is known for these rules, options and seats, so `analyse` can weigh decisions."""
    is_read: bool = False
    """True if the server reads the pack of a blind deal that all have shuffled, because the rules have to see hands."""
    plain: str = ""
    """Reason why the game in play, or the next one, is dealt by the server alone, as the end of a sentence."""

    @property
    def is_in_play(self) -> bool:
        """A game is begun and not over, whether it rests or not."""
        return self.state in (TableState.PLAYING, TableState.PAUSED)


class PersonInfo(Struct, frozen=True, omit_defaults=True, gc=False):
    """Somebody here, or lost and expected back."""

    name: str
    """Nobody else here has it."""
    is_bot: bool = False
    is_away: bool = False
    """Their connection is lost."""
    tables: tuple[int, ...] = ()
    """The place where they sit."""
