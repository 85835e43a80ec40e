"""The interface of a house player, the mixtures of actions it chooses from, and what it counts of an action."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

from put_protocol.games.unions import Action, Choice, Event
from put_protocol.seats import Seat
from put_protocol.text import same_name

V_contra = TypeVar("V_contra", contravariant=True)
A = TypeVar("A", bound=Action)
K = TypeVar("K")

MOST_KNOWN = 256
"""People whom house players know at once: some tens of megabytes, if all played for hours."""

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


class Notebook:
    """Knowledge that house players who learn have of the people they met, by name and game, in this process alone. Of
    those whom they did not meet for longest, nothing is kept."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, Any]] = {}

    def of(self, name: str, game: str, new: Callable[[], K]) -> K:
        """Knowledge of this person at this game, to be changed as more is learned."""
        name = same_name(name)
        games = self._known[name] = self._known.pop(name, {})  # the last again
        if len(self._known) > MOST_KNOWN:
            del self._known[next(iter(self._known))]
        if game not in games:
            games[game] = new()
        known: K = games[game]
        return known

    def forget(self, name: str) -> bool:
        """Returns whether anything was known of them."""
        return self._known.pop(same_name(name), None) is not None


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
    notebook: Notebook = field(default_factory=Notebook, compare=False, repr=False)
    """Notes of the house on its opponents; by itself, nothing."""


class Player(Protocol[V_contra]):
    """A player in a seat, who knows what the seat sees."""

    def choose(self, view: V_contra, legal: tuple[Choice, ...], seat: Seat) -> Action:
        """One of `legal`, which is not empty; `view` is what `seat` sees, and it is to move."""
        ...

    def mixture(self, view: V_contra, legal: tuple[Choice, ...], seat: Seat) -> Mapping[Any, float]:
        """The mixture from which `choose` draws; actions that the player never takes may be left out."""
        ...


@runtime_checkable
class Learner(Player[V_contra], Protocol[V_contra]):
    """A player that learns from what it sees, and works long on some of its choices."""

    def saw(self, view: V_contra, events: Sequence[Event], seat: Seat) -> None:
        """Told what happened, as `seat` saw it, before the next choice; `view` is after it."""
        ...

    def problem(self) -> Any:
        """Work for another process before the next choice, if `take` is then called; None: none."""
        ...

    def take(self, solution: Any) -> None:
        """Take what was worked out; None: it was not."""
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


class Count(NamedTuple):
    """Numbers that a player can count of an action."""

    prize: str = "hand"
    """The hand, the pool, or the pot."""
    wins: float | None = None
    """Share of the deals that fit the view in which the prize is won, if the hand is played out."""
    above: int | None = None
    """Cards that the others may hold and that beat the one played; None: it is not about a card to be beaten."""
    of: int = 0
    """All cards that the others may hold."""
    worth: int = 0
    """The amount of a pot."""


Counter = Callable[[Any, Any, Seat, Random | None], Count]
"""Counts for an action in the view of a seat that is to move. The dice are for deals; None: cards alone are counted."""
