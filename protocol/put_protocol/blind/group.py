"""The group secp256k1: points and scalars, checked on arrival, and hashes with labels.

Why this group: its order is prime, so every point but the identity generates it and no small subgroup has to be ruled
out; libsecp256k1 multiplies in 25 microseconds. The group is written additively: `a * G` is what most papers write
as g to the power of a.

The identity is no `Point`. It has no encoding, an honest party meets it only with a probability of 2**-250, and without
it no equation can hold just because both sides vanish. An operation that would give the identity is refused.

Secrets: `base` takes the same time for every scalar. `Point.__mul__` does not; a party runs it on its own machine only,
with a key that is used for one game.

Only this module knows coincurve.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import sha256, shake_256
from typing import Final, Self

from put_protocol.blind import IS_AVAILABLE
from put_protocol.errors import ProofError

if IS_AVAILABLE:
    from coincurve import PublicKey

Q: Final = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
"""The order of the group (SEC 2, version 2.0, section 2.4.1)."""

POINT_BYTES: Final = 33
SCALAR_BYTES: Final = 32
DIGEST_BYTES: Final = 32

_EVEN, _ODD = 2, 3
"""The first byte of an encoded point: the parity of y."""

_DRAWN_BYTES: Final = 48
"""Random bytes for a scalar: 128 bits more than a scalar has, so the bias towards any scalar is at most 2**-128."""


class Point:
    """A point of the group other than the identity. Immutable."""

    __slots__ = ("_encoded", "_key")

    def __init__(self, key: "PublicKey", encoded: bytes | None = None) -> None:
        self._key = key
        self._encoded = encoded

    @classmethod
    def parse(cls, data: bytes) -> Self:
        """The point with this encoding, which is unique: 33 bytes, the first of them 2 or 3.

        :raises ProofError: another length or form, or no point of the curve.
        """
        if len(data) != POINT_BYTES or data[0] not in {_EVEN, _ODD}:
            raise ProofError("a point is not 33 bytes in compressed form")
        try:
            return cls(PublicKey(data), data)
        except ValueError:
            raise ProofError("a point is not on the curve") from None

    @property
    def encoded(self) -> bytes:
        if self._encoded is None:
            self._encoded = self._key.format()
        return self._encoded

    def __mul__(self, scalar: int) -> "Point":
        scalar %= Q
        if not scalar:
            raise ProofError("a product is the identity")
        if scalar == 1:
            return self
        return Point(self._key.multiply(scalar_bytes(scalar)))

    def __add__(self, other: "Point") -> "Point":
        return total((self, other))

    def __sub__(self, other: "Point") -> "Point":
        return total((self, -other))

    def __neg__(self) -> "Point":
        return minus(self.encoded)

    def plus_base(self, scalar: int) -> "Point":
        """The point and `scalar` times the base point, in the time of one multiplication."""
        try:
            return Point(self._key.add(scalar_bytes(scalar % Q)))
        except ValueError:
            raise ProofError("a sum is the identity") from None

    def times_plus_base(self, scalar: int, base_scalar: int) -> "Point":
        """`scalar` times the point and `base_scalar` times the base point."""
        return (self * scalar).plus_base(base_scalar)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Point) and self.encoded == other.encoded

    def __hash__(self) -> int:
        return hash(self.encoded)

    def __repr__(self) -> str:
        return f"Point({self.encoded.hex()})"


def base(scalar: int) -> Point:
    """`scalar` (1 to Q - 1) times the base point, in constant time."""
    return Point(PublicKey.from_valid_secret(scalar_bytes(scalar)))


def total(points: Iterable[Point]) -> Point:
    """The sum of one or more points."""
    try:
        return Point(PublicKey.combine_keys([point._key for point in points]))
    except ValueError:
        raise ProofError("a sum is the identity") from None


def combined(scalars: Iterable[int], points: Iterable[Point]) -> Point:
    """The sum of each point times its scalar. Equal points (half of those in a first pack) are multiplied once."""
    merged: dict[Point, int] = {}
    for scalar, point in zip(scalars, points, strict=True):
        merged[point] = merged.get(point, 0) + scalar
    return total([point * scalar for point, scalar in merged.items()])


def minus(encoded: bytes) -> Point:
    return Point.parse(bytes([encoded[0] ^ 1]) + encoded[1:])


def parse_points(data: bytes) -> tuple[Point, ...]:
    """Points one after another; the caller has checked the length."""
    return tuple([Point.parse(data[at : at + POINT_BYTES]) for at in range(0, len(data), POINT_BYTES)])


def join_points(points: Iterable[Point]) -> bytes:
    return b"".join([point.encoded for point in points])


def scalar_bytes(scalar: int) -> bytes:
    return scalar.to_bytes(SCALAR_BYTES, "big")


def parse_scalar(data: bytes) -> int:
    """A scalar from 1 to Q - 1 in 32 bytes, big-endian.

    :raises ProofError: any other number, so that no scalar has two encodings.
    """
    scalar = int.from_bytes(data, "big")
    if len(data) != SCALAR_BYTES or not 0 < scalar < Q:
        raise ProofError("a scalar is out of range")
    return scalar


def parse_scalars(data: bytes) -> tuple[int, ...]:
    """Scalars one after another; the caller has checked the length."""
    return tuple([parse_scalar(data[at : at + SCALAR_BYTES]) for at in range(0, len(data), SCALAR_BYTES)])


def digest(label: str, *parts: bytes) -> bytes:
    """SHA-256 of the label and the parts.

    The length of the label comes before it as one byte, the length of each part before it as four. So two different
    uses never hash the same bytes.
    """
    pieces = [_labelled(label)]
    for part in parts:
        pieces += (len(part).to_bytes(4, "big"), part)
    return sha256(b"".join(pieces)).digest()


@lru_cache(maxsize=64)  # each use of a hash has a label
def _labelled(label: str) -> bytes:
    named = f"put blind {label}".encode()
    return bytes([len(named)]) + named


def digest_scalar(label: str, *parts: bytes) -> int:
    """A challenge. Q is so near to 2**256 that the remainder is uniform up to 2**-127."""
    return int.from_bytes(digest(label, *parts), "big") % Q


def digest_point(label: str, *parts: bytes) -> Point:
    """A point with an unknown logarithm. A counter is hashed with the parts until the hash is an x with even y."""
    counter = 0
    while True:
        x = digest(label, *parts, counter.to_bytes(4, "big"))
        try:
            return Point.parse(bytes([_EVEN]) + x)
        except ProofError:  # half of all numbers are no x
            counter += 1


def drawn(seed: bytes, count: int) -> tuple[int, ...]:
    """`count` scalars from 1 to Q - 1, derived from a secret seed of 32 bytes by SHAKE-256."""
    stream = shake_256(b"put blind scalars" + seed).digest(_DRAWN_BYTES * count)
    numbers = [stream[at : at + _DRAWN_BYTES] for at in range(0, len(stream), _DRAWN_BYTES)]
    return tuple([int.from_bytes(number, "big") % (Q - 1) + 1 for number in numbers])


@lru_cache(maxsize=256)  # 78 cards have 79
def generator(number: int) -> Point:
    """Generators of commitments: number 0 is h, numbers 1 to N are h_1 to h_N."""
    return digest_point("generator", number.to_bytes(2, "big"))


def generators(count: int) -> Sequence[Point]:
    """h_1 to h_N."""
    return [generator(number) for number in range(1, count + 1)]
