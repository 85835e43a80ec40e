"""A model of one opponent at two-handed Put, learned from the hands they played.

Theory. Every action of a hand is public and only the deal is hidden. So an opponent is a strategy: probabilities of
moves for each hand at each public state. These are far too many to count, so the model groups decisions by *kind*.

Words (put, see and so on) matter most, and most hands with which they were said stay hidden. People and programs use
thresholds: they say a word if the value of their hand is high enough. So each word has many `Rule`s, which differ in
how they value a hand (`read`), in the threshold, in the effect of a trick ahead, and in how sharp the threshold is.
Each rule learns its exceptions: how often the word is said below the threshold, and not said above. Each observation
updates the probabilities of the rules (Bayes' rule), and the chance of a word is the mean over them. If no rule fits,
log odds by situation are added: a logistic regression, with steps limited by its prior and its observations.

Played cards are counted at several levels, from coarse to fine. Each level corrects the previous one in proportion to
its observations: with n observations, of which a share q made the move, a chance p becomes (n q + K p) / (n + K). The
coarsest level corrects a simple, sensible player.

Hands that are thrown in stay hidden, and differ from hands that see. So after a hand each set of cards that the
opponent may have held counts by its probability, given the shown cards and the model's chances of their actions:
expectation maximisation, one hand at a time (Dempster, Laird and Rubin 1977).
"""

from array import array
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from math import exp, log
from typing import NamedTuple

from msgspec import Struct, field

from put_server.house.put.hand_evaluation import strength
from put_server.house.put.opponent_model import logistic
from put_server.house.put.solved.move_values import Answer, Answers, answers_of, opponent_range
from put_server.house.put.solved.payoffs import Score
from put_server.house.put.solved.position import Position, holding
from put_server.house.put.solved.rank_sets import Ranks
from put_server.house.put.solved.solution_table import Table
from put_server.house.put.solved.tree import ELDEST, PublicState, Say, Tree

_DOUBT = 3.0
"""Number of observations with the same weight as the prior."""

_SELDOM = 0.02
"""Chance below which a walk skips an action."""

Key = tuple[str | int | bool | tuple[int, ...], ...]
Counts = dict[Key, list[float]]
"""Counts of each action, by kind of decision."""
Last = tuple[bool, bool]
"""True if one point wins the game: for the player who decides, and for the other."""

Means = dict[int, list[list[float]]]
"""Part of the chance of a word from each reading at each value, by the lead in tricks; the parts are summed."""


class Rule(NamedTuple):
    """A player who says a word if their hand's value reaches a threshold."""

    reading: int
    value: int
    bolder: int
    """Decrease of the threshold for a trick ahead."""
    width: int
    """Half the width of the soft threshold; 0: sharp."""

    def cuts(self, ahead: int) -> tuple[int, ...]:
        """Thresholds, all equally likely."""
        middle = self.value - self.bolder * ahead
        return tuple(
            [min(max(middle + by, 0), VALUES) for by in ((-self.width, 0, self.width) if self.width else (0,))]
        )


VALUES = 37
"""Number of values of a reading: enough for the mean of three of 13 ranks."""
_USUAL: Mapping[Say, tuple[float, float, float]] = {
    Say.PUT: (0.78, 0.08, 0.92),
    Say.SEE: (0.6, 0.08, 0.92),
    Say.THROW: (0.25, 0.4, 0.04),
}
"""Listed by word: a simple player's threshold, relative to the greatest value; and how often they say it below, and
above."""
READINGS = 11
_SPREAD = 0.25
_TRUST = 0.7
"""Weight of an observation, because no opponent follows exactly one rule."""
_FIRM = 5.0
"""Number of observations with the same weight as the prior."""
_STIFF = 4.0
"""Information in the prior of log odds: a standard deviation of a half."""
_HEEDED, _SURE = 0.97, 5.0
"""Share of such puts that they see if they follow that rule; and the limit of its log odds, because people change."""
_NEGLIGIBLE = 1e-6
RULES = tuple(
    [
        Rule(reading, value, bolder, width)
        for reading in range(READINGS)
        for bolder in (0, 3, 6)
        for width in (0, 4)
        for value in range(8, VALUES)
    ]
)
_CUTS = {ahead: tuple([rule.cuts(ahead) for rule in RULES]) for ahead in (-1, 0, 1)}


