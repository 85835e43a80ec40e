"""Capacity: limits for people and tables, and the order in which places are taken away.

There are limits for people and for tables: in total, for each origin, and for each network around an origin
(`prefixes`). A person who is away loses their place before a newcomer is refused, because a bank or a pause can be long
and costs an absent player nothing. The order is the same everywhere: the least missed goes first.

1. A person who is away and sits nowhere; a table that no player has used yet, if its opener is away.
2. A person who is away and sits only at tables whose players are all away, and such a table. First tables without a
game, then with a finished game, then with a game in play, then with a paused game. The longest absent goes first.
3. In the most crowded network, and there in the most crowded narrower one: a person who is here and not in a game
(first those at no table); a table without a game (first those that wait for players). But only if the newcomer's own
network would still be less crowded.

A person in a game in play keeps their place if they, or another player of it, are here. The empty origin is exempt from
quotas.
"""

from collections.abc import Callable, Iterable
from itertools import zip_longest
from typing import TypeVar

from put_protocol.refusals import RefusalCode
from put_protocol.table_info import TableState
from put_server.lobby.open_tables import OpenTables
from put_server.lobby.people import People, Person
from put_server.lobby.policy import Policy
from put_server.lobby.prefixes import Crowds, networks_of, prefixes_of
from put_server.table.table import Table
from put_server.table.table_effects import PersonId, RequestRefused

_RANKS = {TableState.BETWEEN: 2, TableState.FILLING: 2, TableState.PLAYING: 3, TableState.PAUSED: 4}

_IN_PLAY = frozenset((TableState.PLAYING, TableState.PAUSED))

Holder = TypeVar("Holder", Person, Table)


