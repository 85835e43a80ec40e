"""A family of games on the wire: what its module in this package declares once, for every program that plays it."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from msgspec import Struct

from put_protocol.cards import Card
from put_protocol.seats import Direction, Seat, Viewer
from put_protocol.shown import WireEvent


class WireAction(Struct, frozen=True, gc=False):
    """An action of a family."""

    IS_UNSEEN: ClassVar[bool] = False
    """It names cards that the other players do not see."""
    TOLD_BY: ClassVar[str] = ""
    """Tag of the event by which it is told, for checkers of who signed what; empty: none is compared with it."""


class WireView(Struct, frozen=True, gc=False):
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


class Family(NamedTuple):
    """One family, as its module in this package defines it."""

    name: str
    """The tag of its view, too."""
    view: type[WireView]
    events: tuple[type[WireEvent], ...]
    actions: tuple[type[WireAction], ...]
    moment: type[StrEnum]
    """The decisions a seat to move can be asked for."""
    apply_event: Callable[[Any, Any, Viewer], Any]
    """The viewer's view after an event of the family."""
    mover_of: Callable[[object], Seat | None]
    """The seat whose move brought an event, the first of those told together; None: no seat's, or it does not say."""
    opening_of: Callable[[Any], Any]
    """Any view of a game as it was before anything happened."""
    direction: Direction = Direction.CLOCKWISE
    """The direction in which its games are played."""
    has_winner: bool = True
    """A game has winners; else the purses tell, after a sitting."""
    numbers: Mapping[str, tuple[int, int]] = {}
    """The least and the most of numbers of its view, by field, for the environments."""
    place: int = 100
    """Its place among the families, wherever they are listed; those of one place are in the order of their names."""
