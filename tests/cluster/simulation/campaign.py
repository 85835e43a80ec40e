"""Campaign of simulated evenings: each is made of a seed, replays exactly, and is cut down where it breaks a law."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

from put_rules.registry import GAMES
from tests.cluster.simulation.evening import EveningPlan, Violation, run
from tests.cluster.simulation.laws import must_hold
from tests.cluster.simulation.virtual_time import virtual_time
from tests.cluster.simulation.world import FAULTS, POWER, Plan, World
from tests.crashes.scripted_bots import Programme

MOST_FAULTS = 24

BLIND = 0.2
"""Share of evenings that are dealt blind: their proofs take four times as long as all the rest."""

LASTING = tuple([name for name in FAULTS if name != POWER])
"""Faults that a cluster must survive whole."""


def plan_of(seed: int, kinds: Sequence[str] = LASTING) -> Plan:
    """The evening of a seed. `kinds`: of faults that may happen in it."""
    rng = Random(f"{seed} plan")
    tables = [("put-1674", 2), *[_table(rng) for _ in range(rng.randrange(3))]]
    programme = Programme(
        seed=seed, tables=tables, games=rng.choice((1, 2, 3)), holds_keys=rng.random() < BLIND, options={"target": 2}
    )
    kinds = rng.sample(kinds, min(len(kinds), rng.choice((1, 2, 4, 8, len(FAULTS)))))
    often = rng.choice((2, 6, 15))
    faults = [(rng.randrange(1, 2 * often), rng.choice(kinds)) for _ in range(rng.randrange(1, MOST_FAULTS))]
    return Plan(
        seed=seed,
        workers=rng.choice((1, 2, 3)),
        gateways=rng.choice((1, 2)),
        shards=rng.choice((1, 2, 3)),
        programme=programme,
        watches=rng.random() < 0.5,
        faults=tuple(faults),
    )


def _table(rng: Random) -> tuple[str, int]:
    game = rng.choice(["put-1674", "put-1674", *[name for name in GAMES if name.startswith("put")]])
    return game, rng.choice(GAMES[game].offer.seats)


def evening(plan: Plan) -> str:
    """Play it. Returns what is wrong, and nothing if nothing is."""
    with virtual_time(plan.seed) as loop:
        world = World(loop, plan)
        try:
            run(world)
            must_hold(world)
        except Violation as error:
            return str(error)
        except Exception as error:  # noqa: BLE001  # whatever ends an evening is to be reported
            return f"{type(error).__name__}: {error}"
    return ""


AnyPlan = TypeVar("AnyPlan", bound=EveningPlan)


def cut_down(plan: AnyPlan, evening: Callable[[AnyPlan], str]) -> AnyPlan:
    """A plan with as few faults as still break a law. `evening`: says what is wrong with one."""
    faults: Sequence[tuple[int, str]] = plan.faults
    size = len(faults)
    while size:
        for at in range(0, len(faults), size):
            fewer = (*faults[:at], *faults[at + size :])
            if len(fewer) < len(faults) and evening(replace(plan, faults=fewer)):
                faults = fewer
                break
        else:
            size //= 2
    return replace(plan, faults=tuple(faults))


def campaign(first: int, count: int) -> None:
    """
    :raises AssertionError: an evening broke a law.
    """
    for seed in range(first, first + count):
        if why := evening(plan_of(seed)):
            shortest = cut_down(plan_of(seed), evening)
            raise AssertionError(f"seed {seed}: {why}; of its faults these are enough: {shortest.faults}")
