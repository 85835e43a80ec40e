"""The shipped tables: small, whole, and as good as they say; `scripts/soak solution` finds that at every score."""

import pytest

from put_server.house.put.solved.payoffs import Variant
from put_server.house.put.solved.solution_table import Table, shipped
from put_server.house.put.solved.tree import SOLVABLE
from put_solver.certificate import Bounds
from put_solver.hand_solver import HandTree
from tests.solver.shipped_tables import MOST, kept, loss

pytestmark = [pytest.mark.timeout(240), pytest.mark.usefixtures("kernels")]

BYTES = 20_000_000
"""That all of them may take."""


def table_of(game: str) -> Table:
    table = shipped(game)
    assert table is not None
    return table


@pytest.mark.parametrize("game", SOLVABLE)
def test_table_is_of_the_usual_game_and_says_that_it_loses_little(game: str) -> None:
    """At every score, in either seat."""
    table = table_of(game)
    assert table.variant == Variant(game=game)
    assert set(table.parts) == set(Variant(game=game).scores())
    assert all(loss(table, part, Bounds(part.lower, part.upper)) <= MOST for part in table.parts.values())


def test_tables_are_small_together() -> None:
    """In all blocks of all scores."""
    assert sum(sum(part.blocks) for game in SOLVABLE for part in table_of(game).parts.values()) < BYTES


def test_smallest_table_is_at_the_last_score_what_it_says() -> None:
    """From its bytes: what the best opponent gets there, where every end but a draw is known."""
    table = table_of("put-1800")
    hand_tree, score, variant = HandTree(table.variant.tree), (4, 4), table.variant
    strategy = hand_tree.probabilities(table.entries(score))
    part = table.parts[score]
    # A drawn hand goes on at the same score with the seats changed: there the best opponent gets the same again.
    upper = hand_tree.best_response(0, variant.ends(score, {score: part.lower}), strategy)
    lower = -hand_tree.best_response(1, variant.ends(score, {score: part.upper}), strategy)
    kept(table, score, Bounds(lower, upper))
