"""Rate limits: token buckets, with time passed in.

Only what burdens others or us is counted against a person. An accepted move is not: the table itself sets its pace, and
a bot at fifty tables never meets the limit by playing.
"""

from put_protocol.limits import DEAD_MS, FRAME_BYTES, LOBBY_PAGES, QUIET_MS, REQUEST_ARRAY_ITEMS
from put_protocol.offers import Limits
from put_server.table.step_waits import STEP_MS

REQUESTS_PER_SECOND = 20
"""More than any hand types; looks, seats and talk of a busy bot fit too."""

REQUESTS_AT_ONCE = 60
"""A bot that comes back sits at, or opens, as many tables as it may have in one go."""

TABLES_A_PERSON = REQUEST_ARRAY_ITEMS
"""Enough for a busy bot, and no more, so that one person cannot take every table. A client that comes back names
them all in one list."""

TOLD = Limits(
    frame_bytes=FRAME_BYTES,
    requests_per_second=REQUESTS_PER_SECOND,
    requests_at_once=REQUESTS_AT_ONCE,
    tables=TABLES_A_PERSON,
    quiet_ms=QUIET_MS,
    dead_ms=DEAD_MS,
    lobby_pages=LOBBY_PAGES,
    part_ms=STEP_MS,
)
"""Limits that `welcome` tells."""

REFUSALS_BEFORE_CLOSING = 200
"""Disconnect after this many refusals: a peer that never waits is not served."""

FORGIVEN = 10
"""Refusals that a request makes up for which comes in time."""


class Bucket:
    """Allowances: so many at once, and so many more a second."""

    __slots__ = ("_at", "_left", "_most", "_per_second")

    def __init__(self, now: int, *, most: float, per_second: float) -> None:
        self._left = self._most = most
        self._per_second = per_second
        self._at = now

    def spend(self, now: int, count: int = 1) -> int:
        """Take an allowance; returns 0, or how many milliseconds to wait before asking again."""
        self._refill(now)
        if self._left < count:
            return max(1, round((count - self._left) * 1000 / self._per_second))
        self._left -= count
        return 0

    def is_full(self, now: int) -> bool:
        """True if it is as if nothing had been taken."""
        self._refill(now)
        return self._left >= self._most

    def _refill(self, now: int) -> None:
        self._left = min(self._most, self._left + (now - self._at) * self._per_second / 1000)
        self._at = now


class RateLimit(Bucket):
    __slots__ = ("too_fast",)

    def __init__(self, now: int) -> None:
        super().__init__(now, most=REQUESTS_AT_ONCE, per_second=REQUESTS_PER_SECOND)
        self.too_fast = 0
        """Requests refused, less those made up for."""

    def spend(self, now: int, count: int = 1) -> int:
        wait = super().spend(now, count)
        self.too_fast = self.too_fast + count if wait else max(0, self.too_fast - FORGIVEN)
        return wait

    @property
    def is_hopeless(self) -> bool:
        return self.too_fast >= REFUSALS_BEFORE_CLOSING
