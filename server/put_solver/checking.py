"""The worth of a table against the best opponent, over the whole game and exactly.

The opponent knows the table and answers it perfectly, at every score and with the games to come in mind: found by best
responses, score after score. What eldest gets at least with the table, and the dealer at least, are then certain; a
perfect player would get something between.
"""

from collections.abc import Callable
from typing import NamedTuple

from put_server.house.solved.payoffs import Ruling, Score, Worths
from put_solver.flat import Doubles
from put_solver.stage import Field

_SETTLED = 1e-10
_MOST_ROUNDS = 200
"""Drawn hands lead from a score to its mirror and back, each time seldomer: some ten rounds are enough."""


class Sure(NamedTuple):
    """Between what a score's worth lies, in stakes won by eldest."""

    lower: float
    """Eldest plays the table, and the dealer knows it."""
    upper: float
    """The dealer does, and eldest knows it."""


def certified(
    ruling: Ruling,
    field: Field,
    strategy: Callable[[Score], Doubles],
    guess: Worths,
    told: Callable[[Score], None] = lambda _: None,
) -> dict[Score, Sure]:
    """The bounds of every score. `strategy` gives the table's probabilities at a score; `guess` is where to begin, and
    `told` hears of each score that is done, but for its mirror."""
    # Worths to eldest when the best opponent is eldest, and when it deals. As the deal passes it stays the same
    # opponent: what its being eldest is worth follows from what its dealing is, and the other way round.
    upper, lower = dict(guess), dict(guess)
    while True:
        begun = upper[0, 0], lower[0, 0]
        for score in ruling.scores():
            eldest, dealer = score
            if eldest >= dealer:
                _settle(ruling, field, strategy, (score, (dealer, eldest)), upper, lower)
                told(score)
        if not ruling.is_anew or max(abs(upper[0, 0] - begun[0]), abs(lower[0, 0] - begun[1])) < _SETTLED:
            return {score: Sure(lower[score], upper[score]) for score in ruling.scores()}


def _settle(
    ruling: Ruling,
    field: Field,
    strategy: Callable[[Score], Doubles],
    mirrors: tuple[Score, Score],
    upper: dict[Score, float],
    lower: dict[Score, float],
) -> None:
    """The bounds of a score and of its mirror, which may be itself, to which a drawn hand leads."""
    score, mirror = mirrors
    tables = {each: strategy(each) for each in mirrors}
    for ours, theirs in (mirrors, mirrors[::-1]):
        for _ in range(_MOST_ROUNDS):
            before = upper[ours], lower[theirs]
            upper[ours] = field.best(0, ruling.ends(ours, lower), tables[ours])
            lower[theirs] = -field.best(1, ruling.ends(theirs, upper), tables[theirs])
            if max(abs(upper[ours] - before[0]), abs(lower[theirs] - before[1])) < _SETTLED:
                break
        if score == mirror:
            break
