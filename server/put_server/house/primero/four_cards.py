"""Cards of the pack of 40 as numbers from 0 to 39, and the worth of four of them as one number.

Only numbers and tuples, because thousands of hands are judged. Tests compare these functions with the rules.
"""

from collections.abc import Mapping

from put_protocol.cards import SUITS, Card
from put_protocol.games.primero import Category

RANKS = ("7", "6", "A", "5", "4", "3", "2", "K", "Q", "J")
POINTS = (21, 18, 16, 15, 14, 13, 12, 10, 10, 10)

COUNT = 40
CARDS = tuple([Card(rank + suit) for suit in SUITS for rank in RANKS])
NUMBERS: Mapping[Card, int] = {card: number for number, card in enumerate(CARDS)}
SUIT_OF = tuple([number // 10 for number in range(COUNT)])
RANK_OF = tuple([number % 10 for number in range(COUNT)])
POINTS_OF = tuple([POINTS[number % 10] for number in range(COUNT)])

CATEGORIES = tuple(Category)
"""Lowest first. The index of a category is the hundreds digit of a hand's strength."""

PRIMERO, SUPREMUS, FLUXUS, CHORUS = 100, 200, 300, 400
"""Lowest strength of each category; that of Numerus is 0."""
STRENGTHS = 500
"""Every strength is less than this."""

FIFTY_FIVE = 55


def strength(a: int, b: int, c: int, d: int) -> int:
    """Strength of four cards; better hands have more. The hundreds digit is the category, the rest the points."""
    s, t, u, v = SUIT_OF[a], SUIT_OF[b], SUIT_OF[c], SUIT_OF[d]
    p, q, r, w = POINTS_OF[a], POINTS_OF[b], POINTS_OF[c], POINTS_OF[d]
    if s == t:
        if s == u:
            if s == v:
                return FLUXUS + p + q + r + w
            return _numerus(p + q + r, 0)
        if s == v:
            return _numerus(p + q + w, 0)
        return _numerus(p + q, r + w if u == v else 0)
    if s == u:
        if s == v:
            return _numerus(p + r + w, 0)
        return _numerus(p + r, q + w if t == v else 0)
    if s == v:
        return _numerus(p + w, q + r if t == u else 0)
    if t == u:
        return _numerus(q + r + w if t == v else q + r, 0)
    if t == v:
        return _numerus(q + w, 0)
    if u == v:
        return _numerus(r + w, 0)
    if RANK_OF[a] == RANK_OF[b] == RANK_OF[c] == RANK_OF[d]:
        return CHORUS + 4 * p
    return PRIMERO + p + q + r + w


def _numerus(points: int, others: int) -> int:
    best = max(points, others)
    return SUPREMUS + FIFTY_FIVE if best == FIFTY_FIVE else best


def category_of(strong: int) -> Category:
    return CATEGORIES[strong // 100]
