"""A frame, byte by byte: what stands on the wire at the left, what it means at the right."""

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it ships no types

HEX_BYTES = 20
"""In a row: with what they mean beside them, it has 120 columns."""


def explained(way: str, frame: bytes, unsaid: Collection[str]) -> list[str]:
    """The rows of a frame: its length, then a field to a row, but for the values of unsaid fields."""
    header, body = frame[:4], frame[4:]
    reader = _Reader(body)
    return [_row(way, header, f"{len(body):,} bytes follow"), *reader.map(msgpack.unpackb(body), "", b"", unsaid)]


class _Reader:
    """Goes through the bytes of a value that is known already, and tells which bytes are which part of it."""

    def __init__(self, body: bytes) -> None:
        self._body = body
        self._unpacker = msgpack.Unpacker()
        self._unpacker.feed(body)

    def map(self, value: Mapping[str, Any], margin: str, name: bytes, unsaid: Collection[str] = ()) -> Iterator[str]:
        """The rows of a map, behind the bytes of its name."""
        begun = name + self._bytes_of_step(self._unpacker.read_map_header)
        yield from _rows(begun, f"{margin}{_name_in_words(name)}{{ a map of {len(value)}")
        for key, part in value.items():
            packed = self._bytes_of_step(self._unpacker.skip)
            if key in unsaid:
                length = len(self._bytes_of_step(self._unpacker.skip))
                yield from _rows(packed, f"{margin}  {json.dumps(key)}: \u2026 {length:,} bytes more")
            else:
                yield from self._value(part, f"{margin}  ", packed)

    def _list(self, value: list[Any], margin: str, name: bytes) -> Iterator[str]:
        begun = name + self._bytes_of_step(self._unpacker.read_array_header)
        yield from _rows(begun, f"{margin}{_name_in_words(name)}[ a list of {len(value)}")
        for part in value:
            yield from self._value(part, f"{margin}  ", b"")

    def _value(self, value: Any, margin: str, name: bytes) -> Iterator[str]:
        if isinstance(value, dict) and value:
            yield from self.map(value, margin, name)
        elif isinstance(value, list) and any(isinstance(part, dict | list) for part in value):
            yield from self._list(value, margin, name)
        else:
            data = name + self._bytes_of_step(self._unpacker.skip)
            says = f"{len(value)} bytes" if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False)
            yield from _rows(data, f"{margin}{_name_in_words(name)}{says}")

    def _bytes_of_step(self, step: Any) -> bytes:
        """The bytes that a step of the unpacker goes over."""
        start = self._unpacker.tell()
        step()
        return self._body[start : self._unpacker.tell()]


def _name_in_words(name: bytes) -> str:
    return f"{json.dumps(msgpack.unpackb(name))}: " if name else ""


def _rows(data: bytes, says: str) -> Iterator[str]:
    """As many rows as it takes."""
    for at in range(0, len(data), HEX_BYTES):
        yield _row("", data[at : at + HEX_BYTES], "" if at else says)


def _row(way: str, data: bytes, says: str) -> str:
    return f"{way:3}{data.hex(' '):{3 * HEX_BYTES}}{says}".rstrip()
