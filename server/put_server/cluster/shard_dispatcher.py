"""Dispatcher of a shard: handles all items from gateways, around one lobby.

It handles inputs like the dispatcher of a single server, in the same order, but the peers are remote. A broadcast is
encoded once for each codec, and sent once to each gateway. The cost of a request is reported to the gateway, which
keeps all debts.
"""

import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from msgspec.structs import replace

from put_protocol import messages
from put_protocol.codecs import FRAMES, LINES, Codec
from put_protocol.refusals import RefusalCode
from put_server.cluster import link_messages as link
from put_server.cluster.link_messages import FromGateway, FromShard, PeerEncoding, VisitKind
from put_server.journal.commit_queue import CommitQueue
from put_server.lobby import inputs
from put_server.lobby.lobby import Lobby
from put_server.lobby.news import EVERY_PAGE
from put_server.lobby.subscribers import LobbyFilter
from put_server.table.table_effects import Effect, PersonId, Tell, WantParts
from put_server.transport.admission import Admission, Caller
from put_server.transport.budgets import MOVES, Allowance, Budgets
from put_server.transport.dispatcher import Dispatcher
from put_server.transport.interfaces import AnalysisRunner, HouseSeating, Newcomer, Peer
from put_server.transport.peer_log import PeerLog
from put_server.transport.shuffler import Shuffler
from put_text.catalogue import say_in_english

CODECS: Final = {PeerEncoding.FRAMES: FRAMES, PeerEncoding.LINES: LINES}
"""Codecs of peers whose messages are encoded here."""

_BUG = messages.Goodbye(code="draining", says=say_in_english("refused-bug"), back_s=0)
"""Goodbye after a bug. Clients come back, as after a lost connection, and get the results of their requests."""


@dataclass(slots=True, eq=False, kw_only=True)
class RemotePeer:
    """A connection at a gateway. Its messages wait for its admission, and go with the welcome."""

    shard: "ShardDispatcher"
    gateway: str
    connection: int
    is_home: bool
    """This shard answers for the person's name."""
    form: PeerEncoding
    caller: Caller
    """Caller outside this shard's admission, because gateways admit. Its places count debts only for play; empty:
    exempt."""
    standing: Allowance
    """Debt for play that is not reported to the gateway yet; the gateway counts requests."""
    person: PersonId | None = None
    silent: set[int] = field(default_factory=set)
    """Numbers of requests that another shard answers."""
    is_leaving: bool = False
    """True if the person departs for good."""
    is_admitted: bool = False
    """True if the welcome was sent."""

    is_closed: bool = False
    is_awaited: bool = False
    """True if the gateway was told that others wait for this person."""
    welcome: messages.Welcome | None = None
    waiting: list[messages.ServerMessage] = field(default_factory=list)

    @property
    def codec(self) -> Codec | None:
        """None: the peer is not admitted, or takes unencoded messages."""
        return CODECS.get(self.form) if self.is_admitted else None

    @property
    def pending(self) -> int:
        return 0

    @property
    def waits_for_all(self) -> bool:
        return False

    def resume(self) -> bool:
        return True

    def owe(self, cost: float, *, is_play: bool) -> None:
        if not self.is_closed and self.caller.places:
            self.shard.publish(self.gateway, link.Charged(self.connection, cost, is_play=is_play))

    def send(self, message: messages.ServerMessage) -> None:
        if self.is_closed:
            return
        if self.is_admitted:
            self.shard.publish(self.gateway, link.Told((self.connection,), message))
        elif isinstance(message, messages.Welcome):
            self.welcome = message
        else:
            self.waiting.append(message)

    def deliver(self, data: bytes) -> None:
        if not self.is_closed:
            self.shard.publish(self.gateway, link.Delivered((self.connection,), data))

    def begin(self) -> None:
        if self.is_closed or self.welcome is None or self.person is None:
            return
        welcome, self.welcome = self.welcome, None
        if not self.is_home:
            welcome = replace(welcome, games=(), houses=())
        self.is_admitted = True
        known = self.shard.lobby.people[self.person]
        hushed = tuple(known.muted), tuple(known.blocked)
        waiting, self.waiting = tuple(self.waiting), []
        self.shard.publish(
            self.gateway, link.Admitted(self.connection, welcome, waiting, *hushed, known.is_bot, known.fresh_since)
        )

    def flush(self) -> None:
        """Do nothing: no messages are queued here."""

    def ping(self) -> None:
        if not self.is_closed:
            self.shard.publish(self.gateway, link.Pinged(self.connection))

    def farewell(self, goodbye: messages.Goodbye) -> None:
        if not self.is_closed:
            if self.is_home or not self.is_leaving:  # the gateway awaits an answer to `Departed` from the home only
                self.shard.publish(self.gateway, link.Farewell(self.connection, goodbye))
            self.forget()

    def cut(self) -> None:
        """End the connection after a bug in serving it; may be called again."""
        self.farewell(_BUG)

    def forget(self) -> None:
        """Remove the connection; may be called again."""
        if not self.is_closed:
            self.is_closed = True
            self.shard.dismiss(self)

    def tick(self, now: int, *, is_awaited: bool) -> None:
        """Tell the gateway, which watches connections, when others begin or cease to wait for a move."""
        if self.is_admitted and is_awaited != self.is_awaited:
            self.is_awaited = is_awaited
            self.shard.publish(self.gateway, link.Awaited(self.connection, is_awaited))


