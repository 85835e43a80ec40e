"""Whatever is done from time to time is done at common moments."""

import pytest

from put_server.ticks import until_tick


def test_ticks_of_all_parts_come_together_and_none_comes_twice() -> None:
    """From any moment on the next is a multiple; a timer that comes early has no second tick behind it."""
    for step in range(1_000):
        now = 5.0 + step * 0.0037
        for seconds in (0.1, 0.25, 1.0):
            then = (now + until_tick(seconds, now)) / seconds
            assert then == pytest.approx(round(then))
            assert 0 < until_tick(seconds, now) <= seconds * 1.011
    assert until_tick(0.25, 9.9999) == pytest.approx(0.2501)
    assert until_tick(0.25, 10.0) == pytest.approx(0.25)
