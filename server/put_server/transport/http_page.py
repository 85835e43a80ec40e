"""Pages for HTTP, and their access rules."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from put_server.transport.origins import Networks

WEBSOCKET_PATH = "/ws"
NOT_YOU = "The operator does not let your address see this page (metrics_from).\n"

NOT_HERE = "This page is for browsers on the server's own machine.\n"


class PageAsked(NamedTuple):
    """A request, for `HttpConnection.answer`."""


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
