"""Results of the checks: faults, proved deals, and reasons why deals are not proved."""

from enum import StrEnum

from msgspec import Struct

from put_protocol.cards import Card
from put_protocol.seats import Seat


class Objection(Struct, frozen=True):
    """A fault in a deal or a game."""

    says: str
    """A sentence for people, with the players' names."""
    deal: int = 0
    """Number of the deal in play; 0: there was none."""


class Unproved(StrEnum):
    """Reason why a deal is not proved, although no fault was found."""

    PLAIN = "plain"
    """the server dealt it alone"""
    MISSED = "missed"
    """we came, or came back, during a hand that the server reads"""
    BLIND = "blind"
    """it was dealt blind, and the code for checks is not installed"""
    PACK = "pack"
    """the game is unknown here, so its pack cannot be checked"""


class DealSummary(Struct, frozen=True):
    """A deal shuffled by holders of keys, for the screen."""

    game: int
    """Number of the game of these keys at the table."""
    deal: int
    shufflers: tuple[Seat, ...] = ()
    """Seats that shuffled it, in order, with proofs."""
    awaited: tuple[Seat, ...] = ()
    is_read: bool = False
    """The rules must see hands: the server can read every card, but cannot choose any."""
    held: tuple[Seat, ...] = ()
    """Seats whose keys the server holds; it can see their cards."""
    cards: tuple[tuple[Card, Seat | None], ...] = ()
    """The viewer's own cards and shown cards, each with its player; None: turned up for all."""
    unseen: tuple[tuple[Seat, int], ...] = ()
    """Number of unseen cards of each player."""
    blamed: Seat | None = None
    """Seat that caused the repetition of the deal."""
    is_ruling: bool = False
    """Based only on the server's word."""

    @property
    def key(self) -> int:
        """Sort key among all deals of a sitting."""
        return self.game << 32 | self.deal


class Tally(Struct, frozen=True):
    """Deals of a sitting: each is proved, or unproved for a reason."""

    proved: int = 0
    unproved: tuple[tuple[Unproved, int], ...] = ()

    @property
    def dealt(self) -> int:
        """Number of deals with dealt cards."""
        return self.proved + sum(count for _, count in self.unproved)
