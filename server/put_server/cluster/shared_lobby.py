"""Shared lobby: the tables and people of all shards as one lobby, for guests of a gateway who look at it.

Each shard sends its tables and people, and then changes. Several shards may know a person: their home, and each where
they came to a table. The home says whether they are away; their tables are those of all shards.

News is told in the same way as by the lobby of a single server (`lobby.news`).
"""

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from put_protocol.messages import LobbyState
from put_protocol.table_info import PersonInfo, TableInfo
from put_protocol.text import same_name
from put_server.cluster.guests import Guest
from put_server.lobby.news import LobbyNews


class SharedLobby:
    """The tables and people of all shards, and the news that lookers were told."""

    def __init__(self, shards: int, home_of: Callable[[str], int], news_ms: int) -> None:
        self._home_of = home_of
        self._tables: list[dict[int, TableInfo]] = [{} for _ in range(shards)]
        """Tables of each shard."""
        self._told: set[int] = set()
        """Shards that have sent their tables and people."""
        self._people: dict[str, dict[int, PersonInfo]] = {}
        """People by name, and then by each shard that knows them."""
        self._at: list[set[str]] = [set() for _ in range(shards)]
        """Names of the people that each shard knows."""
        self._names: dict[str, str] = {}
        """Names of all people, by `same_name`."""
        self.news: LobbyNews[Guest] = LobbyNews(
            news_ms, table=self.table, person=self._merged, everything=self._everything
        )
        """News for guests who look."""
        self._games: dict[int, str] = {}
        """Rule set by table, from messages to guests, which may come before the shard's news."""

    def apply(self, shard: int, news: LobbyState) -> None:
        """Take a shard's tables and people, or changes to them."""
        tables = self._tables[shard]
        self._told.add(shard)
        if news.begins:
            for number in tables:
                self.news.note_table(number)
            tables.clear()
            for name in list(self._at[shard]):
                self._forget(shard, name)
        for table in news.tables:
            tables[table.id] = table
            self.news.note_table(table.id)
        for person in news.people:
            self._people.setdefault(person.name, {})[shard] = person
            self._at[shard].add(person.name)
            self._names[same_name(person.name)] = person.name
            self.news.note_person(person.name)
        for number in news.closed:
            if tables.pop(number, None) is not None:
                self.news.note_table(number)
        for name in news.departed:
            if name in self._at[shard]:
                self._forget(shard, name)

    def _forget(self, shard: int, name: str) -> None:
        self._at[shard].discard(name)
        self.news.note_person(name)
        known = self._people[name]
        del known[shard]
        if not known:
            del self._people[name]
            self._names.pop(same_name(name), None)

    def table(self, number: int) -> TableInfo | None:
        return self._tables[number % len(self._tables)].get(number)

    def person(self, name: str) -> PersonInfo | None:
        """The person of this name, in any case and composition."""
        known = self._names.get(same_name(name))
        return None if known is None else self._merged(known)

    def tables_at(self, shard: int, name: str) -> frozenset[int] | None:
        """Tables of a shard at which a person is, by its last news; None: the shard never sent news."""
        if shard not in self._told:
            return None
        info = self._people.get(name, {}).get(shard)
        return frozenset() if info is None else frozenset(info.tables)

    @property
    def counts(self) -> tuple[int, int]:
        """Numbers of tables and of people."""
        return sum(map(len, self._tables)), len(self._people)

    def _merged(self, name: str) -> PersonInfo | None:
        found = self._people.get(name)
        if not found:
            return None
        if len(found) == 1:
            return next(iter(found.values()))
        first = found.get(self._home_of(name)) or next(iter(found.values()))
        return replace(first, tables=tuple(sorted({table for info in found.values() for table in info.tables})))

    def _everything(self) -> tuple[Iterable[int], Iterable[str]]:
        return [number for known in self._tables for number in known], self._people
