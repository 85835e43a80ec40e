"""Guests: connections of a gateway after their hello, the shards at which each is known, and what many are told."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from put_protocol.messages import Block, Hello, LobbyState, Mute, Notice, Ok, Refused, ServerMessage, Welcome
from put_protocol.text import same_name
from put_server.cluster.link_messages import Admitted, Asked, PeerEncoding, Queued, Visit, VisitKind
from put_server.lobby.people import MOST_HUSHED
from put_server.table.table_effects import PersonId
from put_server.transport.interfaces import Peer, Unsent
from put_server.transport.peer_codecs import PageEncodings
from put_server.transport.reception import AT_ONCE

KNOWN_MS = 60_000
"""Time for which a token that left is remembered; a debt is paid long before."""


class Summons(NamedTuple):
    """Request of a shard that a guest visit another shard; it is answered once the guest is there."""

    shard: int
    number: int


@dataclass(slots=True)
class PendingVisit:
    """A visit that the shard has not answered yet, and the requests that wait for it."""

    asked: list[Asked | Queued] = field(default_factory=list)
    summons: list[Summons] = field(default_factory=list)


@dataclass(slots=True)
class Greeting:
    """A hello that waits for shards: first for the home, and then, if it has a token, for the others."""

    hello: Hello
    token: str
    """Token of the hello; for a new person, the one that was made for them."""
    since: int
    unasked: set[int]
    """Shards to ask next; the link with them may be down."""
    awaited: set[int] = field(default_factory=set)
    """Shards that were asked and have not answered."""
    welcome: Welcome | None = None
    """The home's."""
    tables: set[int] = field(default_factory=set)
    answers: dict[int, Ok | Refused] = field(default_factory=dict)
    """Answers to requests of the former connection, by request; one is refused only if no shard carried it out."""
    held: list[bytes | ServerMessage] = field(default_factory=list)
    """Messages that came for the guest before they were let in."""

    def add(self, admitted: Admitted) -> None:
        self.tables.update(admitted.welcome.tables)
        for message in admitted.messages:
            if isinstance(message, Ok):
                self.answers[message.id] = message
            elif isinstance(message, Refused):
                self.answers.setdefault(message.id, message)
            else:
                self.held.append(message)


@dataclass(slots=True)
class Owed:
    """Messages that a guest who was let in is still to get, from shards that did not answer in time."""

    hello: Hello
    """Hello for those shards."""
    unasked: set[int]
    """Shards whose link is down."""
    awaited: set[int]
    promised: dict[int, frozenset[int]]
    """Tables listed in `welcome`, by shard."""
    hushed: dict[tuple[type[Mute | Block], str], Mute | Block] = field(default_factory=dict)
    """Latest request for each person, made since; those shards are to carry it out as well."""

    def note_hush(self, request: Mute | Block) -> None:
        key = type(request), same_name(request.person)
        self.hushed.pop(key, None)
        self.hushed[key] = request
        if len(self.hushed) > 2 * MOST_HUSHED:
            del self.hushed[next(iter(self.hushed))]

    @property
    def is_over(self) -> bool:
        return not (self.unasked or self.awaited)


@dataclass(slots=True, eq=False)
class Guest:
    """One connection, from its hello to its end."""

    number: int
    """Number of the connection, on every link."""
    session: Peer
    digest: bytes
    home: int
    form: PeerEncoding
    hello: Hello
    """Hello for shards that the guest visits later: without secrets, and without requests that have been answered."""
    greeting: Greeting | None
    """None: the guest was let in."""
    name: str = ""
    is_bot: bool = False
    reframe: Callable[[bytes], bytes] | None = None
    """Changes lines that shards encode to the guest's own form; None: the guest takes them unchanged."""
    incarnation: int = 0
    fresh_since: int = 0
    visits: dict[int, PendingVisit | None] = field(default_factory=dict)
    """Shards that the guest visits; None: the guest is known there."""
    tables: dict[int, tuple[int, ...]] = field(default_factory=dict)
    muted: dict[str, None] = field(default_factory=dict)
    blocked: dict[str, None] = field(default_factory=dict)
    pinged: set[int] = field(default_factory=set)
    """Shards that wait for the answer to a ping."""
    awaited: set[int] = field(default_factory=set)
    """Shards in which other people wait for a move of the guest."""
    unsettled: dict[int, int] = field(default_factory=dict)
    """Shards that may still answer, and what was sent there last: the number of what is queued; 0: a request."""
    queued: dict[int, Callable[[], object]] = field(default_factory=dict)
    """Answers of the gateway itself that wait for a shard's answers to earlier requests, by number."""
    held: list[Callable[[], object]] | None = None
    """Later requests, which wait for the search for a person whom an earlier one names; None: there is no search."""
    owed: Owed | None = None
    """None: all shards have answered, or the guest was not let in yet."""

    def reached(self, number: int) -> None:
        """Give an answer that was queued, unless the guest has said goodbye."""
        if (then := self.queued.pop(number, None)) is not None:
            then()

    def note_awaited(self, shard: int, *, is_awaited: bool) -> None:
        self.awaited = self.awaited | {shard} if is_awaited else self.awaited - {shard}
        self.session.is_awaited = bool(self.awaited)

    def visit(self, hello: Hello, coming: VisitKind, shard: int, shards: int) -> Visit:
        caller = self.session.caller
        return Visit(
            connection=self.number,
            coming=coming,
            form=self.form,
            name=self.name,
            is_bot=self.is_bot,
            token=self.digest,
            knows=hello.knows,
            views=hello.views,
            origin=caller.origin,
            address=caller.address,
            incarnation=self.incarnation,
            epoch=0,
            seen=tuple([seen for seen in hello.seen if seen.table % shards == shard]),
            asked=hello.asked,
            muted=tuple(self.muted),
            blocked=tuple(self.blocked),
            words=hello.words,
            fresh_since=self.fresh_since,
            language=hello.language,
        )


