"""Table information outside the game: seats, clock, options, and state."""

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
    """a game is in play, and all players agreed to pause it"""
    BETWEEN = "between"
    """all seats are taken, and no game is in play: one is over, or the first is about to begin"""


class Admits(StrEnum):
    """Guests who may sit at a table. House players sit where they are invited, and spectators are not affected."""

    ALL = "all"
    """people and bots"""
    PEOPLE = "people"
    """only guests without `is_bot`"""
    BOTS = "bots"
    """only guests with `is_bot`"""


class SeatInfo(Struct, frozen=True, omit_defaults=True, gc=False):
    """A seat of a table."""

    name: str | None = None
    """None: the seat is empty."""
    is_house: bool = False
    is_bot: bool = False
    is_away: bool = False
    """Their connection is lost; `bank` of the table's clock runs."""
    is_gone: bool = False
    """The player left the game in play, which continues without them. The seat is free after it."""
    agrees: bool = False
    """The player wants another game."""
    purse: int = 0
    """Stakes won less stakes lost at this table; a score, not money."""
    house: str = ""
    """The style of a house player here, such as `steady`."""
    holds_key: bool = False
    """True if games are dealt blind and only this player can read their cards. False: the server can."""
    missed: int = 0
    """Parts of blind deals that this player missed in the last game, or did wrongly."""


class ClockInfo(Struct, frozen=True, omit_defaults=True, gc=False):
    """The time a player has, in seconds."""

    turn: int = 0
    """Time for each decision; 0: only the server's own limit."""
    bank: int = 300
    """Total time for being disconnected during one game."""


class PauseInfo(Struct, frozen=True, omit_defaults=True, gc=False):
    """A requested pause, or the current pause if the table's state is `paused`."""

    minutes: int
    """Maximum length of the pause."""
    seats: tuple[Seat, ...] = ()
    """Players who ask for the pause; once it has begun, players who are ready to continue."""


class TableInfo(Struct, frozen=True, omit_defaults=True, gc=False):
    """A table, as the lobby and the people at the table see it."""

    id: int
    """Number of the table."""
    game: str
    """The name of the rule set."""
    options: Annotated[dict[str, str | int], Meta(max_length=MAP_ITEMS)]
    """Every option of the rule set, chosen or by default."""
    seats: tuple[SeatInfo, ...]
    """Seats of the table."""
    clock: ClockInfo
    """The time its players have."""
    state: TableState = TableState.FILLING
    """The stage it has reached."""
    games: int = 0
    """Number of games begun at the table; a rubber counts as one."""
    watchers: int = 0
    """Number of spectators."""
    is_locked: bool = False
    """A passcode is needed to sit or watch."""
    is_gallery_open: bool = True
    """People may watch."""
    admits: Admits = Admits.ALL
    """Guests who may sit."""
    is_exhibition: bool = False
    """Exhibition: its packs repeat from a seed, or were arranged. Results do not count."""
    pause: PauseInfo | None = None
    """None: no pause was requested."""
    is_assisted: bool = False
    """True if a player has used the coach in the game in play, or in the last game."""
    is_solved: bool = False
    """Perfect play is known for these rules, options and seats. `analyse` works where the server saw the hands; a game
    that was dealt blind is analysed by its player's client."""
    is_read: bool = False
    """True if the server reads the pack of blind deals, because the rules must see hands."""
    plain: str = ""
    """Reason why the game in play, or the next one, is not dealt blind, as the end of a sentence."""

    @property
    def hides_hands(self) -> bool:
        """The server cannot see the hands of those who keep their keys."""
        return self.options.get("dealing") == "blind" and not self.plain and not self.is_read

    @property
    def is_in_play(self) -> bool:
        """A game has begun and is not over; it may be paused."""
        return self.state in (TableState.PLAYING, TableState.PAUSED)


class PersonInfo(Struct, frozen=True, omit_defaults=True, gc=False):
    """A person who is here, or disconnected and expected back."""

    name: str
    """Name, unique on this server."""
    is_bot: bool = False
    is_away: bool = False
    """Their connection is lost."""
    tables: tuple[int, ...] = ()
    """Tables where they sit."""
