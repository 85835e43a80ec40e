"""Facts: what came of an input. A fact may hold secrets; what a viewer gets of it is an event, which cannot."""

from abc import ABC, abstractmethod

from put_protocol.cards import Card
from put_protocol.games.put import (
    Dealt,
)
from put_protocol.games.unions import (
    Event,
)
from put_protocol.seats import GALLERY, Seat, Viewer
from put_server.games.hidden import Hidden


class Fact(ABC):
    """Something that happened."""

    __slots__ = ()

    @abstractmethod
    def seen_by(self, viewer: Viewer) -> Event | None:
        """What this viewer sees of it; None: not even that it happened. There is no default, so none is forgotten."""


class Open(Fact):
    """A fact that everyone sees alike."""

    __slots__ = ("event",)

    def __init__(self, event: Event) -> None:
        self.event = event

    def seen_by(self, viewer: Viewer) -> Event:  # that is what open means
        return self.event


class HandsDealt(Fact):
    """Hands were dealt: each seat sees its own, the gallery none."""

    __slots__ = ("_hands", "counts", "dealer", "eldest", "hand")

    def __init__(self, *, hand: int, dealer: Seat, eldest: Seat, hands: Hidden[tuple[tuple[Card, ...], ...]]) -> None:
        self.hand = hand
        self.dealer = dealer
        self.eldest = eldest
        self.counts = tuple(map(len, hands.unseal()))
        self._hands = hands

    def seen_by(self, viewer: Viewer) -> Dealt:
        cards = () if viewer == GALLERY else self._hands.unseal()[viewer]
        return Dealt(hand=self.hand, dealer=self.dealer, eldest=self.eldest, counts=self.counts, cards=cards)
