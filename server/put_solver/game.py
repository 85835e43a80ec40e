"""A whole game solved: every score, from those near the target down, each by what follows it.

A drawn hand passes the deal and keeps the score, so that a score is solved together with its mirror, each by what the
other is worth as far as is known; where a drawn put begins the game anew, all scores hang together with the first, and
the whole is solved again until that no longer moves.

What is finished is on disk: a solver that was killed goes on from there, and comes to the same end.
"""

import json
import os
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from put_server.house.solved.payoffs import Ruling, Score
from put_server.house.solved.table import Part, written
from put_solver.checking import Sure, certified
from put_solver.flat import Doubles
from put_solver.stage import Field, Stage

_TURNS = 25
"""Turns between two looks at the bounds."""
_FIRST_LOOK = 50
_MOST_TURNS = 20_000
_HAND = 1e-3
"""A chance to be wrong, in stakes, at which the game anew is first tried."""
_MOST_ROUNDS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a solver is."""

    score: Score
    turn: int
    gap: float
    """Between the bounds of this score's hand, in stakes; the larger of the two where it has a mirror."""
    done: int
    """Scores finished."""
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Solved:
    """A score that is finished, as it is kept on disk."""

    score: Score
    worth: float
    gap: float
    turns: int
    entries: bytes

    def saved(self) -> bytes:
        """As the bytes of a file."""
        head = {"score": self.score, "worth": self.worth.hex(), "gap": self.gap.hex(), "turns": self.turns}
        return json.dumps(head).encode() + b"\n" + zlib.compress(self.entries, 6)

    @classmethod
    def read(cls, data: bytes) -> "Solved":
        """What `saved` made."""
        line, _, packed_entries = data.partition(b"\n")
        head = json.loads(line)
        eldest, dealer = head["score"]
        return cls(
            score=(eldest, dealer),
            worth=float.fromhex(head["worth"]),
            gap=float.fromhex(head["gap"]),
            turns=head["turns"],
            entries=zlib.decompress(packed_entries),
        )


class GameSolver:
    """Solves one ruling into a folder. `gap`, in stakes, is how much a hand's two bounds may differ at most."""

    def __init__(
        self, ruling: Ruling, folder: Path, gap: float, told: Callable[[Progress], None] = lambda _: None
    ) -> None:
        self.ruling = ruling
        self.gap = gap
        self.told = told
        self.folder = folder / f"{ruling}-gap-{gap:g}"
        self.field = Field(ruling.tree)
        self.worths: dict[Score, float] = {}
        self.prefix = ""

    def solve(self) -> bytes:
        """The file of the solved game."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if not self.ruling.is_anew:
            self.round(0.0, self.gap, "")
        else:
            self._solve_anew()
        return self.collected()

    def _solve_anew(self) -> None:
        """Look for the worth of the first score that, assumed after drawn puts, comes out again.

        What comes out moves little with what is assumed, for few hands are drawn so.
        """
        assumed, gap = 0.0, max(self.gap, _HAND)
        for number in range(_MOST_ROUNDS):
            found = self.round(assumed, gap, f"{number}-")
            if gap <= self.gap and abs(found - assumed) <= gap:
                return
            assumed = found
            gap = self.gap
        raise ArithmeticError(f"the first score's worth does not settle in {_MOST_ROUNDS} rounds")

    def round(self, anew: float, gap: float, prefix: str) -> float:
        """All scores once, if a game begun anew is worth so much; gives what the first one is worth."""
        self.worths = {}
        self.prefix = prefix
        scores = self.ruling.scores()
        for number, score in enumerate(scores):
            if score in self.worths:
                continue
            pair = [score] if score[0] == score[1] else [score, (score[1], score[0])]
            solved = self._kept(pair)
            if solved is None:
                self.told(Progress(score=score, turn=0, gap=float("inf"), done=number, of=len(scores)))
                solved = self.pair(pair, anew, gap, number)
                for each in solved:
                    _write(self._path(each.score), each.saved())
            self.worths |= {each.score: each.worth for each in solved}
        self.told(Progress(score=(0, 0), turn=0, gap=0.0, done=len(scores), of=len(scores)))
        return self.worths[0, 0]

    def pair(self, pair: list[Score], anew: float, gap: float, done: int) -> list[Solved]:
        """A score and its mirror, when all they lead to is known."""
        stages = [Stage(self.field) for _ in pair]
        known = dict(self.worths)
        for eldest, dealer in pair:
            known[eldest, dealer] = (eldest - dealer) / self.ruling.target
        first = {(0, 0): anew} if self.ruling.is_anew and (0, 0) not in pair else {}
        bounds: list[tuple[float, float]] = []
        while True:
            turns = _FIRST_LOOK if stages[0].turn == 0 else _TURNS
            ends = [self._ends(score, known | first, anew) for score in pair]
            bounds = []
            for stage, end in zip(stages, ends, strict=True):
                stage.learn(end, turns)
                bounds.append(self.field.bounds(end, stage.means))
            moved = 0.0
            for score, (lower, upper) in zip(pair, bounds, strict=True):
                middle = (lower + upper) / 2
                moved = max(moved, abs(middle - known[score]))
                known[score] = middle
            widest = max(upper - lower for lower, upper in bounds)
            self.told(Progress(score=pair[0], turn=stages[0].turn, gap=widest, done=done, of=len(self.ruling.scores())))
            if widest <= gap and moved <= gap / 4:
                break
            if stages[0].turn >= _MOST_TURNS:
                raise ArithmeticError(f"at {pair[0]} the bounds are still {widest:g} apart after {_MOST_TURNS} turns")
        return [
            Solved(
                score=score,
                worth=known[score],
                gap=upper - lower,
                turns=stage.turn,
                entries=self.field.entries(self._ends(score, known | first, anew), stage.means),
            )
            for score, stage, (lower, upper) in zip(pair, stages, bounds, strict=True)
        ]

    def _ends(self, score: Score, known: dict[Score, float], anew: float) -> tuple[float, ...]:
        ends = self.ruling.ends(score, known)
        return (*ends[:-1], -anew) if self.ruling.is_anew else ends

    def collected(self) -> bytes:
        """The file, when all scores are on disk, with what it holds to be certain."""
        solved = {score: Solved.read(self._path(score).read_bytes()) for score in self.ruling.scores()}

        def strategy(score: Score) -> Doubles:
            return self.field.probabilities(solved[score].entries)

        sure = certified(self.ruling, self.field, strategy, {score: each.worth for score, each in solved.items()})
        return written(
            self.ruling,
            [(_part(each, sure[score]), each.entries) for score, each in solved.items()],
        )

    def _path(self, score: Score) -> Path:
        return self.folder / f"{self.prefix}{score[0]}-{score[1]}.solved"

    def _kept(self, pair: list[Score]) -> list[Solved] | None:
        if not all(self._path(score).exists() for score in pair):
            return None
        return [Solved.read(self._path(score).read_bytes()) for score in pair]


def _part(solved: Solved, sure: Sure) -> Part:
    """The worth is the solver's, who knows it better than the rounded table does, but never beyond what is certain."""
    lower, upper = sorted(sure)
    return Part(score=solved.score, worth=min(max(solved.worth, lower), upper), lower=lower, upper=upper)


def _write(path: Path, data: bytes) -> None:
    """All of it or nothing, whenever the power fails."""
    beside = path.with_suffix(".new")
    with beside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
