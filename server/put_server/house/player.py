"""The interface of a house player, and the mixtures of actions it chooses from."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol, TypeVar

from put_protocol.games.unions import Action, Choice
from put_protocol.seats import Seat

V_contra = TypeVar("V_contra", contravariant=True)
A = TypeVar("A", bound=Action)

_NEVER = 1e-12
"""Probabilities below this are errors of rounding."""


def draw(mixture: Mapping[A, float], dice: Random) -> A:
    """A random action of the mixture. No dice are thrown where there is no choice."""
    if len(mixture) == 1:
        return next(iter(mixture))
    return dice.choices(list(mixture), list(mixture.values()))[0]


def blend(action: A, share: float, rest: dict[A, float]) -> dict[A, float]:
    """This action with probability `share`, and otherwise `rest`, which does not contain it."""
    if share < _NEVER:
        return rest
    if share > 1 - _NEVER:
        return {action: 1.0}
    return {action: share} | {other: (1 - share) * each for other, each in rest.items()}


def actions_of(legal: Sequence[Choice]) -> list[Any]:
    """The actions of a list of choices. They are of the family that the player plays: the server lists no others."""
    return [choice.action for choice in legal]


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The game of a table: rule set, options and family."""

    game: str
    options: Mapping[str, str | int] = field(default_factory=dict)
    """Options by name; missing ones have their defaults."""
    family: str = "put"
    """Family of games to which it belongs."""
    has_opening: bool = False
    """Puts are made in a round before the first trick, and not later; a view does not say so before that round."""


class Player(Protocol[V_contra]):
    """A player in a seat, who knows what the seat sees."""

    def choose(self, view: V_contra, legal: tuple[Choice, ...], seat: Seat) -> Action:
        """One of `legal`, which is not empty; `view` is what `seat` sees, and it is to move."""
        ...

    def mixture(self, view: V_contra, legal: tuple[Choice, ...], seat: Seat) -> Mapping[Any, float]:
        """The mixture from which `choose` draws; actions that the player never takes may be left out."""
        ...


class MixingPlayer(ABC):
    """A player that draws from its mixture. Its dice are its only memory."""

    def __init__(self, dice: Random) -> None:
        self._dice = dice

    def choose(self, view: Any, legal: tuple[Choice, ...], seat: Seat) -> Any:
        return draw(self.mixture(view, legal, seat), self._dice)

    @abstractmethod
    def mixture(self, view: Any, legal: tuple[Choice, ...], seat: Seat) -> Mapping[Any, float]: ...


class RandomPlayer(MixingPlayer):
    """A player of any game: each legal action is equally likely. It plays where a family has no better one."""

    def mixture(self, view: object, legal: tuple[Choice, ...], seat: Seat) -> Mapping[Action, float]:
        return {choice.action: 1 / len(legal) for choice in legal}
