"""People: those who are here, those who are expected back, and those of whom only the name is kept."""

from collections import defaultdict
from collections.abc import Iterable
from functools import reduce

from msgspec.structs import asdict

from put_protocol.refusals import RefusalCode
from put_protocol.table_info import PersonInfo
from put_protocol.text import same_name
from put_server.lobby.lobby_checkpoint import PersonCheckpoint
from put_server.lobby.names import plain_skeletons, skeletons
from put_server.lobby.prefixes import Crowds, Prefix, prefixes_of
from put_server.lobby.recent_responses import Responses, each, noted
from put_server.table.table_effects import PersonId, RequestRefused

MOST_HUSHED = 64
"""Most people whom one person may mute, or block; the oldest entries are dropped."""


class UnknownPerson(KeyError):
    """An input of a person who is not here."""


class Person(PersonCheckpoint, gc=False):
    responses: Responses = ()
    """Responses on their current or last connection."""

    @classmethod
    def restored(cls, checkpoint: PersonCheckpoint) -> "Person":
        responses: Responses = reduce(noted, checkpoint.answers, ())
        return cls(**asdict(checkpoint) | {"answers": (), "responses": responses})

    def checkpoint(self) -> PersonCheckpoint:
        same = {name: getattr(self, name) for name in PersonCheckpoint.__struct_fields__}
        return PersonCheckpoint(**same | {"answers": each(self.responses)})

    def has_blocked(self, other: "Person") -> bool:
        return bool(self.blocked) and same_name(other.name) in self.blocked

    def hears_no_more_of(self, speaker: str) -> bool:
        """True if they muted or blocked the person of this name."""
        if not (self.muted or self.blocked):
            return False
        name = same_name(speaker)
        return name in self.muted or name in self.blocked

    def info(self) -> PersonInfo:
        return PersonInfo(self.name, is_bot=self.is_bot, is_away=not self.is_here, tables=self.tables)


class People(dict[PersonId, Person]):
    """Everyone who is here, or disconnected and expected back, by id. Those of whom only the name is kept are found by
    token or by name. Names are unique and do not look alike, except in journals of earlier releases."""

    def __init__(self, *, is_whole: bool = True) -> None:
        """`is_whole`: this lobby knows all people."""
        super().__init__()
        self.is_whole = is_whole
        self.kept = KeptNames()
        self.crowds = Crowds()
        self.last_id = 0
        """The last id given to a person or a house player. Ids are never reused."""
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
        self[person.id] = person
        self.crowds.note(person.origin)

    def _give_up_place(self, person: Person) -> None:
        del self[person.id]
        self.crowds.note(person.origin, -1)

    def note_origin(self, person: Person, origin: str) -> None:
        """Note the origin of a returning person; see `Person.origin`."""
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
        """Keep the name of a person who is gone: at most `most` names, and none of people who left before `since`."""
        self._give_up_place(person)
        person.is_kept = True
        self.kept.add(person)
        while (surplus := self.kept.surplus(person, most, since)) is not None:
            self.remove(surplus)

    def bring_back(self, person: Person, origin: str) -> None:
        """Bring back a person whose name was kept; they count for their new origin."""
        self.drop_name(person)
        person.is_kept, person.origin = False, origin
        self.add(person)

    def drop_name(self, person: Person) -> None:
        """Remove a person whose name was kept. It may just have given way to that of a person who made room."""
        if self.with_token(person.token) is person:
            self.remove(person)

    def __missing__(self, person: PersonId) -> Person:
        """:raises UnknownPerson: the person is not here."""
        raise UnknownPerson(person)

    def named(self, name: str) -> Person | None:
        """Person with a name, in any case and composition; None also if only the name is kept."""
        person = self.holder_of_name(name)
        return None if person is None or person.is_kept else person

    def holder_of_name(self, name: str) -> Person | None:
        """Person with a name, even if only the name is kept."""
        return self._by_name.get(same_name(name))

    def alike(self, name: str, edition: int) -> list[Person]:
        """People whose names look like this one under an edition of the policy, by id."""
        found = {person.id: person for look in skeletons(name) for person in self._by_look.get(look, ())}
        if edition == 1:
            looks = plain_skeletons(name)
            found = {number: one for number, one in found.items() if not looks.isdisjoint(plain_skeletons(one.name))}
        return [found[person] for person in sorted(found)]

    def hushed(self, person: Person, names: tuple[str, ...], name: str, *, on: bool) -> tuple[str, ...]:
        """A list of muted or blocked people after adding or removing a name.

        :raises RequestRefused: no person has this name, or it is their own.
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
        """Remove a departed person's name from all lists of muted and blocked people."""
        for person in (*self.values(), *self.kept.values()):
            person.muted = self.hushed(person, person.muted, name, on=False)
            person.blocked = self.hushed(person, person.blocked, name, on=False)

    def with_token(self, digest: bytes) -> Person | None:
        return self._by_token.get(digest)


