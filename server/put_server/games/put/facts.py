"""Facts of Put that not everyone sees alike."""

from put_protocol.cards import Card
from put_protocol.games.put import (
    Discarded,
    Gave,
    TakenUp,
)
from put_protocol.games.unions import (
    Event,
)
from put_protocol.seats import GALLERY, Seat, Viewer
from put_server.games.facts import Fact
from put_server.games.hidden import Hidden
from put_server.games.put.state import Hands


class HandsTakenUp(Fact):
    """An accident is settled: each takes up their own hand."""

    __slots__ = ("_hands",)

    def __init__(self, hands: Hands) -> None:
        self._hands = hands

    def seen_by(self, viewer: Viewer) -> Event:
        hands = self._hands.unseal()
        return TakenUp(tuple(map(len, hands)), () if viewer == GALLERY else hands[viewer])


class CardGiven(Fact):
    """A card passed between partners: the two of them know it."""

    __slots__ = ("_card", "seat", "to")

    def __init__(self, seat: Seat, to: Seat, card: Hidden[Card]) -> None:
        self.seat = seat
        self.to = to
        self._card = card

    def seen_by(self, viewer: Viewer) -> Event:
        return Gave(self.seat, self.to, self._card.unseal() if viewer in (self.seat, self.to) else None)


class CardDiscarded(Fact):
    """A card thrown away: who threw it knows it."""

    __slots__ = ("_card", "seat")

    def __init__(self, seat: Seat, card: Hidden[Card]) -> None:
        self.seat = seat
        self._card = card

    def seen_by(self, viewer: Viewer) -> Event:
        return Discarded(self.seat, self._card.unseal() if viewer == self.seat else None)
