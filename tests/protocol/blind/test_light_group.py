"""The light group is one of the same order, with proofs that are refused for the same reasons."""

from collections.abc import Callable, Iterator

import pytest

from put_protocol.blind.group import POINT_BYTES, SCALAR_BYTES, Point, Q, base, digest_point, scalar_bytes, total
from put_protocol.blind.shuffle import Order, card_point, first_pack, shuffle
from put_protocol.blind.shuffle_proof import Statement, check, prove
from put_protocol.cards import FULL_PACK
from put_protocol.errors import ProofError
from tests.protocol.blind import light_group


@pytest.fixture
def light(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(light_group, "TURN", "")  # in a campaign, too
    with light_group.without_curve():
        yield


def test_light_points_are_a_group(light: None) -> None:
    """Products, sums and opposites agree; an encoding is read back; the identity never comes out."""
    point, other = digest_point("one"), digest_point("other")
    assert type(point._key).__name__ == "LightKey"
    assert point * 3 == total((point, point, point)) == point * 2 - -point
    assert (point + other) * 5 == point * 5 + other * 5
    assert point.plus_base(7) == point + base(7)
    assert point.times_plus_base(3, -4) == point * 3 - base(4)
    for one in (point, -point, base(1), base(Q - 1)):
        assert Point.parse(one.encoded) == one
        assert len(one.encoded) == POINT_BYTES
    wrongs: list[Callable[[], Point]] = [
        lambda: point * Q,
        lambda: point - point,
        lambda: point.times_plus_base(0, 0),
    ]
    for wrong in wrongs:
        with pytest.raises(ProofError):
            wrong()
    with pytest.raises(ProofError, match="not on the curve"):
        Point.parse(b"\2" + scalar_bytes(Q - 1))


def test_light_proof_of_a_shuffle_holds_only_as_it_is(light: None) -> None:
    """Each of its points and scalars is needed; and it is of its two packs alone."""
    joint, order = base(1674), Order((2, 0, 3, 1), (11, 12, 13, 14))
    before = first_pack(FULL_PACK[:4], joint)
    statement = Statement(context=b"", joint=joint, before=before, after=shuffle(before, joint, order))
    proof = prove(statement, order, bytes(32))
    check(statement, proof)
    points = 8 * POINT_BYTES
    ends = [*range(POINT_BYTES, points + 1, POINT_BYTES), *range(points + SCALAR_BYTES, len(proof) + 1, SCALAR_BYTES)]
    assert ends[-1] == len(proof)
    for end in ends:
        with pytest.raises(ProofError):
            check(statement, proof[: end - 1] + bytes([proof[end - 1] ^ 1]) + proof[end:])
    again = shuffle(before, joint, Order((0, 1, 2, 3), (11, 12, 13, 14)))
    with pytest.raises(ProofError):
        check(Statement(context=b"", joint=joint, before=before, after=again), proof)


def test_curve_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """No point is kept from one group to the other; and a campaign has the curve."""
    of_curve = card_point(FULL_PACK[0])
    for turn in ("", "7"):
        monkeypatch.setattr(light_group, "TURN", turn)
        with light_group.without_curve():
            assert (card_point(FULL_PACK[0]) == of_curve) == bool(turn)
        assert card_point(FULL_PACK[0]) == of_curve
