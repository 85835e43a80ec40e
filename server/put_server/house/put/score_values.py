"""Values of scores, in stakes, and the betting thresholds that follow from them.

All of it follows from a model of one hand for two: each player holds a strength, uniform between 0 and 1, and the
higher one wins. Let `won` and `lost` be the game chances of the player who may put, after the hand's points go to this
player or to the other; and `high` and `low` those after an accepted put that this player wins or loses. Then
- the other sees above the strength at which a putter who always loses when seen gains nothing by putting;
- a putter puts for value above the strength at which being seen by those hands pays;
- bluffs have the proportion at which a player who only just sees is indifferent. At the edges it is simpler. A player
  who is far behind, or whom this hand ruins in any case, puts with everything, because it costs almost nothing, and is
  seen by hands that win as often as the point is worth. A player who needs one point never puts while they may be
  silent, because every hand would see.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from put_protocol.games.put import PutView, Worth

_INVITES_FROM = 0.6
_INVITES_BELOW = 0.1
"""Thresholds for a put that only invites to concede. In the model a strong hand gains more by playing, so no player
makes it; but people do."""


class StakeRule(Enum):
    """The stake of a hand without a put."""

    PLAYED_OUT = "played out"
    """it is played out for its points, and only a put makes it count for the game"""
    GIVEN_UP = "given up"
    """one player has the last say, and throws it in unless they put"""
    OUTRIGHT = "outright"
    """it is played out for the game, and only throwing in makes it count for less"""
    DOUBLED = "doubled"
    """it is played out for its points, which may be doubled repeatedly"""


def stake_rule_of(plain: Worth, accepted: Worth) -> StakeRule:
    """`plain`, `accepted`: worth of a hand without an accepted put, and after one."""
    if plain is Worth.GAME:
        return StakeRule.OUTRIGHT
    match accepted:
        case Worth.VALUE:
            return StakeRule.DOUBLED
        case Worth.TO_TARGET:
            return StakeRule.GIVEN_UP
        case Worth.GAME:
            return StakeRule.PLAYED_OUT


@dataclass(frozen=True, slots=True, kw_only=True)
class BettingThresholds:
    """The hands with which one player puts and the other sees, as strengths from 0 to 1 among their possible hands."""

    puts_from: float
    bluffs_below: float
    sees_from: float

    @property
    def bluff_rate(self) -> float:
        """Share of puts among hands that are too weak to put for value."""
        return self.bluffs_below / self.puts_from if self.puts_from > 0 else 1.0


def thresholds(
    won: float, lost: float, *, high: float = 1.0, low: float = 0.0, gives_up: bool = False
) -> BettingThresholds:
    """Thresholds for two players. `gives_up`: a player who does not put has thrown in."""
    if won >= high:
        return BettingThresholds(
            puts_from=(lost - low) / (high - low) if gives_up else 1.0, bluffs_below=0.0, sees_from=0.0
        )
    even = (high - won) / (high - low)
    if lost <= even * won + (1 - even) * low:
        return BettingThresholds(puts_from=0.0, bluffs_below=0.0, sees_from=even)
    sees = (lost - low) / (won - low)
    puts = sees if gives_up else sees * (high - low) / (high - low - won + lost)
    return BettingThresholds(puts_from=puts, bluffs_below=(1 - puts) * (high - won) / (won - low), sees_from=sees)


def invitation_thresholds(won: float, lost: float) -> BettingThresholds:
    """Thresholds if the hand wins the game in any case: the other plays on if their chance to win is even."""
    ruined = lost <= 0
    return BettingThresholds(
        puts_from=0.0 if ruined else _INVITES_FROM, bluffs_below=0.0 if ruined else _INVITES_BELOW, sees_from=1 - won
    )


_STEPS = 16  # strengths in the model of a hand; more of them change the chances by less than 0.003

_SKILL: Mapping[StakeRule, float] = {
    StakeRule.PLAYED_OUT: 3.0,
    StakeRule.GIVEN_UP: 1.5,
    StakeRule.OUTRIGHT: 1.2,
    StakeRule.DOUBLED: 2.5,
}
"""Advantage of a seat, as a factor on its odds in a game for two that continues. People see and put worse than the
model, so risking the game on one hand is worth less against them than against equals. If one hand decides most games,
there is less to wait for. (Each value did best against a player who follows only the thresholds.)"""

_A_POINT = 1.4
"""Divisor of a player's chance for each point needed, with three or more players: about as in the model for two."""

_DOUBLINGS: Mapping[int, float] = {1: 0.5, 2: 0.3, 4: 0.2}
"""Final points of hands that may be doubled, with the frequency of each."""


