"""The worth of a hand of four cards."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from put_protocol.cards import PACKS, Card, rank_of, suit_of
from put_protocol.games.primero import Category

POINTS: Mapping[str, int] = {
    "7": 21,
    "6": 18,
    "A": 16,
    "5": 15,
    "4": 14,
    "3": 13,
    "2": 12,
    "K": 10,
    "Q": 10,
    "J": 10,
}
"""Points of a card of each rank within a hand."""

_POINTS = {card: POINTS[rank_of(card)] for card in PACKS["french-40"]}
_SUIT = {card: suit_of(card) for card in PACKS["french-40"]}

FIFTY_FIVE = POINTS["A"] + POINTS["6"] + POINTS["7"]
"""Points of a Supremus, its other name: no other three cards of a suit, and no two, are worth as much."""

ORDER: Mapping[Category, int] = {category: place for place, category in enumerate(Category)}
"""The place of each category, the lowest first."""


class Worth(NamedTuple):
    """The worth of a hand: the better category wins, in one category more points. Compare by `strength`."""

    category: Category
    points: int

    @property
    def strength(self) -> tuple[int, int]:
        """More is better; equal hands have the same."""
        return ORDER[self.category], self.points


@lru_cache(maxsize=1024)  # what is legal, its words and the showdown all ask it of the same hands
def worth_of(cards: tuple[Card, ...]) -> Worth:
    suits = [_SUIT[card] for card in cards]
    points = dict.fromkeys(suits, 0)
    for card, suit in zip(cards, suits, strict=True):
        points[suit] += _POINTS[card]
    if len(points) == 4:
        category = Category.CHORUS if len(set(map(rank_of, cards))) == 1 else Category.PRIMERO
        return Worth(category, sum(points.values()))
    if len(points) == 1:
        return Worth(Category.FLUXUS, sum(points.values()))
    # A single card counts for nothing, though a 7 is worth more than two court cards.
    best = max([points[suit] for suit in points if suits.count(suit) > 1])
    return Worth(Category.SUPREMUS if best == FIFTY_FIVE else Category.NUMERUS, best)
