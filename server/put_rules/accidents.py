"""Accidents in the dealing, decided by a uniform number: the Laws of Put 1 to 5 (Enquire Within, 1856).

The number comes with the pack of a deal at a table with `misdeals`. It is spent in pieces, each of which leaves the
rest uniform (`UniformNumber`): whether there is an accident, by which of the five laws, who it befalls, and which card
of a hand it is.
"""

from typing import NamedTuple

from put_protocol.games.put import FACED_CARD
from put_protocol.seats import Seat

ANOTHERS_CARD, OWN_CARD, _, ANOTHER_HAS_MORE, DEALER_HAS_MORE = range(1, 6)
"""The accidents, by the number of their law; the third is `FACED_CARD`."""

LUCK = 2**64
"""A luck is below it."""


class Misdeal(NamedTuple):
    law: int
    seat: Seat
    """The player whose card is seen, or who has one too many; by law 3 the dealer."""
    card: int | None
    """The card of that hand, in the order dealt, that is seen or, where the hand has one too many, is to be drawn;
    None: the first card of the stock."""


class UniformNumber:
    """A uniform number below a size, spent in pieces."""

    def __init__(self, value: int, size: int) -> None:
        self._value = value
        self._size = size

    def is_less_than(self, share: int, whole: int) -> bool:
        """True once in whole / share; what is left of the number is uniform again."""
        limit = self._size * share // whole
        if self._value < limit:
            self._size = limit
            return True
        return False

    def below(self, count: int) -> int:
        """0 to count - 1, each as likely."""
        found, self._value = divmod(self._value * count, self._size)
        return found


def misdeal(
    chance: UniformNumber, percent: int, *, dealer: Seat, adversaries: tuple[Seat, ...], cards_each: int
) -> Misdeal | None:
    """The accident of a deal, if it has one. By the laws 4 and 5 one of `cards_each` + 1 cards is to be drawn."""
    if not chance.is_less_than(percent, 100):
        return None
    law = 1 + chance.below(5)
    is_dealers = law in (OWN_CARD, FACED_CARD, DEALER_HAS_MORE)
    seat = dealer if is_dealers else adversaries[chance.below(len(adversaries))]
    if law == FACED_CARD:
        return Misdeal(law, seat, None)
    return Misdeal(law, seat, chance.below(cards_each + (law in (ANOTHER_HAS_MORE, DEALER_HAS_MORE))))
