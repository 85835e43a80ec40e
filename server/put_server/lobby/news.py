"""News of the lobby: everything page by page for whoever begins to look, then what changes.

News is coalesced. What changed is only noted; once the last news is long enough ago, all that was noted is told at
once, as it is then. The law: whoever applies the news has the lobby as it is, as if every change had been told. It
holds because news is made of the present: a table or a person is told as they are, whatever they were in between, and
what came and went in between is not told at all.

Each change is told to all readers alike. So what they know is stored once for all of them, and what is as they know it
is not told. Who begins to look while something is noted knows it otherwise than the rest; so the next news tells all
that was noted, also what is again as it was.
"""

from collections.abc import Callable, Iterator

from put_protocol.messages import LobbyState
from put_protocol.table_info import PersonInfo, TableInfo
from put_server.table.publisher import news_interval

PAGE = 30
"""Tables, and people, in one message: the description of either stays below 1 KiB, so a message stays below a frame."""


class News:
    """What the readers know, and what is new to them."""

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

    def begin(
        self, tables: dict[int, TableInfo], people: dict[str, PersonInfo], *, is_first: bool
    ) -> Iterator[LobbyState]:
        """The whole lobby for somebody who begins to look; `is_first`: nobody else does."""
        if is_first:
            self.end()
            self._known_tables, self._known_people = dict(tables), dict(people)
        elif self.is_noted:
            self._knows_alike = False
        return _pages(list(tables.values()), list(people.values()), [], [], begins=True)

    def end(self) -> None:
        """Nobody looks any more."""
        self._known_tables, self._known_people = {}, {}
        self._changed_tables.clear()
        self._changed_people.clear()
        self._knows_alike = True

    def note_table(self, number: int) -> None:
        """A table is new, or may be described otherwise than before, or is gone."""
        self._changed_tables.add(number)

    def note_person(self, name: str) -> None:
        """Somebody arrived, departed, or may be described otherwise than before."""
        self._changed_people.add(name)

    @property
    def is_noted(self) -> bool:
        """Whether there may be news."""
        return bool(self._changed_tables or self._changed_people)

    def is_due(self, now: int, readers: int) -> bool:
        """Whether there may be news, and so many may be told it now."""
        return self.is_noted and now - self._told_at >= news_interval(readers, self._news_ms)

    def take(self, now: int, readers: int) -> Iterator[LobbyState]:
        """What is new, if it may be told now."""
        if not self.is_due(now, readers):
            return iter(())
        tables, closed = self._new_tables()
        people, departed = self._new_people()
        self._knows_alike = True
        if tables or people or closed or departed:
            self._told_at = now
        return _pages(tables, people, closed, departed)

    def _new_tables(self) -> tuple[list[TableInfo], list[int]]:
        tables: list[TableInfo] = []
        closed: list[int] = []
        for number in sorted(self._changed_tables):
            info, known = self._table(number), self._known_tables.get(number)
            if info is None:
                if known is not None or not self._knows_alike:
                    closed.append(number)
                    self._known_tables.pop(number, None)
            elif info != known or not self._knows_alike:
                self._known_tables[number] = info
                tables.append(info)
        self._changed_tables.clear()
        return tables, closed

    def _new_people(self) -> tuple[list[PersonInfo], list[str]]:
        people: list[PersonInfo] = []
        departed: list[str] = []
        for name in sorted(self._changed_people):
            info, known = self._person(name), self._known_people.get(name)
            if info is None:
                if known is not None or not self._knows_alike:
                    departed.append(name)
                    self._known_people.pop(name, None)
            elif info != known or not self._knows_alike:
                self._known_people[name] = info
                people.append(info)
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
