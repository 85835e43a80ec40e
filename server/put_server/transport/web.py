"""HTTP on the port of everything else: how it is told apart, and which pages there are.

A connection that begins with a method and a path is HTTP's. It is closed after an answer, or, where a browser asks for
one file after another, as soon as it is silent for `session.CLOSING_MS`; a request to upgrade gives it back to its
session, which goes on as a WebSocket. What speaks HTTP is loaded when the first such connection comes, in a thread, so
that a server nobody asks pays nothing for it, and nobody waits while it is loaded.
"""

import asyncio
import importlib
import logging
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol

from put_protocol.limits import STRANGER_MS
from put_server.transport.admission import Caller
from put_server.transport.hosts import Hosts
from put_server.transport.origins import Networks, parse_address
from put_server.transport.peer_log import PeerLog

if TYPE_CHECKING:
    from put_server.transport.http import HttpConnection
    from put_server.transport.static_files import StaticFiles
    from put_server.transport.websocket import WebSocketConnection

log = logging.getLogger(__name__)

_METHODS = tuple(
    f"{method} /".encode() for method in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE")
)
"""With the slash that begins every path: nobody types that to say who they are."""

_REQUEST = re.compile(rb"[!-~]+ /[!-~]* HTTP/1\.[01]\r?\n")
"""A whole line of any method: a script can make one up, and what it sends behind would be taken for typed commands."""

MANY_BROWSERS = 1_024
"""Origins that are known to have browsers; of more, those heard longest ago are forgotten."""

SOCKET = "/ws"
"""Where a WebSocket begins."""

NOWHERE = "This is a put server, a table for card games. There is no such page. To play: put-client, or nc.\n"

NOT_YOU = "The operator lets other addresses see this page, and not yours (metrics_from).\n"


NOT_HERE = "This page is for browsers on the server's own machine.\n"


class HttpPage(NamedTuple):
    """An answer."""

    status: int
    body: bytes
    kind: str = "text/plain; charset=utf-8"
    headers: tuple[tuple[str, str], ...] = (("Cache-Control", "no-store"),)
    gzipped: bytes = b""
    """The same body, for whoever takes it; empty: it gets no smaller."""
    is_kept: bool = False
    """The connection is kept for the next request."""


class Route(NamedTuple):
    """A page and who may see it."""

    make: Callable[[], HttpPage]
    allowed: Networks
    to_others: str = NOT_YOU


class Visitor(Protocol):
    """The session whose connection it is, as HTTP sees it."""

    @property
    def caller(self) -> Caller: ...
    def speak_http(self, http: "HttpConnection") -> None:
        """What speaks HTTP is loaded: hand it what is read from now on, and have it answer."""
        ...

    def note_request(self) -> None:
        """A request is answered; its connection has time for it."""
        ...

    def upgrade(self, make: "Callable[[int], WebSocketConnection]", data: bytes) -> None:
        """Take the connection back, as one of messages; `data` came behind the request."""
        ...


def begins_http(data: bytes) -> bool | None:
    """Whether a connection that begins so is HTTP's; None: too little came to tell."""
    if data.startswith(_METHODS) or _REQUEST.match(data):
        return True
    return None if any(method.startswith(data) for method in _METHODS) else False


class Web:
    """The pages of a server."""

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
        self._needs = ("put_server.transport.http", *needs)
        self.has_page = has_page
        self._files: StaticFiles | None = None
        self._browsers: dict[str, int] = {}
        """When HTTP was spoken last from an origin, the latest last."""

    def note_browser(self, site: str, now: int) -> None:
        """HTTP is spoken from there."""
        self._browsers.pop(site, None)
        self._browsers[site] = now
        if len(self._browsers) > MANY_BROWSERS:
            del self._browsers[next(iter(self._browsers))]

    def may_be_browser(self, site: str, now: int) -> bool:
        """Whether a silent connection from there may be one that a browser opened in reserve: it would take what is
        sent on it for the answer to its next request."""
        return site in self._browsers and now - self._browsers[site] < STRANGER_MS

    def answer(self, path: str, caller: Caller) -> HttpPage:
        """The page of a path, for a peer."""
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

    def load(self, transport: asyncio.Transport, visitor: Visitor) -> None:
        """Have the visitor speak HTTP as soon as that is loaded. Whoever calls limits the time, and reads nothing more
        until then."""
        loading = asyncio.get_running_loop().run_in_executor(None, self._load)
        loading.add_done_callback(partial(self._begin, transport, visitor))

    def _load(self) -> None:
        for module in self._needs:
            importlib.import_module(module)
        if self.has_page and self._files is None:
            from put_server.transport.static_files import StaticFiles  # noqa: PLC0415  # only where it is wanted

            self._files = StaticFiles()

    def _begin(self, transport: asyncio.Transport, visitor: Visitor, loading: "asyncio.Future[None]") -> None:
        if transport.is_closing() or loading.cancelled():
            return
        if (error := loading.exception()) is not None:
            log.error("HTTP cannot be spoken", exc_info=error)
            transport.abort()
            return
        from put_server.transport.http import HttpConnection  # noqa: PLC0415  # loaded by now

        visitor.speak_http(HttpConnection(transport, self, visitor))
