"""People: everyone known by name, here or lost and expected back, and those of whom the name alone is kept."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, KeysView
from dataclasses import dataclass, field

from put_protocol.messages import Ok, ViewForm
from put_protocol.refusals import RefusalCode
from put_protocol.table_info import PersonInfo
from put_protocol.text import same_name
from put_server.lobby.binding import Binding
from put_server.lobby.lobby_checkpoint import PersonCheckpoint
from put_server.lobby.names import plain_skeletons, skeletons
from put_server.lobby.prefixes import Crowds, Prefix, prefixes_of
from put_server.lobby.recent_responses import RecentResponses
from put_server.table.table_effects import PersonId, RequestRefused, TableId

MOST_HUSHED = 64
"""People whom one may mute, and block; the first make room for more."""

_SAME = tuple(name for name in PersonCheckpoint.__struct_fields__ if name not in {"tables", "answers"})
"""Fields that a person and their checkpoint have alike."""


class UnknownPerson(LookupError):
    """An input is of a person who is not here."""


@dataclass(slots=True)
class Person:
    id: PersonId
    name: str
    is_bot: bool
    token: bytes
    """Digest of the token they come back with."""
    is_here: bool = True
    lost_at: int = 0
    bindings: dict[TableId, Binding] = field(default_factory=dict, repr=False, compare=False)
    """Bindings to the tables where they sit or watch. The dict stays the same, for their session has it, too."""
    knows: tuple[str, ...] = ("put",)
    """Families of games that their client can put in words."""
    views: ViewForm = ViewForm.WHOLE
    """The form in which they want views of games."""
    words: bool = True
    language: str = ""
    """The language in which their client says those words; empty: English alone."""
    origin: str = ""
    """The address they came from first, which is never told; empty: no quota applies. Coming back changes only an
    empty one: else two addresses would do to fill any server, for a person who comes back is never refused."""
    muted: tuple[str, ...] = ()
    """Names whose talk they do not hear, in one case; the latest last."""
    blocked: tuple[str, ...] = ()
    """Whom they want nothing to do with, in the same way."""
    responses: RecentResponses | None = None
    """Responses on the connection they have, or had last; None: no request was carried out on it."""
    incarnation: int = 1
    """The number of that connection's hello: the greatest yet."""
    fresh_since: int = 0
    """Incarnation of the last hello that asked after no request. The ids of requests before it may be used again, so
    responses to them answer nothing any more."""
    epoch: int = 0
    """That in which they came last; 0: it is not known."""
    is_visitor: bool = False
    """Their name is kept by another lobby of the same server."""
    is_heard: bool = True
    """They asked for something, so they know their token; or that cannot be told."""
    is_kept: bool = False
    """They are gone, and their name is kept."""

    @classmethod
    def restored(cls, checkpoint: PersonCheckpoint) -> "Person":
        return cls(
            responses=RecentResponses(checkpoint.answers) if checkpoint.answers else None,
            **{name: getattr(checkpoint, name) for name in _SAME},
        )

    def checkpoint(self) -> PersonCheckpoint:
        return PersonCheckpoint(
            tables=tuple(sorted(self.tables)),
            answers=() if self.responses is None else self.responses.all(),
            **{name: getattr(self, name) for name in _SAME},
        )

    @property
    def tables(self) -> KeysView[TableId]:
        return self.bindings.keys()

    def note_response(self, ok: Ok) -> None:
        self.is_heard = True
        if self.responses is None:
            self.responses = RecentResponses()
        self.responses.note(ok)

    def has_blocked(self, other: "Person") -> bool:
        return bool(self.blocked) and same_name(other.name) in self.blocked

    def hears_no_more_of(self, speaker: str) -> bool:
        """True if they muted or blocked who has this name."""
        if not (self.muted or self.blocked):
            return False
        name = same_name(speaker)
        return name in self.muted or name in self.blocked

    def info(self) -> PersonInfo:
        return PersonInfo(self.name, is_bot=self.is_bot, is_away=not self.is_here, tables=tuple(sorted(self.tables)))


