"""Beats: heartbeats in which each worker lists its shards, and decisions from the beats of others.

Only beats show which worker has a shard. A worker that is silent for `DEAD_S` counts as dead, and its shards as free. A
wrong guess costs only a takeover: acknowledged play does not depend on beats, because the stream of a shard accepts
only the worker that claimed it last. If two workers run the same shard, the earlier one ends when it writes, or when it
learns of the later claim.

A free shard is for the live worker with the fewest shards. Workers that hear the same beats choose the same worker. Any
worker takes a shard that stays free for `SPARE_S`.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

DEAD_S: Final = 1.5
"""Silence after which a worker counts as dead: six beats."""

STALL_S: Final = 1.0
"""Pause of our own process after which the others' silence may be our fault."""

SPARE_S: Final = 1.0
"""Time for which a free shard is reserved for its designated worker."""


class Heartbeat(Struct, frozen=True, array_like=True):
    worker: str
    shards: tuple[int, ...]
    """Shards that it runs, or holds because they cannot be read."""
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
        """Note a worker's beat; returns true if it has news."""
        former = self._beats.get(beat.worker)
        self._beats[beat.worker] = beat, now
        return former is None or former[0] != beat

    def living(self, now: float) -> list[Heartbeat]:
        """The last beat of each live worker; call it several times a second. Silence is ignored if our own process
        stood still."""
        is_stalled = now - self._looked_at >= STALL_S
        self._looked_at = now
        self._beats = {
            beat.worker: (beat, now if is_stalled else at)
            for beat, at in self._beats.values()
            if is_stalled or now - at < DEAD_S
        }
        return [beat for beat, _ in self._beats.values()]


def to_take(us: str, loads: Mapping[str, int], free: Mapping[int, float]) -> list[int]:
    """Free shards that a worker should take now. `loads`: number of shards of each worker that may take some. `free`:
    seconds since each free shard became free."""
    loads, taken = dict(loads), []
    for shard in sorted(free) if us in loads else ():
        chosen = us if free[shard] >= SPARE_S else min(loads, key=lambda worker: (loads[worker], worker))
        loads[chosen] += 1
        if chosen == us:
            taken.append(shard)
    return taken
