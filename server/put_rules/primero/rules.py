"""The rules of a table of Primero: options, offer, and the worth of a hand of four cards."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from put_protocol.cards import PACKS, Card, rank_of, suit_of
from put_protocol.games.primero import Category
from put_protocol.offers import GameOffer, OptionOffer
from put_protocol.seats import Direction
from put_rules.prose import Gist, Line, Prose, with_prose

MOST_THROWN_IN = 3
"""Most consecutive deals with all players trading. The source sets no limit; without one a hand might never end."""

CARDS_FIRST = 2
"""Cards dealt to each player before the first betting, and again after it."""

PROSE: Prose = (
    *map(Gist, ("rules-primero-pack", "rules-primero-first")),
    "rules-primero-trading",
    Gist("rules-primero-answers"),
    Line("limit", "rules-primero-limit"),
    Gist("rules-primero-taken"),
    "rules-primero-untaken",
    "rules-primero-must",
    *map(Gist, ("rules-primero-second", "rules-primero-numerus", "rules-primero-primero", "rules-primero-fluxus")),
    "rules-primero-points",
    "rules-primero-better",
    "rules-primero-vada",
    "rules-primero-betting",
    "rules-primero-bluff",
    "rules-primero-chorus",
    "rules-primero-free",
    Gist("rules-primero-last"),
    "rules-primero-deal",
    Line("hands", "rules-primero-sitting"),
)


_OFFER = GameOffer(
    name="primero",
    title="Primero",
    source="offer-primero-source",
    summary="offer-primero-summary",
    seats=(3, 4, 5, 6),
    options=(
        OptionOffer(name="hands", meaning="offer-hands", default=12, least=1, most=99),
        OptionOffer(name="limit", meaning="offer-limit", default=6, least=1, most=20),
    ),
    family="primero",
    direction=Direction.COUNTER_CLOCKWISE,
)

OFFER = with_prose(_OFFER, PROSE)

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
"""Points of a Supremus, which is named after them: no other cards of a suit are worth as much."""

ORDER: Mapping[Category, int] = {category: place for place, category in enumerate(Category)}
"""The place of each category, the lowest first."""


class Worth(NamedTuple):
    """Worth of a hand: the better category wins, then more points. Compare by `strength`."""

    category: Category
    points: int

    @property
    def strength(self) -> tuple[int, int]:
        """Higher is better; equal hands have equal strength."""
        return ORDER[self.category], self.points


@lru_cache(maxsize=1024)  # legal actions, their texts and the showdown need it for the same hands
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
