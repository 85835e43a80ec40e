"""Tables that the laws are tried at: every registered rule set. In the suite it has the fewest seats and the most, in a
campaign every number that it is for."""

from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

import pytest

from put_rules.registry import GAMES
from tests.conformance.random_games import SHORT, Setup, Step, random_game, random_setup, random_temper
from tests.repetitions import TIMES, TURN

MOST_GAMES = 32 * TIMES
"""Random games at a table that a law is tried on."""

MOST_SIGHTS = 2_000 * TIMES
"""Steps of these games times their viewers, after which there are no more games: so each table takes a law about as
long as any other, however long its games are and however many sit there."""

LEAST_GAMES = 3
"""At a table, however small its share: a game may be over before anything has happened."""

KEPT_GAMES = 64
"""Of those that were played last: the next law is tried on the same ones."""


class Table(NamedTuple):
    """A rule set with a number of seats."""

    name: str
    seats: int

    @property
    def family(self) -> str:
        """The family of games it is a table of."""
        return GAMES[self.name].offer.family

    @property
    def all_seats(self) -> tuple[int, ...]:
        """The numbers of seats that the rule set is for."""
        return GAMES[self.name].offer.seats

    def __str__(self) -> str:
        return f"{self.name}-for-{self.seats}"


TABLES = tuple(Table(name, seats) for name, rule_set in GAMES.items() for seats in rule_set.offer.seats)

ENDS = tuple(table for table in TABLES if table.seats in (min(table.all_seats), max(table.all_seats)))

TRIED = TABLES if TURN else ENDS

at_every_table = pytest.mark.parametrize("table", TRIED, ids=str, scope="module")
"""Table by table, and not test by test: what was played at a table is at hand for all laws of a module."""


class Played(NamedTuple):
    """A random game, from its beginning to its end."""

    seed: int
    setup: Setup
    game: Any
    steps: tuple[Step, ...]


def rng_of(table: Table, seed: int) -> Random:
    """The chance of one random game; a law that needs more of it goes on with this."""
    return Random(f"{table} {seed}{TURN}")


@lru_cache(maxsize=KEPT_GAMES)
def _played(table: Table, seed: int) -> Played:
    rng = rng_of(table, seed)
    setup = random_setup(rng, table.name, table.seats, short=SHORT)
    return Played(seed, setup, setup.game(), tuple(random_game(rng, setup, random_temper(rng))))


def games_at(table: Table, *, share: float = 1.0) -> Iterator[Played]:
    """Random games at a table under random options, with time-outs and leavings in some: as many as there may be, or a
    share of that, and at least a few."""
    sights = 0.0
    for seed in range(max(LEAST_GAMES, round(MOST_GAMES * share))):
        if seed >= LEAST_GAMES and sights > MOST_SIGHTS * share:
            break
        played = _played(table, seed)
        sights += len(played.steps) * len(played.setup.viewers)
        yield played
