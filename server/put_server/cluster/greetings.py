"""Greetings: what a gateway does between a hello and its welcome.

A hello is asked of the home first. The home alone says whether somebody may come in, and which of their connections is
the latest; with the incarnation that it answers, everyone with a token is then asked for at the other shards, for they
may have seats there. So all shards agree on which connection is the latest, whichever gateways they come by. The
welcome is that of the home with the tables of all, and what came before it waits for it.
"""

from msgspec.structs import replace

from put_protocol.messages import Goodbye
from put_server.cluster.desk import Desk
from put_server.cluster.guests import Greeting, Guest, Guests
from put_server.cluster.link_messages import Admitted, Coming

GREETING_MS = 5_000
"""For the shards to answer a hello: a worker that took over needs half of it."""

_LATE = Goodbye(code="draining", says="a part of the server does not answer; try again in a moment", back_s=1)


class Greetings:
    """All hellos that are not answered yet."""

    def __init__(self, desk: Desk, guests: Guests, shards: int) -> None:
        self._desk = desk
        self._guests = guests
        self._shards = shards

    def ask(self, guest: Guest, greeting: Greeting) -> None:
        """Ask those shards that are to be asked, as far as they can be now."""
        hello = greeting.hello
        for shard in [shard for shard in sorted(greeting.unasked) if self._desk.is_up(shard)]:
            greeting.unasked.discard(shard)
            greeting.awaited.add(shard)
            self._guests.begin_visit(guest, shard)
            if shard == guest.home:
                coming = Coming.BACK if hello.token else Coming.NEW
                visit = guest.visit(hello, coming, shard, self._shards)
                self._desk.send(shard, replace(visit, incarnation=hello.incarnation, epoch=hello.epoch))
            else:
                self._desk.send(shard, guest.visit(hello, Coming.KNOWN, shard, self._shards))

    def opened(self, shard: int) -> None:
        """The link with a shard is up."""
        for guest in self._guests:
            if guest.greeting is not None and shard in guest.greeting.unasked:
                self.ask(guest, guest.greeting)

    def admitted(self, shard: int, guest: Guest, greeting: Greeting, item: Admitted) -> None:
        """A shard knows them."""
        greeting.add(item)
        if shard == guest.home:
            greeting.welcome = item.welcome
            guest.name, guest.is_bot, guest.incarnation = item.welcome.name, item.is_bot, item.welcome.incarnation
            guest.muted, guest.blocked = dict.fromkeys(item.muted), dict.fromkeys(item.blocked)
            if greeting.hello.token:
                greeting.unasked = set(range(self._shards)) - {guest.home}
        self.answered(shard, guest, greeting)

    def answered(self, shard: int, guest: Guest, greeting: Greeting) -> None:
        """A shard has answered, whatever it said."""
        greeting.awaited.discard(shard)
        self.ask(guest, greeting)
        if greeting.welcome is not None and not greeting.awaited and not greeting.unasked:
            self._desk.let_in(guest, greeting, greeting.welcome)

    def tick(self, now: int) -> None:
        """Send those away whose hello waits for too long."""
        for guest in self._guests:
            if guest.greeting is not None and now - guest.greeting.since >= GREETING_MS:
                self._desk.send_away(guest, _LATE)
