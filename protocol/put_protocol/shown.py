"""Cards that an event shows, and who holds them.

Nothing is inferred from the name or the type of a field. An event that shows cards declares `SHOWS`.
"""

from typing import ClassVar, NamedTuple

from msgspec import Struct

from put_protocol.cards import Card
from put_protocol.deal_steps import DealSteps, Step
from put_protocol.seats import GALLERY, Seat, Viewer


class Shown(NamedTuple):
    """A card that an event shows."""

    card: Card
    seat: Seat | None
    """The player who holds it. None: it lay in the pack, or the event is malformed."""
    is_own: bool = False
    """It was dealt to the viewer."""


class Shows(Struct, frozen=True, omit_defaults=True):
    """Declaration of the cards that an event shows, by the names of its fields."""

    cards: str = ""
    """A card, or cards."""
    hands: str = ""
    """Hands, each with a seat and its cards."""
    by: str = ""
    """The seat that holds the cards, or a seat for each card; empty: the viewer."""
    is_dealt: bool = False
    """The cards were dealt to that seat."""
    loose_if: tuple[str, int] | None = None
    """The cards lay in the pack if this field has this value. No player holds them."""

    def of(self, event: object, viewer: Viewer) -> tuple[Shown, ...]:
        if self.hands:
            return tuple([Shown(card, hand.seat) for hand in getattr(event, self.hands) for card in hand.cards])
        cards = self.cards_in(event)
        if not cards:
            return ()
        if not self.by:
            # The gallery has no hand, so a card shown to it as its own belongs to no player.
            seat = None if viewer == GALLERY else viewer
            return tuple([Shown(card, seat, is_own=True) for card in cards])
        holder = getattr(event, self.by)
        if isinstance(holder, tuple):
            return tuple([Shown(card, seat) for seat, card in zip(holder, cards, strict=False)])
        if self.loose_if is not None and getattr(event, self.loose_if[0]) == self.loose_if[1]:
            holder = None
        is_own = self.is_dealt and holder == viewer
        return tuple([Shown(card, holder, is_own) for card in cards])

    def cards_in(self, event: object) -> tuple[Card, ...]:
        """The shown cards, without their holders."""
        if self.hands:
            return tuple([card for hand in getattr(event, self.hands) for card in hand.cards])
        found = getattr(event, self.cards)
        return found if isinstance(found, tuple) else () if found is None else (found,)


OWN_HAND = Shows(cards="cards")


class WireEvent(Struct, frozen=True, gc=False, tag_field="event"):
    """An event that declares which cards it shows, and what it does to a deal."""

    SHOWS: ClassVar[Shows | None] = None
    STEPS: ClassVar[tuple[Step, ...]] = ()

    def shows(self, viewer: Viewer) -> tuple[Shown, ...]:
        """Every card that the event shows to this viewer, in order."""
        return () if self.SHOWS is None else self.SHOWS.of(self, viewer)

    def deal_steps(self) -> DealSteps:
        """Steps of the deals in play, in the event's order."""
        return tuple([one.of(self) for one in self.STEPS]) if self.STEPS else ()


class SeatEvent(WireEvent, frozen=True):
    """An event about a player, or caused by one."""

    seat: Seat
