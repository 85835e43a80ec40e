"""Points, scalars and hashes of blind deals."""

from collections.abc import Callable

import pytest

from put_protocol.blind.group import (
    Point,
    Q,
    base,
    combined,
    digest,
    digest_point,
    digest_scalar,
    drawn,
    generator,
    parse_scalar,
    scalar_bytes,
    total,
)
from put_protocol.errors import ProofError

G = base(1)

P = 2**256 - 2**32 - 977
"""The prime of the field (SEC 2, 2.4.1)."""
BASE_POINT = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)
IDENTITY = None
Affine = tuple[int, int] | None


def add(one: Affine, other: Affine) -> Affine:
    """The sum of two points by the equations of the curve."""
    if one is None or other is None:
        return one or other
    (x, y), (u, v) = one, other
    if x == u and (y + v) % P == 0:
        return None
    slope = 3 * x * x * pow(2 * y, -1, P) if one == other else (v - y) * pow(u - x, -1, P)
    w = (slope * slope - x - u) % P
    return w, (slope * (x - w) - y) % P


def multiple(scalar: int, point: Affine) -> Affine:
    found: Affine = None
    while scalar:
        if scalar & 1:
            found = add(found, point)
        point = add(point, point)
        scalar >>= 1
    return found


def encoded(point: Affine) -> bytes:
    assert point is not None
    return bytes([2 + point[1] % 2]) + point[0].to_bytes(32, "big")


SCALARS = (1, 2, 3, 2**128 - 1, Q // 2, Q - 2, Q - 1)


@pytest.mark.parametrize("scalar", SCALARS)
def test_points_follow_the_equations_of_the_curve(scalar: int) -> None:
    """Multiples and sums are those that the equations of SEC 2 give, worked out here once more."""
    one, other = multiple(scalar, BASE_POINT), multiple(7, BASE_POINT)
    assert base(scalar).encoded == encoded(one)
    assert (base(7) * scalar).encoded == encoded(multiple(scalar, other))
    assert (base(scalar) + base(7)).encoded == encoded(add(one, other))
    assert base(7).plus_base(scalar).encoded == encoded(add(one, other))
    assert (base(7)).times_plus_base(scalar, 5).encoded == encoded(
        add(multiple(scalar, other), multiple(5, BASE_POINT))
    )
    assert base(scalar).times_plus_base(3, 0) == base(scalar) * 3
    assert (-base(scalar)).encoded == encoded(multiple(Q - scalar, BASE_POINT))


def test_combined_merges_equal_points() -> None:
    """A sum of multiples is the same with a point that stands twice."""
    assert combined((3, 5, 7), (G, base(2), G)) == base(20)
    assert total((G, G, base(5))) == base(7)
    assert base(9) - base(4) == base(5)


MALFORMED = {
    "nothing": b"",
    "the identity": b"\x00",
    "the identity, filled up": bytes(33),
    "too short": G.encoded[:-1],
    "too long": G.encoded + b"\x00",
    "not compressed": b"\x04" + b"".join(number.to_bytes(32, "big") for number in BASE_POINT),
    "hybrid": b"\x06" + b"".join(number.to_bytes(32, "big") for number in BASE_POINT),
    "another first byte": b"\x05" + G.encoded[1:],
    "no x of the curve": b"\x02" + (5).to_bytes(32, "big"),
    "x of the prime": b"\x02" + P.to_bytes(32, "big"),
    "x beyond the prime": b"\x02" + (P + 1).to_bytes(32, "big"),
    "x of all ones": b"\x02" + b"\xff" * 32,
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_point_is_refused(name: str) -> None:
    """A point has one encoding, and the identity has none."""
    with pytest.raises(ProofError):
        Point.parse(MALFORMED[name])


@pytest.mark.parametrize(
    "data", [bytes(32), scalar_bytes(Q), scalar_bytes(2**256 - 1), b"", b"\x01", bytes(31) + b"\x01\x00"]
)
def test_a_scalar_out_of_range_is_refused(data: bytes) -> None:
    """A scalar is from 1 to Q - 1, in 32 bytes."""
    with pytest.raises(ProofError):
        parse_scalar(data)


def test_the_identity_never_comes_out() -> None:
    """An operation that would give the identity is refused."""
    operations: list[Callable[[], Point]] = [
        lambda: G * 0,
        lambda: G * Q,
        lambda: G - base(1),
        lambda: G.plus_base(Q - 1),
        lambda: base(2).times_plus_base(3, -6),
        lambda: base(2).times_plus_base(0, 0),
        lambda: total((G, base(2), base(Q - 3))),
    ]
    for operation in operations:
        with pytest.raises(ProofError):
            operation()


def test_no_two_hashes_share_their_bytes() -> None:
    """Parts cut differently, and labels, give different hashes."""
    cuts = [
        ("a", [b"bc", b"d"]),
        ("a", [b"b", b"cd"]),
        ("a", [b"bcd"]),
        ("a", [b"bcd", b""]),
        ("ab", [b"cd"]),
        ("a", []),
    ]
    assert len({digest(label, *parts) for label, parts in cuts}) == len(cuts)


def test_hashed_points_and_scalars_differ() -> None:
    """Generators differ from one another and from the base point, and so do drawn scalars."""
    assert len({G, *map(generator, range(80)), digest_point("card", b"As")}) == 82
    scalars = drawn(b"seed" * 8, 500)
    assert len(set(scalars)) == 500
    assert all(0 < scalar < Q for scalar in scalars)
    assert scalars[:5] == drawn(b"seed" * 8, 5)
    assert digest_scalar("a") < Q