class WordRules:
    """Knowledge of a word: one entry for each of `RULES`."""

    def __init__(self, word: Say) -> None:
        usual, below, above = _USUAL[word]
        middles = [(rule.value / (VALUES - 1) - usual) / _SPREAD for rule in RULES]
        self._beliefs = array("d", [-(by * by) / 2 - rule.bolder / 6 for by, rule in zip(middles, RULES, strict=True)])
        """Logarithm of the weight of each rule."""
        self._below = array("d", [_FIRM] * len(RULES))
        """Observations of hands below the threshold, including the prior."""
        self._said_below = array("d", [_FIRM * below] * len(RULES))
        self._above = array("d", [_FIRM] * len(RULES))
        self._said_above = array("d", [_FIRM * above] * len(RULES))

    def weigh(self, below: Sequence[Sequence[float]], ahead: int, *, is_said: bool) -> None:
        """Update the rules with a word, said or not; `below`: shares of hands below each value, by reading."""
        for at, (rule, cuts) in enumerate(zip(RULES, _CUTS[ahead], strict=True)):
            shares = below[rule.reading]
            under = sum([shares[cut] for cut in cuts]) / len(cuts)
            lower, upper = self._said_below[at] / self._below[at], self._said_above[at] / self._above[at]
            if not is_said:
                lower, upper = 1 - lower, 1 - upper
            low, high = lower * under, upper * (shares[-1] - under)
            self._beliefs[at] += _TRUST * log(low + high)
            low /= low + high
            self._below[at] += low
            self._above[at] += 1 - low
            if is_said:
                self._said_below[at] += low
                self._said_above[at] += 1 - low

    def means(self) -> Means:
        best = max(self._beliefs)
        weights = [exp(belief - best) for belief in self._beliefs]
        whole = sum(weights)
        often = [(at, weight / whole) for at, weight in enumerate(weights) if weight > _NEGLIGIBLE]
        found = {}
        for ahead, cuts in _CUTS.items():
            rises = [[0.0] * (VALUES + 1) for _ in range(READINGS)]
            for at, weight in often:
                lower, upper = self._said_below[at] / self._below[at], self._said_above[at] / self._above[at]
                rise = rises[RULES[at].reading]
                rise[0] += weight * lower
                for cut in cuts[at]:
                    rise[cut] += weight * (upper - lower) / len(cuts[at])
            found[ahead] = [list(accumulate(rise)) for rise in rises]
        return found


@cache
def _first_means(word: Say) -> Means:
    return WordRules(word).means()


class Learned(Struct):
    means: dict[Say, Means] = field(default_factory=lambda: {word: _first_means(word) for word in _USUAL})
    odds: dict[Key, list[float]] = field(default_factory=dict)
    """Log odds of saying a word beyond the rules, and the information in them."""
    counts: Counts = field(default_factory=dict)
    heeds: float = 0.0
    """Log odds that they see any put if throwing in would lose the game."""


class Decision(NamedTuple):
    """A decision: the words that may be said, and the cards to play otherwise."""

    words: tuple[Say, ...]
    """Words of `_USUAL` that may be said, decided in order."""
    ahead: int
    situation: Key
    values: tuple[int, ...]
    """Each reading of the hand."""
    labels: tuple[int, ...]
    """Index in `liked` of each card that may be played, from the lowest."""
    levels: tuple[Key, ...]
    """Keys of the counts of cards, the coarsest first."""
    liked: tuple[float, ...]
    """Chance of each kind of card for a simple player."""


