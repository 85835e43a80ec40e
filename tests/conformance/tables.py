"""Which tables the laws are tried at: every registered rule set, with every number of seats it is for."""

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import pytest

from put_server.games.registry import GAMES
from tests.conformance.random_games import Setup, Step, random_game, random_setup, random_temper
from tests.repetitions import TIMES, TURN

GAMES_IN_ALL = 1_200 * TIMES
"""Random games a law is tried on, shared out among all tables, so that more rule sets take no more time."""


LEAST_GAMES = 4
"""At a table, however small its share: a single game may be over before anything has happened."""

FEW = 4
"""Seats up to which a table gets its whole part: a game with more takes longer and has more viewers."""


class Table(NamedTuple):
    """A rule set with a number of seats."""

    name: str
    seats: int

    @property
    def family(self) -> str:
        """The family of games it is a table of."""
        return GAMES[self.name].offer.family

    def __str__(self) -> str:
        return f"{self.name}-for-{self.seats}"


TABLES = tuple(Table(name, seats) for name, rule_set in GAMES.items() for seats in rule_set.offer.seats)

at_every_table = pytest.mark.parametrize("table", TABLES, ids=str)


class Played(NamedTuple):
    """A random game, from its beginning to its end."""

    seed: int
    setup: Setup
    game: Any
    steps: tuple[Step, ...]


def rng_of(table: Table, seed: int) -> Random:
    """The chance of one random game; a law that needs more of it goes on with this."""
    return Random(f"{table} {seed}{TURN}")


def games_at(table: Table, *, share: float = 1.0) -> Iterator[Played]:
    """Random games at a table under random options, with time-outs and leavings in some: its part of all, or a share
    of that, and at least a few."""
    for seed in range(max(LEAST_GAMES, round(GAMES_IN_ALL * share * min(1, FEW / table.seats) / len(TABLES)))):
        rng = rng_of(table, seed)
        setup = random_setup(rng, table.name, table.seats)
        steps = tuple(random_game(rng, setup, random_temper(rng)))
        yield Played(seed, setup, setup.game(), steps)
