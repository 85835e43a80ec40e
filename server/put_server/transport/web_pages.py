"""HTTP on the common port: how it is recognized and loaded, and its pages.

A connection that begins with a method and a path is HTTP. It is closed after the response or, when a browser requests
several files, after it was silent for `session.CLOSING_MS`. An upgrade request returns it to its session, which
continues as a WebSocket. The HTTP modules are loaded in a thread at the first such connection. So a server without
browsers does not load them, and no peer waits for the loading.
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
from put_server.transport.http_page import HttpPage, Route
from put_server.transport.origins import parse_address
from put_server.transport.peer_log import PeerLog
from put_server.transport.static_files import StaticFiles

HOST = re.compile(r"([0-9A-Za-z_.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])((?::[0-9]{1,5})?)")
"""A name or an address, and a port."""


class Hosts:
    """Names by which browsers may address this server, checked against the `Host` header.

    A foreign site can point its own name to this machine (DNS rebinding). The browser then takes this server for that
    site, and its scripts can read here and play as the user. But the `Host` header shows the name. An address is always
    allowed, because a site cannot redirect an address. Also allowed are names that no foreign site can have:
    `localhost`, names under `.local`, and those of this machine, its certificate and the operator.
    """

    def __init__(self, allowed: Iterable[str] = (), certified: Callable[[], Iterable[str]] = lambda: ()) -> None:
        """`allowed`: the operator's names; `certified`: names in the current certificate. In both, `*.example.org`
        matches every name directly under `example.org`."""
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
"""Most origins remembered as having browsers; the longest silent are dropped."""

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
        """`needs`: modules that the pages will import, loaded in advance in the thread. `has_page`: people may play in
        a browser. `hosts`: names by which browsers may ask. `log`: for refused requests."""
        self.hosts = hosts
        self.log = log or PeerLog()
        self._routes = routes
        self._needs = needs
        self.has_page = has_page
        self._files: StaticFiles | None = None
        self.is_loaded = False
        self._browsers: dict[str, int] = {}
        """The time when HTTP was spoken last from an origin, the latest last."""

    @property
    def digest(self) -> str:
        """Digest of the page's files; empty: not loaded yet."""
        return "" if self._files is None else self._files.digest

    def note_browser(self, site: str, now: int) -> None:
        self._browsers.pop(site, None)
        self._browsers[site] = now
        if len(self._browsers) > MANY_BROWSERS:
            del self._browsers[next(iter(self._browsers))]

    def may_be_browser(self, site: str, now: int) -> bool:
        """True if a silent connection from there may be a browser's spare connection. The browser would take a greeting
        for the response to its next request."""
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
        """Load all that the pages need; called in a thread."""
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
"""Methods with a space and the first slash of a path: no player types that as a name."""

_REQUEST = re.compile(rb"[!-~]+ /[!-~]* HTTP/1\.[01]\r?\n")
"""A complete request line with any method: a script can choose the method, and its body would be taken for commands."""


def begins_http(data: bytes) -> bool | None:
    """True if a connection with these first bytes is HTTP; None: too few bytes to decide."""
    if data.startswith(_METHODS) or _REQUEST.match(data):
        return True
    return None if any(method.startswith(data) for method in _METHODS) else False


def load_http(
    pages: WebPages, transport: asyncio.Transport, caller: Caller, then: "Callable[[HttpConnection], None]"
) -> None:
    """Load HTTP on this connection, and call back. The caller limits the time, and reads nothing until then."""
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
        from put_server.transport.http import HttpConnection  # noqa: PLC0415  # loaded by now

        then(HttpConnection(pages, caller))

    if pages.is_loaded:
        loading = loop.create_future()
        loading.set_result(None)
    else:
        loading = loop.run_in_executor(None, load)
    loading.add_done_callback(begin)
