"""A group of the same order without a curve, for tests in one process that claim nothing of the curve.

A point is a number from 1 to Q - 1, the base point is 1, and a product takes a hundredth of the time. Every equation
holds here if and only if it holds for the logarithms of the points, so a proof that is wrong passes as seldom. Only
secrecy is missing, because the logarithm of each point is its encoding. An encoding has the same form: 33 bytes, the
first 2 or 3, which the opposite point exchanges, and an x that half of all numbers are.

A campaign has the curve. So have tests with programs in other processes, and those of the group, of proofs, and of what
a secret leaves where.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Self

import pytest

from put_protocol.blind import deal, group, shuffle
from put_protocol.blind.group import Point, Q, scalar_bytes
from put_protocol.errors import ProofError
from tests.repetitions import TURN


class LightKey:
    """In place of `coincurve.PublicKey`, as far as `put_protocol.blind.group` uses it."""

    __slots__ = ("number",)

    def __init__(self, data: bytes) -> None:
        x = int.from_bytes(data[1:], "big")
        if not 0 < x <= Q // 2:
            raise ValueError
        self.number = x if data[0] == 2 else Q - x

    @classmethod
    def of(cls, number: int) -> Self:
        """:raises ValueError: it is the identity."""
        key = cls.__new__(cls)
        key.number = number % Q
        if not key.number:
            raise ValueError
        return key

    @classmethod
    def from_valid_secret(cls, secret: bytes) -> Self:
        return cls.of(int.from_bytes(secret, "big"))

    @classmethod
    def combine_keys(cls, keys: Sequence["LightKey"]) -> Self:
        return cls.of(sum([key.number for key in keys]))

    def add(self, scalar: bytes) -> "LightKey":
        return self.of(self.number + int.from_bytes(scalar, "big"))

    def format(self) -> bytes:
        opposite = Q - self.number
        return b"\2" + scalar_bytes(self.number) if self.number < opposite else b"\3" + scalar_bytes(opposite)


def _times(point: Point, scalar: int) -> Point:
    try:
        return Point(LightKey.of(point._key.number * scalar))  # type: ignore[arg-type, attr-defined]
    except ValueError:
        raise ProofError("a product is the identity") from None


def _times_plus_base(point: Point, scalar: int, base_scalar: int) -> Point:
    try:
        return Point(LightKey.of(point._key.number * scalar + base_scalar))  # type: ignore[arg-type, attr-defined]
    except ValueError:
        raise ProofError("a sum is the identity") from None


@contextmanager
def without_curve() -> Iterator[None]:
    """Points within the block are numbers, but in a campaign."""
    if TURN:
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Point, "__mul__", _times)
        patch.setattr(Point, "times_plus_base", _times_plus_base)
        patch.setattr(group, "PublicKey", LightKey)
        _forget()
        yield
    _forget()


def _forget() -> None:
    """Nothing is kept of the points of another group."""
    for owner in (Point, group, shuffle, deal):
        for kept in vars(owner).values():
            if hasattr(kept, "cache_clear"):
                kept.cache_clear()
