"""The hand in play of a deal that the server reads, with the possible places of each card.

The server knows the whole pack, but cannot choose it, so its word is not trusted: a shown card must be opened by the
shares of all seats, at a place that was dealt to the player who shows it. Places are dealt in order. A renewed stock is
a separate deal, shuffled by all, of the cards that came back.
"""

from collections import Counter

from put_protocol.blind.deal import READ, Deal
from put_protocol.blind_events import OpenedPlace
from put_protocol.cards import Card
from put_protocol.deal_steps import DealStep, Gone, HandsDealt, LaidDown, MoreDealt, PassedOn, StockRenewed, WentOut
from put_protocol.errors import ProofError
from put_protocol.seats import Seat
from put_protocol.shown import Shown


class NotDealt(Exception):
    """The end of a sentence about a deal."""


class ReadHand:
    """One hand, from its first deal."""

    def __init__(self, deal: Deal) -> None:
        self._deals = [deal]
        """Deals with dealt cards, the oldest first."""
        self._owner_of_place: dict[tuple[int, int], Seat] = {}
        self._next_place = 0
        self._opened: dict[Card, tuple[int, int]] = {}
        """Cards proved for the next events, by the number of their deal and the place."""
        self._passed: Counter[tuple[Seat, Seat]] = Counter()
        """Cards that moved unseen from one hand to another."""
        self._counts: Counter[Seat] = Counter()
        self._laid = 0
        """Cards that the drawing player is laying down."""
        self._seen_holder: dict[Card, Seat] = {}

    def open(self, places: tuple[OpenedPlace, ...], newest: Deal) -> None:
        """:raises NotDealt: a place is not opened by the shares of all seats that took part."""
        deals = {deal.number: deal for deal in (*self._deals, newest)}
        self._opened = {}
        for one in places:
            deal = deals.get(one.deal)
            try:
                card = None if deal is None else deal.opened_by(one.place, one.shares)
            except ProofError:
                card = None
            if card is None:
                raise NotDealt("a card was opened by wrong shares")
            self._opened[card] = one.deal, one.place

    def check(self, shown: tuple[Shown, ...], steps: tuple[DealStep, ...], newest: Deal) -> None:
        """Check an event of the hand. `newest`: the last deal in the transcript.

        :raises NotDealt: it shows a card that was not dealt so.
        """
        for step in steps:
            match step:
                case HandsDealt(counts=counts):
                    self._deal_hands(counts)
                case MoreDealt(to=to):
                    self._deal_more(to)
                case StockRenewed(count=count):
                    self._renew(count, newest)
                case _:
                    pass
        for one in shown:
            self._check_card(one)
        for step in steps:
            self._take(step, shown)

    def _deal_hands(self, counts: tuple[int, ...]) -> None:
        deal = self._deals[0]
        if self._owner_of_place or counts != deal.counts:
            raise NotDealt("it was told to other players than it was dealt to")
        owners = tuple([owner for owner in deal.owners[: sum(counts)] if owner is not None])
        if READ in owners:
            raise NotDealt("its places were not dealt in order")
        self._deal_more(owners)

    def _deal_more(self, to: tuple[Seat, ...]) -> None:
        deal = self._deals[-1]
        for seat in to:
            if self._next_place >= len(deal.cards) or deal.owners[self._next_place] not in (READ, seat):
                raise NotDealt("more cards were dealt than are in the pack, or to others")
            self._owner_of_place[deal.number, self._next_place] = seat
            self._next_place += 1
        self._counts.update(to)

    def _renew(self, count: int, newest: Deal) -> None:
        if not newest.is_stock or newest.number in [deal.number for deal in self._deals] or not newest.is_shared:
            raise NotDealt("the stock was renewed, and nobody shuffled it")
        held = self._counts.total() + self._laid
        has_more = self._next_place < len(self._deals[-1].cards)
        is_all = count == len(newest.cards) == len(self._deals[0].cards) - held
        if has_more or not is_all or any(card in newest.cards for card in self._seen_holder):
            raise NotDealt("the stock was renewed with other cards than came back")
        self._deals.append(newest)
        self._next_place = 0

    def _check_card(self, one: Shown) -> None:
        """Check that the card is at a place of its holder, or was passed on to them."""
        at = self._opened.get(one.card)
        owner = None if at is None else self._owner_of_place.get(at)
        if at is None or owner is None or one.seat is None:
            raise NotDealt("")
        if owner != one.seat:
            if not self._passed[owner, one.seat]:
                raise NotDealt("")
            self._passed[owner, one.seat] -= 1
            self._owner_of_place[at] = one.seat
        self._seen_holder[one.card] = one.seat

    def _take(self, step: DealStep, shown: tuple[Shown, ...]) -> None:
        match step:
            case PassedOn(seat=seat, to=to):
                self._passed[seat, to] += 1
            case LaidDown(seat=seat, count=count, cards=cards):
                self._counts[seat] -= count
                self._laid = count
                for card in cards:
                    self._seen_holder.pop(card, None)
            case MoreDealt():
                self._laid = 0
            case WentOut(seats=seats):
                for seat in seats:
                    self._counts.pop(seat, None)
                self._seen_holder = {card: seat for card, seat in self._seen_holder.items() if seat not in seats}
            case Gone():
                for one in shown:
                    self._seen_holder.pop(one.card, None)
            case _:
                pass
