"""Shares of places, and the card that they open.

The share of a place (a, b) by a seat with the secret x is D = x * a. With the shares of all seats the card's point is b
minus their sum. If one share is missing, identifying the card is as hard as the decisional Diffie-Hellman problem. This
keeps a hand secret from everyone but its player.

A seat gives all its shares of a deal at once, with one proof: that x is behind X and behind the pair of the sums of all
a and all D, each multiplied by a weight of 128 bits that is a hash of all of them. If one D is wrong, the sums fit only
for one choice of weights in 2**128 (Bellare, Garay and Rabin, "Fast batch verification", Eurocrypt 1998, the small
exponents test; it needs a group of prime order). The first weight is 1, so a single share has a plain proof of Chaum
and Pedersen (1992).

Where the rules must see hands, the server *reads* the deal: a party gives its share of every place, each with its own
proof. So the server can read the pack, although it cannot choose the pack, and a hand continues when a player leaves.
The server opens a place to those who may see it: it passes on all shares of the place, and they check the proofs.

These shares are part of an entry that everyone receives. They are masked with a stream of hashes of x * S = s * X,
which only the party (secret x, key X) and the server (secret s, key S) can compute: Diffie and Hellman's shared secret
(1976), bound to the deal and its pack. If a party's shares do not hold, the server publishes that point with a proof,
and everyone can check.
"""

from collections.abc import Iterable, Sequence

from put_protocol.blind.group import POINT_BYTES, Point, combined, digest, join_points, total
from put_protocol.blind.keys import SecretKey
from put_protocol.blind.same_secret import PROOF_BYTES, Pair, check
from put_protocol.blind.shuffle import cards_by_minus
from put_protocol.cards import Card
from put_protocol.errors import ProofError

_WEIGHT_BYTES = 16

SHARE_BYTES = POINT_BYTES + PROOF_BYTES

_SIGNED = digest("opened share")
"""The label that the proof of a share signs. It names no place, because each place has its own `a`."""


def shares_of(secret: int, bases: Iterable[Point]) -> tuple[Point, ...]:
    """Share of each place, computed from the place's `a`."""
    return tuple([a * secret for a in bases])


def weighed(bases: Sequence[Point], shares: Sequence[Point], message: bytes) -> Pair:
    """The pair that one proof for all these shares must prove; `message` is what that proof signs."""
    fixed = digest("shares", message, join_points(bases), join_points(shares))
    hashed = [digest("share weight", fixed, number.to_bytes(2, "big")) for number in range(1, len(bases))]
    weights = [1, *[int.from_bytes(one[:_WEIGHT_BYTES], "big") for one in hashed]]
    return combined(weights, bases), combined(weights, shares)


def opened(minus_b: Point, shares: Iterable[Point], cards: tuple[Card, ...]) -> Card | None:
    """The card of a place from the shares of all seats; None: it is no card of the pack."""
    try:
        minus_card = total((minus_b, *shares))
    except ProofError:  # the identity, which is no card
        return None
    return cards_by_minus(cards).get(minus_card.encoded)


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


def unseen_key(shared: Point, context: bytes) -> bytes:
    """The key for acts that other players may not read."""
    return digest("unseen acts", shared.encoded, context)


def masked(shares: bytes, shared: Point, context: bytes) -> bytes:
    """Mask shares, or unmask masked shares. `shared`: the secret of the party and the server."""
    key = digest("private shares", shared.encoded, context)
    blocks = range(-(-len(shares) // len(key)))
    stream = b"".join([digest("private stream", key, number.to_bytes(4, "big")) for number in blocks])[: len(shares)]
    return (int.from_bytes(shares, "big") ^ int.from_bytes(stream, "big")).to_bytes(len(shares), "big")
