"""Numbers that speak for an action, counted from what its player sees."""

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from put_protocol.seats import Seat


class Count(NamedTuple):
    """Numbers that a player can count of an action."""

    prize: str = "hand"
    """The hand, the pool, or the pot."""
    wins: float | None = None
    """Share of the deals that fit the view in which the prize is won, if the hand is played out."""
    above: int | None = None
    """Cards that the others may hold and that beat the one played; None: it is not about a card to be beaten."""
    of: int = 0
    """All cards that the others may hold."""
    worth: int = 0
    """The amount of a pot."""


Counter = Callable[[Any, Any, Seat, Random | None], Count]
"""Counts for an action in the view of a seat that is to move. The dice are for deals; None: cards alone are counted."""