class LearnedOpponent:
    """The current model of an opponent. It has the interface of a solved game's `Table`, for `move_values`."""

    def __init__(self, table: Table, learned: Learned | None = None) -> None:
        self.tree, self.variant = table.tree, table.variant
        self.learned = learned or Learned()
        self._rules: dict[Say, WordRules] = {}
        self._rows: dict[tuple[Score, PublicState, Ranks], tuple[float, ...]] = {}
        """Chances computed since it last learned."""

    def chances(self, score: Score, public: PublicState, _at: int, hand: Ranks) -> tuple[float, ...]:
        """Chance of each of `Tree.moves_of`."""
        at = score, public, hand
        row = self._rows.get(at)
        if row is None:
            row = self._rows[at] = self._row(decision(self.tree, public, hand), self._last(score, public))
        return row

    def answers(self, score: Score) -> Answers:
        """The answers for a walk through a hand, without unlikely ones, which would double the work."""
        found: dict[PublicState, dict[Ranks, tuple[Answer, ...]]] = {}

        def answers_at(public: PublicState, _at: int) -> Callable[[Ranks], tuple[Answer, ...]]:
            last, known = self._last(score, public), found.setdefault(public, {})

            def answers(hand: Ranks) -> tuple[Answer, ...]:
                if hand not in known:
                    row = self._row(decision(self.tree, public, hand), last)
                    often = [chance if chance >= _SELDOM else 0.0 for chance in row]
                    whole = sum(often)
                    known[hand] = answers_of(self.tree, public, hand, [chance / whole for chance in often])
                return known[hand]

            return answers

        return answers_at

    def learn(self, position: Position) -> None:
        """Learn from the opponent's moves to the end of a hand; `position` is the learning player's."""
        other, found = 1 - position.side, []
        shown = position.shown(other)
        for hand, weight in opponent_range(self, position)[0].items():
            dealt = tuple(sorted((*hand, *shown)))
            found.append((weight, list(holding(position.path, other, dealt))))
        whole = sum(weight for weight, _ in found)
        for place, (step, _) in enumerate(found[0][1]):
            last, heard = self._last(position.score, step.public), list[tuple[float, Decision]]()
            for weight, steps in found:
                hand = steps[place][1]
                made = decision(self.tree, step.public, hand)
                heard.append((weight / whole, made))
                if not isinstance(step.move, Say):
                    for level in made.levels:
                        counts = self.learned.counts.setdefault(level, [0.0] * len(made.liked))
                        counts[made.labels[sorted(set(hand)).index(step.move)]] += weight / whole
            for word in heard[0][1].words:
                self._hear(word, last, heard, is_said=step.move is word)
                if step.move is word:
                    break
        self._rows.clear()

    def _hear(self, word: Say, last: Last, heard: Sequence[tuple[float, Decision]], *, is_said: bool) -> None:
        """Learn from a word, said or not, with weighted hands. The weights contain the model's own chance of the word,
        which must be divided out to update the rules."""
        heeded = ruled = 0.0
        by_value, more = [[0.0] * (VALUES + 1) for _ in range(READINGS)], dict[Key, list[float]]()
        for weight, made in heard:
            by_rules = self._by_rules(word, made, last)
            chance = self._chance(word, by_rules, last)
            share = weight / (chance if is_said else 1 - chance)
            heeded += share * (_HEEDED if is_said else 1 - _HEEDED)
            ruled += share * (by_rules if is_said else 1 - by_rules)
            for shares, value in zip(by_value, made.values, strict=True):
                shares[value + 1] += share
            for level in _situations(word, made, last):
                both = more.setdefault(level, [0.0, 0.0])
                both[0] += weight * (is_said - by_rules)
                both[1] += weight * by_rules * (1 - by_rules)
        if word is Say.SEE and last[1]:
            self.learned.heeds = min(max(self.learned.heeds + log(heeded / ruled), -_SURE), _SURE)
            if is_said:  # it tells nothing of the rules
                return
        for level, (error, information) in more.items():
            known = self.learned.odds.setdefault(level, [0.0, _STIFF])
            known[1] += information
            known[0] += error / known[1]
        rules = self._rules.get(word) or WordRules(word)
        rules.weigh([list(accumulate(shares)) for shares in by_value], heard[0][1].ahead, is_said=is_said)
        self._rules[word], self.learned.means[word] = rules, rules.means()

    def _last(self, score: Score, public: PublicState) -> Last:
        own, other = score if self.tree.actor(public) == ELDEST else score[::-1]
        return own + 1 == self.variant.target, other + 1 == self.variant.target

    def _row(self, made: Decision, last: Last) -> tuple[float, ...]:
        left, said = 1.0, list[float]()
        for word in made.words:
            chance = self._chance(word, self._by_rules(word, made, last), last)
            said.append(left * chance)
            left *= 1 - chance
        if not made.labels:
            return (*said, left)
        liked = made.liked
        for level in made.levels:
            if counts := self.learned.counts.get(level):
                whole = sum(counts) + _DOUBT
                liked = tuple([(n + _DOUBT * chance) / whole for n, chance in zip(counts, liked, strict=True)])
        return (*[left * liked[label] / made.labels.count(label) for label in made.labels], *said)

    def _chance(self, word: Say, by_rules: float, last: Last) -> float:
        if word is Say.SEE and last[1]:  # throwing in loses the game
            heeds = logistic(self.learned.heeds)
            return heeds * _HEEDED + (1 - heeds) * by_rules
        return by_rules

    def _by_rules(self, word: Say, made: Decision, last: Last) -> float:
        by_reading, odds = self.learned.means[word][made.ahead], self.learned.odds
        chance = sum([chances[value] for chances, value in zip(by_reading, made.values, strict=True)])
        more = sum([odds[level][0] for level in _situations(word, made, last) if level in odds])
        return logistic(log(chance / (1 - chance)) + more)


