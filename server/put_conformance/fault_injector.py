"""One connection of the client's: bytes to messages, and messages to bytes in whatever manner the scene wants.

What is told leaves here as maps, not as Structs, for a scene may put into them what no Struct has.
"""

import asyncio
from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import Any, Protocol

import msgspec

from put_protocol import codecs
from put_protocol.codecs import FRAMES, LINES, Codec, Decoder
from put_protocol.errors import FramingError, MessageError
from put_protocol.framing import Splitter, frame, line
from put_protocol.messages import ClientMessage, ServerMessage
from put_server.table.effects import PersonId

Told = ServerMessage | Mapping[str, Any]
"""What is sent: a message, or the map of one that no Struct describes."""

UNREAD_BYTES = 1024 * 1024
"""What may wait for a client that does not read."""

SINGLE_BYTES = 300
"""What is written a byte at a time; while more waits, so many times as much goes at once."""

BATCH_S = 0.06
"""How long a batch gathers: long enough for a few messages of a client that answers at once."""


class Manner(Enum):
    """How what is told reaches the socket."""

    PLAIN = auto()
    """what one input caused, in one write"""
    BYTEWISE = auto()
    """a byte a write"""
    BATCHED = auto()
    """what came in some hundredths of a second, in one write"""


class Hearer(Protocol):
    """Who the connection belongs to."""

    def connected(self, line: "Line") -> bool:
        """False: nobody is wanted now."""
        ...

    def heard(self, line: "Line", message: ClientMessage) -> None: ...

    def misheard(self, line: "Line", error: MessageError | FramingError) -> None: ...

    def overflowed(self, line: "Line") -> None:
        """It does not read what it is sent."""
        ...

    def lost(self, line: "Line") -> None: ...

    def failed(self, bug: Exception) -> None:
        """A bug of ours, which must not look like a fault of the client's."""
        ...


