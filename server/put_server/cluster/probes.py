"""Probes: `/healthz` and `/metrics` of a process that has no port for players, such as a worker.

The process listens on a port of its own, if it is given one, and answers only the addresses in `metrics_from`.
"""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from put_server.front import CannotListen
from put_server.settings import Settings, names_in
from put_server.transport.admission import Caller
from put_server.transport.hosts import Hosts
from put_server.transport.http_entry import load_http
from put_server.transport.http_page import HttpPage, probe_routes
from put_server.transport.origins import Networks, parse_networks
from put_server.transport.web_pages import WebPages

if TYPE_CHECKING:
    from put_server.transport.http import HttpConnection
    from put_server.transport.websocket import WebSocketConnection

MOST = 16
"""Connections at once: monitoring, and a mistake or two."""

SECONDS = 5.0
"""Time limit for a connection."""


class Probes:
    """The HTTP server of one process."""

    def __init__(self, settings: Settings, *, is_healthy: Callable[[], bool], metrics: Callable[[], HttpPage]) -> None:
        self._settings = settings
        readers = Networks(parse_networks(settings.metrics_from))
        self._web = WebPages(
            probe_routes(is_healthy, metrics, readers),
            hosts=Hosts([settings.host, *names_in(settings.allowed_host)]),
        )
        self._server: asyncio.Server | None = None
        self.open: set[asyncio.Transport] = set()

    async def listen(self) -> None:
        """:raises CannotListen: the port cannot be had."""
        host = None if self._settings.host == "*" else self._settings.host
        try:
            self._server = await asyncio.get_running_loop().create_server(
                lambda: _Probe(self._web, self.open), host, self._settings.metrics_port
            )
        except OSError as error:
            raise CannotListen(
                f"cannot listen on port {self._settings.metrics_port} for metrics: {error.strerror}"
            ) from None

    @property
    def port(self) -> int:
        assert self._server is not None
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    def close(self) -> None:
        if self._server is not None:
            self._server.close()
        for transport in list(self.open):
            transport.abort()


class _Probe(asyncio.Protocol):
    """One connection, as its HTTP part needs it."""

    def __init__(self, web: WebPages, connections: set[asyncio.Transport]) -> None:
        self._web = web
        self._open = connections
        self._transport: asyncio.Transport | None = None
        self._end: asyncio.TimerHandle | None = None
        self._http: HttpConnection | None = None
        self._unread = b""
        self.caller = Caller()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        if len(self._open) >= MOST:
            transport.abort()
            return
        peer = transport.get_extra_info("peername")
        self.caller = Caller(peer[0] if peer else "")
        self._transport = transport
        self._open.add(transport)
        self._end = asyncio.get_running_loop().call_later(SECONDS, transport.abort)

    def data_received(self, data: bytes) -> None:
        assert self._transport is not None
        if self._http is None:
            self._unread = data
            self._transport.pause_reading()
            load_http(self._web, self._transport, self, self._speak_http)
            return
        self._http.receive(data)
        while self._http.has_request:
            self._http.answer()

    def _speak_http(self, http: "HttpConnection") -> None:
        assert self._transport is not None
        self._http = http
        self._transport.resume_reading()
        self.data_received(self._unread)

    def note_request(self) -> None:
        """Do nothing: the time of the whole connection is limited."""

    def upgrade(self, make: "Callable[[int], WebSocketConnection]", data: bytes) -> None:
        """Refuse it: games are not played here."""
        assert self._transport is not None
        self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._end is not None:
            self._end.cancel()
        if self._transport is not None:
            self._open.discard(self._transport)
