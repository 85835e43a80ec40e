"""What the shipped tables promise: a seat loses next to nothing, and the file says how much."""

from put_server.house.solved.payoffs import Score
from put_server.house.solved.table import Part, Table
from put_solver.checking import Sure, certified
from put_solver.stage import Field

MOST = 1e-3
"""Of a game, that a seat may lose to the best opponent."""

SAME = 1e-6
"""What a file says of itself is found again to within this, in stakes."""


def loss(table: Table, part: Part, sure: Sure) -> float:
    """What the worse seat loses, as a chance to win the game."""
    return max(part.worth - sure.lower, sure.upper - part.worth) * table.ruling.unit


def verified(table: Table) -> int:
    """Find every score's bounds from the bytes, over the whole game and from no guess; gives how many there are."""
    field = Field(table.ruling.tree)
    guess = dict.fromkeys(table.parts, 0.0)
    found = certified(table.ruling, field, lambda score: field.probabilities(table.entries(score)), guess)
    for score, sure in found.items():
        kept(table, score, sure)
    return len(found)


def kept(table: Table, score: Score, sure: Sure) -> None:
    """The promise, at one score."""
    part = table.parts[score]
    assert loss(table, part, sure) <= MOST, (str(table.ruling), score)
    assert abs(sure.lower - part.lower) < SAME, (str(table.ruling), score)
    assert abs(sure.upper - part.upper) < SAME, (str(table.ruling), score)
