"""A gateway and a shard in memory, in the place of the dispatcher of a server: what is published arrives at once, in
its order. So what was written for a server by itself runs at a gateway unchanged.

It is used where a dispatcher is made: by the server of `put_server.app`, which then has its port, TLS and WebSocket in
front of a gateway; by the server that `put-conformance` plays; and by the harness of the tests.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import put_conformance.fake_server
import put_server.app
from put_protocol.messages import Goodbye, Hello, Request
from put_server.cluster.gateway import Gateway
from put_server.cluster.guests import Greeting, Guest
from put_server.cluster.link import ShardLinks, read_packet
from put_server.cluster.link_messages import FromShard, PeerEncoding
from put_server.cluster.shard_dispatcher import ShardDispatcher
from put_server.journal.commit_queue import CommitQueue
from put_server.lobby.inputs import Arrive, Input, InputOutcome
from put_server.lobby.lobby import Lobby
from put_server.table.table_effects import PersonId, WantParts
from put_server.transport.interfaces import AnalysisRunner, HouseSeating, Newcomer, Peer
from put_server.transport.shuffler import Shuffler
from tests.transport.dispatcher_harness import DispatcherHarness, NoStudies

NAME = "gate"


class NoJournal:
    """Keeps nothing, and has it at once."""

    most_records = 1
    since_checkpoint = 0
    uncommitted = 0

    def record(self, _entries: object, then: Callable[[], None], _games: object = ()) -> None:
        then()

    def compact(self, *_: object) -> None: ...
    def compact_behind(self, *_: object) -> None: ...


class _Shard(ShardDispatcher):
    """It remembers whether the request that it heard last was carried out."""

    is_done = True

    def ask(self, session: Peer, request: Request) -> bool:
        self.is_done = super().ask(session, request)
        return self.is_done


class DispatcherAtGateway:
    """As `Dispatcher`. What is not said here is asked of the gateway, which has the connections."""

    _is_made = False

    def __init__(
        self,
        lobby: Lobby,
        *,
        shuffler: Shuffler,
        now: Callable[[], int],
        houses: HouseSeating,
        journal: CommitQueue | None = None,
        studies: AnalysisRunner | None = None,
        want_parts: Callable[[WantParts], None] = lambda _: None,
        **at_door: Any,
    ) -> None:
        """`at_door`: what is a gateway's."""
        self.now = now
        self._settles = self._will_settle = False
        self._up: deque[bytes] = deque()
        self._down: deque[bytes] = deque()
        try:
            self._loop: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        except RuntimeError:
            self._loop = None
        self.shard = _Shard(
            lobby,
            shuffler=shuffler,
            now=lambda: self.now(),  # noqa: PLW0108  # tests put another clock in its place
            houses=houses,
            journal=journal or NoJournal(),  # type: ignore[arg-type]  # as much of one as is asked for
            studies=studies or NoStudies(),
            want_parts=want_parts,
            send=self._post,
        )
        # A shard reports its work to the gateway: of this machine's time none is charged.
        self.shard.budgets.clock = self.shard.budgets.wall_clock = lambda: 0
        self.links = ShardLinks(
            0,
            1,
            now(),
            opened=lambda _: None,
            handle=self.shard.hear,
            broken=lambda gateway, _: self.shard.leave(gateway),
        )
        self.gateway = Gateway(
            lambda: self.now(),  # noqa: PLW0108  # as above
            name=NAME,
            shards=1,
            first_link=1,
            shuffler=shuffler,
            **at_door,
        )
        # Tests know people by the numbers that the shard gave them.
        self.gateway.account_of = lambda digest: (
            person.id if (person := lobby.people.with_token(digest)) else PersonId(0)
        )
        self.gateway.meters.moves = self.shard.meters.moves
        self.gateway.meters.waits = self.shard.meters.waits
        self._is_made = True
        self.settle()
        assert self.gateway.is_linked

    def __getattr__(self, name: str) -> Any:
        return getattr(self.gateway, name)

    def __setattr__(self, name: str, value: object) -> None:
        """What a session notes is noted at the gateway."""
        own = not self._is_made or name in ("now", "_settles", "_will_settle")
        object.__setattr__(self if own else self.gateway, name, value)

    # --- the link ---

    def _post(self, gateway: str, item: FromShard) -> None:
        self.links.send(gateway, item)
        if self._loop is not None and not (self._will_settle or self._settles):
            self._will_settle = True
            self._loop.call_soon(self.settle)

    def settle(self) -> None:
        """What was published arrives, and what is published because of it."""
        self._will_settle = False
        if not self._settles:  # else what was published meanwhile is on its way already
            self._carry_all()

    def _carry_all(self) -> None:
        was, self._settles = self._settles, True
        try:
            while self._carry():
                pass
        finally:
            self._settles = was

    def _carry(self) -> bool:
        """One packet, if there is any."""
        self._up.extend([data for _, data in self.gateway.take()])
        self._down.extend([sent.data for sent in self.links.take(self.now())])
        if self._up:
            packet = read_packet(self._up.popleft())
            assert packet is not None
            self.links.receive(packet, self.now())
            return True
        if self._down:
            self.gateway.receive(self._down.popleft())
            return True
        return False

    # --- what sessions call ---

    def hello(self, session: Peer, hello: Hello) -> Goodbye | None:
        goodbye = self.gateway.hello(session, hello)
        self.settle()
        return goodbye

    def ask(self, session: Peer, request: Request) -> bool:
        self.shard.is_done = True
        is_passed_on = self.gateway.ask(session, request)
        self.settle()
        return is_passed_on and self.shard.is_done

    def bye(self, session: Peer) -> None:
        self.gateway.bye(session)
        self.settle()

    def exit(self, session: Peer) -> None:
        self.gateway.exit(session)
        self.settle()

    def answer_ping(self, session: Peer) -> None:
        self.gateway.answer_ping(session)
        self.settle()

    # --- what the server calls ---

    @property
    def lobby(self) -> Lobby:
        return self.shard.lobby

    @property
    def _online(self) -> dict[PersonId, Peer]:
        return {guest.session.person: guest.session for guest in self.gateway._guests if guest.session.person}

    @property
    def games_finished(self) -> int:
        return self.shard.games_finished

    def submit(self, event: Input, newcomer: Newcomer | None = None) -> InputOutcome | None:
        """None: somebody has come in by the gateway."""
        outcome = None
        if newcomer is None:
            outcome = self.shard.submit(event)
        else:
            assert isinstance(event, Arrive)
            self._bring(event, newcomer)
        self._carry_all()  # as at a dispatcher, this is over at once, even while something is told
        return outcome

    def _bring(self, event: Arrive, newcomer: Newcomer) -> None:
        """Somebody whose token was chosen for them."""
        hello = Hello(2, event.name, is_bot=event.is_bot, incarnation=event.incarnation)
        greeting = Greeting(hello, newcomer.token, self.now(), {0})
        guests, peer = self.gateway._guests, newcomer.session
        guest = Guest(
            guests.next_number(), peer, event.token, 0, PeerEncoding.TOLD, hello, greeting, event.name, event.is_bot
        )
        guests.add(guest)
        self.gateway._greetings.ask(guest, greeting)

    def house_acts(self, person: PersonId, act: Any) -> None:
        self.shard.house_acts(person, act)
        self.settle()

    def house_work(self, table: int, house: str, beside: float = 0.0) -> AbstractContextManager[None]:
        return self.shard.house_work(table, house, beside)

    def house_wait(self, table: int) -> float:
        return self.shard.house_wait(table)

    def parts_done(self, wanted: WantParts, entries: tuple[bytes, ...], read: int, cost: float) -> None:
        self.shard.parts_done(wanted, entries, read, cost)
        self.settle()

    def tell(self, person: PersonId, message: Any) -> None:
        self.shard.tell(person, message)
        self.settle()

    def charge(self, person: PersonId, cost: float) -> None:
        self.shard.charge(person, cost)
        self.settle()

    def begin(self, *given: Any, **more: Any) -> None:
        self.shard.begin(*given, **more)
        self.settle()

    def compact(self) -> None:
        self.shard.compact()

    def when_committed(self, then: Callable[[], None]) -> None:
        self.shard.when_committed(then)

    def drain(self) -> None:
        self.shard.drain()
        self.settle()

    def kick(self, *given: Any) -> None:
        self.shard.kick(*given)
        self.settle()

    def tick(self) -> None:
        self.shard.tick()
        self.shard.tick_sessions()
        self.links.tick(self.now())
        self.settle()
        self.gateway.tick()
        self.settle()

    def tell_news(self) -> None:
        self.shard.tell_news()
        self.gateway.tell_news()
        self.settle()


def put_everywhere(patch: Callable[[object, str, object], None]) -> None:
    """Have it stand wherever tests make a dispatcher; `patch` is called as `setattr`."""
    for module in (put_server.app, put_conformance.fake_server):
        patch(module, "Dispatcher", DispatcherAtGateway)
    patch(DispatcherHarness, "make", DispatcherAtGateway)
    patch(DispatcherHarness, "settle", lambda harness: harness.dispatcher.settle())
