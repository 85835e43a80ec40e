"""A family of games on the wire: its module in this package declares it once, for every program."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from msgspec import Struct

from put_protocol import deal_steps
from put_protocol.cards import Card, WireCard
from put_protocol.deal_steps import Step
from put_protocol.seats import Direction, Seat, Viewer
from put_protocol.shown import Shows, WireEvent


class WireAction(Struct, frozen=True, gc=False, tag_field="do"):
    """An action of a family."""

    IS_UNSEEN: ClassVar[bool] = False
    """The action names cards that the other players do not see."""
    TOLD_BY: ClassVar[str] = ""
    """Tag of the event that reports this action, to check signatures; empty: no event is compared with it."""


class WireView(Struct, frozen=True, omit_defaults=True, gc=False, tag_field="view"):
    """A game of a family as one viewer sees it."""

    if TYPE_CHECKING:  # fields of every view; each family declares them in an order of its own

        @property
        def to_move(self) -> Seat | None: ...
        @property
        def moment(self) -> Any: ...
        @property
        def counts(self) -> tuple[int, ...]: ...
        @property
        def cards(self) -> tuple[Card, ...]: ...


class SittingView(WireView, frozen=True, omit_defaults=True):
    """A game of hands between the same players, without a winner: the purses count. Each family declares the fields."""

    if TYPE_CHECKING:

        @property
        def gains(self) -> tuple[int, ...]: ...
        @property
        def hand(self) -> int: ...


class TurnedUp(WireEvent, frozen=True):
    """Cards were turned up one at a time, until one found the dealer."""

    seats: tuple[Seat, ...]
    """The player before whom each card was turned up."""
    cards: tuple[WireCard, ...]
    """The cards, in that order; the last found the dealer."""
    dealer: Seat
    """The player who got that card, and deals first."""

    SHOWS = Shows(cards="cards", by="seats")
    STEPS = (Step(deal_steps.TurnedUp),)


class Family(NamedTuple):
    """One family, as its module in this package defines it."""

    name: str
    """Name of the family, and the tag of its view."""
    view: type[WireView]
    events: tuple[type[WireEvent], ...]
    actions: tuple[type[WireAction], ...]
    moment: type[StrEnum]
    """The decisions a seat to move can be asked for."""
    apply_event: Callable[[Any, Any, Viewer], Any]
    """The viewer's view after an event of the family; it gets the view without a turn."""
    mover_of: Callable[[object], Seat | None]
    """The seat whose move caused an event, given the first event of its message; None: no seat, or unknown."""
    opening_of: Callable[[Any], Any]
    """The view at the start of the game, made from any view of it."""
    direction: Direction = Direction.CLOCKWISE
    """The direction in which its games are played."""
    has_winner: bool = True
    """False: a game has no winner, and the purses after a sitting count."""
    numbers: Mapping[str, tuple[int, int]] = {}
    """Lowest and highest value of numeric fields of the view, for the environments."""
    place: int = 100
    """Sort key of the family in lists; equal ones sort by name."""
