"""People: everyone known by name, here or lost and expected back."""

from collections.abc import Iterable
from dataclasses import dataclass

from put_protocol.messages import Ok, ViewForm
from put_protocol.refusals import RefusalCode
from put_protocol.table_info import PersonInfo
from put_protocol.text import same_name
from put_server.lobby.checkpoint import PersonCheckpoint
from put_server.lobby.names import skeletons
from put_server.lobby.recent_responses import RecentResponses
from put_server.table.effects import PersonId, TableId
from put_server.table.refusal import Refusal

MOST_HUSHED = 64
"""People whom one may mute, and block; the first make room for more."""


class UnknownPerson(LookupError):
    """An input is of somebody who is not here."""


@dataclass(slots=True)
class Person:
    """Somebody known by name."""

    id: PersonId
    name: str
    is_bot: bool
    token: bytes
    """Digest of the token they come back with."""
    is_here: bool = True
    lost_at: int = 0
    tables: frozenset[TableId] = frozenset()  # as of many who are only here, one for all
    """Where they sit or watch."""
    openings: bool = False
    """They ask for proofs of sealed deals."""
    knows: tuple[str, ...] = ("put",)
    """Families of games that their client can put in words."""
    views: ViewForm = ViewForm.WHOLE
    """How they want views of games."""
    origin: str = ""
    """The address they came from first, which nobody is told; empty: no quota applies. Coming back changes it only
    where there was none, as in journals of former releases: else two addresses would do to fill any server, for whoever
    comes back is never refused."""
    muted: tuple[str, ...] = ()
    """Whose talk they do not hear, by name, in one case; the latest last."""
    blocked: tuple[str, ...] = ()
    """Whom they want nothing to do with, in the same way."""
    responses: RecentResponses | None = None
    """On the connection they have, or had last; None: no request was carried out on it."""
    incarnation: int = 1
    """The number of that connection's hello: the greatest yet."""
    epoch: int = 0
    """That in which they came last; 0: it is not known."""

    @classmethod
    def restored(cls, checkpoint: PersonCheckpoint) -> "Person":
        return cls(
            checkpoint.id,
            checkpoint.name,
            checkpoint.is_bot,
            checkpoint.token,
            is_here=checkpoint.is_here,
            lost_at=checkpoint.lost_at,
            tables=frozenset(checkpoint.tables),
            openings=checkpoint.openings,
            knows=checkpoint.knows,
            views=checkpoint.views,
            origin=checkpoint.origin,
            muted=checkpoint.muted,
            blocked=checkpoint.blocked,
            responses=RecentResponses(checkpoint.answers) if checkpoint.answers else None,
            incarnation=checkpoint.incarnation,
            epoch=checkpoint.epoch,
        )

    def checkpoint(self) -> PersonCheckpoint:
        return PersonCheckpoint(
            self.id,
            self.name,
            self.is_bot,
            self.token,
            self.is_here,
            self.lost_at,
            tuple(sorted(self.tables)),
            () if self.responses is None else self.responses.all(),
            self.openings,
            self.knows,
            self.views,
            self.origin,
            self.incarnation,
            self.muted,
            self.blocked,
            self.epoch,
        )

    def note_response(self, response: Ok) -> None:
        """A request of theirs was carried out."""
        self.responses = self.responses or RecentResponses()
        self.responses.note(response)

    def has_blocked(self, other: "Person") -> bool:
        """Whether they want nothing to do with somebody."""
        return bool(self.blocked) and same_name(other.name) in self.blocked

    def hears_no_more_of(self, speaker: str) -> bool:
        """Whether they muted or blocked who has this name."""
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
        """`is_whole`: there is nobody else."""
        self._is_whole = is_whole
        self.by_id: dict[PersonId, Person] = {}
        self.last_id = 0
        """Given to a person or a house player; none is given twice."""
        self._by_token: dict[bytes, Person] = {}
        self._by_name: dict[str, Person] = {}
        self._by_look: dict[str, tuple[Person, ...]] = {}
        """By each skeleton of their names."""

    def restore(self, people: Iterable[PersonCheckpoint], last_id: int) -> None:
        for person in map(Person.restored, people):
            self.add(person)
        self.last_id = last_id

    @property
    def next_id(self) -> PersonId:
        return PersonId(self.last_id + 1)

    def add(self, person: Person) -> None:
        name = same_name(person.name)
        self.by_id[person.id] = self._by_token[person.token] = self._by_name[name] = person
        for look in skeletons(person.name):
            key = name if look == name else look  # mostly they are equal, and one string will do
            self._by_look[key] = (*self._by_look.get(key, ()), person)
        self.last_id = max(self.last_id, person.id)

    def remove(self, person: Person) -> None:
        del self.by_id[person.id], self._by_token[person.token], self._by_name[same_name(person.name)]
        for look in skeletons(person.name):
            others = tuple([one for one in self._by_look.pop(look) if one is not person])
            if others:
                self._by_look[look] = others

    def get(self, person: PersonId) -> Person:
        """:raises UnknownPerson: they are not here."""
        try:
            return self.by_id[person]
        except KeyError:
            raise UnknownPerson(person) from None

    def named(self, name: str) -> Person | None:
        """Whose name this is, in any case and composition."""
        return self._by_name.get(same_name(name))

    def alike(self, name: str) -> list[Person]:
        """Whose names look like this one, by id."""
        found = {person.id: person for look in skeletons(name) for person in self._by_look.get(look, ())}
        return [found[person] for person in sorted(found)]

    def hushed(self, person: Person, names: tuple[str, ...], name: str, *, on: bool) -> tuple[str, ...]:
        """A list of those whom this person wants to hear no more, with somebody put on it or taken off.

        :raises Refusal: nobody has this name, or they have it themselves.
        """
        if not on:
            return tuple([one for one in names if one != same_name(name)])
        other = self.named(name)
        if other is None and self._is_whole:
            raise Refusal(RefusalCode.UNKNOWN_PERSON, "nobody of that name is here", field="person")
        if other is person:
            raise Refusal(RefusalCode.ALREADY_THERE, "that is you", field="person")
        if same_name(name) in names:
            return names
        return (*names, same_name(name))[-MOST_HUSHED:]

    def with_token(self, digest: bytes) -> Person | None:
        return self._by_token.get(digest)
