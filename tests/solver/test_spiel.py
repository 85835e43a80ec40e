"""The solver's exact best responses against those of another program, OpenSpiel, in games small enough for both."""

from collections.abc import Iterator
from itertools import count
from random import Random
from typing import Any

import numpy as np
import pytest

from put_server.house.put.solved.payoffs import Variant
from put_server.house.put.solved.rank_sets import Ranks, hands_of, ways_dealt, without
from put_server.house.put.solved.tree import DEALER, ELDEST, FIRST, TRICKS, End, Move, PublicState, Say
from put_solver.flat import Doubles
from put_solver.hand_solver import HandSolver, HandTree

pyspiel: Any = pytest.importorskip("pyspiel")

pytestmark = [pytest.mark.timeout(240), pytest.mark.usefixtures("kernels")]

ENDS = (0.25, -0.4, 1.0, -1.0, 0.1, -0.15)
"""What each end is worth to eldest: no two the same."""


class Efg:
    """A hand as text in Gambit's extensive form, written from the rules by ranks; and strategies for it."""

    def __init__(self, variant: Variant) -> None:
        self.tree = variant.tree
        self.sets: tuple[dict[object, int], dict[object, int]] = ({}, {})
        self.entries: dict[tuple[int, int], list[int]] = {}
        """By side and number of an information set, the entries of its moves; none where there is one move."""
        self.numbers = count(1)
        deals = [
            (mine, theirs, weight)
            for mine in hands_of(self.tree.ranks, TRICKS).hands
            for theirs in hands_of(self.tree.ranks, TRICKS).hands
            if (weight := ways_dealt(mine) * ways_dealt(theirs, mine))
        ]
        whole = sum(weight for _, _, weight in deals)
        lots = " ".join(f'"{at}" {weight}/{whole}' for at, (_, _, weight) in enumerate(deals))
        lines = ['EFG 2 R "put" { "eldest" "dealer" } ""', f'c "" 1 "" {{ {lots} }} 0']
        for mine, theirs, _ in deals:
            lines += self.node(FIRST, 0, (mine, theirs), (mine, theirs), ())
        self.text = "\n".join(lines) + "\n"

    def node(
        self,
        public: PublicState | End,
        at: int,
        hands: tuple[Ranks, Ranks],
        dealt: tuple[Ranks, Ranks],
        moves_so_far: tuple[Move, ...],
    ) -> Iterator[str]:
        if isinstance(public, End):
            yield f't "" {next(self.numbers)} "" {{ {ENDS[public]} {-ENDS[public]} }}'
            return
        tree, side = self.tree, self.tree.actor(public)
        moves = tree.moves_of(public, hands[side])
        sets = self.sets[side]
        number = sets.setdefault((dealt[side], moves_so_far), len(sets) + 1)
        self.entries[side, number] = [at + place for place in tree.places(public, hands[side])]
        # Each set has actions of its own: one that is named twice is one action.
        names = " ".join(f'"{side}.{number}.{n}"' for n in range(len(moves)))
        yield f'p "" {side + 1} {number} "{number}" {{ {names} }} 0'
        for move in moves:
            after, begins = tree.step(public, at, move)
            left = hands[side] if isinstance(move, Say) else without(hands[side], move)
            both = (left, hands[DEALER]) if side == ELDEST else (hands[ELDEST], left)
            yield from self.node(after, begins, both, dealt, (*moves_so_far, move))

    def sets_of(self, game: Any) -> dict[str, tuple[list[int], list[int]]]:
        """The information sets of OpenSpiel's game, each with its actions and the entries of its moves."""
        found: dict[str, tuple[list[int], list[int]]] = {}
        waiting = [game.new_initial_state()]
        while waiting:
            state = waiting.pop()
            if not state.is_terminal():
                actions = state.legal_actions()
                if not state.is_chance_node():
                    named = state.information_state_string()
                    number = int(named.rpartition("-")[2])
                    found[named] = actions, self.entries[state.current_player(), number]
                waiting += [state.child(action) for action in actions]
        return found


def _policy(sets: dict[str, tuple[list[int], list[int]]], strategy: Doubles) -> Any:
    """A strategy as OpenSpiel has it."""
    rows = {
        named: list(zip(actions, [float(strategy[entry]) for entry in entries] or [1.0], strict=True))
        for named, (actions, entries) in sets.items()
    }
    return pyspiel.TabularPolicy(rows)


def _strategies(hand_tree: HandTree) -> Iterator[tuple[str, Doubles]]:
    yield "even", hand_tree.decisions.normalized(np.zeros(hand_tree.sizes.entries))
    dice = Random(1)
    odd = np.array([dice.random() ** 3 for _ in range(hand_tree.sizes.entries)])
    yield "at random", hand_tree.decisions.normalized(odd)
    solver = HandSolver(hand_tree)
    solver.iterate(ENDS, 200)
    yield "learned", hand_tree.decisions.normalized(solver.averages)


@pytest.mark.parametrize("game", ["put-1674", "put-1800", "put-parlett"])
def test_best_responses_are_those_of_another_program(game: str) -> None:
    """For an even strategy, one at random and a solved one, what both sides lose to the best opponent agrees; and the
    solved one loses next to nothing there too."""
    variant = Variant(game=game, pack=12)
    hand_tree = HandTree(variant.tree)
    lost, efg = {}, Efg(variant)
    theirs = pyspiel.load_efg_game(efg.text)
    sets = efg.sets_of(theirs)
    for name, strategy in _strategies(hand_tree):
        lost[name] = pyspiel.nash_conv(theirs, _policy(sets, strategy))
        ours = hand_tree.best_response(ELDEST, ENDS, strategy) + hand_tree.best_response(DEALER, ENDS, strategy)
        assert ours == pytest.approx(lost[name], abs=1e-6), name
    assert lost["learned"] < 1e-3
    assert lost["even"] > 0.1
