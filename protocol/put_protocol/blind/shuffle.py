"""Packs of encrypted cards, and how a party shuffles one.

A card's point C is a hash of its notation. Its encryption (ElGamal 1985) under the joint key Y is (a, b) with a = r * G
and b = C + r * Y. Adding (s * G, s * Y) gives another encryption of the same card, and without the secrets the two
cannot be linked. A shuffle does this to every place, and puts the places in a secret order.

The first pack has its cards in canonical order, with r = 1 throughout: (G, C + Y). Every party makes it by itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import shake_256
from typing import Self

from put_protocol.blind.group import POINT_BYTES, Point, base, digest_point, drawn, join_points, minus, parse_points
from put_protocol.cards import Card

PLACE_BYTES = 2 * POINT_BYTES

POINTS = 4_096
"""Size of the cache of points: 2 MB of memory. A deal of two players reads six."""


@lru_cache(maxsize=POINTS)
def _public_point(encoded: bytes) -> Point:
    """A public point that is read more than once; cached."""
    return Point.parse(encoded)


@lru_cache(maxsize=256)
def card_point(card: Card) -> Point:
    return digest_point("card", card.encode())


@lru_cache(maxsize=16)
def cards_by_minus(cards: tuple[Card, ...]) -> Mapping[bytes, Card]:
    """The cards of a pack by the encodings of minus their points."""
    return {(-card_point(card)).encoded: card for card in cards}


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack of encrypted cards, as it travels: `a` and `b` of each place.

    It may come from an untrusted party. Points are checked when they are read; the server reads only dealt places.
    """

    data: bytes = field(repr=False)

    def __len__(self) -> int:
        return len(self.data) // PLACE_BYTES

    def a(self, place: int) -> Point:
        at = place * PLACE_BYTES
        return _public_point(self.data[at : at + POINT_BYTES])

    def minus_b(self, place: int) -> Point:
        at = place * PLACE_BYTES + POINT_BYTES
        return minus(self.data[at : at + POINT_BYTES])

    def halves(self) -> tuple[Sequence[Point], Sequence[Point]]:
        """All `a`, and all `b`."""
        points = parse_points(self.data)
        return points[::2], points[1::2]

    @classmethod
    def of(cls, places: Sequence[tuple[Point, Point]]) -> Self:
        return cls(join_points([point for place in places for point in place]))


@lru_cache(maxsize=64)  # the same for all deals of a game
def first_pack(cards: tuple[Card, ...], joint: Point) -> Pack:
    one = base(1)
    return Pack.of([(one, card_point(card) + joint) for card in cards])


@dataclass(frozen=True, slots=True)
class Order:
    """The secrets of a shuffle: place i gets the card of `places[i]`, re-encrypted by `factors[i]`."""

    places: tuple[int, ...] = field(repr=False)
    factors: tuple[int, ...] = field(repr=False)


def order_of(seed: bytes, cards: int) -> Order:
    """The order and the factors, derived from a secret seed of 32 bytes; every order is equally likely."""
    return Order(_shuffled(cards, shake_256(b"put blind order" + seed).digest(8 * cards)), drawn(seed, cards))


def _shuffled(count: int, stream: bytes) -> tuple[int, ...]:
    """A permutation of the numbers from 0, uniform if the bytes are.

    Fisher-Yates from the front: for each place but the last, a byte chooses among the numbers that are left. A byte
    that would bias the choice is skipped. Fewer than half are skipped, so eight bytes for each place are enough.
    """
    order, draws = list(range(count)), iter(stream)
    for place in range(count - 1):
        left = count - place
        byte = next(byte for byte in draws if byte < 256 - 256 % left)
        chosen = place + byte % left
        order[place], order[chosen] = order[chosen], order[place]
    return tuple(order)


def shuffle(pack: Pack, joint: Point, order: Order) -> Pack:
    a, b = pack.halves()
    return Pack.of(
        [
            (a[place].plus_base(factor), b[place] + joint * factor)
            for place, factor in zip(order.places, order.factors, strict=True)
        ]
    )
