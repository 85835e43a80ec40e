"""HTTP/1.1 on one connection, by h11: requests are read whole and answered, one after another.

A request is bounded: its head by `HEAD_BYTES`, and of a body nothing is read. So is a connection: by `REQUESTS`, by the
time that whoever made it allows, and by what waits for its peer to read, during which nothing more is answered. After
anything but a file the connection is closed. A request for `SOCKET` that asks to upgrade gives it to a WebSocket.
"""

import asyncio
import logging

import h11

from put_server.transport.table_code import HOST, ROUTE, table_code
from put_server.transport.web import SOCKET, Page, Visitor, Web
from put_server.transport.websocket import WebSocketConnection, accepts

log = logging.getLogger(__name__)

HEAD_BYTES = 8 * 1024
"""The longest request line and headers: what other servers take."""

REQUESTS = 200
"""Answered on one connection: several times the files of the page."""

_NOT_HTTP = Page(400, b"This is no request that can be understood.\n")
_TOO_LONG = Page(431, b"The request is too long.\n")
_TOO_MUCH = Page(429, b"Too much was asked from your address: wait a little.\n")
_ONLY_GET = Page(405, b"Pages here can only be read: GET or HEAD.\n", headers=(("Allow", "GET, HEAD"),))
_ONLY_SOCKET = Page(
    426, b"Here a WebSocket begins: ask to upgrade.\n", headers=(("Upgrade", "websocket"), ("Connection", "Upgrade"))
)


class HttpConnection(asyncio.Protocol):
    """The connection, while it is HTTP's."""

    def __init__(self, transport: asyncio.Transport, web: Web, visitor: Visitor) -> None:
        self._transport = transport
        self._web = web
        self._visitor = visitor
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD_BYTES)
        self._left = REQUESTS
        self._is_full = False
        """The peer does not read what it was sent."""

    def begin(self, data: bytes) -> None:
        """Answer what was read already, and read on."""
        self._transport.resume_reading()
        self.data_received(data)

    def data_received(self, data: bytes) -> None:
        if self._transport.is_closing():
            return
        try:
            self._http.receive_data(data)
            self._answer_all()
        except h11.RemoteProtocolError as error:
            self._send(_TOO_LONG if error.error_status_hint == 431 else _NOT_HTTP)
        except Exception:  # the boundary: a bug met on one peer's account ends that peer alone
            log.exception("a page could not be made; its connection is closed")
            self._transport.abort()

    def pause_writing(self) -> None:
        self._is_full = True
        self._transport.pause_reading()

    def resume_writing(self) -> None:
        self._is_full = False
        if not self._transport.is_closing():
            self._transport.resume_reading()
            self.data_received(b"")

    def eof_received(self) -> bool:
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self._visitor.connection_lost(exc)

    def _answer_all(self) -> None:
        while not (self._is_full or self._transport.is_closing()):
            event = self._http.next_event()
            if not isinstance(event, h11.Request):
                if event is not h11.NEED_DATA:
                    self._transport.close()
                return
            is_whole = isinstance(self._http.next_event(), h11.EndOfMessage)
            if self._upgrade(event):
                return
            self._answer(event, is_whole=is_whole)

    def _answer(self, request: h11.Request, *, is_whole: bool) -> None:
        """`is_whole`: it has no body, or none that is not read yet."""
        caller = self._visitor.caller
        target = request.target.decode("ascii", "replace")
        if not self._visitor.may_ask():
            page = _TOO_MUCH
        elif request.method not in (b"GET", b"HEAD"):
            page = _ONLY_GET
        elif target.partition("?")[0] == SOCKET:
            page = _ONLY_SOCKET
        else:
            page = self._code(request, target) or self._web.answer(target, caller)
            if page.status == 403 and caller.refusal:
                page = _elsewhere(request, target) or page
        etag = dict(page.headers).get("ETag", "")
        if etag and etag.encode() == _value(request, b"if-none-match"):
            page = page._replace(status=304, body=b"", gzipped=b"")
        self._left -= 1
        self._send(
            page,
            has_body=request.method != b"HEAD",
            takes_gzip=b"gzip" in _value(request, b"accept-encoding"),
            may_keep=is_whole and request.http_version >= b"1.1",
        )

    def _code(self, request: h11.Request, target: str) -> Page | None:
        """What the QR code of a table is made of; None: nobody asks for one."""
        asked = ROUTE.fullmatch(target)
        caller = self._visitor.caller
        if asked is None or not self._web.has_page or caller.refusal:
            return None
        host = _value(request, b"host").decode("ascii", "replace")
        return table_code(host, asked[1], is_encrypted=caller.is_encrypted, find_address=self._web.find_address)

    def _upgrade(self, request: h11.Request) -> bool:
        """Whether the connection is no longer HTTP's."""
        is_wanted = request.target.partition(b"?")[0] == SOCKET.encode() and _value(request, b"upgrade")
        caller = self._visitor.caller
        if not is_wanted or not self._web.has_page or caller.refusal or not self._visitor.may_ask():
            return False
        is_accepted, answer = accepts(request)
        self._transport.write(answer)
        if not is_accepted:
            self._transport.close()
            return True
        data, _ = self._http.trailing_data
        self._visitor.upgrade(WebSocketConnection, data)
        return True

    def _send(self, page: Page, *, has_body: bool = True, takes_gzip: bool = False, may_keep: bool = False) -> None:
        if self._http.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            self._transport.abort()
            return
        body = page.gzipped if takes_gzip and page.gzipped else page.body
        headers = [
            ("Content-Type", page.kind),
            ("Content-Length", str(len(body))),
            ("X-Content-Type-Options", "nosniff"),
            *page.headers,
        ]
        if body is not page.body:
            headers.append(("Content-Encoding", "gzip"))
        is_kept = page.is_kept and self._left > 0 and may_keep
        if not is_kept:
            headers.append(("Connection", "close"))
        sent = self._http.send(h11.Response(status_code=page.status, headers=headers)) or b""
        if has_body and page.status != 304:
            sent += self._http.send(h11.Data(data=body)) or b""
        if is_kept:
            sent += self._http.send(h11.EndOfMessage()) or b""
        self._transport.write(sent)
        if is_kept and set(self._http.states.values()) == {h11.DONE}:
            self._http.start_next_cycle()
        else:
            self._transport.close()


def _elsewhere(request: h11.Request, target: str) -> Page | None:
    """The same address by `https`; None: the request does not say which host it means."""
    host = _value(request, b"host").decode("ascii", "replace")
    if not (HOST.fullmatch(host) and target.startswith("/") and not target.startswith("//")):
        return None
    headers = (("Location", f"https://{host}{target}"), ("Cache-Control", "no-store"))
    return Page(307, b"This page is read by https alone.\n", headers=headers)


def _value(request: h11.Request, name: bytes) -> bytes:
    """Of a header; empty: it has none."""
    return next((bytes(value) for known, value in request.headers if known == name), b"")
