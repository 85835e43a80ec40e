"""`put-client --page`: the installed page at a server elsewhere, for this machine alone."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
import pytest_asyncio
from websockets.frames import Opcode

from put_client import own_page
from put_client.own_page import OwnPage, serve_page
from put_client.sdk.dialler import Dialler
from put_client.sdk.errors import KeyChanged, NoServer
from put_runtime.page_files import page_files
from put_server.transport.encryption import Encryption
from tests.client.scripted_server import scripted_server
from tests.transport.sockets import ServerHarness, running_server
from tests.web.browserless import Visit, request, upgrade


@pytest_asyncio.fixture
async def server() -> AsyncIterator[ServerHarness]:
    async with running_server() as running:
        yield running


async def visit(page: OwnPage, server: ServerHarness) -> Visit:
    made = Visit(*await asyncio.open_connection("127.0.0.1", page.port))
    server.callers.append(made)
    return made


async def test_page_of_this_machine_plays_at_the_server(server: ServerHarness) -> None:
    """Each file is the one that is installed, and a WebSocket reaches the server, which takes it for a page of its
    own."""
    page = OwnPage(Dialler("127.0.0.1", server.server.port))
    async with asyncio.TaskGroup() as tasks, await page.serve(tasks):
        here = f"127.0.0.1:{page.port}"
        files = page_files()
        for target, name in (("/table/3", "index.html"), ("/web/-/blind/worker.js", "blind/worker.js")):
            answer = await (await visit(page, server)).ask(request(target, Host=here))
            assert (answer.status, answer.body) == (200, files[name])
            assert "script-src 'self'" in answer.headers["content-security-policy"]
        assert (await (await visit(page, server)).ask(request("/address", Host=here))).body == b"127.0.0.1"
        assert (await (await visit(page, server)).ask(request("/web/-/../app.py", Host=here))).status == 404
        browser = await visit(page, server)
        assert (await browser.ask(upgrade(Host=here, Origin=f"http://{here}"))).status == 101
        browser.frame(Opcode.TEXT, json.dumps({"type": "hello", "version": 2, "name": "Moll"}).encode())
        assert (await browser.hear("welcome"))["name"] == "Moll"
        browser.cut()


@pytest.mark.parametrize("foreign", [{"Host": "evil.example"}, {"Origin": "http://evil.example"}])
async def test_other_sites_do_not_speak_through_it(server: ServerHarness, foreign: dict[str, str]) -> None:
    """Neither by an address that a name of theirs leads to, nor from a page of theirs."""
    page = OwnPage(Dialler("127.0.0.1", server.server.port))
    async with asyncio.TaskGroup() as tasks, await page.serve(tasks):
        own = {"Host": f"127.0.0.1:{page.port}", "Origin": f"http://127.0.0.1:{page.port}"}
        answer = await (await visit(page, server)).ask(upgrade(**(own | foreign)))
        assert answer.status == 403


async def test_browser_that_does_not_read_is_not_waited_for(
    server: ServerHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its place among the connections is free again after the time for a request."""
    monkeypatch.setattr(own_page, "CONNECTIONS", 1)
    monkeypatch.setattr(own_page, "REQUEST_S", 0.2)
    monkeypatch.setattr(own_page, "page_files", lambda: page_files() | {"long.js": b" " * 16_000_000})
    page = OwnPage(Dialler("127.0.0.1", server.server.port))
    async with asyncio.timeout(10), asyncio.TaskGroup() as tasks, await page.serve(tasks):
        here = f"127.0.0.1:{page.port}"
        deaf = socket.create_connection(("127.0.0.1", page.port))
        deaf.sendall(request("/web/-/long.js", Host=here))
        answered = False
        while not answered:
            with suppress(OSError, asyncio.IncompleteReadError):
                answered = (await (await visit(page, server)).ask(request("/address", Host=here))).status == 200
        deaf.close()


async def test_no_page_is_served_without_a_server() -> None:
    """The program says so, in a sentence."""
    with pytest.raises(NoServer, match="No put server at"):
        await serve_page(Dialler("127.0.0.1", 1))


class Serving:
    """The program, and the address of its page once there is one."""

    def __init__(self, dialler: Dialler, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun = begun = asyncio.get_running_loop().create_future()

        class Told(OwnPage):
            async def serve(self, tasks: asyncio.TaskGroup) -> asyncio.Server:
                server = await super().serve(tasks)
                begun.set_result(f"127.0.0.1:{self.port}")
                return server

        monkeypatch.setattr(own_page, "OwnPage", Told)
        self.program = asyncio.create_task(serve_page(dialler))

    async def browser(self) -> Visit:
        """A browser with its WebSocket asked for."""
        here = await self.begun
        made = Visit(*await asyncio.open_connection(*here.split(":")))
        made.send(upgrade(Host=here, Origin=f"http://{here}"))
        return made


async def cut(browser: Visit) -> None:
    browser.cut()
    with suppress(OSError):
        await browser.writer.wait_closed()


async def test_program_ends_when_the_key_of_the_server_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the alarm that a player at a terminal gets: the page itself can only say that no server answers."""
    own, other = Encryption(), Encryption()
    async with asyncio.timeout(20), scripted_server(own.context) as server:
        serving = Serving(Dialler("127.0.0.1", server.port, fingerprint=own.fingerprint), monkeypatch)
        await serving.begun
    async with asyncio.timeout(20), scripted_server(other.context, port=server.port):
        browser = await serving.browser()
        with pytest.raises(KeyChanged, match="WARNING"):
            await serving.program
        await cut(browser)


async def test_interrupt_ends_the_program_whatever_tabs_are_open(
    server: ServerHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At once, and in silence."""
    strays: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, about: strays.append(about))
    async with asyncio.timeout(20):
        serving = Serving(Dialler("127.0.0.1", server.server.port), monkeypatch)
        browser = await serving.browser()
        assert (await browser.answer()).status == 101
        serving.program.cancel()
        with pytest.raises(asyncio.CancelledError):
            await serving.program
        assert await browser.is_closed()
        await cut(browser)
    assert strays == []
