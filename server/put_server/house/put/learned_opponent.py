"""A model of one opponent at two-handed Put, learned from the hands they played.

Theory. Every action of a hand is public and only the deal is hidden. So an opponent is a strategy: a mixture of moves
for each hand at each public state, far too many to be counted one by one. The model counts *kinds* of decision instead:
what is said, by moment and strength of the hand; which card is played, by how it compares with the others and with the
card led. A kind is counted at several levels, from the coarse to the fine, and each level corrects the one before it as
far as it has observations: with n of them, of which a share q did so, a chance p becomes (n q + K p) / (n + K). The
coarsest corrects a plain, sensible player.

Whether they see a put matters most, and is observed seldom, with cards that mostly stay hidden. So there the plain
player is one of many archetypes: each judges a hand by one reading (its strength, its best card, the mean of its best
two, or of all), and sees from some value of it on, more or less strictly. All answers to puts, at any moment, tell
which of them the opponent is like (Bayes' rule); the counts correct their mean.

Hands that are thrown in stay hidden, and those who throw in are not those who see. So after a hand each set of cards
that the opponent may have held counts by its probability, given what was shown and the model's chances of all that they
did: expectation maximisation, a hand at a time (Dempster, Laird and Rubin 1977).
"""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from math import exp, log
from typing import NamedTuple

from msgspec import Struct, field

from put_protocol.games.put import Moment
from put_server.house.put.hand_evaluation import strength
from put_server.house.put.solved.move_values import Answer, Answers, answers_of, opponent_range
from put_server.house.put.solved.payoffs import Score
from put_server.house.put.solved.position import Position, Step, holding
from put_server.house.put.solved.rank_sets import Ranks
from put_server.house.put.solved.solution_table import Table
from put_server.house.put.solved.tree import ELDEST, Move, PublicState, Say, Tree

_DOUBT = 3.0
"""Observations of a kind that weigh as much as what was expected of it."""

_SELDOM = 0.02
"""Chances that a walk leaves out."""

Key = tuple[str | int | bool | tuple[int, ...], ...]
Counts = dict[Key, list[float]]
"""Counts of each thing that was done, by the kind of decision."""
Needs = tuple[int, int]
"""Points that the one who decides needs, and that the other needs; more than two are alike."""


class Learned(Struct):
    """Knowledge of one opponent."""

    counts: Counts = field(default_factory=dict)
    beliefs: list[float] = field(default_factory=lambda: [archetype.belief for archetype in ARCHETYPES])
    """Logarithm of the weight of each of `ARCHETYPES`; the greatest is 0."""


class Kind(NamedTuple):
    """A choice, as it is counted."""

    levels: tuple[Key, ...]
    """Keys of its counts, the coarsest first."""
    expected: tuple[float, ...]
    """Chance of each thing to do that a plain player would have."""


class Decision(NamedTuple):
    """A decision as two choices: to say something or to play, and which card."""

    says: Kind
    """Words to play, where that is possible, and then all that may be said."""
    cards: Kind
    labels: tuple[int, ...]
    """The place in `cards` of each card that may be played, from the lowest."""
    values: tuple[int, ...] = ()
    """Each reading of the hand, where a put is answered and throwing in does not lose the game."""


