"""The interface of a house player, and the mixtures of actions it chooses from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from put_protocol.games.put import ThrowIn
from put_protocol.games.unions import Action, Choice, GameView
from put_protocol.seats import Seat

Mixture = dict[Action, float]
"""How likely each action is; in all, 1. What is never done is not in it."""

_NEVER = 1e-12
"""Probabilities below this are errors of rounding."""


def draw(mixture: Mixture, dice: Random) -> Action:
    """A random action of the mixture. No dice are thrown where there is no choice."""
    if len(mixture) == 1:
        return next(iter(mixture))
    return dice.choices(list(mixture), list(mixture.values()))[0]


def blend(action: Action, share: float, rest: Mixture) -> Mixture:
    """This action with probability `share`, and otherwise `rest`, which does not contain it."""
    if share < _NEVER:
        return rest
    if share > 1 - _NEVER:
        return {action: 1.0}
    return {action: share} | {other: (1 - share) * each for other, each in rest.items()}


def uniform(actions: Sequence[Action]) -> Mixture:
    """Any of them but giving up, all equally likely."""
    some = [action for action in actions if not isinstance(action, ThrowIn)] or actions
    return dict.fromkeys(some, 1 / len(some))


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What is played at a table."""

    game: str
    options: Mapping[str, str | int] = field(default_factory=dict)
    """Those left out are at their defaults."""
    has_opening: bool = False
    """There is a round of puts before the first trick, and none after it; a view does not say so before it comes."""


class Player(Protocol):
    """A player in a seat, who knows what the seat sees."""

    def choose(self, view: GameView, legal: tuple[Choice, ...], seat: Seat) -> Action:
        """One of `legal`, which is not empty; `view` is what `seat` sees, and it is to move."""
        ...

    def mixture(self, view: GameView, legal: tuple[Choice, ...], seat: Seat) -> Mapping[Action, float]:
        """The mixture from which `choose` draws; what the player never does may be left out."""
        ...
