"""Probes: `/healthz` and `/metrics` of a process that has no port for players, such as a worker.

The process listens on a separate port, if configured, and answers only addresses in `metrics_from`.
"""

import asyncio
from collections.abc import Callable

from put_server.front import CannotListen
from put_server.settings import Settings, listed
from put_server.transport.admission import Caller
from put_server.transport.http_page import HttpPage, probe_routes
from put_server.transport.origins import Networks, parse_networks
from put_server.transport.web_pages import Hosts, WebPages

MOST = 16
"""Connections at once: monitoring, and a mistake or two. One more ends the oldest, so that silent ones keep no monitor
out."""

CONNECTION_SECONDS = 5.0
READ_BYTES = 8 * 1024


class Probes:
    def __init__(self, settings: Settings, *, is_healthy: Callable[[], bool], metrics: Callable[[], HttpPage]) -> None:
        self._settings = settings
        readers = Networks(parse_networks(settings.metrics_from))
        self._web = WebPages(
            probe_routes(is_healthy, metrics, readers),
            needs=("put_server.transport.http",),
            hosts=Hosts([settings.host, *listed(settings.allowed_host)]),
        )
        self._server: asyncio.Server | None = None
        self._open: dict[asyncio.StreamWriter, None] = {}
        """Open connections, the oldest first."""

    async def listen(self) -> None:
        """:raises CannotListen: the port cannot be opened."""
        host = None if self._settings.host == "*" else self._settings.host
        self._web.load()
        try:
            self._server = await asyncio.start_server(self._answer, host, self._settings.metrics_port)
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
        for writer in self._open:
            writer.transport.abort()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from put_server.transport.http import HttpConnection  # noqa: PLC0415  # loaded by now

        if len(self._open) >= MOST:
            oldest = next(iter(self._open))
            del self._open[oldest]
            oldest.transport.abort()
        self._open[writer] = None
        try:
            address, *_ = writer.get_extra_info("peername") or ("",)
            http = HttpConnection(self._web, Caller(address))
            async with asyncio.timeout(CONNECTION_SECONDS):
                while not http.is_closed and (data := await reader.read(READ_BYTES)):
                    http.receive(data, 0)
                    while http.has_next:
                        if http.answer(0) is not None:
                            return  # no games are played here
                    writer.write(http.take())
        except (TimeoutError, ConnectionError):
            writer.transport.abort()
        finally:
            self._open.pop(writer, None)
            writer.close()
