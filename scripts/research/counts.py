"""Frequencies of events when both play by a table, over all deals at once.

A pass over the tree computes the weight of each hand of each side at every node. If every end is worth 1, the value of
a hand is the weight of all possible hands of the other there. The product of both is the exact frequency of a hand at
the node, which gives the frequencies of puts, sees and throw-ins, by hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from put_protocol.games.put import Moment
from put_server.house.put.solved.payoffs import Score, Worths
from put_server.house.put.solved.solution_table import Table
from put_server.house.put.solved.tree import DEALER, ELDEST, FIRST, End, PublicState, Say, Tree
from put_solver.flat import Doubles, Flat, Ints, NodeKind
from put_solver.hand_solver import HandTree


class CountedAct(IntEnum):
    PLAY = 0
    PUT = 1
    SEE = 2
    THROW = 3


class PutResult(IntEnum):
    """Result of a put for its hand, against the hands that see it."""

    WINS = 0
    """It wins the hand more often than it loses."""
    LOSES = 1
    EVEN = 2
    NEVER = 3
    """No hand sees it."""


class Habit(IntEnum):
    """A deviation from the table's play."""

    NEVER_PUTS = 0
    """The player plays as if they had put."""
    NEVER_SEES = 1
    ALWAYS_SEES = 2


class DecisionKind(NamedTuple):
    """Decisions that are counted together."""

    actor: int
    moment: Moment
    """The moment; for an answer to a put, that of the put."""
    trick: int
    lead_in_tricks: int
    """1: the actor has more tricks than the other; 0: equally many; -1: fewer."""
    is_answer: bool = False
    is_later: bool = False
    """After a put."""


class NodeMarks(NamedTuple):
    """Facts of each node."""

    place: Ints
    """Its index among the places."""
    answer: Ints
    """Place of the answer to the follower's put after a last lead; otherwise -1."""
    says: Ints
    """The `CountedAct` of each word (nodes by 3); -1: none."""
    path: Doubles
    """Number of ways in which the played cards can be dealt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Counts of one score: chances per hand dealt, unless stated otherwise."""

    done: dict[DecisionKind, tuple[float, ...]]
    """Frequency of each `CountedAct`."""
    puts: dict[DecisionKind, tuple[float, ...]]
    """Frequency of puts by `PutResult`."""
    ends: tuple[float, ...]
    """Frequency of each `End`."""
    worths: tuple[Doubles, Doubles]
    """Worth of each hand to eldest and to the dealer, in stakes."""
    led: Doubles
    """Frequency of each lead of eldest without a word, by the dealer's hand (ranks by hands)."""


