"""Greetings: the steps of a gateway between a hello and its welcome.

A hello goes to the home first. Only the home decides on admission, and on which connection of a person is the latest.
If the hello has a token, the gateway then asks all other shards, with the incarnation from the home, because the person
may have seats there. So all shards agree on the latest connection, even if a person uses several gateways. The welcome
comes from the home, with the tables of all shards. Earlier messages wait for it.

A shard may be down, between two workers. A guest whose hello has an epoch or names tables, none of them in that shard,
does not wait for it. Other guests wait for a limited time, so that they get everything at once, as usual. Then they are
admitted without the shard, and the welcome lists the shard's tables from the hello. When the shard is back, the gateway
asks it and sends the guest the rest: missed events, tables that they have left, and other tables.

A guest with open requests is admitted only when the result of each is known, and told to come back until then: a shard
that is down may have carried one out. So every answer is sent once, is final, and precedes its effects.
"""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from put_protocol.messages import Goodbye, Hello, Left, Ok, Refused, Welcome
from put_server.cluster.guests import Greeting, Guest, Guests, ShardVisit
from put_server.cluster.link_messages import Admitted, Asked, VisitKind
from put_text.catalogue import say_in_english

if TYPE_CHECKING:
    from put_server.cluster.gateway import Gateway

GREETING_MS = 5_000
"""Time limit for the shards to answer a hello: a takeover needs half of it."""

_LATE = Goodbye(code="draining", says=say_in_english("refused-part-silent"), back_s=1)
_LEFT = say_in_english("refused-left", why="gone")


class Greetings:
    def __init__(self, gateway: "Gateway", guests: Guests) -> None:
        self._gateway = gateway
        self._guests = guests
        self._shards = gateway.shards

    def ask(self, guest: Guest, greeting: Greeting) -> None:
        hello = greeting.hello
        for shard in sorted(greeting.unasked):
            visit = guest.visit(hello, VisitKind.KNOWN, shard, self._shards)
            if shard == guest.home:
                coming = VisitKind.BACK if hello.token else VisitKind.NEW
                visit = replace(visit, coming=coming, incarnation=hello.incarnation, epoch=hello.epoch)
            if self._gateway.send(shard, visit):
                greeting.unasked.discard(shard)
                greeting.awaited.add(shard)
                guest.visits[shard] = ShardVisit()

    def opened(self, shard: int) -> None:
        """Ask a reconnected shard about the guests who wait for it."""
        for guest in self._guests:
            greeting = guest.greeting or guest.owed
            if greeting is not None and shard in greeting.unasked:
                self.ask(guest, greeting)

    def admitted(self, shard: int, guest: Guest, greeting: Greeting, item: Admitted) -> None:
        greeting.add(item)
        if shard == guest.home:
            greeting.welcome = item.welcome
            guest.name, guest.is_bot, guest.incarnation = item.welcome.name, item.is_bot, item.welcome.incarnation
            guest.fresh_since = item.fresh_since
            guest.muted, guest.blocked = dict.fromkeys(item.muted), dict.fromkeys(item.blocked)
            if greeting.hello.token:
                greeting.unasked = set(range(self._shards)) - {guest.home}
        self.answered(shard, guest, greeting)

    def answered(self, shard: int, guest: Guest, greeting: Greeting) -> None:
        """Admit the guest if this was the last answer; `shard` has just answered."""
        greeting.awaited.discard(shard)
        self.ask(guest, greeting)
        if greeting.welcome is None or greeting.awaited:
            return
        if not any(self._is_needed(greeting.hello, down) for down in greeting.unasked):
            self._let_in(guest, greeting, greeting.welcome)

    def _is_needed(self, hello: Hello, shard: int) -> bool:
        """True if a shard may have messages for the guest."""
        knows = hello.seen or hello.epoch
        return bool(hello.asked or not knows or self._seen_at(hello, shard))

    def _seen_at(self, hello: Hello, shard: int) -> frozenset[int]:
        return frozenset([seen.table for seen in hello.seen if seen.table % self._shards == shard])

    def _let_in(self, guest: Guest, greeting: Greeting, welcome: Welcome) -> None:
        if late := greeting.unasked | greeting.awaited:
            if not all(isinstance(greeting.answers.get(request), Ok) for request in greeting.hello.asked):
                self._gateway.send_away(guest, _LATE)
                return
            greeting.tables.update(*[self._seen_at(greeting.hello, shard) for shard in late])
            guest.owed = greeting
        answers = [greeting.answers[request] for request in greeting.hello.asked if request in greeting.answers]
        told = [*answers, *greeting.held]
        greeting.hello = replace(greeting.hello, asked=())  # of late shards, which are not asked for answers
        tables = tuple(sorted(greeting.tables))
        self._gateway.let_in(guest, greeting, replace(welcome, token=greeting.token, tables=tables), told)

    def tick(self, now: int) -> None:
        """End greetings that take too long: disconnect guests whose home is silent, and admit the others."""
        for guest in self._guests:
            greeting = guest.greeting
            if greeting is not None and now - greeting.since >= GREETING_MS:
                if greeting.welcome is None:
                    self._gateway.send_away(guest, _LATE)
                else:
                    self._let_in(guest, greeting, greeting.welcome)

    def answered_late(self, shard: int, guest: Guest, item: Admitted | None) -> None:
        """Handle a shard's answer for an admitted guest; None: the guest is unknown there."""
        owed = guest.owed if guest.owed is not None and shard in guest.owed.awaited else None
        if owed is not None:
            owed.awaited.discard(shard)
            tables = () if item is None else item.welcome.tables
            for table in sorted(self._seen_at(owed.hello, shard) - set(tables)):
                self._gateway.answer(guest, Left(table, _LEFT))
        for message in () if item is None else item.messages:
            if not isinstance(message, Ok | Refused):  # the requests that the hello asked after were answered then
                self._gateway.answer(guest, message)
        if owed is None:
            return
        for request in owed.hushed.values() if item is not None else ():
            self._gateway.send(shard, Asked(guest.number, request, is_silent=True))
        if not (owed.unasked or owed.awaited):
            guest.owed = None
