"""Clock of a shard: milliseconds that go on from its last record, and never back.

It stands still while nobody can play: while the stream acknowledges nothing, for then nobody is told that it is their
turn; while no gateway is heard; and while its process stood still. So nobody loses their turn to an election of the
broker, or to a machine that was paused. Whoever takes the shard over goes on from the last record. No calendar has a
part in it: however wrong the clock of a machine is, the time of a game goes on at the same pace.
"""

import time
from collections.abc import Callable
from typing import Final

STILL_MS: Final = 1_000
"""For which nothing was acknowledged or heard, or nobody looked at the clock, until it stands still. It is looked at
several times a second, and gateways beat as often."""


def milliseconds() -> int:
    """Of this machine, from an arbitrary moment."""
    return time.monotonic_ns() // 1_000_000


class ShardClock:
    """A clock that is called."""

    def __init__(
        self, start: int, waits_since: Callable[[], int | None], milliseconds: Callable[[], int] = milliseconds
    ) -> None:
        """`waits_since`: since when an answer is waited for, by `milliseconds`; None: none is."""
        self._milliseconds = milliseconds
        self._waits_since = waits_since
        self._read_at = milliseconds()
        self._now = start

    def __call__(self) -> int:
        at = self._milliseconds()
        goes_until = min(at, self._read_at + STILL_MS)
        if (since := self._waits_since()) is not None:
            goes_until = min(goes_until, since + STILL_MS)
        self._now += max(0, goes_until - self._read_at)
        self._read_at = at
        return self._now
