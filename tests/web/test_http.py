"""The page's files over HTTP: who gets them, how they are kept, and what cannot be got."""

import asyncio
import gzip
import re
from pathlib import Path

import pytest

from put_protocol.limits import LATE_GREETING_MS
from put_runtime.page_files import KINDS
from put_server import front
from put_server.transport.admission import Caller
from put_server.transport.http import HEAD_BYTES, REQUESTS
from put_server.transport.session import CLOSING_MS
from tests.transport.sockets import running_server
from tests.web.browserless import ask, call, request, trusting, upgrade, visit

FOLDER = Path(__file__).parents[2] / "server" / "put_server" / "web"


async def test_every_file_is_served_below_a_digest_and_kept_for_ever() -> None:
    """With its kind, on one connection; the first page alone is asked for again."""
    async with running_server() as server:
        caller = await visit(server)
        first = await caller.ask(request("/"))
        assert first.status == 200
        assert first.headers["cache-control"] == "no-cache"
        found = re.search(rb'"(/web/[0-9a-f]{20}/)', first.body)
        assert found is not None
        files = [path for path in FOLDER.rglob("*") if path.suffix[1:] in KINDS and path.name != "index.html"]
        inside = []
        for path in files:
            name = path.relative_to(FOLDER).as_posix()
            answer = await caller.ask(request(found[1].decode() + name))
            if answer.status == 404:  # it is a part of another; such an answer ends the connection
                inside.append(name)
                caller = await visit(server)
                continue
            assert (answer.status, answer.headers["content-type"]) == (200, KINDS[path.suffix[1:]]), name
            assert "immutable" in answer.headers["cache-control"]
            if path.suffix not in (".js", ".css"):  # the others lose their comments
                assert answer.body == path.read_bytes().replace(b"/web/-/", found[1])
        assert {"app.js", "vendor/preact.js"} <= set(inside)
        assert {name for name in inside if not name.endswith(".js")} == {"style.css"}
        assert (await caller.ask(request("/", If_None_Match=first.headers["etag"]))).status == 304


async def test_every_answer_forbids_what_the_page_does_not_need() -> None:
    """No inline script, nothing from elsewhere, no frame around it, no guess at a kind."""
    async with running_server() as server:
        headers = (await ask(server, request("/"))).headers
    policy = headers["content-security-policy"]
    for rule in ("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"):
        assert rule in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


async def test_page_has_no_inline_script_and_nothing_from_elsewhere() -> None:
    """As its policy says; a browser would refuse them."""
    page = (FOLDER / "index.html").read_text()
    assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=|style=|<style", page)
    for path in FOLDER.rglob("*"):
        if path.suffix in (".html", ".js", ".css") and "vendor" not in path.parts:
            assert not re.search(r"(?:src|href|import|url)\W{1,3}https?:", path.read_text()), path


async def test_addresses_of_tables_are_the_first_page() -> None:
    """A link to a table and to a wall; a number that is none is nowhere."""
    async with running_server() as server:
        for target, status in (("/table/3", 200), ("/watch/12", 200), ("/watch/", 404), ("/watch/x", 404)):
            assert (await ask(server, request(target))).status == status


async def test_files_are_sent_compressed_to_who_takes_it() -> None:
    """And whole to others."""
    async with running_server() as server:
        whole = await ask(server, request("/"))
        small = await ask(server, request("/", Accept_Encoding="gzip, br"))
    assert "content-encoding" not in whole.headers
    assert gzip.decompress(small.body) == whole.body
    assert small.headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize(
    "target",
    [
        "/web/-/../../settings.py",
        "/web/../static_files.py",
        "/web/%2e%2e/app.py",
        "//etc/passwd",
        "/web/" + "0" * 20 + "/main.js",
        "/index.html",
        "/web/",
        "http://put/etc/passwd",
        "/\x7f",
    ],
)
async def test_nothing_but_the_files_can_be_read(target: str) -> None:
    """Whatever the path looks like."""
    async with running_server() as server:
        begin = target if target.startswith("/") else f"/{target}"
        assert (await ask(server, request(begin))).status in (400, 404)


