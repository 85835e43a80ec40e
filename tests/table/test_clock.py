"""Arithmetic of clocks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from put_server.table.clock import Timer


def test_timer_stands_still_until_started() -> None:
    """A timer that was not started loses nothing."""
    timer = Timer(500)
    assert timer.remaining(10_000) == 500
    assert not timer.is_spent(10_000)


def test_timer_counts_down_while_it_runs() -> None:
    """What is left is what there was less the time it ran."""
    timer = Timer(500)
    timer.start(1_000)
    assert timer.remaining(1_200) == 300
    timer.stop(1_300)
    assert timer.remaining(9_000) == 200


@pytest.mark.parametrize(("now", "spent"), [(1_499, False), (1_500, True), (1_501, True), (90_000, True)])
def test_timer_is_spent_at_its_last_millisecond(now: int, spent: bool) -> None:
    """A timer is spent when its time has passed whole, neither a millisecond sooner nor later."""
    timer = Timer(500)
    timer.start(1_000)
    assert timer.is_spent(now) is spent


def test_timer_is_never_below_zero() -> None:
    """However late one looks, nothing left is 0."""
    timer = Timer(500)
    timer.start(0)
    assert timer.remaining(10**12) == 0
    timer.stop(10**12)
    assert timer.left == 0


def test_timer_started_twice_goes_on_from_the_first() -> None:
    """Starting what runs gives no time back."""
    timer = Timer(500)
    timer.start(0)
    timer.start(400)
    assert timer.remaining(450) == 50


def test_timer_stopped_while_spent_is_not_running() -> None:
    """Only what runs can be spent: a bank of 0 that stands still throws nobody out."""
    timer = Timer(0)
    assert not timer.is_spent(99)
    timer.start(99)
    assert timer.is_spent(99)


def test_timer_without_limit_is_never_spent() -> None:
    """No limit stays no limit."""
    timer = Timer(None)
    timer.start(0)
    assert timer.remaining(10**12) is None
    assert not timer.is_spent(10**12)
    timer.stop(10**12)
    assert timer.left is None


@given(st.integers(0, 10**6), st.lists(st.integers(0, 10**5), max_size=20))
def test_timer_loses_what_it_ran_and_no_more(left: int, spans: list[int]) -> None:
    """Run and stopped again and again, it has lost exactly the time it ran."""
    timer, now, ran = Timer(left), 0, 0
    for index, span in enumerate(spans):
        if index % 2:
            timer.start(now)
        now += span
        if index % 2:
            timer.stop(now)
            ran += span
    assert timer.remaining(now) == max(0, left - ran)
