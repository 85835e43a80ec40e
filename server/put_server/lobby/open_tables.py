"""Open tables, by number. A table is closed when no person needs it."""

from collections.abc import Iterable

from put_protocol.refusals import RefusalCode
from put_protocol.table_info import TableState
from put_server.lobby.passcodes import PasscodeGuesses
from put_server.lobby.people import People, Person
from put_server.lobby.prefixes import Crowds
from put_server.lobby.subscribers import Subscribers
from put_server.table.table import Table
from put_server.table.table_effects import Effect, PersonId, RecordInput, RequestRefused, TableId
from put_text.catalogue import say_in_english

FRESH_MS = 120_000
"""Time for which an unused table stays open: enough to tell a friend its number."""

LOOK_MS = 10_000
"""Time between two checks of a table where nothing happens and whose clocks run longer."""


class OpenTables(dict[TableId, Table]):
    """Every open table, by number. All changes at a table end in `note` or `after`, so no change or empty table is
    missed."""

    def __init__(self, people: People, news_ms: int, first: int = 1, stride: int = 1) -> None:
        """`first`, `stride`: number of the first table, and the step to the next number."""
        super().__init__()
        self._first, self._stride = first, stride
        self.crowds = Crowds()
        """Tables by the origins of their openers."""
        self.blind_house_seats = Crowds()
        """House players' seats in blind games with one player, by that player's origin."""
        self._counted: dict[TableId, int] = {}
        """Number of such seats of each table that has any."""
        self.last_id = 0
        """No number of a table is used twice."""
        self.fresh: dict[TableId, int] = {}
        """Opening times of tables that no player has used yet."""
        self._late: set[TableId] = set()
        """Tables with delayed gallery news. Not in a checkpoint: after a restart everyone gets the whole table."""
        self.subscribers = Subscribers(people, self, news_ms)
        self.guesses = PasscodeGuesses()
        self._people = people

    def never_opened(self, numbers: Iterable[int]) -> int | None:
        """The least of these numbers that no table ever had; None: there is none."""
        return next((number for number in sorted(numbers) if number > self.last_id), None)

    @property
    def next_id(self) -> TableId:
        steps = (self.last_id - self._first) // self._stride + 1
        return TableId(self._first + max(steps, 0) * self._stride)

    def find(self, number: int) -> Table:
        """:raises RequestRefused: there is no such table."""
        table = self.get(TableId(number))
        if table is None:
            raise RequestRefused(RefusalCode.UNKNOWN_TABLE, "refused-table", field="table", table=number)
        return table

    def of(self, person: Person) -> list[Table]:
        """Tables where a person sits or watches, by number."""
        return [self[table] for table in person.tables]

    def hold(self, table: Table) -> None:
        self[table.id] = table
        self.crowds.note(table.origin)
        self._count(table, table.model.blind_house_seats)

    def forget_origin(self, table: Table) -> None:
        """Remove the table from the quota of its origin, because its opener is forgotten."""
        counted = self._counted.get(table.id, 0)
        self._count(table, 0)
        self.crowds.note(table.origin, -1)
        self.crowds.note("")
        table.model.origin = ""
        self._count(table, counted)

    def _count(self, table: Table, seats: int) -> None:
        """Note the number of house players' seats of a table in a blind game with one player."""
        counted = self._counted.pop(table.id, 0)
        if seats:
            self._counted[table.id] = seats
        if seats != counted:
            self.blind_house_seats.note(table.origin, seats - counted)

    def add(self, table: Table, now: int) -> list[Effect]:
        self.last_id = table.id
        self.hold(table)
        self.fresh[table.id] = now
        return self.after(table, [], now)

    def fresh_of(self, person: PersonId) -> int:
        """Number of tables that this person opened and no player has used yet."""
        return sum(self[table].owner_id == person for table in self.fresh)

    def sits(self, person: Person) -> bool:
        return any(self[table].seating.seat_of(person.id) is not None for table in person.tables)

    def note_presence(self, person: Person, table: Table) -> None:
        """Note whether a person is at a table; call after every change to that."""
        is_there = table.seating.viewer_of(person.id) is not None
        if is_there != (table.id in person.tables):
            others = [one for one in person.tables if one != table.id]
            person.tables = tuple(sorted([*others, table.id])) if is_there else tuple(others)
            self.subscribers.note(person)

    def note(self, table: Table) -> None:
        """Something was done at a table, and no person came or went."""
        table.next_look = 0
        if table.model.deals.is_blind or table.id in self._counted:
            self._count(table, table.model.blind_house_seats)
        self.subscribers.note_table(table.id)

    def after(self, table: Table, effects: list[Effect], now: int) -> list[Effect]:
        """The effects of a change at a table. An empty table is closed, and subscribers are told."""
        if self.get(table.id) is not table:
            return effects
        if not self._is_deserted(table, now):
            self.note(table)
            if table.is_gallery_waiting:
                self._late.add(table.id)
            return effects
        return effects + self.close(table, say_in_english("refused-left", why="empty"))

    def close(self, table: Table, says: str) -> list[Effect]:
        """Send everyone away from a table, with this sentence."""
        for person in map(self._people.__getitem__, table.seating.people):
            person.tables = tuple([one for one in person.tables if one != table.id])
            self.subscribers.note(person)
        effects = [*table.close(says), RecordInput()]
        del self[table.id]
        self.crowds.note(table.origin, -1)
        self.fresh.pop(table.id, None)
        self._late.discard(table.id)
        self.guesses.forget(table.id)
        self.note(table)
        self._count(table, 0)
        return effects

    def has_news(self, now: int) -> bool:
        """True if delayed gallery news of a table may be sent now."""
        return any(self[number].is_gallery_due(now) for number in self._late)

    def news(self, now: int) -> list[Effect]:
        """Send delayed gallery news to the people at each table."""
        effects: list[Effect] = []
        for number in sorted(self._late):
            table = self[number]
            effects += table.tell_gallery(now)
            if not table.is_gallery_waiting:
                self._late.discard(number)
        return effects

    def _is_deserted(self, table: Table, now: int) -> bool:
        opened, seating = self.fresh.get(table.id), table.seating
        people = seating.people
        if opened is not None:
            return now - opened >= FRESH_MS and not people
        if not people or seating.is_empty:
            return True
        # Spectators cannot fill a seat against house players; the opener may still sit down.
        is_waiting = table.state is TableState.FILLING and all(person in seating.watchers for person in people)
        return is_waiting and table.owner_id not in seating.watchers

    def tick(self, now: int) -> list[Effect]:
        effects: list[Effect] = []
        for table in [table for table in self.values() if now >= table.next_look]:
            until, there = table.quiet_until(now), table.seating.people
            while table.id in self and until is not None and until <= now and (came := table.tick(now)):
                for person in there:  # time-outs only send people away
                    self.note_presence(self._people[person], table)
                effects += self.after(table, came, now)
                until = table.quiet_until(now)
            if table.id in self.fresh:
                effects += self.after(table, [], now)
            elif table.id in self:
                table.next_look = now + LOOK_MS if until is None else min(until, now + LOOK_MS)
        return effects
