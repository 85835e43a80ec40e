"""Shared lobby: pages of the shards' lobbies, for guests of a gateway who look at them.

Page `n` of shard `k` is page `n * shards + k` of the whole. The gateway follows only pages that a guest looks at, so
its work does not grow with the lobby. It follows the size of every shard's lobby, with page 0. A guest without a page
in their `look` sees every page.

A person is on the page of their home. News is sent as in the lobby of a single server (`lobby.news`).
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator

from msgspec.structs import replace

from put_protocol.messages import LobbySize, LobbyState
from put_protocol.table_info import PersonInfo, TableInfo
from put_server.cluster.guests import Guest
from put_server.cluster.home_shards import home_of_name
from put_server.cluster.link_messages import Changed, Looked
from put_server.lobby.news import LobbyNews
from put_server.lobby.subscribers import ALL_TABLES, LobbyFilter

Followed = tuple[int, int | None]
"""Shard, and a page of it; None: every page."""


class _Listing:
    """Tables of one filter, and people, on the followed pages."""

    def __init__(self, shards: int, news_ms: int) -> None:
        self._shards = shards
        self._tables: dict[int, tuple[int, TableInfo]] = {}
        """Tables, each with its page in the whole."""
        self._people: dict[str, dict[int, tuple[int, PersonInfo]]] = {}
        """People by name, then by shard: their home, and shards where they are at a table."""
        self._sizes = [LobbySize(0, 0, 0)] * shards
        self.wants: Counter[Followed] = Counter()
        """Number of guests who look at each page, or at the size."""
        self.followed: dict[Followed, bool] = {}
        """True if the shard has sent the page."""
        self.waiting: dict[Guest, range | None] = {}
        """Guests who look at pages that a shard has not sent yet."""
        self.news: LobbyNews[Guest] = LobbyNews(
            news_ms,
            table=lambda number: self._tables[number][1] if number in self._tables else None,
            person=self._person,
            everything=lambda: (self._tables, self._people),
            page_for=(
                lambda number: self._tables[number][0],
                lambda name: self._people[name][home_of_name(name, shards)][0],
            ),
            size=self.size,
        )

    def size(self) -> LobbySize:
        pages = max([size.pages for size in self._sizes]) * self._shards
        return LobbySize(sum(size.tables for size in self._sizes), sum(size.people for size in self._sizes), pages)

    def at(self, pages: range | None) -> list[Followed]:
        """Pages of the shards, for these pages of the whole lobby."""
        if pages is None:
            return [(shard, None) for shard in range(self._shards)]
        return [(page % self._shards, page // self._shards) for page in pages]

    def forget(self, is_gone: Callable[[int], bool]) -> None:
        """Drop the contents of some pages."""
        for number in [number for number, (page, _) in self._tables.items() if is_gone(page)]:
            del self._tables[number]
            self.news.note_table(number)
        for name, known in list(self._people.items()):
            for shard in [shard for shard, (page, _) in known.items() if is_gone(page)]:
                self._part(name, shard)

    def _part(self, name: str, shard: int) -> None:
        del self._people[name][shard]
        if not self._people[name]:
            del self._people[name]
        self.news.note_person(name)

    def _person(self, name: str) -> PersonInfo | None:
        """A person as known at their home, with their tables of all shards; None: their home did not report them."""
        known = self._people.get(name, {})
        if (home := home_of_name(name, self._shards)) not in known:
            return None
        if len(known) == 1:
            return known[home][1]
        return replace(known[home][1], tables=tuple(sorted({at for _, info in known.values() for at in info.tables})))

    def apply(self, shard: int, state: LobbyState) -> None:
        whole = (state.page or 0) * self._shards + shard
        if state.begins:
            every = state.page is None
            self.forget(lambda page: page % self._shards == shard if every else page == whole)
            self.followed |= {at: True for at in self.followed if at[0] == shard and (every or at[1] == state.page)}
        if state.size is not None:
            self._sizes[shard] = state.size
        for table in state.tables:
            self._tables[table.id] = whole, table
            self.news.note_table(table.id)
        for person in state.people:
            self._people.setdefault(person.name, {})[shard] = whole, person
            self.news.note_person(person.name)
        for number in state.closed:
            if number in self._tables and self._tables[number][0] == whole:
                del self._tables[number]
                self.news.note_table(number)
        for name in state.departed:
            if self._people.get(name, {}).get(shard, (-1,))[0] == whole:
                self._part(name, shard)


class SharedLobby:
    def __init__(
        self,
        shards: int,
        follow: Callable[[int, Looked], bool],
        begin: Callable[[Guest, list[LobbyState]], None],
        news_ms: int,
    ) -> None:
        """`follow`: asks a shard; returns true if it is reachable. `begin`: sends a guest their pages."""
        self._shards = shards
        self._follow = follow
        self._begin = begin
        self._news_ms = news_ms
        self._listings: dict[LobbyFilter, _Listing] = {}
        self._listing(ALL_TABLES)

    def look(self, guest: Guest, pages: range | None, chosen: LobbyFilter, now: int) -> None:
        """Show a guest these pages when they are known, and then their news; None: every page."""
        self.look_away(guest)
        listing = self._listing(chosen)
        listing.waiting[guest] = pages
        self._want(chosen, listing.at(pages))
        self._begin_known(listing, now)

    def look_away(self, guest: Guest) -> None:
        """Stop sending the lobby's news to a guest; may be called again."""
        for chosen, listing in list(self._listings.items()):
            for readers in (listing.news.readers, listing.waiting):
                if guest in readers:
                    gone = listing.at(readers[guest])
                    listing.news.forget(guest)
                    listing.waiting.pop(guest, None)
                    self._want_no_more(chosen, gone)

    def _listing(self, chosen: LobbyFilter) -> _Listing:
        if (listing := self._listings.get(chosen)) is None:
            listing = self._listings[chosen] = _Listing(self._shards, self._news_ms)
            self._want(chosen, [(shard, 0) for shard in range(self._shards)])
        return listing

    def _want(self, chosen: LobbyFilter, pages: list[Followed]) -> None:
        listing = self._listings[chosen]
        listing.wants.update(pages)
        for shard, page in pages:
            if (shard, page) not in listing.followed and self._follow(shard, Looked(page, *chosen)):
                listing.followed[shard, page] = False

    def _want_no_more(self, chosen: LobbyFilter, pages: list[Followed]) -> None:
        listing = self._listings[chosen]
        listing.wants.subtract(pages)
        if chosen != ALL_TABLES and not (listing.news.readers or listing.waiting):
            listing.wants.clear()
            del self._listings[chosen]
        listing.wants = +listing.wants
        for shard, page in [at for at in listing.followed if at not in listing.wants]:
            del listing.followed[shard, page]
            self._follow(shard, Looked(page, *chosen, is_over=True))
        listing.forget(
            lambda page: not {*listing.at(range(page, page + 1)), (page % self._shards, None)} & listing.wants.keys()
        )

    def opened(self, shard: int) -> None:
        """Follow a shard whose link is up again."""
        self.broken(shard)
        for chosen, listing in self._listings.items():
            for at in [at for at in listing.wants if at[0] == shard]:
                if self._follow(shard, Looked(at[1], *chosen)):
                    listing.followed[at] = False

    def broken(self, shard: int) -> None:
        """A shard is out of reach; its known entries stay on the pages."""
        for listing in self._listings.values():
            for at in [at for at in listing.followed if at[0] == shard]:
                del listing.followed[at]

    def apply(self, shard: int, changed: Changed, now: int) -> None:
        if (listing := self._listings.get(LobbyFilter(changed.game, changed.free))) is not None:
            listing.apply(shard, changed.lobby)
            self._begin_known(listing, now)

    def _begin_known(self, listing: _Listing, now: int) -> None:
        """Let guests begin to look, unless a reachable shard must still send a page."""
        if listing.waiting and all(listing.followed.values()):
            waiting, listing.waiting = listing.waiting, {}
            for guest, pages in waiting.items():
                self._begin(guest, listing.news.begin(guest, now, pages))

    def take(self, now: int) -> Iterator[tuple[Collection[Guest], LobbyState]]:
        """News and its readers, if it is time."""
        for listing in list(self._listings.values()):
            self._begin_known(listing, now)
            yield from listing.news.take(now)

    @property
    def counts(self) -> tuple[int, int]:
        size = self._listings[ALL_TABLES].size()
        return size.tables, size.people