@lru_cache(maxsize=2048)  # 21 by 21, the longest game there is, for each kind of hand, and some room
def win_probability(mine: int, theirs: int, stake_rule: StakeRule = StakeRule.PLAYED_OUT) -> float:
    """The chance to win a game for two, by the points that each player needs."""
    if mine <= 0 or theirs <= 0:
        return 1.0 if mine <= 0 else 0.0
    if mine == theirs:
        return 0.5
    if mine > theirs:
        return 1 - win_probability(theirs, mine, stake_rule)
    if stake_rule is StakeRule.DOUBLED:
        return sum(
            often
            * (win_probability(mine - points, theirs, stake_rule) + win_probability(mine, theirs - points, stake_rule))
            / 2
            for points, often in _DOUBLINGS.items()
        )
    won, lost = win_probability(mine - 1, theirs, stake_rule), win_probability(mine, theirs - 1, stake_rule)
    return (_first_speaker_chance(won, lost, stake_rule) + 1 - _first_speaker_chance(1 - lost, 1 - won, stake_rule)) / 2


def _first_speaker_chance(won: float, lost: float, stake_rule: StakeRule) -> float:
    """The chance of the player who may speak first, before the hand."""
    if stake_rule is StakeRule.OUTRIGHT:
        # They lead with hands that win more often than throwing in does, and throw in the rest.
        return (1 + lost * lost) / 2
    gives_up = stake_rule is StakeRule.GIVEN_UP
    own, other = thresholds(won, lost, gives_up=gives_up), thresholds(1 - lost, 1 - won)
    strengths = [(step + 0.5) / _STEPS for step in range(_STEPS)]
    total = 0.0
    for x in strengths:
        puts = x >= own.puts_from or x < own.bluffs_below
        sees = x >= other.sees_from
        for y in strengths:
            beats = 1.0 if x > y else 0.5 if x == y else 0.0
            if puts:
                total += beats if y >= own.sees_from else won
            elif gives_up:
                total += lost
            elif y >= other.puts_from or y < other.bluffs_below:
                total += beats if sees else lost
            else:
                total += lost + beats * (won - lost)
    return total / _STEPS**2


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreUtility:
    """Value of scores to one seat: expected stakes, from -1 to the number of opponents."""

    scores: tuple[int, ...]
    target: int
    seat: int
    value: int = 1
    """Points that the hand in play is worth."""
    stake_rule: StakeRule = StakeRule.PLAYED_OUT
    are_partners: bool = False
    """Every second seat wins and loses together."""
    is_even: bool = False
    """The others of a game for two play as well as the seat."""

    @classmethod
    def of(cls, view: PutView, seat: int, *, is_even: bool = False) -> "ScoreUtility":
        return cls(
            scores=view.scores,
            target=view.target,
            seat=seat,
            value=view.value,
            stake_rule=stake_rule_of(view.plain, view.accepted),
            are_partners=bool(view.givers),
            is_even=is_even,
        )

    @property
    def is_between_two(self) -> bool:
        """Two players, or two sides, play the game."""
        return self.are_partners or len(self.scores) == 2

    @property
    def now(self) -> float:
        """Value before a hand at this score."""
        return self._of_needs(self._needs())

    def after_point(self, seat: int, times: int = 1) -> float:
        """Value after this seat gets the hand's points, `times` over."""
        needs = self._needs()
        needs[self._side(seat)] -= times * self.value
        return self._of_needs(needs)

    def after_loss(self, others: Sequence[int], times: int = 1) -> float:
        """Value after one of these seats, all equally likely, gets the hand's points, `times` over."""
        return sum([self.after_point(other, times) for other in others]) / len(others)

    def point_wins_game(self, seat: int) -> bool:
        return self._needs()[self._side(seat)] <= self.value

    def thresholds(self, putter: int, other: int) -> BettingThresholds:
        """Thresholds from which `putter` puts and `other` sees; only for two players."""
        needs = self._needs()
        mine, theirs = needs[self._side(putter)], needs[self._side(other)]
        won, lost = self._win_probability(mine - self.value, theirs), self._win_probability(mine, theirs - self.value)
        match self.stake_rule:
            case StakeRule.OUTRIGHT:
                return invitation_thresholds(won, lost)
            case StakeRule.DOUBLED:
                high = self._win_probability(mine - 2 * self.value, theirs)
                low = self._win_probability(mine, theirs - 2 * self.value)
                return thresholds(won, lost, high=high, low=low)
            case StakeRule.GIVEN_UP | StakeRule.PLAYED_OUT:
                return thresholds(won, lost, gives_up=self.stake_rule is StakeRule.GIVEN_UP)

    def _win_probability(self, mine: int, theirs: int) -> float:
        return win_probability(max(mine, 0), max(theirs, 0), self.stake_rule)

    def _side(self, seat: int) -> int:
        return seat % 2 if self.are_partners else seat

    def _needs(self) -> list[int]:
        return [self.target - score for score in (self.scores[:2] if self.are_partners else self.scores)]

    def _of_needs(self, needs: Sequence[int]) -> float:
        own = needs[self._side(self.seat)]
        if min(needs) <= 0:
            return len(needs) - 1.0 if own <= 0 else -1.0
        if len(needs) == 2:
            won = self._win_probability(own, sum(needs) - own)
            if not self.is_even:
                skill = _SKILL[self.stake_rule]
                won = skill * won / (1 - won + skill * won)
        else:
            won = float(_A_POINT**-own / sum([_A_POINT**-need for need in needs]))
        return won * len(needs) - 1
