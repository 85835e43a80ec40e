"""Results of a match: games, faults, standings, and whether the two best differ. Pure.

A game's result is the server's payment to each seat. Shares and intervals are over whole *sets*. A set has the games
with the same packs, one for each seating. Games of incomplete sets are kept and counted apart.

Some games have no winner. Then competitors are compared by their gain for each game and seat.
"""

import math
from collections import defaultdict, deque
from collections.abc import Sequence
from itertools import combinations
from statistics import fmean
from typing import NamedTuple

from msgspec import Struct, field

from put_arena.competitors import Competitor, Conduct
from put_arena.schedule import Round
from put_arena.statistics import (
    CONFIDENCE,
    BoundedMean,
    Interval,
    NormalMean,
    Rating,
    SequentialTest,
    interval,
    luck_removed,
    ratings,
    times_the_games,
)

LUCK_COUNTED = 1.0
"""Limit of a game's luck, in stakes. Beyond it no more luck is counted: the mean luck of every hand is 0, so hands may
be left out at any moment."""

MOST_LUCK = LUCK_COUNTED + 2.7
"""Bound of a game's luck: no hand has more than 2.7 (of the shipped solutions)."""


class Played(Struct, frozen=True, kw_only=True, array_like=True, tag="game"):
    """A finished game, with the server's payments."""

    match: int
    round: str
    number: int
    """Number of the game in its round, from 1. Games with the same number make a set."""
    seating: int
    """Number of the table in its round."""
    seats: tuple[int, ...]
    """Competitor in each seat."""
    paid: tuple[int, ...]
    """Stakes won or lost by each seat."""
    luck: tuple[float, ...] = ()
    """Share of each seat's payment that its deals were worth, compared to the mean; empty: not measured."""

    def wins(self, competitor: int) -> float:
        """1 if the competitor won. If a competitor has several sides, their mean."""
        return fmean([paid > 0 for one, paid in zip(self.seats, self.paid, strict=True) if one == competitor])

    def stakes(self, competitor: int) -> float:
        """Stakes won less stakes lost, for each seat."""
        return fmean([paid for one, paid in zip(self.seats, self.paid, strict=True) if one == competitor])

    def wins_without_luck(self, competitor: int) -> float:
        """`wins` less the worth of the deals. The mean is the same: the mean luck is 0. Only for games for one
        stake."""
        return self.wins(competitor) - fmean(
            [luck / 2 for one, luck in zip(self.seats, self.luck, strict=True) if one == competitor]
        )


Set = tuple[Played, ...]
"""The games with the same packs, by seating."""


class Standing(Struct, frozen=True, kw_only=True):
    """Result of a competitor. The names in the JSON of a report are older than some of these."""

    competitor: int
    """Its place on the command line, from 0."""
    games: int
    won: float
    share: Interval | None
    """Share of games won, over sets."""
    plain: Interval | None = field(name="plain_share")
    """`share` if every game had had its own packs; by purse, `stakes`."""
    stakes: Interval | None
    """Stakes for each game and seat, over sets."""
    luck_removed: float | None
    rating: Rating
    fair: Interval | None = field(name="fair_share")
    """`share` without the luck of the deals, if that was measured."""
    worth: float | None = field(name="fair_is_worth")
    """Number of games that `share` would need for an interval as narrow as `fair`, in multiples of the played games."""


