"""Steps of a deal: what each event does to the deals in play. Each event class declares its own steps.

The checks of deals, and the server's own bookkeeping, know no family of games. They read the cards that an event
`shows` and the steps of its `deal_steps`, in the event's order. A step contains only what every viewer of the event may
know.

Declarations are data: each `Step` names the event's fields from which the step's fields are copied. The page's checker
reads the same declarations from a table that `scripts/docs` writes.

How steps and cards go together: `HandsDealt` and `MoreDealt` are taken before the cards of the event are looked at,
because they say whose the places are. With `TurnedUp` the cards themselves are the steps. All other steps are taken
after the cards.
"""

from typing import Any

from msgspec import Struct

from put_protocol.cards import Card
from put_protocol.seats import Seat


class DealStep(Struct, frozen=True):
    """A step."""


class HandsDealt(DealStep, frozen=True):
    """The places of the hands were dealt, and a hand began."""

    counts: tuple[int, ...]
    """Cards of each seat."""


class MoreDealt(DealStep, frozen=True):
    """The next places of the pack were dealt."""

    to: tuple[Seat, ...]
    """The seat that got each card, in order."""


class TurnedUp(DealStep, frozen=True):
    """The shown cards are those of the next places, in order. They were turned up to find the first dealer."""


class AccidentTold(DealStep, frozen=True):
    """An accident happened in the dealing."""


class Gone(DealStep, frozen=True):
    """The shown cards left their hands for good."""


class PassedOn(DealStep, frozen=True):
    """A card moved from one hand to another."""

    seat: Seat
    to: Seat
    card: Card | None
    """None: hidden from the viewer."""


class LaidDown(DealStep, frozen=True):
    """A player discarded cards of their hand, unseen, and draws the same number."""

    seat: Seat
    count: int
    cards: tuple[Card, ...] = ()
    """The discarded cards that the viewer sees."""


class WentOut(DealStep, frozen=True):
    """These players are out of the hand; their cards are removed unseen."""

    seats: tuple[Seat, ...]


class StockRenewed(DealStep, frozen=True):
    """The discarded cards, and those of players who are out, become a new stock with its own pack."""

    count: int
    """Number of cards in the new stock."""


class HandOver(DealStep, frozen=True):
    """The hand is over; no more of its cards are shown."""


class CalledAfresh(DealStep, frozen=True):
    """The hand is redealt, this time without an accident."""


class GameClosed(DealStep, frozen=True):
    """A game, or one game of a rubber, is over."""


DealSteps = tuple[DealStep, ...]


class Step:
    """Declaration of a step: its kind, and where its fields come from."""

    __slots__ = ("_constant", "fields", "kind")

    def __init__(self, kind: type[DealStep], **fields: str | tuple[str, str]) -> None:
        """A text names a field of the event. Two texts name a seat and how often it is repeated."""
        self.kind = kind
        self.fields = fields
        self._constant = None if fields else kind()

    def of(self, event: object) -> DealStep:
        """The step of this event."""
        kind: Any = self.kind
        return self._constant or kind(**{name: _value(event, source) for name, source in self.fields.items()})


def _value(event: object, source: str | tuple[str, str]) -> Any:
    if isinstance(source, str):
        return getattr(event, source)
    seat, count = source
    return (getattr(event, seat),) * getattr(event, count)


HAND_OVER = (Step(HandOver),)


def is_draw(steps: DealSteps) -> bool:
    """True if cards are turned up to find the first dealer."""
    return any(isinstance(step, TurnedUp) for step in steps)


def begins_deal(steps: DealSteps) -> bool:
    """True if these are the first cards of a hand, or of a draw for the deal."""
    return any(isinstance(step, TurnedUp | HandsDealt) for step in steps)
