"""Departures: what a gateway does so that every shard hears of a `bye`.

The home of who departs answers for that, and forgets them. Where else they had a seat, nobody could ever come back to
it. But a shard may be down meanwhile, or lose its worker before the departure is on its stream. So each shard that may
not have heard it is told when its link opens again: the gateway has them come there once more, and depart.

A departure is remembered only after the home has said that it is safe, for a token that nobody has any more can bring
nobody back. So what is told late harms nobody. It is remembered for a while, by this gateway alone: where that dies,
the seat ends when its time is up, as that of anybody who is lost.
"""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from put_server.cluster.guests import Guest
from put_server.cluster.link_messages import Absent, Admitted, Coming, Departed, Farewell, FromGateway, FromShard, Visit

KNOWN_MS: Final = 120_000
"""For which a departure is remembered: no shard is between two workers for so long."""

MOST: Final = 10_000
"""Departures, each from one shard; the oldest is forgotten first."""


class Departures:
    """All of which some shard may not have heard."""

    def __init__(self, send: Callable[[int, FromGateway], bool], next_number: Callable[[], int], shards: int) -> None:
        """`send`: to a shard; returns whether it can be reached. `next_number`: of a connection."""
        self._send = send
        self._next_number = next_number
        self._shards = shards
        self._unheard: dict[tuple[int, bytes], tuple[Visit, int]] = {}
        """By shard and digest: how they come there once more, and when they departed."""
        self._asked: dict[int, tuple[int, bytes]] = {}
        """Those that were sent such a visit, by the connection that it named."""

    def __len__(self) -> int:
        return len(self._unheard)

    def note(self, guest: Guest, now: int) -> None:
        """Somebody has departed from their home."""
        for shard in sorted(guest.left):
            visit = guest.visit(guest.hello, Coming.KNOWN, shard, self._shards)
            self._unheard[shard, guest.digest] = visit, now
            if not guest.left[shard]:
                self._ask(shard, guest.digest)
        while len(self._unheard) > MOST:
            del self._unheard[next(iter(self._unheard))]

    def opened(self, shard: int) -> None:
        """The link with a shard is up."""
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
        """A shard says something for a connection that is no guest's."""
        if (asked := self._asked.get(number)) is None:
            return
        match item:
            case Admitted():  # remembered still: that they depart is not on its stream yet
                self._send(shard, Departed(number))
            case Absent() | Farewell():
                del self._asked[number]
                self._unheard.pop(asked, None)
            case _:
                pass

    def forget(self, now: int) -> None:
        """Forget what was long ago."""
        for asked, (_, at) in list(self._unheard.items()):
            if now - at < KNOWN_MS:
                return  # later ones follow
            del self._unheard[asked]
