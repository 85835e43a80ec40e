"""Proofs that one secret is behind several points; signatures."""

import pytest

from put_protocol.blind.group import Q, base, scalar_bytes
from put_protocol.blind.keys import joint_key, key_for
from put_protocol.blind.same_secret import check, derived, prove
from put_protocol.errors import ProofError

G = base(1)

SECRET = 0x1234567890
POINT = base(SECRET)
A, B = base(99), base(1001)
PAIRS = ((A, A * SECRET), (B, B * SECRET))


@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_proof_holds_for_its_statement_alone(count: int) -> None:
    """The proof holds; it does not with any point, the message or the number of pairs changed."""
    pairs = PAIRS[:count]
    proof = prove(SECRET, POINT, b"message", pairs)
    check(proof, POINT, b"message", pairs)
    wrong = [(base(5), b"message", pairs), (POINT, b"massage", pairs), (POINT, b"message", (*pairs, (G, POINT)))]
    for at in range(count):
        a, d = pairs[at]
        wrong += [
            (POINT, b"message", (*pairs[:at], changed, *pairs[at + 1 :]))
            for changed in ((a + G, d), (a, d + G), (d, a))
        ]
    if count == 2:
        wrong += [(POINT, b"message", pairs[::-1]), (POINT, b"message", pairs[:1])]
    for point, message, others in wrong:
        with pytest.raises(ProofError):
            check(proof, point, message, others)


@pytest.mark.parametrize("half", [0, 32])
@pytest.mark.parametrize("change", [0, 1, 2, Q, "zero", "beyond"])
def test_an_altered_proof_is_refused(half: int, change: int | str) -> None:
    """Challenge and response are each needed as they are, in their one encoding."""
    proof = prove(SECRET, POINT, b"message", PAIRS)
    number = int.from_bytes(proof[half : half + 32], "big")
    altered = {"zero": 0, "beyond": Q}.get(str(change), number + int(change) if isinstance(change, int) else 0)
    other = altered.to_bytes(33, "big")[-32:]
    if other == proof[half : half + 32]:
        check(proof, POINT, b"message", PAIRS)
        return
    with pytest.raises(ProofError):
        check(proof[:half] + other + proof[half + 32 :], POINT, b"message", PAIRS)


@pytest.mark.parametrize("length", [0, 32, 63, 65, 96])
def test_a_proof_of_another_length_is_refused(length: int) -> None:
    """A proof is 64 bytes."""
    proof = (prove(SECRET, POINT, b"message") * 2)[:length]
    with pytest.raises(ProofError):
        check(proof, POINT, b"message")


def test_a_proof_for_a_pair_without_its_secret_fails() -> None:
    """A prover who follows the algorithm with a pair that has another secret behind it convinces nobody."""
    pairs = ((A, A * (SECRET + 1)),)
    with pytest.raises(ProofError):
        check(prove(SECRET, POINT, b"message", pairs), POINT, b"message", pairs)


def test_nonces_are_never_used_twice() -> None:
    """Two proofs with one nonce would tell the secret: s - s' is the secret times c - c'."""
    found = set()
    for message in (b"one", b"two"):
        for pairs in ((), PAIRS):
            proof = prove(SECRET, POINT, message, pairs)
            c, s = int.from_bytes(proof[:32], "big"), int.from_bytes(proof[32:], "big")
            found.add((s - c * SECRET) % Q)
    assert len(found) == 4
    assert prove(SECRET, POINT, b"one") == prove(SECRET, POINT, b"one")


def test_secrets_are_derived_as_rfc_5869_says() -> None:
    """Test case A.3: no salt, no info."""
    expected = "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"
    assert derived(b"\x0b" * 22, b"").hex() == expected


def test_keys_belong_to_one_game_and_seat() -> None:
    """One secret gives another key for every game and seat, and the same again for the same."""
    keys = [key_for(bytes(32), game, seat) for game in (b"one", b"two") for seat in (0, 1)]
    assert len({key.point for key in keys}) == 4
    assert key_for(bytes(32), b"one", 0) == keys[0]
    assert all(key.point == base(key.secret) for key in keys)
    for key in keys:
        assert str(key.secret) not in repr(key)
        assert scalar_bytes(key.secret).hex() not in repr(key)
        assert repr(key.seed) not in repr(key)


def test_a_joint_key_needs_every_secret() -> None:
    """The joint key has the sum of all secrets behind it."""
    keys = [key_for(bytes(32), b"game", seat) for seat in range(3)]
    assert joint_key(key.point for key in keys) == base(sum(key.secret for key in keys) % Q)
