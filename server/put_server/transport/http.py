"""HTTP/1.1 on one connection, by h11: requests are read whole and answered in order, when the session calls.

The head of a request is limited to `HEAD_BYTES`, and its body is not read. A connection is limited by `REQUESTS`, by
its session's time, and by unsent output: while too much waits, no request is answered. After any response other than a
file the connection is closed. An upgrade request for `WEBSOCKET_PATH` turns it into a WebSocket.
"""

import h11

from put_server.transport.admission import Caller
from put_server.transport.http_page import WEBSOCKET_PATH, HttpPage, PageAsked
from put_server.transport.web_pages import WebPages
from put_server.transport.websocket import WebSocketConnection, accepts

HEAD_BYTES = 8 * 1024
"""The longest request line and headers, as on other servers."""

REQUESTS = 200
"""Most requests on one connection: several times the files of the page."""

_NOT_HTTP = HttpPage(400, b"This is no request that can be understood.\n")
_TOO_LONG = HttpPage(431, b"The request is too long.\n")
_ONLY_GET = HttpPage(405, b"Pages here can only be read: GET or HEAD.\n", headers=(("Allow", "GET, HEAD"),))
_NOT_OURS = HttpPage(
    421, b"This server has another name. Ask for it by its address, or let its operator add the name (allowed_host).\n"
)
_ONLY_SOCKET = HttpPage(
    426, b"Here a WebSocket begins: ask to upgrade.\n", headers=(("Upgrade", "websocket"), ("Connection", "Upgrade"))
)


class HttpConnection:
    def __init__(self, web: WebPages, caller: Caller) -> None:
        self._web = web
        self._caller = caller
        self._out = b""
        self.is_closed = False
        """Nothing follows what is queued."""
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD_BYTES)
        self._left = REQUESTS
        self._request: h11.Request | None = None
        self._is_whole = False
        """The current request has no unread body."""

    @property
    def has_next(self) -> bool:
        """True if `take_requests` has something."""
        return self._request is not None

    def take_requests(self) -> list[PageAsked]:
        """The request that waits for its answer, if any."""
        return [PageAsked()] if self.has_next else []

    def receive(self, data: bytes, now: int) -> list[PageAsked]:  # other connections need the time
        """Take received bytes: at most one piece before the next request is answered."""
        if not self.is_closed:
            self._http.receive_data(data)
            self._look()
        return self.take_requests()

    @property
    def pending(self) -> int:
        return len(self._out)

    def take(self) -> bytes:
        """Everything queued, for the socket."""
        out, self._out = self._out, b""
        return out

    @property
    def rest(self) -> bytes:
        """Bytes behind a request that was upgraded."""
        return self._http.trailing_data[0]

    def answer(self, now: int) -> WebSocketConnection | None:
        """Answer the request, or return the WebSocket to which it is upgraded, with the answer queued there."""
        request, self._request = self._request, None
        assert request is not None
        self._web.note_browser(self._caller.site, now)
        if self._is_upgrade(request):
            is_accepted, answer = accepts(request)
            if is_accepted:
                socket = WebSocketConnection(now)
                socket.send_encoded(answer)
                return socket
            self._web.log.refused(self._caller.address, "no WebSocket")
            self._out += answer
            self.is_closed = True
        else:
            self._answer(request)
            self._look()
        return None

    def _look(self) -> None:
        """Answer the next request in the received bytes, if it is complete."""
        if self._request is not None or self.is_closed:
            return
        event = None
        try:
            event = self._http.next_event()
            if isinstance(event, h11.Request):
                self._is_whole = isinstance(self._http.next_event(), h11.EndOfMessage)
                self._request = event
            elif event is not h11.NEED_DATA:
                self.is_closed = True
        except h11.RemoteProtocolError as error:
            self._web.log.refused(self._caller.address, "no HTTP")
            # With a request here it is the body behind it that is wrong.
            is_head = isinstance(event, h11.Request) and event.method == b"HEAD"
            self._send(_TOO_LONG if error.error_status_hint == 431 else _NOT_HTTP, has_body=not is_head)

    def _answer(self, request: h11.Request) -> None:
        caller = self._caller
        target = request.target.decode("ascii", "replace")
        if not self._is_for_us(request):
            self._web.log.refused(caller.address, "another host")
            page = _NOT_OURS
        elif request.method not in (b"GET", b"HEAD"):
            page = _ONLY_GET
        elif target.partition("?")[0] == WEBSOCKET_PATH:
            page = _ONLY_SOCKET
        else:
            page = self._web.answer(target, caller)
            if page.status == 403 and caller.refusal:
                page = _elsewhere(request, target) or page
        etag = dict(page.headers).get("ETag", "")
        if etag and etag.encode() == _header(request, b"if-none-match"):
            page = page._replace(status=304, body=b"", gzipped=b"")
        self._left -= 1
        self._send(
            page,
            has_body=request.method != b"HEAD",
            takes_gzip=b"gzip" in _header(request, b"accept-encoding"),
            may_keep=self._is_whole and request.http_version >= b"1.1",
        )

    def _is_for_us(self, request: h11.Request) -> bool:
        """True if the request names one of our hosts. HTTP/1.0 may omit the host, and no browser uses it."""
        host = _header(request, b"host").decode("ascii", "replace")
        return host in self._web.hosts or (not host and request.http_version < b"1.1")

    def _is_upgrade(self, request: h11.Request) -> bool:
        is_wanted = request.target.partition(b"?")[0] == WEBSOCKET_PATH.encode() and _header(request, b"upgrade")
        return bool(is_wanted) and self._web.has_page and not self._caller.refusal and self._is_for_us(request)

    def _send(self, page: HttpPage, *, has_body: bool = True, takes_gzip: bool = False, may_keep: bool = False) -> None:
        if self._http.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            self.is_closed = True
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
        self._out += sent
        if is_kept and set(self._http.states.values()) == {h11.DONE}:
            self._http.start_next_cycle()
        else:
            self.is_closed = True


def _elsewhere(request: h11.Request, target: str) -> HttpPage | None:
    """Redirect to the same address with `https`; None: the request names no host."""
    host = _header(request, b"host").decode("ascii")  # this server's: other hosts were answered before
    if not (host and target.startswith("/") and not target.startswith("//")):
        return None
    headers = (("Location", f"https://{host}{target}"), ("Cache-Control", "no-store"))
    return HttpPage(307, b"This page is read by https alone.\n", headers=headers)


def _header(request: h11.Request, name: bytes) -> bytes:
    return next((bytes(value) for known, value in request.headers if known == name), b"")
