"""Clock by which a server's times are checked."""

from put_client.sdk.deal_checks import ElapsedClock


def test_clock_never_runs_slow() -> None:
    """Neither while the machine sleeps, nor when the clock of the day is set back; forward, it runs ahead."""
    times = {"monotonic": 100.0, "day": 5_000.0}
    clock = ElapsedClock((lambda: times["monotonic"], lambda: times["day"]))

    def after(monotonic: float, day: float) -> float:
        before = clock.now()
        times["monotonic"] += monotonic
        times["day"] += day
        return clock.now() - before

    assert clock.now() == 100
    assert after(2, 2) == 2
    assert after(0, 30) == 30, "it slept"
    assert after(3, -3600) == 3
    assert after(1, 3600) == 3600
    assert after(0, -1) == 0, "it never goes back"
