"""Parts of blind deals that players missed, and the hands that they lose for them.

A player who misses a part owes a hand: the next one that comes into play and in which they have a turn. The server
keeps this account, and each client keeps it too, so that it can check who loses which hand.
"""

from typing import Final

from msgspec import Struct

from put_protocol.seats import Seat

MISSES: Final = 2
"""Parts a player may miss in a row, with no deal coming into play between; with the last they lose their seat."""


class Misses(Struct, gc=False):
    """Parts of blind deals that a seat missed in a game, or did wrongly. The fields are those of the journal."""

    missed: int = 0
    running: int = 0
    """Parts missed since the last deal that came into play."""
    owes: int = 0
    """Hands that the seat must still lose for missed parts."""
    loses_hand: bool = False
    """True if the seat loses the hand in play."""
    turns: int = 0
    """Turns in this hand that timed out at once."""

    @property
    def is_dismissed(self) -> bool:
        return self.running >= MISSES


class MissedParts(dict[Seat, Misses]):
    """Misses in the game in play, or the last one, by seat."""

    def note_miss(self, seat: Seat) -> Misses:
        """Note that a seat did not do its part of a deal, or did it wrongly."""
        misses = self.setdefault(seat, Misses())
        misses.missed += 1
        misses.running += 1
        misses.owes += 1
        return misses

    def note_play(self, *, is_draw: bool) -> None:
        """Note that a deal came into play: for a hand, its stock, or a draw. A seat loses no hand in a draw."""
        for misses in self.values():
            misses.running = 0
            misses.loses_hand = misses.loses_hand or (misses.owes > 0 and not is_draw)

    def loses_hand(self, seat: Seat) -> bool:
        return seat in self and self[seat].loses_hand

    def lose_turn(self, seat: Seat) -> bool:
        """True if the seat loses the hand in play, and therefore this turn."""
        is_lost = self.loses_hand(seat)
        if is_lost:
            self[seat].turns += 1
        return is_lost

    def note_hand_over(self) -> None:
        """Note the end of a hand. A seat without a turn in it has lost nothing: it still owes a hand."""
        for misses in self.values():
            misses.owes -= misses.turns > 0
            misses.loses_hand, misses.turns = False, 0
