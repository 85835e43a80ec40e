"""The tarot pack as numbers, and the worth of a single card.

A card's number is its place in the canonical order: the Fool 0; swords, batons, cups and coins, each from its lowest
card; the trumps from I to XXI. Within a suit a better card has a greater number, and every trump has a greater number
than all other cards.
"""

from collections.abc import Mapping
from functools import cache

from put_protocol.cards import LA_MORT, TAROT_PACK, Card

NUMBERS: Mapping[Card, int] = {card: number for number, card in enumerate(TAROT_PACK)}
FOOL = 0
TRUMP = 57
"""The lowest trump."""
THE_DEATH = NUMBERS[LA_MORT]
NO_SUIT, TRUMPS = -1, 4
SUIT = (NO_SUIT, *[number // 14 for number in range(56)], *[TRUMPS] * 21)
"""Suit of each number: 0 to 3, `TRUMPS`, or `NO_SUIT` for the Fool."""

UNSEEN = 70
"""Number of cards that a player typically does not see; exact enough for the tables below."""


def beats(card: int, best: int) -> bool:
    """True if a card takes the trick from the best so far. Every card beats the Fool, which is never the best."""
    return card > best and (card >= TRUMP or best == FOOL or SUIT[card] == SUIT[best])


@cache
def standing(others: int, held: int) -> tuple[float, ...]:
    """Approximate chance of each card to take the trick as the best so far, if it is led or follows suit, and `others`
    players with `held` cards each play after it."""
    return tuple([_stands(card, held) ** others for card in range(78)])


def _stands(card: int, held: int) -> float:
    """Chance that one player has no card that beats it, or may not play such a card."""
    if card == FOOL:
        return 0.0
    if card >= TRUMP:
        return float((1 - (77 - card) / UNSEEN) ** held)
    higher = 13 - (card - 1) % 14
    none_higher = (1 - higher / UNSEEN) ** held
    void = (1 - (13 - higher) / (UNSEEN - higher)) ** held
    no_trump = (1 - 21 / (UNSEEN - 13)) ** held
    return float(none_higher * (1 - void * (1 - no_trump)))


@cache
def ruffing(others: int, held: int) -> tuple[float, ...]:
    """The same chance for a trump on another suit: other players must follow that suit if they can."""
    void = (1 - 13 / UNSEEN) ** held
    return tuple(
        [
            (1 - void * (1 - (1 - (77 - card) / UNSEEN) ** held)) ** others if card >= TRUMP else 0.0
            for card in range(78)
        ]
    )