class People:
    """Everyone, by id, by token and by name. No two have the same name; nor names that look alike, but those whom a
    journal of a former release has brought."""

    def __init__(self, *, is_whole: bool = True) -> None:
        """`is_whole`: this lobby knows all people."""
        self.is_whole = is_whole
        self.by_id: dict[PersonId, Person] = {}
        """Without those whose names are kept."""
        self.kept = KeptNames()
        self.crowds = Crowds()
        self.last_id = 0
        """Given to a person or a house player; none is given twice."""
        self._by_token: dict[bytes, Person] = {}
        self._by_name: dict[str, Person] = {}
        self._by_look: dict[str, tuple[Person, ...]] = {}
        """People by each skeleton of their names."""

    def restore(self, people: Iterable[PersonCheckpoint], last_id: int) -> None:
        for person in map(Person.restored, people):
            self.add(person)
        self.last_id = last_id

    @property
    def next_id(self) -> PersonId:
        return PersonId(self.last_id + 1)

    def add(self, person: Person) -> None:
        name = same_name(person.name)
        self._by_token[person.token] = self._by_name[name] = person
        if person.is_kept:
            self.kept.add(person)
        else:
            self._take_place(person)
        for look in skeletons(person.name):
            key = name if look == name else look  # mostly they are equal, and one string will do
            self._by_look[key] = (*self._by_look.get(key, ()), person)
        self.last_id = max(self.last_id, person.id)

    def _take_place(self, person: Person) -> None:
        self.by_id[person.id] = person
        self.crowds.note(person.origin)

    def _give_up_place(self, person: Person) -> None:
        del self.by_id[person.id]
        self.crowds.note(person.origin, -1)

    def note_origin(self, person: Person, origin: str) -> None:
        """A person came back from there; see `Person.origin`."""
        if not person.origin:
            self.crowds.note(person.origin, -1)
            person.origin = origin
            self.crowds.note(origin)

    def remove(self, person: Person) -> None:
        del self._by_token[person.token], self._by_name[same_name(person.name)]
        if person.is_kept:
            self.kept.discard(person)
        else:
            self._give_up_place(person)
        for look in skeletons(person.name):
            others = tuple([one for one in self._by_look.pop(look) if one is not person])
            if others:
                self._by_look[look] = others

    def keep_name(self, person: Person, most: int, since: int) -> None:
        """They are gone: keep so many names, and none of those who went before `since`."""
        self._give_up_place(person)
        person.is_kept = True
        self.kept.add(person)
        while (surplus := self.kept.surplus(person, most, since)) is not None:
            self.remove(surplus)

    def bring_back(self, person: Person, origin: str) -> None:
        """A person whose name was kept is here again, and takes a place for where they come from now."""
        self.kept.discard(person)
        person.is_kept, person.origin = False, origin
        self._take_place(person)

    def get(self, person: PersonId) -> Person:
        """:raises UnknownPerson: they are not here."""
        try:
            return self.by_id[person]
        except KeyError:
            raise UnknownPerson(person) from None

    def named(self, name: str) -> Person | None:
        """Person of a name, in any case and composition; None if the name is only kept."""
        person = self.holder_of_name(name)
        return None if person is None or person.is_kept else person

    def holder_of_name(self, name: str) -> Person | None:
        """The same, be it only kept."""
        return self._by_name.get(same_name(name))

    def alike(self, name: str, edition: int) -> list[Person]:
        """People whose names look like this one under an edition of the policy, by id."""
        found = {person.id: person for look in skeletons(name) for person in self._by_look.get(look, ())}
        if edition == 1:
            looks = plain_skeletons(name)
            found = {number: one for number, one in found.items() if not looks.isdisjoint(plain_skeletons(one.name))}
        return [found[person] for person in sorted(found)]

    def hushed(self, person: Person, names: tuple[str, ...], name: str, *, on: bool) -> tuple[str, ...]:
        """A list of those whom this person wants to hear no more, with a person put on it or taken off.

        :raises RequestRefused: no person has this name, or they have it themselves.
        """
        if not on:
            return tuple([one for one in names if one != same_name(name)])
        other = self.named(name)
        if other is None and self.is_whole:
            raise RequestRefused(RefusalCode.UNKNOWN_PERSON, "refused-person", field="person")
        if other is person:
            raise RequestRefused(RefusalCode.ALREADY_THERE, "refused-yourself", field="person")
        if same_name(name) in names:
            return names
        return (*names, same_name(name))[-MOST_HUSHED:]

    def forget(self, name: str) -> None:
        """Take the name of a person who departed from the lists of those who would not hear them."""
        for person in (*self.by_id.values(), *self.kept):
            person.muted = self.hushed(person, person.muted, name, on=False)
            person.blocked = self.hushed(person, person.blocked, name, on=False)

    def with_token(self, digest: bytes) -> Person | None:
        return self._by_token.get(digest)