class LearnedOpponent:
    """An opponent as they are known so far. It has the form of a `Table` of a solved game, for `move_values`."""

    def __init__(self, table: Table, learned: Learned | None = None) -> None:
        self.tree, self.variant = table.tree, table.variant
        self.learned = learned or Learned()
        self._sees = sees_by(self.learned.beliefs, self.tree.ranks)
        self._rows: dict[tuple[Score, PublicState, Ranks], tuple[float, ...]] = {}
        """Chances that were asked for since it last learned."""

    def chances(self, score: Score, public: PublicState, _at: int, hand: Ranks) -> tuple[float, ...]:
        """Chance of each of `Tree.moves_of`."""
        at = score, public, hand
        row = self._rows.get(at)
        if row is None:
            row = self._rows[at] = self._row(decision(self.tree, self._needs(score, public), public, hand))
        return row

    def answers(self, score: Score) -> Answers:
        """The same in the form that a walk through a hand wants, without what is done seldom: half of the walk."""
        found: dict[PublicState, dict[Ranks, tuple[Answer, ...]]] = {}

        def answers_at(public: PublicState, _at: int) -> Callable[[Ranks], tuple[Answer, ...]]:
            needs, known = self._needs(score, public), found.setdefault(public, {})

            def answers(hand: Ranks) -> tuple[Answer, ...]:
                if hand not in known:
                    row = self._row(decision(self.tree, needs, public, hand))
                    often = [chance if chance >= _SELDOM else 0.0 for chance in row]
                    whole = sum(often)
                    known[hand] = answers_of(self.tree, public, hand, [chance / whole for chance in often])
                return known[hand]

            return answers

        return answers_at

    def learn(self, position: Position) -> None:
        """Count what the opponent did on the way to the end of a hand; `position` is that of the player who learns."""
        other, found = 1 - position.side, []
        for hand, weight in opponent_range(self, position)[0].items():
            dealt = tuple(sorted((*hand, *position.shown[other])))
            found.append((weight, list(holding(position.path, other, dealt))))
        whole = sum(weight for weight, _ in found)
        self._believe(position.score, [(weight / whole, steps) for weight, steps in found])
        for weight, steps in found:
            for step, held in steps:
                self._count(position.score, step.public, held, step.move, weight / whole)
        self._rows.clear()

    def _believe(self, score: Score, found: Sequence[tuple[float, Sequence[tuple[Step, Ranks]]]]) -> None:
        """Weigh the archetypes by the chance with which each would have answered the puts of a hand as was answered.

        The weights of the hands contain the model's own chance of the answer, which is taken out of them again."""
        ranks, likely = self.tree.ranks, [0.0] * len(ARCHETYPES)
        for place, (step, _) in enumerate(found[0][1]):
            if step.public.moment is not Moment.ANSWER or self._needs(score, step.public)[1] == 1:
                continue
            by_value = [[0.0] * ranks for _ in range(READINGS)]
            answer = self.tree.says(step.public).index(step.move)
            for weight, steps in found:
                held = steps[place][1]
                made = decision(self.tree, self._needs(score, step.public), step.public, held)
                share = weight / self.chances(score, step.public, step.at, held)[answer]
                for values, value in zip(by_value, made.values, strict=True):
                    values[value] += share
            for number, archetype in enumerate(ARCHETYPES):
                sees, shares = archetype.sees(ranks), by_value[archetype.reading]
                chances = sees if step.move is Say.SEE else [1 - chance for chance in sees]
                likely[number] += log(sum([share * chance for share, chance in zip(shares, chances, strict=True)]))
        beliefs = [belief + _TRUST * more for belief, more in zip(self.learned.beliefs, likely, strict=True)]
        best = max(beliefs)
        self.learned.beliefs = [belief - best for belief in beliefs]
        self._sees = sees_by(self.learned.beliefs, ranks)

    def _count(self, score: Score, public: PublicState, hand: Ranks, move: Move, weight: float) -> None:
        made = decision(self.tree, self._needs(score, public), public, hand)
        says, plays = self.tree.says(public), self.tree.plays(public)
        self._add(made.says, says.index(move) + plays if isinstance(move, Say) else 0, weight)
        if not isinstance(move, Say):
            self._add(made.cards, made.labels[sorted(set(hand)).index(move)], weight)

    def _add(self, kind: Kind, place: int, weight: float) -> None:
        for level in kind.levels if len(kind.expected) > 1 else ():
            self.learned.counts.setdefault(level, [0.0] * len(kind.expected))[place] += weight

    def _needs(self, score: Score, public: PublicState) -> Needs:
        own, other = score if self.tree.actor(public) == ELDEST else score[::-1]
        return min(self.variant.target - own, 3), min(self.variant.target - other, 3)

    def _row(self, made: Decision) -> tuple[float, ...]:
        expected = made.says.expected
        if made.values:
            sees = sum([by_value[value] for by_value, value in zip(self._sees, made.values, strict=True)])
            expected = sees, 1 - sees
        says, cards = self._mixed(made.says.levels, expected), self._mixed(*made.cards)
        shares = [says[0] * cards[label] / made.labels.count(label) for label in made.labels]
        return (*shares, *says[bool(shares) :])

    def _mixed(self, levels: Sequence[Key], expected: tuple[float, ...]) -> tuple[float, ...]:
        mixed = expected
        for level in levels:
            if counts := self.learned.counts.get(level):
                whole = sum(counts) + _DOUBT
                mixed = tuple([(n + _DOUBT * chance) / whole for n, chance in zip(counts, mixed, strict=True)])
        return mixed


class Archetype(NamedTuple):
    """A player who sees a put from some value of their hand on."""

    reading: int
    middle: float
    """The value, from 0 to 1, at which they see every second time."""
    width: float
    """Distance from it at which they are sure, or nearly."""
    lapses: float
    """The share of their moves in which they do otherwise."""

    @property
    def belief(self) -> float:
        """Logarithm of its weight at first: a plain player is likelier than others."""
        return -(((self.middle - _USUAL[self.reading]) / _SPREAD) ** 2) / 2

    def sees(self, ranks: int) -> Sequence[float]:
        return _sees(self, ranks)


