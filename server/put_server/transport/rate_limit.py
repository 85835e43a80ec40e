"""Rate limits: debts that time pays off, and delays of guesses, with time passed in.

Only requests that burden the server or others count. An accepted move does not count: the table sets its pace, so a bot
at fifty tables never meets the limit by playing.
"""

import math
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


class Account:
    """Debt that time pays off, up to a limit."""

    __slots__ = ("_at", "_credit", "_rate", "debt")

    def __init__(self, now: int, rate: float, credit: float) -> None:
        """`rate`: paid off in a second. `credit`: the limit."""
        self.debt: float = 0
        """The debt at the time of the last `settle`."""
        self._rate = rate
        self._credit = credit
        self._at = now

    def settle(self, now: int) -> float:
        """Pay off for the time that passed; returns the debt left."""
        if self.debt:
            self.debt = max(0, self.debt - (now - self._at) * self._rate / 1000)
        self._at = now
        return self.debt

    def charge(self, now: int, cost: float, most: float = math.inf) -> bool:
        """Returns true if the debt is now over the limit. `most`: debt beyond this is forgiven."""
        debt = self.debt - (now - self._at) * self._rate / 1000
        self.debt = debt = min(debt + cost if debt > 0.0 else cost, most)
        self._at = now
        return debt > self._credit

    def is_over(self, now: int) -> bool:
        return self.debt > self._credit and self.settle(now) > self._credit

    def spend(self, now: int, cost: float = 1) -> int:
        """Charge a cost within the limit; returns 0, or the milliseconds to wait before another attempt."""
        debt = self.settle(now) + cost
        if debt > self._credit:
            return max(1, round((debt - self._credit) * 1000 / self._rate))
        self.debt = debt
        return 0

    def wait_s(self, now: int) -> float:
        return max(0.0, self.settle(now) - self._credit) / self._rate


class RateLimit(Account):
    __slots__ = ("too_fast",)

    def __init__(self, now: int) -> None:
        super().__init__(now, REQUESTS_PER_SECOND, REQUESTS_AT_ONCE)
        self.too_fast: float = 0
        """Refused requests, less forgiven ones."""

    def spend(self, now: int, cost: float = 1) -> int:
        wait = super().spend(now, cost)
        self.too_fast = self.too_fast + cost if wait else max(0, self.too_fast - FORGIVEN)
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
