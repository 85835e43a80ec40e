"""Shares of places, and the card that they open.

The share of a place (a, b) by a seat with the secret x is D = x * a. With the shares of all seats the card's point is b
minus their sum. If one share is missing, identifying the card is as hard as the decisional Diffie-Hellman problem. This
keeps a hand secret from everyone but its player.

A seat gives all its shares of a deal at once, with one proof: that x is behind X and behind the pair of the sums of all
a and all D, each multiplied by a weight of 128 bits that is a hash of all of them. If one D is wrong, the sums fit only
for one choice of weights in 2**128 (Bellare, Garay and Rabin, "Fast batch verification", Eurocrypt 1998, the small
exponents test; it needs a group of prime order). The first weight is 1, so a single share has a plain proof of Chaum
and Pedersen (1992).
"""

from collections.abc import Iterable, Sequence

from put_protocol.blind.group import Point, combined, digest, join_points, total
from put_protocol.blind.same_secret import Pair
from put_protocol.blind.shuffle import cards_by_minus
from put_protocol.cards import Card
from put_protocol.errors import ProofError

_WEIGHT_BYTES = 16


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
