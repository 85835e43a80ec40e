"""The people at a table: its chairs, and its gallery."""

from put_protocol.refusals import RefusalCode
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.table_info import (
    ClockInfo,
)
from put_server.table.chairs import Chair, Sitter
from put_server.table.clock import Timer
from put_server.table.effects import PersonId
from put_server.table.refusal import Refusal


class Seating:
    """The company of a table, before anybody plays."""

    def __init__(self, seats: int, clock: ClockInfo) -> None:
        self.clock = clock
        self.chairs = [self._chair() for _ in range(seats)]
        self.watchers: dict[PersonId, str] = {}

    def _chair(self, sitter: Sitter | None = None, gone: str = "") -> Chair:
        return Chair(Timer(self.clock.bank * 1000), sitter, agrees=sitter is not None, gone=gone)

    def seat_of(self, person: PersonId) -> Seat | None:
        """Where a person sits."""
        for seat, chair in enumerate(self.chairs):
            if chair.sitter is not None and chair.sitter.id == person:
                return Seat(seat)
        return None

    def viewer_of(self, person: PersonId) -> Viewer | None:
        """As whom a person sees the table; None: they are not at it."""
        seat = self.seat_of(person)
        if seat is not None:
            return seat
        return GALLERY if person in self.watchers else None

    @property
    def people(self) -> tuple[PersonId, ...]:
        """Everybody at it but the house."""
        sitters = [c.sitter.id for c in self.chairs if c.sitter is not None and not c.sitter.is_house]
        return (*sitters, *self.watchers)

    @property
    def is_empty(self) -> bool:
        """Nobody sits, not even the house."""
        return all(chair.sitter is None for chair in self.chairs)

    def _people_as(self, viewer: Viewer) -> tuple[PersonId, ...]:
        if viewer == GALLERY:
            return tuple(self.watchers)
        sitter = self.chairs[viewer].sitter
        return () if sitter is None else (sitter.id,)

    def _free_seat(self, seat: Seat | None) -> Seat:
        if seat is not None and seat >= len(self.chairs):
            raise Refusal(RefusalCode.NO_SUCH_SEAT, f"this table has seats 0 to {len(self.chairs) - 1}", field="seat")
        wanted = range(len(self.chairs)) if seat is None else (seat,)
        for free in wanted:
            if self.chairs[free].sitter is None:
                return Seat(free)
        raise Refusal(RefusalCode.SEAT_TAKEN, "no seat is free" if seat is None else f"seat {seat} is taken")

    def _seat_needed(self, person: PersonId) -> Seat:
        seat = self.seat_of(person)
        if seat is None:
            raise Refusal(RefusalCode.NOT_THERE, "you do not sit at this table")
        return seat

    def _watching_needed(self, person: PersonId) -> None:
        if person not in self.watchers:
            raise Refusal(RefusalCode.NOT_THERE, "you are not at this table")
