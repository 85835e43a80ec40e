"""Private shares: shares that only the server can read, for games whose rules must see hands.

In such a *read* deal a party gives its share of every place, each with its own proof (`same_secret`). So the server can
read the pack, although it cannot choose the pack, and a hand continues when a player leaves. The server opens a place
to those who may see it: it passes on all shares of the place, and they check the proofs.

The shares are part of an entry that everyone receives. They are masked with a stream of hashes of x * S = s * X, which
only the party (secret x, key X) and the server (secret s, key S) can compute: Diffie and Hellman's shared secret
(1976), bound to the deal and its pack. If a party's shares do not hold, the server publishes that point with a proof,
and everyone can check.
"""

from collections.abc import Iterable, Sequence

from put_protocol.blind.group import POINT_BYTES, Point, digest
from put_protocol.blind.keys import SecretKey
from put_protocol.blind.same_secret import PROOF_BYTES, check
from put_protocol.errors import ProofError

SHARE_BYTES = POINT_BYTES + PROOF_BYTES

_SIGNED = digest("opened share")
"""The label that the proof of a share signs. It names no place, because each place has its own `a`."""


def private_shares(key: SecretKey, bases: Iterable[Point]) -> bytes:
    """Share of each place, computed from the place's `a`, with its proof."""
    pieces = []
    for base in bases:
        share = base * key.secret
        pieces.append(share.encoded + key.sign(_SIGNED, ((base, share),)))
    return b"".join(pieces)


def share_in(shares: bytes, number: int) -> bytes:
    """The share at an index, with its proof."""
    return shares[number * SHARE_BYTES : (number + 1) * SHARE_BYTES]


def checked_share(share: bytes, key: Point, base: Point) -> Point:
    """:raises ProofError: the share is malformed, or its proof does not hold."""
    if len(share) != SHARE_BYTES:
        raise ProofError("a share has the wrong length")
    point = Point.parse(share[:POINT_BYTES])
    check(share[POINT_BYTES:], key, _SIGNED, ((base, point),))
    return point


def hold(shares: bytes, key: Point, bases: Sequence[Point]) -> bool:
    try:
        for number, base in enumerate(bases):
            checked_share(share_in(shares, number), key, base)
    except ProofError:
        return False
    return True


def unseen_key(shared: Point, context: bytes) -> bytes:
    """The key for acts that other players may not read."""
    return digest("unseen acts", shared.encoded, context)


def masked(shares: bytes, shared: Point, context: bytes) -> bytes:
    """Mask shares, or unmask masked shares. `shared`: the secret of the party and the server."""
    key = digest("private shares", shared.encoded, context)
    blocks = range(-(-len(shares) // len(key)))
    stream = b"".join([digest("private stream", key, number.to_bytes(4, "big")) for number in blocks])[: len(shares)]
    return (int.from_bytes(shares, "big") ^ int.from_bytes(stream, "big")).to_bytes(len(shares), "big")
