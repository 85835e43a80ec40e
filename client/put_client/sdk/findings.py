"""Findings of the checks: what does not hold, which deals are proved, and why others are not."""

from enum import StrEnum

from msgspec import Struct

from put_protocol.cards import Card
from put_protocol.seats import Seat


class Objection(Struct, frozen=True):
    """Something told of a deal or a game that does not hold."""

    says: str
    """A sentence for people, with the players' names."""
    deal: int = 0
    """The deal in play; 0: there was none."""


class Unproved(StrEnum):
    """The reason a deal is not proved, though nothing was found wrong with it."""

    PLAIN = "plain"
    """the server dealt it alone"""
    MISSED = "missed"
    """we came, or came back, in the middle of a hand that the server reads"""
    BLIND = "blind"
    """the cards are dealt blind, and what checks that is not installed"""
    PACK = "pack"
    """the game is not known here, so nobody can tell whether its pack is the right one"""


class DealSummary(Struct, frozen=True):
    """A deal that holders of keys shuffle, for the screen."""

    game: int
    """The number of the game under these keys at the table."""
    deal: int
    shufflers: tuple[Seat, ...] = ()
    """Seats that shuffled it, in order; each shuffle is proved."""
    awaited: tuple[Seat, ...] = ()
    is_read: bool = False
    """The rules have to see hands: the server can read every card, and choose none."""
    held: tuple[Seat, ...] = ()
    """Seats whose keys the server holds, and whose cards it can see."""
    cards: tuple[tuple[Card, Seat | None], ...] = ()
    """The viewer's own cards, and those that were shown, each with its player; None: it is turned up for all."""
    unseen: tuple[tuple[Seat, int], ...] = ()
    """Numbers of cards that the viewer did not see, by their players."""
    blamed: Seat | None = None
    """The seat because of which it was made anew."""
    is_ruling: bool = False
    """The server alone said so."""

    @property
    def key(self) -> int:
        """Its place among all deals of a sitting."""
        return self.game << 32 | self.deal


class Tally(Struct, frozen=True):
    """The deals of a sitting: every one is proved, or is not for a reason."""

    proved: int = 0
    unproved: tuple[tuple[Unproved, int], ...] = ()

    @property
    def dealt(self) -> int:
        """Deals of which cards were dealt."""
        return self.proved + sum(count for _, count in self.unproved)
