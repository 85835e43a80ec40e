"""Fair queue: work that waits, in turns by network, then by address in it, then by person.

The next piece is of those who have taken the least time since they began to wait. Who comes begins level with the one
who has taken the least among those who wait: they neither make up for the time before, nor wait for it.
"""

from typing import Generic, TypeVar

from put_server.lobby.prefixes import prefixes_of
from put_server.table.table_effects import PersonId

T = TypeVar("T")

Payers = tuple[str, ...]
"""Whom a piece of work is for, the widest network first, and the person last."""


def payers_of(origin: str, person: PersonId) -> Payers:
    """Queue keys of a person at an origin; all exempt origins share one."""
    networks = [prefix.network for prefix in prefixes_of(origin)] or [origin]
    return (*reversed(networks), f"{origin} {person}")


class FairQueue(Generic[T]):
    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: list[tuple[Payers, T]] = []
        """The oldest first."""
        self._taken: dict[str, float] = {}
        """Seconds, of who waits and of who was served last."""

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def items(self) -> list[T]:
        return [item for _, item in self._waiting]

    def put(self, payers: Payers, item: T) -> T | None:
        """Have something wait. Returns what gives way where the queue is full: the latest of the network, and in it of
        the address and of the person, with the most that waits."""
        for width, who in enumerate(payers):
            least = min(
                [self._taken[waiting[width]] for waiting, _ in self._waiting if width < len(waiting)], default=0.0
            )
            self._taken[who] = max(self._taken.get(who, 0.0), least)
        self._waiting.append((payers, item))
        if len(self._waiting) <= self._most:
            return None
        counts: dict[str, int] = {}
        for waiting, _ in self._waiting:
            for who in waiting:
                counts[who] = counts.get(who, 0) + 1
        crowded = max(reversed(range(len(self._waiting))), key=lambda n: [counts[who] for who in self._waiting[n][0]])
        return self._waiting.pop(crowded)[1]

    def take(self) -> tuple[Payers, T]:
        """The next, which waits no more."""
        found = min(range(len(self._waiting)), key=lambda n: [self._taken[who] for who in self._waiting[n][0]])
        payers, item = self._waiting.pop(found)
        kept = {who for waiting, _ in self._waiting for who in waiting} | set(payers)
        self._taken = {who: taken for who, taken in self._taken.items() if who in kept}
        return payers, item

    def charge(self, payers: Payers, seconds: float) -> None:
        """A piece that they took last has taken so long."""
        for who in payers:
            self._taken[who] = self._taken.get(who, 0.0) + seconds
