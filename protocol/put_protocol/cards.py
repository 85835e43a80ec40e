"""Cards and packs: the notation of a card, its place in the order of display, and every pack.

The notation is a rank and a letter for the suit: `3s`, `10h`, `Ad` of a French pack; `Kw`, `1o`, `21t` of a tarot pack,
where `t` is the suit of trumps and `0t` the Fool. No notation stands for two cards, so a card names its pack's kind.

`CARD_ORDER` has every known card, and is used to sort and check cards. A new kind of pack takes a few lines here.

In a blind deal the server cannot read most hands. A card that it cannot name is written as its place: `#17` is the card
at place 17 of the deal in play. This notation belongs to no pack and has no rank.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, NewType

from msgspec import Meta

Card = NewType("Card", str)
"""A card in its notation. Two cards are the same card iff their notation is the same."""

WireCard = Annotated[Card, Meta(min_length=2, max_length=4, description="a card, such as `3s`, `10h` or `21t`")]

SUITS = ("s", "h", "d", "c")
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
TRUMPS = "t"
FOOL = Card("0t")
LE_BASTELEUR = Card("1t")
LA_MORT = Card("13t")

_LONG_SUITS = ("w", "b")
"""Swords and batons: the 10 is the highest of the number cards."""
_ROUND_SUITS = ("u", "o")
"""Cups and coins: the 1 is the highest of the number cards (Dummett 1980, from the rules of 1659)."""
_PIPS = tuple(map(str, range(1, 11)))
_COURT = ("J", "C", "Q", "K")

TAROT_SUITS = _LONG_SUITS + _ROUND_SUITS

SUIT_NAMES = {
    "s": "spades",
    "h": "hearts",
    "d": "diamonds",
    "c": "clubs",
    "w": "swords",
    "b": "batons",
    "u": "cups",
    "o": "coins",
    "t": "trumps",
}
SUIT_SIGNS = {"s": "\u2660", "h": "\u2665", "d": "\u2666", "c": "\u2663"}
NAMED_RANKS = ("J", "C", "Q", "K", "A")

_PLACE = "#"


def place_card(place: int) -> Card:
    """The card at a place of a blind deal, which the server cannot name."""
    return Card(f"{_PLACE}{place}")


def place_of(card: Card) -> int | None:
    """The place that a card stands for; None: the card is named."""
    return int(card[1:]) if card.startswith(_PLACE) else None


def rank_of(card: Card) -> str:
    """The rank part: `10` of `10h`."""
    return card[:-1]


def suit_of(card: Card) -> str:
    """The suit letter: `h` of `10h`."""
    return card[-1]


def is_trump(card: Card) -> bool:
    """True if a card is one of the 21 trumps; the Fool is none."""
    return suit_of(card) == TRUMPS and card != FOOL


def roman(number: int) -> str:
    """A number from 1 to 39 in Roman numerals, as on a trump: `XXI`."""
    tens, ones = divmod(number, 10)
    return "X" * tens + ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")[ones]


def pack_of(ranks: tuple[str, ...]) -> tuple[Card, ...]:
    """Every French card of the given ranks, suit by suit, in the order the ranks are given."""
    return tuple(Card(rank + suit) for suit in SUITS for rank in ranks)


FULL_PACK: tuple[Card, ...] = pack_of(RANKS)
"""The 52 cards in their canonical order: suit by suit, each from the 2 to the ace."""

TAROT_PACK: tuple[Card, ...] = (
    FOOL,
    *(Card(rank + suit) for suit in _LONG_SUITS for rank in (*_PIPS, *_COURT)),
    *(Card(rank + suit) for suit in _ROUND_SUITS for rank in (*reversed(_PIPS), *_COURT)),
    *(Card(f"{number}{TRUMPS}") for number in range(1, 22)),
)
"""The 78 cards in their canonical order: the Fool; swords, batons, cups and coins, each from its lowest card to the
king; the trumps from I to XXI."""

CARD_ORDER: Mapping[Card, int] = {card: place for place, card in enumerate((*FULL_PACK, *TAROT_PACK))}
"""The place of every card in the canonical order, in which packs are shuffled and hands are laid out."""


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Cards of packs in their canonical order."""
    return tuple(sorted(cards, key=CARD_ORDER.__getitem__))


def _french(ranks: tuple[str, ...]) -> tuple[Card, ...]:
    return in_order(pack_of(ranks))


PACKS: Mapping[str, tuple[Card, ...]] = {
    "french-52": FULL_PACK,
    "french-40": _french(("A", "2", "3", "4", "5", "6", "7", "J", "Q", "K")),
    "put-32": _french(("2", "3", *RANKS[7:])),
    "put-28": _french(("2", "3", *RANKS[8:])),
    "truc-32": _french(("7", "8", "9", "10", "J", "Q", "K", "A")),
    "truc-28": _french(("6", "7", "10", "J", "Q", "K", "A")),
    "tarot-78": TAROT_PACK,
}
"""Every pack that a rule set plays with, by its name, in canonical order."""