class Capacity:
    """The checks raise `RequestRefused` and change nothing. The caller must clear what they return."""

    def __init__(self, people: People, tables: OpenTables) -> None:
        self.policy = Policy()
        self._people = people
        self._tables = tables

    def room_for_person(self, origin: str, leaving: list[Person]) -> list[Person]:
        """People who must depart to make room for a newcomer. `leaving` depart in any case.

        :raises RequestRefused: there is no room.
        """
        going = list(leaving)
        for network, most in self._limits(origin, self.policy.people_per_origin, self.policy.people):
            if self._people.crowds[network] - sum(network in self._networks(one.origin) for one in going) < most:
                continue
            people = [one for one in self._of(network, self._people.values()) if one not in going]
            victim = self._longest_away(people) or self._idle_of_crowd(people, origin)
            if victim is None:
                raise _full(network, origin, most, "people")
            going.append(victim)
        return going[len(leaving) :]

    def room_for_table(self, opener: Person) -> list[Table]:
        """Tables that must be closed to make room for a new one.

        :raises RequestRefused: there is no room.
        """
        going: list[Table] = []
        for network, most in self._limits(opener.origin, self.policy.tables_per_origin, self.policy.tables):
            if self._tables.crowds[network] - sum(network in self._networks(one.origin) for one in going) < most:
                continue
            tables = [one for one in self._of(network, self._tables.values()) if one not in going]
            crowds, rank_of = self._tables.crowds, self._waiting_rank
            victim = self._longest_left(tables) or self._of_crowd(tables, opener.origin, crowds, rank_of)
            if victim is None:
                raise _full(network, opener.origin, most, "tables")
            going.append(victim)
        return going

    def has_room_for_house(self, origin: str, seats: int) -> bool:
        """True if a person may play a blind game against this many house players. A network may take at
        most its share of the seats that are left afterwards; the share of an origin is all of them."""
        most, taken = self.policy.blind_house_seats, self._tables.blind_house_seats
        left = most - taken[""] - seats
        around = prefixes_of(origin)
        return not most or (left >= 0 and all(taken[net] + seats <= left * share for net, share in around))

    def _networks(self, origin: str) -> tuple[str, ...]:
        """Networks of an origin, the widest first. The first is "", the network of everyone."""
        return networks_of(origin) if self.policy.edition >= 2 else ("", origin) if origin else ("",)

    def _limits(self, origin: str, each: int, most: int) -> list[tuple[str, int]]:
        """Limits of the networks of an origin, the narrowest first, and of all."""
        around = prefixes_of(origin)[: None if self.policy.edition >= 2 else 1] if each else ()
        return [*[(network, each * share) for network, share in around], ("", most)]

    def _of(self, network: str, holders: Iterable[Holder]) -> list[Holder]:
        return [one for one in holders if not network or network in self._networks(one.origin)]

    def _longest_away(self, people: Iterable[Person]) -> Person | None:
        found: tuple[int, int, PersonId] | None = None
        for person in people:
            if not person.is_here and (found is None or (0, person.lost_at, person.id) < found):
                rank = self._rank_of(person)
                if rank is not None and (found is None or (rank, person.lost_at, person.id) < found):
                    found = rank, person.lost_at, person.id
        return None if found is None else self._people[found[2]]

    def _rank_of(self, person: Person) -> int | None:
        """Rank of an absent person's place, the lowest to go first; None: another player of their game is here."""
        rank = 1 if self._tables.fresh_of(person.id) else 0
        for table in self._tables.of(person):
            if table.seating.seat_of(person.id) is not None:
                left = self._left(table)
                if left is None:
                    return None
                rank = max(rank, left[0])
        return rank

    def _longest_left(self, tables: Iterable[Table]) -> Table | None:
        left = [(found, table.id) for table in tables if (found := self._left(table)) is not None]
        return self._tables[min(left)[1]] if left else None

    def _left(self, table: Table) -> tuple[int, int] | None:
        """Rank of a table whose players are all away, and when the last of them went; None: one is here. Where only the
        house plays, its spectators count."""
        people = self._people
        if table.id in self._tables.fresh:
            opener = people.get(table.owner_id)
            if opener is not None and opener.is_here:
                return None
            return 0, self._tables.fresh[table.id] if opener is None else opener.lost_at
        seating, last = table.seating, 0
        has_guests = False
        for chair in seating.chairs:  # a loop, because a full server calls this for every table
            sitter = chair.sitter
            if sitter is not None and not sitter.house:
                has_guests = True
                guest = people[sitter.id]
                if guest.is_here:
                    return None
                last = max(last, guest.lost_at)
        if not has_guests:
            spectators = [people[spectator] for spectator in seating.watchers]
            if any(spectator.is_here for spectator in spectators):
                return None
            last = max((spectator.lost_at for spectator in spectators), default=0)
        return (1 if table.model.play is None else _RANKS[table.state]), last

    def _idle_of_crowd(self, people: Iterable[Person], origin: str) -> Person | None:
        # In a cluster, another lobby may have them at a game in play.
        if self.policy.edition < 2 or not self._people.is_whole:
            return None
        return self._of_crowd(people, origin, self._people.crowds, self._idle_rank)

    def _idle_rank(self, person: Person) -> int | None:
        """Rank of a person who is here; None: they are in a game in play."""
        rank = 1 if person.tables else 0
        for table in self._tables.of(person):
            if table.seating.seat_of(person.id) is not None:
                if table.state in _IN_PLAY:
                    return None
                rank = 2
        return rank

    def _waiting_rank(self, table: Table) -> int | None:
        """Rank of a table without a game in play; None: it has a game."""
        if not table.model.games and all(guest == table.owner_id for guest in table.seating.guests):
            return 0
        return 1 if self.policy.edition >= 2 and table.state not in _IN_PLAY else None

    def _of_crowd(
        self, holders: Iterable[Holder], newcomer: str, crowds: Crowds, rank_of: Callable[[Holder], int | None]
    ) -> Holder | None:
        """The place to take in the most crowded network, from the widest down: the lowest rank, then the oldest."""
        found: tuple[list[int], int, int, Holder] | None = None
        crowding: dict[str, list[int] | None] = {}  # for many share an origin
        for holder in holders:
            origin = holder.origin
            if origin not in crowding:
                crowding[origin] = self._crowding(crowds, origin, newcomer)
            key = crowding[origin]
            if key is None or (found is not None and key > found[0]):
                continue
            rank = rank_of(holder)
            if rank is not None and (found is None or (key, rank, holder.id) < found[:3]):
                found = key, rank, holder.id, holder
        return None if found is None else found[3]

    def _crowding(self, crowds: Crowds, origin: str, newcomer: str) -> list[int] | None:
        """Numbers of places taken in an origin's networks, the widest first; negative, so that the most crowded sorts
        first. None: the newcomer's network would be as crowded, so the place could be claimed back."""
        theirs, ours = self._networks(origin), self._networks(newcomer)
        differing = next(((their, our) for their, our in zip_longest(theirs, ours) if their != our), None)
        if differing is None or differing[0] is None:
            return None
        their, our = differing
        room = 0 if our is None else crowds[our]
        return [-crowds[network] for network in theirs] if crowds[their] >= room + 2 else None


def _full(network: str, origin: str, most: int, of: str) -> RequestRefused:
    where = "address" if network == origin else "network"
    message = "refused-crowded" if network else "refused-full"
    return RequestRefused(RefusalCode.SERVER_FULL, message, most=most, of=of, where=where)
