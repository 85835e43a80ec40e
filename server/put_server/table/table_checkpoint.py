"""A table at rest: all it needs to go on, as the journal keeps it. It holds cards and passcodes, and never travels."""

from msgspec import Struct, field

from put_protocol.games.unions import Event
from put_protocol.seats import Seat
from put_protocol.table_info import Admits, ClockInfo
from put_rules.game import OptionValue
from put_rules.record import Chance, GameRecord
from put_rules.table_options import Way
from put_server.table.blind_deals import BlindCheckpoint
from put_server.table.clock import Timer
from put_server.table.pause import PauseState
from put_server.table.seating import Chair, Invitation
from put_server.table.table_effects import PersonId, TableId


class EventLogCheckpoint(Struct, frozen=True):
    """An event log at rest; an item a viewer, the gallery last. The fields are those of the journal."""

    numbers: tuple[int, ...]
    begun: tuple[int, ...]
    tail: tuple[tuple[Event | None, ...], ...]
    started: tuple[int, ...] = ()


class PlayCheckpoint(Struct, frozen=True):
    """The game in play, or the last one."""

    record: GameRecord
    begun: int


class TableCheckpoint(Struct, frozen=True):
    id: TableId
    opener: PersonId
    rule_set: str
    options: dict[str, OptionValue]
    clock: ClockInfo
    passcode: str
    is_gallery_open: bool
    is_exhibition: bool
    chairs: tuple[Chair, ...]
    watchers: tuple[tuple[PersonId, str], ...]
    resigned: tuple[Seat, ...]
    play: PlayCheckpoint | None
    pause: PauseState | None
    games: int
    deals: int
    players: tuple[PersonId, ...]
    next_dealer: Seat | None
    event_log: EventLogCheckpoint = field(name="ledger")
    decision: int
    mover: Seat | None
    turn: Timer
    admits: Admits = Admits.ALL
    deals_name: str = ""
    chance: Chance | None = None
    """Source of the deal in play, or of the last of several, or the blind game in play; None: there is none. The
    journal keeps it apart from the rest, whose records of that deal leave it out."""
    beside: tuple[Chance, ...] = ()
    """Sources of the hand's earlier deals, the oldest first, or of the blind game whose deal is read; kept alike."""
    invited: tuple[tuple[PersonId, Invitation], ...] = ()
    kept_out: tuple[str, ...] = ()
    origin: str = ""
    blind: BlindCheckpoint | None = None
    """None: no game here was dealt blind."""
    way: Way | None = None
    """The way the last game was dealt; None: as the option says, in a checkpoint of an earlier version."""

    @property
    def chances(self) -> tuple[Chance, ...]:
        return () if self.chance is None else (*self.beside, self.chance)
