"""HTTP on the port of everything else: how it is told apart, and which pages there are.

A connection that begins with a method and a path is HTTP's. It gets one answer and is closed; that takes at most
`session.CLOSING_MS`. What speaks HTTP is loaded when the first such connection comes, in a thread, so that a server
nobody asks pays nothing for it, and nobody waits while it is loaded.
"""

import asyncio
import importlib
import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from put_server.transport.origins import Networks, parse_address

log = logging.getLogger(__name__)

_METHODS = tuple(
    f"{method} /".encode() for method in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE")
)
"""With the slash that begins every path: nobody types that to say who they are."""

NOWHERE = "This is a put server, a table for card games. There is no such page. To play: put-client, or nc.\n"

NOT_YOU = "The operator lets other addresses see this page, and not yours (metrics_from).\n"


class Page(NamedTuple):
    """An answer."""

    status: int
    body: bytes
    kind: str = "text/plain; charset=utf-8"


class Route(NamedTuple):
    """A page and who may see it."""

    make: Callable[[], Page]
    allowed: Networks


def begins_http(data: bytes) -> bool | None:
    """Whether a connection that begins so is HTTP's; None: too little came to tell."""
    if data.startswith(_METHODS):
        return True
    return None if any(method.startswith(data) for method in _METHODS) else False


class Web:
    """The pages of a server."""

    def __init__(self, routes: Mapping[str, Route], needs: tuple[str, ...] = ()) -> None:
        """`needs`: modules that the pages will import, loaded beforehand in the thread."""
        self._routes = routes
        self._needs = ("put_server.transport.http", *needs)

    def answer(self, path: str, address: str) -> Page:
        """The page of a path, for a peer at this address."""
        route = self._routes.get(path.partition("?")[0])
        if route is None:
            return Page(404, NOWHERE.encode())
        try:
            is_allowed = parse_address(address) in route.allowed
        except ValueError:  # a socket without addresses
            is_allowed = False
        return route.make() if is_allowed else Page(403, NOT_YOU.encode())

    def take_over(
        self, transport: asyncio.Transport, data: bytes, address: str, on_lost: Callable[[Exception | None], None]
    ) -> None:
        """Answer on this connection; `data` was read from it already. Whoever calls limits the time."""
        transport.pause_reading()
        loading = asyncio.get_running_loop().run_in_executor(None, self._load)
        loading.add_done_callback(partial(self._begin, transport, data, address, on_lost))

    def _load(self) -> None:
        for module in self._needs:
            importlib.import_module(module)

    def _begin(
        self,
        transport: asyncio.Transport,
        data: bytes,
        address: str,
        on_lost: Callable[[Exception | None], None],
        loading: "asyncio.Future[None]",
    ) -> None:
        if transport.is_closing() or loading.cancelled():
            return
        if (error := loading.exception()) is not None:
            log.error("HTTP cannot be spoken", exc_info=error)
            transport.abort()
            return
        from put_server.transport.http import HttpConnection  # noqa: PLC0415  # loaded by now

        connection = HttpConnection(transport, partial(self.answer, address=address), on_lost)
        transport.set_protocol(connection)
        connection.data_received(data)
        if not transport.is_closing():
            transport.resume_reading()
