"""The hand in play, as one viewer can account for its cards: its deals, and which cards may be in a renewed stock.

Mostly a hand has one deal. Where players draw from a stock that may run out, cards that came back are sealed again as a
deal of their own, and the deals before it stay in play beside it. Two facts make that checkable, though no player knows
where most of the cards are:

- Every card of the first pack is in a hand, being laid down by who draws, or in the new stock. How many there are of
  the first two kinds is public, so the size of the new stock is known; and every viewer knows of some cards, their own
  first, whether they must be in it or must not. A card that is left out needs one in its place that a player holds,
  and that player sees it.
- A card that is in the newest stock was in no hand when that was sealed. So the player who shows it drew it from
  there: a card belongs to the newest deal of the hand that has it.
"""

from collections import Counter

from put_protocol.cards import Card
from put_protocol.deal_steps import DealSteps, Gone, HandsDealt, LaidDown, MoreDealt, WentOut
from put_protocol.seal.findings import Unproved
from put_protocol.seal.proving import SealedDeal
from put_protocol.seats import Seat
from put_protocol.shown import Shown


class Hand:
    """One hand, from its seal until the next one's."""

    def __init__(self, unknown: Unproved | None = None) -> None:
        self.unknown = unknown
        """The reason a part of it is not known, so that what comes back in it cannot be checked; None: all is known."""
        self.beside: list[SealedDeal] = []
        """Its deals in play, the oldest first, but for the newest seal."""
        self._counts: Counter[Seat] = Counter()
        """Cards in each hand."""
        self._holders: dict[Card, Seat | None] = {}
        """Cards that the viewer saw, and who holds them."""
        self._back: set[Card] = set()
        """Cards that the viewer saw, and that no hand holds any more."""
        self._drawer: Seat | None = None
        """The player who laid cards down last."""
        self._laying: set[Card] = set()
        """Those that they lay down, as far as the viewer saw them, until they have drawn."""
        self._laid = 0
        """Their number."""
        self._owed = 0
        """Cards they have yet to draw."""

    def deal_of(self, card: Card, newest: SealedDeal) -> SealedDeal | None:
        """The newest deal that has a card; if none has, the oldest, or None where not all deals are known."""
        deals = (newest, *reversed(self.beside))
        for deal in deals:
            if card in deal.in_pack:
                return deal
        return None if self.unknown is not None else deals[-1]

    def note(self, shown: tuple[Shown, ...], steps: DealSteps) -> None:
        """An event of the hand: what it shows, and what it does."""
        for card, seat, _ in shown:
            self._holders[card] = seat
            self._back.discard(card)
        for step in steps:
            match step:
                case HandsDealt(counts=counts):
                    self._counts = Counter({Seat(seat): count for seat, count in enumerate(counts)})
                case MoreDealt(to=to):
                    self._counts.update(to)
                    self._draw(to)
                case LaidDown(seat=seat, count=count, cards=cards):
                    self._lay_down(seat, count, cards)
                case WentOut(seats=seats):
                    self._go_out(seats)
                case Gone():
                    for one in shown:
                        self._holders.pop(one.card, None)
                case _:
                    pass

    def _lay_down(self, seat: Seat, count: int, cards: tuple[Card, ...]) -> None:
        self._put_back()
        self._counts[seat] -= count
        self._drawer, self._laid, self._owed = seat, count, count
        self._laying = set(cards)
        for card in cards:
            self._holders.pop(card, None)

    def _draw(self, to: tuple[Seat, ...]) -> None:
        if self._drawer is None:
            return
        self._owed -= to.count(self._drawer)
        if self._owed <= 0:
            self._put_back()

    def _put_back(self) -> None:
        """The player who laid cards down has drawn as many, and no hand keeps them any more."""
        self._back |= self._laying
        self._laying = set()
        self._drawer, self._laid, self._owed = None, 0, 0

    def _go_out(self, seats: tuple[Seat, ...]) -> None:
        for seat in seats:
            del self._counts[seat]
        gone = [card for card, holder in self._holders.items() if holder in seats]
        for card in gone:
            del self._holders[card]
        self._back.update(gone)
        if self._drawer in seats:
            self._put_back()

    def may_renew(self, cards: tuple[Card, ...], to: tuple[Seat, ...]) -> bool:
        """True if these can be all the cards that came back, to be drawn by who has yet to draw."""
        if self.unknown is not None:
            return True
        if not self.beside or not self.beside[-1].is_exhausted or self._drawer is None:
            return False
        stock = set(cards)
        return (
            to == (self._drawer,) * self._owed
            and len(cards) == len(self.beside[0].cards) - self._counts.total() - self._laid
            and stock.isdisjoint(self._holders)
            and stock.isdisjoint(self._laying)
            and stock >= self._back
        )
