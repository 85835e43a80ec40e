"""Rate limit for one peer's requests: a token bucket, with time passed in.

Only what burdens others or us is counted. An accepted move is not: the table itself sets its pace, and a bot at fifty
tables never meets the limit by playing.
"""

REQUESTS_PER_SECOND = 20
"""More than any hand types; looks, seats and talk of a busy bot fit too."""

REQUESTS_AT_ONCE = 60
"""A bot that comes back sits at, or opens, as many tables as it may have in one go."""

REFUSALS_BEFORE_CLOSING = 200
"""Disconnect after this many refusals in a row: a peer that never waits is not served."""


class RateLimit:
    """One peer's token bucket."""

    __slots__ = ("_at", "_left", "too_fast")

    def __init__(self, now: int) -> None:
        self._left = float(REQUESTS_AT_ONCE)
        self._at = now
        self.too_fast = 0
        """Requests refused in a row."""

    def spend(self, now: int, count: int = 1) -> int:
        """Take an allowance; returns 0, or how many milliseconds to wait before asking again."""
        gained = (now - self._at) * REQUESTS_PER_SECOND / 1000
        self._left = min(float(REQUESTS_AT_ONCE), self._left + gained)
        self._at = now
        if self._left < count:
            self.too_fast += count
            return max(1, round((count - self._left) * 1000 / REQUESTS_PER_SECOND))
        self._left -= count
        self.too_fast = 0
        return 0

    @property
    def is_hopeless(self) -> bool:
        return self.too_fast >= REFUSALS_BEFORE_CLOSING
