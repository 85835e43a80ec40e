"""Campaign of simulated evenings of a cluster."""

from collections.abc import Sequence
from random import Random

from put_rules.registry import GAMES
from tests.cluster.simulation.evening import run
from tests.cluster.simulation.laws import must_hold
from tests.cluster.simulation.seeds import SHORT, Campaign, drawn
from tests.cluster.simulation.virtual_time import virtual_time
from tests.cluster.simulation.world import FAULTS, POWER, Plan, World
from tests.crashes.scripted_bots import Programme

LASTING = tuple([name for name in FAULTS if name != POWER])
"""Faults that a cluster must survive whole."""

PLAYED = ("put-1674", "put-1674", *[name for name in GAMES if name != "truc"])


LONG_EACH = 8
"""One evening of so many is long."""


def plan_of(seed: int, kinds: Sequence[str] = LASTING) -> Plan:
    """The evening of a seed. `kinds`: of faults that may happen in it."""
    if kinds is LASTING and seed % LONG_EACH == LONG_EACH - 1:
        return _long_plan_of(seed)
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


def _long_plan_of(seed: int) -> Plan:
    """An evening of blind games in one shard, which is taken over again and again while they last: secrets of games are
    kept over checkpoints, beside others that come and go."""
    rng = Random(f"{seed} long plan")
    tables = [("put-1674", 2)] * rng.choice((2, 3, 3))
    faults = [(rng.randrange(1, 16), rng.choice(("worker killed", "worker stopped"))) for _ in range(20)]
    return Plan(
        seed=seed,
        workers=2,
        gateways=1,
        shards=1,
        programme=Programme(seed=seed, tables=tables, games=4, holds_keys=True, options=SHORT),
        watches=False,
        faults=tuple(faults),
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
