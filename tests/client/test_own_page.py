"""`put-client --page`: the installed page at a server elsewhere, for this machine alone."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from websockets.frames import Opcode

from put_client.own_page import OwnPage
from put_client.sdk.dialler import Dialler
from put_client.sdk.errors import NoServer
from put_runtime.page_files import page_files
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
    async with await page.serve():
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
    async with await page.serve():
        own = {"Host": f"127.0.0.1:{page.port}", "Origin": f"http://127.0.0.1:{page.port}"}
        answer = await (await visit(page, server)).ask(upgrade(**(own | foreign)))
        assert answer.status == 403


async def test_no_page_is_served_without_a_server() -> None:
    """The program says so, in a sentence."""
    with pytest.raises(NoServer, match="No put server at"):
        await OwnPage(Dialler("127.0.0.1", 1)).serve()
