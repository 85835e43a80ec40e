"""A model of one opponent at two-handed Put, learned from the hands they played.

Theory. Every action of a hand is public and only the deal is hidden. So an opponent is a strategy: a mixture of moves
for each hand at each public state, far too many to be counted one by one. The model counts *kinds* of decision instead:
what is said, by moment and strength of the hand; which card is played, by how it compares with the others and with the
card led. A kind is counted at several levels, from the coarse to the fine, and each level corrects the one before it as
far as it has observations: with n of them, of which a share q did so, a chance p becomes (n q + K p) / (n + K). The
coarsest corrects a plain, sensible player.

Hands that are thrown in stay hidden, and those who throw in are not those who see. So after a hand each set of cards
that the opponent may have held counts by its probability, given what was shown and the model's chances of all that they
did: expectation maximisation, a hand at a time (Dempster, Laird and Rubin 1977).
"""

from collections.abc import Callable
from functools import lru_cache
from math import exp
from typing import NamedTuple

from put_protocol.games.put import Moment
from put_server.house.put.hand_evaluation import strength
from put_server.house.put.solved.move_values import Answer, Answers, answers_of, opponent_range
from put_server.house.put.solved.payoffs import Score
from put_server.house.put.solved.position import Position, holding
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


class LearnedOpponent:
    """An opponent as they are known so far. It has the form of a `Table` of a solved game, for `move_values`."""

    def __init__(self, table: Table, counts: Counts | None = None) -> None:
        self.tree, self.variant = table.tree, table.variant
        self.counts: Counts = {} if counts is None else counts

    def chances(self, score: Score, public: PublicState, _at: int, hand: Ranks) -> tuple[float, ...]:
        """Chance of each of `Tree.moves_of`."""
        return self._row(decision(self.tree, self._needs(score, public), public, hand))

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
        for weight, steps in found:
            for step, held in steps:
                self._count(position.score, step.public, held, step.move, weight / whole)

    def _count(self, score: Score, public: PublicState, hand: Ranks, move: Move, weight: float) -> None:
        made = decision(self.tree, self._needs(score, public), public, hand)
        says, plays = self.tree.says(public), self.tree.plays(public)
        self._add(made.says, says.index(move) + plays if isinstance(move, Say) else 0, weight)
        if not isinstance(move, Say):
            self._add(made.cards, made.labels[sorted(set(hand)).index(move)], weight)

    def _add(self, kind: Kind, place: int, weight: float) -> None:
        for level in kind.levels if len(kind.expected) > 1 else ():
            self.counts.setdefault(level, [0.0] * len(kind.expected))[place] += weight

    def _needs(self, score: Score, public: PublicState) -> Needs:
        own, other = score if self.tree.actor(public) == ELDEST else score[::-1]
        return min(self.variant.target - own, 3), min(self.variant.target - other, 3)

    def _row(self, made: Decision) -> tuple[float, ...]:
        says, cards = self._mixed(made.says), self._mixed(made.cards)
        shares = [says[0] * cards[label] / made.labels.count(label) for label in made.labels]
        return (*shares, *says[bool(shares) :])

    def _mixed(self, kind: Kind) -> tuple[float, ...]:
        mixed = kind.expected
        for level in kind.levels:
            if counts := self.counts.get(level):
                whole = sum(counts) + _DOUBT
                mixed = tuple([(n + _DOUBT * chance) / whole for n, chance in zip(counts, mixed, strict=True)])
        return mixed


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


def _rising(value: float, middle: float) -> float:
    return 1 / (1 + exp(-(value - middle) / 0.08))
