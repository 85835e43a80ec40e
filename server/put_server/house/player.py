"""Interface of a house player, mixed strategies, and counts that explain an action."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple, TypeVar

from put_protocol.games.unions import Action, Choice, Event
from put_protocol.seats import Seat
from put_protocol.text import same_name

A = TypeVar("A", bound=Action)
K = TypeVar("K")

MOST_KNOWN = 256
"""Most people whom house players know at once: some tens of megabytes, if all played for hours."""

_NEVER = 1e-12
"""Probabilities below this are errors of rounding."""


def draw(mixture: Mapping[A, float], dice: Random) -> A:
    """Draw a random action. A single action uses no random number."""
    if len(mixture) == 1:
        return next(iter(mixture))
    return dice.choices(list(mixture), list(mixture.values()))[0]


def blend(action: A, share: float, rest: dict[A, float]) -> dict[A, float]:
    """Mix this action, with probability `share`, with `rest`, which does not contain it."""
    if share < _NEVER:
        return rest
    if share > 1 - _NEVER:
        return {action: 1.0}
    return {action: share} | {other: (1 - share) * each for other, each in rest.items()}


def actions_of(legal: Sequence[Choice]) -> list[Any]:
    """Actions of the choices. They are of the player's family: the server lists no others."""
    return [choice.action for choice in legal]


class Notebook:
    """Knowledge of learning house players of people, by name and game, in this process only. The people not met for
    longest are dropped."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, Any]] = {}

    def of(self, name: str, game: str, new: Callable[[], K]) -> K:
        """Knowledge of this person at this game, which the caller may change."""
        name = same_name(name)
        games = self._known[name] = self._known.pop(name, {})  # the last again
        if len(self._known) > MOST_KNOWN:
            del self._known[next(iter(self._known))]
        if game not in games:
            games[game] = new()
        known: K = games[game]
        return known

    def forget(self, name: str) -> bool:
        """Forget a person. Returns whether anything was known."""
        return self._known.pop(same_name(name), None) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The game of a table: rule set, options and family."""

    game: str
    options: Mapping[str, str | int] = field(default_factory=dict)
    """Options by name; missing ones have their defaults."""
    family: str = "put"
    has_opening: bool = False
    """Puts are made in a round before the first trick, and not later. A view does not show that before the round."""
    notebook: Notebook = field(default_factory=Notebook, compare=False, repr=False)
    """The house's notes on its opponents; empty by default."""


class Player(ABC):
    """A player in a seat, which knows what the seat sees. It draws from its mixture."""

    def __init__(self, dice: Random) -> None:
        self._dice = dice

    def choose(self, view: Any, legal: tuple[Choice, ...], seat: Seat) -> Any:
        """One of `legal`, which is not empty. `view` is that of `seat`, which is to move."""
        return draw(self.mixture(view, legal, seat), self._dice)

    @abstractmethod
    def mixture(self, view: Any, legal: tuple[Choice, ...], seat: Seat) -> Mapping[Any, float]:
        """Probabilities from which `choose` draws. Actions that are never taken may be missing."""

    # Only a player that learns does anything with these.

    def saw(self, view: Any, events: Sequence[Event], seat: Seat) -> None:  # noqa: B027
        """Take the events that `seat` saw since its last choice; `view` is after them."""

    def problem(self) -> Any:
        """Work for another process before the next choice, to be followed by `take`; None: no work."""
        return None

    def take(self, solution: Any) -> None:  # noqa: B027
        """Take the solution of a problem; None: it was not solved."""


class RandomPlayer(Player):
    """A player of any game: each legal action is equally likely. Used if a family has no better player."""

    def mixture(self, view: object, legal: tuple[Choice, ...], seat: Seat) -> Mapping[Action, float]:
        return {choice.action: 1 / len(legal) for choice in legal}


class Count(NamedTuple):
    """Numbers that a player can count for an action."""

    prize: str = "hand"
    """The hand, the pool, or the pot."""
    wins: float | None = None
    """Share of the deals consistent with the view in which the player wins the prize, if the hand is played out."""
    above: int | None = None
    """Cards in other hands that may beat the played card; None: no card is to be beaten."""
    of: int = 0
    """All cards that the others may hold."""
    worth: int = 0
    """The amount of a pot."""


Counter = Callable[[Any, Any, Seat, Random | None], Count]
"""Counts for an action of the seat to move. The generator is for sampling deals; None: count only cards."""
