"""News of the lobby: everything page by page for a new reader, then what changes.

The lobby is kept in pages. A page is made anew only when something on it has changed, so all who begin to look are sent
the same messages, which are encoded once (`transport.page_encodings`). What is noted as changed is put on its page when
a reader begins or when news is due, and told to all with the next news. So a reader may be told of a change twice, or
of a table that is closed and was never told.

A large lobby is told in parts of `AT_ONCE` pages, one each quarter of a second, so that it never waits in an outbox as
a whole. A page of a later part is sent as it is then; what comes onto earlier pages meanwhile, the news tells.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Generic, TypeVar

from put_protocol.messages import LobbyState
from put_protocol.table_info import PersonInfo, TableInfo
from put_server.table.gallery_news import news_interval

PAGE = 30
"""Tables, and people, in one message: the description of either stays below 1 KiB, so a message stays below a frame."""

AT_ONCE = 15
"""Pages for one reader at once: less than a megabyte, which is what may wait for them, and most often 120 kB."""

REST_MS = 250
"""Time from one part of a large lobby to the next, so that a reader of half a megabyte a second keeps up."""

KEPT_CHANGES = 100
"""Without a reader, the pages are kept until so much has changed."""

Key = TypeVar("Key", int, str)
Info = TypeVar("Info", TableInfo, PersonInfo)
Reader = TypeVar("Reader", bound=Hashable)


class _Listing(Generic[Key, Info]):
    """The tables, or the people, of the lobby by page. An entry stays on its page until it is gone."""

    __slots__ = ("_now", "_page_of", "_roomy", "noted", "pages", "untold")

    def __init__(self, now: Callable[[Key], Info | None]) -> None:
        """`now`: an entry as it is; None: there is none."""
        self._now: Callable[[Key], Info | None] = now
        self.pages: list[dict[Key, Info]] = []
        self._page_of: dict[Key, int] = {}
        self._roomy = 0
        """All pages before this one are full."""
        self.noted: set[Key] = set()
        """Entries that may not be as they are on the pages."""
        self.untold: set[Key] = set()
        """Entries that changed on the pages since the last news."""

    def refresh(self) -> set[int]:
        """Put what was noted on the pages. Returns the pages that changed."""
        changed = set()
        for key in sorted(self.noted):
            info, page = self._now(key), self._page_of.get(key)
            if info == (None if page is None else self.pages[page][key]):
                continue
            self.untold.add(key)
            if page is None:
                page = self._page_of[key] = self._find_room()
            if info is None:
                del self.pages[page][key], self._page_of[key]
                self._roomy = min(self._roomy, page)
            else:
                self.pages[page][key] = info
            changed.add(page)
        self.noted.clear()
        return changed

    def _find_room(self) -> int:
        while self._roomy < len(self.pages) and len(self.pages[self._roomy]) >= PAGE:
            self._roomy += 1
        if self._roomy == len(self.pages):
            self.pages.append({})
        return self._roomy

    def page(self, number: int) -> Iterable[Info]:
        return self.pages[number].values() if number < len(self.pages) else ()

    def news(self) -> tuple[list[Info], list[Key]]:
        """Entries that are new or changed, and those that are gone."""
        new: list[Info] = []
        gone: list[Key] = []
        for key in sorted(self.untold):
            page = self._page_of.get(key)
            if page is None:
                gone.append(key)
            else:
                new.append(self.pages[page][key])
        self.untold.clear()
        return new, gone

    def clear(self) -> None:
        self.pages.clear()
        self._page_of.clear()
        self._roomy = 0
        self.noted.clear()
        self.untold.clear()


class LobbyNews(Generic[Reader]):
    """The lobby in pages, its readers, and the changes that they have not been sent."""

    def __init__(
        self,
        news_ms: int,
        *,
        table: Callable[[int], TableInfo | None],
        person: Callable[[str], PersonInfo | None],
        everything: Callable[[], tuple[Iterable[int], Iterable[str]]],
    ) -> None:
        """`news_ms`: least time between two pieces of news. `table`, `person`: how one is now; None: there is none.
        `everything`: numbers of all tables, and names of all people."""
        self._news_ms = news_ms
        self._everything = everything
        self._tables: _Listing[int, TableInfo] = _Listing(table)
        self._people: _Listing[str, PersonInfo] = _Listing(person)
        self._pages: list[LobbyState | None] = []
        """Messages of the pages; None: it is made when it is sent."""
        self._is_kept = False
        """The pages are as the lobby is, but for what was noted."""
        self.readers: dict[Reader, None] = {}
        self._told_at = 0
        """The time when the latest news was told."""
        self._rests: dict[Reader, int] = {}
        """Next page, by reader who was not sent all."""
        self._rest_at = 0
        """The time when a part of them was told last."""

    def begin(self, reader: Reader, now: int, *, is_at_once: bool = False) -> list[LobbyState]:
        """The whole lobby for a person who begins to look, or the first part of it if it need not come at once."""
        if not self._is_kept:
            self._is_kept = True
            numbers, names = self._everything()
            self._tables.noted.update(numbers)
            self._people.noted.update(names)
        self._refresh()
        if not self.readers:
            self._tables.untold.clear()
            self._people.untold.clear()
        self.readers[reader] = None
        if not self._rests:
            self._rest_at = now
        self._rests[reader] = 0
        return self._part(reader, len(self._pages) if is_at_once else AT_ONCE)

    def forget(self, reader: Reader) -> None:
        """They look no more; may be called again."""
        self.readers.pop(reader, None)
        self._rests.pop(reader, None)
        self._drop_if_stale()

    def is_rest_due(self, now: int) -> bool:
        """True if a person is to be told more of the lobby that they began to look at."""
        return bool(self._rests) and now - self._rest_at >= REST_MS

    def rests(self, now: int) -> Iterator[tuple[Reader, LobbyState]]:
        """The next part for each who is yet to be told more, if it is time."""
        if not self.is_rest_due(now):
            return
        self._rest_at = now
        for reader in list(self._rests):
            for page in self._part(reader, AT_ONCE):
                yield reader, page

    def _part(self, reader: Reader, most: int) -> list[LobbyState]:
        """So many of the next pages for a reader."""
        part: list[LobbyState] = []
        for number in range(self._rests.pop(reader), len(self._pages)):
            if len(part) == most:
                self._rests[reader] = number
                break
            page = self._page(number)
            if number == 0 or page.tables or page.people:
                part.append(page)
        return part

    def _page(self, number: int) -> LobbyState:
        page = self._pages[number]
        if page is None:
            tables, people = tuple(self._tables.page(number)), tuple(self._people.page(number))
            page = self._pages[number] = LobbyState(tables, people, begins=number == 0)
        return page

    def _refresh(self) -> None:
        changed = self._tables.refresh() | self._people.refresh()
        needed = max(1, len(self._tables.pages), len(self._people.pages))
        self._pages += [None] * (needed - len(self._pages))
        for number in changed:
            self._pages[number] = None

    def note_table(self, number: int) -> None:
        """A table is new, or may be described otherwise than before, or is gone."""
        if self._is_kept:
            self._tables.noted.add(number)
            self._drop_if_stale()

    def note_person(self, name: str) -> None:
        """A person arrived, departed, or may be described otherwise than before."""
        if self._is_kept:
            self._people.noted.add(name)
            self._drop_if_stale()

    def _drop_if_stale(self) -> None:
        if not self.readers and len(self._tables.noted) + len(self._people.noted) > KEPT_CHANGES:
            self._is_kept = False
            self._tables.clear()
            self._people.clear()
            self._pages.clear()

    @property
    def is_noted(self) -> bool:
        """True if there may be news."""
        return any((self._tables.noted, self._people.noted, self._tables.untold, self._people.untold))

    def is_due(self, now: int) -> bool:
        """True if there may be news, and the readers may be told now."""
        return (
            bool(self.readers)
            and self.is_noted
            and now - self._told_at >= news_interval(len(self.readers), self._news_ms)
        )

    def take(self, now: int) -> Iterator[LobbyState]:
        """News, if it may be sent now."""
        if not self.is_due(now):
            return
        self._refresh()
        (tables, closed), (people, departed) = self._tables.news(), self._people.news()
        for at in range(0, max(len(tables), len(people), len(closed), len(departed)), PAGE):
            self._told_at = now
            yield LobbyState(
                tuple(tables[at : at + PAGE]),
                tuple(people[at : at + PAGE]),
                tuple(closed[at : at + PAGE]),
                tuple(departed[at : at + PAGE]),
            )
