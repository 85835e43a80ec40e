"""Statistics, against closed forms, tables and simulation."""

import math
import random

import pytest

from put_arena.statistics import interval, luck_removed, ratings, t_quantile, variance


@pytest.mark.parametrize(
    ("freedom", "expected"),
    [
        (1, 12.706),
        (2, 4.303),
        (3, 3.182),
        (5, 2.571),
        (6, 2.447),
        (9, 2.262),
        (30, 2.042),
        (120, 1.980),
        (99_999, 1.96),
    ],
)
def test_students_quantiles_are_those_of_the_tables(freedom: int, expected: float) -> None:
    """Two-sided, 95%."""
    assert t_quantile(freedom) == pytest.approx(expected, abs=0.0006)


def test_an_interval_is_that_of_the_textbook() -> None:
    """Mean and t times the standard error."""
    found = interval([0.0, 0.5, 0.5, 1.0, 0.5], 0.0, 1.0)
    assert found is not None
    error = math.sqrt(variance([0.0, 0.5, 0.5, 1.0, 0.5]) / 5)
    assert (found.mean, found.count) == (0.5, 5)
    assert found.half == pytest.approx(2.776 * error, abs=0.001)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """Of sets of two games that were played with a true share: 95 of 100, give or take."""
    dice = random.Random(1)
    held = 0
    for _ in range(1_000):
        values = [dice.choice((0.0, 0.5, 0.5, 1.0, 1.0)) for _ in range(60)]
        found = interval(values, 0.0, 1.0)
        assert found is not None
        held += found.low <= 0.6 <= found.high
    assert 925 <= held <= 975


def test_of_nothing_there_is_no_interval_and_of_one_the_widest() -> None:
    """One value says nothing of how others differ."""
    assert interval([], 0.0, 1.0) is None
    found = interval([0.5], 0.0, 1.0)
    assert found is not None
    assert (found.low, found.high) == (0.0, 1.0)


def test_who_won_everything_has_not_won_for_certain() -> None:
    """The interval reaches down to what would be missed so often once in forty times."""
    found = interval([1.0] * 10, 0.0, 1.0)
    assert found is not None
    assert found.high == 1.0
    assert found.low**10 == pytest.approx(0.025)
    lost = interval([-1.0] * 10, -1.0, 1.0)
    assert lost is not None
    assert lost.low == -1.0
    assert (1 - (lost.high + 1) / 2) ** 10 == pytest.approx(0.025)


def test_equal_sets_leave_no_doubt() -> None:
    """Who are the same divide every set."""
    found = interval([0.0] * 50, -1.0, 1.0)
    assert found is not None
    assert (found.low, found.mean, found.high) == (0.0, 0.0, 0.0)


def test_sets_of_independent_games_remove_no_luck() -> None:
    """As by chance: a little more or less than nothing."""
    dice = random.Random(2)
    sets = [[float(dice.random() < 0.6) for _ in range(2)] for _ in range(4_000)]
    assert luck_removed(sets) == pytest.approx(0, abs=0.05)


def test_sets_that_always_balance_remove_all_luck() -> None:
    """What is left does not vary."""
    assert luck_removed([[1.0, 0.0], [0.0, 1.0]] * 20) == 1


def test_the_share_of_luck_removed_is_that_of_the_variance() -> None:
    """A game is luck of the cards, which the other seat has turned round, and luck of its own, which it has not."""
    dice = random.Random(3)
    sets = []
    for _ in range(20_000):
        cards = dice.gauss(0, 3)
        sets.append([cards + dice.gauss(0, 1), -cards + dice.gauss(0, 1)])
    assert luck_removed(sets) == pytest.approx(0.9, abs=0.01)  # 9 parts of 10


def test_of_few_sets_nothing_is_said_of_luck() -> None:
    """Nor of games that are all alike."""
    assert luck_removed([[1.0, 0.0]] * 5) is None
    assert luck_removed([[1.0, 1.0]] * 50) is None


# --- ratings ---


def test_ratings_follow_strength_whatever_the_order() -> None:
    """Of three who win 3 of 4 games against the next; given one way round and the other they are the same to a few
    parts of their uncertainty."""
    dice = random.Random(6)
    games = [
        ((one, other), (1, -1) if dice.random() <= 0.75 else (-1, 1))
        for one, other in ((0, 1), (1, 2))
        for _ in range(100)
    ]
    found, again = ratings(games, 3), ratings(games[::-1], 3)
    assert found[0].mu > found[1].mu + 3 > found[2].mu + 6
    for one, other in zip(found, again, strict=True):
        assert one.mu == pytest.approx(other.mu, abs=0.5 * one.sigma)
        assert 0 < one.sigma < 25 / 3


def test_who_played_nothing_is_rated_as_at_first() -> None:
    """25, give or take 25/3."""
    found = ratings([], 2)
    assert [(round(one.mu, 6), round(one.sigma, 6)) for one in found] == [(25, round(25 / 3, 6))] * 2


def test_the_uncertainty_has_the_disagreement_of_the_orders_in_it() -> None:
    """Of a handful of games the order matters most."""
    games = [((0, 1), paid) for paid in ((1, -1), (1, -1), (1, -1), (-1, 1))]
    few = ratings(games, 2)
    many = ratings(games * 60, 2)
    assert few[0].sigma > 2 * many[0].sigma
