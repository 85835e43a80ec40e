"""Names kept for people who are gone: a holder of its token gets the name back.

A person has a place while they are here, sit, or went a moment ago. Their name is kept longer, as long as the policy
says, and takes no place. How many names are kept is bounded, in all and for each network around an origin
(`lobby.prefixes`). Beyond that one gives way: of the most crowded network, and there of the most crowded narrower one,
the name whose holder was here least recently. So an origin that makes many names pushes out its own.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from put_server.lobby.prefixes import Prefix, prefixes_of
from put_server.table.table_effects import PersonId

if TYPE_CHECKING:
    from put_server.lobby.people import Person

ORIGIN_PART = 32
"""One origin may have one in so many of all names that are kept."""

_EXEMPT = (Prefix("", 1),)

_Kept = tuple["Person", tuple[Prefix, ...]]
"""A person, and the networks they came from, the narrowest first."""


class KeptNames:
    """The people whose names are kept, who went first before who went later."""

    def __init__(self) -> None:
        self._by_id: dict[PersonId, _Kept] = {}
        self._by_network: dict[str, dict[PersonId, _Kept]] = {}
        """Names by the widest network of each."""

    def __iter__(self) -> Iterator["Person"]:
        return (person for person, _ in self._by_id.values())

    def get(self, person: PersonId) -> "Person | None":
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

    def surplus(self, latest: "Person", most: int, since: int) -> "Person | None":
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
