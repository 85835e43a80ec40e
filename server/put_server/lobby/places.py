"""Places: who gets a place when places are short, and who gives one up.

Places are people and tables: so many for all, and so many for each address. Whoever holds a place and is not here gives
it up before anybody who comes is refused, for a bank or a pause can be long and costs nothing to whoever hung up. The
order is the same everywhere: what is missed least goes first.

1. Who is away and sits nowhere; a table at which nobody has sat yet and whose opener is away.
2. Who is away and sits only at tables whose players are all away, and such a table: where no game was played before
   where one is over, before where one is in play, before where one rests by consent. Who went first goes first.
3. Of tables only: one at which nobody has played and nobody sits but its opener, of the address that opened most
   tables, for somebody whose address would still have fewer.

Nobody who is here, or plays with somebody who is, gives up a place. An origin without a name is exempt from quotas.
"""

from collections.abc import Iterable

from put_protocol.refusals import RefusalCode
from put_protocol.table_info import TableState
from put_server.lobby.people import People, Person
from put_server.lobby.policy import Policy
from put_server.lobby.tables import Tables
from put_server.table.effects import PersonId
from put_server.table.refusal import Refusal
from put_server.table.table import Table

_RANKS = {TableState.BETWEEN: 2, TableState.FILLING: 2, TableState.PLAYING: 3, TableState.PAUSED: 4}


class Places:
    """The checks raise `Refusal` and change nothing: what they return is to be cleared by the caller."""

    def __init__(self, people: People, tables: Tables) -> None:
        self.policy = Policy()
        """In force now."""
        self._people = people
        self._tables = tables

    def room_for_person(self, origin: str, leaving: list[Person]) -> list[Person]:
        """Who has to depart for somebody new; `leaving` do anyway.

        :raises Refusal: there is no room.
        """
        policy = self.policy
        people = [person for person in self._people.by_id.values() if person not in leaving]
        cleared: list[Person] = []
        if origin and policy.people_per_origin:
            same = [person for person in people if person.origin == origin]
            if len(same) >= policy.people_per_origin:
                victim = self._longest_away(same)
                if victim is None:
                    says = f"{len(same)} people are here from your address, and no more may be"
                    raise Refusal(RefusalCode.SERVER_FULL, says)
                cleared.append(victim)
        if len(people) - len(cleared) >= policy.people:
            victim = self._longest_away(people)
            if victim is None:
                raise Refusal(RefusalCode.SERVER_FULL, "there are as many people here as can be")
            cleared.append(victim)
        return cleared

    def room_for_table(self, opener: Person) -> list[Table]:
        """Which tables have to be cleared away for a new one.

        :raises Refusal: there is no room.
        """
        policy, origin = self.policy, opener.origin
        tables = list(self._tables.by_id.values())
        cleared: list[Table] = []
        if origin and policy.tables_per_origin:
            same = [table for table in tables if table.model.origin == origin]
            if len(same) >= policy.tables_per_origin:
                victim = self._longest_left(same)
                if victim is None:
                    says = f"{len(same)} tables were opened from your address, and no more may be"
                    raise Refusal(RefusalCode.SERVER_FULL, says)
                cleared.append(victim)
        if len(tables) - len(cleared) >= policy.tables:
            victim = self._longest_left(tables) or self._least_missed(tables, origin)
            if victim is None:
                raise Refusal(RefusalCode.SERVER_FULL, "there are as many tables as can be")
            cleared.append(victim)
        return cleared

    # --- who gives up a place ---

    def _longest_away(self, people: Iterable[Person]) -> Person | None:
        found: tuple[int, int, PersonId] | None = None
        for person in people:
            if not person.is_here and (found is None or (0, person.lost_at, person.id) < found):
                rank = self._rank_of(person)
                if rank is not None and (found is None or (rank, person.lost_at, person.id) < found):
                    found = rank, person.lost_at, person.id
        return None if found is None else self._people.by_id[found[2]]

    def _rank_of(self, person: Person) -> int | None:
        """How much the place of somebody who is away is missed; None: somebody plays with them."""
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
        return self._tables.by_id[min(left)[1]] if left else None

    def _left(self, table: Table) -> tuple[int, int] | None:
        """How much a table is missed whose players are all away, and when the last of them went; None: one is here.
        Where only the house plays, its spectators count."""
        people = self._people.by_id
        if table.id in self._tables.fresh:
            opener = people.get(table.owner_id)
            if opener is not None and opener.is_here:
                return None
            return 0, self._tables.fresh[table.id] if opener is None else opener.lost_at
        seating, last = table.seating, 0
        has_guests = False
        for chair in seating.chairs:  # a loop, for a full server asks it of every table
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

    def _least_missed(self, tables: list[Table], origin: str) -> Table | None:
        """A table that only waits, of the address that opened most, unless the newcomer's would have as many."""
        opened: dict[str, int] = {}
        for table in tables:
            opened[table.model.origin] = opened.get(table.model.origin, 0) + 1
        fair = (opened.get(origin, 0) if origin else 0) + 2
        waiting = [
            (-opened[table.model.origin], table.id)
            for table in tables
            if table.model.origin and opened[table.model.origin] >= fair and _only_waits(table)
        ]
        return self._tables.by_id[min(waiting)[1]] if waiting else None


def _only_waits(table: Table) -> bool:
    return not table.model.games and all(guest == table.owner_id for guest in table.seating.guests)
