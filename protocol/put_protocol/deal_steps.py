"""Steps of a deal: what each event does to the deals in play. Each event class declares its own steps.

The checks of deals, and the server's own bookkeeping, know no family of games. They read the cards that an event
`shows` and the steps of its `deal_steps`, in the event's order. A step contains only what every viewer of the event may
know.

Declarations are data: each `Step` names the event's fields from which the step's fields are copied. The page's checker
reads the same declarations from a table that `scripts/docs` writes.

How steps and cards go together: `HandsDealt`, `MoreDealt`, `AccidentTold` and `ExtraTaken` are taken before the cards
of the event are looked at, because they say whose the slots are. With `TurnedUp` the cards themselves are the steps.
All other steps are taken after the cards.
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
    """The next slots of the pack were dealt."""

    to: tuple[Seat, ...]
    """The seat that got each card, in order."""


class TurnedUp(DealStep, frozen=True):
    """The shown cards are those of the next slots, in order. Each was turned up before a seat (`shows`) or in the
    pack."""

    is_draw: bool = True
    """The cards were turned up to find the first dealer; False: one card lay face up in the pack."""
    in_turn: bool = False
    """The cards go round the players as often as needed."""


class AccidentTold(DealStep, frozen=True):
    """An accident happened in the dealing."""

    law: int
    seat: Seat
    card: Card | None


class ExtraTaken(DealStep, frozen=True):
    """A card too many was removed, unseen, from a hand and from play."""

    seat: Seat


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


class DrawDecided(DealStep, frozen=True):
    """The first dealer is found."""


class HandOver(DealStep, frozen=True):
    """The hand is over; no more of its cards are shown."""


class CalledAfresh(DealStep, frozen=True):
    """The hand is redealt, this time without an accident."""


class GameClosed(DealStep, frozen=True):
    """A game, or one game of a rubber, is over."""


DealSteps = tuple[DealStep, ...]


class Step:
    """Declaration of a step: its kind, and where its fields come from."""

    __slots__ = ("_constant", "fields", "kind", "when")

    def __init__(
        self, kind: type[DealStep], *, when: tuple[str, int] | None = None, **fields: str | tuple[str, str] | bool
    ) -> None:
        """A text names a field of the event. Two texts name a seat and how often it is repeated. Other values are
        constants. `when`: take the step only if this field of the event has this value."""
        self.kind = kind
        self.fields = fields
        self.when = when
        is_constant = all(isinstance(value, bool) for value in fields.values())
        self._constant: DealStep | None = kind(**fields) if is_constant else None

    def of(self, event: object) -> DealStep | None:
        """The step of this event; None: no step."""
        if self.when is not None and getattr(event, self.when[0]) != self.when[1]:
            return None
        if self._constant is not None:
            return self._constant
        kind: Any = self.kind
        step: DealStep = kind(**{name: _value(event, source) for name, source in self.fields.items()})
        return step


def _value(event: object, source: str | tuple[str, str] | bool) -> Any:
    match source:
        case str():
            return getattr(event, source)
        case (seat, count):
            return (getattr(event, seat),) * getattr(event, count)
        case _:
            return source


HAND_OVER = (Step(HandOver),)


def is_draw(steps: DealSteps) -> bool:
    """True if cards are turned up to find the first dealer."""
    return any(isinstance(step, TurnedUp) and step.is_draw for step in steps)


def begins_deal(steps: DealSteps) -> bool:
    """True if these are the first cards of a hand, or of a draw for the deal."""
    return is_draw(steps) or any(isinstance(step, HandsDealt) for step in steps)
