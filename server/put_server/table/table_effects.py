"""Effects: what a table or the lobby wants done, or the refusal of a request, which changes nothing.

Shells do what is wanted; nothing in here does anything.

Structs, for a move makes five and they are quicker to make than dataclasses; they hold no cycles, so `gc=False`.
"""

from enum import StrEnum
from typing import NewType

from msgspec import Struct

from put_protocol.blind.blind_game import BlindGame
from put_protocol.blind.keys import SecretKey
from put_protocol.blind.party import Party
from put_protocol.blind.reading import Reading
from put_protocol.cards import Card
from put_protocol.games.unions import Action, Ending
from put_protocol.messages import Goodbye, Refused, ServerMessage
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_rules.game import OptionValue
from put_rules.record import Chance, GameRecord
from put_text.catalogue import say_in_english

PersonId = NewType("PersonId", int)
TableId = NewType("TableId", int)


class Tell(Struct, frozen=True, gc=False):
    """Send a message to these people, the same to each."""

    people: tuple[PersonId, ...]
    message: ServerMessage


class WantPack(Struct, frozen=True, gc=False):
    """A table waits for these cards in a random order: answer with `Shuffled`. Effects that came with it come first,
    wherever it stands among them: their events were numbered before the deal."""

    table: TableId
    deal: int
    """Number of the pack at this table, from 1."""
    cards: tuple[Card, ...]
    top: tuple[Card, ...] = ()
    """These of them first, in this order: an exhibition's arrangement."""
    deals: str = ""
    """The sequence of packs it is from, at an exhibition that was opened with one."""
    has_accidents: bool = False
    """A luck is wanted with it."""
    beside: int = 0
    """Deals of the same hand that stay in play beside this one."""
    most: int = 0
    """The same as in `Shuffle`: the order of the cards below does not matter."""


class DealOver(Struct, frozen=True, gc=False):
    """The hand in play at a table is over: keep these, and erase what its deals were made from."""

    table: TableId
    remains: tuple[Chance, ...]
    """Remains of each deal, the oldest first; or of the blind game, which has no further deal."""
    kept: int = 0
    """Sources of the table that stay as they are, the oldest: those of a blind game that goes on."""


class WantPulse(Struct, frozen=True, gc=False):
    """Ping these people; when one answers, say so with `Pulse`."""

    people: tuple[PersonId, ...]


class WantSecret(Struct, frozen=True, gc=False):
    """A table begins a blind game: answer with `Secret`, as `WantPack` with `Shuffled`."""

    table: TableId
    deal: int
    """Number of the blind game at this table, from 1."""
    beside: int = 0
    """The same as in `WantPack`: the game's secret, and those of the deals of the hand that are read."""
    read: int = 0
    """The number of the deal that is to be read by this secret; 0: it is the game's."""


class WantParts(Struct, frozen=True, gc=False):
    """A table wants what is due from the seats whose keys the server holds, or the pack read: work it out beside the
    loop (`blind_deals.worked_out`), and answer with `Parts`."""

    table: TableId
    work: int
    """Number of the work at this table, from 1."""
    game: BlindGame
    server: SecretKey
    party: Party | None
    """None: it holds no seat's key."""
    reading: Reading | None = None
    """The deal whose pack is to be read."""
    charge: bytes = b""
    """An entry that ends a deal, whose shuffles are to be checked first: nothing else is due."""


class HouseSat(Struct, frozen=True, gc=False):
    """A house player took a seat: from now on answer the messages to it."""

    person: PersonId
    house: str


class HouseGone(Struct, frozen=True, gc=False):
    """A house player is no longer needed."""

    person: PersonId


class GameConcluded(Struct, frozen=True, gc=False):
    """A game was played to its end: keep it for good."""

    record: GameRecord
    end: Ending | None
    origin: str = ""
    """Origin from which its table was opened; empty: exempt."""


class RecordInput(Struct, frozen=True, gc=False):
    """Something changed without a message: the journal must record the input all the same."""


class SentAway(Struct, frozen=True, gc=False):
    """A person who is here has departed to make room: close their connection with this goodbye."""

    person: PersonId
    goodbye: Goodbye


class LossFound(Struct, frozen=True, gc=False):
    """A person proves that the journal lost what was acknowledged: the operator must hear of it."""

    says: str


class WaitFor(StrEnum):
    """Event that a table waits for."""

    PAUSE = "pause"
    """the end of a pause"""
    DISMISSAL = "dismissal"
    """the next tick, which sends a player away who did not do their part of a deal"""
    PART = "part"
    """a player's part of a blind deal, or a sign that it will not come"""
    RETURN = "return"
    """a player who is away"""
    MOVE = "move"
    """a player's move"""
    NOTHING = "nothing"
    """nothing at all, though a game is in play"""


class WaitEnded(Struct, frozen=True, gc=False):
    """Time ended a wait of a table, and the table goes on: count it."""

    table: TableId
    what: WaitFor
    seat: Seat | None


class WantAnalysis(Struct, frozen=True, gc=False):
    """A player wants their decisions in a game that is over weighed: send it when done, if they are still here."""

    person: PersonId
    record: GameRecord
    seat: Seat
    language: str = ""
    """The language of the answer; empty: English."""


class WantSheet(Struct, frozen=True, gc=False):
    """A player wants a game that is over as they saw it: send it when it is written, if they are still here."""

    person: PersonId
    record: GameRecord
    seat: Seat


class WantAdvice(Struct, frozen=True, gc=False):
    """A player wants to know what their choices are worth at this decision."""

    person: PersonId
    request: int
    decision: int
    record: GameRecord
    """The game in play, with its secrets: only what the seat saw may be made use of."""
    seat: Seat
    language: str = ""


class WantPosition(Struct, frozen=True, gc=False):
    """A person wants a position to practise on."""

    person: PersonId
    request: int
    game: str
    options: dict[str, OptionValue]
    """All of them, and valid."""
    language: str = ""


class WantJudgement(Struct, frozen=True, gc=False):
    """A person has answered such a position."""

    person: PersonId
    request: int
    game: str
    options: dict[str, OptionValue]
    number: int
    action: Action
    language: str = ""


Study = WantAnalysis | WantSheet | WantAdvice | WantPosition | WantJudgement
"""Questions that take long to work out, and change nothing."""

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
"""Things to be done beside sending messages."""

Effect = Tell | Errand


class RequestRefused(Exception):
    """A request that misuses a table or the lobby. Raised before anything has changed."""

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
        """`message`: its name in the catalogue, and `arguments` what it needs. `warns`: notices to others, whom it may
        concern that this was tried."""
        self.says = say_in_english(message, **arguments)
        super().__init__(self.says)
        self.code = code
        self.field = field
        self.retry_after_ms = retry_after_ms
        self.warns = warns

    def answer(self, request: int) -> Refused:
        return Refused(request, self.code, self.says, field=self.field, retry_after_ms=self.retry_after_ms)