class Counter:
    """Counts the scores of one rule set; the marks are made once."""

    def __init__(self, tree: Tree) -> None:
        self.hand_tree = HandTree(tree)
        self.places, self.marks = _marked(self.hand_tree.flat, tree)

    def counted(self, table: Table, score: Score, worths: Worths) -> Counts:
        """The counts at a score, given the worth of scores."""
        hand_tree, strategy = self.hand_tree, self.hand_tree.probabilities(table.entries(score))
        totals = [self._passed(side, (sign,) * len(End), strategy) for side, sign in ((ELDEST, 1.0), (DEALER, -1.0))]
        nets = [self._passed(side, (1.0, -1.0, 1.0, -1.0, 0.0, 0.0), strategy) for side in (ELDEST, DEALER)]
        done = np.zeros((len(self.places), len(CountedAct)))
        puts = np.zeros((len(self.places), len(PutResult)))
        for node in np.flatnonzero((hand_tree.reach_sum > 0).all(axis=1)).tolist():
            if hand_tree.flat.kind[node] == NodeKind.DECISION:
                self._count(node, strategy, totals, nets, done, puts)
            elif hand_tree.flat.kind[node] == NodeKind.LAST:
                self._count_last(node, strategy, done, puts)
        ends = table.variant.ends(score, worths)
        flat, reach, begins = hand_tree.flat, hand_tree.reach, int(hand_tree.flat.reach[0, DEALER])
        length = len(flat.begin)
        led = np.array(
            [
                flat.left[0, rank] * reach[begins : begins + length] * totals[DEALER][at : at + length]
                for rank, at in enumerate(flat.worth[flat.plays[0]].tolist())
            ]
        )
        hands = [self._passed(side, ends, strategy) for side in (ELDEST, DEALER)]
        first, last = int(flat.worth[0]), int(flat.worth[0]) + length
        alone = [tuple(float(end == each) for each in End) for end in End]
        return Counts(
            done=_rows(self.places, done / hand_tree.deals),
            puts=_rows(self.places, puts / hand_tree.deals),
            ends=tuple(hand_tree.worth(each, strategy) for each in alone),
            worths=(_each(hands[0], totals[0], first, last), _each(hands[1], totals[1], first, last)),
            led=led / hand_tree.deals,
        )

    def cost(self, table: Table, score: Score, worths: Worths, side: int, habit: Habit) -> tuple[float, float]:
        """Cost of a habit in one hand, in stakes, for a side that otherwise plays by the table: against an opponent who
        knows the habit, and against one who plays by the table."""
        hand_tree, ends = self.hand_tree, table.variant.ends(score, worths)
        strategy = self.hand_tree.probabilities(table.entries(score))
        sign = 1 if side == ELDEST else -1
        usual = sign * hand_tree.worth(ends, strategy)
        self._change(side, habit, strategy)
        blind = sign * hand_tree.worth(ends, strategy)
        return usual + hand_tree.best_response(1 - side, ends, strategy), usual - blind

    def _passed(self, side: int, ends: Sequence[float], strategy: Doubles) -> Doubles:
        """Values of all hands of a side at all nodes, given the worth of the ends."""
        self.hand_tree.values[:] = 0
        self.hand_tree.evaluate(side, ends, strategy)
        return self.hand_tree.values.copy()

    def _rows_at(self, node: int, strategy: Doubles) -> Doubles:
        """Chances of a decision (actions by hands), or after the last lead (ranks led by eight entries)."""
        flat, begins = self.hand_tree.flat, int(self.hand_tree.flat.at[node])
        if flat.kind[node] == NodeKind.LAST:
            return strategy[begins : begins + 8 * flat.left.shape[1]].reshape(-1, 8)
        hands = int(flat.counts[flat.size[node, flat.actor[node]]])
        actions = int(flat.slots[node]) + int((flat.says[node] >= 0).sum())
        return strategy[begins : begins + actions * hands].reshape(actions, hands)

    def _held(self, node: int) -> Doubles:
        """1 for each hand with a card in each slot (slots by hands)."""
        flat = self.hand_tree.flat
        size = flat.size[node, flat.actor[node]]
        first, slots = flat.first[size], flat.slots[node]
        return (flat.rank[first : first + flat.counts[size], :slots].T >= 0).astype(np.float64)

    def _count(
        self, node: int, strategy: Doubles, totals: list[Doubles], nets: list[Doubles], done: Doubles, puts: Doubles
    ) -> None:
        """Add up actions (places by `CountedAct`) and hands of puts (places by `PutResult`), weighted by deals."""
        flat, reach, reach_sum = self.hand_tree.flat, self.hand_tree.reach, self.hand_tree.reach_sum
        actor, slots, place = int(flat.actor[node]), int(flat.slots[node]), self.marks.place[node]
        rows, begins, at = self._rows_at(node, strategy), flat.reach[node, actor], flat.worth[node]
        hands = rows.shape[1]
        weights = self.marks.path[node] * reach[begins : begins + hands] * totals[actor][at : at + hands]
        done[place, CountedAct.PLAY] += (weights * rows[:slots] * self._held(node)).sum()
        for say, what in enumerate(self.marks.says[node]):
            if what < 0:
                break
            chances = weights * rows[slots + say]
            done[place, what] += chances.sum()
            if what != CountedAct.PUT:
                continue
            seen = flat.says[flat.says[node, say], 0]
            at = flat.worth[seen]
            net, nothing = nets[actor][at : at + hands], _ROUNDING_ERROR * totals[actor][at : at + hands]
            result = np.where(net > nothing, PutResult.WINS, np.where(net < -nothing, PutResult.LOSES, PutResult.EVEN))
            if reach_sum[seen, 1 - actor] == 0:
                result[:] = PutResult.NEVER
            puts[place] += np.bincount(result, chances, len(PutResult))

    def _count_last(self, node: int, strategy: Doubles, done: Doubles, puts: Doubles) -> None:
        """One card each, and one is led: the follower, who knows the result, plays or puts; the leader answers."""
        flat, reach = self.hand_tree.flat, self.hand_tree.reach
        leader, left = int(flat.actor[node]), flat.left[node]
        ranks = np.arange(len(left))
        led, held = reach[flat.reach[node, leader] + ranks], reach[flat.reach[node, 1 - leader] + ranks]
        case = 1 + np.sign(ranks - ranks[:, None])
        weights = self.marks.path[node] * np.outer(led * left, held) * (left - np.eye(len(left)))
        rows = self._rows_at(node, strategy)
        putting, sees = weights * rows[ranks[:, None], 3 + case], rows[:, 6:7]
        place, answer = self.marks.place[node], self.marks.answer[node]
        done[place, CountedAct.PLAY] += (weights - putting).sum()
        done[place, CountedAct.PUT] += putting.sum()
        done[answer, CountedAct.SEE] += (putting * sees).sum()
        done[answer, CountedAct.THROW] += (putting * (1 - sees)).sum()
        own, other = (End.ELDEST_GAME, End.DEALER_GAME)[:: 1 if leader == DEALER else -1]
        ends = flat.ends[node][3 + case]
        result = np.where(ends == own, PutResult.WINS, np.where(ends == other, PutResult.LOSES, PutResult.EVEN))
        result = np.where(sees == 0, PutResult.NEVER, result)
        puts[place] += np.bincount(result.ravel(), putting.ravel(), len(PutResult))

    def _change(self, side: int, habit: Habit, strategy: Doubles) -> None:
        """Change a side's strategy by a habit."""
        flat, sees = self.hand_tree.flat, float(habit is Habit.ALWAYS_SEES)
        for node in np.flatnonzero((flat.kind == NodeKind.DECISION) & (flat.actor == side)).tolist():
            rows, slots = self._rows_at(node, strategy), int(flat.slots[node])
            for say, what in enumerate(self.marks.says[node], slots):
                if what == CountedAct.SEE and habit is not Habit.NEVER_PUTS:
                    rows[say], rows[say + 1] = sees, 1 - sees
                if what == CountedAct.PUT and habit is Habit.NEVER_PUTS:
                    put = rows[say].copy()
                    rows[say] = 0.0
                    if slots:
                        seen = int(flat.says[flat.says[node, say - slots], 0])
                        rows[:slots] += put * self._rows_at(seen, strategy)[:slots] * self._held(node)
                    else:  # the last card is led, or the hand thrown in
                        rows[say + (1 if say == 0 else -1)] += put
        for node in np.flatnonzero(flat.kind == NodeKind.LAST).tolist():
            rows = self._rows_at(node, strategy)
            if habit is Habit.NEVER_PUTS and flat.actor[node] != side:
                rows[:, :3], rows[:, 3:6] = 1.0, 0.0
            if habit is not Habit.NEVER_PUTS and flat.actor[node] == side:
                rows[:, 6], rows[:, 7] = sees, 1 - sees


