"""News of the lobby: all pages for a new reader, then the changes.

The lobby is stored in pages. A page is rebuilt only after a change on it, so all new readers get the same messages,
which are encoded once (`transport.page_encodings`). Noted changes are put on their pages when a reader begins or when
news is due, and sent with the next news. So a reader may get a change twice, or the end of a table that they never saw.

Most readers look at some pages only. A change is on one page, and is sent only to that page's readers, so its cost does
not depend on the size of the lobby. Other readers look at the whole lobby, and get the changes of all pages together.
They get a large lobby in parts of `AT_ONCE` pages, one each quarter of a second, so that an outbox never holds all of
it. A later page is sent in its current state; news covers changes on earlier pages.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from typing import Generic, TypeVar

from put_protocol.limits import LOBBY_PAGES
from put_protocol.messages import LobbySize, LobbyState
from put_protocol.table_info import PersonInfo, TableInfo
from put_server.table.clock import news_interval

PAGE = 30
"""Tables, and people, in one message. Each description is below 1 KiB, so the message fits a frame."""

AT_ONCE = LOBBY_PAGES
"""Pages sent to one reader at once: less than a megabyte, the limit of their outbox."""

REST_MS = 250
"""Time between two parts of a large lobby: enough for a reader of half a megabyte a second."""

KEPT_CHANGES = 100
"""Changes after which the pages are dropped if there is no reader."""

EVERY_PAGE = range(2**31)

Key = TypeVar("Key", int, str)
Info = TypeVar("Info", TableInfo, PersonInfo)
Reader = TypeVar("Reader", bound=Hashable)


class _Listing(Generic[Key, Info]):
    """The tables, or the people, of the lobby, on pages. An entry stays on its page until it is gone."""

    __slots__ = ("_now", "_page_for", "_roomy", "noted", "page_of", "pages", "untold")

    def __init__(self, now: Callable[[Key], Info | None], page_for: Callable[[Key], int] | None) -> None:
        """`now`: the current entry; None: there is none. `page_for`: its page, if another process chooses pages."""
        self._now: Callable[[Key], Info | None] = now
        self._page_for: Callable[[Key], int] | None = page_for
        self.pages: list[dict[Key, Info]] = []
        self.page_of: dict[Key, int] = {}
        self._roomy = 0
        """Number of the first page that may have room."""
        self.noted: set[Key] = set()
        """Entries whose pages may be outdated."""
        self.untold: defaultdict[int, set[Key]] = defaultdict(set)
        """Entries changed on each page since the last news."""

    def refresh(self) -> set[int]:
        """Update the pages from `noted`. Returns the pages that changed."""
        changed = set()
        for key in sorted(self.noted):
            info, former = self._now(key), self.page_of.get(key)
            if info == (None if former is None else self.pages[former][key]):
                continue
            page = None if info is None else self._place(key, former)
            if former is not None and page != former:
                del self.pages[former][key], self.page_of[key]
                self._roomy = min(self._roomy, former)
                self.untold[former].add(key)
                changed.add(former)
            if page is not None and info is not None:
                self.pages[page][key] = info
                self.page_of[key] = page
                self.untold[page].add(key)
                changed.add(page)
        self.noted.clear()
        while self.pages and not self.pages[-1]:
            self.pages.pop()
        return changed

    def _place(self, key: Key, former: int | None) -> int:
        if self._page_for is not None:
            page = self._page_for(key)
            self.pages += [{} for _ in range(page + 1 - len(self.pages))]
            return page
        if former is not None:
            return former
        while self._roomy < len(self.pages) and len(self.pages[self._roomy]) >= PAGE:
            self._roomy += 1
        if self._roomy == len(self.pages):
            self.pages.append({})
        return self._roomy

    def page(self, number: int) -> Iterable[Info]:
        return self.pages[number].values() if number < len(self.pages) else ()

    def news(self, at: range) -> tuple[list[Info], list[Key]]:
        """New and changed entries of some pages, and keys that are gone from them."""
        here: list[Info] = []
        gone: list[Key] = []
        for key in sorted(set().union(*[keys for page, keys in self.untold.items() if page in at])):
            page = self.page_of.get(key, -1)
            if page in at:
                here.append(self.pages[page][key])
            else:
                gone.append(key)
        return here, gone

    def clear(self) -> None:
        self.pages.clear()
        self.page_of.clear()
        self._roomy = 0
        self.noted.clear()
        self.untold.clear()


class LobbyNews(Generic[Reader]):
    """The lobby in pages, its readers, and the changes that were not sent yet."""

    def __init__(
        self,
        news_ms: int,
        *,
        table: Callable[[int], TableInfo | None],
        person: Callable[[str], PersonInfo | None],
        everything: Callable[[], tuple[Iterable[int], Iterable[str]]],
        page_for: tuple[Callable[[int], int], Callable[[str], int]] | tuple[None, None] = (None, None),
        size: Callable[[], LobbySize] | None = None,
    ) -> None:
        """`news_ms`: least time between two pieces of news. `table`, `person`: the current entry; None: there is none.
        `everything`: all table numbers and names of people. `page_for`, `size`: pages of tables and people, and the
        size of the lobby, if other processes decide them and this one knows only some pages."""
        self._news_ms = news_ms
        self._everything = everything
        self._tables: _Listing[int, TableInfo] = _Listing(table, page_for[0])
        self._people: _Listing[str, PersonInfo] = _Listing(person, page_for[1])
        self._size = size or self._own_size
        self._messages: dict[tuple[int, bool], LobbyState] = {}
        """Messages of the pages that were asked for: without their numbers, and with them for readers of some pages."""
        self._is_kept = False
        """The pages are current except for noted changes."""
        self.readers: dict[Reader, range | None] = {}
        """Readers and their pages; None: the whole lobby."""
        self._told_at = 0
        self._told_page_count = 0
        self._rests: dict[Reader, int] = {}
        """Next page for each reader who has not received all."""
        self._rest_sent_at = 0

    def _own_size(self) -> LobbySize:
        return LobbySize(len(self._tables.page_of), len(self._people.page_of), len(self._tables.pages))

    def begin(self, reader: Reader, now: int, pages: range | None = None) -> list[LobbyState]:
        """The pages for a new reader; for the whole lobby the first part."""
        if not self._is_kept:
            self._is_kept = True
            numbers, names = self._everything()
            self._tables.noted.update(numbers)
            self._people.noted.update(names)
        self._refresh()
        if not self.readers:
            self._tables.untold.clear()
            self._people.untold.clear()
            self._told_page_count = self._size().pages
        self.readers[reader] = pages
        if pages is not None:
            self._rests.pop(reader, None)
            return self._some(pages)
        if not self._rests:
            self._rest_sent_at = now
        self._rests[reader] = 0
        return self._next_part(reader)

    def _some(self, pages: range) -> list[LobbyState]:
        """These pages, preceded by the size of the lobby."""
        begins = LobbyState(begins=True, page=None if pages == EVERY_PAGE else pages.start, size=self._size())
        there = [self._page(number, is_numbered=True) for number in range(self._page_count) if number in pages]
        return [begins, *[page for page in there if page.tables or page.people]]

    @property
    def _page_count(self) -> int:
        return max(1, len(self._tables.pages), len(self._people.pages))

    def forget(self, reader: Reader) -> None:
        """Remove a reader, if present."""
        self.readers.pop(reader, None)
        self._rests.pop(reader, None)
        self._drop_if_stale()

    def _next_part(self, reader: Reader) -> list[LobbyState]:
        part: list[LobbyState] = []
        for number in range(self._rests.pop(reader), self._page_count):
            if len(part) == AT_ONCE:
                self._rests[reader] = number
                break
            page = self._page(number, is_numbered=False)
            if number == 0 or page.tables or page.people:
                part.append(page)
        return part

    def _page(self, number: int, *, is_numbered: bool) -> LobbyState:
        page = self._messages.get((number, is_numbered))
        if page is None:
            tables, people = tuple(self._tables.page(number)), tuple(self._people.page(number))
            begins, numbered = number == 0 and not is_numbered, number if is_numbered else None
            page = LobbyState(tables, people, begins=begins, page=numbered)
            self._messages[number, is_numbered] = page
        return page

    def _refresh(self) -> None:
        for number in self._tables.refresh() | self._people.refresh():
            self._messages.pop((number, False), None)
            self._messages.pop((number, True), None)

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
            self._messages.clear()

    @property
    def is_noted(self) -> bool:
        """True if there may be news."""
        return any((self._tables.noted, self._people.noted, self._tables.untold, self._people.untold))

    def is_due(self, now: int) -> bool:
        """True if it is time for `take`."""
        return self._is_news_due(now) or self._is_rest_due(now)

    def _is_news_due(self, now: int) -> bool:
        interval = news_interval(len(self.readers), self._news_ms)
        return bool(self.readers) and self.is_noted and now - self._told_at >= interval

    def _is_rest_due(self, now: int) -> bool:
        return bool(self._rests) and now - self._rest_sent_at >= REST_MS

    def take(self, now: int) -> Iterator[tuple[Collection[Reader], LobbyState]]:
        """News and the next parts of a large lobby, each with its readers, if it is time."""
        if self._is_news_due(now):
            yield from self._all_news(now)
        if self._is_rest_due(now):
            self._rest_sent_at = now
            for reader in list(self._rests):
                yield from [((reader,), page) for page in self._next_part(reader)]

    def _all_news(self, now: int) -> Iterator[tuple[Collection[Reader], LobbyState]]:
        self._refresh()
        if self._tables.untold or self._people.untold:
            self._told_at = now
        whole = [reader for reader, pages in self.readers.items() if pages is None]
        if whole:
            for message in _in_messages(self._tables.news(EVERY_PAGE), self._people.news(EVERY_PAGE)):
                yield whole, message
        if len(whole) < len(self.readers):
            yield from self._by_page()
        self._tables.untold.clear()
        self._people.untold.clear()

    def _by_page(self) -> Iterator[tuple[Collection[Reader], LobbyState]]:
        size = self._size()
        is_new = size.pages != self._told_page_count
        self._told_page_count = size.pages
        readers: defaultdict[int, list[Reader]] = defaultdict(list)
        changed = sorted(self._tables.untold.keys() | self._people.untold.keys())
        for reader, pages in self.readers.items():
            if pages is None:
                continue
            at = [page for page in changed if page in pages]
            for page in at:
                readers[page].append(reader)
            if is_new and not at:
                yield (reader,), LobbyState(page=pages.start, size=size)
        pages_of = [(page, range(page, page + 1)) for page in changed if page in readers]
        told = [(page, self._tables.news(at), self._people.news(at)) for page, at in pages_of]
        # What left one page may be on another: who reads both must hear of that last.
        for page, (_, closed), (_, departed) in told:
            if closed or departed:
                yield readers[page], LobbyState(closed=tuple(closed), departed=tuple(departed), page=page, size=size)
        for page, (tables, _), (people, _) in told:
            if tables or people:
                yield readers[page], LobbyState(tuple(tables), tuple(people), page=page, size=size)


def _in_messages(
    news: tuple[list[TableInfo], list[int]], of_people: tuple[list[PersonInfo], list[str]]
) -> Iterator[LobbyState]:
    (tables, closed), (people, departed) = news, of_people
    for at in range(0, max(len(tables), len(people), len(closed), len(departed)), PAGE):
        yield LobbyState(
            tuple(tables[at : at + PAGE]),
            tuple(people[at : at + PAGE]),
            tuple(closed[at : at + PAGE]),
            tuple(departed[at : at + PAGE]),
        )