ORIGIN_PART = 32
"""One origin may have one in so many of all names that are kept."""

_EXEMPT = (Prefix("", 1),)

_Kept = tuple[Person, tuple[Prefix, ...]]
"""A person, and the networks they came from, the narrowest first."""


class KeptNames:
    """Names kept for people who are gone, first those of who went first. A holder of its token gets the name back.

    A person has a place while they are here, sit, or went a moment ago. Their name is kept longer, as long as the
    policy says, and takes no place. How many names are kept is bounded, in all and for each network around an origin
    (`lobby.prefixes`). Beyond that one gives way: of the most crowded network, and there of the most crowded narrower
    one, the name whose holder was here least recently. So an origin that makes many names pushes out its own.
    """

    def __init__(self) -> None:
        self._by_id: dict[PersonId, _Kept] = {}
        self._by_network: dict[str, dict[PersonId, _Kept]] = {}
        """Names by the widest network of each."""

    def __iter__(self) -> Iterator[Person]:
        return (person for person, _ in self._by_id.values())

    def get(self, person: PersonId) -> Person | None:
        found = self._by_id.get(person)
        return None if found is None else found[0]

    def add(self, person: "Person") -> None:
        networks = prefixes_of(person.origin) or _EXEMPT
        self._by_id[person.id] = person, networks
        self._by_network.setdefault(networks[-1].network, {})[person.id] = person, networks

    def discard(self, person: "Person") -> None:
        found = self._by_id.pop(person.id, None)
        if found is not None:
            network = found[1][-1].network
            del self._by_network[network][person.id]
            if not self._by_network[network]:
                del self._by_network[network]

    def surplus(self, latest: "Person", most: int, since: int) -> Person | None:
        """The person whose name gives way after another was added: one who went before `since`, or one too many."""
        first = next(iter(self), latest)
        if first.lost_at <= since:
            return first
        _, networks = self._by_id.get(latest.id, (latest, ()))
        for depth, (network, share) in enumerate(networks):
            neighbours = self._by_network[networks[-1].network].values()
            same = [kept for kept in neighbours if kept[1][depth].network == network]
            if network and len(same) > max(1, most // ORIGIN_PART) * share:
                return _least_missed(same)
        if len(self._by_id) > most:
            return _least_missed(max(self._by_network.values(), key=len).values())
        return None


def _least_missed(kept: Iterable[_Kept]) -> "Person":
    """The name to give up, of people of one network."""
    same = list(kept)
    for depth in range(len(same[0][1]) - 2, -1, -1):
        groups: dict[str, list[_Kept]] = defaultdict(list)
        for one in same:
            groups[one[1][depth].network].append(one)
        same = max(groups.values(), key=len)
    return min((person for person, _ in same), key=lambda person: (person.lost_at, person.id))
