"""Frequencies of events when both play by a table, over all deals at once.

A walk over the public histories carries the frequency of each pair of hands: of the deal, times the chances of both
sides' moves with these hands. So the frequencies of puts, sees and throw-ins are sums over it, and no deal is sampled.
It comes back with the frequency of each end, by hand.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import NamedTuple

import numpy as np

from put_protocol.games.put import Moment
from put_server.house.put.solved.payoffs import Score, Worths
from put_server.house.put.solved.rank_sets import hands_of, ways_dealt, without
from put_server.house.put.solved.solution_table import Table
from put_server.house.put.solved.tree import DEALER, ELDEST, FIRST, TRICKS, End, Move, PublicState, Say, Tree
from put_solver.flat import Doubles, Ints, Longs
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
    """Counts the scores of one rule set."""

    def __init__(self, tree: Tree) -> None:
        self.hand_tree = HandTree(tree)

    def counted(self, table: Table, score: Score, worths: Worths) -> Counts:
        """The counts at a score, given the worth of scores."""
        hands = hands_of(table.tree.ranks, TRICKS).hands
        deals = np.array([[ways_dealt(one) * ways_dealt(two, one) for two in hands] for one in hands], dtype=np.float64)
        walk = _Walk(table.tree, self.hand_tree.probabilities(table.entries(score)))
        eldest, dealer = walk.ends(FIRST, 0, deals / deals.sum())
        worth = np.array(table.variant.ends(score, worths))
        return Counts(
            done={place: tuple(row.tolist()) for place, row in walk.done.items()},
            puts={place: tuple(walk.puts[place].tolist()) for place in walk.done},
            ends=tuple(eldest.sum(axis=1).tolist()),
            worths=(worth @ eldest / eldest.sum(axis=0), -worth @ dealer / dealer.sum(axis=0)),
            led=walk.led,
        )

    def cost(self, table: Table, score: Score, worths: Worths, side: int, habit: Habit) -> tuple[float, float]:
        """Cost of a habit in one hand, in stakes, for a side that otherwise plays by the table: against an opponent who
        knows the habit, and against one who plays by the table."""
        hand_tree, ends = self.hand_tree, table.variant.ends(score, worths)
        strategy = self.hand_tree.probabilities(table.entries(score))
        sign = 1 if side == ELDEST else -1
        usual = sign * hand_tree.worth(ends, strategy)
        _change(table.tree, FIRST, 0, side, habit, strategy)
        blind = sign * hand_tree.worth(ends, strategy)
        return usual + hand_tree.best_response(1 - side, ends, strategy), usual - blind


_ROUNDING_ERROR = 1e-9

_WON = np.array([1, -1, 1, -1, 0, 0])
"""Result of each end for eldest."""

Ends = tuple[Doubles, Doubles]
"""Frequency of each end with each hand of eldest, and with each of the dealer (ends by hands)."""


class _Walk:
    """A walk through every course of a hand in which both sides play by a table."""

    def __init__(self, tree: Tree, strategy: Doubles) -> None:
        self._tree = tree
        self._strategy = strategy
        self.done: dict[DecisionKind, Doubles] = defaultdict(lambda: np.zeros(len(CountedAct)))
        self.puts: dict[DecisionKind, Doubles] = defaultdict(lambda: np.zeros(len(PutResult)))
        self.led = np.zeros((tree.ranks, len(hands_of(tree.ranks, TRICKS).hands)))

    def ends(self, public: PublicState | End, at: int, pairs: Doubles, *, is_later: bool = False) -> Ends:
        """The ends from here on. `pairs`: frequency of each pair of hands (eldest's by the dealer's); `is_later`: a put
        was accepted."""
        if isinstance(public, End):
            found = np.zeros((len(End), len(pairs))), np.zeros((len(End), len(pairs.T)))
            found[ELDEST][public], found[DEALER][public] = pairs.sum(axis=1), pairs.sum(axis=0)
            return found
        if public.trick == TRICKS - 1 and not self._tree.is_asked(public):
            return self._showdown(public, pairs)
        return _added(self._moves(public, at, pairs, is_later=is_later).values())

    def _showdown(self, public: PublicState, pairs: Doubles) -> Ends:
        """The ends when each plays their last card; the leader may have played it."""
        tree, ranks = self._tree, np.arange(self._tree.ranks)
        led = np.array([public.led]) if public.led >= 0 else ranks
        replying = public if public.led >= 0 else tree.after(public, 0)
        assert isinstance(replying, PublicState)
        by_leader = _by_hands_of(public.leader, pairs)
        ends = []
        for result in (-1, 0, 1):
            end = tree.after(replying, replying.led - result)
            made = np.where(np.sign(led[:, None] - ranks) == result, by_leader, 0)
            ends.append(self.ends(end, 0, _by_hands_of(public.leader, made)))
        return _added(ends)

    def _moves(self, public: PublicState, at: int, pairs: Doubles, *, is_later: bool) -> dict[Move, Ends]:
        """The ends after each move that is made here, by the hands before it."""
        tree, actor = self._tree, self._tree.actor(public)
        place, is_asked = _place(tree, public, is_later=is_later), tree.is_asked(public)
        own, found = _by_hands_of(actor, pairs), dict[Move, Ends]()
        for move, hands, chances, left in self._chances(public, at):
            made = own[hands] * chances[:, None]
            if not made.any():
                continue
            if is_asked:
                self.done[place][CountedAct.PLAY if isinstance(move, int) else CountedAct[move.name]] += made.sum()
            if isinstance(move, int) and public == FIRST:
                self.led[move] = made.sum(axis=0)
            kept = np.zeros(
                (len(hands_of(tree.ranks, tree.cards(public, actor) - isinstance(move, int)).hands), len(own.T))
            )
            kept[left] = made
            after, begins = tree.step(public, at, move)
            if move is Say.PUT:
                assert isinstance(after, PublicState)
                answers = self._moves(after, begins, _by_hands_of(actor, kept), is_later=is_later)
                self.puts[place] += np.bincount(
                    _results(answers.get(Say.SEE), actor, len(own)), kept.sum(axis=1), len(PutResult)
                )
                ends = _added(answers.values())
            else:
                is_put = is_later or public.moment is Moment.ANSWER
                ends = self.ends(after, begins, _by_hands_of(actor, kept), is_later=is_put)
            before = np.zeros((len(End), len(own)))
            before[:, hands] = ends[actor][:, left]
            found[move] = (before, ends[DEALER]) if actor == ELDEST else (ends[ELDEST], before)
        return found

    def _chances(self, public: PublicState, at: int) -> Iterator[tuple[Move, Longs, Doubles, Longs]]:
        """Each move, the hands that can make it, its chance with each, and the hands after it."""
        tree, says = self._tree, self._tree.says(public)
        size = tree.cards(public, tree.actor(public))
        hands = hands_of(tree.ranks, size).hands
        every, rows = np.arange(len(hands)), np.ones((1, len(hands)))
        if tree.is_asked(public):
            rows = _rows(tree, self._strategy, public, at)[:, [tree.case(public, hand) for hand in hands]]
        if tree.plays(public):
            for rank, (holders, slots, left) in enumerate(_holders(tree.ranks, size)):
                yield rank, holders, rows[slots, holders], left
        for say, row in zip(says, rows[len(rows) - len(says) :], strict=True):
            yield say, every, row, every


@cache
def _holders(ranks: int, size: int) -> list[tuple[Longs, Longs, Longs]]:
    """Listed by rank: the hands that have it, its place among their different ranks, and the hands without it."""
    sets, fewer = hands_of(ranks, size), hands_of(ranks, size - 1)
    found = []
    for rank in range(ranks):
        held = [hand for hand in sets.hands if rank in hand]
        rows = [(sets.place[hand], sets.distinct[hand].index(rank), fewer.place[without(hand, rank)]) for hand in held]
        hands, slots, left = np.array(rows).T
        found.append((hands, slots, left))
    return found


def _by_hands_of(side: int, pairs: Doubles) -> Doubles:
    """Pairs of hands by this side's hands, or back."""
    return pairs if side == ELDEST else pairs.T


