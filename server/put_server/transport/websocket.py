"""WebSocket (RFC 6455): checks of an upgrade request, then JSON messages in text frames.

`websockets` provides handshake and frames, without I/O. This module adds the laws of this port:

- A message is one text message, fragmented or not, of at most `FRAME_BYTES`, with the content of a JSON line.
- There is no compression. Messages contain secrets beside text that others choose, and the compressed length would
  reveal matches (the CRIME attack). Also, a small frame could become a large message.
- A page of another site may not act for its user here: `Origin`, if present, must be this host.
- A broadcast is framed once, because a server's frames are not masked.
- Control frames, and fragments that end no message, cost as much as heartbeats.
"""

import logging
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

import h11
import msgspec
from websockets.datastructures import Headers
from websockets.exceptions import InvalidHeader
from websockets.frames import Close, CloseCode, Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from put_protocol.codecs import LINES, Codec
from put_protocol.connection import ServerConnection
from put_protocol.errors import FramingError
from put_protocol.limits import FRAME_BYTES
from put_protocol.messages import Goodbye, ServerMessage

SUBPROTOCOL = "put.json.1"
"""Subprotocol: the first version of JSON messages as text messages."""

_CODES = {"bye": 1000, "taken_over": 1000, "draining": 1001, "idle": 1001, "protocol": 1002}
"""Close code for each code of a goodbye; all other goodbyes mean a broken rule of this server (1008)."""

# At debug level `websockets` logs frames, including tokens. This logger never has that level.
_quiet = logging.getLogger(f"{__name__}.frames")
_quiet.setLevel(logging.WARNING)

_to_json = msgspec.json.Encoder().encode


def accepts(request: h11.Request) -> tuple[bool, bytes]:
    """True if a request may become a WebSocket, and the complete response to it."""
    headers, is_bad = Headers(), False
    for name, value in request.headers:
        try:
            headers[name.decode("ascii")] = value.decode("latin-1")
        except InvalidHeader:  # h11 lets control characters pass
            is_bad = True
    host = headers.get_all("Host")[0] if headers.get_all("Host") else ""
    handshake = ServerProtocol(
        origins=[None, re.compile(f"https?://{re.escape(host)}", re.IGNORECASE)],
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        logger=_quiet,
    )
    version = request.http_version.decode("ascii")
    response = handshake.accept(
        Request(request.target.decode("ascii", "replace"), headers, request.method.decode("ascii"), f"HTTP/{version}")
    )
    if is_bad:
        response = handshake.reject(400, "A header has a character that none may have.\n")
    has_body = any(name in headers for name in ("Content-Length", "Transfer-Encoding"))
    if response.status_code == 101 and has_body:
        response = handshake.reject(400, "A request to upgrade has no body.\n")
    return response.status_code == 101, response.serialize()


def _encode(message: object) -> bytes:
    body = _to_json(message)
    if len(body) > FRAME_BYTES:
        raise ValueError(f"a text message of {len(body)} bytes, over the limit of {FRAME_BYTES}")
    return _head(len(body)) + body


def _reframe(lines: bytes) -> bytes:
    return b"".join([_head(len(line)) + line for line in lines.split(b"\n")[:-1]])


@lru_cache(maxsize=4_096)  # play has some hundreds of lengths, and to make a frame takes as long as its message
def _head(length: int) -> bytes:
    """Header of an unmasked text frame of this length."""
    return Frame(Opcode.TEXT, bytes(length)).serialize(mask=False)[: -length or None]


class TextFrames:
    """Splitter of a client's WebSocket stream into messages."""

    def __init__(self) -> None:
        self._protocol = ServerProtocol(state=State.OPEN, max_size=FRAME_BYTES, logger=_quiet)
        self._fragments = bytearray()
        self.beats = 0
        """Frames that were no messages; the reader resets this count."""
        self.replies = b""
        """Pongs to send; the sender clears this."""
        self.farewell = b""
        """Answer to the client's close, to be sent after all earlier answers."""
        self.failure: int | None = None
        """Code with which the connection must be closed, because its stream cannot be split any further."""

    @property
    def is_midway(self) -> bool:
        """True if an incomplete message is buffered."""
        return bool(self._fragments)

    def feed(self, data: bytes) -> Iterable[bytes]:
        """The messages completed by this data. Must be exhausted before the next call.

        :raises FramingError: the stream breaks a rule of WebSocket, or of this port.
        """
        if self.farewell or self.failure:
            return
        protocol = self._protocol
        protocol.receive_data(data)
        frames = protocol.events_received()
        yield from self._messages(frames)
        sent = b"".join(protocol.data_to_send())
        if protocol.parser_exc is not None:
            close = protocol.close_sent
            raise self._failed(CloseCode.PROTOCOL_ERROR if close is None else close.code, close.reason if close else "")
        if protocol.close_rcvd is not None:
            self.farewell = sent
        else:
            self.replies += sent

    def _messages(self, frames: Iterable[object]) -> Iterator[bytes]:
        for frame in frames:
            assert isinstance(frame, Frame)
            if frame.opcode is Opcode.BINARY:
                raise self._failed(CloseCode.UNSUPPORTED_DATA, "messages are text, not binary")
            if frame.opcode is Opcode.CLOSE:
                return
            if frame.opcode is Opcode.TEXT and frame.fin:
                yield self._text(bytes(frame.data))
                continue
            if frame.opcode is Opcode.TEXT or frame.opcode is Opcode.CONT:
                self._fragments += frame.data
                if frame.fin:
                    whole, self._fragments = bytes(self._fragments), bytearray()
                    yield self._text(whole)
                    continue
            self.beats += 1

    def _text(self, data: bytes) -> bytes:
        try:
            data.decode()
        except UnicodeDecodeError:
            raise self._failed(CloseCode.INVALID_DATA, "a text message is UTF-8") from None
        return data

    def _failed(self, code: int, reason: str) -> FramingError:
        self.failure = code
        return FramingError(f"this is no WebSocket as it should be: {reason}" if reason else "this is no WebSocket")


WEB = Codec(
    "web",
    encode=_encode,
    objects=LINES.objects,
    typed=LINES.typed,
    bare=LINES.bare,
    splitter=TextFrames,
    reframe=_reframe,
)
"""A JSON object in a WebSocket text message, framed by a server."""


class WebSocketConnection(ServerConnection):
    __slots__ = ("_frames",)

    def __init__(self, now: int) -> None:
        super().__init__(now, WEB)
        assert isinstance(self._splitter, TextFrames)
        self._frames = self._splitter

    @property
    def wants_close(self) -> bool:
        """True if the client has closed. Then only `close` may queue anything."""
        return bool(self._frames.farewell)

    def close(self) -> None:
        """Queue the answer to the client's close; later messages are lost."""
        self.send_encoded(self._frames.farewell)

    def note_frames(self) -> None:
        """Answer pings, and count heartbeats; call after each `receive`."""
        frames = self._frames
        self.beats += frames.beats
        frames.beats = 0
        if frames.replies:
            self.send_encoded(frames.replies)
            frames.replies = b""

    def send(self, message: ServerMessage) -> None:
        """Queue a message; after a goodbye, queue the close."""
        super().send(message)
        if type(message) is Goodbye:
            code = self._frames.failure or _CODES.get(message.code, 1008)
            self.send_encoded(Frame(Opcode.CLOSE, Close(code, "").serialize()).serialize(mask=False))
