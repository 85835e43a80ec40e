"""Promises of the shipped tables: a seat loses next to nothing, and the file says how much."""

from put_server.house.put.solved.payoffs import Score
from put_server.house.put.solved.solution_table import Part, Table
from put_solver.certificate import Bounds, certified_bounds
from put_solver.hand_solver import HandTree

MOST = 1e-3
"""Of a game, that a seat may lose to the best opponent."""

SAME = 1e-6
"""What a file says of itself is found again to within this, in stakes."""


def loss(table: Table, part: Part, sure: Bounds) -> float:
    """What the worse seat loses, as a chance to win the game."""
    return max(part.worth - sure.lower, sure.upper - part.worth) * table.variant.unit


def verified(table: Table) -> int:
    """Find every score's bounds from the bytes, over the whole game; gives how many there are."""
    found = certified_bounds(table.variant, HandTree(table.variant.tree), table.entries)
    for score, sure in found.items():
        kept(table, score, sure)
    return len(found)


def kept(table: Table, score: Score, sure: Bounds) -> None:
    """The promise, at one score."""
    part = table.parts[score]
    assert loss(table, part, sure) <= MOST, (str(table.variant), score)
    assert abs(sure.lower - part.lower) < SAME, (str(table.variant), score)
    assert abs(sure.upper - part.upper) < SAME, (str(table.variant), score)
