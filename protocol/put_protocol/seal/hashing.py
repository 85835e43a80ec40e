"""Hashes: unambiguous bytes, a shuffle drawn from a hash, and hash trees.

Bytes: all that is hashed begins with a label for its purpose. Then come fields of fixed length, big-endian, or with a
byte before them for their length. So two different things are never hashed as the same bytes.

Trees: a root commits to every leaf, and a short path proves one leaf. A leaf is SHA-256(0x00 | its content), a node is
SHA-256(0x01 | left | right); no label begins with 0x00 or 0x01. A row is hashed in pairs from the left, and a last item
without a partner goes up as it is. That is the tree which RFC 6962 (2.1) defines from its root down, for any size.
"""

from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from struct import unpack
from typing import Protocol, Self

from put_protocol.seal_events import HASH_BYTES

_BYTES_A_CARD = 2
"""Bytes asked for at first, for each card of a shuffle. It takes 1.1 on average for 52 cards; 2 are too few hardly
ever."""


class Xof(Protocol):
    """A hash with as long an output as is asked for, the longer beginning with the shorter: SHAKE-256."""

    def digest(self, length: int, /) -> bytes: ...


class Begun(Protocol):
    """SHA-256 that has taken in the beginning of what it hashes."""

    def copy(self) -> Self: ...
    def update(self, data: bytes, /) -> None: ...
    def digest(self) -> bytes: ...


def hashes(begun: Begun, rest: Iterable[bytes]) -> list[bytes]:
    """The hash of each of the rest behind the one beginning.

    A copy that is updated takes 0.85 of the time of a new hash, and there are 206 of them to a deal.
    """
    copy = begun.copy
    found = []
    for data in rest:
        one = copy()
        one.update(data)
        found.append(one.digest())
    return found


def label(text: str) -> bytes:
    """A byte for the length of the text in bytes, and the text."""
    encoded = text.encode()
    return bytes([len(encoded)]) + encoded


@lru_cache(maxsize=8)  # a server plays with three packs
def labels(texts: tuple[str, ...]) -> tuple[bytes, ...]:
    return tuple(map(label, texts))


def in_pieces(data: bytes, length: int) -> tuple[bytes, ...]:
    """The data in pieces of this length, of which it is a multiple. One call is twice as fast as a slice for each."""
    return unpack(f"{length}s" * (len(data) // length), data)


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
    for place, left, fair in _places(count):
        byte = stream[at]
        at += 1
        while byte >= fair:
            byte = stream[at]
            at += 1
        chosen = place + byte % left
        order[place], order[chosen] = order[chosen], order[place]
    return tuple(order)


@lru_cache(maxsize=8)
def _places(count: int) -> tuple[tuple[int, int, int], ...]:
    """Each place but the last of so many, the numbers that are left for it, and the first byte that is not fair."""
    return tuple([(count - left, left, 256 - 256 % left) for left in range(count, 1, -1)])


LEAF = b"\x00"
_NODE = sha256(b"\x01")


class HashTree:
    """A tree over leaves that are already hashed; at least one."""

    __slots__ = ("_rows",)

    def __init__(self, leaves: bytes) -> None:
        """The leaves, one after another. Rows are kept as such strings: two for a card are 7 kB less a deal."""
        rows = [leaves]
        while len(leaves) > HASH_BYTES:
            pairs = in_pieces(leaves[: len(leaves) // (2 * HASH_BYTES) * (2 * HASH_BYTES)], 2 * HASH_BYTES)
            nodes = hashes(_NODE, pairs)
            if len(leaves) // HASH_BYTES % 2:
                nodes.append(leaves[-HASH_BYTES:])
            leaves = b"".join(nodes)
            rows.append(leaves)
        self._rows = tuple(rows)

    @property
    def root(self) -> bytes:
        return self._rows[-1]

    def path(self, position: int) -> tuple[bytes, ...]:
        """Hashes that `root_of` needs beside the leaf: its neighbours on the way up."""
        path = []
        for row in self._rows[:-1]:
            beside = (position ^ 1) * HASH_BYTES
            if beside < len(row):
                path.append(row[beside : beside + HASH_BYTES])
            position //= 2
        return tuple(path)


def root_of(leaf: bytes, position: int, size: int, path: tuple[bytes, ...]) -> bytes | None:
    """The root of a tree of this size with this leaf at this position; None if its paths there have another length."""
    steps = iter(path)
    for _ in range((size - 1).bit_length()):
        if position ^ 1 < size:
            beside = next(steps, None)
            if beside is None:
                return None
            node = _NODE.copy()
            node.update(beside + leaf if position & 1 else leaf + beside)
            leaf = node.digest()
        position //= 2
        size = (size + 1) // 2
    return leaf if next(steps, None) is None else None
