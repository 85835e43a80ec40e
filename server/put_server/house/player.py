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
"""Likelihoods below this are errors of rounding."""


def drawn(mixture: Mixture, dice: Random) -> Action:
    """One of them, as likely as it says. No dice are thrown where there is no choice."""
    if len(mixture) == 1:
        return next(iter(mixture))
    return dice.choices(list(mixture), list(mixture.values()))[0]


def either(action: Action, share: float, rest: Mixture) -> Mixture:
    """This action so often, and the rest of the time what `rest` says, which has not got it."""
    if share < _NEVER:
        return rest
    if share > 1 - _NEVER:
        return {action: 1.0}
    return {action: share} | {other: (1 - share) * each for other, each in rest.items()}


def evenly(actions: Sequence[Action]) -> Mixture:
    """Any of them but giving up."""
    some = [action for action in actions if not isinstance(action, ThrowIn)] or actions
    return dict.fromkeys(some, 1 / len(some))


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What is played at a table, as everyone at it is told."""

    game: str
    options: Mapping[str, str | int] = field(default_factory=dict)
    """Those left out are at their defaults."""


class Player(Protocol):
    """Somebody in a seat, who knows what the seat sees."""

    def choose(self, view: GameView, legal: tuple[Choice, ...], seat: Seat) -> Action:
        """One of `legal`, which is not empty; `view` is what `seat` sees, and it is to move."""
        ...

    def mixture(self, view: GameView, legal: tuple[Choice, ...], seat: Seat) -> Mapping[Action, float]:
        """How likely it chooses what, in all 1; what it never does may be left out. `choose` draws from this."""
        ...