class Guests:
    def __init__(self, shards: int) -> None:
        self.by_number: dict[int, Guest] = {}
        self._by_session: dict[Peer, Guest] = {}
        self._at: list[dict[int, Guest]] = [{} for _ in range(shards)]
        self._last = 0

    def __iter__(self) -> Iterator[Guest]:
        return iter(list(self.by_number.values()))

    def of(self, session: Peer) -> Guest | None:
        return self._by_session.get(session)

    def next_number(self) -> int:
        """A number for a connection; none is given twice."""
        self._last += 1
        return self._last

    def add(self, guest: Guest) -> None:
        self.by_number[guest.number] = self._by_session[guest.session] = guest

    def remove(self, guest: Guest) -> None:
        self.by_number.pop(guest.number, None)
        if self._by_session.get(guest.session) is guest:
            del self._by_session[guest.session]
        for shard in guest.visits:
            self._at[shard].pop(guest.number, None)
        guest.visits.clear()

    def begin_visit(self, guest: Guest, shard: int) -> PendingVisit:
        self._at[shard][guest.number] = guest
        guest.visits[shard] = coming = PendingVisit()
        return coming

    def end_visit(self, guest: Guest, shard: int) -> None:
        self._at[shard].pop(guest.number, None)
        guest.visits.pop(shard, None)
        guest.tables.pop(shard, None)
        guest.unsettled.pop(shard, None)
        guest.note_awaited(shard, is_awaited=False)

    def at(self, shard: int) -> list[Guest]:
        """Guests who are known at a shard, or are about to be."""
        return list(self._at[shard].values())


def account_of(digest: bytes) -> PersonId:
    """Number of the person with this token at every gateway, which knows no other number of theirs."""
    return PersonId(int.from_bytes(digest[:8]))


class Audience:
    """Guests who get the same message, encoded once for each codec: named by a shard, reading a page, or all."""

    def __init__(self, guests: Guests, unsent: Unsent, crowd: Unsent) -> None:
        """`unsent`: peers that are written to at once; `crowd`: peers that are written to bit by bit."""
        self._guests = guests
        self._unsent = unsent
        self._crowd = crowd
        self._encodings = PageEncodings()

    def deliver(self, shard: int, connections: tuple[int, ...], data: bytes) -> None:
        unsent = self._unsent if len(connections) <= AT_ONCE else self._crowd
        known = self._guests.by_number
        reframed: dict[Callable[[bytes], bytes], bytes] = {}
        """The bytes in each other form that guests take."""
        for number in connections:
            guest = known.get(number)
            if guest is None or shard not in guest.visits:
                continue  # the guest left, and the shard did not know yet
            own, reframe = data, guest.reframe
            if reframe is not None:
                own = reframed.get(reframe) or reframed.setdefault(reframe, reframe(data))
            if guest.greeting is None:
                guest.session.deliver(own)
                unsent[guest.session] = ()
            else:
                guest.greeting.held.append(own)

    def pass_on(self, shard: int, connections: tuple[int, ...], message: ServerMessage) -> None:
        found = [self._guests.by_number.get(number) for number in connections]
        here = [guest for guest in found if guest is not None and shard in guest.visits]
        for guest in here:
            if guest.greeting is not None:
                guest.greeting.held.append(message)
        self.tell([guest for guest in here if guest.greeting is None], message)

    def announce(self, says: str) -> int:
        guests = [guest for guest in self._guests if guest.greeting is None]
        self.tell(guests, Notice(says))
        return len(guests)

    def tell(self, guests: Collection[Guest], message: ServerMessage) -> None:
        unsent = self._unsent if len(guests) <= AT_ONCE else self._crowd
        encoded = self._encodings.of(message) if isinstance(message, LobbyState) else {}
        for guest in guests:
            session, codec = guest.session, guest.session.codec
            if codec is None:
                session.send(message)
            else:
                if (data := encoded.get(codec)) is None:
                    data = encoded[codec] = codec.encode(message)
                session.deliver(data)
            unsent[session] = ()
