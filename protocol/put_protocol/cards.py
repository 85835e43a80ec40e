"""Cards and their notation: a rank and a letter for the suit, `3s`, `10h`, `Ad`."""

from typing import Annotated, NewType

from msgspec import Meta

Card = NewType("Card", str)
"""A card in its notation. Two cards are the same card iff their notation is the same."""

WireCard = Annotated[Card, Meta(min_length=2, max_length=4, description="a card, such as `3s`, `10h` or `Ad`")]

SUITS = ("s", "h", "d", "c")
SUIT_NAMES = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
SUIT_SIGNS = {"s": "\u2660", "h": "\u2665", "d": "\u2666", "c": "\u2663"}
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
RANK_NAMES = {"J": "knave", "Q": "queen", "K": "king", "A": "ace"}


def rank_of(card: Card) -> str:
    """The rank part: `10` of `10h`."""
    return card[:-1]


def suit_of(card: Card) -> str:
    """The suit letter: `h` of `10h`."""
    return card[-1]


def pack_of(ranks: tuple[str, ...]) -> tuple[Card, ...]:
    """Every card of the given ranks, suit by suit, in the order the ranks are given: a pack fresh from its wrapper."""
    return tuple(Card(rank + suit) for suit in SUITS for rank in ranks)


def name_of(card: Card) -> str:
    """The card as it is said aloud: `the 10 of hearts`, `the knave of clubs`."""
    rank = rank_of(card)
    return f"the {RANK_NAMES.get(rank, rank)} of {SUIT_NAMES.get(suit_of(card), suit_of(card))}"
