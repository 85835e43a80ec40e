"""The rules of a table of Primero: what it may choose, how the lobby offers it, and what a hand of four is worth."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from put_protocol.cards import PACKS, Card, rank_of, suit_of
from put_protocol.games.primero import Category
from put_protocol.offers import GameOffer, OptionOffer
from put_protocol.seats import Direction
from put_rules.game import OptionValue
from put_rules.prose import Gist, Line, with_prose

MOST_THROWN_IN = 3
"""Deals running that everyone may trade in. The source sets no limit; without one a hand need not end."""

CARDS_FIRST = 2
"""Dealt to each player before the first betting, and as many after it."""

PROSE = (
    Gist("40 cards: a pack without the 8s, 9s and 10s. Each player pays 1 into the pot and is dealt two cards."),
    Gist("In turn, from the dealer's right, each player bets, or trades one or both cards for new ones."),
    "After the first bet nobody may trade. If everyone trades, the same dealer deals again.",
    Gist(
        "After a bet the others are asked in turn: see it (pay as much), raise it (see it and bet more), or refuse it."
    ),
    Line("limit", {None: "No bet may be higher than {}, and no raise."}),
    Gist("If anybody takes a bet, by seeing or raising it, all who refused it are out of the hand."),
    "If nobody takes it, it goes back to its maker, who may raise no more in this round. The one before it stands.",
    "Only the very first bet of a hand must be taken: if all others refused it, the last player asked sees or raises.",
    Gist("Then each player still in is dealt two more cards, and has four."),
    Gist("The hands, from the lowest: Numerus, two or three cards of one suit, worth those cards."),
    Gist("Primero: a card of each suit, worth all four. Supremus: ace, 6 and 7 of one suit, worth 55."),
    Gist("Fluxus: four cards of one suit, worth all four. Chorus: four cards of one rank, worth all four."),
    "A 7 is worth 21, a 6 18, an ace 16, a 5 15, a 4 14, a 3 13, a 2 12, a king, queen or knave 10.",
    "A better category wins; in the same category more points win; equal hands: the nearest to the dealer's right.",
    'Who holds a Primero or a Fluxus may now call "vada": everyone shows at once, and the best hand takes the pot.',
    "Otherwise there is a second betting. On their first turn in it players announce the category of their hand.",
    "It may be higher than the hand, which is a bluff, but not lower. Nobody ever checks it.",
    "One exception: with a Chorus you may repeat a Primero, Supremus or Fluxus that somebody has announced.",
    "After announcing you bet or pass, or answer a bet. No bet has to be taken in this round.",
    Gist(
        "Last, each player may trade one or two cards, or stand. "
        "Then everyone still in shows, and the best takes the pot."
    ),
    "The deal passes to the right. For the first deal cards are turned up, and the first ace deals.",
    Line(
        "hands",
        {
            None: "A sitting is {} hands. Nobody wins it: what the purses gained and lost tells.",
            1: "A sitting is one hand.",
        },
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrimeroRules:
    """The terms that a table has chosen."""

    limit: int
    hands: int

    @classmethod
    def of(cls, options: Mapping[str, OptionValue]) -> "PrimeroRules":
        """Those among all options of a table, which must be given and valid."""
        return cls(limit=int(options["limit"]), hands=int(options["hands"]))


_OFFER = GameOffer(
    name="primero",
    title="Primero",
    source="Dafydd ap Gwystl in The Oak 5, after Parlett 1990",
    summary=(
        "Bet on two cards, then on four; announce a hand that you may not have; trade, show, and the best hand takes "
        "the pot. A bet that everyone refuses goes back to its maker."
    ),
    seats=(3, 4, 5, 6),
    options=(
        OptionOffer(name="hands", meaning="hands in a sitting", default=12, least=1, most=99),
        OptionOffer(name="limit", meaning="the highest bet, or raise", default=6, least=1, most=20),
    ),
    family="primero",
    direction=Direction.COUNTER_CLOCKWISE,
)

OFFER = with_prose(_OFFER, PROSE)
"""The way the lobby offers it."""


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
