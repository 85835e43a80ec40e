"""Pages of a server by their path, and the addresses from which browsers came."""

import importlib
from collections.abc import Mapping

from put_protocol.limits import STRANGER_MS
from put_server.transport.admission import Caller
from put_server.transport.hosts import Hosts
from put_server.transport.http_page import HttpPage, Route
from put_server.transport.origins import parse_address
from put_server.transport.peer_log import PeerLog
from put_server.transport.static_files import StaticFiles

MANY_BROWSERS = 1_024
"""Origins that are known to have browsers; of more, those heard longest ago are forgotten."""

NOWHERE = "This is a put server, a table for card games. There is no such page. To play: put-client, or nc.\n"


class WebPages:
    def __init__(
        self,
        routes: Mapping[str, Route],
        needs: tuple[str, ...] = (),
        *,
        hosts: Hosts,
        has_page: bool = False,
        log: PeerLog | None = None,
    ) -> None:
        """`needs`: modules that the pages will import, loaded beforehand in the thread; `has_page`: people may play
        with a browser; `hosts`: by which names it may ask for them; `log`: told of requests that were refused."""
        self.hosts = hosts
        self.log = log or PeerLog()
        self._routes = routes
        self._needs = needs
        self.has_page = has_page
        self._files: StaticFiles | None = None
        self.is_loaded = False
        """All that the pages need is."""
        self._browsers: dict[str, int] = {}
        """The time when HTTP was spoken last from an origin, the latest last."""

    @property
    def digest(self) -> str:
        """Digest of the page's files; empty: none was asked for yet."""
        return "" if self._files is None else self._files.digest

    def note_browser(self, site: str, now: int) -> None:
        """HTTP is spoken from there."""
        self._browsers.pop(site, None)
        self._browsers[site] = now
        if len(self._browsers) > MANY_BROWSERS:
            del self._browsers[next(iter(self._browsers))]

    def may_be_browser(self, site: str, now: int) -> bool:
        """True if a silent connection from there may be one that a browser opened in reserve: it would take what is
        sent on it for the answer to its next request."""
        return site in self._browsers and now - self._browsers[site] < STRANGER_MS

    def answer(self, path: str, caller: Caller) -> HttpPage:
        path = path.partition("?")[0]
        route = self._routes.get(path)
        if route is not None:
            try:
                is_allowed = parse_address(caller.address) in route.allowed
            except ValueError:  # a socket without addresses
                is_allowed = False
            return route.make() if is_allowed else HttpPage(403, route.to_others.encode())
        if caller.refusal:
            return HttpPage(403, f"{caller.refusal}.\n".encode())
        page = None if self._files is None else self._files.page(path)
        return page or HttpPage(404, NOWHERE.encode())

    def load(self) -> None:
        """Load what the pages need; called in a thread."""
        for module in self._needs:
            importlib.import_module(module)
        if self.has_page and self._files is None:
            self._files = StaticFiles()
        self.is_loaded = True
