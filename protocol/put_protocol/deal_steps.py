"""Steps of a deal: what an event does to the deals in play, as each event says itself.

The checks of sealed deals, and the server's own account of them, know no family of games. They read the cards that an
event `shows` and the steps of its `deal_steps`, which come in the event's order. A step says only what all who see the
event may know. An event that shows no card does nothing to a deal unless it says otherwise; one that shows cards has to
say what it does, if only `()`.

How steps and cards go together: `HandsDealt`, `MoreDealt`, `AccidentTold` and `ExtraTaken` are taken before the cards
of the event are looked at, because they say whose the slots are. With `TurnedUp` the cards themselves are the steps.
All other steps are taken after the cards.
"""

from dataclasses import dataclass

from put_protocol.cards import Card
from put_protocol.seats import Seat


@dataclass(frozen=True, slots=True)
class HandsDealt:
    """The slots that the seal names were dealt, and a hand began."""

    counts: tuple[int, ...]
    """Cards of each seat."""


@dataclass(frozen=True, slots=True)
class MoreDealt:
    """The next slots of the pack were dealt."""

    to: tuple[Seat, ...]
    """Who got each, in order."""


@dataclass(frozen=True, slots=True)
class TurnedUp:
    """The cards that the event shows are those of the next slots, in its order: each was turned up before the seat that
    `shows` names, or in the pack."""

    is_draw: bool = True
    """They are turned up to find the first dealer; or else one lay face up in the pack."""
    in_turn: bool = False
    """They go round the seats that the seal names, as often as it takes."""


@dataclass(frozen=True, slots=True)
class AccidentTold:
    """An accident happened in the dealing."""

    law: int
    seat: Seat
    card: Card | None


@dataclass(frozen=True, slots=True)
class ExtraTaken:
    """A card too many was taken, unseen, out of a hand and out of play."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Gone:
    """A card that the event shows left its hand for good."""

    card: Card


@dataclass(frozen=True, slots=True)
class PassedOn:
    """A card went from one hand to another."""

    seat: Seat
    to: Seat
    card: Card | None
    """None: the viewer does not know it."""


@dataclass(frozen=True, slots=True)
class LaidDown:
    """A player laid cards of their hand away, unseen, and draws as many."""

    seat: Seat
    count: int
    cards: tuple[Card, ...] = ()
    """Those that the viewer sees."""


@dataclass(frozen=True, slots=True)
class WentOut:
    """These players are out of the hand; their cards go away unseen."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class StockRenewed:
    """Cards that were laid away, and those of who is out, are drawn from again. They have a pack of their own, beside
    those in play."""

    count: int
    """Cards in it."""


@dataclass(frozen=True, slots=True)
class DrawDecided:
    """The first dealer is found."""


@dataclass(frozen=True, slots=True)
class HandOver:
    """The hand is over: nothing more is shown of its cards."""


@dataclass(frozen=True, slots=True)
class CalledAfresh:
    """The next hand is dealt in place of this one, and has no accident."""


@dataclass(frozen=True, slots=True)
class GameClosed:
    """A game, or one of a rubber, is over."""


DealStep = (
    HandsDealt
    | MoreDealt
    | TurnedUp
    | AccidentTold
    | ExtraTaken
    | Gone
    | PassedOn
    | LaidDown
    | WentOut
    | StockRenewed
    | DrawDecided
    | HandOver
    | CalledAfresh
    | GameClosed
)

DealSteps = tuple[DealStep, ...]

HAND_OVER: DealSteps = (HandOver(),)


def is_draw(steps: DealSteps) -> bool:
    """Whether cards are turned up to find the first dealer."""
    return any(isinstance(step, TurnedUp) and step.is_draw for step in steps)


def begins_deal(steps: DealSteps) -> bool:
    """Whether these are the first cards of a hand, or of a draw for the deal."""
    return is_draw(steps) or any(isinstance(step, HandsDealt) for step in steps)
