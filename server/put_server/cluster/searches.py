"""Searches: somebody is invited to a table of a shard that does not know them, or is to be muted and has just come.

The gateway of whoever invites asks the home of the guest, by name. The home knows by which gateway they are connected,
and has that one bring them to the shard of the table; then it answers, and the invitation goes there. A guest who is
not brought in time is nobody who is here. Whether there is somebody of a name at all is found out in the same way, only
that they are at home already.
"""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from put_protocol.messages import Block, Invite, Mute
from put_server.cluster.desk import Desk
from put_server.cluster.guests import Guest, Guests, Summons
from put_server.cluster.link_messages import Came, Sought, Summoned

SEARCH_MS = 2_000
"""For somebody to be found, and brought to the shard of the table."""


AboutSomebody = Invite | Mute | Block
"""A request that names a person."""


class Asker(Protocol):
    """Carries a request on."""

    def carry_on(self, guest: Guest, request: AboutSomebody) -> None:
        """There is somebody of that name, where they have to be."""
        ...

    def refuse_unknown(self, guest: Guest, request: AboutSomebody) -> None:
        """Nobody of that name is here."""
        ...


class _Search(NamedTuple):
    since: int
    connection: int
    request: AboutSomebody


class Searches:
    """Those that this gateway began, and summons of its guests."""

    def __init__(self, guests: Guests, desk: Desk, asker: Asker, shards: int, home_of: Callable[[str], int]) -> None:
        self._guests = guests
        self._desk = desk
        self._asker = asker
        self._shards = shards
        self._home_of = home_of
        self._waiting: dict[int, _Search] = {}
        self._last = 0

    def invite(self, guest: Guest, request: Invite, now: int) -> None:
        """Have somebody come to the shard of the table, and then invite them there."""
        shard, home = request.table % self._shards, self._home_of(request.person)
        if shard == home:
            self._asker.carry_on(guest, request)
        else:
            self._begin(guest, request, home, shard, now)

    def find(self, guest: Guest, request: AboutSomebody, now: int) -> None:
        """Find out whether there is somebody of this name: who has just come may not be in any news yet."""
        home = self._home_of(request.person)
        self._begin(guest, request, home, home, now)

    def _begin(self, guest: Guest, request: AboutSomebody, home: int, shard: int, now: int) -> None:
        self._last += 1
        if self._desk.send(home, Sought(self._last, request.person, shard)):
            self._waiting[self._last] = _Search(now, guest.number, request)
        else:
            self._asker.refuse_unknown(guest, request)

    def end(self, number: int, *, is_there: bool) -> None:
        """The home has answered, or took too long."""
        search = self._waiting.pop(number, None)
        guest = None if search is None else self._guests.by_number.get(search.connection)
        if search is None or guest is None:
            return
        if is_there:
            self._asker.carry_on(guest, search.request)
        else:
            self._asker.refuse_unknown(guest, search.request)

    def tick(self, now: int) -> None:
        for number in [number for number, search in self._waiting.items() if now - search.since >= SEARCH_MS]:
            self.end(number, is_there=False)

    # --- guests of ours ---

    def summoned(self, shard: int, item: Summoned) -> None:
        """A guest of ours is invited to a table of another shard."""
        summons, guest = Summons(shard, item.summons), self._guests.by_number.get(item.connection)
        if guest is None or guest.greeting is not None or not 0 <= item.shard < self._shards:
            self.answer(summons, is_there=False)
        elif item.shard in guest.visits and guest.visits[item.shard] is None:
            self.answer(summons, is_there=True)
        elif (coming := guest.visits.get(item.shard) or self._desk.visit(guest, item.shard)) is not None:
            coming.summons.append(summons)
        else:
            self.answer(summons, is_there=False)

    def answer(self, summons: Summons, *, is_there: bool) -> None:
        """Tell who asked whether our guest has come."""
        self._desk.send(summons.shard, Came(summons.number, is_there))