async def test_server_without_the_page_has_none_of_it() -> None:
    """`--no-web`: no page, no WebSocket, and metrics as ever."""
    async with running_server(web="no") as server:
        assert (await ask(server, request("/"))).status == 404
        assert (await ask(server, upgrade())).status == 426
        assert (await ask(server, request("/healthz"))).status == 200


async def test_page_is_there_inside_tls() -> None:
    """On the same port."""
    async with running_server() as server:
        assert (await ask(server, request("/"), tls=trusting())).status == 200


async def test_without_encryption_the_page_leads_to_https_where_plain_is_refused() -> None:
    """To the host that was asked for, and to no other place; and no WebSocket begins."""
    async with running_server(plain="none") as server:
        sent = await ask(server, request("/table/3", Host="put.local:1674"))
        assert (sent.status, sent.headers["location"]) == (307, "https://put.local:1674/table/3")
        for host in ("evil.example/x", "a b", "put@evil"):
            assert (await ask(server, request("/", Host=host))).status in (400, 421)
        assert (await ask(server, request("//evil.example/"))).status == 403
        assert (await ask(server, upgrade())).status != 101
        assert (await ask(server, request("/"), tls=trusting())).status == 200
        await call(server, tls=trusting())


async def test_head_with_a_broken_body_is_refused_and_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    """The answer to it has no body, whatever is wrong with the request's own."""
    async with running_server() as server:
        caller = await visit(server)
        caller.send(request("/", "HEAD", Host="put.local", Transfer_Encoding="chunked"), b"no chunk\r\n")
        assert (await caller.answer(has_body=False)).status == 400
        assert await caller.is_closed()
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


async def test_head_gets_no_body_and_http_1_0_one_answer() -> None:
    """As HTTP wants it."""
    async with running_server() as server:
        caller = await visit(server)
        caller.send(request("/", "HEAD"))
        answer = await caller.answer(has_body=False)
        assert answer.status == 200
        assert int(answer.headers["content-length"]) > 0
        assert (await caller.ask(request("/", version="1.0", Host=""))).status == 200
        assert await caller.is_closed()


async def test_pipelined_requests_are_answered_in_order() -> None:
    """One after another, up to the first that ends the connection."""
    async with running_server() as server:
        caller = await visit(server)
        caller.send(request("/"), request("/table/1"), request("/nowhere"), request("/"))
        assert [(await caller.answer()).status for _ in range(3)] == [200, 200, 404]
        assert await caller.is_closed()


async def test_connection_ends_after_so_many_requests() -> None:
    """A browser needs fewer."""
    async with running_server() as server:
        caller = await visit(server)
        for left in range(REQUESTS, 0, -1):
            answer = await caller.ask(request("/", Accept_Encoding="gzip"))
            assert answer.status == 200
            assert (answer.headers.get("connection") == "close") == (left == 1)
        assert await caller.is_closed()


