"""News of the lobby: everything page by page for a new reader, then what changes.

A large lobby is told in parts of `AT_ONCE` pages, one each quarter of a second, so that it never waits in an outbox as
a whole. Each table and person is told as they are then. So a change may be told of what was not told yet, and a table
may be closed that was not.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TypeVar

from put_protocol.messages import LobbyState
from put_protocol.table_info import PersonInfo, TableInfo
from put_server.table.publisher import news_interval

PAGE = 30
"""Tables, and people, in one message: the description of either stays below 1 KiB, so a message stays below a frame."""

AT_ONCE = 15
"""Pages for one reader at once: less than a megabyte, which is what may wait for them, and most often 120 kB."""

REST_MS = 250
"""From one part of a large lobby to the next, so that a reader of half a megabyte a second keeps up."""


Key = TypeVar("Key", int, str)
Info = TypeVar("Info", TableInfo, PersonInfo)


class _Remaining:
    """Part of the lobby that a new reader has not been sent yet."""

    __slots__ = ("_people", "_tables")

    def __init__(self, tables: Sequence[int], people: Sequence[str]) -> None:
        self._tables = tables
        self._people = people

    def next(self) -> tuple[Sequence[int], Sequence[str]]:
        """Tables and people to send next."""
        most = AT_ONCE * PAGE
        now = self._tables[:most], self._people[:most]
        self._tables, self._people = self._tables[most:], self._people[most:]
        return now

    @property
    def is_empty(self) -> bool:
        return not (self._tables or self._people)


class LobbyNews:
    """Lobby as the readers know it, and the changes that they have not been sent."""

    def __init__(
        self,
        news_ms: int,
        *,
        table: Callable[[int], TableInfo | None],
        person: Callable[[str], PersonInfo | None],
    ) -> None:
        """`news_ms`: least time between two pieces of news. `table`, `person`: how one is now; None: there is none."""
        self._news_ms = news_ms
        self._table = table
        self._person = person
        self._told_at = 0
        """When the latest news was told."""
        self._known_tables: dict[int, TableInfo] = {}
        """Tables as the readers know them; empty while there are none."""
        self._known_people: dict[str, PersonInfo] = {}
        """People as the readers know them, by name."""
        self._changed_tables: set[int] = set()
        self._changed_people: set[str] = set()
        self._knows_alike = True
        """Whether all readers know the same."""
        self._rests: dict[Hashable, _Remaining] = {}
        """By reader, while there is a rest."""
        self._rest_at = 0
        """When a part of them was told last."""

    def begin(
        self, reader: Hashable, tables: dict[int, TableInfo], people: dict[str, PersonInfo], now: int, *, is_first: bool
    ) -> Iterator[LobbyState]:
        """The whole lobby for a person who begins to look, or the first part of it; `is_first`: there is no other
        reader."""
        if is_first:
            self.end()
            self._known_tables, self._known_people = dict(tables), dict(people)
        elif self.is_noted:
            self._knows_alike = False
        rest = _Remaining(list(tables), list(people))
        first_tables, first_people = rest.next()
        if rest.is_empty:
            self._rests.pop(reader, None)
        else:
            if not self._rests:
                self._rest_at = now
            self._rests[reader] = rest
        told_tables = [tables[number] for number in first_tables]
        told_people = [people[name] for name in first_people]
        return _pages(told_tables, told_people, [], [], begins=True)

    def forget(self, reader: Hashable) -> None:
        self._rests.pop(reader, None)

    def is_rest_due(self, now: int) -> bool:
        """True if a person is to be told more of the lobby that they began to look at."""
        return bool(self._rests) and now - self._rest_at >= REST_MS

    def rests(self, now: int) -> Iterator[tuple[Hashable, LobbyState]]:
        """The next part for each who is yet to be told more, if it is time."""
        if not self.is_rest_due(now):
            return
        self._rest_at = now
        if self.is_noted:
            self._knows_alike = False  # these are told some of it now
        for reader, rest in list(self._rests.items()):
            for page in self._part(rest):
                yield reader, page
            if rest.is_empty:
                del self._rests[reader]

    def rest_of(self, reader: Hashable) -> Iterator[LobbyState]:
        """All that a person is yet to be told who began just now."""
        rest = self._rests.pop(reader, None)
        while rest is not None and not rest.is_empty:
            yield from self._part(rest)

    def _part(self, rest: _Remaining) -> Iterator[LobbyState]:
        numbers, names = rest.next()
        tables = [table for number in numbers if (table := self._table(number)) is not None]
        people = [person for name in names if (person := self._person(name)) is not None]
        return _pages(tables, people, [], [])

    def end(self) -> None:
        self._rests.clear()
        self._known_tables, self._known_people = {}, {}
        self._changed_tables.clear()
        self._changed_people.clear()
        self._knows_alike = True

    def note_table(self, number: int) -> None:
        """A table is new, or may be described otherwise than before, or is gone."""
        self._changed_tables.add(number)

    def note_person(self, name: str) -> None:
        """A person arrived, departed, or may be described otherwise than before."""
        self._changed_people.add(name)

    @property
    def is_noted(self) -> bool:
        """True if there may be news."""
        return bool(self._changed_tables or self._changed_people)

    def is_due(self, now: int, readers: int) -> bool:
        """True if there may be news, and so many may be told it now."""
        return self.is_noted and now - self._told_at >= news_interval(readers, self._news_ms)

    def take(self, now: int, readers: int) -> Iterator[LobbyState]:
        """News, if it may be sent now."""
        if not self.is_due(now, readers):
            return iter(())
        tables, closed = self._changes(self._changed_tables, self._known_tables, self._table)
        people, departed = self._changes(self._changed_people, self._known_people, self._person)
        self._knows_alike = True
        if tables or people or closed or departed:
            self._told_at = now
        return _pages(tables, people, closed, departed)

    def _changes(
        self, changed: set[Key], known: dict[Key, Info], now: Callable[[Key], Info | None]
    ) -> tuple[list[Info], list[Key]]:
        """New descriptions, and what is gone. Where the readers know different things, a change is always sent."""
        new: list[Info] = []
        gone: list[Key] = []
        for key in sorted(changed):
            info, former = now(key), known.get(key)
            if info == former and self._knows_alike:
                continue
            if info is None:
                gone.append(key)
                known.pop(key, None)
            else:
                known[key] = info
                new.append(info)
        changed.clear()
        return new, gone


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
