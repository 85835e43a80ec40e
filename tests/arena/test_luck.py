"""Results without the luck of the deals: the same in the mean, and surer."""

import itertools
import math
from collections.abc import Sequence
from math import comb
from pathlib import Path

import pytest

from put_arena.competitors import parse
from put_arena.contest import BadMatch, Contest, Rules
from put_arena.match_play import play
from put_arena.results import Results
from put_server.house.put.solved.hand_worths import hand_worths
from put_server.house.put.solved.rank_sets import hands_of

EXAMPLES = Path(__file__).parents[2] / "docs/examples"
BLUFFING, RANDOM = str(EXAMPLES / "bluffing_bot.py"), str(EXAMPLES / "random_bot.py")


def rules(**changed: object) -> Rules:
    """Of two-handed put-1674."""
    usual = {"game": "put-1674", "seats": 2, "options": {}, "turn": 20, "bank": 1, "late": 2, "slow": 0.0}
    return Rules(**{**usual, "seed": 1674, "host": "127.0.0.1", "tables": 1, **changed})  # type: ignore[arg-type]


async def played(*competitors: str, games: int, **changed: object) -> Results:
    """A match whose luck is measured."""
    match = Contest(parse(competitors), rules(**changed), games=games, jobs=1, is_in_process=True, removes_luck=True)
    await play(match)
    assert match.results is not None
    return match.results


@pytest.mark.parametrize("game", ["put-1674", "put-1800", "put-parlett"])
def test_the_luck_of_all_deals_is_nothing(game: str) -> None:
    """Exactly, at every score, for hands in the numbers in which they are dealt: so it can shift no result."""
    worths = hand_worths(game)
    assert worths is not None
    hands = hands_of(13, 3).hands
    weights = [_ways(hand) for hand in hands]
    one, other = hands[0], hands[-1]
    for eldest_points, dealer_points in itertools.product(range(5), repeat=2):
        score = (eldest_points, dealer_points)
        # A luck is the sum of a part for each hand, so the mean over deals is that over each hand alone.
        as_eldest = [worths.luck(score, hand, other) for hand in hands]
        as_dealer = [worths.luck(score, one, hand) for hand in hands]
        means = [sumprod(weights, lucks) / sum(weights) for lucks in (as_eldest, as_dealer)]
        assert abs(sum(means) - worths.luck(score, one, other)) < 1e-12
        assert max(as_eldest) - min(as_eldest) > 0.01


def sumprod(weights: Sequence[int], values: Sequence[float]) -> float:
    """The sum of the products."""
    return sum(weight * value for weight, value in zip(weights, values, strict=True))


def _ways(hand: tuple[int, ...]) -> int:
    ways = 1
    for rank in {*hand}:
        ways *= comb(4, hand.count(rank))
    return ways


@pytest.mark.timeout(180)
async def test_results_without_luck_agree_with_the_others_and_are_surer() -> None:
    """Within the intervals, and in the mean of the luck itself."""
    results = await played("house:beginner", RANDOM, games=400)
    best, worst = results.standings()
    for standing in (best, worst):
        assert standing.share is not None
        assert standing.fair is not None
        assert standing.worth is not None
        assert abs(standing.fair.mean - standing.share.mean) < standing.share.half
        assert standing.worth > 1.02
        assert standing.fair.half < standing.share.half
    assert best.fair is not None
    assert worst.fair is not None
    assert best.fair.mean + worst.fair.mean == pytest.approx(1)
    lucks = [sum(game.luck[0] for game in results.games if game.seating == seating) for seating in (0, 1)]
    spread = sum(game.luck[0] ** 2 for game in results.games) ** 0.5
    assert all(abs(luck) < 4 * spread for luck in lucks)
    assert all(game.luck[0] == -game.luck[1] for game in results.games)


async def test_one_set_gives_an_interval_with_ends() -> None:
    """JSON has no numbers without an end, so another program could not read the report."""
    results = await played("house:beginner", RANDOM, games=2)
    for standing in results.standings():
        assert standing.fair is not None
        assert standing.fair.count == 1
        assert standing.fair.low < 0
        assert standing.fair.high > 1
        assert math.isfinite(standing.fair.half)


async def test_what_is_not_solved_has_no_luck_that_could_be_told() -> None:
    """It is said, and nothing is played."""
    with pytest.raises(BadMatch, match="not solved"):
        await played(BLUFFING, RANDOM, games=2, seats=3)
    with pytest.raises(BadMatch, match="not solved"):
        await played(BLUFFING, RANDOM, games=2, options={"target": 3})
