"""Tricks as a view shows them, for every family in which cards are played to tricks."""

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from put_protocol import deal_steps
from put_protocol.cards import Card, WireCard
from put_protocol.deal_steps import Step
from put_protocol.seats import Seat, added
from put_protocol.shown import SeatEvent, Shows, WireEvent


class CardPlayed(SeatEvent, frozen=True):
    """A card was led or played."""

    card: WireCard
    leads: bool = False
    """It is the first card of its trick."""

    SHOWS = Shows(cards="card", by="seat")
    STEPS = (Step(deal_steps.Gone),)


class TrickOver(WireEvent, frozen=True):
    """A trick is complete and laid aside. Each family declares the fields, in an order of its own."""

    if TYPE_CHECKING:

        @property
        def winner(self) -> Seat | None: ...


class TrickView(Struct, frozen=True, omit_defaults=True, gc=False):
    """Cards played to one trick, in the order they were played."""

    seats: tuple[Seat, ...] = ()
    """Players who played."""
    cards: tuple[WireCard, ...] = ()
    """The card that each of them played."""
    winner: Seat | None = None
    """None: the trick was tied, or is not complete."""


def with_card_played(view: Any, seat: Seat, card: Card) -> Any:
    trick = TrickView((*view.trick.seats, seat), (*view.trick.cards, card))
    cards = tuple([held for held in view.cards if held != card])
    return replace(view, trick=trick, cards=cards, counts=added(view.counts, seat, -1))


def with_trick_ended(view: Any, winner: Seat | None, tricks: tuple[int, ...]) -> Any:
    past = (*view.past, replace(view.trick, winner=winner))
    return replace(view, trick=TrickView(), past=past, tricks=tricks)
