"""The whole picture one viewer has: enough to draw the table, to decide a move, or to come back after a drop."""

from enum import StrEnum

from msgspec import Struct

from put_protocol.cards import WireCard
from put_protocol.seats import Seat


class Moment(StrEnum):
    """What the seat to move is asked for."""

    LEAD = "lead"
    """to lead a trick"""
    REPLY = "reply"
    """to play to a trick that was led"""
    ANSWER = "answer"
    """to throw in to a put, or see it"""


class TrickView(Struct, frozen=True, omit_defaults=True):
    """Cards played to one trick, in the order they were played."""

    seats: tuple[Seat, ...] = ()
    cards: tuple[WireCard, ...] = ()
    winner: Seat | None = None
    """None also for a tied trick, and for one not yet complete."""


class PutView(Struct, frozen=True, omit_defaults=True, tag_field="view", tag="put"):
    """A game of the Put family as one viewer sees it. Lists have an item a seat."""

    target: int
    scores: tuple[int, ...]
    hand: int = 0
    """Which hand of the game, from 1; 0 before the first deal."""
    dealer: Seat | None = None
    eldest: Seat | None = None
    cards: tuple[WireCard, ...] = ()
    """The viewer's own cards; empty for the gallery."""
    counts: tuple[int, ...] = ()
    """Cards in each hand."""
    playing: tuple[bool, ...] = ()
    """Who is still in the hand."""
    tricks: tuple[int, ...] = ()
    """Tricks each has taken in this hand."""
    trick: TrickView = TrickView()
    """The trick on the table."""
    past: tuple[TrickView, ...] = ()
    """The complete tricks of this hand, first to last."""
    to_move: Seat | None = None
    moment: Moment | None = None
    putter: Seat | None = None
    """Who put in this hand."""
    seen_by: tuple[Seat, ...] = ()
    """Who accepted the put."""
    ranking: tuple[str, ...] = ()
    """The ranks, best first."""


GameView = PutView


class TableState(StrEnum):
    """How far a table is."""

    FILLING = "filling"
    """a seat is empty"""
    PLAYING = "playing"
    BETWEEN = "between"
    """a game is over and not everyone has asked for another"""


class SeatInfo(Struct, frozen=True, omit_defaults=True):
    """One chair at a table."""

    name: str | None = None
    """None: empty."""
    is_house: bool = False
    is_bot: bool = False
    is_away: bool = False
    """His connection is lost; `bank` of the table's clock runs."""
    agrees: bool = False
    """He asks for another game."""
    purse: int = 0
    """Stakes won less stakes lost at this table; a reckoning, not money."""


class ClockInfo(Struct, frozen=True, omit_defaults=True):
    """How long a player has, in seconds."""

    turn: int = 0
    """For each decision; 0 for no limit."""
    bank: int = 300
    """For being disconnected, in all, during one game."""


class TableInfo(Struct, frozen=True, omit_defaults=True):
    """A table as the lobby lists it and as those at it know it."""

    id: int
    game: str
    options: dict[str, str | int]
    """Every option of the rule set, chosen or by default."""
    seats: tuple[SeatInfo, ...]
    clock: ClockInfo
    state: TableState = TableState.FILLING
    games: int = 0
    """Games begun at it."""
    watchers: int = 0
    is_locked: bool = False
    """A passcode is asked of whoever sits or watches."""
    is_gallery_open: bool = True
    is_exhibition: bool = False
    """Its packs repeat from a seed or were arranged: nothing here counts."""


class PersonInfo(Struct, frozen=True, omit_defaults=True):
    """Somebody connected."""

    name: str
    is_bot: bool = False
    tables: tuple[int, ...] = ()
    """Where he sits."""
