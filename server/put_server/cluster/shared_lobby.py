"""Shared lobby: the tables and people of all shards as one picture, for those who look at a gateway.

Each shard tells what is there and then what changes. A person may be known in several: at home, and wherever they came
to a table. Home says whether they are away; their tables are those of all.

News is told as a lobby of one server tells it (`lobby.subscribers`): what changed is noted, and told as it is once the
last news is long enough ago.
"""

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from put_protocol.messages import LobbyState
from put_protocol.table_info import PersonInfo, TableInfo
from put_protocol.text import same_name
from put_server.lobby.subscribers import PAGE
from put_server.table.publisher import news_interval


class SharedLobby:
    """What shards have told, and what lookers were."""

    def __init__(self, shards: int, home_of: Callable[[str], int], news_ms: int) -> None:
        self._home_of = home_of
        self._news_ms = news_ms
        self._tables: list[dict[int, TableInfo]] = [{} for _ in range(shards)]
        """By shard."""
        self._people: dict[str, dict[int, PersonInfo]] = {}
        """By name, and then by each shard that knows them."""
        self._at: list[set[str]] = [set() for _ in range(shards)]
        """Whom each shard knows, by name."""
        self._names: dict[str, str] = {}
        """Of everybody, by `same_name`."""
        self._told_tables: dict[int, TableInfo] = {}
        self._told_people: dict[str, PersonInfo] = {}
        self._changed_tables: dict[int, None] = {}
        self._changed_people: dict[str, None] = {}
        self._told_at = 0
        self._knows_alike = True
        """Whether all lookers know the same."""

    # --- what shards tell ---

    def apply(self, shard: int, news: LobbyState) -> None:
        """A shard told what is there, or what changed."""
        tables = self._tables[shard]
        if news.begins:
            self._changed_tables.update(dict.fromkeys(tables))
            tables.clear()
            for name in list(self._at[shard]):
                self._forget(shard, name)
        for table in news.tables:
            tables[table.id] = table
            self._changed_tables[table.id] = None
        for person in news.people:
            self._people.setdefault(person.name, {})[shard] = person
            self._at[shard].add(person.name)
            self._names[same_name(person.name)] = person.name
            self._changed_people[person.name] = None
        for number in news.closed:
            if tables.pop(number, None) is not None:
                self._changed_tables[number] = None
        for name in news.departed:
            if name in self._at[shard]:
                self._forget(shard, name)

    def _forget(self, shard: int, name: str) -> None:
        self._at[shard].discard(name)
        self._changed_people[name] = None
        known = self._people[name]
        del known[shard]
        if not known:
            del self._people[name]
            self._names.pop(same_name(name), None)

    # --- what is there ---

    def table(self, number: int) -> TableInfo | None:
        return self._tables[number % len(self._tables)].get(number)

    def person(self, name: str) -> PersonInfo | None:
        """Whoever has this name, in any case and composition."""
        known = self._names.get(same_name(name))
        return None if known is None else self._merged(known)

    @property
    def counts(self) -> tuple[int, int]:
        """How many tables and people there are."""
        return sum(map(len, self._tables)), len(self._people)

    def _merged(self, name: str) -> PersonInfo | None:
        found = self._people.get(name)
        if not found:
            return None
        if len(found) == 1:
            return next(iter(found.values()))
        first = found.get(self._home_of(name)) or next(iter(found.values()))
        return replace(first, tables=tuple(sorted({table for info in found.values() for table in info.tables})))

    # --- what is told ---

    def begin(self, *, is_first: bool) -> list[LobbyState]:
        """The whole picture for somebody who looks; `is_first`: nobody else does."""
        tables = {number: info for known in self._tables for number, info in known.items()}
        people = {name: info for name in self._people if (info := self._merged(name)) is not None}
        if is_first:
            self._told_tables, self._told_people = tables, people
            self._changed_tables.clear()
            self._changed_people.clear()
            self._knows_alike = True
        elif self._changed_tables or self._changed_people:
            self._knows_alike = False
        return list(_pages(list(tables.values()), list(people.values()), [], [], begins=True))

    def news(self, now: int, lookers: int) -> list[LobbyState]:
        """What is new, if there is anything and it may be told now; nobody looks: nothing is."""
        if not lookers:
            self._changed_tables.clear()
            self._changed_people.clear()
            self._told_tables, self._told_people = {}, {}
            return []
        if not (self._changed_tables or self._changed_people):
            return []
        if now - self._told_at < news_interval(lookers, self._news_ms):
            return []
        tables, closed = self._new_tables()
        people, departed = self._new_people()
        self._knows_alike = True
        if not (tables or people or closed or departed):
            return []
        self._told_at = now
        return list(_pages(tables, people, closed, departed))

    def _new_tables(self) -> tuple[list[TableInfo], list[int]]:
        tables: list[TableInfo] = []
        closed: list[int] = []
        for number in sorted(self._changed_tables):
            info, told = self.table(number), self._told_tables.get(number)
            if info is None:
                if told is not None or not self._knows_alike:
                    closed.append(number)
                    self._told_tables.pop(number, None)
            elif info != told or not self._knows_alike:
                tables.append(info)
                self._told_tables[number] = info
        self._changed_tables.clear()
        return tables, closed

    def _new_people(self) -> tuple[list[PersonInfo], list[str]]:
        people: list[PersonInfo] = []
        departed: list[str] = []
        for name in sorted(self._changed_people):
            info, told = self._merged(name), self._told_people.get(name)
            if info is None:
                if told is not None or not self._knows_alike:
                    departed.append(name)
                    self._told_people.pop(name, None)
            elif info != told or not self._knows_alike:
                people.append(info)
                self._told_people[name] = info
        self._changed_people.clear()
        return people, departed


def _pages(
    tables: list[TableInfo], people: list[PersonInfo], closed: list[int], departed: list[str], *, begins: bool = False
) -> Iterator[LobbyState]:
    most = max(len(tables), len(people), len(closed), len(departed), int(begins))
    for at in range(0, most, PAGE):
        yield LobbyState(
            tuple(tables[at : at + PAGE]),
            tuple(people[at : at + PAGE]),
            tuple(closed[at : at + PAGE]),
            tuple(departed[at : at + PAGE]),
            begins=begins and at == 0,
        )