def read(cards: Ranks, left: Ranks, strong: float, ranks: int) -> tuple[int, ...]:
    """Readings of a hand: its strength; and, with and without the card led, its best card, the mean of its best two,
    the mean of all, that mean unless it has the best rank, and points for the best three ranks."""
    found = [round(strong * (VALUES - 1))]
    for each in (cards, left or cards):
        best, mean = each[:2], sum(each) / len(each) / (ranks - 1)
        points = sum([max(rank - ranks + 4, 0) for rank in each]) / len(each) / 3
        top = 1.0 if each[0] == ranks - 1 else mean
        found += [
            round(value * (VALUES - 1))
            for value in (each[0] / (ranks - 1), sum(best) / len(best) / (ranks - 1), mean, top, points)
        ]
    return tuple(found)


@lru_cache(maxsize=1 << 15)  # all there are
def decision(tree: Tree, public: PublicState, hand: Ranks) -> Decision:
    """A decision of a player with this hand, in the form used for learning."""
    actor, says, moment = tree.actor(public), tree.says(public), public.moment
    ahead = public.ahead if actor == ELDEST else -public.ahead
    leads = actor == public.leader
    cards, led = hand[::-1], public.led if public.led >= 0 and not leads else None
    if public.led >= 0 and leads:  # asked about the card that they led
        cards = tuple(sorted((*hand, public.led), reverse=True))
    strong = strength(cards, ahead, led, tree.ranks)
    words = says if tree.plays(public) else says[:1]  # the last word is what is left
    situation: Key = (moment.value, public.trick, ahead, leads, min(int(4 * strong), 3))
    values = read(cards, hand[::-1], strong, tree.ranks) if words else ()
    if not tree.plays(public):
        return Decision(words, ahead, situation, values, (), (), ())
    ranks = tuple(sorted(set(hand)))
    labels, liked = _compared(ranks, led)
    form: Key = (moment.value, tuple(sorted(set(labels))), public.trick)
    high = ranks[-1] * 3 // tree.ranks if led is None else led * 3 // tree.ranks
    levels = (form, (*form, ahead, public.is_bound), (*form, ahead, public.is_bound, high)) if len(liked) > 1 else ()
    places = sorted(set(labels))
    return Decision(words, ahead, situation, values, tuple([places.index(one) for one in labels]), levels, liked)


_WINS_LEAST, _WINS, _TIES, _LOSES_LEAST, _LOSES = range(5)
_LIKED = (6.0, 1.0, 1.0, 4.0, 1.0)


def _compared(ranks: Ranks, led: int | None) -> tuple[list[int], tuple[float, ...]]:
    """A label for each card, and the chance of each label for a simple player: replies by their effect on the card led,
    leads by their rank in the hand."""
    if led is None:
        labels = list(range(len(ranks)))
        return labels, tuple([1 / len(ranks)] * len(ranks))
    labels = []
    for rank in ranks:
        if rank > led:
            labels.append(_WINS if _WINS_LEAST in labels else _WINS_LEAST)
        elif rank == led:
            labels.append(_TIES)
        else:
            labels.append(_LOSES if _LOSES_LEAST in labels else _LOSES_LEAST)
    liked = [_LIKED[label] for label in sorted(set(labels))]
    return labels, tuple([each / sum(liked) for each in liked])


def _situations(word: Say, made: Decision, last: Last) -> tuple[Key, ...]:
    """Situations with their own log odds."""
    return (word.value, *made.situation[:-1]), (word.value, *made.situation), (word.value, *last)
