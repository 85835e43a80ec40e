"""Framing: a stream of bytes cut into messages, by a length before each or by line ends.

Laws: any chunking of the same bytes gives the same pieces; at most one piece is buffered between two reads; a stream
that cannot be cut raises `FramingError` once, after all whole pieces before the fault.
"""

from collections.abc import Iterable, Iterator
from struct import Struct
from typing import Protocol

from put_protocol.errors import FramingError
from put_protocol.limits import FRAME_BYTES

_HEADER = 4
_length_at = Struct(">I").unpack_from
"""The four bytes at an offset as a number, in half the time of `int.from_bytes`."""


class Splitter(Protocol):
    @property
    def is_midway(self) -> bool:
        """True if an incomplete piece is buffered."""

    def feed(self, data: bytes) -> Iterable[bytes]:
        """The pieces completed by this data. Must be exhausted before the next call.

        :raises FramingError: the stream cannot be cut any further.
        """


def frame(body: bytes) -> bytes:
    """The body behind its length.

    :raises ValueError: the body is too long for a frame; our own mistake, never a peer's.
    """
    if len(body) > FRAME_BYTES:
        raise ValueError(f"a frame of {len(body)} bytes, over the limit of {FRAME_BYTES}")
    return len(body).to_bytes(_HEADER, "big") + body


def line(body: bytes) -> bytes:
    """The body, which has no line feed, before a line feed.

    :raises ValueError: the body is too long for a line; our own mistake, never a peer's.
    """
    if len(body) > FRAME_BYTES:
        raise ValueError(f"a line of {len(body)} bytes, over the limit of {FRAME_BYTES}")
    return body + b"\n"


class _Rest:
    """Bytes buffered between two reads."""

    __slots__ = ("_rest",)

    def __init__(self) -> None:
        self._rest: bytes | bytearray = b""  # an empty bytearray takes room, and mostly nothing is kept

    @property
    def is_midway(self) -> bool:
        return bool(self._rest)

    def _keep(self, data: bytes) -> None:
        if self._rest:
            self._rest += data
        elif data:
            self._rest = bytearray(data)

    def _take(self) -> bytes:
        kept, self._rest = bytes(self._rest), b""
        return kept


class FrameSplitter(_Rest):
    """Length-prefixed frames: four bytes, big-endian, then as many bytes as they say."""

    __slots__ = ()

    def feed(self, data: bytes) -> Iterable[bytes]:
        length = len(data) - _HEADER
        if not self._rest and 0 < length <= FRAME_BYTES and _length_at(data, 0)[0] == length:
            return (data[_HEADER:],)  # one whole frame, the usual case
        return self._cut(data)

    def _cut(self, data: bytes) -> Iterator[bytes]:
        if self._rest:
            self._rest += data
            whole = len(self._rest)
            if whole < _HEADER or whole < _HEADER + _length(self._rest, 0):
                return
            data = self._take()
        at, end = 0, len(data)
        while end - at >= _HEADER:
            stop = at + _HEADER + _length(data, at)
            if stop > end:
                break
            yield data[at + _HEADER : stop]
            at = stop
        self._keep(data[at:])


def _length(data: bytes | bytearray, at: int) -> int:
    length: int = _length_at(data, at)[0]
    if not 0 < length <= FRAME_BYTES:
        raise FramingError(f"a frame of {length} bytes; frames have 1 to {FRAME_BYTES}")
    return length


class LineSplitter(_Rest):
    """Lines ended by a line feed. A carriage return before it, and empty lines, are ignored."""

    __slots__ = ()

    def feed(self, data: bytes) -> Iterable[bytes]:
        if not self._rest and data.find(b"\n") == len(data) - 1 <= FRAME_BYTES:
            piece = data.rstrip(b"\r\n")  # one whole line, the usual case
            return (piece,) if piece else ()
        return self._cut(data)

    def _cut(self, data: bytes) -> Iterator[bytes]:
        *pieces, rest = data.split(b"\n")
        for piece in pieces:
            if self._rest:
                self._rest += piece
                piece = self._take()
            if len(piece) > FRAME_BYTES:
                raise FramingError(f"a line over {FRAME_BYTES} bytes")
            piece = piece.rstrip(b"\r")
            if piece:
                yield piece
        self._keep(rest)
        if len(self._rest) > FRAME_BYTES:
            raise FramingError(f"a line over {FRAME_BYTES} bytes")