async def test_peer_that_does_not_read_is_answered_no_further() -> None:
    """A flood of requests makes no flood of answers in memory."""
    async with running_server() as server:
        caller = await visit(server)
        transport = caller.writer.transport
        assert isinstance(transport, asyncio.ReadTransport)
        transport.pause_reading()
        caller.send(request("/") * (REQUESTS // 2))
        await server.guest("Moll")
        assert max(server.server.dispatcher.outboxes) < 256 * 1024
        transport.resume_reading()
        for _ in range(REQUESTS // 2):
            assert (await caller.answer()).status == 200


@pytest.mark.parametrize(
    "data",
    [
        # Smuggling: two lengths, a length and chunks, a length that is none, spaces and line feeds in names.
        b"POST / HTTP/1.1\r\nHost: put.local\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nGET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: put.local\r\nContent-Length: 30\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /",
        b"GET / HTTP/1.1\r\nHost: put.local\r\nContent-Length: -1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: put.local\r\nContent-Length : 3\r\n\r\nabc",
        b"GET / HTTP/1.1\r\nHost: put.local\r\nX: a\n\x00b\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: put.local\r\nHost: other\r\n\r\n",
        b"GET / HTTP/2.0\r\nHost: put.local\r\n\r\n",
        b"GET /" + b"x" * HEAD_BYTES + b" HTTP/1.1\r\nHost: put.local\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: put.local\r\nCookie: " + b"x" * HEAD_BYTES + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: put.local\r\nContent-Length: 30\r\n\r\nGET /table/1 HTTP/1.1\r\n\r\nxxxx",
        b"PUT / HTTP/1.1\r\nHost: put.local\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n",
    ],
)
async def test_broken_request_gets_one_answer_at_most(data: bytes) -> None:
    """Nothing behind it is taken for another request, and others are served."""
    async with running_server() as server:
        caller = await visit(server)
        caller.send(data)
        caller.writer.write_eof()
        sent = await caller.rest()
        assert sent.count(b"HTTP/1.1 ") <= 1
        await server.guest("Moll")


async def test_only_the_first_browser_takes_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """In it the modules of HTTP are loaded; those who come after are answered by the loop alone."""
    async with running_server() as server:
        assert (await ask(server, request("/"))).status == 200
        monkeypatch.setattr(asyncio.get_running_loop(), "run_in_executor", lambda *_: 1 / 0)
        assert (await ask(server, request("/"))).status == 200


async def test_silent_connection_of_a_browser_is_closed_in_time() -> None:
    """After the last answer, as in the middle of a request."""
    async with running_server() as server:
        caller = await visit(server)
        assert (await caller.ask(request("/"))).status == 200
        server.advance(CLOSING_MS)
        assert await caller.is_closed()


async def test_connection_that_a_browser_has_in_reserve_is_told_nothing_before_it_asks() -> None:
    """It would take a greeting for the answer to its next request."""
    async with running_server() as server:
        await ask(server, request("/"))
        spare = await visit(server)
        await ask(server, request("/"))  # by now it is accepted
        server.advance(LATE_GREETING_MS)
        server.advance(LATE_GREETING_MS)
        assert (await spare.ask(request("/"))).status == 200


async def test_slow_request_ends_in_time_however_it_trickles() -> None:
    """Bytes buy no time, only whole requests do."""
    async with running_server() as server:
        caller = await visit(server)
        assert (await caller.ask(request("/"))).status == 200
        for byte in request("/")[:6]:
            caller.send(bytes([byte]))
            await caller.writer.drain()
            server.advance(CLOSING_MS // 4)
        assert await caller.is_closed()


async def test_server_that_stops_waits_for_no_browser() -> None:
    """A connection kept for the next request is nobody's."""
    async with running_server() as server:
        caller = await visit(server)
        assert (await caller.ask(request("/"))).status == 200
        server.server.stop()
        assert await caller.is_closed()


async def test_requests_are_charged_to_their_address() -> None:
    """Who asks for more than they can pay waits until it is paid."""
    async with running_server(exempt="") as server:
        caller = await visit(server)
        assert (await caller.ask(request("/"))).status == 200
        place, *_ = server.server.front.admission.places_of("127.0.0.1")
        assert place.account.debt > 0
        place.account.debt = 1e9
        caller.send(request("/"))
        while not server.server.dispatcher.has_paused:  # noqa: ASYNC110  # a session has no event for it
            await asyncio.sleep(0)
        place.account.debt = 0.0
        assert (await caller.answer()).status == 200


async def test_page_on_the_server_s_machine_is_told_the_address_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """And a page elsewhere is not. The server draws no codes: anybody could ask for them, and each takes long."""
    monkeypatch.setattr(front, "lan_address", lambda: "192.168.1.5")
    monkeypatch.setattr(front, "is_for_this_machine", lambda _: False)
    async with running_server() as server:
        answer = await ask(server, request("/address"))
        assert (answer.status, answer.body) == (200, b"192.168.1.5")
        assert server.server.front.web.answer("/address", Caller("192.168.1.7", "")).status == 403
        assert (await ask(server, request("/qr/table/3"))).status == 404