@cache
def _sees(archetype: Archetype, ranks: int) -> tuple[float, ...]:
    """The chance to see with each value of a hand."""
    _, middle, width, lapses = archetype
    return tuple([lapses + (1 - 2 * lapses) * _rising(value / (ranks - 1), middle, width) for value in range(ranks)])


_USUAL = (0.5, 0.85, 0.7, 0.6)
"""The middles of a plain player, by reading: strength, best card, mean of the best two, mean of all."""
READINGS = len(_USUAL)
_SPREAD = 0.2
_TRUST = 0.7
"""Weight of an observation: no opponent is exactly one of these."""
ARCHETYPES: tuple[Archetype, ...] = tuple(
    [
        Archetype(reading, middle / 24, width, lapses)
        for reading in range(READINGS)
        for middle in range(3, 25, 2)
        for width in (0.02, 0.1)
        for lapses in (0.02, 0.1)
    ]
)


def read(cards: Ranks, strong: float, ranks: int) -> tuple[int, ...]:
    """The readings of a hand, the best card first, in as many values as there are ranks."""
    best = cards[:2]
    return min(int(strong * ranks), ranks - 1), cards[0], round(sum(best) / len(best)), round(sum(cards) / len(cards))


def sees_by(beliefs: Sequence[float], ranks: int) -> list[list[float]]:
    """Share of the archetypes who see with each value, by reading; together, over the readings, a chance."""
    weights = [exp(belief) for belief in beliefs]
    whole, found = sum(weights), [[0.0] * ranks for _ in range(READINGS)]
    for archetype, weight in zip(ARCHETYPES, weights, strict=True):
        shares = found[archetype.reading]
        for value, chance in enumerate(archetype.sees(ranks)):
            shares[value] += weight * chance / whole
    return found


@lru_cache(maxsize=1 << 14)
def decision(tree: Tree, needs: Needs, public: PublicState, hand: Ranks) -> Decision:
    """The kinds of a decision of a player who holds this hand."""
    actor = tree.actor(public)
    ahead = public.ahead if actor == ELDEST else -public.ahead
    leads = actor == public.leader
    cards, led = hand[::-1], public.led if public.led >= 0 and not leads else None
    if public.led >= 0 and leads:  # asked about the card that they led
        cards = tuple(sorted((*hand, public.led), reverse=True))
    strong = strength(cards, ahead, led, tree.ranks)
    when: Key = (public.moment.value, public.trick, ahead, leads, len(tree.says(public)))
    fine = min(int(12 * strong), 11)
    last = needs[0] == 1, needs[1] == 1
    levels: tuple[Key, ...] = ((*when, "coarse", fine // 3), (*when, fine), (*when, fine, *last))
    says = Kind(levels, _expected_says(tree, public, strong, is_free=needs[1] == 1))
    if public.moment is Moment.ANSWER:
        is_free = needs[1] == 1
        return Decision(says, Kind((), ()), (), () if is_free else read(cards, strong, tree.ranks))
    if not tree.plays(public):
        return Decision(says, Kind((), ()), ())
    ranks = tuple(sorted(set(hand)))
    labels, chances = _compared(ranks, led)
    form: Key = (public.moment.value, tuple(sorted(set(labels))), public.trick)
    high = ranks[-1] * 3 // tree.ranks if led is None else led * 3 // tree.ranks
    played = Kind((form, (*form, ahead, public.is_bound), (*form, ahead, public.is_bound, high)), chances)
    places = sorted(set(labels))
    return Decision(says, played, tuple([places.index(label) for label in labels]))


_WINS_LEAST, _WINS, _TIES, _LOSES_LEAST, _LOSES = range(5)
_LIKED = (6.0, 1.0, 1.0, 4.0, 1.0)


def _compared(ranks: Ranks, led: int | None) -> tuple[list[int], tuple[float, ...]]:
    """A label for each card, and the chance that a plain player plays one of each label: replies by what they do to the
    card led, leads by their place among the cards held."""
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


def _expected_says(tree: Tree, public: PublicState, strong: float, *, is_free: bool) -> tuple[float, ...]:
    """The chance that a plain player plays, if that is possible, and of all that may be said."""
    says = tree.says(public)
    if public.moment is Moment.ANSWER:
        sees = 0.97 if is_free else 0.04 + 0.92 * _rising(strong, 0.5)
        return tuple([sees if say is Say.SEE else 1 - sees for say in says])
    shares = {Say.PUT: 0.07 + 0.5 * _rising(strong, 0.75), Say.THROW: 0.0 if is_free else 0.4 * _rising(-strong, -0.3)}
    found = [shares[say] for say in says]
    if tree.plays(public):
        return (1 - sum(found), *found)
    return tuple([each / sum(found) for each in found])


def _rising(value: float, middle: float, width: float = 0.08) -> float:
    return 1 / (1 + exp(-(value - middle) / width))