class Line(asyncio.Protocol):
    """A connection of the client's."""

    def __init__(self, hearer: Callable[[], Hearer]) -> None:
        self.person: PersonId | None = None
        """Who it is, once welcome."""
        self.has_hello = False
        self.manner = Manner.PLAIN
        self.adorn: Callable[[Any], Any] | None = None
        """What is done to every map before it is encoded."""
        self.numbers: dict[int, int] = {}
        """By table: the last event that was sent whole, as the client numbers them."""
        self.is_over = False
        """Nothing more is said, or heard."""
        self._find = hearer
        self._hearer: Hearer
        self._codec: Codec | None = None
        self._splitter: Splitter
        self._decoder: Decoder[ClientMessage]
        self._transport: asyncio.Transport | None = None
        self._out: list[bytes] = []
        self._batch: asyncio.TimerHandle | None = None
        self._trickle: asyncio.Task[None] | None = None
        self._more = asyncio.Event()
        self._slow = bytearray()

    # --- called by asyncio ---

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._hearer = self._find()
        if not self._hearer.connected(self):
            self.is_over = True
            transport.abort()

    def data_received(self, data: bytes) -> None:
        if self.is_over:
            return
        try:
            if self._codec is None:
                self._begin(data[0])
            for piece in self._splitter.feed(data):
                try:
                    message = self._decoder.decode(piece)
                except MessageError as error:
                    self._hearer.misheard(self, error)
                else:
                    self._hearer.heard(self, message)
                if self._transport is None or self._transport.is_closing():
                    return  # what it said behind that is not heard
            self.flush()
        except FramingError as error:
            self._hearer.misheard(self, error)
        except Exception as bug:  # noqa: BLE001  # the boundary: asyncio would log it and go on
            self._hearer.failed(bug)
            self.drop()

    def _begin(self, first: int) -> None:
        codec = codecs.sniff(first)
        if codec is None:
            raise FramingError(f"its first byte was {first:#04x}: neither msgpack frames nor JSON lines begin so")
        self._codec = codec
        self._splitter = codec.splitter()
        self._decoder = codecs.decoder_of_requests(codec)

    def eof_received(self) -> bool:
        return False

    def connection_lost(self, exc: Exception | None) -> None:  # how it was lost changes nothing
        self._transport = None
        self.is_over = True
        if self._batch is not None:
            self._batch.cancel()
        if self._trickle is not None:
            self._trickle.cancel()
        try:
            self._hearer.lost(self)
        except Exception as bug:  # noqa: BLE001  # the same
            self._hearer.failed(bug)

    # --- telling ---

    def say(self, told: Told) -> None:
        """Queue a message; `flush` sends it."""
        if self.is_over:
            return
        self._out.append(self.encoded(told))
        self._note(told)

    def encoded(self, told: Told) -> bytes:
        """As it travels."""
        codec = self._codec or LINES
        body = self.map_of(told)
        if self.adorn is not None:
            body = self.adorn(body)
        return frame(msgspec.msgpack.encode(body)) if codec is FRAMES else line(msgspec.json.encode(body))

    def map_of(self, told: Told) -> Any:
        """The map of a message, as this client is sent it."""
        if isinstance(told, Mapping):
            return told
        return msgspec.to_builtins(told, builtin_types=(bytes,) if self._codec is FRAMES else ())

    def _note(self, told: Told) -> None:
        body = told if isinstance(told, Mapping) else self.map_of(told)
        match body:
            case {"type": "events", "table": table, "first": first, "events": events}:
                self.numbers[table] = first + len(events) - 1
            case {"type": "table", "table": table, "number": number}:
                self.numbers[table] = number
            case {"type": "left", "table": table}:
                self.numbers.pop(table, None)
            case _:
                pass

    def flush(self) -> None:
        """Send what is queued."""
        if self._transport is None or not self._out or self._transport.is_closing():
            return
        match self.manner:
            case Manner.PLAIN:
                self._write()
            case Manner.BATCHED:
                if self._batch is None:
                    self._batch = asyncio.get_running_loop().call_later(BATCH_S, self._write)
            case Manner.BYTEWISE:
                self._slow += b"".join(self._out)
                self._out.clear()
                self._more.set()
                if self._trickle is None:
                    self._trickle = asyncio.get_running_loop().create_task(self._write_bytewise())
                if len(self._slow) > UNREAD_BYTES:
                    self._hearer.overflowed(self)
                    self.drop()

    def _write(self) -> None:
        self._batch = None
        if self._transport is None:
            return
        self._transport.write(b"".join(self._out))
        self._out.clear()
        if self._transport.get_write_buffer_size() > UNREAD_BYTES:
            self._hearer.overflowed(self)
            self.drop()

    async def _write_bytewise(self) -> None:
        """A byte a turn of the loop: a message is cut at every place, also inside a character; of long ones a few."""
        while True:
            if not self._slow:
                self._more.clear()
                await self._more.wait()  # `connection_lost` cancels
                continue
            length = 1 + len(self._slow) // SINGLE_BYTES
            piece = bytes(self._slow[:length])
            del self._slow[:length]
            if self._transport is not None:
                self._transport.write(piece)
            await asyncio.sleep(0)

    @property
    def is_trickling(self) -> bool:
        """What was said is still on its way, through no fault of the client's."""
        return bool(self._slow) and not self.is_over

    # --- the end ---

    def break_off(self, told: Told | None = None) -> None:
        """Close; of the message, if there is one, half is sent before."""
        if self.is_over or self._transport is None:
            return
        self.flush()
        if told is not None:
            data = self.encoded(told)
            self._transport.write(data[: len(data) // 2])
        self._close()

    def farewell(self, told: Told) -> None:
        """Say this and close."""
        if self.is_over or self._transport is None:
            return
        self.manner = Manner.PLAIN
        self.say(told)
        self._transport.write(bytes(self._slow) + b"".join(self._out))
        self._slow.clear()
        self._out.clear()
        self._close()

    def _close(self) -> None:
        self.is_over = True
        if self._transport is not None:
            self._transport.close()

    def drop(self) -> None:
        """Close at once; may be called again and again."""
        self.is_over = True
        if self._transport is not None:
            self._transport.abort()
