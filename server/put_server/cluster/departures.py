"""Departures: a gateway sees to it that every shard hears of a `bye`.

The home of a person who departs answers the `bye` and forgets them. If another shard kept a seat for them, they could
never come back to it. But that shard may be down, or lose its worker before the departure is on its stream. So each
shard that may not have heard of it is told when its link opens again: the gateway makes the person visit it once more,
and depart.

A departure is remembered only after the home has said that it is safe. From then on the token is worthless, so a late
departure takes nothing from anyone. Only this gateway remembers it, and for a limited time. If the gateway dies, the
seat ends when its time is up, as that of any lost player.
"""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from put_server.cluster.guests import Guest
from put_server.cluster.link_messages import (
    Absent,
    Admitted,
    Departed,
    Farewell,
    FromGateway,
    FromShard,
    Visit,
    VisitKind,
)

KNOWN_MS: Final = 120_000
"""Time for which a departure is remembered: a shard is never so long without a worker."""

MOST: Final = 10_000
"""Largest number of departures, each from one shard; the oldest is forgotten first."""


class Departures:
    """All departures of which some shard may not have heard."""

    def __init__(self, send: Callable[[int, FromGateway], bool], next_number: Callable[[], int], shards: int) -> None:
        """`send`: sends to a shard, and returns whether it can be reached. `next_number`: numbers a connection."""
        self._send = send
        self._next_number = next_number
        self._shards = shards
        self._unheard: dict[tuple[int, bytes], tuple[Visit, int]] = {}
        """The visit to make, and the time of the departure, by shard and digest of token."""
        self._asked: dict[int, tuple[int, bytes]] = {}
        """Shard and digest of each visit that was sent, by the number of its connection."""

    def __len__(self) -> int:
        return len(self._unheard)

    def note(self, guest: Guest, now: int) -> None:
        """Note that a guest has departed from their home."""
        for shard in sorted(guest.left):
            visit = guest.visit(guest.hello, VisitKind.KNOWN, shard, self._shards)
            self._unheard[shard, guest.digest] = visit, now
            if not guest.left[shard]:
                self._ask(shard, guest.digest)
        while len(self._unheard) > MOST:
            del self._unheard[next(iter(self._unheard))]

    def opened(self, shard: int) -> None:
        """Make the visits to a shard whose link is up again."""
        self._asked = {number: asked for number, asked in self._asked.items() if asked[0] != shard}
        for at, digest in list(self._unheard):
            if at == shard:
                self._ask(shard, digest)

    def _ask(self, shard: int, digest: bytes) -> None:
        former, at = self._unheard[shard, digest]
        # A shard refuses a connection that is no later than the last of theirs.
        visit = replace(former, connection=self._next_number(), incarnation=former.incarnation + 1)
        if self._send(shard, visit):
            self._unheard[shard, digest] = visit, at
            self._asked[visit.connection] = shard, digest

    def answered(self, shard: int, number: int, item: FromShard) -> None:
        """Take a shard's answer for a connection that is no guest's."""
        if (asked := self._asked.get(number)) is None:
            return
        match item:
            case Admitted():  # and it is still remembered: the departure is not on the shard's stream yet
                self._send(shard, Departed(number))
            case Absent() | Farewell():
                del self._asked[number]
                self._unheard.pop(asked, None)
            case _:
                pass

    def forget(self, now: int) -> None:
        """Forget old departures."""
        for asked, (_, at) in list(self._unheard.items()):
            if now - at < KNOWN_MS:
                return  # later ones follow
            del self._unheard[asked]
