"""A pause of the game in play: asked for, then agreed to by all who sit, and over when all are ready or time is up."""

from dataclasses import dataclass, field

from put_protocol.seats import Seat
from put_protocol.table_info import (
    PauseInfo,
)
from put_server.table.clock import Timer

USUAL_MINUTES = 60
"""A pause for which nobody says how long: a meal."""


@dataclass(slots=True)
class Pause:
    """One pause."""

    minutes: int
    seats: set[Seat] = field(default_factory=set)
    """Who asks for it; once it is on, who is ready to go on."""
    timer: Timer | None = None
    """Until the game goes on by itself; None: it is only asked for."""

    @property
    def is_on(self) -> bool:
        return self.timer is not None

    def begin(self, now: int) -> None:
        """Everyone agreed."""
        self.seats = set()
        self.timer = Timer(self.minutes * 60_000, now)

    def info(self) -> PauseInfo:
        return PauseInfo(self.minutes, tuple(sorted(self.seats)))
