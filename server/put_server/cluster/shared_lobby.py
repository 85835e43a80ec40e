"""Shared lobby: the tables and people of all shards as one picture, for those who look at a gateway.

Each shard tells what is there and then what changes. A person may be known in several: at home, and wherever they came
to a table. Home says whether they are away; their tables are those of all.

News is told as a lobby of one server tells it (`lobby.news`).
"""

from collections.abc import Callable, Hashable, Iterator

from msgspec.structs import replace

from put_protocol.messages import LobbyState
from put_protocol.table_info import PersonInfo, TableInfo
from put_protocol.text import same_name
from put_server.lobby.news import LobbyNews

MOST_GAMES = 10_000
"""Tables of which it is remembered what is played there."""


class SharedLobby:
    """What shards have told, and what lookers were."""

    def __init__(self, shards: int, home_of: Callable[[str], int], news_ms: int) -> None:
        self._home_of = home_of
        self._tables: list[dict[int, TableInfo]] = [{} for _ in range(shards)]
        """By shard."""
        self._told: set[int] = set()
        """Shards that have told something."""
        self._people: dict[str, dict[int, PersonInfo]] = {}
        """By name, and then by each shard that knows them."""
        self._at: list[set[str]] = [set() for _ in range(shards)]
        """Whom each shard knows, by name."""
        self._names: dict[str, str] = {}
        """Of everybody, by `same_name`."""
        self._news = LobbyNews(news_ms, table=self.table, person=self._merged)
        self._games: dict[int, str] = {}
        """What is played, by table, as people were told of it before the news was."""

    # --- what shards tell ---

    def apply(self, shard: int, news: LobbyState) -> None:
        """A shard told what is there, or what changed."""
        tables = self._tables[shard]
        self._told.add(shard)
        if news.begins:
            for number in tables:
                self._news.note_table(number)
            tables.clear()
            for name in list(self._at[shard]):
                self._forget(shard, name)
        for table in news.tables:
            tables[table.id] = table
            self._news.note_table(table.id)
        for person in news.people:
            self._people.setdefault(person.name, {})[shard] = person
            self._at[shard].add(person.name)
            self._names[same_name(person.name)] = person.name
            self._news.note_person(person.name)
        for number in news.closed:
            if tables.pop(number, None) is not None:
                self._news.note_table(number)
        for name in news.departed:
            if name in self._at[shard]:
                self._forget(shard, name)

    def _forget(self, shard: int, name: str) -> None:
        self._at[shard].discard(name)
        self._news.note_person(name)
        known = self._people[name]
        del known[shard]
        if not known:
            del self._people[name]
            self._names.pop(same_name(name), None)

    def note_game(self, table: TableInfo) -> None:
        """Somebody is told of a table, which may be too new for the news."""
        self._games.pop(table.id, None)
        self._games[table.id] = table.game
        if len(self._games) > MOST_GAMES:
            del self._games[next(iter(self._games))]

    # --- what is there ---

    def table(self, number: int) -> TableInfo | None:
        return self._tables[number % len(self._tables)].get(number)

    def game_at(self, number: int) -> str:
        """What is played at a table; empty: there is no such table."""
        info = self.table(number)
        return self._games.get(number, "") if info is None else info.game

    def person(self, name: str) -> PersonInfo | None:
        """Whoever has this name, in any case and composition."""
        known = self._names.get(same_name(name))
        return None if known is None else self._merged(known)

    def tables_at(self, shard: int, name: str) -> frozenset[int] | None:
        """At which tables of a shard somebody is, as was heard of it last. None: nothing was ever heard of it."""
        if shard not in self._told:
            return None
        info = self._people.get(name, {}).get(shard)
        return frozenset() if info is None else frozenset(info.tables)

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

    def begin(self, looker: Hashable, now: int, *, is_first: bool) -> list[LobbyState]:
        """The whole picture for somebody who looks, or the first part of it; `is_first`: nobody else does."""
        tables = {number: info for known in self._tables for number, info in known.items()}
        people = {name: info for name in self._people if (info := self._merged(name)) is not None}
        return list(self._news.begin(looker, tables, people, now, is_first=is_first))

    def forget(self, looker: Hashable) -> None:
        self._news.forget(looker)

    def rests(self, now: int) -> Iterator[tuple[Hashable, LobbyState]]:
        """What those are told next who were told a part of the picture."""
        return self._news.rests(now)

    def news(self, now: int, lookers: int) -> list[LobbyState]:
        """What is new, if there is anything and it may be told now; nobody looks: nothing is."""
        if not lookers:
            self._news.end()
            return []
        return list(self._news.take(now, lookers))
