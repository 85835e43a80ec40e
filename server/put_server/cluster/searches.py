"""Searches: a person is invited to a table of a shard that does not know them, or muted just after they came.

The gateway of the player who invites asks the home of the guest, by name. The home knows the guest's gateway, and has
it bring them to the shard of the table. Then the home answers, and the invitation goes to that shard. A guest who is
not brought in time counts as absent. A search for a name alone goes the same way, but the guest is at home already.
"""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from put_protocol.messages import Block, Invite, Mute
from put_server.cluster.gateway_interface import GatewayInterface
from put_server.cluster.guests import Guest, Guests, Summons
from put_server.cluster.link_messages import Came, Sought, Summoned

SEARCH_MS = 2_000
"""Time limit for finding a person and bringing them to the shard of the table."""


AboutSomebody = Invite | Mute | Block
"""A request that names a person."""


class SearchCaller(Protocol):
    def carry_on(self, guest: Guest, request: AboutSomebody) -> None:
        """Carry out a request: the person is known where they have to be."""
        ...

    def refuse_unknown(self, guest: Guest, request: AboutSomebody) -> None:
        """Refuse a request: no person of that name is here."""
        ...


class _Search(NamedTuple):
    since: int
    connection: int
    request: AboutSomebody


class Searches:
    """Searches that this gateway began, and summons of its guests."""

    def __init__(
        self, guests: Guests, gateway: GatewayInterface, asker: SearchCaller, shards: int, home_of: Callable[[str], int]
    ) -> None:
        self._guests = guests
        self._gateway = gateway
        self._asker = asker
        self._shards = shards
        self._home_of = home_of
        self._waiting: dict[int, _Search] = {}
        self._last = 0

    def invite(self, guest: Guest, request: Invite, now: int) -> None:
        """Bring a person to the shard of the table, and then invite them there."""
        shard, home = request.table % self._shards, self._home_of(request.person)
        if shard == home:
            self._asker.carry_on(guest, request)
        else:
            self._begin(guest, request, home, shard, now)

    def find(self, guest: Guest, request: AboutSomebody, now: int) -> None:
        """Find out whether a person of this name is here: one who has just come may not be in any news yet."""
        home = self._home_of(request.person)
        self._begin(guest, request, home, home, now)

    def _begin(self, guest: Guest, request: AboutSomebody, home: int, shard: int, now: int) -> None:
        self._last += 1
        if self._gateway.send(home, Sought(self._last, request.person, shard)):
            self._waiting[self._last] = _Search(now, guest.number, request)
        else:
            self._asker.refuse_unknown(guest, request)

    def end(self, number: int, *, is_there: bool) -> None:
        """End a search: the home has answered, or took too long."""
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

    def summoned(self, shard: int, item: Summoned) -> None:
        """Bring a guest of ours to another shard, at a table of which they are invited."""
        summons, guest = Summons(shard, item.summons), self._guests.by_number.get(item.connection)
        if guest is None or guest.greeting is not None or not 0 <= item.shard < self._shards:
            self.answer(summons, is_there=False)
        elif item.shard in guest.visits and guest.visits[item.shard] is None:
            self.answer(summons, is_there=True)
        elif (coming := guest.visits.get(item.shard) or self._gateway.visit(guest, item.shard)) is not None:
            coming.summons.append(summons)
        else:
            self.answer(summons, is_there=False)

    def answer(self, summons: Summons, *, is_there: bool) -> None:
        """Tell the shard that asked whether our guest has come."""
        self._gateway.send(summons.shard, Came(summons.number, is_there))
