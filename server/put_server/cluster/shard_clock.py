"""Clock of a shard: milliseconds that go on from its last record, and never back.

It stands still while no player can play: while the stream acknowledges nothing, for then players are not told that it
is their turn; while no gateway is heard; and while its process stood still. So no player loses a turn to an election
of the broker, or to a machine that was paused. A worker that takes the shard over goes on from the last record. The
clock never reads the date: games keep the same pace on a machine whose date is wrong.
"""

import time
from collections.abc import Callable
from typing import Final

STILL_MS: Final = 1_000
"""The clock stops after so long without an acknowledgment, a beat of a gateway, or a reading of the clock. All three
come several times a second."""


def milliseconds() -> int:
    """Monotonic time of this machine; its zero is arbitrary."""
    return time.monotonic_ns() // 1_000_000


class ShardClock:
    def __init__(
        self, start: int, waits_since: Callable[[], int | None], milliseconds: Callable[[], int] = milliseconds
    ) -> None:
        """`waits_since`: the time of `milliseconds` at which the wait for an answer began; None: nothing is awaited."""
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
