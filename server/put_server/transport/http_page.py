"""Pages that HTTP answers with, who may see each, and the visitor as HTTP sees it."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple, Protocol

from put_server.transport.admission import Caller
from put_server.transport.origins import Networks

if TYPE_CHECKING:  # it is loaded when a browser comes
    from put_server.transport.websocket import WebSocketConnection

SOCKET = "/ws"
"""Path of the WebSocket."""

NOT_YOU = "The operator does not let your address see this page (metrics_from).\n"

NOT_HERE = "This page is for browsers on the server's own machine.\n"


class HttpPage(NamedTuple):
    status: int
    body: bytes
    kind: str = "text/plain; charset=utf-8"
    headers: tuple[tuple[str, str], ...] = (("Cache-Control", "no-store"),)
    gzipped: bytes = b""
    """The same body compressed; empty: it gets no smaller."""
    is_kept: bool = False
    """The connection is kept for the next request."""


class Route(NamedTuple):
    """A page and who may see it."""

    make: Callable[[], HttpPage]
    allowed: Networks
    to_others: str = NOT_YOU


def probe_routes(
    is_healthy: Callable[[], bool], metrics: Callable[[], HttpPage], readers: Networks
) -> Mapping[str, Route]:
    """`/healthz` and `/metrics`, for the addresses of `readers`."""
    health = {True: HttpPage(200, b"ok\n"), False: HttpPage(503, b"stopping\n")}
    return {"/healthz": Route(lambda: health[is_healthy()], readers), "/metrics": Route(metrics, readers)}


class Visitor(Protocol):
    """The session whose connection it is, as HTTP sees it."""

    @property
    def caller(self) -> Caller: ...

    def note_request(self) -> None:
        """A request is answered; its connection has time for it."""
        ...

    def upgrade(self, make: "Callable[[int], WebSocketConnection]", data: bytes) -> None:
        """Take the connection back, as one of messages; `data` came behind the request."""
        ...
