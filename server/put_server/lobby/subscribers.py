"""Subscribers to the lobby: who is told its news, and which of its tables and people may have changed."""

from collections.abc import Iterable

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
        self._news: LobbyNews[PersonId] = LobbyNews(
            news_ms, table=self._table, person=self._person, everything=self._everything
        )
        self.readers = self._news.readers
        """Those who are told."""
        self._told_numbers: dict[TableId, int] = {}
        """The number of each table's description as it was told last: most often it need not be made again to
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

    def _everything(self) -> tuple[Iterable[int], Iterable[str]]:
        self._told_numbers.clear()
        return self._tables, [person.name for person in self._people.by_id.values()]

    def add(self, reader: PersonId, now: int, *, is_at_once: bool = False) -> list[Effect]:
        """Send the whole lobby, in parts if it is large and need not come at once, and from now on what changes."""
        return [Tell((reader,), page) for page in self._news.begin(reader, now, is_at_once=is_at_once)]

    def discard(self, reader: PersonId) -> None:
        self._news.forget(reader)

    def note(self, person: Person) -> None:
        """A person arrived, departed, or is described otherwise than before."""
        self._news.note_person(person.name)

    def note_table(self, table: Table) -> None:
        """A table is new, or may be described otherwise than before, or was cleared away."""
        if table.id not in self._tables or self._told_numbers.get(table.id) != table.model.info_number:
            self._news.note_table(table.id)

    def is_due(self, now: int) -> bool:
        """True if there may be news, and it may be told now."""
        return self._news.is_due(now) or self._news.is_rest_due(now)

    def news(self, now: int) -> list[Effect]:
        """News, if it may be sent now."""
        if not self.is_due(now):
            return []
        readers = tuple(self._news.readers)
        effects: list[Effect] = [Tell(readers, page) for page in self._news.take(now)]
        return effects + [Tell((reader,), page) for reader, page in self._news.rests(now)]
