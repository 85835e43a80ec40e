"""The clock of a shard: it goes on from the last record, and stands still while nobody can play."""

from put_server.cluster.shard import STILL_MS, ShardClock


class Machine:
    """Its own clock, and what waits for the stream."""

    def __init__(self) -> None:
        self.at = 5_000
        self.since: int | None = None
        self.clock = ShardClock(70_000, lambda: self.since, lambda: self.at)

    def wait(self, ms: int) -> int:
        """Time passes as in a process that runs: the clock is looked at often."""
        for _ in range(0, ms, 100):
            self.at += 100
            self.clock()
        return self.clock()


def test_clock_goes_on_from_the_last_record_whatever_time_it_is() -> None:
    for at in (0, 5_000, 10**12):
        machine = Machine()
        machine.at = at
        machine.clock = ShardClock(70_000, lambda: None, lambda machine=machine: machine.at)  # type: ignore[misc]
        assert machine.clock() == 70_000
        assert machine.wait(30_000) == 100_000


def test_clock_stands_still_while_the_stream_acknowledges_nothing() -> None:
    """An election of nine seconds costs whoever is told their turn after it one."""
    machine = Machine()
    machine.since = machine.at
    assert machine.wait(9_000) == 70_000 + STILL_MS
    machine.since = None
    assert machine.wait(500) == 70_000 + STILL_MS + 500


def test_clock_goes_on_where_commits_follow_each_other_without_a_pause() -> None:
    machine = Machine()
    for _ in range(100):
        machine.since = machine.at
        machine.wait(100)
    assert machine.clock() == 80_000


def test_time_in_which_the_process_stood_still_does_not_count() -> None:
    machine = Machine()
    machine.at += 600_000
    assert machine.clock() == 70_000 + STILL_MS
    assert machine.wait(1_000) == 71_000 + STILL_MS
