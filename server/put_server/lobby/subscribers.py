"""Subscribers to the lobby: who is told its news, and which of its tables and people may have changed."""

from put_protocol.table_info import PersonInfo, TableInfo
from put_server.lobby.news import LobbyNews
from put_server.lobby.people import People, Person
from put_server.table.table import Table
from put_server.table.table_effects import Effect, PersonId, TableId, Tell


class Subscribers:
    """People who look at the lobby. They are not in a checkpoint: they ask again when they come back."""

    def __init__(self, people: People, tables: dict[TableId, Table], news_ms: int) -> None:
        """`news_ms`: least time between two pieces of news."""
        self._people = people
        self._tables = tables
        self._ids: set[PersonId] = set()
        self._news = LobbyNews(news_ms, table=self._table, person=self._person)
        self._told_numbers: dict[TableId, int] = {}
        """Of each table, the number of its description as it was told last: most often it need not be made again to
        see that it is the same."""

    def _table(self, number: int) -> TableInfo | None:
        table = self._tables.get(TableId(number))
        if table is None:
            self._told_numbers.pop(TableId(number), None)
            return None
        self._told_numbers[table.id] = table.model.info_number
        return table.info

    def _person(self, name: str) -> PersonInfo | None:
        person = self._people.named(name)
        return person.info() if person is not None and person.name == name else None

    def add(self, reader: PersonId, now: int, *, is_at_once: bool = False) -> list[Effect]:
        """Send the whole lobby, in parts if it is large and need not come at once, and from now on what changes."""
        tables: dict[int, TableInfo] = {table.id: table.info for table in self._tables.values()}
        people = {person.name: person.info() for person in self._people.by_id.values()}
        if not self._ids:
            self._told_numbers = {table.id: table.model.info_number for table in self._tables.values()}
        pages = self._news.begin(reader, tables, people, now, is_first=not self._ids)
        self._ids.add(reader)
        effects: list[Effect] = [Tell((reader,), page) for page in pages]
        return effects + ([Tell((reader,), page) for page in self._news.rest_of(reader)] if is_at_once else [])

    def discard(self, reader: PersonId) -> None:
        self._ids.discard(reader)
        self._news.forget(reader)
        if not self._ids:
            self._news.end()
            self._told_numbers = {}

    def note(self, person: Person) -> None:
        """A person arrived, departed, or is described otherwise than before."""
        if self._ids:
            self._news.note_person(person.name)

    def note_table(self, table: Table) -> None:
        """A table is new, or may be described otherwise than before, or was cleared away."""
        if self._ids and (table.id not in self._tables or self._told_numbers.get(table.id) != table.model.info_number):
            self._news.note_table(table.id)

    def is_due(self, now: int) -> bool:
        """True if there may be news, and it may be told now."""
        return self._news.is_due(now, len(self._ids)) or self._news.is_rest_due(now)

    def news(self, now: int) -> list[Effect]:
        """News, if it may be sent now."""
        readers = tuple(sorted(self._ids))
        effects: list[Effect] = [Tell(readers, page) for page in self._news.take(now, len(readers))]
        for reader, page in self._news.rests(now):
            assert isinstance(reader, int)
            effects.append(Tell((PersonId(reader),), page))
        return effects
