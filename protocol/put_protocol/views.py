"""The whole picture one viewer has: enough to draw the table, to decide a move, or to come back after a drop."""

from enum import StrEnum

from msgspec import Struct

from put_protocol.cards import WireCard
from put_protocol.seats import Seat


class Moment(StrEnum):
    """What the seat to move is asked for."""

    ACCIDENT = "accident"
    """to say what becomes of a deal with an accident in it"""
    GIVE = "give"
    """to give the partner their best card, or let the partner give"""
    DISCARD = "discard"
    """to throw a card away, having been given one"""
    OPENING = "opening"
    """to put, or say nothing, before the first trick"""
    LEAD = "lead"
    """to lead a trick"""
    REPLY = "reply"
    """to play to a trick that was led"""
    ANSWER = "answer"
    """to throw in to a put or a double, or see it"""
    LAST_SAY = "last_say"
    """to throw in or put, the first trick being over"""


class Worth(StrEnum):
    """What a hand won by tricks brings its winner."""

    VALUE = "value"
    """its value in points: 1, unless it was doubled"""
    TO_TARGET = "to_target"
    """as many points as bring the winner to the target"""
    GAME = "game"
    """the game, and the scores stay as they stood"""


class TrickView(Struct, frozen=True, omit_defaults=True):
    """Cards played to one trick, in the order they were played."""

    seats: tuple[Seat, ...] = ()
    """Who played."""
    cards: tuple[WireCard, ...] = ()
    """What each of them played."""
    winner: Seat | None = None
    """None also for a tied trick, and for one not yet complete."""


class AccidentView(Struct, frozen=True, omit_defaults=True):
    """An accident in the dealing."""

    law: int
    """As in the event."""
    seat: Seat
    """As in the event."""
    card: WireCard | None = None
    """As in the event."""


class PutView(Struct, frozen=True, omit_defaults=True, tag_field="view", tag="put"):
    """A game of the Put family as one viewer sees it. Lists of numbers, and of true or false, have an item a seat."""

    target: int
    """Points that win the game."""
    scores: tuple[int, ...]
    """By seat."""
    hand: int = 0
    """Which hand of the game, from 1; 0 before the first deal."""
    dealer: Seat | None = None
    """Who dealt the hand in play; None between hands."""
    eldest: Seat | None = None
    """Who is first to play in it, or will be when all partners have given."""
    cards: tuple[WireCard, ...] = ()
    """The viewer's own cards; empty for the gallery, and for everybody until an accident is settled."""
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
    accident: AccidentView | None = None
    """The accident in the dealing of this hand, if there was one; it is settled unless that is what is asked."""
    gave: WireCard | None = None
    """The card the viewer gave their partner."""
    thrown: tuple[WireCard, ...] = ()
    """The viewer's own cards that they threw away this hand, giving or discarding."""
    givers: tuple[Seat, ...] = ()
    """Who gave their partner a card."""
    to_move: Seat | None = None
    """Whose decision it is; None: nobody's."""
    moment: Moment | None = None
    """What they are asked for."""
    putter: Seat | None = None
    """Who put in this hand, or doubled last."""
    seen_by: tuple[Seat, ...] = ()
    """Who accepted that."""
    value: int = 1
    """Points the hand is worth."""
    plain: Worth = Worth.VALUE
    """What the hand brings if it is played out and nobody put."""
    accepted: Worth = Worth.GAME
    """What it brings after an accepted put; `value`: here one does not put, but offers to double."""
    rubber: tuple[int, ...] = ()
    """Games each has won, where a rubber is played."""
    ranking: tuple[str, ...] = ()
    """The ranks, best first."""
    sides: tuple[int, ...] = ()
    """Where partners play, the side of each seat; empty: each plays alone."""

    def are_partners(self, seat: Seat, other: Seat) -> bool:
        """Whether two different seats win and lose together."""
        return bool(self.sides) and seat != other and self.sides[seat] == self.sides[other]

    @property
    def is_doubling(self) -> bool:
        """Whether one does not put here, but offers to double."""
        return self.accepted is Worth.VALUE


GameView = PutView


class TableState(StrEnum):
    """How far a table is."""

    FILLING = "filling"
    """a seat is empty"""
    PLAYING = "playing"
    """a game is in play"""
    PAUSED = "paused"
    """a game is in play, and everyone agreed to let it rest"""
    BETWEEN = "between"
    """every seat is taken and no game is in play: one is over, or the first begins in a moment"""


class Admits(StrEnum):
    """Which guests may sit at a table. House players come where they are invited, and anybody may watch."""

    ALL = "all"
    """anybody"""
    PEOPLE = "people"
    """nobody who said `is_bot`"""
    BOTS = "bots"
    """only who did"""


class SeatInfo(Struct, frozen=True, omit_defaults=True):
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
    """Of a house player: what it plays like here, such as `steady`."""


class ClockInfo(Struct, frozen=True, omit_defaults=True):
    """How long a player has, in seconds."""

    turn: int = 0
    """For each decision; 0 for no limit."""
    bank: int = 300
    """For being disconnected, in all, during one game."""


class PauseInfo(Struct, frozen=True, omit_defaults=True):
    """A pause that is asked for or, where the table's state is `paused`, on."""

    minutes: int
    """How long it may be at most."""
    seats: tuple[Seat, ...] = ()
    """Who asks for it; once it is on: who is ready to go on."""


class TableInfo(Struct, frozen=True, omit_defaults=True):
    """A table as the lobby lists it and as those at it know it."""

    id: int
    """Its number."""
    game: str
    """The name of the rule set."""
    options: dict[str, str | int]
    """Every option of the rule set, chosen or by default."""
    seats: tuple[SeatInfo, ...]
    """Its chairs, by seat."""
    clock: ClockInfo
    """How long its players have."""
    state: TableState = TableState.FILLING
    """How far it is."""
    games: int = 0
    """Games begun at it; a rubber is one."""
    watchers: int = 0
    """How many watch."""
    is_locked: bool = False
    """A passcode is asked of whoever sits or watches."""
    is_gallery_open: bool = True
    """People may watch."""
    admits: Admits = Admits.ALL
    """Who may sit."""
    is_exhibition: bool = False
    """Its packs repeat from a seed or were arranged: nothing here counts."""
    pause: PauseInfo | None = None
    """None: nobody asks for one."""

    @property
    def is_in_play(self) -> bool:
        """A game is begun and not over, whether it rests or not."""
        return self.state in (TableState.PLAYING, TableState.PAUSED)


class PersonInfo(Struct, frozen=True, omit_defaults=True):
    """Somebody here, or lost and expected back."""

    name: str
    """Nobody else here has it."""
    is_bot: bool = False
    is_away: bool = False
    """Their connection is lost."""
    tables: tuple[int, ...] = ()
    """Where they sit."""
