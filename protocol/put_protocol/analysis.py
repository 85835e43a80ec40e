"""Analysis of decisions against perfect play. Chances are ten-thousandths: 10,000 is certain, 100 is one in a hundred.

Perfect play is a strategy against which no player can gain in the long run, whatever they do. The chances are those of
a game in which both sides play so from there on. The analysis knows what the player knew, and no more.
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
    """Name of a decision, by what it cost."""

    FINE = "fine"
    """nothing worth a word"""
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
"""The least cost at which a decision is called so, in ten-thousandths of a game; what costs less is fine."""


def quality_of(cost: int) -> Quality:
    """Name of a decision that cost so much."""
    return next((quality for least, quality in QUALITIES if cost >= least), Quality.FINE)


class Weighed(Struct, frozen=True):
    """One legal action, as perfect play weighs it."""

    action: Action
    """The form that `act` takes."""
    says: str
    """The same in the server's words."""
    chance: Chance
    """The chance of winning the game after it."""
    share: Chance
    """Share of cases in which perfect play does it here. Cards of one rank share evenly what is done with either."""


class Judged(Struct, frozen=True, omit_defaults=True):
    """One decision, judged."""

    before: Chance
    """The chance of winning the game with whatever is best here."""
    after: Chance
    """The chance having done what was done; `before` less this is what it cost."""
    quality: Quality
    """The word for the decision."""
    done: Action
    """The action that was taken."""
    choices: tuple[Weighed, ...]
    """Everything that might have been, in the order in which it was offered."""
    reason: str = ""
    """Perfect play, and the number that speaks for it, in a sentence."""

    @property
    def cost(self) -> int:
        return self.before - self.after


class Reviewed(Struct, frozen=True, omit_defaults=True):
    """One decision of a game that is over, as it stood, and what it cost."""

    number: int
    """Number of the decision, from 1."""
    hand: int
    """The hand of the game, from 1."""
    trick: int
    """The trick of the hand, from 1."""
    moment: Moment
    """The decision that was asked."""
    scores: tuple[int, ...]
    """Listed by seat, as they stood."""
    cards: tuple[WireCard, ...]
    """Those the player held."""
    judged: Judged
    """The judgement of what was done."""
    led: WireCard | None = None
    """The card on the table; None: none."""


class Situation(Struct, frozen=True):
    """A decision to be taken, as its player sees it."""

    seat: Seat
    view: GameView
    legal: tuple[Choice, ...]
    seen: tuple[Event, ...]
    """All events of the hand that the seat saw, from its deal to this moment."""

    @property
    def put(self) -> PutView:
        """The view, of a game of the Put family: perfect play is known of no other."""
        assert isinstance(self.view, PutView)
        return self.view

    @property
    def is_choice(self) -> bool:
        """True if there is anything to choose. Two cards of one rank are the same choice."""
        return len({action_kind(choice.action) for choice in self.legal}) > 1


class PlayedTurn(Struct, frozen=True):
    situation: Situation
    done: Action


def action_kind(action: Action) -> tuple[type, str]:
    """Part of an action that matters to the game: of a card of Put only its rank."""
    match action:
        case Play(card=card) | Discard(card=card):
            return type(action), rank_of(card)
        case _:
            return type(action), str(astuple(action))
