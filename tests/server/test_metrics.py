"""Metrics and health over HTTP, on the port of everything else."""

import asyncio
import json
import re
import ssl
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from put_client import RandomBot, connect, play
from put_protocol.codecs import FRAMES
from put_protocol.messages import OpenTable
from put_runtime.histogram import BOUNDS, Histogram
from put_server.transport.http import HEAD_BYTES
from put_server.transport.interfaces import Peer
from put_server.transport.session import CLOSING_MS, Session
from put_server.transport.web_pages import begins_http
from tests.transport.sockets import ServerHarness, running_server

BOARD = Path(__file__).parents[2] / "docs" / "grafana.json"


async def ask(server: ServerHarness, request: bytes, *, context: ssl.SSLContext | None = None) -> tuple[int, bytes]:
    """The status and the body of an answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.server.port, ssl=context)
    writer.write(request)
    answer = await reader.read()
    writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), body


def get(path: str, method: str = "GET") -> bytes:
    return f"{method} {path} HTTP/1.1\r\nHost: put.local\r\n\r\n".encode()


async def read_metrics(server: ServerHarness) -> dict[str, float]:
    """Every sample by its name and labels, read by Prometheus's own parser."""
    status, body = await ask(server, get("/metrics"))
    assert status == 200
    return {
        sample.name + ",".join(f"|{name}={value}" for name, value in sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(body.decode())
        for sample in family.samples
    }


async def test_metrics_count_what_happened(tmp_path: Path) -> None:
    """People, tables, moves and how long they took, commits, refusals by code, memory."""
    async with running_server(data=str(tmp_path)) as server:
        before = await read_metrics(server)
        assert before["put_people|presence=here"] == 0
        async with connect("127.0.0.1", server.server.port, name="Moll") as moll:
            record = await play(RandomBot(), moll, house="beginner", games=1, options={"dealing": "plain"})
            assert record.games == 1
            nan = await server.guest("Nan")
            await nan.ask(lambda n: OpenTable(n, "no-such-game"))
            after = await read_metrics(server)
    assert after["put_people|presence=here"] == 2
    assert after["put_games_total"] == 1
    assert after["put_refusals_total|code=unknown_game"] == 1
    assert after["put_move_seconds_count"] >= 5
    assert after["put_move_seconds_bucket|le=+Inf"] == after["put_move_seconds_count"]
    assert after["put_move_seconds_sum"] > 0
    assert after["put_commit_seconds_count"] > 0
    assert after["put_connections"] >= 2
    assert after["put_resident_memory_bytes"] > 2**20
    assert after["put_journal_bytes"] > 0


async def test_moves_are_counted_where_nothing_is_kept() -> None:
    """As with a journal; and there is nothing about one."""
    async with running_server() as server:
        async with connect("127.0.0.1", server.server.port, name="Moll") as moll:
            await play(RandomBot(), moll, house="beginner", games=1, options={"dealing": "plain"})
        metrics = await read_metrics(server)
    assert metrics["put_move_seconds_count"] >= 5
    assert not [name for name in metrics if "journal" in name or "commit" in name]


async def test_metrics_tell_no_name_and_no_secret() -> None:
    """Only numbers, states and codes."""
    async with running_server(name="The Secret Swan", password="sesame") as server:
        moll = await server.call()
        await moll.hello("Mistress Moll", password="sesame")
        await moll.ask(lambda n: OpenTable(n, "put-1674", passcode="plume"))
        _, body = await ask(server, get("/metrics"))
    text = body.decode()
    for secret in ("Mistress", "Swan", "sesame", "plume", moll.token):
        assert secret not in text


async def test_health_is_ok_until_the_server_stops() -> None:
    """200 while it serves, 503 while it drains."""
    async with running_server() as server:
        assert await ask(server, get("/healthz")) == (200, b"ok\n")
        await server.game(FRAMES, FRAMES)
        server.server.drain(seconds=10)
        assert await ask(server, get("/healthz")) == (503, b"stopping\n")


async def test_pages_are_for_addresses_that_the_operator_lists() -> None:
    """Others are told so; a page that is none is none for everybody."""
    async with running_server(metrics_from="10.0.0.0/8") as server:
        for page in ("/metrics", "/healthz"):
            status, body = await ask(server, get(page))
            assert status == 403
            assert b"metrics_from" in body
        assert (await ask(server, get("/nowhere")))[0] == 404
    async with running_server(metrics_from="") as server:
        assert (await ask(server, get("/metrics")))[0] == 403


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (get("/nowhere"), 404),
        (get("/metrics/../etc/passwd"), 404),
        (get("/healthz?x=1"), 200),
        (get("/metrics", "POST"), 405),
        (get("/healthz", "PUT"), 405),
        (b"GET /healthz HTTP/1.1\r\n\r\n", 400),
        (b"GET / nonsense\r\n\r\n", 400),
        (b"GET /" + b"x" * HEAD_BYTES + b" HTTP/1.1\r\n", 431),
        (b"GET / HTTP/1.1\r\nHost: put.local\r\n" + b"X: y\r\n" * 1_500, 431),
    ],
)
async def test_request_gets_one_answer_and_the_connection_ends(request_: bytes, status: int) -> None:
    """Whatever it is; and everybody else plays on."""
    async with running_server() as server:
        assert (await ask(server, request_))[0] == status
        await server.guest("Moll")


