"""Bounds of a table over the whole game: what it gets against the best opponent, computed from its probabilities alone.

Theory. The opponent knows the table. Once one side's strategy is fixed, the other plays against chance alone, and a
best response is an ordinary maximum: for each hand at each decision the best action, from the end of the hand back to
the deal, as one exact pass finds it. Over a game of many hands the same works score by score. How the opponent best
plays a hand depends on what the scores after it are worth *to this opponent*, who answers best there, too; points only
rise, so these are known first. A drawn hand keeps the points and passes the deal, so a score and its mirror depend on
each other: both are computed in turn until they no longer move. That converges, because each round counts only as much
as a hand is drawn twice. Where a drawn put begins the game anew, all scores depend on the first, and the whole is
repeated likewise.

What follows: the true worth of a score lies between the two bounds, and a player who plays the table loses no more than
its distance to them. This does not depend on how the table was made. It supposes that the tree is the game, and that
sums in double precision are exact to `_SETTLED`.
"""

from collections.abc import Callable
from typing import NamedTuple

from put_server.house.put.solved.payoffs import Score, Variant, Worths
from put_solver.flat import Doubles
from put_solver.hand_solver import HandTree

_SETTLED = 1e-10
_MOST_ROUNDS = 200
"""Limit of rounds. Drawn hands lead from a score to its mirror and back, each time less often: about ten are enough."""


class Bounds(NamedTuple):
    """Bounds of what a score is worth, in stakes won by eldest."""

    lower: float
    """Stakes of an eldest who plays the table, against the best dealer."""
    upper: float
    """Stakes of the best eldest, against a dealer who plays the table."""


def certified_bounds(
    variant: Variant,
    hand_tree: HandTree,
    strategy: Callable[[Score], Doubles],
    guess: Worths,
    report: Callable[[Score], None] = lambda _: None,
) -> dict[Score, Bounds]:
    """The bounds of every score. `strategy` gives the table's probabilities at a score; `guess` is where to begin;
    `report` is called for each finished score, but not for its mirror."""
    # Worths to eldest when the best opponent is eldest (`upper`), and when they deal (`lower`). The deal passes after a
    # hand, and the opponent stays the same: so the ends of one are worth what the other says.
    upper, lower = dict(guess), dict(guess)
    while True:
        begun = upper[0, 0], lower[0, 0]
        for score in variant.scores():
            eldest, dealer = score
            if eldest >= dealer:
                _bound_mirrors(variant, hand_tree, strategy, (score, (dealer, eldest)), upper, lower)
                report(score)
        if not variant.is_anew or max(abs(upper[0, 0] - begun[0]), abs(lower[0, 0] - begun[1])) < _SETTLED:
            return {score: Bounds(lower[score], upper[score]) for score in variant.scores()}


def _bound_mirrors(
    variant: Variant,
    hand_tree: HandTree,
    strategy: Callable[[Score], Doubles],
    mirrors: tuple[Score, Score],
    upper: dict[Score, float],
    lower: dict[Score, float],
) -> None:
    """Find the bounds of a score and of its mirror, which may be itself, to which a drawn hand leads."""
    score, mirror = mirrors
    tables = {each: strategy(each) for each in mirrors}
    for ours, theirs in (mirrors, mirrors[::-1]):
        for _ in range(_MOST_ROUNDS):
            before = upper[ours], lower[theirs]
            upper[ours] = hand_tree.best_response(0, variant.ends(ours, lower), tables[ours])
            lower[theirs] = -hand_tree.best_response(1, variant.ends(theirs, upper), tables[theirs])
            if max(abs(upper[ours] - before[0]), abs(lower[theirs] - before[1])) < _SETTLED:
                break
        if score == mirror:
            break
