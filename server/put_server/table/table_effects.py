"""Effects: actions that a table or the lobby requests, and the refusal of a request, which changes nothing.

The callers carry them out.

They are structs because a move makes five, and structs are quicker to make than dataclasses. They hold no cycles, so
`gc=False`.
"""

from enum import StrEnum
from typing import NewType

from msgspec import Struct

from put_protocol.blind.blind_game import BlindGame
from put_protocol.blind.keys import SecretKey
from put_protocol.blind.party import Party
from put_protocol.blind.reading import Reading
from put_protocol.cards import Card
from put_protocol.games.unions import Ending
from put_protocol.messages import Analyse, Coach, Drill, Goodbye, Grade, Recall, Refused, ServerMessage
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_rules.game import OptionValue
from put_rules.record import Chance, GameRecord
from put_text.catalogue import say_in_english

PersonId = NewType("PersonId", int)
TableId = NewType("TableId", int)


class Tell(Struct, frozen=True, gc=False):
    people: tuple[PersonId, ...]
    message: ServerMessage


class WantPack(Struct, frozen=True, gc=False):
    """Shuffle these cards, and answer with `Shuffled`. Carry out all other effects of the same input first: their
    events were numbered before the deal."""

    table: TableId
    deal: int
    """Number of the pack at this table, from 1."""
    cards: tuple[Card, ...]
    top: tuple[Card, ...] = ()
    """Cards to put first, in this order: an exhibition's arrangement."""
    deals: str = ""
    """Name of the sequence of packs, at an exhibition with one."""
    has_accidents: bool = False
    """True if a luck must come with the pack."""
    beside: int = 0
    """Deals of the same hand that stay in play beside this one."""
    most: int = 0
    """The same as in `Shuffle`: the order of the cards below does not matter."""


class DealOver(Struct, frozen=True, gc=False):
    """The hand in play at a table is over: store these remains, and erase the sources of its deals."""

    table: TableId
    remains: tuple[Chance, ...]
    """Remains of each deal, the oldest first; or of the blind game, if it will deal no more."""
    kept: int = 0
    """Number of the table's sources to keep, counted from the oldest: those of a blind game that continues."""


class WantPulse(Struct, frozen=True, gc=False):
    """Ping these people; report each answer with `Pulse`."""

    people: tuple[PersonId, ...]


class WantSecret(Struct, frozen=True, gc=False):
    """A table begins a blind game: answer with `Secret`, just as `WantPack` with `Shuffled`."""

    table: TableId
    deal: int
    """Number of the blind game at this table, from 1."""
    beside: int = 0
    """Number of sources that stay: the game's secret, and those of the hand's read deals. See `WantPack`."""
    read: int = 0
    """Number of the deal that this secret will read; 0: it is the game's secret."""


class WantParts(Struct, frozen=True, gc=False):
    """Make the entries due from the seats that the server holds, or read the pack. Do it outside the event loop
    (`blind_deals.worked_out`), and answer with `Parts`."""

    table: TableId
    task: int
    """Number of the task at this table, from 1."""

    game: BlindGame
    server: SecretKey
    party: Party | None
    """None: the server holds no seat's key."""
    reading: Reading | None = None
    charge: bytes = b""
    """An entry that ends a deal. Only check the shuffles before it."""


class HouseSat(Struct, frozen=True, gc=False):
    """A house player took a seat: answer messages to it from now on."""

    person: PersonId
    house: str


class HouseGone(Struct, frozen=True, gc=False):
    """A house player is no longer needed."""

    person: PersonId


class GameConcluded(Struct, frozen=True, gc=False):
    """A game was played to its end: store it permanently."""

    record: GameRecord
    end: Ending | None
    origin: str = ""
    """Origin that opened the table; empty: exempt."""


class RecordInput(Struct, frozen=True, gc=False):
    """A change without a message: the journal must record the input."""


class SentAway(Struct, frozen=True, gc=False):
    """Close the connection of a person who had to depart to make room, with this goodbye."""

    person: PersonId
    goodbye: Goodbye


class LossFound(Struct, frozen=True, gc=False):
    """A person proved that the journal lost acknowledged changes: tell the operator."""

    says: str


class WaitFor(StrEnum):
    PAUSE = "pause"
    """the end of a pause"""
    DISMISSAL = "dismissal"
    """the next tick, which sends away a player who missed their parts of deals"""
    PART = "part"
    """a player's part of a blind deal, or proof that it will not come"""
    RETURN = "return"
    """the return of a disconnected player"""
    MOVE = "move"
    """a player's move"""
    NOTHING = "nothing"
    """nothing, although a game is in play"""


class WaitEnded(Struct, frozen=True, gc=False):
    """A wait of a table timed out, and the table continues: count it."""

    table: TableId
    what: WaitFor
    seat: Seat | None


class GameStudy(Struct, frozen=True, gc=False):
    """A player's question about a game. Answer it if they still sit at the table."""

    person: PersonId
    request: Analyse | Recall | Coach
    record: GameRecord
    """The finished game or, for the coach, the game in play, with its secrets. Use only what the seat saw."""
    seat: Seat
    language: str = ""
    """Language of the answer; empty: English."""
    decision: int = 0
    """The decision at which the coach is asked."""


class Practice(Struct, frozen=True, gc=False):
    """A person wants a position to practise on, or a judgement of their answer to one."""

    person: PersonId
    request: Drill | Grade
    options: dict[str, OptionValue]
    """All options, valid."""
    language: str = ""


Study = GameStudy | Practice
"""Slow questions that change nothing."""

Errand = (
    WantPack
    | WantSecret
    | WantParts
    | WantPulse
    | DealOver
    | HouseSat
    | HouseGone
    | GameConcluded
    | RecordInput
    | LossFound
    | WaitEnded
    | SentAway
    | Study
)
"""Effects other than messages."""

Effect = Tell | Errand


class RequestRefused(Exception):
    """An invalid request to a table or the lobby. Raised before any change."""

    def __init__(
        self,
        code: RefusalCode,
        message: str,
        *,
        field: str | None = None,
        retry_after_ms: int | None = None,
        warns: tuple[Effect, ...] = (),
        **arguments: int | str | None,
    ) -> None:
        """`message`: its name in the catalogue. `arguments`: those of the message. `warns`: notices to other people
        whom the attempt concerns."""
        self.says = say_in_english(message, **arguments)
        super().__init__(self.says)
        self.code = code
        self.field = field
        self.retry_after_ms = retry_after_ms
        self.warns = warns

    def answer(self, request: int) -> Refused:
        return Refused(request, self.code, self.says, field=self.field, retry_after_ms=self.retry_after_ms)
