"""The packs a table's deals must be sealed as, by its rule set and options: a table is held to what it says it plays.

A server that says 52 cards and seals 28 proves every card that it shows. So a client knows the packs of the games that
it knows by name; of any other it says that nobody can tell.
"""

from collections.abc import Mapping
from typing import NamedTuple

from put_protocol.cards import FULL_PACK, RANKS, Card


class SealTerms(NamedTuple):
    """The terms."""

    cards: tuple[Card, ...]
    """Of the pack, in canonical order."""
    late: bool
    """Whether what others play is proved when the hand is over: where partners give each other cards."""
    misdeals: int
    """The chance of an accident, in hundredths."""


_SHORT = {28: RANKS[8:], 32: RANKS[7:]}
"""Ranks that a short pack of Put leaves in, beside the 2 and the 3 that every pack has."""

_OF_TRUC = {"french": ("7", "8", "9", "10", "J", "Q", "K", "A"), "printed": ("6", "7", "10", "J", "Q", "K", "A")}

_PUT = frozenset({"put-1674", "put-1800", "put-partners", "put-parlett", "put-tavern"})


def terms_of(game: str, options: Mapping[str, str | int]) -> SealTerms | None:
    """The terms of a rule set under these options; None: it, or its pack, is not known here."""
    ranks = _ranks(game, options)
    if ranks is None:
        return None
    misdeals = options.get("misdeals", 0)
    cards = tuple([card for card in FULL_PACK if card[:-1] in ranks])
    return SealTerms(cards, game == "put-partners", misdeals if isinstance(misdeals, int) else 0)


def _ranks(game: str, options: Mapping[str, str | int]) -> tuple[str, ...] | None:
    if game == "truc":
        return _OF_TRUC.get(str(options.get("ranking", "french")))
    if game not in _PUT:
        return None
    pack = options.get("pack", 52)
    if pack == len(FULL_PACK):
        return RANKS
    return ("2", "3", *_SHORT[pack]) if isinstance(pack, int) and pack in _SHORT else None
