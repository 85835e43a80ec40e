"""Subscribers to the lobby: everything page by page when they begin to look, then every change.

Each change is sent once, to all subscribers alike. So what they know is stored once for all of them: the description of
every table as it was sent last, and the people whose description has changed since.
"""

from typing import NamedTuple

from put_protocol.messages import LobbyState
from put_protocol.table_info import PersonInfo, TableInfo
from put_server.lobby.people import People, Person
from put_server.table.effects import Effect, PersonId, TableId, Tell
from put_server.table.table import Table

PAGE = 30
"""Tables, and people, in one message: the description of either stays below 1 KiB, so a message stays below a frame."""


class _Known(NamedTuple):
    """A table as it was described last."""

    number: int
    """Of the description, so that most often nobody need make it again to see that it is the same."""
    info: TableInfo


class Subscribers:
    """Whoever looks at the lobby. They are not in a checkpoint: they ask again when they come back."""

    def __init__(self, people: People, tables: dict[TableId, Table]) -> None:
        self._people = people
        self._tables = tables
        self._ids: set[PersonId] = set()
        self._known: dict[TableId, _Known] = {}
        """Tables as the subscribers know them; empty while there are none."""
        self._changed: set[PersonId] = set()
        """Who came to a table or left one, was lost or found, and the subscribers have yet to hear of it."""

    def add(self, person: Person) -> list[Effect]:
        """Send the whole lobby, and from now on what changes."""
        self._ids.add(person.id)
        self._known = {table.id: _Known(table.model.info_number, table.info) for table in self._tables.values()}
        tables = tuple([known.info for known in self._known.values()])
        people = tuple([somebody.info() for somebody in self._people.by_id.values()])
        return [
            Tell((person.id,), LobbyState(tables[at : at + PAGE], people[at : at + PAGE], begins=at == 0))
            for at in range(0, max(len(tables), len(people)), PAGE)
        ]

    def discard(self, person: Person) -> None:
        self._ids.discard(person.id)
        if not self._ids:
            self._known.clear()

    def note(self, person: Person) -> None:
        """The description of a person has changed: `changes` of the same step sends it."""
        self._changed.add(person.id)

    def arrived(self, person: Person) -> list[Effect]:
        return self._send(LobbyState(people=(person.info(),)))

    def departed(self, person: Person) -> list[Effect]:
        return self._send(LobbyState(departed=(person.name,)))

    def closed(self, table: TableId) -> list[Effect]:
        """A table was cleared away; with it, the people who were noted."""
        self._known.pop(table, None)
        return self._send(LobbyState(people=self._take_changed(), closed=(table,)))

    def changes(self, table: Table | None = None) -> list[Effect]:
        """What is new of a table and of the people who were noted."""
        people = self._take_changed()
        tables: tuple[TableInfo, ...] = ()
        if table is not None and self._ids:
            known = self._known.get(table.id)
            if known is None or known.number != table.model.info_number:
                self._known[table.id] = new = _Known(table.model.info_number, table.info)
                if known is None or known.info != new.info:
                    tables = (new.info,)
        return self._send(LobbyState(tables=tables, people=people)) if tables or people else []

    def _send(self, news: LobbyState) -> list[Effect]:
        return [Tell(tuple(sorted(self._ids)), news)] if self._ids else []

    def _take_changed(self) -> tuple[PersonInfo, ...]:
        if not self._changed:
            return ()
        people = tuple([self._people.by_id[person].info() for person in sorted(self._changed) if self._ids])
        self._changed.clear()
        return people
