"""Shares of places, and the card that they open.

The share of a place (a, b) by a seat with the secret x is D = x * a. With the shares of all seats the card's point is b
minus their sum. Without one of them it is another point, and to tell which card lies there is as hard as the decisional
Diffie-Hellman problem: this is what keeps a hand from everybody but its player.

A seat gives all its shares of a deal at once, with one proof: that x is behind X and behind the pair of the sums of all
a and all D, each weighed by a number of 128 bits that hashes all of them. If one D is wrong, the sums fit for one
choice of weights in 2**128 (Bellare, Garay and Rabin, "Fast batch verification", Eurocrypt 1998, the small exponents
test; it needs a group of prime order). The first weight is 1, so a single share has a plain proof of Chaum and Pedersen
(1992).
"""

from collections.abc import Iterable, Sequence

from put_protocol.blind.group import Point, combined, digest, join_points, total
from put_protocol.blind.same_secret import Pair
from put_protocol.blind.shuffle import cards_by_minus
from put_protocol.cards import Card
from put_protocol.errors import ProofError

_WEIGHT_BYTES = 16


def shares_of(secret: int, bases: Iterable[Point]) -> tuple[Point, ...]:
    """The share of each place by the `a` of it."""
    return tuple([a * secret for a in bases])


def weighed(bases: Sequence[Point], shares: Sequence[Point], message: bytes) -> Pair:
    """The pair that a proof for all these shares is about; `message` is what it signs."""
    fixed = digest("shares", message, join_points(bases), join_points(shares))
    hashed = [digest("share weight", fixed, number.to_bytes(2, "big")) for number in range(1, len(bases))]
    weights = [1, *[int.from_bytes(one[:_WEIGHT_BYTES], "big") for one in hashed]]
    return combined(weights, bases), combined(weights, shares)


def opened(minus_b: Point, shares: Iterable[Point], cards: tuple[Card, ...]) -> Card | None:
    """The card of a place of which all shares are there; None: it is no card of the pack."""
    try:
        minus_card = total((minus_b, *shares))
    except ProofError:  # the identity, which is no card
        return None
    return cards_by_minus(cards).get(minus_card.encoded)
