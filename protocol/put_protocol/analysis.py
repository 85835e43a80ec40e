"""Analysis of decisions against perfect play. Chances are ten-thousandths: 10,000 is certain, 100 is one in a hundred.

Perfect play is a strategy against which no player can gain in the long run, whatever they do. The chances assume that
both sides play perfectly from that decision on. The analysis uses only what the player knew.
"""

from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import astuple

from put_protocol.cards import WireCard, rank_of
from put_protocol.games.put import Discard, Moment, Play, PutView
from put_protocol.games.unions import Action, Choice, Event, GameView
from put_protocol.seats import Seat

CERTAIN = 10_000

Chance = Annotated[int, Meta(ge=0, le=CERTAIN, description="in ten-thousandths")]


class Quality(StrEnum):
    """Class of a decision, by its cost."""

    FINE = "fine"
    """too small to mention"""
    SLIP = "slip"
    """less than a game in a hundred"""
    MISTAKE = "mistake"
    """a game in a hundred, or more"""
    BLUNDER = "blunder"
    """a game in twenty, or more"""


QUALITIES: tuple[tuple[int, Quality], ...] = (
    (500, Quality.BLUNDER),
    (100, Quality.MISTAKE),
    (10, Quality.SLIP),  # less than that is within what the solved tables themselves may err
)
"""Least cost of each quality, in ten-thousandths of a game. A smaller cost is `FINE`."""


def quality_of(cost: int) -> Quality:
    return next((quality for least, quality in QUALITIES if cost >= least), Quality.FINE)


class Weighed(Struct, frozen=True):
    """One legal action, as perfect play weighs it."""

    action: Action
    """The form that `act` takes."""
    says: str
    """The action in the server's words."""
    chance: Chance
    """The chance of winning the game after it."""
    share: Chance
    """Frequency of this action in perfect play. Cards of one rank share the frequency evenly."""


class Judged(Struct, frozen=True, omit_defaults=True):
    """One decision, judged."""

    before: Chance
    """Chance to win the game with the best action here."""
    after: Chance
    """Chance to win the game after the action taken; `before` less this is the cost."""
    quality: Quality
    """The word for the decision."""
    done: Action
    """The action that was taken."""
    choices: tuple[Weighed, ...]
    """All legal actions, in the order in which they were offered."""
    reason: str = ""
    """The best action, with the figure that supports it, in a sentence."""

    @property
    def cost(self) -> int:
        return self.before - self.after


class Reviewed(Struct, frozen=True, omit_defaults=True):
    """One decision of a finished game: the position, and the judgement."""

    number: int
    """Number of the decision, from 1."""
    hand: int
    """The hand of the game, from 1."""
    trick: int
    """The trick of the hand, from 1."""
    moment: Moment
    """The decision that was asked."""
    scores: tuple[int, ...]
    """Scores by seat at the decision."""
    cards: tuple[WireCard, ...]
    """Cards in the player's hand."""
    judged: Judged
    """The judgement of what was done."""
    led: WireCard | None = None
    """The card led to this trick; None: no card was led."""


class Situation(Struct, frozen=True):
    """A decision to be taken, as its player sees it."""

    seat: Seat
    view: GameView
    legal: tuple[Choice, ...]
    seen: tuple[Event, ...]
    """All events of the hand that the seat saw, from its deal to this moment."""

    @property
    def put(self) -> PutView:
        """The view, which is of the Put family: perfect play is known for no other family."""
        assert isinstance(self.view, PutView)
        return self.view

    @property
    def is_choice(self) -> bool:
        """True if there is a real choice. Two cards of one rank count as one choice."""
        return len({action_kind(choice.action) for choice in self.legal}) > 1


class PlayedTurn(Struct, frozen=True):
    situation: Situation
    done: Action


class WeighGame(Struct, frozen=True, tag_field="type", tag="weigh"):
    """A request of a client to a process of its own, which has the solutions: what one seat did in a game that is over.
    It goes to no server."""

    rule_set: str
    options: dict[str, str | int]
    table: int
    number: int
    """Number of the game at the table."""
    seat: Seat
    turns: tuple[PlayedTurn, ...]


def action_kind(action: Action) -> tuple[type, str]:
    """The part of an action that matters to the game. Of a Put card only the rank matters."""
    if isinstance(action, Play | Discard):
        return type(action), rank_of(action.card)
    return type(action), str(astuple(action))
