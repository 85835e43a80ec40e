"""Promises of the protocol's page about answers to mistakes, tried on a real server."""

import asyncio
import json
import re
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it ships no types
import pytest

from tests.transport.sockets import running_server

Map = dict[str, Any]


class Peer:
    """A client of JSON lines that keeps what the page says a client keeps."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.token = ""
        self.last_id = 0
        self.number = 0
        """Of the last event of its table."""

    async def connect(self, **hello: Any) -> None:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**20)
        self.say(type="hello", version=2, **hello)
        self.token = (await self.until("welcome"))["token"]

    def say(self, **message: Any) -> None:
        self.writer.write(json.dumps(message).encode() + b"\n")

    async def ask(self, **request: Any) -> Map:
        """The answer to a request."""
        self.last_id += 1
        self.say(id=self.last_id, **request)
        return await self.until("ok", "refused")

    async def until(self, *types: str) -> Map:
        """The next message of these types."""
        while True:
            message: Map = json.loads(await self.reader.readline())
            if message["type"] == "table":
                self.number = message["number"]
            if message["type"] == "events":
                self.number = message["first"] + len(message["events"]) - 1
            if message["type"] in types:
                return message

    def drop(self) -> None:
        self.writer.transport.abort()


async def said(port: int, data: bytes) -> str:
    """What the server says to these bytes until it has closed, or has answered a ping behind them."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**20)
    writer.write(data)
    heard = b""
    while b'"pong"' not in heard and (more := await reader.read(65_536)):
        heard += more
    writer.close()
    await writer.wait_closed()
    return heard.decode(errors="replace").rpartition('"welcome"')[2]


HELLO: Map = {"type": "hello", "version": 2, "name": "Moll", "is_bot": True}
LINE = json.dumps(HELLO).encode() + b"\n"
PACKED: bytes = msgpack.packb(HELLO)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (json.dumps(HELLO, indent=2).encode() + b"\n", "a message is one line"),
        (b"\xef\xbb\xbf" + LINE, "byte order mark"),
        (b" " + LINE, "nothing comes before it"),
        (b"\n" + LINE, "nothing comes before it"),
        (b"[" + LINE[:-1] + b"]\n", "a message is a map and no list"),
        (LINE.replace(b"Moll", b"\\ud800"), "surrogate"),
        (len(PACKED).to_bytes(4, "little") + PACKED, "big-endian"),
        (PACKED, "begins with its length"),
        (len(LINE).to_bytes(4, "big") + LINE, "JSON comes in lines"),
        (b"\x01\x02", "msgpack frames, JSON lines"),
        (b'{"type":"look","id":1}\n', "the first message must be a hello"),
        (LINE + LINE, "a second hello"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
async def test_mistake_in_the_first_bytes_is_named(data: bytes, words: str) -> None:
    """By a goodbye with `protocol`, in the peer's own format, and at once."""
    async with running_server() as harness:
        answer = await said(harness.server.port, data)
    assert words in answer
    assert "goodbye" in answer
    assert "protocol" in answer


@pytest.mark.parametrize(
    ("request_", "code", "field", "words"),
    [
        (
            {"type": "open", "game": "put-1674", "options": {"target": 5.5}},
            "bad_request",
            "$.options.target",
            "fraction",
        ),
        ({"type": "open", "game": "put-1674", "options": {"pack": "32"}}, "bad_option", "pack", "52, 32, 28"),
        ({"type": "open", "game": "put-1674", "options": {"bells": 1}}, "bad_option", "bells", "it has abandoned"),
        ({"type": "open", "game": "put-1674", "seats": 5}, "bad_option", "seats", "2, 3, 4"),
        ({"type": "open", "game": 5}, "bad_request", "$.game", "Expected text, got a whole number"),
        ({"type": "sit", "table": "1"}, "bad_request", "$.table", "Expected a whole number, got text"),
        ({"type": "sit", "table": 1.0}, "bad_request", "$.table", "a fraction"),
        ({"type": "sit", "table": 1, "mood": "merry"}, "bad_request", "$.mood", "unknown field"),
        ({"type": "dance"}, "bad_request", "$.type", "'dance'"),
        (
            {"type": "act", "table": 1, "decision": 1, "action": {"do": "put", "card": "3s"}},
            "bad_request",
            "$.action.card",
            "unknown field",
        ),
    ],
)
async def test_request_that_does_not_fit_is_refused_by_its_id_and_field(
    request_: Map, code: str, field: str, words: str
) -> None:
    """In the words of the page; it changes nothing, and the connection goes on."""
    async with running_server() as harness:
        moll = Peer(harness.server.port)
        await moll.connect(name="Moll", is_bot=True)
        refused = await moll.ask(**request_)
        assert (refused["id"], refused["code"], refused["field"]) == (1, code, field)
        assert words in refused["says"]
        assert (await moll.ask(type="look"))["type"] == "ok"
        moll.drop()


async def test_who_is_too_fast_is_told_a_time_to_wait() -> None:
    """Above nothing, in the sentence as in the field.

    A ping with a field that nobody knows is answered all the same.
    """
    async with running_server() as harness:
        moll = Peer(harness.server.port)
        await moll.connect(name="Moll", is_bot=True)
        refused: Map = {}
        while refused.get("type") != "refused":
            refused = await moll.ask(type="look_away")
        assert refused["code"] == "too_fast"
        assert refused["retry_after_ms"] > 0
        (seconds,) = re.findall(r"wait ([\d.]+) second", refused["says"])
        assert float(seconds) > 0
        moll.say(type="ping", mood="merry")
        await moll.until("pong")
        moll.drop()
