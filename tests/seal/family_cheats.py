"""Dealers who cheat at Primero and Triomphe Forcée, each in one way. What becomes of them is in test_attacks."""

from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from put_protocol import seal_events
from put_protocol.cards import Card, in_order
from put_protocol.seal.packs import Sealing
from put_protocol.seats import Seat, Viewer
from tests.seal.cheats import forged
from tests.seal.family_tables import Place, PrimeroTable, Told, TriompheTable


class PrimeroCheat(PrimeroTable):
    """Six play, so that the stock runs out."""

    def __init__(self, rng: Random, *, seats: int = 6, misdeals: int = 0) -> None:
        super().__init__(rng, seats=6)


class DealsMoreToTheNext(PrimeroCheat):
    """In the second dealing each gets what was to go to the next."""

    def more_places(self, count: int) -> list[Place]:
        first, *others = super().more_places(count)
        return [*others, first]


class DrawsALaterCard(PrimeroCheat):
    """It passes over a card of the stock that it does not like."""

    def drawn_places(self, count: int) -> list[Place]:
        return [Place(place.deal, min(place.slot + 1, len(self.cards) - 1)) for place in super().drawn_places(count)]


class DrawsBackWhatIsLaidDown(PrimeroCheat):
    """Who draws gets the cards that they lay down."""

    laid: Sequence[Place] = ()

    def tell_one(self, seat: Seat, places: Sequence[Place], event: Told) -> None:
        self.laid = places
        super().tell_one(seat, places, event)

    def drawn_places(self, count: int) -> list[Place]:
        super().drawn_places(count)
        return list(self.laid[:count])


class LeavesACardOut(PrimeroCheat):
    """A card that came back is not in the new stock."""

    def stock_cards(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return cards[1:]


class ExchangesACard(PrimeroCheat):
    """In place of a card that came back one is in the new stock that the first seat holds."""

    def stock_cards(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return in_order((*cards[1:], *self.cards_at(self.held[Seat(0)][:1])))


class AddsAStrangeCard(PrimeroCheat):
    """In the new stock is an eight, which the pack does not have."""

    def stock_cards(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return in_order((*cards[1:], Card("8s")))


class TellsWhoLaidThemAway(PrimeroCheat):
    """The cards of the new stock are listed in the order in which they came back."""

    def stock_cards(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return (*cards[1:], cards[0])


class RenewsTooEarly(PrimeroCheat):
    """It does not like what is left of the stock."""

    @property
    def is_exhausted(self) -> bool:
        return self.stock < 4


class SealsTheStockForAnother(PrimeroCheat):
    """The new stock is sealed for the next player, and drawn from by who draws."""

    def seal_stock(self, seat: Seat, owed: int) -> bool:
        return super().seal_stock(Seat((seat + 1) % 6), owed)


class TellsAnotherCount(PrimeroCheat):
    """It says that there is a card more in the stock than it has sealed."""

    def stock_told(self) -> int:
        return super().stock_told() + 1


class RenewsWithoutASeal(PrimeroCheat):
    """It shuffles the new stock itself."""

    def seal_stock(self, seat: Seat, owed: int) -> bool:
        return True


class ShowsAnothersHand(PrimeroCheat):
    """At the showdown the first seat shows what the second holds, and the second what the first does."""

    def shown_places(self, seat: Seat) -> list[Place]:
        return self.held[Seat(1 - seat)] if seat < 2 else self.held[seat]


class TriompheCheat(TriompheTable):
    """Four play."""

    def __init__(self, rng: Random, *, seats: int = 4, misdeals: int = 0) -> None:
        super().__init__(rng, seats=4)


class AddsATrump(TriompheCheat):
    """It plays with a trump more than there are."""

    def seal_for(self, viewer: Viewer, sealed: seal_events.Sealed) -> seal_events.Sealed:
        return replace(sealed, cards=(*sealed.cards, Card("22t")))


class RepeatsATrump(TriompheCheat):
    """One of its packs, whichever, has trump XXI twice and no Fool."""

    def sealed_packs(self) -> Sealing:
        packs = list(super().sealed_packs().packs)
        bad = self.rng.randrange(2)
        packs[bad] = forged(self, bad, tuple([Card("21t") if card == "0t" else card for card in packs[bad].cards]))
        return Sealing(packs=(packs[0], packs[1]))


class ShowsAnothersMort(TriompheCheat):
    """La Mort is shown by somebody who was not dealt it."""

    def mort(self) -> tuple[Seat, Place]:
        seat, place = super().mort()
        return Seat((seat + 1) % 4), place


class TurnsUpOutOfOrder(TriompheCheat):
    """Cards are turned up for the first dealer in another order than they lie in."""

    def plain_hand(self) -> None:
        self.draw_for_deal()

    def turned_up(self) -> tuple[tuple[Seat, ...], list[Place]]:
        seats, places = super().turned_up()
        return seats, places[::-1]


class TurnsUpFromAnotherSeat(TurnsUpOutOfOrder):
    """It begins to turn up cards with the second seat."""

    def turned_up(self) -> tuple[tuple[Seat, ...], list[Place]]:
        seats, places = TriompheTable.turned_up(self)
        return (*seats[1:], Seat((seats[-1] + 1) % 4)), places
