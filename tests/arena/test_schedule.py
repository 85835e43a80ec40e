"""Schedules: everyone plays every hand of cards."""

from collections import Counter
from itertools import product

import pytest

from put_arena.schedule import all_rounds, copies, matches, rounds

PARTNERS = (0, 1, 0, 1)


@pytest.mark.parametrize(("competitors", "seats"), list(product((2, 3, 4, 5), (2, 3, 4))))
def test_in_every_round_every_competitor_sits_once_in_every_seat(competitors: int, seats: int) -> None:
    """A competitor of two sides sits twice in each; so nobody has better cards than another."""
    sides = tuple(range(seats))
    for round_ in all_rounds(competitors, sides, 60):
        sits = Counter((one, seat) for seating in round_.seatings for seat, one in enumerate(seating))
        times = Counter(round_.seatings[0])
        assert sits == Counter({(one, seat): times[one] for one in times for seat in range(seats)})


def test_partners_are_copies_of_one_competitor() -> None:
    """Two teams, and each plays from both pairs of seats."""
    (round_,) = rounds(0, (3, 5), PARTNERS, 2)
    assert round_.seatings == ((3, 5, 3, 5), (5, 3, 5, 3))
    assert copies(3, PARTNERS) == (2, 2, 2)


def test_all_play_against_all() -> None:
    """Each company there can be is one match."""
    assert matches(4, 2) == ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
    assert matches(4, 3) == ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))


def test_who_are_fewer_than_the_sides_sit_there_twice() -> None:
    """Every mixture of all of them; a table of one alone tells nothing."""
    assert matches(2, 3) == ((0, 0, 1), (0, 1, 1))
    assert matches(3, 4) == ((0, 0, 1, 2), (0, 1, 1, 2), (0, 1, 2, 2))
    assert copies(2, (0, 1, 2)) == (2, 2)


@pytest.mark.parametrize("games", [1, 2, 5, 17, 100, 2_001])
@pytest.mark.parametrize("sides", [(0, 1), (0, 1, 2), PARTNERS])
def test_a_match_has_as_many_games_as_were_asked_for(games: int, sides: tuple[int, ...]) -> None:
    """In whole sets: as few as there can be."""
    count = max(sides) + 1
    played = list(rounds(0, tuple(range(count)), sides, games))
    in_all = sum(round_.games * len(round_.seatings) for round_ in played)
    assert games <= in_all < games + count
    assert len({round_.name for round_ in played}) == len(played)


def test_every_order_round_the_table_comes_in_its_turn() -> None:
    """With three or more it matters who sits at whose left."""
    lefts = {round_.seatings[0] for round_ in rounds(0, (0, 1, 2), (0, 1, 2), 600)}
    assert lefts == {(0, 1, 2), (0, 2, 1)}


def test_matches_go_on_side_by_side() -> None:
    """What is played when it is stopped is as much of each."""
    first = [round_.match for round_ in all_rounds(3, (0, 1), 400)][:6]
    assert first == [0, 1, 2, 0, 1, 2]


def test_the_rest_of_a_round_has_packs_of_its_own() -> None:
    """Its first games were played with these."""
    (round_, *_) = rounds(0, (0, 1), (0, 1), 400)
    rest = round_.rest(7)
    assert (rest.games, rest.seatings, rest.retry) == (7, round_.seatings, 1)
    assert len({round_.name, rest.name, rest.rest(3).name}) == 3
