"""Guests: the connections of a gateway from their hello on, and the shards at which each of them is known."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from put_protocol.messages import Block, Hello, Mute, Ok, Refused, ServerMessage, Welcome
from put_protocol.text import same_name
from put_server.cluster.link_messages import Admitted, Asked, PeerEncoding, Visit, VisitKind
from put_server.lobby.people import MOST_HUSHED
from put_server.transport.interfaces import Peer


class Summons(NamedTuple):
    """A shard asked that somebody come to another, and is told when they are there."""

    shard: int
    number: int


@dataclass(slots=True)
class PendingVisit:
    """A visit that is not answered yet, and what waits for it."""

    asked: list[Asked] = field(default_factory=list)
    summons: list[Summons] = field(default_factory=list)


@dataclass(slots=True)
class Greeting:
    """What a hello waits for: the home first, and then, of somebody with a token, other shards."""

    hello: Hello
    token: str
    """That of the hello, or the one that was made for somebody new."""
    since: int
    unasked: set[int]
    """Shards that are to be asked next, and whose link may be down."""
    awaited: set[int] = field(default_factory=set)
    """Shards that were asked."""
    welcome: Welcome | None = None
    """The home's."""
    tables: set[int] = field(default_factory=set)
    answers: dict[int, Ok | Refused] = field(default_factory=dict)
    """By request, what became of it that was asked on the connection before; refused is what no shard carried out."""
    held: list[bytes | ServerMessage] = field(default_factory=list)
    """What came for them before they were let in."""

    def add(self, admitted: Admitted) -> None:
        """A shard has let them in."""
        self.tables.update(admitted.welcome.tables)
        self.held += note_answers(self.answers, admitted.messages)


@dataclass(slots=True)
class Owed:
    """What somebody who was let in is told yet: that of shards which did not answer in time."""

    hello: Hello
    """As they say it there: it names the requests that no shard has carried out so far."""
    unasked: set[int]
    """Shards whose link is down."""
    awaited: set[int]
    promised: dict[int, frozenset[int]]
    """Their tables there that the welcome named, by shard."""
    answers: dict[int, Ok | Refused]
    """Refusals: what another shard may have carried out."""
    hushed: dict[tuple[type[Mute | Block], str], Mute | Block] = field(default_factory=dict)
    """What they asked for since, the last of each person, to be carried out there, too."""

    def note_hush(self, request: Mute | Block) -> None:
        key = type(request), same_name(request.person)
        self.hushed.pop(key, None)
        self.hushed[key] = request
        if len(self.hushed) > 2 * MOST_HUSHED:
            del self.hushed[next(iter(self.hushed))]

    @property
    def is_over(self) -> bool:
        return not (self.unasked or self.awaited)


def note_answers(answers: dict[int, Ok | Refused], messages: Iterable[ServerMessage]) -> list[ServerMessage]:
    """Note what a shard says of requests on a former connection: refused is what no shard carried out. Returns what
    else it says."""
    others: list[ServerMessage] = []
    for message in messages:
        if isinstance(message, Ok):
            answers[message.id] = message
        elif isinstance(message, Refused):
            answers.setdefault(message.id, message)
        else:
            others.append(message)
    return others


@dataclass(slots=True, eq=False)
class Guest:
    """One connection, from its hello to its end."""

    number: int
    """Of the connection, on every link."""
    session: Peer
    digest: bytes
    home: int
    form: PeerEncoding
    hello: Hello
    """As they say it at shards to which they come later: without its secrets, and without what has been answered."""
    greeting: Greeting | None
    """None: they are in."""
    name: str = ""
    is_bot: bool = False
    reframe: Callable[[bytes], bytes] | None = None
    """Makes their own form of the lines that shards encode for them; None: they take what shards encode."""
    incarnation: int = 0
    visits: dict[int, PendingVisit | None] = field(default_factory=dict)
    """By shard; None: they are known there."""
    muted: dict[str, None] = field(default_factory=dict)
    blocked: dict[str, None] = field(default_factory=dict)
    pinged: set[int] = field(default_factory=set)
    """Shards that wait for the answer to a ping."""
    owed: Owed | None = None
    """None: all shards have answered, or they are not in yet."""
    left: dict[int, bool] = field(default_factory=dict)
    """Shards beside their home from which they depart, and whether each was told."""

    def visit(self, hello: Hello, coming: VisitKind, shard: int, shards: int) -> Visit:
        """How they come to one of so many shards."""
        caller = self.session.caller
        return Visit(
            connection=self.number,
            coming=coming,
            form=self.form,
            name=self.name,
            is_bot=self.is_bot,
            token=self.digest,
            openings=hello.openings,
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
        )


class Guests:
    """All of a gateway, by connection and by shard."""

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
        """Of a connection; none is given twice."""
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

    def at(self, shard: int) -> list[Guest]:
        """Who is known there, or is about to be."""
        return list(self._at[shard].values())
