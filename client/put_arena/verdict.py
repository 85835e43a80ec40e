"""Verdict of a match: whether its two best are told apart, however often that is asked while it is played. Pure.

Each two competitors have a sequential test of what one won more than the other, a set. Its guarantee is for values
of which each has the same mean after any others. The order in which sets *end* is not such an order: quick games
come first, and a bot may win more of those. The order in which they *begin* is, for nothing is known of a set before it
begins. So sets are tested in that order, and one that is over waits for those that began before it.

The test of the two best so far counts; so every pair might be asked, and the pairs share the chance of an
error among them.
"""

from collections import deque
from itertools import combinations
from statistics import fmean

from put_arena.results import MOST_LUCK, Played, Results, Set
from put_arena.schedule import Round
from put_arena.statistics import CONFIDENCE, BoundedMean, Interval, NormalMean, SequentialTest


class Verdict:
    def __init__(self, results: Results, *, removes_luck: bool = False) -> None:
        """`removes_luck`: test games without the luck of their deals, which was measured."""
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
        """Sets that have begun and are not tested yet, in this order."""
        self._ended: dict[tuple[str, int], Set] = {}
        """Those of them that are over."""
        self._sets: dict[str, int] = {}
        """Number of sets of each round that has begun."""

    def begin(self, round_: Round) -> None:
        self._sets[round_.name] = round_.games
        self._begun.append((round_.name, 1))

    def add(self, game: Played, complete: Set) -> bool:
        """A game is over; `complete`: the set that it completed, if any. Returns whether there is more to judge by."""
        following = game.round, game.number + 1
        if game.number < self._sets[game.round] and following not in self._begun and following not in self._ended:
            self._begun.append(following)  # the first of its tables begins the next set
        if not complete:
            return False
        self._ended[game.round, game.number] = complete
        return self._test()

    def restore(self, complete: Set) -> None:
        """A set that was played before an interruption."""
        self._add(complete)

    def broken_off(self, round_: Round) -> None:
        """The sets of this round that are not over will never be."""
        self._begun = deque([key for key in self._begun if key[0] != round_.name or key in self._ended])
        self._test()

    def _test(self) -> bool:
        has_more = False
        while self._begun and self._begun[0] in self._ended:
            self._add(self._ended.pop(self._begun.popleft()))
            has_more = True
        return has_more

    def _add(self, games: Set) -> None:
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
        """The two with the largest means so far, who may still play; None: there are no two."""
        means = [
            (won / sets, number) for number, (won, sets) in self._gains.items() if not self._results.conduct[number].out
        ]
        best = [number for _, number in sorted(means, reverse=True)[:2]]
        return (best[0], best[1]) if len(best) == 2 else None

    def is_decided(self) -> bool:
        best = self.two_best()
        return best is not None and self._tests[min(best), max(best)].is_separated

    def lead(self, one: int, other: int) -> Interval | None:
        """Lead of one over the other, a game; the interval holds at any moment."""
        found = self._tests[min(one, other), max(one, other)].interval()
        if found is None or one < other:
            return found
        return Interval(mean=-found.mean, low=-found.high, high=-found.low, count=found.count)
