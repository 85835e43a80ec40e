"""Rate limits: token buckets of requests, and delays of guesses, with time passed in.

Only requests that burden the server or others count. An accepted move does not count: the table sets its pace, so a bot
at fifty tables never meets the limit by playing.
"""

from typing import Final

from put_protocol.limits import DEAD_MS, FRAME_BYTES, LOBBY_PAGES, QUIET_MS, REQUEST_ARRAY_ITEMS
from put_protocol.offers import Limits
from put_server.table.step_waits import STEP_MS

REQUESTS_PER_SECOND = 20
"""More than a person can type, and enough for looks, seats and talk of a busy bot."""

REQUESTS_AT_ONCE = 60
"""A returning bot sits down at, or opens, all the tables that it may have at once."""

TABLES_A_PERSON = REQUEST_ARRAY_ITEMS
"""Enough for a busy bot, while one person cannot take every table. A returning client lists all of them in one list."""

WELCOME_LIMITS = Limits(
    frame_bytes=FRAME_BYTES,
    requests_per_second=REQUESTS_PER_SECOND,
    requests_at_once=REQUESTS_AT_ONCE,
    tables=TABLES_A_PERSON,
    quiet_ms=QUIET_MS,
    dead_ms=DEAD_MS,
    lobby_pages=LOBBY_PAGES,
    part_ms=STEP_MS,
)

REFUSALS_BEFORE_CLOSING = 200
"""Disconnect after this many refusals: a peer that never waits is not served."""

FORGIVEN = 10
"""Refusals forgiven for each request that comes in time."""


class TokenBucket:
    __slots__ = ("_at", "_left", "_most", "_per_second")

    def __init__(self, now: int, *, most: float, per_second: float) -> None:
        self._left = self._most = most
        self._per_second = per_second
        self._at = now

    def spend(self, now: int, count: int = 1) -> int:
        """Take tokens; returns 0, or the milliseconds to wait before another attempt."""
        self._refill(now)
        if self._left < count:
            return max(1, round((count - self._left) * 1000 / self._per_second))
        self._left -= count
        return 0

    def is_full(self, now: int) -> bool:
        self._refill(now)
        return self._left >= self._most

    def _refill(self, now: int) -> None:
        self._left = min(self._most, self._left + (now - self._at) * self._per_second / 1000)
        self._at = now


class RateLimit(TokenBucket):
    __slots__ = ("too_fast",)

    def __init__(self, now: int) -> None:
        super().__init__(now, most=REQUESTS_AT_ONCE, per_second=REQUESTS_PER_SECOND)
        self.too_fast = 0
        """Refused requests, less forgiven ones."""

    def spend(self, now: int, count: int = 1) -> int:
        wait = super().spend(now, count)
        self.too_fast = self.too_fast + count if wait else max(0, self.too_fast - FORGIVEN)
        return wait

    @property
    def is_hopeless(self) -> bool:
        return self.too_fast >= REFUSALS_BEFORE_CLOSING


FREE_GUESSES: Final = 3
"""Wrong guesses without a delay: mistyped passwords, and old tokens."""

FIRST_DELAY_MS: Final = 1_000
"""Delay after the next wrong guess; it doubles with each."""

LONGEST_DELAY_MS: Final = 60_000
"""Longest delay: a guess a minute, half a million a year."""

GUESSES_FORGIVEN_MS: Final = 15 * 60_000
"""Time without a wrong guess after which all are forgotten."""

KEPT_GUESSERS: Final = 4_096
"""Most origins whose guesses are remembered; the oldest are dropped first."""


class Guesses:
    """Wrong passwords and tokens by peer, and the delay before the next guess.

    The delay grows with every guess, and applies to right guesses too: otherwise a quick answer would reveal them. Only
    the guessing connection waits.
    """

    def __init__(self) -> None:
        self._wrong: dict[str, tuple[int, int]] = {}
        """Number of guesses and time of the last, by peer; the oldest first."""

    def note(self, who: str, now: int) -> None:
        count, at = self._wrong.pop(who, (0, now))
        if now - at >= GUESSES_FORGIVEN_MS:
            count = 0
        self._wrong[who] = (count + 1, now)
        if len(self._wrong) > KEPT_GUESSERS:
            del self._wrong[next(iter(self._wrong))]

    def wait(self, who: str, now: int, share: int = 1) -> int:
        """Milliseconds until the next guess is checked. `share`: number of addresses that a network counts for."""
        count, at = self._wrong.get(who, (0, 0))
        if count < FREE_GUESSES * share:
            return 0
        delay = min(LONGEST_DELAY_MS, FIRST_DELAY_MS << min(count - FREE_GUESSES * share, 16)) // share
        return max(0, at + delay - now)
