"""Campaigns of simulated evenings, of a cluster or of one server: each evening is made of a seed, replays exactly, and
is cut down where it breaks a law."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Generic, TypeVar

from put_rules.registry import GAMES
from tests.cluster.simulation.evening import Evening, EveningPlan, Violation
from tests.crashes.scripted_bots import Programme

MOST_FAULTS = 24

BLIND = 0.2
"""Share of evenings that are dealt blind: their proofs take four times as long as all the rest."""

FEW = 3
"""Numbers of seats of each rule set that are played, the least ones."""

SHORT = {"target": 2, "hands": 2}
"""Options of short games."""

AnyPlan = TypeVar("AnyPlan", bound=EveningPlan)


def drawn(
    rng: Random, seed: int, games: Sequence[str], kinds: Sequence[str], sizes: Sequence[int]
) -> tuple[Programme, tuple[tuple[int, str], ...]]:
    """What is played in the evening of a seed, and its faults. `games`: from which further tables are drawn; `kinds`:
    of faults; `sizes`: how many of these kinds an evening has at most."""

    def table() -> tuple[str, int]:
        game = rng.choice(games)
        return game, rng.choice(GAMES[game].offer.seats[:FEW])

    tables = [("put-1674", 2), *[table() for _ in range(rng.randrange(3))]]
    programme = Programme(
        seed=seed, tables=tables, games=rng.choice((1, 2, 3)), holds_keys=rng.random() < BLIND, options=SHORT
    )
    kinds = rng.sample(kinds, min(len(kinds), rng.choice(sizes)))
    often = rng.choice((2, 6, 15))
    faults = [(rng.randrange(1, 2 * often), rng.choice(kinds)) for _ in range(rng.randrange(1, MOST_FAULTS))]
    return programme, tuple(faults)


@dataclass(frozen=True)
class Campaign(Generic[AnyPlan]):
    plan_of: Callable[[int], AnyPlan]
    """The evening of a seed."""
    play: Callable[[AnyPlan], Evening]
    """Plays one to its end, and raises `Violation` if a law was broken."""

    def evening(self, plan: AnyPlan) -> str:
        """Play it. Returns what is wrong, and nothing if nothing is."""
        try:
            self.play(plan)
        except Violation as error:
            return str(error)
        except Exception as error:  # noqa: BLE001  # whatever ends an evening is to be reported
            return f"{type(error).__name__}: {error}"
        return ""

    def told_in(self, seed: int) -> list[str]:
        """All messages of an evening, in their order."""
        return [f"{message}" for connection in self.play(self.plan_of(seed)).heard for message in connection]

    def cut_down(self, plan: AnyPlan) -> AnyPlan:
        """A plan with as few faults as still break a law."""
        faults: Sequence[tuple[int, str]] = plan.faults
        size = len(faults)
        while size:
            for at in range(0, len(faults), size):
                fewer = (*faults[:at], *faults[at + size :])
                if len(fewer) < len(faults) and self.evening(replace(plan, faults=fewer)):
                    faults = fewer
                    break
            else:
                size //= 2
        return replace(plan, faults=tuple(faults))

    def run(self, first: int, count: int) -> None:
        """
        :raises AssertionError: an evening broke a law.
        """
        for seed in range(first, first + count):
            if why := self.evening(self.plan_of(seed)):
                shortest = self.cut_down(self.plan_of(seed))
                raise AssertionError(f"seed {seed}: {why}; of its faults these are enough: {shortest.faults}")

    def must_find(self, mutation: Callable[[], AbstractContextManager[Any]], seeds: Iterable[int]) -> None:
        """A mutation is found, and what breaks is cut down: the shortest plan has fewer faults, and needs some."""
        with mutation():
            plan = self.plan_of(next(seed for seed in seeds if self.evening(self.plan_of(seed))))
            shortest = self.cut_down(plan)
            assert self.evening(shortest)
            assert not self.evening(replace(shortest, faults=()))
        assert 0 < len(shortest.faults) < len(plan.faults)
        assert self.evening(shortest) == ""

    def seeds_until_found(self, mutation: Callable[[], AbstractContextManager[Any]], most: int) -> tuple[int, str]:
        """Seeds that were played until a mutation was found, and what it broke; 0: it was not found."""
        with mutation():
            for seed in range(most):
                if why := self.evening(self.plan_of(seed)):
                    return seed + 1, why
        return 0, ""
