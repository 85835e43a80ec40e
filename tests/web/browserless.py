"""HTTP and WebSocket by hand, over real sockets: what browsers send, and what they never would."""

import asyncio
import json
import ssl
from typing import Any, NamedTuple

from websockets.frames import Close, Frame, Opcode
from websockets.protocol import Protocol as Frames
from websockets.protocol import Side, State

from tests.transport.sockets import ServerHarness

KEY = "dGhlIHNhbXBsZSBub25jZQ=="


def trusting() -> ssl.SSLContext:
    """Of a client that takes any key."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def request(target: str, method: str = "GET", version: str = "1.1", **headers: str) -> bytes:
    """A request; `_` in the name of a header stands for a hyphen, and an empty value for no such header."""
    fields = {"Host": "put.local", **{name.replace("_", "-"): value for name, value in headers.items()}}
    lines = [f"{method} {target} HTTP/{version}", *(f"{name}: {value}" for name, value in fields.items() if value)]
    return "\r\n".join([*lines, "", ""]).encode()


def upgrade(target: str = "/ws", **headers: str) -> bytes:
    """A request for a WebSocket, as a browser makes it."""
    wanted = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Origin": "http://put.local",
        "Sec_WebSocket_Key": KEY,
        "Sec_WebSocket_Version": "13",
        "Sec_WebSocket_Protocol": "put.json.1",
        "Sec_WebSocket_Extensions": "permessage-deflate; client_max_window_bits",
    }
    return request(target, **(wanted | headers))


class Answer(NamedTuple):
    """An answer of HTTP."""

    status: int
    headers: dict[str, str]
    body: bytes


class Visit:
    """A connection to a server's port."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self._frames = Frames(Side.CLIENT, state=State.OPEN, max_size=None)
        self._waiting: list[Frame] = []
        self.last_id = 0

    def send(self, *pieces: bytes) -> None:
        self.writer.write(b"".join(pieces))

    async def answer(self, *, has_body: bool = True) -> Answer:
        """The next answer."""
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        first, *lines = head.strip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        length = int(headers.get("content-length", "0")) if has_body and " 304 " not in first else 0
        return Answer(int(first.split()[1]), headers, await self.reader.readexactly(length))

    async def ask(self, *pieces: bytes) -> Answer:
        self.send(*pieces)
        return await self.answer()

    async def is_closed(self) -> bool:
        """Wait for the end; whether nothing came before it."""
        return not await self.rest()

    async def rest(self) -> bytes:
        """All that still comes, up to the end."""
        try:
            return await self.reader.read()
        except ConnectionError:
            return b""

    def cut(self) -> None:
        """The connection breaks."""
        self.writer.transport.abort()

    # --- as a WebSocket ---

    def frame(self, opcode: Opcode, data: bytes, *, fin: bool = True, mask: bool = True) -> None:
        self.send(Frame(opcode, data, fin).serialize(mask=mask))

    def say(self, **message: Any) -> None:
        self.frame(Opcode.TEXT, json.dumps(message).encode())

    async def ask_for(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a request; returns its answer."""
        self.last_id += 1
        asked = self.last_id
        self.say(type=kind, id=asked, **fields)
        while (heard := await self.hear()).get("id") != asked:
            pass
        return heard

    async def next_frame(self) -> Frame:
        """Whatever comes.

        :raises EOFError: nothing does any more.
        """
        while not self._waiting:
            data = await self.reader.read(65536)
            if not data:
                raise EOFError
            self._frames.receive_data(data)
            self._waiting += [event for event in self._frames.events_received() if isinstance(event, Frame)]
        return self._waiting.pop(0)

    async def hear(self, *kinds: str) -> dict[str, Any]:
        """The next message, or the next of these kinds."""
        while True:
            frame = await self.next_frame()
            assert frame.opcode is Opcode.TEXT, frame
            message: dict[str, Any] = json.loads(bytes(frame.data))
            if not kinds or message["type"] in kinds:
                return message

    async def close_code(self) -> int:
        """Read on to the close, and to the end behind it."""
        while True:
            frame = await self.next_frame()
            if frame.opcode is Opcode.CLOSE:
                assert await self.is_closed()
                return Close.parse(frame.data).code


async def visit(server: ServerHarness, *, tls: ssl.SSLContext | None = None) -> Visit:
    made = Visit(*await asyncio.open_connection("127.0.0.1", server.server.port, ssl=tls))
    server.callers.append(made)
    return made


async def ask(server: ServerHarness, *pieces: bytes, tls: ssl.SSLContext | None = None) -> Answer:
    """One answer on a connection of its own."""
    return await (await visit(server, tls=tls)).ask(*pieces)


async def call(server: ServerHarness, *, tls: ssl.SSLContext | None = None, **headers: str) -> Visit:
    """A WebSocket, before its hello."""
    caller = await visit(server, tls=tls)
    answer = await caller.ask(upgrade(**headers))
    assert answer.status == 101, answer
    assert "sec-websocket-extensions" not in answer.headers
    return caller


async def guest(server: ServerHarness, name: str, *, tls: ssl.SSLContext | None = None, **hello: Any) -> Visit:
    """A WebSocket of somebody who was let in."""
    caller = await call(server, tls=tls)
    caller.say(type="hello", version=2, name=name, **hello)
    assert (await caller.hear())["name"] == name
    return caller
