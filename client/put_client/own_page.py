"""The page served by this machine, for a server elsewhere: `put-client --page`.

A server's own page checks that server, but a cheating server could serve a page without checks. So this serves the page
that is installed here. Its WebSocket is forwarded unchanged, over a connection that `Dialler` trusts.

Only browsers of this machine can reach it, and `Host` and `Origin` must be its own address. Otherwise any site open in
a browser here could talk to the server through it.
"""

import asyncio
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from put_client.sdk.dialler import Dialler
from put_client.sdk.errors import NoServer
from put_client.sdk.wire import why_unreachable
from put_protocol.text import printable
from put_runtime.page_files import FIRST, FOLDER_NAME, KINDS, SAFE, kind_of, page_files
from put_runtime.system_errors import unwrapped
from put_text.catalogue import say

HOST: Final = "127.0.0.1"
REQUEST_S: Final = 10.0
"""Time for a request to come, for the server to be reached, and for the last bytes of an answer to be read."""

PIECE_BYTES: Final = 64 * 1024
CONNECTIONS: Final = 64
"""More than the tabs of a browser hold."""

_ROUTES = ("/table/", "/watch/")

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def reach(dialler: Dialler) -> Streams:
    """:raises ClientError: the server is unreachable or not trusted."""
    try:
        async with asyncio.timeout(REQUEST_S):
            return await dialler.open()
    except (OSError, UnicodeError) as error:
        raise NoServer(dialler.host, dialler.port, why_unreachable(error)) from error


class OwnPage:
    def __init__(self, dialler: Dialler) -> None:
        self.port = 0
        self._dialler = dialler
        files = page_files()
        self._first = files.pop(FIRST)
        self._files: Mapping[str, bytes] = {FOLDER_NAME.decode() + name: body for name, body in files.items()}
        self._open = 0

    async def serve(self, tasks: asyncio.TaskGroup) -> asyncio.Server:
        """Listen, if possible on the server's port number, so that the page can show how to reach the server.

        The connections are tasks of this group, which fails with `CannotTrust` if the server is not trusted.
        """
        (await reach(self._dialler))[1].close()

        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            tasks.create_task(self._meet(reader, writer))

        try:
            server = await asyncio.start_server(accept, HOST, self._dialler.port)
        except OSError:
            server = await asyncio.start_server(accept, HOST, 0)
        self.port = server.sockets[0].getsockname()[1]
        return server

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.port}/"

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open += 1
        try:
            if self._open <= CONNECTIONS:
                async with asyncio.timeout(REQUEST_S):
                    head = await reader.readuntil(b"\r\n\r\n")
                await self._answer(head.decode("latin-1"), (reader, writer))
                writer.close()
                async with asyncio.timeout(REQUEST_S):
                    await writer.wait_closed()
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            pass  # no request, or it broke off, or the browser does not read
        finally:
            self._open -= 1
            writer.transport.abort()

    async def _answer(self, head: str, browser: Streams) -> None:
        first, *lines = head.split("\r\n")
        _, target, _ = first.split(" ")
        fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        own = f"{HOST}:{self.port}"
        if fields.get("host") != own or fields.get("origin", f"http://{own}") != f"http://{own}":
            _send(browser[1], HTTPStatus.FORBIDDEN, "text/plain", b"This page is for this machine alone.\n")
        elif target == "/ws":
            await self._pass_on(head, browser)
        elif target == "/address":
            _send(browser[1], HTTPStatus.OK, "text/plain", self._dialler.host.encode())
        elif target == "/" or target.startswith(_ROUTES):
            _send(browser[1], HTTPStatus.OK, KINDS["html"], self._first)
        elif (body := self._files.get(target)) is not None:
            _send(browser[1], HTTPStatus.OK, KINDS[kind_of(target)], body)
        else:
            _send(browser[1], HTTPStatus.NOT_FOUND, "text/plain", b"There is no such page.\n")

    async def _pass_on(self, head: str, browser: Streams) -> None:
        """Forward a WebSocket: its request as if from the server's own page, then bytes in both directions until one
        ends."""
        try:
            reader, writer = await reach(self._dialler)
        except NoServer as error:
            raise OSError(error.reason) from error  # the page dials again, and says so
        host = self._dialler.address
        scheme = "https" if self._dialler.is_encrypted else "http"
        named = {"host": f"Host: {host}", "origin": f"Origin: {scheme}://{host}"}
        lines = [named.get(line.partition(":")[0].lower(), line) for line in head.split("\r\n")]
        try:
            writer.write("\r\n".join(lines).encode("latin-1"))
            tasks = [asyncio.create_task(_copy(browser[0], writer)), asyncio.create_task(_copy(reader, browser[1]))]
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            writer.close()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(PIECE_BYTES):
        writer.write(data)
        await writer.drain()


def _send(writer: asyncio.StreamWriter, status: HTTPStatus, kind: str, body: bytes) -> None:
    fields = (("Content-Type", kind), ("Content-Length", str(len(body))), ("Cache-Control", "no-store"), *SAFE)
    head = [f"HTTP/1.1 {status.value} {status.phrase}", *(f"{name}: {value}" for name, value in fields)]
    writer.write("\r\n".join([*head, "Connection: close", "", ""]).encode() + body)


async def serve_page(dialler: Dialler) -> None:
    """Serve the page until the program is ended.

    :raises ClientError: the server is unreachable, or not (or no longer) trusted.
    """
    page = OwnPage(dialler)
    async with unwrapped(), asyncio.TaskGroup() as tasks:
        server = await page.serve(tasks)
        print(say("client-own-page", page=page.address, server=printable(dialler.address)), flush=True)
        if dialler.notice:
            print(dialler.notice, flush=True)
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            server.close()
