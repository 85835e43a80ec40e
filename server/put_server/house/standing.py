"""What a score is worth, in stakes, and how sensible people put and see at it.

The model of one hand between two, from which everything here follows: each holds a strength, drawn evenly from 0 to 1,
and the higher wins. Let `won` and `lost` be a player's chances in the game after a point to him and to the other. Then
- the other sees above that strength at which a putter who must lose if seen does no better by putting: lost / won;
- a putter of real strength begins where being seen by those pays;
- and bluffs come in such proportion that he who is asked, and only just would see, does not care.
At the edges it is simpler: who is far behind, or ruined by this hand anyhow, puts with everything, for it costs him
next to nothing, and is seen by what wins as often as the point is worth; whom a point brings home never puts, for he
would be seen by everything.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

_STEPS = 16  # strengths in the model of a hand; the chances move by less than 0.003 from there on

_SKILL = 3.0
"""How much a seat trusts its play to come, as a factor on its odds in a game between two that goes on. People see and
put worse than the model: against them the game is more seldom worth risking on a hand than between equals."""

_A_POINT = 1.4
"""With three and more, a point to come divides a player's chance by so much: what the model for two gives, about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Custom:
    """How one player puts and the other answers, as strengths from 0 to 1 among what they may hold."""

    puts_from: float
    bluffs_below: float
    sees_from: float


def custom(won: float, lost: float) -> Custom:
    """The custom between two, by the chances in the game of him who may put, after a point to him and to the other."""
    if won >= 1:
        return Custom(puts_from=1.0, bluffs_below=0.0, sees_from=0.0)
    if lost <= won * (1 - won):
        return Custom(puts_from=0.0, bluffs_below=0.0, sees_from=1 - won)
    sees = lost / won
    puts = (lost + sees - sees * won) / (1 - won + lost)
    return Custom(puts_from=puts, bluffs_below=(1 - puts) * (1 - won) / won, sees_from=sees)


@lru_cache(maxsize=1024)  # 21 by 21, the longest game there is, and some room
def chance(mine: int, theirs: int) -> float:
    """The chance to win a game between two, by the points that each still needs."""
    if mine <= 0 or theirs <= 0:
        return 1.0 if mine <= 0 else 0.0
    if mine == theirs:
        return 0.5
    if mine > theirs:
        return 1 - chance(theirs, mine)
    won, lost = chance(mine - 1, theirs), chance(mine, theirs - 1)
    return (_hand(won, lost) + 1 - _hand(1 - lost, 1 - won)) / 2


def _hand(won: float, lost: float) -> float:
    """The chance of him who may put first, before a hand."""
    own, other = custom(won, lost), custom(1 - lost, 1 - won)
    strengths = [(step + 0.5) / _STEPS for step in range(_STEPS)]
    total = 0.0
    for x in strengths:
        puts = x >= own.puts_from or x < own.bluffs_below
        sees = x >= other.sees_from
        for y in strengths:
            beats = 1.0 if x > y else 0.5 if x == y else 0.0
            if puts:
                total += beats if y >= own.sees_from else won
            elif y >= other.puts_from or y < other.bluffs_below:
                total += beats if sees else lost
            else:
                total += lost + beats * (won - lost)
    return total / _STEPS**2


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A score, as one seat values it: in stakes it may expect, from -1 to the number of others."""

    scores: tuple[int, ...]
    target: int
    seat: int

    @property
    def now(self) -> float:
        """Before a hand at this score."""
        return self._worth(self.scores)

    def after_point(self, seat: int) -> float:
        """After a point to this seat."""
        return self._worth([score + (s == seat) for s, score in enumerate(self.scores)])

    def after_loss(self, others: Sequence[int]) -> float:
        """After a point to one of these, none likelier than another."""
        return sum(map(self.after_point, others)) / len(others)

    def is_last_point(self, seat: int) -> bool:
        """A point would win this seat the game."""
        return self.scores[seat] + 1 >= self.target

    def custom(self, putter: int, other: int) -> Custom:
        """How this one puts to that one, and is answered."""
        putters, others = self.target - self.scores[putter], self.target - self.scores[other]
        return custom(chance(putters - 1, others), chance(putters, others - 1))

    def _worth(self, scores: Sequence[int]) -> float:
        needs = [self.target - score for score in scores]
        if min(needs) <= 0:
            return len(needs) - 1.0 if needs[self.seat] <= 0 else -1.0
        if len(needs) == 2:
            equal = chance(needs[self.seat], needs[1 - self.seat])
            won = _SKILL * equal / (1 - equal + _SKILL * equal)
        else:
            won = float(_A_POINT ** -needs[self.seat] / sum(_A_POINT**-need for need in needs))
        return won * len(needs) - 1