log = logging.getLogger(__name__)

MOST_SUMMONS = 10_000
"""Most summons without an answer; the gateway that asked for the oldest has long given up."""


class _NoLog(PeerLog):
    """A log without lines about connections: gateways write those, because they know the addresses."""

    def _tell(self, kind: str, address: str, why: str = "", name: str = "") -> None:
        pass


class _Reports(Budgets):
    """Budgets that report debts to the gateways, which keep all accounts."""

    def charge(self, payers: tuple[Peer, ...], cost: float, *, is_play: bool = False) -> bool:
        must_wait = super().charge(payers, cost, is_play=is_play)
        for payer in payers:
            assert isinstance(payer, RemotePeer)
            payer.owe(cost / len(payers), is_play=is_play)
        return must_wait


class ShardDispatcher(Dispatcher):
    def __init__(
        self,
        lobby: Lobby,
        *,
        shuffler: Shuffler,
        now: Callable[[], int],
        houses: HouseSeating,
        journal: CommitQueue,
        studies: AnalysisRunner,
        want_parts: Callable[[WantParts], None] = lambda _: None,
        send: Callable[[str, FromShard], None],
    ) -> None:
        """`want_parts`: as in `Dispatcher`. `send`: sends an item to a gateway."""
        admission = Admission(now)
        admission.log = _NoLog()
        super().__init__(
            lobby,
            shuffler=shuffler,
            now=now,
            houses=houses,
            admission=admission,
            journal=journal,
            studies=studies,
            want_parts=want_parts,
        )
        self.budgets = _Reports(now)
        self.publish = send
        self._peers: dict[tuple[str, int], RemotePeer] = {}
        self._followers: dict[PersonId, tuple[str, link.Looked]] = {}
        """Gateway by subscriber id, with what it follows; these ids belong to no person."""
        self._last_follower = 0
        self._summons: OrderedDict[int, tuple[str, int]] = OrderedDict()
        """Listed by summons: the gateway that asked for a person, and its number of the search."""
        self._last_summons = 0

    def hear(self, gateway: str, item: FromGateway) -> None:
        """Handle an item of a gateway. A bug in an item of one connection ends only that connection."""
        if type(item) is not link.Asked and isinstance(item, link.Looked | link.Sought | link.Came):
            self._hear_gateway(gateway, item)
            return
        try:
            if isinstance(item, link.Visit):
                self._visit(gateway, item)
            elif (peer := self._peers.get((gateway, item.connection))) is not None:
                self._hear_peer(peer, item)
        except Exception:  # the boundary
            log.exception("a message could not be handled; its connection is closed")
            if (peer := self._peers.get((gateway, item.connection))) is not None:
                peer.cut()

    def _hear_peer(
        self, peer: RemotePeer, item: link.Asked | link.Lost | link.Departed | link.Beaten | link.Queued
    ) -> None:
        match item:
            case link.Asked():
                self._asked(peer, item)
            case link.Lost():
                peer.forget()
            case link.Departed():
                peer.is_leaving = True
                self.bye(peer)
            case link.Beaten():
                self.answer_ping(peer)
            case link.Queued(connection=connection, number=number):
                self.in_turn(lambda: self.publish(peer.gateway, link.Reached(connection, number)))

    def _visit(self, gateway: str, visit: link.Visit) -> None:
        known = self.lobby.people.with_token(visit.token)
        if known is None and visit.coming is VisitKind.KNOWN:
            never = self.lobby.tables.never_opened(seen.table for seen in visit.seen)
            if never is not None:
                self.admission.log.lost_play(f"{visit.name} was told of table {never}, and nothing of it is kept")
            self.publish(gateway, link.Absent(visit.connection, is_lost=never is not None))
            return
        about = (visit.knows, visit.views, visit.origin, visit.incarnation)
        event: inputs.Input
        if known is None and visit.coming in (VisitKind.NEW, VisitKind.GUEST):
            is_visitor = visit.coming is VisitKind.GUEST
            hushed = (visit.muted, visit.blocked) if is_visitor else ((), ())
            event = inputs.Arrive(
                visit.name, visit.is_bot, visit.token, *about, is_visitor, *hushed, visit.words, visit.language
            )
        else:
            event = inputs.Return(
                visit.token,
                visit.seen,
                visit.asked,
                *about,
                visit.epoch,
                visit.words,
                visit.fresh_since,
                visit.language,
            )
        if (former := self._peers.get((gateway, visit.connection))) is not None:
            former.forget()
        caller = Caller(visit.address, visit.origin)
        caller.places = self.admission.places_of(visit.origin)
        peer = RemotePeer(
            shard=self,
            gateway=gateway,
            connection=visit.connection,
            is_home=visit.coming in (VisitKind.NEW, VisitKind.BACK),
            form=visit.form,
            caller=caller,
            standing=Allowance(self.now()),
        )
        self._peers[gateway, visit.connection] = peer
        self.enter(peer)
        with self.budgets.work((peer,)):
            self.submit(event, Newcomer(peer, ""))

    def _asked(self, peer: RemotePeer, asked: link.Asked) -> None:
        if peer.person is None:
            return
        if asked.is_silent:
            peer.silent.add(asked.request.id)
        is_move = type(asked.request) in MOVES
        with self.budgets.work((peer,)) as work:
            work.is_play = self.ask(peer, asked.request) and is_move
        if is_move and not work.is_play:
            self.publish(peer.gateway, link.Charged(peer.connection, 0.0, 1))
        if isinstance(asked.request, messages.Sit | messages.Watch | messages.Leave | messages.Stand):
            self._place(peer)

    def _place(self, peer: RemotePeer) -> None:
        person = None if peer.person is None else self.lobby.people.get(peer.person)
        self.publish(peer.gateway, link.Placed(peer.connection, () if person is None else person.tables))

    def _hear_gateway(self, gateway: str, item: link.Looked | link.Sought | link.Came) -> None:
        match item:
            case link.Looked(page=page, is_over=is_over):
                looked = replace(item, is_over=False)
                self._follow_no_more(gateway, looked)
                if is_over:
                    return
                self._last_follower -= 1
                reader = PersonId(self._last_follower)
                self._followers[reader] = gateway, looked
                pages = EVERY_PAGE if page is None else range(page, page + 1)
                # What it is told may not be on the stream yet.
                effects = self.lobby.subscribers.add(reader, self.now(), pages, LobbyFilter(item.game, item.free))
                self.when_committed(lambda: self._tell_all(effects))
            case link.Sought(search=search, name=name, shard=shard):
                person = self.lobby.people.named(name)
                peer = None if person is None else self._online.get(person.id)
                if not isinstance(peer, RemotePeer):
                    self.publish(gateway, link.Found(search, is_there=False))
                    return
                self._last_summons += 1
                self._summons[self._last_summons] = gateway, search
                if len(self._summons) > MOST_SUMMONS:
                    self._summons.popitem(last=False)
                self.publish(peer.gateway, link.Summoned(self._last_summons, peer.connection, shard))
            case link.Came(summons=summons, is_there=is_there):
                if (wanted := self._summons.pop(summons, None)) is not None:
                    self.publish(wanted[0], link.Found(wanted[1], is_there))

    def leave(self, gateway: str) -> None:
        """End all connections of a gateway whose link broke."""
        self._follow_no_more(gateway)
        for peer in [peer for peer in self._peers.values() if peer.gateway == gateway]:
            peer.forget()

    def _follow_no_more(self, gateway: str, looked: link.Looked | None = None) -> None:
        """End what a gateway follows; None: everything."""
        for reader, follower in list(self._followers.items()):
            if follower[0] == gateway and looked in (None, follower[1]):
                del self._followers[reader]
                self.lobby.subscribers.discard(reader)

    def dismiss(self, peer: RemotePeer) -> None:
        if self._peers.get((peer.gateway, peer.connection)) is peer:
            del self._peers[peer.gateway, peer.connection]
        self.exit(peer)

    def _note_wrong_passcode(self, session: Peer) -> None:
        assert isinstance(session, RemotePeer)
        self.publish(session.gateway, link.Charged(session.connection, 0.0, refused=RefusalCode.WRONG_PASSCODE))

    def _tell_all(self, effects: list[Effect]) -> None:
        for effect in effects:
            assert isinstance(effect, Tell)
            self._send(effect.people, effect.message)

    def _tell_follower(self, reader: PersonId, message: messages.ServerMessage) -> None:
        follower = self._followers.get(reader)
        if follower is not None and isinstance(message, messages.LobbyState):
            gateway, looked = follower
            self.publish(gateway, link.Changed(message, looked.game, looked.free))

    def _send(self, people: tuple[PersonId, ...], message: messages.ServerMessage) -> None:
        online = self._online
        groups: dict[tuple[str, Codec | None], list[int]] = {}
        for person in people:
            peer = online.get(person)
            if peer is None:
                if person < 0:
                    self._tell_follower(person, message)
                else:
                    self._houses.tell(person, message)
                continue
            assert isinstance(peer, RemotePeer)
            if type(message) is messages.Left:
                self._place(peer)
            if not peer.is_admitted:
                peer.send(message)
            elif not (peer.silent and self._is_silent(peer, message)):
                groups.setdefault((peer.gateway, peer.codec), []).append(peer.connection)
        encoded: dict[Codec, bytes] = {}
        for (gateway, codec), connections in groups.items():
            if codec is None:
                self.publish(gateway, link.Told(tuple(connections), message))
                continue
            data = encoded.get(codec)
            if data is None:
                data = encoded[codec] = bytes(codec.encode(message))
            self.publish(gateway, link.Delivered(tuple(connections), data))

    def _is_silent(self, peer: RemotePeer, message: messages.ServerMessage) -> bool:
        if isinstance(message, messages.Ok | messages.Refused) and message.id in peer.silent:
            peer.silent.discard(message.id)
            return True
        return False

    def lost_players(self) -> list[bytes]:
        """Digests of disconnected players with a seat here. Other shards that know them must keep them."""
        return [
            person.token
            for person in self.lobby.people.values()
            if not person.is_here and self.lobby.tables.sits(person)
        ]

    def keep(self, tokens: Iterable[bytes]) -> None:
        """Keep disconnected people with these digests, because they have a seat in another shard."""
        for person in self._lost(tokens):
            self.submit(inputs.Keep(person))

    def depart(self, tokens: Iterable[bytes]) -> None:
        """Let disconnected people with these digests depart, because their home does not know them any more."""
        for person in self._lost(tokens):
            self.submit(inputs.Depart(person))

    def _lost(self, tokens: Iterable[bytes]) -> list[PersonId]:
        people = [self.lobby.people.with_token(token) for token in tokens]
        return [person.id for person in people if person is not None and not (person.is_here or person.is_kept)]

    def strangers(self, tokens: Iterable[bytes]) -> list[bytes]:
        """Those of these digests that belong to no person here."""
        return [token for token in tokens if self.lobby.people.with_token(token) is None]
