"""Beats: messages by which each worker says that it is alive and what it runs, and what follows from those of others.

Nothing else tells which worker has a shard. A worker that is not heard for `DEAD_S` is taken for dead, and its shards
for free. A wrong guess costs a takeover and nothing else: no acknowledged play depends on beats, because the stream of
a shard refuses all but the worker that claimed it last. Of two workers that run the same shard the former ends when it
writes, or when it hears of the later claim.

A free shard is for the live worker that runs the fewest. All who hear the same beats choose the same one; any worker
takes a shard that stays free for `SPARE_S`.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

DEAD_S: Final = 1.5
"""Silence after which a worker is taken for dead: six beats."""

STALL_S: Final = 1.0
"""Pause of our own process after which the silence of others may be ours."""

SPARE_S: Final = 1.0
"""Time for which a free shard is left to the worker that it is for."""


class Heartbeat(Struct, frozen=True, array_like=True):
    worker: str
    shards: tuple[int, ...]
    """Shards that it runs, or keeps because they cannot be read."""
    is_leaving: bool = False
    """It gives away all its shards, and takes no other."""
    claims: tuple[int, ...] = ()
    """Claim of each of its shards; 0: it has not claimed that one yet."""


class LiveWorkers:
    """Other workers that are alive, by the time at which each was last heard."""

    def __init__(self, now: float) -> None:
        self._beats: dict[str, tuple[Heartbeat, float]] = {}
        self._looked_at = now

    def hear(self, beat: Heartbeat, now: float) -> bool:
        """Note a worker's beat; returns whether it says something new."""
        former = self._beats.get(beat.worker)
        self._beats[beat.worker] = beat, now
        return former is None or former[0] != beat

    def living(self, now: float) -> list[Heartbeat]:
        """The last beat of each; call it several times a second. Silence is forgiven if our own process stood still."""
        is_stalled = now - self._looked_at >= STALL_S
        self._looked_at = now
        self._beats = {
            beat.worker: (beat, now if is_stalled else at)
            for beat, at in self._beats.values()
            if is_stalled or now - at < DEAD_S
        }
        return [beat for beat, _ in self._beats.values()]


def to_take(us: str, loads: Mapping[str, int], free: Mapping[int, float]) -> list[int]:
    """The free shards that a worker is to take now. `loads`: number of shards of each worker that may take some.
    `free`: seconds for which each free shard was seen to be free."""
    loads, taken = dict(loads), []
    for shard in sorted(free) if us in loads else ():
        chosen = us if free[shard] >= SPARE_S else min(loads, key=lambda worker: (loads[worker], worker))
        loads[chosen] += 1
        if chosen == us:
            taken.append(shard)
    return taken
