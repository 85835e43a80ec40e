"""Entry of HTTP on the port of everything else: how it is recognized, and loaded when it is first spoken.

A connection that begins with a method and a path is HTTP's. It is closed after an answer, or, where a browser asks for
one file after another, as soon as it is silent for `session.CLOSING_MS`; a request to upgrade gives it back to its
session, which goes on as a WebSocket. The modules of HTTP are loaded in a thread when the first such connection comes,
so a server without browsers pays nothing for them, and no peer waits while they are loaded.
"""

import asyncio
import importlib
import logging
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from put_server.transport.http_page import Visitor
from put_server.transport.web_pages import WebPages

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
    """Call back soon with HTTP on this connection, once it is loaded. The caller limits the time, and reads nothing
    until then."""
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
