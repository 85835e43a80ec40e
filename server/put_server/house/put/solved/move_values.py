"""The worth of each move if both play by the table afterwards, and the table's own moves.

The range is the distribution of the other's hands, given the deal, the cards played, and the other's moves by the
table. If the other makes a move that the table never makes, the range falls back to the deal alone, and their further
moves off the table are all equally likely. A side that has itself left the table, or considers leaving it, makes the
best move from then on.

The same walk finds the best response to any strategy, such as a model of an opponent.

Worths are stakes (`payoffs`) for the side to move. The results are exact but slow: some tenths of a second for the
first card of a hand.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import log
from typing import NamedTuple, Protocol

from put_server.house.put.solved.payoffs import Score, Variant, Worths
from put_server.house.put.solved.position import Position, holding
from put_server.house.put.solved.rank_sets import Ranks, hands_of, ways_dealt, without
from put_server.house.put.solved.solution_table import Table
from put_server.house.put.solved.tree import ELDEST, TRICKS, End, Move, PublicState, Say, Tree

Range = Mapping[Ranks, float]
"""Possible hands of the other, with weights."""


class Strategy(Protocol):
    """Chances of a player's moves: a table of a solved game, or a model of an opponent."""

    @property
    def tree(self) -> Tree: ...
    @property
    def variant(self) -> Variant: ...
    def chances(self, score: Score, public: PublicState, at: int, hand: Ranks, /) -> tuple[float, ...]: ...


_NEVER = 1e-9
"""Chance below which a table never makes a move."""

_Others = Sequence[tuple[Ranks, float]]
"""Hands of the other, with weights."""

Answer = tuple[Move, float, Ranks]
"""A move, its chance, and the hand after it."""

Answers = Callable[[PublicState, int], Callable[[Ranks], Sequence[Answer]]]
"""Possible answers of the other at a decision with entries at a given place; for each hand."""


class MoveValues(NamedTuple):
    moves: Mapping[Move, float]
    """Worth of each move, if the table is followed after it."""
    chances: Mapping[Move, float]
    """Frequency of each move of the table."""


def move_values(table: Table, position: Position) -> MoveValues:
    opponent_hands, is_reached = opponent_range(table, position)
    tree, total = table.tree, sum(opponent_hands.values())

    def answers(public: PublicState, at: int) -> Callable[[Ranks], Sequence[Answer]]:
        def of(hand: Ranks) -> Sequence[Answer]:
            count = len(tree.moves_of(public, hand))
            row = table.chances(position.score, public, at, hand) if is_reached else (1 / count,) * count
            return answers_of(tree, public, hand, row)

        return of

    walk = _Walk(table, position, {score: part.worth for score, part in table.parts.items()}, answers)
    follows = own_reach(table, position) > 0
    moves = walk.moves(position.public, position.at, position.hand, [*opponent_hands.items()], follows=follows)
    found = {move: worth / total for move, worth in moves.items()}
    row = dict(zip(moves, _row(table, position), strict=True))
    if not follows:
        best = max(found, key=lambda move: found[move])
        row = {move: float(move == best) for move in row}
    return MoveValues(found, row)


def best_response(strategy: Strategy, position: Position, worths: Worths, answers: Answers) -> dict[Move, float]:
    """Worth of each move for a side that plays its best response from then on to a strategy with these answers.
    `worths`: of the scores after the hand, as in `Variant.ends`."""
    opponent_hands, _ = opponent_range(strategy, position)
    walk = _Walk(strategy, position, worths, answers)
    moves = walk.moves(position.public, position.at, position.hand, [*opponent_hands.items()], follows=False)
    total = sum(opponent_hands.values())
    return {move: worth / total for move, worth in moves.items()}


def chances(table: Table, found: Sequence[Position]) -> dict[Move, float]:
    """Frequency of each move of the table for a view with several positions, weighted by the probability that both
    sides' play reaches each. If the table's own play reaches none, the best move has frequency 1."""
    weights = [own_reach(table, each) for each in found]
    if not any(weights):
        return dict(move_values(table, found[0]).chances)
    if len(found) > 1:
        others = [
            sum(_ranged(table, each).values()) if weight else 0.0 for weight, each in zip(weights, found, strict=True)
        ]
        both = [weight * other for weight, other in zip(weights, others, strict=True)]
        weights = both if any(both) else weights
    whole = sum(weights)
    mixed: dict[Move, float] = {}
    for weight, each in zip(weights, found, strict=True):
        if weight:
            for move, chance in zip(table.tree.moves_of(each.public, each.hand), _row(table, each), strict=True):
                mixed[move] = mixed.get(move, 0.0) + weight / whole * chance
    return mixed


def own_reach(table: Table, position: Position) -> float:
    """Probability that the table's own play reaches a position, given the hand dealt."""
    return _led(table, position, position.side, position.dealt)