async def test_head_has_no_body() -> None:
    """As HTTP wants it."""
    async with running_server() as server:
        assert await ask(server, get("/healthz", "HEAD")) == (200, b"")


async def test_pages_are_there_inside_tls_too() -> None:
    """TLS carries whatever the port speaks."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    async with running_server() as server:
        assert await ask(server, get("/healthz"), context=context) == (200, b"ok\n")


async def test_health_is_asked_for_without_encryption_where_nobody_else_may() -> None:
    """What asks is on the operator's list, and learns nothing of the tables."""
    async with running_server(plain="none") as server:
        assert (await ask(server, get("/healthz")))[0] == 200


async def test_request_that_does_not_end_is_cut_off() -> None:
    """After the time of any last words, however slowly it comes."""
    async with running_server() as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.server.port)
        writer.write(b"GET / HTTP/1.1\r\nHost:")
        async with asyncio.timeout(10):
            while not any(_speaks_http(session) for session in server.server.dispatcher._sessions):  # noqa: ASYNC110  # it has no event
                await asyncio.sleep(0)
        server.advance(CLOSING_MS)
        assert await reader.read() == b""
        writer.close()


def _speaks_http(session: Peer) -> bool:
    return isinstance(session, Session) and session._asked_at is not None


async def test_request_may_come_byte_by_byte() -> None:
    """And what only begins like one is a person who types."""
    async with running_server() as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.server.port)
        for byte in get("/healthz"):
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(0)
        assert (await reader.read()).startswith(b"HTTP/1.1 200")
        writer.close()
        reader, writer = await asyncio.open_connection("127.0.0.1", server.server.port)
        for text in (b"GE", b"T me in\r\n"):
            writer.write(text)
            await writer.drain()
            await asyncio.sleep(0)
        assert (await reader.readline()).startswith(b"This is a put server, in plain English")
        writer.close()


def test_http_is_told_by_a_method_and_a_path() -> None:
    """Not by a word in capitals."""
    assert begins_http(b"GET / HTTP/1.1")
    assert begins_http(b"OPTIONS /x")
    assert begins_http(b"GET") is None
    assert begins_http(b"PUT ") is None
    for other in (b"GET me", b"get /", b"PUTS", b"{", b"\x00", b"name Moll"):
        assert begins_http(other) is False


def test_histogram_puts_each_duration_in_its_bucket() -> None:
    """Bounds belong to the bucket below; what is beyond all has a bucket of its own."""
    kept = Histogram()
    for seconds in (0.0, BOUNDS[0], BOUNDS[0] + 1e-9, 1e9):
        kept.observe(seconds)
    assert kept.counts == [2, 1, *[0] * (len(BOUNDS) - 2), 1]


async def test_every_query_of_the_board_names_a_metric_that_exists(tmp_path: Path) -> None:
    """The Grafana board in docs/ shows nothing that is not there, and everything that is."""
    async with running_server(data=str(tmp_path)) as server:
        nan = await server.guest("Nan")
        await nan.ask(lambda n: OpenTable(n, "no-such-game"))
        names = {name.partition("|")[0] for name in await read_metrics(server)}
    queries = [
        target["expr"] for panel in json.loads(BOARD.read_text())["panels"] for target in panel.get("targets", ())
    ]
    asked = set(re.findall(r"\bput_\w+", " ".join(queries)))
    assert asked
    assert asked <= names
    families = {re.sub(r"_(bucket|count|sum|created)$", "", name) for name in names}
    assert families - {re.sub(r"_(bucket|count|sum)$", "", name) for name in asked} <= {"put_server_info"}
