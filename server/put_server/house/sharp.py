"""The sharp player: what it learned by playing millions of hands, and a look at every deal that fits.

It sees what its seat sees, reads it as a hand by ranks, and asks its mind how often to do what. The mind has practised
against itself and against steady players, at every score, with every pack and number of seats; so it bluffs, and sees
bluffs, about as often as paid there. Before it draws, what could only gain by an error of the other's is
struck out, and where the deals that fit are few enough to go through, so is every card but those that win for certain.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import NamedTuple

from put_protocol.games.unions import (
    Action,
    Choice,
    GameView,
)
from put_protocol.seats import Seat
from put_server.house import rank_hand as by_ranks
from put_server.house.observation import Results, sight
from put_server.house.player import Mixture, drawn
from put_server.house.policy_network import network_for
from put_server.house.score_values import Contest, chance, contest_of
from put_server.house.steady import Steady
from put_server.house.view_reading import read

SELDOM = 0.02
"""What it would do more seldom than this it does not do: that is but what is left of trying things out."""

_TAVERN = "put-tavern"
"""The one game with puts before the first trick alone: before it comes to them, a view does not tell."""


@cache
def chances(contest: Contest) -> tuple[float, ...]:
    """The chances between two at every score, as `hand` wants them."""
    size = by_ranks.CHANCES
    return tuple([chance(mine, theirs, contest) for mine in range(size) for theirs in range(size)])


class Sharp:
    """A player for Put and its cousins. Its dice are its only memory."""

    def __init__(self, dice: Random, game: str, options: Mapping[str, str | int]) -> None:
        self._dice = dice
        self._opens = game == _TAVERN
        self._options = options
        self._steady = Steady(dice)

    def choose(self, view: GameView, legal: tuple[Choice, ...], seat: Seat) -> Action:
        """One of the legal actions, which must not be none."""
        return drawn(self.mixture(view, legal, seat), self._dice)

    def mixture(self, view: GameView, legal: tuple[Choice, ...], seat: Seat) -> Mixture:
        """How likely it does what; what it never does is left out. Exact, but where it asks `Steady` for the giving."""
        actions = [choice.action for choice in legal]
        if len(actions) == 1:
            return {actions[0]: 1.0}
        reading = read(view, actions, seat, self._options, opens=self._opens)
        if reading is None or not reading.actions:
            return self._steady.mixture(view, legal, seat)
        numbers = list(reading.actions)
        sensible = [number for number in numbers if not is_beaten(reading.hand, number, numbers)]
        numbers = list(sound(prospects(view, seat), sensible or numbers))
        seen = [0.0] * by_ranks.FEATURES
        by_ranks.look(reading.hand, chances(contest_of(view)), seen)
        shares = network_for(reading.hand[by_ranks.KIND], reading.hand[by_ranks.COUNT]).mixture(seen, numbers)
        # The likeliest of nine is done more often than that.
        kept = {reading.actions[n][0]: share for n, share in zip(numbers, shares, strict=True) if share >= SELDOM}
        total = sum(kept.values())
        return {action: share / total for action, share in kept.items()}


def is_beaten(hand: Sequence[int], number: int, numbers: Sequence[int]) -> bool:
    """Whether another of these is as good or better, whatever the other holds, unless the other errs; between two."""
    if hand[by_ranks.COUNT] != 2 or len(numbers) == 1:
        return False
    me, kind, value = hand[by_ranks.MOVER], hand[by_ranks.KIND], hand[by_ranks.VALUE]
    wins = hand[by_ranks.NEEDS + me] <= value
    loses = hand[by_ranks.NEEDS + 1 - me] <= value
    if number == by_ranks.PUT:
        # Points that win as much as the put, which could lose more.
        can_wait = kind in (by_ranks.ANY_TURN, by_ranks.OPENING_ONLY, by_ranks.DOUBLING)
        return can_wait and wins and not loses
    if number == by_ranks.THROW:
        # It loses the game, or is as good later.
        is_early = kind == by_ranks.STAGES and hand[by_ranks.PHASE] == by_ranks.PLAY
        return is_early or (loses and (by_ranks.SEE in numbers or by_ranks.PUT in numbers or 0 in numbers))
    return False


class Prospects(NamedTuple):
    """How a hand between two may end."""

    worst: Results
    """At the worst, for each own card played next, the best first; if another plays next, a single item."""
    waits: bool
    """Another does."""


def prospects(view: GameView, seat: Seat) -> Prospects | None:
    """Of all deals that fit what a seat sees; None where they are too many."""
    seen = sight(view, seat)
    if seen is None or not seen.is_duel or not seen.held:
        return None
    results: Sequence[Results] = seen.results(seen.deals(Random(0), 0))  # in a duel no dice are thrown
    return Prospects(tuple([min(each) for each in zip(*results, strict=True)]), seen.waits)


def sound(known: Prospects | None, numbers: Sequence[int]) -> Sequence[int]:
    """Without giving up what cannot be lost, and without cards that might lose what another wins for certain."""
    if known is None:
        return numbers
    worst = known.worst
    if by_ranks.THROW in numbers and max(worst) >= 0:
        numbers = [number for number in numbers if number != by_ranks.THROW] or numbers
    if len(worst) > 1 and max(worst) > 0 and not known.waits:
        numbers = [n for n in numbers if n >= by_ranks.PUT or n >= len(worst) or worst[n] > 0] or numbers
    return numbers