def _added(ends: Iterable[Ends]) -> Ends:
    eldest, dealer = zip(*ends, strict=True)
    return sum(eldest), sum(dealer)


def _results(seen: Ends | None, putter: int, hands: int) -> Ints:
    """The `PutResult` with each hand, from the ends after the put is seen; None: it is never seen."""
    if seen is None:
        return np.full(hands, PutResult.NEVER)
    net, nothing = (1 - 2 * putter) * _WON @ seen[putter], _ROUNDING_ERROR * seen[putter].sum(axis=0)
    return np.where(net > nothing, PutResult.WINS, np.where(net < -nothing, PutResult.LOSES, PutResult.EVEN))


def _rows(tree: Tree, strategy: Doubles, public: PublicState, at: int) -> Doubles:
    """Chances at a decision (actions by cases)."""
    return strategy[at : at + tree.entries(public)].reshape(-1, tree.cases(public))


def _change(tree: Tree, public: PublicState, at: int, side: int, habit: Habit, strategy: Doubles) -> None:
    """Change a side's strategy by a habit, from here on."""
    if tree.actor(public) == side and tree.is_asked(public):
        rows, says = _rows(tree, strategy, public, at), tree.says(public)
        plays = len(rows) - len(says)
        if habit is not Habit.NEVER_PUTS and public.moment is Moment.ANSWER:
            rows[:] = [[1.0], [0.0]] if habit is Habit.ALWAYS_SEES else [[0.0], [1.0]]
        if habit is Habit.NEVER_PUTS and Say.PUT in says:
            put = rows[plays + says.index(Say.PUT)]
            moved, put[:] = put.copy(), 0.0
            asked, at_asked = tree.step(public, at, Say.PUT)
            assert isinstance(asked, PublicState)
            seen, at_seen = tree.step(asked, at_asked, Say.SEE)
            assert isinstance(seen, PublicState)
            if not plays:
                rows[says.index(Say.THROW)] += moved
            elif tree.is_asked(seen):
                rows[:plays] += moved * _rows(tree, strategy, seen, at_seen)[:plays]
            else:
                rows[0] += moved
    for after, further in tree.following(public).values():
        if isinstance(after, PublicState):
            _change(tree, after, at + further, side, habit, strategy)


def _place(tree: Tree, public: PublicState, *, is_later: bool) -> DecisionKind:
    actor, moment = tree.actor(public), public.moment
    ahead = public.ahead if actor == ELDEST else -public.ahead
    is_answer = moment is Moment.ANSWER
    if is_answer:
        is_last_say = public.trick == 1 and public.led < 0 and bool(tree.rules.last_say)
        moment = Moment.REPLY if public.led >= 0 else Moment.LAST_SAY if is_last_say else Moment.LEAD
    return DecisionKind(actor, moment, public.trick, (ahead > 0) - (ahead < 0), is_answer, is_later)
