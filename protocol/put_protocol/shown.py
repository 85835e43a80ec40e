"""Cards that an event shows, and who holds them: each event says so itself.

Nothing is inferred from the name or the type of a field. `Sealed.cards` lists what a pack is made of and shows no
card, though it is a tuple of cards like that of `Dealt`. So every event defines `shows`, or inherits it from
`ShowsNoCard`; an event without it does not type-check where events are taken.
"""

from typing import NamedTuple

from msgspec import Struct

from put_protocol.cards import Card
from put_protocol.deal_steps import DealSteps
from put_protocol.seats import GALLERY, Seat, Viewer


class Shown(NamedTuple):
    """A card that an event shows."""

    card: Card
    seat: Seat | None
    """Who holds it; None: nobody does, because it lay in the pack, or because no honest event says so."""
    is_own: bool = False
    """It is of the viewer's hand, as dealt to them."""


class ShowsNoCard(Struct, frozen=True):
    """An event that shows no card to anybody."""

    def shows(self, viewer: Viewer) -> tuple[Shown, ...]:
        """Every card that the event shows to this viewer, in its order."""
        return ()

    def deal_steps(self) -> DealSteps:
        """What the event does to the deals in play, in its order."""
        return ()


def own_hand(cards: tuple[Card, ...], viewer: Viewer) -> tuple[Shown, ...]:
    """The viewer's hand. The gallery has none, so a card that it is shown as its own is nobody's."""
    seat = None if viewer == GALLERY else viewer
    return tuple([Shown(card, seat, is_own=True) for card in cards])
