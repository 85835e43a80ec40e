"""Workers that are alive: each publishes beats, and one that is silent for a lease is taken for dead."""

from collections.abc import Collection, Iterable
from typing import Final

from msgspec import Struct

from put_server.cluster.leases import NO_WORKER

LEASE_S: Final = 1.5
"""Silence after which a worker is taken for dead: six beats."""

STALL_S: Final = 1.0
"""Pause of our own process after which the silence of others may be ours."""


class Heartbeat(Struct, frozen=True, array_like=True):
    """Message by which a worker says that it is alive."""

    worker: str
    shards: tuple[int, ...]
    """Shards that it runs."""
    is_leaving: bool = False
    """It gives away all its shards, and takes no other."""


class LiveWorkers:
    """Workers that are alive, by the time at which each was last heard."""

    def __init__(self, now: float) -> None:
        self._beats: dict[str, tuple[Heartbeat, float]] = {}
        """The last beat of each worker, and its time."""
        self._silent_since: dict[str, float] = {}
        """Holders of shards that do not beat: the time of their last beat, or at which we first knew of them."""
        self._looked_at = now

    def heed_stall(self, now: float) -> None:
        """Forgive silence if our own process stood still; call it several times a second."""
        if now - self._looked_at >= STALL_S:
            self._beats = {worker: (beat, now) for worker, (beat, _) in self._beats.items()}
            self._silent_since.clear()
        self._looked_at = now

    def is_anybody_silent(self, now: float) -> bool:
        """Tell whether a worker may have died."""
        return bool(self._silent_since) or any(now - at >= LEASE_S for _, at in self._beats.values())

    def hear(self, beat: Heartbeat, now: float) -> bool:
        """Note a worker's beat; returns whether it says something new."""
        former = self._beats.get(beat.worker)
        self._beats[beat.worker] = beat, now
        return former is None or former[0] != beat

    def leaves(self, worker: str) -> bool:
        heard = self._beats.get(worker)
        return heard is not None and heard[0].is_leaving

    def running(self, holders: Iterable[str], now: float) -> dict[str, Collection[int]]:
        """The shards of every living worker, leaving ones included. A holder that has not beaten yet has none."""
        self.heed_stall(now)
        for worker, (_, at) in list(self._beats.items()):
            if now - at >= LEASE_S:
                del self._beats[worker]
                self._silent_since[worker] = at
        silent = {holder for holder in holders if holder != NO_WORKER and holder not in self._beats}
        self._silent_since = {holder: self._silent_since.get(holder, now) for holder in silent}
        running: dict[str, Collection[int]] = {worker: beat.shards for worker, (beat, _) in self._beats.items()}
        for holder, since in self._silent_since.items():
            if now - since < LEASE_S:
                running[holder] = ()
        return running
