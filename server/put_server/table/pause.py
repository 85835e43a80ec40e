"""A pause of the game in play: asked for, then agreed to by all who sit, and over when all are ready or time is up."""

from collections.abc import Set as AbstractSet

from msgspec import Struct, field

from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_info import PauseInfo
from put_server.table.clock import Timer
from put_server.table.table_effects import RequestRefused

USUAL_MINUTES = 60
"""Length of a pause for which no player names one: a meal."""


class PauseState(Struct):
    """One pause. The fields are those of the journal."""

    minutes: int
    seats: set[Seat] = field(default_factory=set)
    """Seats that ask for it; once it is on, seats that are ready to go on."""
    timer: Timer | None = None
    """Time until the game goes on by itself; None: the pause is only asked for."""

    @property
    def is_on(self) -> bool:
        return self.timer is not None

    def remaining(self, now: int) -> int | None:
        """Milliseconds until the game goes on by itself; None: it is only asked for."""
        return None if self.timer is None else self.timer.remaining(now)

    def begin(self, now: int) -> None:
        self.seats = set()
        self.timer = Timer(self.minutes * 60_000, now)

    def get_ready(self, seat: Seat) -> None:
        """:raises RequestRefused: it is not on, or they are ready already."""
        if not self.is_on:
            raise RequestRefused(RefusalCode.PAUSED, "refused-not-paused")
        if seat in self.seats:
            raise RequestRefused(RefusalCode.ALREADY_THERE, "refused-ready")
        self.seats.add(seat)

    def is_settled(self, voters: AbstractSet[Seat]) -> bool:
        """True if all who have a say want it to begin or, if it is on, to end. With no player left it only ends."""
        return voters <= self.seats if voters else self.is_on

    def info(self) -> PauseInfo:
        return PauseInfo(self.minutes, tuple(sorted(self.seats)))


def ask_for_pause(asked: PauseState | None, seat: Seat, minutes: int) -> PauseState:
    """The pause that is asked for once this seat has, too. It is as long as the shortest that anybody asked for: so it
    begins at any lengths they name, and no player is bound to a longer one than they agreed to. Whoever has asked may
    shorten it, and alone lengthen it. `minutes` 0: as the others ask, or the usual.

    :raises RequestRefused: it is on, or they have asked already and this changes nothing.
    """
    if asked is None:
        return PauseState(minutes or USUAL_MINUTES, {seat})
    if asked.is_on:
        raise RequestRefused(RefusalCode.PAUSED, "refused-paused-already")
    minutes = minutes or asked.minutes
    if seat in asked.seats and (minutes == asked.minutes or (minutes > asked.minutes and asked.seats != {seat})):
        raise RequestRefused(RefusalCode.ALREADY_THERE, "refused-pause-asked")
    asked.minutes = minutes if asked.seats == {seat} else min(minutes, asked.minutes)
    asked.seats.add(seat)
    return asked
