"""A pack and all that follows from its cards, made once for all tables that play with it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from put_protocol.cards import Card, pack_of
from put_protocol.games.put import (
    Discard,
    Play,
)
from put_server.games.put.tricks import strengths


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck:
    """The cards of a game. At a table each would cost more memory than the rest of it."""

    cards: tuple[Card, ...]
    """Unshuffled."""
    pack: frozenset[Card]
    strength: Mapping[Card, int]
    plays: Mapping[Card, Play]
    """The action that plays each."""
    discards: Mapping[Card, Discard]
    """The action that throws each away."""


@cache
def deck_of(ranking: tuple[str, ...]) -> Deck:
    """The deck of these ranks, best first, in four suits."""
    cards = pack_of(ranking)
    return Deck(
        cards=cards,
        pack=frozenset(cards),
        strength=strengths(ranking, cards),
        plays={card: Play(card) for card in cards},
        discards={card: Discard(card) for card in cards},
    )
