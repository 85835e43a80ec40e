"""Subscribers to the lobby: everything page by page when they begin to look, then what changes.

News is coalesced. What changed is only noted; once the last news is long enough ago, all that was noted is told at
once, as it is then. The law: whoever applies the news has the lobby as it is, as if every change had been told. It
holds because news is made of the present: a table or a person is told as they are, whatever they were in between, and
what came and went in between is not told at all.

Each change is told to all subscribers alike. So what they know is stored once for all of them, and what is as they know
it is not told. Who begins to look while something is noted knows it otherwise than the rest; so the next news tells all
that was noted, also what is again as it was.
"""

from put_protocol.messages import LobbyState
from put_protocol.table_info import PersonInfo, TableInfo
from put_server.lobby.people import People, Person
from put_server.table.effects import Effect, PersonId, TableId, Tell
from put_server.table.publisher import news_interval
from put_server.table.table import Table

PAGE = 30
"""Tables, and people, in one message: the description of either stays below 1 KiB, so a message stays below a frame."""


class Subscribers:
    """Whoever looks at the lobby. They are not in a checkpoint: they ask again when they come back."""

    def __init__(self, people: People, tables: dict[TableId, Table], news_ms: int) -> None:
        """`news_ms`: least time between two pieces of news."""
        self._news_ms = news_ms
        self._people = people
        self._tables = tables
        self._ids: set[PersonId] = set()
        self._told_at = 0
        """When the latest news was told."""
        self._known_tables: dict[TableId, TableInfo] = {}
        """Tables as the subscribers know them; empty while there are none."""
        self._known_numbers: dict[TableId, int] = {}
        """The number of each of these descriptions: most often nobody need make it again to see that it is the same."""
        self._known_people: dict[str, PersonInfo] = {}
        """People as the subscribers know them, by name."""
        self._changed_tables: set[TableId] = set()
        self._changed_people: set[str] = set()
        self._knows_alike = True
        """Whether all subscribers know the same."""

    def add(self, reader: PersonId) -> list[Effect]:
        """Send the whole lobby, and from now on what changes."""
        tables = {table.id: table.info for table in self._tables.values()}
        people = {somebody.name: somebody.info() for somebody in self._people.by_id.values()}
        if not self._ids:
            self._known_tables, self._known_people = tables, people
            self._known_numbers = {table.id: table.model.info_number for table in self._tables.values()}
        elif self._changed_tables or self._changed_people:
            self._knows_alike = False
        self._ids.add(reader)
        return self._pages((reader,), list(tables.values()), list(people.values()), [], [], begins=True)

    def discard(self, reader: PersonId) -> None:
        self._ids.discard(reader)
        if not self._ids:
            self._known_tables, self._known_numbers, self._known_people = {}, {}, {}
            self._changed_tables.clear()
            self._changed_people.clear()
            self._knows_alike = True

    def note(self, person: Person) -> None:
        """Somebody arrived, departed, or is described otherwise than before."""
        if self._ids:
            self._changed_people.add(person.name)

    def note_table(self, table: Table) -> None:
        """A table is new, or may be described otherwise than before, or was cleared away."""
        if self._ids and (table.id not in self._tables or self._known_numbers.get(table.id) != table.model.info_number):
            self._changed_tables.add(table.id)

    def is_due(self, now: int) -> bool:
        """Whether there may be news, and it may be told now."""
        return bool(self._changed_tables or self._changed_people) and (
            now - self._told_at >= news_interval(len(self._ids), self._news_ms)
        )

    def news(self, now: int) -> list[Effect]:
        """What is new, if it may be told now."""
        if not self.is_due(now):
            return []
        tables, closed = self._new_tables()
        people, departed = self._new_people()
        self._knows_alike = True
        if not (tables or people or closed or departed):
            return []
        self._told_at = now
        return self._pages(tuple(sorted(self._ids)), tables, people, closed, departed)

    def _new_tables(self) -> tuple[list[TableInfo], list[int]]:
        tables: list[TableInfo] = []
        closed: list[int] = []
        for number in sorted(self._changed_tables):
            table, known = self._tables.get(number), self._known_tables.get(number)
            if table is None:
                if known is not None or not self._knows_alike:
                    closed.append(number)
                    self._known_tables.pop(number, None)
                    self._known_numbers.pop(number, None)
                continue
            self._known_numbers[number] = table.model.info_number
            if (info := table.info) != known or not self._knows_alike:
                self._known_tables[number] = info
                tables.append(info)
        self._changed_tables.clear()
        return tables, closed

    def _new_people(self) -> tuple[list[PersonInfo], list[str]]:
        people: list[PersonInfo] = []
        departed: list[str] = []
        for name in sorted(self._changed_people):
            person, known = self._people.named(name), self._known_people.get(name)
            if person is None or person.name != name:
                if known is not None or not self._knows_alike:
                    departed.append(name)
                    self._known_people.pop(name, None)
            elif (info := person.info()) != known or not self._knows_alike:
                self._known_people[name] = info
                people.append(info)
        self._changed_people.clear()
        return people, departed

    def _pages(
        self,
        readers: tuple[PersonId, ...],
        tables: list[TableInfo],
        people: list[PersonInfo],
        closed: list[int],
        departed: list[str],
        *,
        begins: bool = False,
    ) -> list[Effect]:
        most = max(len(tables), len(people), len(closed), len(departed), int(begins))
        return [
            Tell(
                readers,
                LobbyState(
                    tuple(tables[at : at + PAGE]),
                    tuple(people[at : at + PAGE]),
                    tuple(closed[at : at + PAGE]),
                    tuple(departed[at : at + PAGE]),
                    begins=begins and at == 0,
                ),
            )
            for at in range(0, most, PAGE)
        ]
