"""One hand at one score, solved by regrets against what its ends are worth."""

from collections.abc import Sequence
from math import comb

import numpy as np
import numpy.typing as npt

from put_server.house.solved.hands import COPIES
from put_server.house.solved.tree import TRICKS, End, Tree
from put_solver.flat import Doubles, Flat, Sizes, flattened
from put_solver.kernels import BEST, EVALUATE, LEARN, settle, sweep
from put_solver.rounding import rounded, simplified, unrounded, visited

Singles = npt.NDArray[np.float32]

_AFRESH = (50, 100)
"""Turns after which averages begin afresh: what was tried in the first turns would go on in the average as a chance of
one in some hundreds for everything, which costs nothing to forget and much to write down."""


class Field:
    """The tree of a rule set as arrays, and room for one pass over it: made once, used for all scores."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        flat, sizes = flattened(tree)
        self.flat: Flat = flat
        self.sizes: Sizes = sizes
        self.reach = np.zeros(sizes.reaches)
        self.mass = np.zeros((len(flat.kind), 2))
        self.out = np.zeros(sizes.worths)
        self.strategy = np.zeros(sizes.entries)
        self.holds = np.zeros((len(flat.kind), len(flat.begin)), dtype=np.bool_)
        cards = COPIES * tree.ranks
        self.deals = comb(cards, TRICKS) * comb(cards - TRICKS, TRICKS)

    def best(self, side: int, ends: Sequence[float], strategy: Doubles) -> float:
        """What a side gets, in stakes, that plays its best against the other's strategy; exact."""
        worths = np.array(ends, dtype=np.float64)
        return self._sweep(BEST, side, worths, strategy) / self.deals

    def worth(self, ends: Sequence[float], strategy: Doubles) -> float:
        """What eldest gets, in stakes, when both play so; exact."""
        worths = np.array(ends, dtype=np.float64)
        return self._sweep(EVALUATE, 0, worths, strategy) / self.deals

    def settle(self, means: Singles, strategy: Doubles) -> None:
        """Probabilities of averages."""
        settle(self.flat, means, strategy)

    def entries(self, ends: Sequence[float], means: Singles) -> bytes:
        """The entries of a table that come near to these averages, when the ends are worth so much."""
        settle(self.flat, means, self.strategy)
        simplified(self.flat, self.strategy)
        settle(self.flat, self.strategy, self.strategy)
        simple = self.strategy.copy()
        fine, met = np.zeros((2, len(self.flat.kind)), dtype=np.bool_)
        while True:
            self.strategy[:] = simple
            self._sweep(EVALUATE, 0, np.zeros(len(End)), self.strategy)  # where all begins
            entries = np.zeros(self.sizes.entries, dtype=np.uint16)
            rounded(self.flat, self.strategy, fine, entries, self.reach, self.mass)
            for side in (0, 1):
                self.best(side, ends, self.strategy)
                visited(self.flat, side, self.mass, self.out, self.holds, met)
            if (met <= fine).all():
                return (entries >> 8).astype(np.uint8).tobytes() + (entries & 0xFF).astype(np.uint8).tobytes()
            fine |= met

    def _sweep(self, mode: int, side: int, worths: Doubles, strategy: Doubles) -> float:
        return sweep(
            self.flat, side, mode, 0, -1, worths, self.reach, self.mass, self.out, strategy, strategy, strategy
        )

    def probabilities(self, entries: bytes) -> Doubles:
        """The strategy that a table's entries are."""
        high, low = np.frombuffer(entries, dtype=np.uint8).reshape(2, -1).astype(np.uint16)
        strategy = np.zeros(self.sizes.entries)
        unrounded(self.flat, (high << 8 | low).astype(np.uint16), strategy)
        return strategy

    def bounds(self, ends: Sequence[float], means: Singles) -> tuple[float, float]:
        """Between what eldest's worth lies when the ends are worth so much, by these averages: what a player gets at
        least who plays them as eldest, and at most against a player who plays them as dealer."""
        settle(self.flat, means, self.strategy)
        return -self.best(1, ends, self.strategy), self.best(0, ends, self.strategy)


class Stage:
    """The regrets and averages of a hand at one score."""

    def __init__(self, field: Field) -> None:
        self.field = field
        entries = field.sizes.entries
        self.regrets = np.zeros(entries, dtype=np.float32)
        self.now = np.zeros(entries, dtype=np.float32)
        self.means = np.zeros(entries, dtype=np.float32)
        settle(field.flat, self.now, self.now)
        self.reach = np.zeros(field.sizes.reaches)
        self.mass = np.zeros((len(field.flat.kind), 2))
        self.turn = 0

    def learn(self, ends: Sequence[float], turns: int) -> None:
        """Go on for so many turns of both sides, if hands' ends are worth so much."""
        field, worths = self.field, np.array(ends, dtype=np.float64)
        for _ in range(turns):
            if self.turn in _AFRESH:
                self.means[:] = 0
            self.turn += 1
            for side in (0, 1):
                sweep(
                    field.flat,
                    side,
                    LEARN,
                    self.turn,
                    -1 if self.turn == 1 and side == 0 else 1 - side,
                    worths,
                    self.reach,
                    self.mass,
                    field.out,
                    self.regrets,
                    self.now,
                    self.means,
                )
