"""Solver of a whole game: every score, from those near the target down, each from the worth of the next scores.

A drawn hand passes the deal and keeps the score, so a score is solved together with its mirror, each from the current
worth of the other. If a drawn put restarts the game, all scores depend on the first, and the whole is solved repeatedly
until that converges.

Finished scores are on disk, so a killed solver continues from there, with the same result.
"""

import os
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec import Struct

from put_server.house.put.solved.payoffs import Score, Variant
from put_server.house.put.solved.solution_table import Part, written
from put_solver.certificate import Bounds, certified_bounds
from put_solver.hand_solver import HandSolver, HandTree

_ITERATIONS = 25
"""Iterations between two computations of the bounds."""
_FIRST_LOOK = 50
_MOST_ITERATIONS = 20_000
_HAND = 1e-3
"""Gap, in stakes, of the first round of a game that a drawn put restarts."""
_MOST_ROUNDS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    score: Score
    done: int
    """Finished scores."""
    of: int
    iteration: int = 0
    gap: float = 0.0
    """Distance between the bounds of this score, in stakes; with a mirror, the larger of the two."""


class SolvedScore(Struct, frozen=True):
    """A finished score in its stored form."""

    score: Score
    worth: float
    entries: bytes

    def saved(self) -> bytes:
        return zlib.compress(msgspec.msgpack.encode(self), 6)

    @classmethod
    def read(cls, data: bytes) -> "SolvedScore":
        return msgspec.msgpack.decode(zlib.decompress(data), type=cls)


class GameSolver:
    """Solves a variant into a folder. `gap`: largest difference of a hand's two bounds, in stakes."""

    def __init__(
        self, variant: Variant, folder: Path, gap: float, see_share: Callable[[Progress], None] = lambda _: None
    ) -> None:
        self.variant = variant
        self.gap = gap
        self.see_share = see_share
        self.folder = folder / f"{variant}-gap-{gap:g}"
        self.hand_tree = HandTree(variant.tree)
        self.worths: dict[Score, float] = {}
        self.prefix = ""

    def solve(self) -> bytes:
        self.folder.mkdir(parents=True, exist_ok=True)
        if not self.variant.is_anew:
            self.solve_scores(0.0, self.gap, "")
        else:
            self._solve_anew()
        return self.table_file()

    def _solve_anew(self) -> None:
        """Find the first score's worth that is a fixed point when assumed after drawn puts.

        The result depends little on the assumption, because few hands are drawn after a put.
        """
        assumed, gap = 0.0, max(self.gap, _HAND)
        for number in range(_MOST_ROUNDS):
            found = self.solve_scores(assumed, gap, f"{number}-")
            if gap <= self.gap and abs(found - assumed) <= gap:
                return
            assumed = found
            gap = self.gap
        raise ArithmeticError(f"the first score's worth does not settle in {_MOST_ROUNDS} rounds")

    def solve_scores(self, anew: float, gap: float, prefix: str) -> float:
        """Solve all scores, given the worth of a restarted game; returns the worth of the first score."""
        self.worths = {}
        self.prefix = prefix
        scores = self.variant.scores()
        for number, score in enumerate(scores):
            if score in self.worths:
                continue
            pair = [score] if score[0] == score[1] else [score, (score[1], score[0])]
            solved = [each for each in map(self._kept, pair) if each is not None]
            if len(solved) < len(pair):
                self.see_share(Progress(score=score, done=number, of=len(scores)))
                solved = self.solve_pair(pair, anew, gap, number)
                for each in solved:
                    _write(self._path(each.score), each.saved())
            self.worths |= {each.score: each.worth for each in solved}
        self.see_share(Progress(score=(0, 0), done=len(scores), of=len(scores)))
        return self.worths[0, 0]

    def solve_pair(self, pair: list[Score], anew: float, gap: float, done: int) -> list[SolvedScore]:
        """Solve a score and its mirror, after all scores that they lead to."""
        solvers = [HandSolver(self.hand_tree) for _ in pair]
        known = dict(self.worths)
        for eldest, dealer in pair:
            known[eldest, dealer] = (eldest - dealer) / self.variant.target
        while True:
            iterations = _FIRST_LOOK if solvers[0].iteration == 0 else _ITERATIONS
            ends = [self.variant.ends(score, known, anew) for score in pair]
            moved = widest = 0.0
            for score, solver, end in zip(pair, solvers, ends, strict=True):
                solver.iterate(end, iterations)
                lower, upper = self.hand_tree.bounds(end, solver.averages)
                middle = (lower + upper) / 2
                moved, widest = max(moved, abs(middle - known[score])), max(widest, upper - lower)
                known[score] = middle
            self.see_share(
                Progress(
                    score=pair[0], iteration=solvers[0].iteration, gap=widest, done=done, of=len(self.variant.scores())
                )
            )
            if widest <= gap and moved <= gap / 4:
                break
            if solvers[0].iteration >= _MOST_ITERATIONS:
                raise ArithmeticError(
                    f"at {pair[0]} the bounds are still {widest:g} apart after {_MOST_ITERATIONS} turns"
                )
        return [
            SolvedScore(score, known[score], self.hand_tree.entries(solver.averages))
            for score, solver in zip(pair, solvers, strict=True)
        ]

    def table_file(self) -> bytes:
        """The file, when all scores are on disk, with certified bounds."""
        solved = {score: SolvedScore.read(self._path(score).read_bytes()) for score in self.variant.scores()}
        bounds = certified_bounds(self.variant, self.hand_tree, lambda score: solved[score].entries)
        return written(self.variant, [(_part(each, bounds[score]), each.entries) for score, each in solved.items()])

    def _path(self, score: Score) -> Path:
        return self.folder / f"{self.prefix}{score[0]}-{score[1]}.solved"

    def _kept(self, score: Score) -> SolvedScore | None:
        """A finished score; None: it is not on disk, or its file is damaged."""
        try:
            found = SolvedScore.read(self._path(score).read_bytes())
        except (FileNotFoundError, zlib.error, msgspec.MsgspecError):
            return None
        is_whole = found.score == score and len(found.entries) == 2 * self.hand_tree.sizes.entries
        return found if is_whole else None


def _part(solved: SolvedScore, bounds: Bounds) -> Part:
    """The solver's worth, which is better than that of the rounded table, limited to the certified bounds."""
    lower, upper = sorted(bounds)
    return Part(score=solved.score, worth=min(max(solved.worth, lower), upper), lower=lower, upper=upper)


def _write(path: Path, data: bytes) -> None:
    """Write atomically, even if the power fails."""
    beside = path.with_suffix(".new")
    with beside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
