"""Solver of a hand at one score: regrets, averages and best responses, given the worth of each end.

Theory. A hand is a zero-sum game for two players with chance and hidden cards.

*Regret.* The counterfactual value of an action, for a hand at a decision, is its average result if its owner had played
to get there: each deal is weighted by chance and the other's strategy. The regret of an action is the sum over all
iterations of its value less the value of the strategy used. Regret matching plays each action in proportion to its
positive regret. Then the average regret at each decision shrinks like one over the square root of the number of
iterations, against any play of the other. A player remembers all they saw and did (perfect recall), so a strategy's
regret over the whole hand is at most the sum of the positive regrets at its decisions (Zinkevich and others 2007): it
shrinks, too.

*Averages.* If after all iterations neither side could have gained more than e per iteration by one fixed strategy, then
the averages of the two sides' strategies are an equilibrium to within 2e. Each iteration's strategy counts in the
average by how likely its own play came to the decision. This holds only for the averages: the strategies themselves
oscillate. Later iterations count more (see `kernels`), and the averages are restarted twice.

*Best responses.* None of this has to be trusted. One pass finds an exact best response to the averages, with the best
action for each hand at each decision. The result of the averages as eldest against the best dealer is a lower bound of
the hand's worth to eldest, and the result of the best eldest against the averages an upper bound. Errors in the regrets
can only keep the two apart.

What breaks it: ends that are worth something else than assumed, which `certificate` finds over the whole game; and a
tree that is not the game, which tests of the tree against the rules engine exclude.
"""

from collections.abc import Sequence
from math import comb

import numpy as np

from put_server.house.put.solved.rank_sets import COPIES
from put_server.house.put.solved.tree import TRICKS, End, Tree
from put_solver.decisions import Decisions
from put_solver.flat import Doubles, Flat, Singles, Sizes, flattened
from put_solver.kernels import BEST, EVALUATE, LEARN, Pass, sweep

_NONE: Singles = np.zeros(0, dtype=np.float32)
"""Regrets and averages for a pass that changes none."""

_RESTARTS = (50, 100)
"""Iterations after which the averages are restarted. Otherwise early exploration would leave every action a chance of
one in some hundreds: cheap to drop, and expensive to store."""

_LEAST = 0.005
"""Chances below this are dropped: they are remainders of exploration, not part of the solution."""


class HandTree:
    """The tree of a rule set as arrays, with buffers for one pass; created once for all scores."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        flat, sizes = flattened(tree)
        self.flat: Flat = flat
        self.sizes: Sizes = sizes
        self.reach = np.zeros(sizes.reaches)
        self.reach_sum = np.zeros((len(flat.kind), 2))
        self.values = np.zeros(sizes.worths)
        self.decisions = Decisions(flat)
        cards = COPIES * tree.ranks
        self.deals = comb(cards, TRICKS) * comb(cards - TRICKS, TRICKS)

    def best_response(self, side: int, ends: Sequence[float], strategy: Doubles) -> float:
        """Stakes of a side that plays the best response to the other's strategy; exact."""
        return self.sweep(BEST, side, ends, strategy)

    def worth(self, ends: Sequence[float], strategy: Doubles) -> float:
        """Stakes of eldest if both play this strategy; exact."""
        return self.sweep(EVALUATE, 0, ends, strategy)

    def entries(self, averages: Singles) -> bytes:
        """Table entries for these averages, rounded."""
        strategy = self.decisions.normalized(averages)
        strategy = self.decisions.normalized(np.where(strategy < _LEAST, 0, strategy))
        self.worth((0.0,) * len(End), strategy)  # fills `reach`
        entries = self.decisions.rounded(strategy, self.reach)
        return (entries >> 8).astype(np.uint8).tobytes() + (entries & 0xFF).astype(np.uint8).tobytes()

    def sweep(
        self,
        mode: int,
        side: int,
        ends: Sequence[float],
        strategy: Doubles,
        iteration: int = 0,
        regrets: Singles = _NONE,
        averages: Singles = _NONE,
    ) -> float:
        """Make a pass with the buffers of this tree, given the worth of the ends. Returns the stakes of the side."""
        worths = np.array(ends, dtype=np.float64)
        buffers = self.reach, self.reach_sum, self.values
        run = Pass(side, mode, iteration, worths, *buffers, regrets, strategy, averages)
        return sweep(self.flat, run) / self.deals

    def probabilities(self, entries: bytes) -> Doubles:
        """The strategy in a table's entries."""
        high, low = np.frombuffer(entries, dtype=np.uint8).reshape(2, -1).astype(np.uint16)
        return self.decisions.unrounded((high << 8 | low).astype(np.uint16))

    def bounds(self, ends: Sequence[float], averages: Singles) -> tuple[float, float]:
        """Bounds of the hand's worth to eldest, given the worth of its ends: the least result of an eldest with these
        averages, and the greatest result of an eldest against a dealer with these averages."""
        strategy = self.decisions.normalized(averages)
        return -self.best_response(1, ends, strategy), self.best_response(0, ends, strategy)


class HandSolver:
    def __init__(self, hand_tree: HandTree) -> None:
        self.hand_tree = hand_tree
        entries = hand_tree.sizes.entries
        self.regrets = np.zeros(entries, dtype=np.float32)
        self.averages = np.zeros(entries, dtype=np.float32)
        even = hand_tree.decisions.normalized(self.averages)
        self.current: Doubles = even.astype(np.float32).astype(np.float64)  # in single precision, as the kernels say
        self.iteration = 0

    def iterate(self, ends: Sequence[float], iterations: int) -> None:
        """Run this many iterations for both sides, given the worth of the ends."""
        for _ in range(iterations):
            if self.iteration in _RESTARTS:
                self.averages[:] = 0
            self.iteration += 1
            for side in (0, 1):
                known = self.iteration, self.regrets, self.averages
                self.hand_tree.sweep(LEARN, side, ends, self.current, *known)
