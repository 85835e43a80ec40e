"""One HTTP/1.1 exchange on a connection, by h11: a request is read whole, answered, and the connection is closed.

A request is bounded: its head by `HEAD_BYTES`, and of a body nothing is read. WebSocket would begin here, too: at a
request with `Upgrade`, before it is answered.
"""

import asyncio
import logging
from collections.abc import Callable

import h11

from put_server.transport.web import Page

log = logging.getLogger(__name__)

HEAD_BYTES = 8 * 1024
"""The longest request line and headers: what other servers take."""

_NOT_HTTP = Page(400, b"This is no request that can be understood.\n")
_TOO_LONG = Page(431, b"The request is too long.\n")
_ONLY_GET = Page(405, b"Pages here can only be read: GET or HEAD.\n")


class HttpConnection(asyncio.Protocol):
    """The connection, once it is HTTP's."""

    def __init__(
        self,
        transport: asyncio.Transport,
        answer: Callable[[str], Page],
        on_lost: Callable[[Exception | None], None],
    ) -> None:
        self._transport = transport
        self._answer = answer
        self._on_lost = on_lost
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD_BYTES)

    def data_received(self, data: bytes) -> None:
        if self._transport.is_closing():
            return
        try:
            self._http.receive_data(data)
            event = self._http.next_event()
            if isinstance(event, h11.Request):
                self._respond(event)
            elif event is not h11.NEED_DATA:
                self._transport.close()
        except h11.RemoteProtocolError as error:
            self._send(_TOO_LONG if error.error_status_hint == 431 else _NOT_HTTP, has_body=True)
        except Exception:  # the boundary: a bug met on one peer's account ends that peer alone
            log.exception("a page could not be made; its connection is closed")
            self._transport.abort()

    def eof_received(self) -> bool:
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self._on_lost(exc)

    def _respond(self, request: h11.Request) -> None:
        is_read = request.method in (b"GET", b"HEAD")
        page = self._answer(request.target.decode("ascii", "replace")) if is_read else _ONLY_GET
        self._send(page, has_body=request.method != b"HEAD")

    def _send(self, page: Page, *, has_body: bool) -> None:
        if self._http.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            self._transport.abort()
            return
        headers = [
            ("Content-Type", page.kind),
            ("Content-Length", str(len(page.body))),
            ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
            ("Connection", "close"),
        ]
        if page is _ONLY_GET:
            headers.append(("Allow", "GET, HEAD"))
        sent = self._http.send(h11.Response(status_code=page.status, headers=headers)) or b""
        if has_body:
            sent += self._http.send(h11.Data(data=page.body)) or b""
        self._transport.write(sent)
        self._transport.close()
