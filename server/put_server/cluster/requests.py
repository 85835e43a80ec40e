"""Requests at a gateway: it sends each to a shard, or answers it at once.

A request about a table goes to the table's shard, which the guest may first have to visit. Other requests go to the
guest's home. This module knows no rule of a game, and changes no request.

A request may name a person whom the table's shard does not know, or who has just arrived. Then the gateway asks that
person's home, by name. For an invitation the home first has the person's gateway bring them to the table's shard. A
person who does not get there in time counts as absent.
"""

from typing import TYPE_CHECKING, NamedTuple

from put_protocol import messages
from put_protocol.limits import REQUEST_ARRAY_ITEMS
from put_protocol.messages import Block, Invite, Mute, Refused, Request
from put_protocol.refusals import RefusalCode
from put_protocol.text import same_name
from put_server.cluster.guests import Guest, Guests, ShardVisit, Summons
from put_server.cluster.home_shards import home_of_name
from put_server.cluster.link_messages import Asked, Came, Queued, Sought, Summoned
from put_server.lobby.people import MOST_HUSHED
from put_server.table.table_effects import RequestRefused
from put_server.transport.rate_limit import REQUESTS_AT_ONCE
from put_server.transport.session import TOO_FAST

if TYPE_CHECKING:
    from put_server.cluster.gateway import Gateway

SEARCH_MS = 2_000
"""Time limit for finding a person and bringing them to the shard of the table."""

AboutSomebody = Invite | Mute | Block


class _Search(NamedTuple):
    since: int
    connection: int
    request: AboutSomebody