def opponent_range(table: Strategy, position: Position) -> tuple[Range, bool]:
    """Hands of the other, weighted by the deal and their moves. False: the table never makes these moves, so the
    weights are of the deal alone."""
    ranged = _ranged(table, position)
    return (ranged, True) if ranged else (_dealt(table, position), False)


def log_likelihood(strategy: Strategy, position: Position) -> float:
    """Logarithm of the chance of the other's moves to a position by this strategy, including the deal."""
    return log(sum(_ranged(strategy, position).values()) or _NEVER)


def _row(table: Strategy, position: Position) -> tuple[float, ...]:
    return table.chances(position.score, position.public, position.at, position.hand)


def _led(table: Strategy, position: Position, side: int, dealt: Ranks) -> float:
    likely = 1.0
    for step, hand in holding(position.path, side, dealt):
        row = table.chances(position.score, step.public, step.at, hand)
        likely *= row[table.tree.moves_of(step.public, hand).index(step.move)]
        if not likely:
            break
    return likely


def _dealt(table: Strategy, position: Position) -> Range:
    """The other's hands, weighted by the deal alone."""
    return _weighed(table.tree.ranks, position.dealt, position.shown(1 - position.side))


@lru_cache(maxsize=1)
def _weighed(ranks: int, own: Ranks, shown: tuple[int, ...]) -> Range:
    """The other's hands, weighted by the deal alone; cached, because a finished hand is examined several times."""
    hands = hands_of(ranks, TRICKS - len(shown)).hands
    return {hand: weight for hand in hands if (weight := ways_dealt((*hand, *shown), own))}


def _ranged(table: Strategy, position: Position) -> dict[Ranks, float]:
    """The other's hands, weighted by the deal and by their moves by the table."""
    other, found = 1 - position.side, {}
    shown = position.shown(other)
    for hand, weight in _dealt(table, position).items():
        dealt = tuple(sorted((*hand, *shown)))
        likely = _led(table, position, other, dealt)
        if likely:
            found[hand] = weight * likely
    return found


class _Walk:
    """A walk through a hand from a decision, with one side's hand known and the other's weighted."""

    def __init__(self, strategy: Strategy, position: Position, worths: Worths, answers: Answers) -> None:
        """`strategy`: of this side, when it is followed. `worths`: of the scores after the hand."""
        self._strategy = strategy
        self._tree = strategy.tree
        self._score = position.score
        self._side = position.side
        self._answers = answers
        sign = 1 if position.side == ELDEST else -1
        self._ends = [sign * worth for worth in strategy.variant.ends(position.score, worths)]

    def moves(self, public: PublicState, at: int, hand: Ranks, others: _Others, *, follows: bool) -> dict[Move, float]:
        """Worth of each move of this side, times the weight of the other's hands. `follows`: the strategy reaches this
        state and has the next move."""
        legal = self._tree.moves_of(public, hand)
        row = self._strategy.chances(self._score, public, at, hand) if follows else (0.0,) * len(legal)
        return {
            move: self._after(public, at, hand, others, move, follows=chance > 0)
            for move, chance in zip(legal, row, strict=True)
        }

    def _after(self, public: PublicState, at: int, hand: Ranks, others: _Others, move: Move, *, follows: bool) -> float:
        """Worth of one move of this side."""
        after, begins = self._tree.step(public, at, move)
        left = hand if isinstance(move, Say) else without(hand, move)
        return self._worth(after, begins, left, others, follows=follows)

    def _worth(self, public: PublicState | End, at: int, hand: Ranks, others: _Others, *, follows: bool) -> float:
        if isinstance(public, End):
            return self._ends[public] * sum([weight for _, weight in others])
        if self._tree.actor(public) == self._side:
            if not follows:
                return max(self.moves(public, at, hand, others, follows=False).values())
            row = self._strategy.chances(self._score, public, at, hand)
            moves = zip(self._tree.moves_of(public, hand), row, strict=True)
            return sum([n * self._after(public, at, hand, others, move, follows=True) for move, n in moves if n])
        total, following, answers = 0.0, self._tree.following(public), self._answers(public, at)
        goes_on: dict[Move, list[tuple[Ranks, float]]] = {}
        for held, weight in others:
            for move, chance, left in answers(held):
                after, _ = following[move]
                if isinstance(after, End):  # as most do
                    total += self._ends[after] * weight * chance
                elif move in goes_on:
                    goes_on[move].append((left, weight * chance))
                else:
                    goes_on[move] = [(left, weight * chance)]
        for move, those in goes_on.items():
            after, further = following[move]
            total += self._worth(after, at + further, hand, those, follows=follows)
        return total


def answers_of(tree: Tree, public: PublicState, hand: Ranks, row: Sequence[float]) -> tuple[Answer, ...]:
    """A player's possible moves with this hand, with the chances of `Tree.moves_of`."""
    moves = tree.moves_of(public, hand)
    return tuple(
        [
            (move, chance, hand if isinstance(move, Say) else without(hand, move))
            for move, chance in zip(moves, row, strict=True)
            if chance
        ]
    )
