"""Who is taken for dead, and when; and who takes a free shard."""

from put_server.cluster.beats import DEAD_S, SPARE_S, Heartbeat, LiveWorkers, to_take

STEP_S = 0.25

BEAT = Heartbeat("moll", (1, 2))


def test_worker_that_falls_silent_is_dead_after_a_while() -> None:
    """It counts from its last beat, and lives again once it is heard."""
    alive = LiveWorkers(0.0)
    alive.hear(BEAT, 0.0)
    now = 0.0
    while now + STEP_S < DEAD_S:
        now += STEP_S
        assert alive.living(now) == [BEAT]
    assert alive.living(DEAD_S) == []
    assert alive.hear(BEAT, DEAD_S)
    assert alive.living(DEAD_S) == [BEAT]


def test_worker_that_slept_takes_nobody_for_dead() -> None:
    """The silence was its own."""
    alive = LiveWorkers(0.0)
    alive.hear(BEAT, 0.0)
    assert alive.living(60.0) == [BEAT]


def test_free_shards_are_shared_out_without_a_word() -> None:
    """Each worker takes others, and together they take all; one that stays free is for anybody."""
    loads, free = {"ann": 0, "ben": 3, "moll": 1}, dict.fromkeys(range(8), 0.0)
    shares = {worker: to_take(worker, loads, free) for worker in loads}
    assert sorted(shard for share in shares.values() for shard in share) == list(range(8))
    assert {worker: loads[worker] + len(share) for worker, share in shares.items()} == dict.fromkeys(loads, 4)
    assert to_take("ben", loads, {0: SPARE_S}) == [0]
    assert to_take("a leaving one", loads, free) == []