class RequestRouter:
    """All requests of guests except `look` and `look_away`."""

    def __init__(self, gateway: "Gateway", guests: Guests) -> None:
        self._gateway = gateway
        self._guests = guests
        self._shards = gateway.shards
        self._waiting: dict[int, _Search] = {}
        self._last = 0

    def ask(self, guest: Guest, request: Request, now: int) -> None:
        """Handle a request of an admitted guest.

        :raises RequestRefused: it goes to no shard.
        """
        match request:
            case Mute() | Block():
                self._hush(guest, request, now)
            case messages.OpenTable() | messages.Drill() | messages.Grade():
                self._ask_at(guest, guest.home, request)
            case messages.Sit() | messages.Watch() if not self._may_come(guest, request.table):
                raise RequestRefused(RefusalCode.TOO_MANY_TABLES, "refused-tables", most=REQUEST_ARRAY_ITEMS)
            case Invite() if request.person and (shard := request.table % self._shards) in guest.visits:
                if home_of_name(request.person, self._shards) == shard:
                    self._carry_on(guest, request)
                else:
                    self._find(guest, request, shard, now)
            case messages.Look() | messages.LookAway():
                raise AssertionError("the gateway answers that itself")
            case _ if (
                isinstance(request, messages.Sit | messages.Watch) or request.table % self._shards in guest.visits
            ):
                self._ask_at(guest, request.table % self._shards, request)
            case _ if guest.owed is not None and request.table % self._shards in guest.owed.unasked:
                raise _no_answer()
            case _:  # a guest cannot be at a table of a shard that they never visited
                raise RequestRefused(RefusalCode.NOT_THERE, "refused-not-there", field="table")

    def _ask_at(self, guest: Guest, shard: int, request: Request) -> None:
        """Ask a shard, after a visit if the guest is not known there."""
        if shard not in guest.visits and self._gateway.visit(guest, shard) is None:
            raise _no_answer()
        self.pass_on(guest, shard, Asked(guest.number, request))

    def pass_on(self, guest: Guest, shard: int, asked: Asked | Queued) -> None:
        """Send a request to a shard where the guest is known, or queue it until the shard answers their visit."""
        visit = guest.visits[shard]
        visit.unsettled = asked.number if isinstance(asked, Queued) else 0
        if visit.is_known:
            self._gateway.send(shard, asked)
        elif len(visit.asked) < 2 * REQUESTS_AT_ONCE:
            visit.asked.append(asked)
        elif isinstance(asked, Queued) or not asked.is_silent:
            self._gateway.send_away(guest, TOO_FAST)

    def begin_elsewhere(self, guest: Guest, shard: int, visit: ShardVisit) -> None:
        """Visit a shard that does not know the guest after all, if requests wait for that visit."""
        if not (visit.asked or visit.summons):
            return
        again = self._gateway.visit(guest, shard)
        assert again is not None, "it has just answered"
        again.asked, again.summons, again.unsettled = visit.asked, visit.summons, 0

    def begin(self, shard: int, visit: ShardVisit) -> None:
        """Send the requests that waited for a visit; the shard knows the guest now."""
        asked, visit.asked = visit.asked, []
        for one in asked:
            self._gateway.send(shard, one)
        summons, visit.summons = visit.summons, []
        for call in summons:
            self.answer(call, is_there=True)

    def give_up(self, guest: Guest, visit: ShardVisit, code: RefusalCode, says: str) -> None:
        """Refuse the requests that waited for a refused visit; the guest stays connected."""
        for asked in visit.asked:
            if isinstance(asked, Queued):
                guest.reached(asked.number)
            elif not asked.is_silent:
                self._gateway.refuse(guest, asked.request, Refused(asked.request.id, code, says))
        for summons in visit.summons:
            self.answer(summons, is_there=False)

    def _may_come(self, guest: Guest, table: int) -> bool:
        """True if they are at fewer tables than a later hello can name."""
        tables = [table for visit in guest.visits.values() for table in visit.tables]
        return len(tables) < REQUEST_ARRAY_ITEMS or table in tables

    def _hush(self, guest: Guest, request: Mute | Block, now: int) -> None:
        """Mute or block a person. No shard knows all people, so the gateway first finds out whether the name exists."""
        is_another = same_name(request.person) != same_name(guest.name)
        if request.on and is_another:
            self._find(guest, request, None, now)
        else:
            self._carry_hush(guest, request)

    def _carry_hush(self, guest: Guest, request: Mute | Block) -> None:
        """Have all shards that know the guest carry it out; the home answers."""
        name = same_name(request.person)
        names = guest.muted if type(request) is Mute else guest.blocked
        if request.on and name != same_name(guest.name):
            names[name] = None
            if len(names) > MOST_HUSHED:
                del names[next(iter(names))]
        else:
            names.pop(name, None)
        if (owed := guest.owed) is not None:
            owed.note_hush(request)
        for shard in guest.visits:
            if owed is None or shard not in owed.awaited:  # such a shard is asked once, when it answers
                self.pass_on(guest, shard, Asked(guest.number, request, is_silent=shard != guest.home))

    def _carry_on(self, guest: Guest, request: AboutSomebody) -> None:
        """Carry out a request about an existing person. An invited person is now known at the table's shard."""
        if isinstance(request, Invite):
            self._ask_at(guest, request.table % self._shards, request)
        else:
            self._carry_hush(guest, request)

    def _find(self, guest: Guest, request: AboutSomebody, shard: int | None, now: int) -> None:
        """Find out whether a person of this name is here, and bring them to a shard; None: to none. A new arrival may
        not be in any news yet."""
        home = home_of_name(request.person, self._shards)
        self._last += 1
        if self._gateway.send(home, Sought(self._last, request.person, home if shard is None else shard)):
            self._waiting[self._last] = _Search(now, guest.number, request)
            guest.held = []
        elif isinstance(request, Invite):
            raise _unknown()
        else:  # the person may be here or not; muting them does no harm
            self._carry_hush(guest, request)

    def found(self, number: int, *, is_there: bool) -> None:
        """End a search, because the home has answered or took too long."""
        search = self._waiting.pop(number, None)
        guest = None if search is None else self._guests.by_number.get(search.connection)
        if search is None or guest is None:
            return
        held, guest.held = guest.held, None
        try:
            if not is_there:
                raise _unknown()
            self._carry_on(guest, search.request)
        except RequestRefused as refusal:
            self._gateway.refuse(guest, search.request, refusal.answer(search.request.id))
        self._gateway.go_on(guest, held or ())

    def tick(self, now: int) -> None:
        for number in [number for number, search in self._waiting.items() if now - search.since >= SEARCH_MS]:
            self.found(number, is_there=False)

    def summoned(self, shard: int, item: Summoned) -> None:
        """Bring a guest of ours to another shard, where they are invited to a table."""
        summons, guest = Summons(shard, item.summons), self._guests.by_number.get(item.connection)
        visit = None
        if guest is not None and guest.greeting is None and 0 <= item.shard < self._shards:
            visit = guest.visits.get(item.shard) or self._gateway.visit(guest, item.shard)
        if visit is None or visit.is_known:
            self.answer(summons, is_there=visit is not None)
        else:
            visit.summons.append(summons)

    def answer(self, summons: Summons, *, is_there: bool) -> None:
        self._gateway.send(summons.shard, Came(summons.number, is_there))


def _no_answer() -> RequestRefused:
    return RequestRefused(RefusalCode.TOO_FAST, "refused-no-answer", retry_after_ms=1_000)


def _unknown() -> RequestRefused:
    return RequestRefused(RefusalCode.UNKNOWN_PERSON, "refused-person", field="person")