class Results:
    def __init__(
        self,
        competitors: Sequence[Competitor],
        sides: Sequence[int],
        conduct: Sequence[Conduct] = (),
        *,
        by_purse: bool = False,
    ) -> None:
        """`by_purse`: the game has no winner."""
        self.by_purse = by_purse
        self.competitors = tuple(competitors)
        self.sides = tuple(sides)
        self.conduct = tuple(conduct) or tuple([Conduct() for _ in competitors])
        self.games: list[Played] = []
        self.games_forfeited = 0
        self._open: dict[tuple[int, str, int], dict[int, Played]] = defaultdict(dict)
        self.sets: list[Set] = []
        """The complete sets, in the order of completion."""

    @property
    def _seatings(self) -> int:
        return max(self.sides) + 1

    def add(self, game: Played) -> Set:
        """Add a game. Returns the set that the game completed; empty: none."""
        self.games.append(game)
        key = (game.match, game.round, game.number)
        self._open[key][game.seating] = game
        if len(self._open[key]) < self._seatings:
            return ()
        games = self._open.pop(key)
        complete = tuple([games[seating] for seating in sorted(games)])
        self.sets.append(complete)
        return complete

    @property
    def in_order(self) -> list[Played]:
        """The games in an order that is independent of time and interruptions."""
        return sorted(self.games, key=lambda game: (game.match, game.round, game.number, game.seating))

    def _sets_with(self, *competitors: int) -> list[Set]:
        """The complete sets that all of these competitors played."""
        return [one for one in self.sets if all(competitor in one[0].seats for competitor in competitors)]

    def differences(self, one: int, other: int) -> list[float]:
        """Difference of the two in each set: games won per game, from -1 to 1; by purse, gains per game and seat."""
        gained = self.gained
        return [
            fmean([gained(game, one) - gained(game, other) for game in games]) for games in self._sets_with(one, other)
        ]

    def gained(self, game: Played, competitor: int) -> float:
        """Part of a game that a competitor won, from 0 to 1; by purse, its gain for each seat."""
        return game.stakes(competitor) if self.by_purse else game.wins(competitor)

    @property
    def _largest_payment(self) -> float:
        return float(max((abs(paid) for game in self.games for paid in game.paid), default=1))

    @property
    def _gain_bounds(self) -> tuple[float, float]:
        return (-self._largest_payment, self._largest_payment) if self.by_purse else (0.0, 1.0)

    def lead(self, one: int, other: int) -> Interval | None:
        """Interval of the mean difference of the two."""
        most = 2 * self._largest_payment if self.by_purse else 1.0
        return interval(self.differences(one, other), -most, most)

    def share_against(self, one: int, other: int) -> Interval | None:
        """Share of one competitor among the games that either of the two won, at tables with two sides."""
        lead = self.lead(one, other)
        return None if lead is None else lead.shifted(0.5, 0.5)

    def standings(self) -> tuple[Standing, ...]:
        """Standings of all competitors, the best first; the disqualified come last."""
        won = [game for game in self.in_order if max(game.paid) > 0]
        rated = ratings([self._outcome(game) for game in won], len(self.competitors))
        said = [self._standing(number, rated[number]) for number in range(len(self.competitors))]
        return tuple(sorted(said, key=self._order))

    def _order(self, standing: Standing) -> tuple[bool, float]:
        found = standing.stakes if self.by_purse else standing.share
        return bool(self.conduct[standing.competitor].out), math.inf if found is None else -found.mean

    def _outcome(self, game: Played) -> tuple[tuple[int, ...], tuple[int, ...]]:
        by_side = [self.sides.index(side) for side in range(self._seatings)]
        return tuple([game.seats[seat] for seat in by_side]), tuple([game.paid[seat] for seat in by_side])

    def _standing(self, number: int, rating: Rating) -> Standing:
        games = [game for game in self.games if number in game.seats]
        sets = self._sets_with(number)
        wins = [fmean([game.wins(number) for game in one]) for one in sets]
        stakes = [fmean([game.stakes(number) for game in one]) for one in sets]
        gained = [[self.gained(game, number) for game in one] for one in sets]
        fair: list[float] = []
        if all(game.luck for one in sets for game in one):
            fair = [fmean([game.wins_without_luck(number) for game in one]) for one in sets]
        return Standing(
            competitor=number,
            games=len(games),
            won=sum(game.wins(number) for game in games),
            share=interval(wins, 0.0, 1.0),
            plain=interval([each for one in gained for each in one], *self._gain_bounds),
            stakes=interval(stakes, -self._largest_payment, self._largest_payment),
            luck_removed=luck_removed(gained),
            rating=rating,
            fair=interval(fair, -MOST_LUCK / 2, 1 + MOST_LUCK / 2),
            worth=times_the_games(wins, fair),
        )

    def shares(self) -> list[Interval | None]:
        """Share or gain of each competitor so far, over whole sets: the quickly computed part of a standing."""
        bounds = self._gain_bounds
        return [interval(self.gains(number), *bounds) for number in range(len(self.competitors))]

    def gains(self, number: int) -> list[float]:
        """Games won, or gains, for each game of every whole set."""
        return [fmean([self.gained(game, number) for game in one]) for one in self._sets_with(number)]

    @property
    def outcomes(self) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Competitors by side and pay by side, of the games that had a winner, in the order of play."""
        return [self._outcome(game) for game in self.games if max(game.paid) > 0]


class Decided(NamedTuple):
    best: int
    second: int
    lead: Interval
    """Lead of the best for each game, when the two were told apart."""


class Verdict:
    """Test of whether the two best differ. It may be read any number of times during the match.

    Each pair of competitors has a sequential test of their difference in each set. The test is valid only for values
    that have the same mean, whatever values came before. The order in which sets *end* is not such an order: quick
    games come first, and a bot may win more of them. The order in which sets *begin* is valid, because nothing is known
    of a set before it begins. So sets are tested in this order: a finished set waits for those that began before it.

    Only the test of the two best so far counts. It may be any pair, so the pairs share the allowed probability of an
    error.
    """

    def __init__(self, results: Results, *, removes_luck: bool = False) -> None:
        """`removes_luck`: test games without the measured luck of their deals."""
        self._results = results
        self._removes_luck = removes_luck
        numbers = range(len(results.competitors))
        pairs = [*combinations(numbers, 2)]
        alpha = (1 - CONFIDENCE) / max(1, len(pairs))
        bound = 1 + MOST_LUCK if removes_luck else 1.0
        self._tests: dict[tuple[int, int], SequentialTest] = {
            pair: NormalMean(alpha) if results.by_purse else BoundedMean(bound, alpha) for pair in pairs
        }
        self._gains: dict[int, tuple[float, int]] = {}
        """Gain of each competitor, and its number of sets."""
        self._begun: deque[tuple[str, int]] = deque()
        """Sets that have begun and are not tested yet, in order of beginning."""
        self._ended: dict[tuple[str, int], Set] = {}
        """The finished sets among them."""
        self._planned_sets: dict[str, int] = {}

    def begin(self, round_: Round) -> None:
        self._planned_sets[round_.name] = round_.games
        self._begun.append((round_.name, 1))

    def add(self, game: Played, complete: Set) -> bool:
        """A game is over. `complete`: the set that it completed, if any. Returns whether the test has new data."""
        if game.seating == 0 and game.number < self._planned_sets[game.round]:
            self._begun.append((game.round, game.number + 1))  # the first seating is played first
        if not complete:
            return False
        self._ended[game.round, game.number] = complete
        return self._test()

    def broken_off(self, round_: Round) -> None:
        """The unfinished sets of this round will never be complete."""
        self._begun = deque([key for key in self._begun if key[0] != round_.name or key in self._ended])
        self._test()

    def _test(self) -> bool:
        has_more = False
        while self._begun and self._begun[0] in self._ended:
            self.add_set(self._ended.pop(self._begun.popleft()))
            has_more = True
        return has_more

    def add_set(self, games: Set) -> None:
        gains = {one: self._gain(games, one) for one in {*games[0].seats}}
        for one, gain in gains.items():
            won, sets = self._gains.get(one, (0.0, 0))
            self._gains[one] = won + gain, sets + 1
        for pair in combinations(sorted(gains), 2):
            self._tests[pair].add(gains[pair[0]] - gains[pair[1]])

    def _gain(self, games: Set, number: int) -> float:
        if self._removes_luck:
            return fmean([game.wins_without_luck(number) for game in games])
        return fmean([self._results.gained(game, number) for game in games])

    def two_best(self) -> tuple[int, int] | None:
        """The two competitors with the largest means so far that may still play; None: there are no two."""
        means = [
            (won / sets, number) for number, (won, sets) in self._gains.items() if not self._results.conduct[number].out
        ]
        best = [number for _, number in sorted(means, reverse=True)[:2]]
        return (best[0], best[1]) if len(best) == 2 else None

    def decided(self) -> Decided | None:
        """The two best, if they are told apart."""
        best = self.two_best()
        if best is None or not self._tests[min(best), max(best)].is_separated:
            return None
        lead = self.lead(*best)
        return None if lead is None else Decided(*best, lead)

    def lead(self, one: int, other: int) -> Interval | None:
        """Lead of one over the other for each game. The interval is valid at any moment."""
        found = self._tests[min(one, other), max(one, other)].interval()
        if found is None or one < other:
            return found
        return Interval(mean=-found.mean, low=-found.high, high=-found.low, count=found.count)