_ROUNDING_ERROR = 1e-9


def _rows(places: Sequence[DecisionKind], rows: Doubles) -> dict[DecisionKind, tuple[float, ...]]:
    return {place: tuple(row) for place, row in zip(places, rows.tolist(), strict=True)}


def _each(sums: Doubles, totals: Doubles, first: int, last: int) -> Doubles:
    return sums[first:last] / totals[first:last]


def _marked(flat: Flat, tree: Tree) -> tuple[list[DecisionKind], NodeMarks]:
    """The places of a tree, and each node's."""
    nodes = len(flat.kind)
    place, answer = np.full((2, nodes), -1, dtype=np.int32)
    says, path = np.full((nodes, 3), -1, dtype=np.int32), np.zeros(nodes)
    numbers: dict[DecisionKind, int] = {}

    def numbered(public: PublicState, *, is_later: bool) -> int:
        return numbers.setdefault(_place(tree, public, is_later=is_later), len(numbers))

    todo: list[tuple[int, PublicState, float, bool]] = [(0, FIRST, 1.0, False)]
    while todo:
        node, public, ways, is_later = todo.pop()
        path[node] = ways
        if flat.kind[node] == NodeKind.LAST:
            following = tree.after(public, 1)
            assert isinstance(following, PublicState)
            asked = tree.after(following, Say.PUT)
            assert isinstance(asked, PublicState)
            place[node] = numbered(following, is_later=is_later)
            answer[node] = numbered(asked, is_later=is_later)
        if flat.kind[node] != NodeKind.DECISION:
            continue
        place[node] = numbered(public, is_later=is_later)
        at = 0
        if tree.plays(public) and not flat.slots[node]:  # the last lead, all its cards one node
            says[node, 0] = CountedAct.PLAY
            todo.append((int(flat.says[node, 0]), public, ways, is_later))
            at = 1
        for say in tree.says(public):
            says[node, at] = CountedAct[say.name]
            after = tree.after(public, say)
            if isinstance(after, PublicState):
                is_put = is_later or public.moment is Moment.ANSWER
                todo.append((int(flat.says[node, at]), after, ways, is_put))
            at += 1
        for rank in range(tree.ranks if flat.slots[node] else 0):
            child, after = int(flat.plays[node, rank]), tree.after(public, rank)
            if child >= 0 and isinstance(after, PublicState):
                todo.append((child, after, ways * float(flat.left[node, rank]), is_later))
    return list(numbers), NodeMarks(place, answer, says, path)


def _place(tree: Tree, public: PublicState, *, is_later: bool) -> DecisionKind:
    actor, moment = tree.actor(public), public.moment
    ahead = public.ahead if actor == ELDEST else -public.ahead
    is_answer = moment is Moment.ANSWER
    if is_answer:
        is_last_say = public.trick == 1 and public.led < 0 and bool(tree.rules.last_say)
        moment = Moment.REPLY if public.led >= 0 else Moment.LAST_SAY if is_last_say else Moment.LEAD
    return DecisionKind(actor, moment, public.trick, (ahead > 0) - (ahead < 0), is_answer, is_later)
