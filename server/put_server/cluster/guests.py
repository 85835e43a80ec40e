"""Guests: connections of a gateway after their hello, their shards, and broadcasts to them."""

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
"""Time for which the token of a departed person is remembered; debts are paid long before."""


class Summons(NamedTuple):
    """A shard's request that a guest visit another shard. It is answered when the guest is there."""

    shard: int
    number: int


@dataclass(slots=True)
class ShardVisit:
    """A guest's visit to one shard, from the question to it on."""

    is_known: bool = False
    """The shard has admitted the guest. Until then requests and summons wait here."""
    asked: list[Asked | Queued] = field(default_factory=list)
    summons: list[Summons] = field(default_factory=list)
    tables: tuple[int, ...] = ()
    is_pinged: bool = False
    """The shard waits for the answer to a ping."""
    is_awaited: bool = False
    """Other people there wait for a move of the guest."""
    unsettled: int | None = None
    """Last thing sent there, if the shard may still answer: the number of an entry in `queued`; 0: a request."""


@dataclass(slots=True)
class Greeting:
    """A hello that waits for shards: first the home, then, if it has a token, the others. A guest may be admitted
    before all of them have answered."""

    hello: Hello
    token: str
    """Token of the hello; for a new person, a newly made one."""
    since: int
    unasked: set[int]
    """Shards to ask next; their links may be down."""
    awaited: set[int] = field(default_factory=set)
    """Shards that were asked and have not answered."""
    welcome: Welcome | None = None
    """The `welcome` from the home."""
    tables: set[int] = field(default_factory=set)
    answers: dict[int, Ok | Refused] = field(default_factory=dict)
    """Answers to requests of the former connection, by id. A request is refused only if no shard carried it out."""
    held: list[bytes | ServerMessage] = field(default_factory=list)
    """Messages for the guest that arrived before admission."""
    hushed: dict[tuple[type[Mute | Block], str], Mute | Block] = field(default_factory=dict)
    """Latest mute or block of each person since admission, for the late shards to carry out."""

    def add(self, admitted: Admitted) -> None:
        self.tables.update(admitted.welcome.tables)
        for message in admitted.messages:
            if isinstance(message, Ok):
                self.answers[message.id] = message
            elif isinstance(message, Refused):
                self.answers.setdefault(message.id, message)
            else:
                self.held.append(message)

    def note_hush(self, request: Mute | Block) -> None:
        key = type(request), same_name(request.person)
        self.hushed.pop(key, None)
        self.hushed[key] = request
        if len(self.hushed) > 2 * MOST_HUSHED:
            del self.hushed[next(iter(self.hushed))]


@dataclass(slots=True, eq=False)
class Guest:
    number: int
    """Number of the connection, on every link."""

    session: Peer
    digest: bytes
    home: int
    form: PeerEncoding
    hello: Hello
    """Hello for shards that the guest visits later, without secrets and answered requests."""
    greeting: Greeting | None
    """None: the guest is admitted."""
    name: str = ""
    is_bot: bool = False
    reframe: Callable[[bytes], bytes] | None = None
    """Converts lines encoded by shards to the guest's form; None: no conversion."""
    incarnation: int = 0
    fresh_since: int = 0
    visits: dict[int, ShardVisit] = field(default_factory=dict)
    muted: dict[str, None] = field(default_factory=dict)
    blocked: dict[str, None] = field(default_factory=dict)
    queued: dict[int, Callable[[], object]] = field(default_factory=dict)
    """The gateway's own answers, by number, that wait for a shard's answers to earlier requests."""
    held: list[Callable[[], object]] | None = None
    """Requests that wait for a search for a person named in an earlier request; None: there is no search."""
    owed: Greeting | None = None
    """Greeting of an admitted guest, while shards have not answered it."""

    def reached(self, number: int) -> None:
        """Send a queued answer, unless the guest has said goodbye."""
        if (then := self.queued.pop(number, None)) is not None:
            then()

    @property
    def is_awaited(self) -> bool:
        """Others wait for a move of the guest at some shard."""
        return any(visit.is_awaited for visit in self.visits.values())

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


def account_of(digest: bytes) -> PersonId:
    """Number of the person with this token, for accounts. It is the same at every gateway, which knows no other
    number."""
    return PersonId(int.from_bytes(digest[:8]))


class Guests:
    """All guests, and broadcasts to some of them: a list from a shard, the readers of a page, or all. A broadcast is
    encoded once for each codec."""

    def __init__(self, unsent: Unsent, crowd: Unsent) -> None:
        """`unsent`: peers to write to at once; `crowd`: peers to write to gradually."""
        self._unsent = unsent
        self._crowd = crowd
        self._encodings = PageEncodings()
        self.by_number: dict[int, Guest] = {}
        self._by_session: dict[Peer, Guest] = {}
        self._last = 0

    def __iter__(self) -> Iterator[Guest]:
        return iter(list(self.by_number.values()))

    def of(self, session: Peer) -> Guest | None:
        return self._by_session.get(session)

    def next_number(self) -> int:
        self._last += 1
        return self._last

    def add(self, guest: Guest) -> None:
        self.by_number[guest.number] = self._by_session[guest.session] = guest

    def remove(self, guest: Guest) -> None:
        self.by_number.pop(guest.number, None)
        if self._by_session.get(guest.session) is guest:
            del self._by_session[guest.session]
        guest.visits.clear()

    def at(self, shard: int) -> list[Guest]:
        """Guests who are known at a shard, or will be soon."""
        return [guest for guest in self if shard in guest.visits]

    def deliver(self, shard: int, connections: tuple[int, ...], data: bytes) -> None:
        unsent = self._unsent if len(connections) <= AT_ONCE else self._crowd
        known = self.by_number
        reframed: dict[Callable[[bytes], bytes], bytes] = {}
        """The bytes in each other form."""
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
        found = [self.by_number.get(number) for number in connections]
        here = [guest for guest in found if guest is not None and shard in guest.visits]
        for guest in here:
            if guest.greeting is not None:
                guest.greeting.held.append(message)
        self.tell([guest for guest in here if guest.greeting is None], message)

    def announce(self, says: str) -> int:
        guests = [guest for guest in self if guest.greeting is None]
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
