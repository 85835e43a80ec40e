"""Tricks as a view shows them, for every family in which cards are played to tricks."""

from msgspec import Struct

from put_protocol.cards import WireCard
from put_protocol.seats import Seat


class TrickView(Struct, frozen=True, omit_defaults=True):
    """Cards played to one trick, in the order they were played."""

    seats: tuple[Seat, ...] = ()
    """Each player who played."""
    cards: tuple[WireCard, ...] = ()
    """The card that each of them played."""
    winner: Seat | None = None
    """None also for a tied trick, and for one not yet complete."""
