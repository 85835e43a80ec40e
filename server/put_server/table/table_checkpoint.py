"""Checkpoint of a table: all it needs to continue, as the journal stores it. It holds cards and passcodes, and never
travels."""

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
    """Checkpoint of an event log; one item for each viewer, the gallery last. The fields are those of the journal."""

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
    """Source of the deal in play (of the latest deal if there are several), or of the blind game; None: there is none.
    The journal stores it separately, and leaves that deal out of the record."""
    beside: tuple[Chance, ...] = ()
    """Sources of the hand's earlier deals, the oldest first, or of the blind game of a read deal. Stored separately
    too."""
    invited: tuple[tuple[PersonId, Invitation], ...] = ()
    kept_out: tuple[str, ...] = ()
    origin: str = ""
    blind: BlindCheckpoint | None = None
    """None: the table has had no blind game."""
    way: Way | None = None
    """Way the last game was dealt; None: by the option, in a checkpoint of an earlier version."""

    @property
    def chances(self) -> tuple[Chance, ...]:
        return () if self.chance is None else (*self.beside, self.chance)
