"""Bounds of a table over the whole game: its result against the best opponent, computed from its probabilities alone.

Theory. The opponent knows the table. Once one side's strategy is fixed, the other plays against chance alone, and a
best response is an ordinary maximum: for each hand at each decision the best action, from the end of the hand back to
the deal, as one exact pass finds it. Over a game of many hands the same works score by score. The opponent's best play
in a hand depends on the worth of the next scores *to this opponent*, who plays a best response there, too; points only
rise, so these are computed first. A drawn hand keeps the points and passes the deal, so a score and its mirror depend
on each other: both are computed in turn until they converge. They do, because each round is weighted by the chance of
two drawn hands. If a drawn put restarts the game, all scores depend on the first, and the whole computation is repeated
in the same way.

Result: the true worth of a score is between the two bounds, and a player who uses the table loses at most its distance
to them. This does not depend on how the table was made. It assumes that the tree is the game, and that sums in double
precision are exact to `_SETTLED`.
"""

from collections.abc import Callable
from typing import NamedTuple

from put_server.house.put.solved.payoffs import Score, Variant
from put_solver.hand_solver import HandTree

_SETTLED = 1e-10
_MOST_ROUNDS = 200
"""Most rounds. Drawn hands lead from a score to its mirror and back with decreasing weight: about ten rounds are
enough."""


class Bounds(NamedTuple):
    """Bounds of a score's worth, in stakes won by eldest."""

    lower: float
    """Stakes of an eldest who uses the table, against the best dealer."""
    upper: float
    """Stakes of the best eldest, against a dealer who uses the table."""


def certified_bounds(
    variant: Variant,
    hand_tree: HandTree,
    entries: Callable[[Score], bytes],
    report: Callable[[Score], None] = lambda _: None,
) -> dict[Score, Bounds]:
    """Bounds of every score. `entries`: the table's at a score; `report`: called for each finished score, but not for
    its mirror."""
    # Worths to eldest when the best opponent is eldest (`upper`), and when they deal (`lower`). The deal passes after a
    # hand, and the opponent stays the same: so the ends of one are worth what the other says.
    scores = variant.scores()
    upper, lower = dict.fromkeys(scores, 0.0), dict.fromkeys(scores, 0.0)
    while True:
        begun = upper[0, 0], lower[0, 0]
        for eldest, dealer in scores:
            if eldest >= dealer:
                mirrors = {(eldest, dealer): (dealer, eldest), (dealer, eldest): (eldest, dealer)}
                tables = {score: hand_tree.probabilities(entries(score)) for score in mirrors}
                for ours, theirs in mirrors.items():
                    for _ in range(_MOST_ROUNDS):
                        before = upper[ours], lower[theirs]
                        upper[ours] = hand_tree.best_response(0, variant.ends(ours, lower), tables[ours])
                        lower[theirs] = -hand_tree.best_response(1, variant.ends(theirs, upper), tables[theirs])
                        if max(abs(upper[ours] - before[0]), abs(lower[theirs] - before[1])) < _SETTLED:
                            break
                report((eldest, dealer))
        if not variant.is_anew or max(abs(upper[0, 0] - begun[0]), abs(lower[0, 0] - begun[1])) < _SETTLED:
            return {score: Bounds(lower[score], upper[score]) for score in scores}
