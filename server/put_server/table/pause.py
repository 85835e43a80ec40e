"""A pause of the game in play: begins when all players have asked, and ends when all are ready or time is up."""

from collections.abc import Set as AbstractSet

from msgspec import Struct, field

from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_info import PauseInfo
from put_server.table.clock import Timer
from put_server.table.table_effects import RequestRefused

USUAL_MINUTES = 60
"""Length of a pause without a named length: enough for a meal."""


class PauseState(Struct):
    """One pause. The fields are those of the journal."""

    minutes: int
    seats: set[Seat] = field(default_factory=set)
    """Seats that ask for the pause; after it has begun, seats that are ready to continue."""
    timer: Timer | None = None
    """Time until the game continues by itself; None: the pause has not begun."""

    @property
    def is_on(self) -> bool:
        return self.timer is not None

    def remaining(self, now: int) -> int | None:
        """Milliseconds until the game continues by itself; None: the pause has not begun."""
        return None if self.timer is None else self.timer.remaining(now)

    def begin(self, now: int) -> None:
        self.seats = set()
        self.timer = Timer(self.minutes * 60_000, now)

    def get_ready(self, seat: Seat) -> None:
        """:raises RequestRefused: the pause has not begun, or they are already ready."""
        if not self.is_on:
            raise RequestRefused(RefusalCode.PAUSED, "refused-not-paused")
        if seat in self.seats:
            raise RequestRefused(RefusalCode.ALREADY_THERE, "refused-ready")
        self.seats.add(seat)

    def is_settled(self, voters: AbstractSet[Seat]) -> bool:
        """True if all voters want the pause to begin, or to end. Without voters a pause can only end."""
        return voters <= self.seats if voters else self.is_on

    def info(self) -> PauseInfo:
        return PauseInfo(self.minutes, tuple(sorted(self.seats)))


def ask_for_pause(asked: PauseState | None, seat: Seat, minutes: int) -> PauseState:
    """The pause after the request of this seat. Its length is the shortest that a player asked for, so no player is
    bound to a longer one than they agreed to. A player who has asked may shorten it, or lengthen it while no other
    player has asked. `minutes` 0: the others' length, or the usual one.

    :raises RequestRefused: the pause has begun, or the request changes nothing.
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
