"""The shipped tables: small, whole, and as good as they say; `scripts/soak solution` finds that at every score."""

import pytest

from put_server.house.solved.payoffs import Ruling
from put_server.house.solved.table import Table, shipped
from put_server.house.solved.tree import COURSES
from put_solver.checking import Sure
from put_solver.stage import Field
from tests.solver.shipped_tables import MOST, kept, loss

pytestmark = [pytest.mark.timeout(240), pytest.mark.usefixtures("kernels")]

BYTES = 20_000_000
"""That all of them may take."""


def table_of(game: str) -> Table:
    table = shipped(game)
    assert table is not None
    return table


@pytest.mark.parametrize("game", COURSES)
def test_table_is_of_the_usual_game_and_says_that_it_loses_little(game: str) -> None:
    """At every score, in either seat."""
    table = table_of(game)
    assert table.ruling == Ruling(game=game)
    assert set(table.parts) == set(Ruling(game=game).scores())
    assert all(loss(table, part, Sure(part.lower, part.upper)) <= MOST for part in table.parts.values())


def test_tables_are_small_together() -> None:
    """In all blocks of all scores."""
    assert sum(sum(part.blocks) for game in COURSES for part in table_of(game).parts.values()) < BYTES


def test_smallest_table_is_at_the_last_score_what_it_says() -> None:
    """From its bytes: what the best opponent gets there, where every end but a draw is known."""
    table = table_of("put-1800")
    field, score, ruling = Field(table.ruling.tree), (4, 4), table.ruling
    strategy = field.probabilities(table.entries(score))
    part = table.parts[score]
    # A drawn hand goes on at the same score with the seats changed: there the best opponent gets the same again.
    upper = field.best(0, ruling.ends(score, {score: part.lower}), strategy)
    lower = -field.best(1, ruling.ends(score, {score: part.upper}), strategy)
    kept(table, score, Sure(lower, upper))
