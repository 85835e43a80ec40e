"""Each house player is stronger than the one below: a slice of what `docs/house.md` tells, with fixed packs and dice.

The same seeds give the same games, so these are no samples that might fall out otherwise: a player that got weaker, or
only different, shows here.
"""

from itertools import product

import pytest

from put_rules.put.rule_sets import RULE_SETS
from put_server.house import registry
from put_server.house.player import Terms
from tests.house.duplicate_matches import Match, play, play_deal
from tests.repetitions import TIMES

TRUC = {"rubber": 1}

pytestmark = pytest.mark.timeout(120)  # thousands of decisions: seconds, but not where many tests share a core


def test_strengths_are_measured_twice_alike() -> None:
    """The same numbers give the same games."""
    match = Match("put-1674", 2, {}, "sharp", "steady")
    assert play_deal(match, 2) == play_deal(match, 2)


def test_steady_beats_the_beginner_in_put() -> None:
    """Put as it was first played: more than half of the games, every deal from both seats."""
    assert play(Match("put-1674", 2, {}, "steady", "beginner"), range(8, 16)).share > 0.5


def test_sharp_wins_three_games_of_truc_in_five() -> None:
    """Against the steady player, every deal from both seats."""
    assert play(Match("truc", 2, TRUC, "sharp", "steady"), range(1000, 1000 + 4 * TIMES)).share >= 0.6


@pytest.mark.parametrize(
    ("game", "seats", "published", "deals"),
    [("put-1674", 2, 0.540, 12), ("put-1674", 4, 0.279, 3), ("put-tavern", 3, 0.388, 3)],
)
def test_sharp_wins_what_the_page_says(game: str, seats: int, published: float, deals: int) -> None:
    """Alone among steady players, not less than the page tells by more than two errors: with more deals, stricter."""
    result = play(Match(game, seats, {}, "sharp", "steady"), range(deals * TIMES))
    assert result.share > published - 2 * result.share_error


def test_house_is_called_by_a_name_there_is() -> None:
    """Wherever it plays, it is called what plays there."""
    for kind, rules in product(registry.HOUSES, RULE_SETS):
        for seats in rules.seats:
            assert registry.kind_at(kind, Terms(game=rules.name), seats) in registry.HOUSES
