"""Pages for HTTP, their access rules, and the visitor's interface to HTTP."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple, Protocol

from put_server.transport.admission import Caller
from put_server.transport.origins import Networks

if TYPE_CHECKING:  # it is loaded when a browser comes
    from put_server.transport.websocket import WebSocketConnection

WEBSOCKET_PATH = "/ws"
NOT_YOU = "The operator does not let your address see this page (metrics_from).\n"

NOT_HERE = "This page is for browsers on the server's own machine.\n"


class HttpPage(NamedTuple):
    status: int
    body: bytes
    kind: str = "text/plain; charset=utf-8"
    headers: tuple[tuple[str, str], ...] = (("Cache-Control", "no-store"),)
    gzipped: bytes = b""
    """The compressed body; empty if compression does not help."""
    is_kept: bool = False
    """The connection is kept for the next request."""


class Route(NamedTuple):
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
    """The session that owns the connection, as HTTP sees it."""

    @property
    def caller(self) -> Caller: ...

    def note_request(self) -> None:
        """A request is being answered; extend the connection's time."""

    def upgrade(self, make: "Callable[[int], WebSocketConnection]", data: bytes) -> None:
        """Take the connection back as a WebSocket; `data` followed the request."""
