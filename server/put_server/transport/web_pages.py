"""HTTP on the port of everything else, before it is spoken: how it is recognized and loaded, and what it answers.

A connection that begins with a method and a path is HTTP's. It is closed after an answer, or, where a browser asks for
one file after another, as soon as it is silent for `session.CLOSING_MS`; a request to upgrade gives it back to its
session, which goes on as a WebSocket. The modules of HTTP are loaded in a thread when the first such connection comes,
so a server without browsers pays nothing for them, and no peer waits while they are loaded.
"""

import asyncio
import importlib
import ipaddress
import logging
import re
import socket
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from put_protocol.limits import STRANGER_MS
from put_server.transport.admission import Caller
from put_server.transport.http_page import HttpPage, Route, Visitor
from put_server.transport.origins import parse_address
from put_server.transport.peer_log import PeerLog
from put_server.transport.static_files import StaticFiles

HOST = re.compile(r"([0-9A-Za-z_.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])((?::[0-9]{1,5})?)")
"""A name or an address, and a port."""


class Hosts:
    """A set of names by which browsers may ask for this server; asked for the value of a `Host` header.

    A page of another site can let its own name lead to this machine (DNS rebinding). The browser then takes this server
    for that site, and lets the site's scripts read here and play in the reader's name. But in `Host` it says by which
    name it asks. An address is always right, for no site can let an address lead elsewhere. So are names that no site
    can have: `localhost`, those under `.local`, and those of this machine, of its certificate and of the operator.
    """

    def __init__(self, allowed: Iterable[str] = (), certified: Callable[[], Iterable[str]] = lambda: ()) -> None:
        """`allowed`: by the operator; `certified`: what the certificate names now. In both, `*.example.org` stands for
        every name directly under `example.org`."""
        own = socket.gethostname()
        self._names = _plain([*allowed, own, own.partition(".")[0], "localhost"])
        self._certified = certified

    def __contains__(self, host: str) -> bool:
        found = HOST.fullmatch(host)
        if found is None:
            return False
        name = found[1].lower().removesuffix(".")
        if name.endswith((".localhost", ".local")) or _is_address(name):
            return True
        names = self._names | _plain(self._certified())
        return name in names or f"*.{name.partition('.')[2]}" in names


def _plain(names: Iterable[str]) -> set[str]:
    return {name.lower().removesuffix(".") for name in names} - {""}


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


MANY_BROWSERS = 1_024
"""Origins that are known to have browsers; of more, those heard longest ago are forgotten."""

NOWHERE = "This is a put server, a table for card games. There is no such page. To play: put-client, or nc.\n"


class WebPages:
    """Pages by their path, and the addresses from which browsers came."""

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


if TYPE_CHECKING:
    from put_server.transport.http import HttpConnection

log = logging.getLogger(__name__)

_METHODS = tuple(
    f"{method} /".encode() for method in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE")
)
"""Methods with the slash that begins every path: no player types that as a name."""

_REQUEST = re.compile(rb"[!-~]+ /[!-~]* HTTP/1\.[01]\r?\n")
"""A whole line of any method: a script can make one up, and what it sends behind would be taken for typed commands."""


def begins_http(data: bytes) -> bool | None:
    """True if a connection that begins so is HTTP's; None: too little came to tell."""
    if data.startswith(_METHODS) or _REQUEST.match(data):
        return True
    return None if any(method.startswith(data) for method in _METHODS) else False


def load_http(
    pages: WebPages, transport: asyncio.Transport, visitor: Visitor, then: "Callable[[HttpConnection], None]"
) -> None:
    """Call back soon with HTTP loaded on this connection. The caller limits the time, and reads nothing until then."""
    loop = asyncio.get_running_loop()

    def load() -> None:
        importlib.import_module("put_server.transport.http")
        pages.load()

    def begin(loading: "asyncio.Future[None]") -> None:
        if transport.is_closing() or loading.cancelled():
            return
        if (error := loading.exception()) is not None:
            log.error("HTTP cannot be loaded", exc_info=error)
            transport.abort()
            return
        speak()

    def speak() -> None:
        from put_server.transport.http import HttpConnection  # noqa: PLC0415  # loaded by now

        if not transport.is_closing():
            then(HttpConnection(transport, pages, visitor))

    if pages.is_loaded:
        loop.call_soon(speak)
    else:
        loop.run_in_executor(None, load).add_done_callback(begin)