ORIGIN_PART = 32
"""Share of the kept names that one origin may own: one in so many."""

AT_ONCE = 20
"""Most names out of time that are erased together: after a long rest of the server all of them may be."""

_EXEMPT = (Prefix("", 1),)


def _networks(person: Person) -> tuple[Prefix, ...]:
    """The networks that they came from, the narrowest first."""
    return prefixes_of(person.origin) or _EXEMPT


class KeptNames(dict[PersonId, Person]):
    """Names kept for people who are gone, the longest absent first. The holder of a name's token gets it back.

    A person has a place while they are here, sit, or have just left. Their name is kept longer, as set by the policy,
    and takes no place. The number of kept names is limited, in total and for each network around an origin
    (`lobby.prefixes`). Beyond the limit, the most crowded network loses a name, and there the most crowded narrower
    one: the name of the person who was here least recently. So an origin that creates many names loses its own.
    """

    def __init__(self) -> None:
        super().__init__()
        self._by_network: dict[str, dict[PersonId, Person]] = {}
        """Names by the widest network of each."""
        self._first_lost_at = 0
        """No person whose name is kept was lost before this time."""

    def add(self, person: Person) -> None:
        self._first_lost_at = min(self._first_lost_at, person.lost_at)
        self[person.id] = person
        self._by_network.setdefault(_networks(person)[-1].network, {})[person.id] = person

    def discard(self, person: Person) -> None:
        if self.pop(person.id, None) is not None:
            network = _networks(person)[-1].network
            del self._by_network[network][person.id]
            if not self._by_network[network]:
                del self._by_network[network]

    def lost_until(self, at: int) -> list[PersonId]:
        """People lost at this time or before, `AT_ONCE` of them at most."""
        if at < self._first_lost_at:
            return []
        found = [person.id for person in self.values() if person.lost_at <= at]
        if len(found) <= AT_ONCE:
            self._first_lost_at = min(
                [person.lost_at for person in self.values() if person.lost_at > at], default=at + 1
            )
        return found[:AT_ONCE]

    def surplus(self, latest: Person, most: int, since: int) -> Person | None:
        """The person whose name is dropped after an addition: one who left before `since`, or one too many."""
        first = next(iter(self.values()), latest)
        if first.lost_at <= since:
            return first
        networks = _networks(latest) if latest.id in self else ()
        for depth, (network, share) in enumerate(networks):
            neighbours = self._by_network[networks[-1].network].values()
            same = [kept for kept in neighbours if _networks(kept)[depth].network == network]
            if network and len(same) > max(1, most // ORIGIN_PART) * share:
                return _least_missed(same)
        if len(self) > most:
            crowd = max(map(len, self._by_network.values()))
            # Not by the order of `_by_network`, which a checkpoint does not have.
            crowds = (self._by_network[_networks(person)[-1].network] for person in self.values())
            return _least_missed(next(kept for kept in crowds if len(kept) == crowd).values())
        return None


def _least_missed(kept: Iterable[Person]) -> Person:
    """The name to drop among people of one network."""
    same = list(kept)
    for depth in range(len(_networks(same[0])) - 2, -1, -1):
        groups: dict[str, list[Person]] = defaultdict(list)
        for one in same:
            groups[_networks(one)[depth].network].append(one)
        same = max(groups.values(), key=len)
    return min(same, key=lambda person: (person.lost_at, person.id))
