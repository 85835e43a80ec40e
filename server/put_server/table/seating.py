"""The people at a table: sitters, spectators, and invited guests.

The checks of `Seating` raise `RequestRefused` and change nothing; the changes check nothing. Checkpoints store chairs,
sitters and invitations in this form.
"""

from msgspec import Struct

from put_protocol.refusals import RefusalCode
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.table_info import Admits, SeatInfo
from put_protocol.text import same_name
from put_server.table.clock import Timer
from put_server.table.table_effects import PersonId, RequestRefused

MOST_INVITED = 64
"""Most invited guests that a table remembers, the latest: many times the number of its seats."""

MOST_KEPT_OUT = 64
"""Most guests whom a table keeps out, the latest."""

GALLERY_SIZE = 2_000
"""Most spectators at one table. A move is encoded once and sent to each: for this many it takes a hundredth of a
second, in which other tables wait."""

GONE = "Forgotten"
"""Name of a player who left, after the operator erased them."""


class Sitter(Struct, frozen=True, gc=False):
    """Person in a chair, as the table knows them."""

    id: PersonId
    name: str
    is_bot: bool = False
    house: str = ""
    """Kind of a house player; empty: a guest."""
    plays_as: str = ""
    """Kind of house player as everyone sees it, in the game of this table."""
    holds_key: bool = False
    """True if only they can read their cards, at a blind table."""

    @property
    def is_house(self) -> bool:
        return bool(self.house)


class Chair(Struct, gc=False):
    """One seat of the table. The purse leaves with the sitter. The fields are those of the journal."""

    bank: Timer
    """Runs while the sitter is away."""
    sitter: Sitter | None = None
    is_away: bool = False
    agrees: bool = False
    """Agrees to the next game; set on sitting down."""
    purse: int = 0
    gone: str = ""
    """Name of the player who left the game in play, if it continues."""

    @property
    def is_guest(self) -> bool:
        return self.sitter is not None and not self.sitter.is_house

    @property
    def holds_key(self) -> bool:
        return self.sitter is not None and self.sitter.holds_key

    def info(self) -> SeatInfo:
        sitter = self.sitter
        if sitter is None:
            return SeatInfo(name=self.gone, is_gone=True) if self.gone else SeatInfo()
        return SeatInfo(
            name=sitter.name,
            is_house=bool(sitter.house),
            is_bot=sitter.is_bot,
            is_away=self.is_away,
            agrees=self.agrees,
            purse=self.purse,
            house=sitter.plays_as,
            holds_key=sitter.holds_key,
        )


class Invitation(Struct, frozen=True):
    by: str
    seat: Seat | None


