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
from put_solver.kernels import compiled


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
    """Facts of each node for the kernel."""

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
        weights = hand_tree.reach, hand_tree.reach_sum, (totals[ELDEST], totals[DEALER]), (nets[ELDEST], nets[DEALER])
        _accumulate(hand_tree.flat, self.marks, strategy, *weights, done, puts)
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
        _change(hand_tree.flat, self.marks, side, int(habit), strategy)
        blind = sign * hand_tree.worth(ends, strategy)
        return usual + hand_tree.best_response(1 - side, ends, strategy), usual - blind

    def _passed(self, side: int, ends: Sequence[float], strategy: Doubles) -> Doubles:
        """Values of all hands of a side at all nodes, given the worth of the ends."""
        self.hand_tree.values[:] = 0
        self.hand_tree.evaluate(side, ends, strategy)
        return self.hand_tree.values.copy()


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


# --- the kernel ---

_ROUNDING_ERROR = 1e-9
_DECISION, _LAST = 0, 3  # `flat.NodeKind`, as the compiler wants it
_PUT, _SEE = 1, 2  # `CountedAct`; below, 0 to 3 are `PutResult`


@compiled
def _accumulate(
    flat: Flat,
    marks: NodeMarks,
    current: Doubles,
    reach: Doubles,
    reach_sum: Doubles,
    totals: tuple[Doubles, Doubles],
    nets: tuple[Doubles, Doubles],
    done: Doubles,
    puts: Doubles,
) -> None:
    """Add up actions (places by `CountedAct`) and hands of puts (places by `PutResult`), weighted by deals."""
    for node in range(flat.kind.shape[0]):
        kind, actor = flat.kind[node], flat.actor[node]
        if reach_sum[node, 0] == 0 or reach_sum[node, 1] == 0:
            continue
        if kind == _LAST:
            _accumulate_last(flat, marks, node, current, reach, done, puts)
        if kind != _DECISION:
            continue
        others, wins = totals[actor], nets[actor]
        size, place = flat.size[node, actor], marks.place[node]
        hands, at, slots = flat.counts[size], flat.at[node], flat.slots[node]
        for hand in range(hands):
            weight = marks.path[node] * reach[flat.reach[node, actor] + hand] * others[flat.worth[node] + hand]
            if weight == 0:
                continue
            for slot in range(slots):
                if flat.rank[flat.first[size] + hand, slot] >= 0:
                    done[place, 0] += weight * current[at + slot * hands + hand]
            for say in range(3):
                what = marks.says[node, say]
                if what < 0:
                    break
                chance = weight * current[at + (slots + say) * hands + hand]
                done[place, what] += chance
                if what == _PUT:
                    seen = flat.says[flat.says[node, say], 0]
                    if reach_sum[seen, 1 - actor] == 0:
                        puts[place, 3] += chance
                        continue
                    net = wins[flat.worth[seen] + hand]
                    nothing = _ROUNDING_ERROR * others[flat.worth[seen] + hand]
                    puts[place, 0 if net > nothing else 1 if net < -nothing else 2] += chance


@compiled
def _accumulate_last(
    flat: Flat, marks: NodeMarks, node: int, current: Doubles, reach: Doubles, done: Doubles, puts: Doubles
) -> None:
    """One card each, and one is led: the follower, who knows the result, plays or puts; the leader answers."""
    leader, ranks = flat.actor[node], flat.left.shape[1]
    led, held = flat.reach[node, leader], flat.reach[node, 1 - leader]
    own, other = (2, 3) if leader == 1 else (3, 2)  # the ends of `End` that win the follower the game, and lose it
    for rank in range(ranks):
        at = flat.at[node] + 8 * rank
        for card in range(ranks):
            cards = flat.left[node, rank] * (flat.left[node, card] - (1 if card == rank else 0))
            weight = marks.path[node] * reach[led + rank] * reach[held + card] * cards
            if weight <= 0:
                continue
            case = 1 + (card > rank) - (card < rank)
            putting = weight * current[at + 3 + case]
            done[marks.place[node], 0] += weight - putting
            done[marks.place[node], 1] += putting
            done[marks.answer[node], 2] += putting * current[at + 6]
            done[marks.answer[node], 3] += putting * (1 - current[at + 6])
            end = flat.ends[node, 3 + case]
            what = 3 if current[at + 6] == 0 else 0 if end == own else 1 if end == other else 2
            puts[marks.place[node], what] += putting


@compiled
def _change(flat: Flat, marks: NodeMarks, side: int, habit: int, current: Doubles) -> None:
    sees = 1.0 if habit == 2 else 0.0
    for node in range(flat.kind.shape[0]):
        kind, actor = flat.kind[node], flat.actor[node]
        if kind == _LAST:
            for rank in range(flat.left.shape[1]):
                at = flat.at[node] + 8 * rank
                if habit == 0 and actor != side:
                    for case in range(3):
                        current[at + case], current[at + 3 + case] = 1.0, 0.0
                if habit > 0 and actor == side:
                    current[at + 6], current[at + 7] = sees, 1 - sees
        if kind != _DECISION or actor != side:
            continue
        size, at, slots = flat.size[node, actor], flat.at[node], flat.slots[node]
        hands = flat.counts[size]
        for say in range(3):
            what = marks.says[node, say]
            if what < 0:
                break
            place = at + (slots + say) * hands
            for hand in range(hands):
                if habit > 0 and what == _SEE:
                    current[place + hand], current[place + hands + hand] = sees, 1 - sees
                if habit > 0 or what != _PUT:
                    continue
                put = current[place + hand]
                current[place + hand] = 0.0
                if slots == 0:  # the last card is led, or the hand thrown in
                    current[place + hand + (hands if say == 0 else -hands)] += put
                    continue
                child = flat.says[flat.says[node, say], 0]
                for slot in range(slots):
                    if flat.rank[flat.first[size] + hand, slot] >= 0:
                        current[at + slot * hands + hand] += put * current[flat.at[child] + slot * hands + hand]
