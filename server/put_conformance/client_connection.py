"""Connection of the client under test: decodes its messages, and sends messages in the way that a case needs.

Messages are encoded as maps, not as Structs, because a case may add fields that no Struct has.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

import msgspec

from put_conformance.fake_server import MessagePeer
from put_protocol import PROTOCOL_VERSION, codecs
from put_protocol.codecs import FRAMES, LINES, Codec, Decoder
from put_protocol.connection import TLS_FIRST_BYTE
from put_protocol.errors import FramingError, MessageError
from put_protocol.framing import Splitter, frame, line
from put_protocol.messages import ClientMessage, ServerMessage
from put_server.table.table_effects import PersonId
from put_server.transport.rate_limit import RateLimit

if TYPE_CHECKING:
    from put_conformance.case_runner import CaseRunner

Outgoing = ServerMessage | Mapping[str, Any]
"""A message to the client, or a map without a matching Struct."""

UNREAD_BYTES = 1024 * 1024
"""Most unsent bytes for a client that does not read."""

SINGLE_BYTES = 300
"""Largest backlog written one byte at a time; a longer one is written in proportionally larger pieces."""

SHOWN_BYTES = 40
"""Bytes of something that is no message, in a report."""

BATCH_S = 0.06
"""Time for collecting a batch: enough for a few messages to a fast client."""


class Delivery(Enum):
    PLAIN = auto()
    """all messages of one input in one write"""
    BYTEWISE = auto()
    """one byte per write"""
    BATCHED = auto()
    """all messages of some hundredths of a second in one write"""


class CandidateConnection(asyncio.Protocol):
    def __init__(self, runner: "CaseRunner") -> None:
        self.peer: MessagePeer | None = None
        """The lobby's peer, after the client's hello."""
        self.has_hello = False
        self.version = PROTOCOL_VERSION
        """Protocol version in its hello."""

        self.request_ids: set[int] = set()
        self.rate_limit: RateLimit
        self.delivery = Delivery.PLAIN
        self.transform: Callable[[Any], Any] | None = None
        """Applied to every map before it is encoded."""
        self.restore: Callable[[Any], Any] | None = None
        """Applied to every received map before it is judged: removes what `transform` added."""
        self.numbers: dict[int, int] = {}
        """Number of the last completely sent event of each table, in the client's count."""
        self.is_over = False
        """Nothing more is sent or received."""
        self._runner = runner
        self._codec: Codec | None = None
        self._splitter: Splitter
        self._decoder: Decoder[ClientMessage]
        self._transport: asyncio.Transport | None = None
        self._out: list[Any] = []
        """Maps of messages. Until `flush` each part of a message is separate, as in version 2."""
        self._viewers: dict[int, Any] = {}
        """The client's place at each table."""
        self._batch: asyncio.TimerHandle | None = None
        self._slow_buffer = bytearray()

    @property
    def person(self) -> PersonId | None:
        """The client's person in the lobby, while admitted."""
        return None if self.peer is None else self.peer.person

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        if not self._runner.connected(self):
            self.is_over = True
            transport.abort()

    def data_received(self, data: bytes) -> None:
        if self.is_over:
            return
        try:
            if self._codec is None:
                self._begin(data)
            for piece in self._splitter.feed(data):
                try:
                    message = self._decoder.decode(self._restored(piece))
                except MessageError as error:
                    self._runner.invalid(self, error)
                else:
                    self._runner.incoming(self, message)
                if self._transport is None or self._transport.is_closing():
                    return  # the rest is ignored
            self.flush()
        except FramingError as error:
            self._runner.invalid(self, error)
        except Exception as bug:  # noqa: BLE001  # the boundary: asyncio would only log it
            self._runner.crashed(bug)
            self.drop()

    def _begin(self, data: bytes) -> None:
        codec = codecs.sniff(data[0])
        if codec is None:
            if data[0] == TLS_FIRST_BYTE:
                raise FramingError("it began as TLS does, which the suite does not speak: start the client without")
            if data.startswith(b"GET "):
                raise FramingError("it began as WebSocket does, which the suite does not speak: have it send lines")
            raise FramingError(f"it began with {data[:SHOWN_BYTES]!r}: neither msgpack frames nor JSON lines begin so")
        self._codec = codec
        self._splitter = codec.splitter()
        self._decoder = codecs.decoder_of_requests(codec)

    def _restored(self, piece: bytes) -> bytes:
        if self.restore is None:
            return piece
        packer = msgspec.msgpack if self._codec is FRAMES else msgspec.json
        try:
            restored: bytes = packer.encode(self.restore(packer.decode(piece)))
        except ValueError:
            return piece  # the decoder says what is wrong
        return restored

    def eof_received(self) -> bool:
        return False

    def connection_lost(self, exc: Exception | None) -> None:  # how it was lost changes nothing
        self._transport = None
        self.is_over = True
        if self._batch is not None:
            self._batch.cancel()
        try:
            self._runner.disconnected(self)
        except Exception as bug:  # noqa: BLE001  # as above
            self._runner.crashed(bug)

    def send(self, outgoing: Outgoing) -> None:
        """Queue a message; `flush` sends it."""
        if self.is_over:
            return
        self._out.append(self.map_of(outgoing))
        self._note(self._out[-1])

    def _take(self) -> bytes:
        bodies, self._out = self._out, []
        whole = bodies if self.version < PROTOCOL_VERSION else self._joined(bodies)
        return b"".join(map(self.encoded, whole))

    def _joined(self, bodies: Iterable[Any]) -> list[Any]:
        """The messages of this version made from the parts."""
        whole: list[Any] = []
        for body in bodies:
            table = body.get("table")
            last = whole[-1] if whole and whole[-1].get("table", table) == table else {}
            if body["type"] == "decision":
                if last.get("type") not in ("events", "table"):
                    turn = {name: body[name] for name in ("turn_ms", "bank_ms") if name in body}
                    last = {"type": "events", "table": table, "first": self.numbers[table] + 1, "events": ()}
                    whole.append({**last, "turn": {"seat": self._viewers[table], **turn}})
                asked = {name: body[name] for name in ("legal", "asks", "why") if name in body}
                whole[-1] = {**whole[-1], "decision": {"number": body["decision"], **asked}}
                continue
            is_answer = body["type"] in ("events", "table") and last.get("type") == "ok"
            if is_answer and ("table" in last) == (body["type"] == "table"):
                body = {**body, "id": whole.pop()["id"]}
            whole.append(body)
        return whole

    def encoded(self, outgoing: Outgoing) -> bytes:
        codec = self._codec or LINES
        body = self.map_of(outgoing)
        if self.transform is not None:
            body = self.transform(body)
        return frame(msgspec.msgpack.encode(body)) if codec is FRAMES else line(msgspec.json.encode(body))

    def map_of(self, outgoing: Outgoing) -> Any:
        if isinstance(outgoing, Mapping):
            return outgoing
        return msgspec.to_builtins(outgoing, builtin_types=(bytes,) if self._codec is FRAMES else ())

    def _note(self, body: Any) -> None:
        match body:
            case {"type": "events", "table": table, "first": first, "events": events}:
                self.numbers[table] = first + len(events) - 1
            case {"type": "table", "table": table, "number": number, "viewer": viewer}:
                self.numbers[table], self._viewers[table] = number, viewer
            case {"type": "welcome"}:  # the client forgets every other table
                here = body.get("tables", ())
                self.numbers = {table: number for table, number in self.numbers.items() if table in here}
            case {"type": "left", "table": table}:
                self.numbers.pop(table, None)
            case _:
                pass

    def flush(self) -> None:
        if self._transport is None or not self._out or self._transport.is_closing():
            return
        match self.delivery:
            case Delivery.PLAIN:
                self._write()
            case Delivery.BATCHED:
                if self._batch is None:
                    self._batch = asyncio.get_running_loop().call_later(BATCH_S, self._write)
            case Delivery.BYTEWISE:
                is_idle = not self._slow_buffer
                self._slow_buffer += self._take()
                if is_idle:
                    self._write_byte()
                if len(self._slow_buffer) > UNREAD_BYTES:
                    self._runner.overflowed(self)
                    self.drop()

    def _write(self) -> None:
        self._batch = None
        if self._transport is None:
            return
        self._transport.write(self._take())
        if self._transport.get_write_buffer_size() > UNREAD_BYTES:
            self._runner.overflowed(self)
            self.drop()

    def _write_byte(self) -> None:
        """Write one in each turn of the loop until all are written: short messages are split everywhere, even inside
        characters; long ones at some places."""
        length = 1 + len(self._slow_buffer) // SINGLE_BYTES
        piece = bytes(self._slow_buffer[:length])
        del self._slow_buffer[:length]
        if self._transport is not None:
            self._transport.write(piece)
        if self._slow_buffer:
            asyncio.get_running_loop().call_soon(self._write_byte)

    @property
    def is_sending(self) -> bool:
        """Bytes still wait here, through no fault of the client's."""
        return bool(self._slow_buffer) and not self.is_over

    def break_off(self, outgoing: Outgoing | None = None) -> None:
        """Close, after half of the message, if there is one."""
        if self.is_over or self._transport is None:
            return
        self.flush()
        if outgoing is not None:
            data = self.encoded(outgoing)
            self._transport.write(data[: len(data) // 2])
        self._close()

    def close_with(self, outgoing: Outgoing) -> None:
        """Send a last message at once, and close."""
        if self.is_over or self._transport is None:
            return
        self.delivery = Delivery.PLAIN
        self.send(outgoing)
        self._transport.write(bytes(self._slow_buffer) + self._take())
        self._slow_buffer.clear()
        self._close()

    def _close(self) -> None:
        self.is_over = True
        if self._transport is not None:
            self._transport.close()

    def drop(self) -> None:
        """Close at once; may be called again."""
        self.is_over = True
        if self._transport is not None:
            self._transport.abort()