class Seating:
    __slots__ = ("_bank_ms", "admits", "chairs", "invited", "is_gallery_open", "kept_out", "watchers")

    def __init__(self, seats: int, *, bank_ms: int, admits: Admits, is_gallery_open: bool) -> None:
        """`bank_ms`: time that each sitter may be away in one game."""
        self._bank_ms = bank_ms
        self.admits = admits
        self.is_gallery_open = is_gallery_open
        self.chairs = [Chair(Timer(bank_ms)) for _ in range(seats)]
        self.watchers: dict[PersonId, str] = {}
        self.invited: dict[PersonId, Invitation] = {}
        """Invited guests who have not taken a seat, the latest last."""
        self.kept_out: tuple[str, ...] = ()
        """Names of guests whom the opener sent away, the latest last."""

    def seat_of(self, person: PersonId) -> Seat | None:
        for seat, chair in enumerate(self.chairs):
            if chair.sitter is not None and chair.sitter.id == person:
                return Seat(seat)
        return None

    def viewer_of(self, person: PersonId) -> Viewer | None:
        seat = self.seat_of(person)
        if seat is not None:
            return seat
        return GALLERY if person in self.watchers else None

    @property
    def people(self) -> tuple[PersonId, ...]:
        """Everyone at the table except house players."""
        return (*self.guests, *self.watchers)

    @property
    def guests(self) -> tuple[PersonId, ...]:
        """People in the seats, without the house, by seat."""
        return tuple([c.sitter.id for c in self.chairs if c.sitter is not None and not c.sitter.is_house])

    @property
    def house_players(self) -> tuple[Sitter, ...]:
        return tuple([c.sitter for c in self.chairs if c.sitter is not None and c.sitter.is_house])

    @property
    def is_empty(self) -> bool:
        """True if all chairs are empty, without house players too."""
        return all(chair.sitter is None for chair in self.chairs)

    @property
    def is_full(self) -> bool:
        return all(chair.sitter is not None for chair in self.chairs)

    def require_seat(self, person: PersonId) -> Seat:
        """:raises RequestRefused: they have no seat here."""
        seat = self.seat_of(person)
        if seat is None:
            raise RequestRefused(RefusalCode.NOT_THERE, "refused-not-seated")
        return seat

    def require_spectator(self, person: PersonId) -> None:
        """:raises RequestRefused: they are not spectators here."""
        if person not in self.watchers:
            raise RequestRefused(RefusalCode.NOT_THERE, "refused-not-there")

    def require_free_seat(self, seat: Seat | None) -> Seat:
        """This seat if it is free; None: the first free seat.

        :raises RequestRefused: the seat is taken, or no seat is free.
        """
        if seat is not None and seat >= len(self.chairs):
            raise RequestRefused(RefusalCode.NO_SUCH_SEAT, "refused-no-seats", field="seat", count=len(self.chairs))
        wanted = range(len(self.chairs)) if seat is None else (seat,)
        for free in wanted:
            if self.chairs[free].sitter is None:
                return Seat(free)
        raise RequestRefused(
            RefusalCode.SEAT_TAKEN, "refused-no-seat" if seat is None else "refused-seat", number=(seat or 0) + 1
        )

    def require_admission(self, name: str, *, is_bot: bool, is_house: bool = False) -> None:
        """Check that the table admits this person. House players are always admitted.

        :raises RequestRefused: the table admits only people, or only bots.
        """
        if is_house or self.admits is Admits.ALL or is_bot == (self.admits is Admits.BOTS):
            return
        who = self.admits.value
        raise RequestRefused(RefusalCode.NOT_ADMITTED, "refused-admits", field="table", name=name, admits=who)

    def require_gallery(self) -> None:
        """:raises RequestRefused: the gallery is closed or full."""
        if not self.is_gallery_open:
            raise RequestRefused(RefusalCode.GALLERY_SHUT, "refused-no-spectators")
        if len(self.watchers) >= GALLERY_SIZE:
            raise RequestRefused(RefusalCode.GALLERY_SHUT, "refused-gallery-full")

    def sit(self, sitter: Sitter, seat: Seat) -> None:
        self.watchers.pop(sitter.id, None)
        self.invited.pop(sitter.id, None)
        self.chairs[seat] = Chair(Timer(self._bank_ms), sitter, agrees=True)

    def vacate(self, seat: Seat, gone: str = "") -> None:
        """Empty the chair. `gone`: name of a player who left a game that continues."""
        self.chairs[seat] = Chair(Timer(self._bank_ms), gone=gone)

    def invite(self, person: PersonId, invitation: Invitation) -> None:
        """Remember the invitation, the latest of each guest."""
        self.invited.pop(person, None)
        self.invited[person] = invitation
        if len(self.invited) > MOST_INVITED:
            del self.invited[next(iter(self.invited))]

    def forget(self, name: str) -> None:
        """Remove every mention of a person who neither sits nor watches here."""
        for chair in self.chairs:
            if same_name(chair.gone) == same_name(name):
                chair.gone = GONE
        self.invited = {guest: one for guest, one in self.invited.items() if same_name(one.by) != same_name(name)}
        self.let_in(same_name(name))

    def keep_out(self, name: str) -> None:
        self.kept_out = (*self.kept_out, name)[-MOST_KEPT_OUT:]

    def let_in(self, name: str) -> None:
        self.kept_out = tuple([one for one in self.kept_out if one != name])

    def refill_banks(self) -> None:
        for chair in self.chairs:
            chair.bank = Timer(self._bank_ms)
