"""Gateway: connections of people whose tables are in shards. It knows no rules and stores nothing.

The dispatcher of a single server (`transport.dispatcher`) is split into two halves, connected by links. The gateway has
the connections, with their debts and limits; the shards have the lobbies. A person has a home shard, determined by
their name and token (`home_shards`), and visits another shard to use a table there. A table's number determines its
shard.

`greetings` handles a hello up to its welcome; `requests` chooses the shard of a request.

The gateway never repeats or stores a message. When the link with a shard breaks, it disconnects all guests whom that
shard knows. They come back with their tokens, and then get answers to their open requests, as after any lost
connection.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from put_protocol import PROTOCOL_VERSION, messages
from put_protocol.codecs import FRAMES
from put_protocol.messages import Goodbye, Hello, LobbyState, Ok, Refused, Request, ServerMessage, Welcome
from put_protocol.refusals import RefusalCode
from put_server.cluster import link_messages as link
from put_server.cluster.greetings import Greetings
from put_server.cluster.guests import KNOWN_MS, Greeting, Guest, Guests, ShardVisit, account_of
from put_server.cluster.home_shards import home_of_digest, home_of_name, token_for
from put_server.cluster.link import GatewayLink, read_packet
from put_server.cluster.link_messages import FromGateway, FromShard, PeerEncoding
from put_server.cluster.requests import RequestRouter
from put_server.cluster.shared_lobby import SharedLobby
from put_server.lobby.presence import LOSS_NOTICE
from put_server.lobby.subscribers import filter_of, pages_of
from put_server.table.clock import NEWS_MS
from put_server.table.table_effects import PersonId, RequestRefused
from put_server.transport.admission import Admission
from put_server.transport.interfaces import Peer
from put_server.transport.rate_limit import REQUESTS_AT_ONCE
from put_server.transport.reception import CallLater, Reception, digest_of
from put_server.transport.session import TOO_FAST
from put_server.transport.shuffler import Shuffler
from put_text.catalogue import say_in_english
from put_text.plain.login import TYPES

log = logging.getLogger(__name__)

_BYE = Goodbye(code="bye", says=say_in_english("refused-bye"))
_GONE = Goodbye(code="draining", says=say_in_english("refused-part-stopped"), back_s=0)

_ItemForOne = (
    link.Admitted | link.Absent | link.Farewell | link.Pinged | link.Placed | link.Charged | link.Reached | link.Awaited
)


class Gateway(Reception):
    def __init__(
        self,
        now: Callable[[], int],
        *,
        name: str,
        shards: int,
        first_link: int,
        shuffler: Shuffler,
        homes: Mapping[bytes, int] | None = None,
        admission: Admission | None = None,
        password: str = "",
        news_ms: int = NEWS_MS,
        wake: Callable[[], None] = lambda: None,
        call_later: CallLater | None = None,
    ) -> None:
        """`first_link`: greater than the number of any earlier link of a gateway of this name. `homes`: homes of people
        whose tokens lead elsewhere, by digest (`read_homes`). `wake`: called when `take` has something to return."""
        super().__init__(now, admission=admission, password=password, call_later=call_later)
        self.name = name
        self.shards = shards
        self._homes = homes or {}
        self._shuffler = shuffler
        self._wake = wake
        self.links = tuple(
            [
                GatewayLink(
                    name, k, now(), first=first_link, opened=self._opened, handle=self._handle, broken=self._broken
                )
                for k in range(shards)
            ]
        )
        self._guests = Guests(self.unsent, self.unsent_crowd)
        self._greetings = Greetings(self, self._guests)
        self._requests = RequestRouter(self, self._guests)
        self._last_here_at: dict[PersonId, int] = {}
        self.account_of = account_of
        self._last_queued = 0
        self.lobby = SharedLobby(shards, self.send, self._begin_to_look, news_ms)

    def take(self) -> Iterator[tuple[int, bytes]]:
        """Packets to publish now, each with its shard."""
        now = self.now()
        for each in self.links:
            for data in each.take(now):
                yield each.shard, data

    def receive(self, data: bytes) -> None:
        packet = read_packet(data)
        if packet is None or not 0 <= packet.shard < self.shards or packet.gateway not in ("", self.name):
            return
        self.links[packet.shard].receive(packet, self.now())
        self.flush()
        self._wake()

    def send(self, shard: int, item: FromGateway) -> bool:
        """Send an item to a shard; returns whether the shard can be reached."""
        each = self.links[shard]
        if each.is_up:
            each.send(item)
            self._wake()
        return each.is_up

    def _opened(self, shard: int) -> None:
        log.info("shard %d is linked", shard)
        self.lobby.opened(shard)
        self._greetings.opened(shard)

    def _broken(self, shard: int, why: str) -> None:
        guests = self._guests.at(shard)
        self.lobby.broken(shard)
        log.warning("the link with shard %d broke (%s): %d connections are cut", shard, why, len(guests))
        for guest in guests:
            self.send_away(guest, _GONE)

    @property
    def is_linked(self) -> bool:
        return all(each.is_up for each in self.links)

    def _holder(self, hello: Hello) -> PersonId | None:
        person = self.account_of(digest_of(hello.token))
        return person if person in self._last_here_at else None

    def _people(self) -> Iterable[PersonId]:
        now = self.now()
        here = [self.account_of(guest.digest) for guest in self._guests]
        self._last_here_at |= {person: now for person in here if person in self._last_here_at}
        self._last_here_at = {person: at for person, at in self._last_here_at.items() if now - at < KNOWN_MS}
        return self._last_here_at

    def _is_newcomer(self, hello: Hello) -> bool:
        """True if a hello counts for the quota of newcomers. A hello with a token does not: its person may be one of
        thousands who come from a dead gateway. Guesses at tokens have their own limit."""
        return not hello.token

    def is_awaited(self, session: Peer) -> bool:
        guest = self._guests.of(session)
        return guest is not None and guest.is_awaited

    def exit(self, session: Peer) -> None:
        self._forget(session)
        if (guest := self._guests.of(session)) is not None:
            self._release(guest)

    def _greet(self, session: Peer, hello: Hello) -> None:
        """Ask the home."""
        if hello.token:
            token, digest = hello.token, digest_of(hello.token)
            home = self._homes.get(digest, home_of_digest(digest, self.shards))
        else:
            home = home_of_name(hello.name, self.shards)
            make = self._shuffler.words if hello.client == TYPES else self._shuffler.token
            token = token_for(home, self.shards, make)
            digest = digest_of(token)
        codec = session.codec
        if codec is None or hello.language or hello.version < PROTOCOL_VERSION:
            form = PeerEncoding.TOLD
        else:
            form = PeerEncoding.FRAMES if codec is FRAMES else PeerEncoding.LINES
        later = replace(hello, password="", token="", seen=(), asked=())
        greeting = Greeting(hello, token, self.now(), {home})
        guest = Guest(
            self._guests.next_number(), session, digest, home, form, later, greeting, hello.name, hello.is_bot
        )
        if codec is not None:
            guest.reframe = codec.reframe
        self._guests.add(guest)
        self._greetings.ask(guest, greeting)

    def bye(self, session: Peer) -> None:
        """Handle a deliberate end; the answer comes after the home has stored it."""
        guest = self._guests.of(session)
        session.person = None
        if guest is None or guest.greeting is not None:
            session.farewell(_BYE)
            return
        self.admission.distrust(session.caller)
        self.lobby.look_away(guest)
        guest.owed = guest.held = None
        guest.queued.clear()  # the home answers nothing more either
        self._depart(guest, except_at=guest.home)
        self.send(guest.home, link.Departed(guest.number))

    def _depart(self, guest: Guest, *, except_at: int) -> None:
        for shard in [shard for shard in guest.visits if shard != except_at]:
            self.send(shard, link.Departed(guest.number))
            guest.visits.pop(shard)

    def answer_ping(self, session: Peer) -> None:
        if (guest := self._guests.of(session)) is not None:
            for shard, visit in guest.visits.items():
                if visit.is_pinged:
                    visit.is_pinged = False
                    self.send(shard, link.Beaten(guest.number))

    def ask(self, session: Peer, request: Request) -> bool:
        """Handle a request of an admitted guest. A refused move is counted and charged when the shard reports it."""
        guest = self._guests.of(session)
        assert guest is not None
        if guest.held is not None:
            self._hold(guest, lambda: self.ask(session, request))
            return True
        shard = getattr(request, "table", 0) % self.shards
        if type(request) is messages.Act and shard in guest.visits:  # most requests are
            self._requests.pass_on(guest, shard, link.Asked(guest.number, request))
            return True
        try:
            match request:
                case messages.Look():
                    self._look(guest, request)
                case messages.LookAway():
                    self.in_turn(guest, guest.home, lambda: self._look_away(guest, request))
                case _:
                    self._requests.ask(guest, request, self.now())
        except RequestRefused as refusal:
            self.refuse(guest, request, refusal.answer(request.id))
            return refusal.code is not RefusalCode.NOT_THERE  # the others are no fault of the guest
        return True

    def _look(self, guest: Guest, request: messages.Look) -> None:
        chosen = filter_of(request)

        def look() -> None:
            self.answer(guest, Ok(request.id))
            self.lobby.look(guest, pages_of(request), chosen, self.now())

        self.in_turn(guest, guest.home, look)

    def _look_away(self, guest: Guest, request: messages.LookAway) -> None:
        self.lobby.look_away(guest)
        self.answer(guest, Ok(request.id))

    def _begin_to_look(self, guest: Guest, pages: Iterable[LobbyState]) -> None:
        for page in pages:
            self._guests.tell((guest,), page)

    def answer(self, guest: Guest, message: ServerMessage) -> None:
        guest.session.send(message)
        self.unsent[guest.session] = ()

    def in_turn(self, guest: Guest, shard: int, then: Callable[[], object]) -> None:
        """Call back after a shard's answers to all earlier requests of the guest."""
        if guest.held is not None:
            self._hold(guest, lambda: self.in_turn(guest, shard, then))
        elif shard in guest.visits and guest.visits[shard].unsettled is not None:
            self._last_queued += 1
            guest.queued[self._last_queued] = then
            self._requests.pass_on(guest, shard, link.Queued(guest.number, self._last_queued))
        else:
            then()

    def _hold(self, guest: Guest, then: Callable[[], object]) -> None:
        """Keep a request until the search for a person is over."""
        assert guest.held is not None
        if len(guest.held) < REQUESTS_AT_ONCE:
            guest.held.append(then)
        else:
            self.send_away(guest, TOO_FAST)

    def go_on(self, guest: Guest, held: Iterable[Callable[[], object]]) -> None:
        """Handle the requests that waited for a search; one of them may start another search."""
        for then in held:
            if guest.number in self._guests.by_number:
                then()

    def refuse_unheard(self, session: Peer, refused: Refused) -> None:
        guest = self._guests.of(session)
        if guest is None:
            super().refuse_unheard(session, refused)
        else:
            self._refuse(guest, guest.home, refused)

    def _refuse(self, guest: Guest, shard: int, refused: Refused) -> None:
        self.in_turn(guest, shard, partial(super().refuse_unheard, guest.session, refused))

    def refuse(self, guest: Guest, request: Request, refused: Refused) -> None:
        table = getattr(request, "table", None)
        self._refuse(guest, guest.home if table is None else table % self.shards, refused)

    def visit(self, guest: Guest, shard: int) -> ShardVisit | None:
        """Begin a guest's visit to a shard; None: the shard cannot be reached."""
        if not self.send(shard, guest.visit(guest.hello, link.VisitKind.GUEST, shard, self.shards)):
            return None
        guest.visits[shard] = visit = ShardVisit()
        return visit

    def _admitted(self, shard: int, guest: Guest, item: link.Admitted) -> None:
        visit = guest.visits[shard]
        visit.is_known, visit.tables = True, item.welcome.tables
        if guest.greeting is not None:
            if shard == guest.home:
                person = self.account_of(guest.digest)
                self._last_here_at[person] = self.now()
                guest.session.standing = self.budgets.of(person)
            self._greetings.admitted(shard, guest, guest.greeting, item)
            return
        self._greetings.answered_late(shard, guest, item)
        self._requests.begin(shard, visit)

    def _absent(self, shard: int, guest: Guest, *, is_lost: bool) -> None:
        visit = guest.visits.pop(shard)
        if guest.greeting is not None:
            guest.greeting.held += [LOSS_NOTICE] if is_lost else []
            self._greetings.answered(shard, guest, guest.greeting)
            return
        if is_lost:
            self.answer(guest, LOSS_NOTICE)
        self._greetings.answered_late(shard, guest, None)
        self._requests.begin_elsewhere(guest, shard, visit)

    def let_in(self, guest: Guest, greeting: Greeting, welcome: Welcome, told: Sequence[bytes | ServerMessage]) -> None:
        """Admit the guest; `told` is sent with the welcome."""
        session, caller = guest.session, guest.session.caller
        guest.greeting = None
        session.person = self.account_of(guest.digest)
        self.admission.trust(caller)
        caller.name = guest.name
        self.admission.log.arrived(caller.address, caller.name, is_back=bool(greeting.hello.token))
        for message in (welcome, *told):
            if isinstance(message, bytes):
                session.deliver(message)
            else:
                self.answer(guest, message)
        session.begin()

    def _release(self, guest: Guest) -> None:
        """Remove a guest, and tell their shards; may be called again."""
        for shard, visit in guest.visits.items():
            self.send(shard, link.Lost(guest.number))
            for summons in visit.summons:
                self._requests.answer(summons, is_there=False)
        self._guests.remove(guest)
        self.lobby.look_away(guest)

    def send_away(self, guest: Guest, goodbye: Goodbye) -> None:
        session = guest.session
        self._release(guest)
        session.person = None
        self.admission.distrust(session.caller)
        session.farewell(goodbye)
        self.unsent[session] = ()

    def _handle_goodbye(self, shard: int, guest: Guest, goodbye: Goodbye) -> None:
        visit = guest.visits.pop(shard)
        greeting = guest.greeting
        if greeting is not None:
            if goodbye.refusal is RefusalCode.BAD_TOKEN:
                self._note_guess(guest.session, greeting.hello)
            self.send_away(guest, goodbye)
        elif visit.is_known or (guest.owed is not None and shard in guest.owed.awaited):
            if goodbye.code == "kicked":
                self._depart(guest, except_at=shard)
            self.send_away(guest, goodbye)
        else:  # that shard refused the visit; the guest stays connected
            self._requests.give_up(guest, visit, goodbye.refusal or RefusalCode.NOT_CARRIED_OUT, goodbye.says)

    def tell_news(self) -> None:
        """Send the lobby's news to its readers if it is due. Call this often."""
        for guests, page in self.lobby.take(self.now()):
            self._guests.tell(guests, page)
        self.flush()

    def announce(self, says: str) -> int:
        """Send a notice to all guests; returns their number."""
        told = self._guests.announce(says)
        self.flush()
        return told

    def _handle(self, shard: int, item: FromShard) -> None:
        """Handle an item of a shard. A bug in an item for one guest ends only that guest's connection."""
        match item:
            case link.Delivered(connections=connections, data=data):
                self._guests.deliver(shard, connections, data)
            case link.Told(connections=connections, message=message):
                self._guests.pass_on(shard, connections, message)
            case link.Changed():
                self.lobby.apply(shard, item, self.now())
            case link.Found(search=search, is_there=is_there):
                self._requests.found(search, is_there=is_there)
            case link.Summoned():
                self._requests.summoned(shard, item)
            case _:
                self._safely(shard, item.connection, item)

    def _safely(self, shard: int, number: int, item: _ItemForOne) -> None:
        guest = self._guests.by_number.get(number)
        if guest is None or shard not in guest.visits:  # the guest left, and the shard did not know yet
            return
        try:
            self._hear(shard, guest, item)
        except Exception:
            log.exception("a message could not be handled; its connection is closed")
            guest.session.cut()

    def _hear(self, shard: int, guest: Guest, item: _ItemForOne) -> None:
        visit = guest.visits[shard]
        match item:
            case link.Charged(cost=cost, requests=requests, refused=refused, is_play=is_play):
                self.budgets.charge((guest.session,), cost, is_play=is_play)
                if refused:
                    self.admission.log.refused(guest.session.caller.address, refused)
                if requests:
                    rate_limit = guest.session.standing.rate_limit
                    rate_limit.spend(self.now(), requests)
                    if rate_limit.is_hopeless:
                        self.send_away(guest, TOO_FAST)
            case link.Placed(tables=tables):
                visit.tables = tables
            case link.Awaited(is_awaited=is_awaited):
                visit.is_awaited = is_awaited
            case link.Reached(number=number):
                if visit.unsettled == number:
                    visit.unsettled = None
                guest.reached(number)
            case link.Pinged():
                visit.is_pinged = True
                guest.session.ping()
            case link.Admitted():
                self._admitted(shard, guest, item)
            case link.Absent():
                self._absent(shard, guest, is_lost=item.is_lost)
            case link.Farewell(goodbye=goodbye):
                self._handle_goodbye(shard, guest, goodbye)

    def tick(self) -> None:
        """Apply time limits of links and waiting guests; call it several times a second."""
        now = self.now()
        for each in self.links:
            each.tick(now)
        self._greetings.tick(now)
        self._requests.tick(now)
        self.tell_news()
        self.flush()
        self.resume()
        self._wake()
