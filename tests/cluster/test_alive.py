"""Who is taken for dead, and when."""

from put_server.cluster.leases import LEASE_S, Heartbeat, LiveWorkers

STEP_S = 0.25


def test_worker_that_falls_silent_is_dead_when_its_lease_is_over() -> None:
    """It counts from its last beat, and once: its shards are still in its name."""
    alive = LiveWorkers(0.0)
    alive.hear(Heartbeat("moll", (1, 2)), 0.0)
    now = 0.0
    while now + STEP_S < LEASE_S:
        now += STEP_S
        assert alive.running(["moll", "moll"], now) == {"moll": (1, 2)}
    assert alive.running(["moll", "moll"], LEASE_S) == {}
    alive.hear(Heartbeat("moll", (1,)), LEASE_S + 1)
    assert alive.running(["moll"], LEASE_S + 1) == {"moll": (1,)}


def test_holder_that_was_never_heard_is_waited_for() -> None:
    """Whoever has just begun knows nobody, and takes nothing from those that are there."""
    alive = LiveWorkers(0.0)
    now = 0.0
    while now + STEP_S < LEASE_S:
        assert alive.running(["moll"], now) == {"moll": ()}
        now += STEP_S
    assert alive.running(["moll"], LEASE_S) == {}


def test_worker_that_slept_takes_nobody_for_dead() -> None:
    """The silence was its own."""
    alive = LiveWorkers(0.0)
    alive.hear(Heartbeat("moll", (1,)), 0.0)
    assert alive.running(["moll", "ben"], 60.0) == {"moll": (1,), "ben": ()}
