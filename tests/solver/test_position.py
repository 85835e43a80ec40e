"""Positions in a solved game: from a view to a place in a table, and from there to what everything is worth."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import numpy as np
import pytest

from put_protocol.games.put import PutAction, PutView
from put_protocol.seats import Seat
from put_rules.driver import Driver, shuffled_by
from put_server.house.put.solved.move_values import chances, move_values, opponent_range, own_reach
from put_server.house.put.solved.payoffs import Variant
from put_server.house.put.solved.position import Position, positions
from put_server.house.put.solved.rank_sets import COPIES, hands_of, ways_dealt
from put_server.house.put.solved.solution_table import Table
from put_server.house.put.solved.tree import FIRST, SOLVABLE, TRICKS, End, PublicState, Say
from put_solver.game_solver import GameSolver
from put_solver.hand_solver import HandTree
from tests.solver.test_machine import machine_of, move_of

pytestmark = [pytest.mark.timeout(240), pytest.mark.usefixtures("kernels")]


class Met(NamedTuple):
    """A decision of a random game: what its seat saw, and where in the tree it was."""

    view: PutView
    legal: tuple[PutAction, ...]
    seat: Seat
    public: PublicState
    at: int
    puts: tuple[int, ...]
    """At how many cards played each accepted put was made."""
    found: list[Position]


def decisions(variant: Variant, games: int) -> Iterator[Met]:
    """The decisions of random games, as the rules engine asks for them."""
    game, tree, dice = machine_of(variant), variant.tree, Random(str(variant))
    for _ in range(games):
        driver = Driver(game)
        public: PublicState | End = FIRST
        at, cards = 0, 0
        puts: tuple[int, ...] = ()
        for seat in driver.turns(shuffled_by(dice)):
            view, legal = game.view(driver.state, seat), game.legal(driver.state)
            if isinstance(public, End):
                public, at, puts, cards = FIRST, 0, (), 0
            assert isinstance(public, PublicState)
            yield Met(view, legal, seat, public, at, puts, positions(view, legal, seat, tree))
            action = dice.choice(legal)
            move = move_of(action, view.ranking)
            puts += (cards,) if move is Say.SEE else ()
            cards += not isinstance(move, Say)
            public, at = tree.step(public, at, move)
            driver.act(action)


@pytest.mark.parametrize("game", SOLVABLE)
@pytest.mark.parametrize("pack", [52, 28])
def test_position_is_found_from_what_a_seat_sees(game: str, pack: int) -> None:
    """In random games every decision is found where it stands in the tree; and a player who knows when the hand's puts
    were accepted finds no other."""
    several = 0
    for met in decisions(Variant(game=game, pack=pack, target=3), 60):
        those = [each for each in met.found if each.puts == met.puts]
        assert [(each.public, each.at) for each in those] == [(met.public, met.at)]
        assert len(set(met.found)) == len(met.found)
        several += len(met.found) > 1
        (position,) = those
        assert position.score == (met.view.scores[met.view.eldest or 0], met.view.scores[1 - (met.view.eldest or 0)])
        assert len(position.hand) == len(met.view.cards)
    assert several > 0


@pytest.fixture(scope="module", params=list(SOLVABLE))
def table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Table:
    """A small game, solved roughly."""
    variant = Variant(game=request.param, pack=16, target=1 if request.param != "put-1674" else 2)
    return Table(GameSolver(variant, tmp_path_factory.mktemp("solved"), 0.05).solve())


def _first(dealt: tuple[int, ...]) -> Position:
    return Position(score=(0, 0), side=0, dealt=dealt, path=(), public=FIRST, at=0)


def test_prospects_of_all_hands_make_up_the_worth_of_the_score(table: Table) -> None:
    """What each hand may expect before the first card, weighed by how likely it is dealt, is what the kernels find that
    both get who play the table; and so is, for every hand, what its moves are worth as often as they are made."""
    tree, hand_tree = table.tree, HandTree(table.tree)
    worths = {score: part.worth for score, part in table.parts.items()}
    expected = hand_tree.worth(table.variant.ends((0, 0), worths), hand_tree.probabilities(table.entries((0, 0))))
    total = whole = 0.0
    hands = hands_of(tree.ranks, TRICKS).hands
    for hand in hands:
        found = move_values(table, _first(hand))
        weight = sum(ways_dealt(hand) * ways_dealt(other, hand) for other in hands)
        total += weight * sum(found.chances[move] * worth for move, worth in found.moves.items())
        whole += weight
        assert opponent_range(table, _first(hand))[1]
        assert set(found.moves) == set(tree.moves_of(FIRST, hand))
    assert total / whole == pytest.approx(expected, abs=1e-9)


def test_prospects_hold_anywhere_in_random_games(table: Table) -> None:
    """Wherever random play leads, off the table's ways too: worths are no more than the stakes, the chances are one in
    all, the other's hands are such as they may hold, and off its own ways the table does what is best."""
    dice, met_off, met_lost = np.random.default_rng(1), 0, 0
    for met in decisions(table.variant, 40):
        if met.public.trick == 0 and dice.random() < 0.95:
            continue  # these take longest
        (position, *_) = met.found
        found = move_values(table, position)
        most = max(map(abs, table.variant.ends(position.score, {s: p.worth for s, p in table.parts.items()})))
        assert all(abs(worth) <= most + 1e-9 for worth in found.moves.values())
        assert sum(found.chances.values()) == pytest.approx(1)
        left = [COPIES] * table.tree.ranks
        for rank in (*position.dealt, *position.shown(1 - position.side)):
            left[rank] -= 1
        others, is_reached = opponent_range(table, position)
        assert others
        assert all(hand.count(rank) <= left[rank] for hand in others for rank in hand)
        met_lost += not is_reached
        if not own_reach(table, position):
            met_off += 1
            assert max(found.chances, key=found.chances.__getitem__) == max(found.moves, key=found.moves.__getitem__)
            assert max(chances(table, [position]).values()) == 1
    assert met_off > 5
    assert met_lost > 5
