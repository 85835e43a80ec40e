"""Bytes that have one reading each, and chance drawn from a hash.

Everything hashed begins with what it is hashed for and goes on with fields of fixed length, big-endian, or with a byte
before them for their length; so no two different things are ever hashed as the same bytes. In trees, 0x00 or 0x01 comes
first of all (`merkle`), with which no name begins.
"""

from functools import lru_cache
from typing import Protocol

_BYTES_A_CARD = 4
"""Bytes asked for at first, for each card of a shuffle. It takes 1.1 on average for 52 cards, 1.4 at worst."""


class Xof(Protocol):
    """A hash with as long an output as is asked for, the longer beginning with the shorter: SHAKE-256."""

    def digest(self, length: int, /) -> bytes: ...


def label(text: str) -> bytes:
    """A byte for the length of the text in bytes, and the text."""
    encoded = text.encode()
    return bytes([len(encoded)]) + encoded


@lru_cache(maxsize=8)  # a server plays with three packs
def labels(texts: tuple[str, ...]) -> tuple[bytes, ...]:
    """The label of each."""
    return tuple(map(label, texts))


def u16(number: int) -> bytes:
    return number.to_bytes(2, "big")


def u64(number: int) -> bytes:
    return number.to_bytes(8, "big")


def shuffled(count: int, xof: Xof, skip: int) -> tuple[tuple[int, ...], bytes]:
    """The numbers from 0 in an order that is uniform if the stream's bytes are; and the bytes skipped before it.

    Fisher-Yates from the front: for each place but the last, a byte of the stream chooses among the numbers that are
    left, and changes places with the one that is there. A byte that would favour some of them is passed over.
    """
    length = skip + _BYTES_A_CARD * count
    while True:
        stream = xof.digest(length)
        try:
            return _shuffled(count, stream, skip), stream[:skip]
        except IndexError:  # too many bytes were passed over
            length *= 2


def _shuffled(count: int, stream: bytes, at: int) -> tuple[int, ...]:
    order = list(range(count))
    for place in range(count - 1):
        left = count - place
        fair = 256 - 256 % left
        byte = stream[at]
        at += 1
        while byte >= fair:
            byte = stream[at]
            at += 1
        chosen = place + byte % left
        order[place], order[chosen] = order[chosen], order[place]
    return tuple(order)
