"""Subscribers to the lobby: readers of its news, and the tables and people that may have changed."""

from collections.abc import Iterable
from typing import NamedTuple

from put_protocol.messages import Look
from put_protocol.refusals import RefusalCode
from put_protocol.table_info import PersonInfo, TableInfo, TableState
from put_rules.registry import GAMES
from put_server.lobby.news import LobbyNews
from put_server.lobby.people import People, Person
from put_server.table.table import Table
from put_server.table.table_effects import Effect, PersonId, RequestRefused, TableId, Tell


class LobbyFilter(NamedTuple):
    game: str = ""
    """Rule set; empty: any."""
    free: bool = False
    """Only tables that wait for players."""

    def takes(self, table: TableInfo) -> bool:
        return self.game in ("", table.game) and not (self.free and table.state is not TableState.FILLING)


ALL_TABLES = LobbyFilter()


def filter_of(look: Look) -> LobbyFilter:
    """:raises RequestRefused: the rule set is unknown. This limits the number of filters, which have their own
    pages."""
    if look.game and look.game not in GAMES:
        raise RequestRefused(RefusalCode.UNKNOWN_GAME, "refused-game", field="game")
    return LobbyFilter(look.game, look.free)


def pages_of(look: Look) -> range | None:
    """The requested pages; None: the whole lobby."""
    return None if look.page is None else range(look.page, look.page + look.pages)


class Subscribers:
    """People who look at the lobby. Not in a checkpoint: they subscribe again when they come back."""

    def __init__(self, people: People, tables: dict[TableId, Table], news_ms: int) -> None:
        """`news_ms`: least time between two pieces of news."""
        self._people = people
        self._tables = tables
        self._news_ms = news_ms
        self._news = {ALL_TABLES: self._listing(ALL_TABLES)}
        """News of all tables, and of each filter that has a reader."""
        self.is_read = False
        """There are readers."""

    def _listing(self, chosen: LobbyFilter) -> LobbyNews[PersonId]:
        def table(number: int) -> TableInfo | None:
            found = self._tables.get(TableId(number))
            info = None if found is None else found.info
            return info if info is not None and chosen.takes(info) else None

        return LobbyNews(self._news_ms, table=table, person=self._person, everything=self._everything)

    def _person(self, name: str) -> PersonInfo | None:
        person = self._people.named(name)
        return person.info() if person is not None and person.name == name else None

    def _everything(self) -> tuple[Iterable[int], Iterable[str]]:
        return self._tables, [person.name for person in self._people.values()]

    def add(self, reader: PersonId, now: int, pages: range | None, chosen: LobbyFilter) -> list[Effect]:
        """Send some pages, or the whole lobby (in parts if it is large), and then changes."""
        self.discard(reader)
        self.is_read = True
        if (news := self._news.get(chosen)) is None:
            news = self._news[chosen] = self._listing(chosen)
        return [Tell((reader,), page) for page in news.begin(reader, now, pages)]

    def discard(self, reader: PersonId) -> None:
        for chosen, news in list(self._news.items()):
            news.forget(reader)
            if not news.readers and chosen != ALL_TABLES:
                del self._news[chosen]
        self.is_read = len(self._news) > 1 or bool(self._news[ALL_TABLES].readers)

    def note(self, person: Person) -> None:
        for news in self._news.values():
            news.note_person(person.name)

    def note_table(self, table: TableId) -> None:
        for news in self._news.values():
            news.note_table(table)

    def is_due(self, now: int) -> bool:
        """True if there may be news and it is time to send it."""
        return any(news.is_due(now) for news in self._news.values())

    def news(self, now: int) -> list[Effect]:
        effects: list[Effect] = []
        for news in self._news.values():
            effects += [Tell(tuple(readers), page) for readers, page in news.take(now)]
        return effects
