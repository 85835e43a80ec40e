"""Clock by which the server's times are checked: it never runs slow, whatever the machine does.

A monotonic clock stands still while the machine sleeps, and the clock of the day may be set back. A slow clock would
say of an honest server that it ended a player's time too soon. So of both the one that went on further counts, each
time that it is read. Where the clock of the day is set forward this one runs ahead: a time-out that comes too soon is
not noticed then, and nobody is accused.
"""

import time
from collections.abc import Callable

CLOCKS = (time.monotonic, time.time)


class ElapsedClock:
    def __init__(self, clocks: tuple[Callable[[], float], ...] = CLOCKS) -> None:
        self._clocks = clocks
        self._read = [clock() for clock in clocks]
        self._now = self._read[0]

    def now(self) -> float:
        """Seconds since some moment."""
        read = [clock() for clock in self._clocks]
        self._now += max(0.0, *[after - before for before, after in zip(self._read, read, strict=True)])
        self._read = read
        return self._now
