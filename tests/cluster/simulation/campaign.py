"""Campaign of simulated evenings of a cluster."""

from collections.abc import Sequence
from random import Random

from put_rules.registry import GAMES
from tests.cluster.simulation.evening import run
from tests.cluster.simulation.laws import must_hold
from tests.cluster.simulation.seeds import Campaign, drawn
from tests.cluster.simulation.virtual_time import virtual_time
from tests.cluster.simulation.world import FAULTS, POWER, Plan, World

LASTING = tuple([name for name in FAULTS if name != POWER])
"""Faults that a cluster must survive whole."""

PLAYED = ("put-1674", "put-1674", *[name for name in GAMES if name != "truc"])


def plan_of(seed: int, kinds: Sequence[str] = LASTING) -> Plan:
    """The evening of a seed. `kinds`: of faults that may happen in it."""
    rng = Random(f"{seed} plan")
    programme, faults = drawn(rng, seed, PLAYED, kinds, (1, 2, 4, 8, len(FAULTS)))
    return Plan(
        seed=seed,
        workers=rng.choice((1, 2, 3)),
        gateways=rng.choice((1, 2)),
        shards=rng.choice((1, 2, 3)),
        programme=programme,
        watches=rng.random() < 0.5,
        faults=faults,
    )


def play(plan: Plan) -> World:
    """
    :raises Violation: a law was broken.
    """
    with virtual_time(plan.seed) as loop:
        world = World(loop, plan)
        run(world)
        must_hold(world)
    return world


CAMPAIGN = Campaign(plan_of, play)
