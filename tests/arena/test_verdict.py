"""The end of a match: sequential tests by simulation on fixed seeds, and the order in which sets are tested."""

import random
from collections.abc import Callable
from functools import partial
from statistics import fmean

import pytest

from put_arena.competitors import parse
from put_arena.results import LUCK_COUNTED, MOST_LUCK, Played, Results, Verdict
from put_arena.schedule import Round
from put_arena.statistics import BoundedMean, NormalMean, SequentialTest
from put_server.house.put.solved.hand_worths import hand_worths
from put_server.house.put.solved.rank_sets import hands_of
from tests.arena.matches import contest

Draw = Callable[[random.Random], float]


def even(dice: random.Random) -> float:
    """A set between equals."""
    return dice.choice((-1.0, 0.0, 0.0, 1.0))


def lopsided(dice: random.Random) -> float:
    """Many small gains and a rare large loss, 0 in the mean."""
    return 0.25 if dice.random() < 0.8 else -1.0


def fair(dice: random.Random, lead: float = 0.0) -> float:
    """A set from which the luck of the deals is taken. There are no more numbers than before, but they are no longer
    whole: the luck decides how likely each game is won, up to its limit, and is then taken away."""
    sums = []
    for _ in range(2):
        luck = 0.0
        for _ in range(9):
            if abs(luck) < LUCK_COUNTED:
                luck += dice.uniform(-0.3, 0.3)
        won = dice.random() < min(1.0, max(0.0, (1 + lead + luck) / 2))
        sums.append((1.0 if won else -1.0) - luck)
    return fmean(sums)


def first_separated(test: SequentialTest, draw: Draw, looks: int, seed: int) -> int | None:
    """After how many values it was, looking after each; None: never."""
    dice = random.Random(seed)
    for count in range(1, looks + 1):
        test.add(draw(dice))
        if test.is_separated:
            return count
    return None


@pytest.mark.parametrize(
    ("make", "draw", "at_most"),
    [
        # Of 200 the guarantee is for 10, give or take; 16 would come once in 30 times.
        (lambda: BoundedMean(1.0), even, 16),
        (lambda: BoundedMean(1.0), lopsided, 16),
        (lambda: BoundedMean(1 + MOST_LUCK), fair, 16),
        (NormalMean, even, 16),
    ],
    ids=["even", "lopsided", "without luck", "normal"],
)
def test_looking_after_every_set_is_seldom_deceived(
    make: Callable[[], SequentialTest], draw: Draw, at_most: int
) -> None:
    """Of 200 matches between equals fewer than 1 in 20 is ever called decided, however often one looks. An interval
    that is made for one look would call more than a quarter so."""
    assert sum(first_separated(make(), draw, 250, seed) is not None for seed in range(200)) <= at_most


@pytest.mark.parametrize(
    ("make", "draw", "within"),
    [
        (lambda: BoundedMean(1.0), lambda _: 1.0, 9),
        (lambda: BoundedMean(1.0), lambda dice: dice.choices((-1.0, 0.0, 1.0), (10, 50, 40))[0], 200),
        (lambda: BoundedMean(1 + MOST_LUCK), partial(fair, lead=0.3), 400),
        (NormalMean, lambda dice: dice.gauss(0.3, 1.0), 400),
    ],
    ids=["all won", "three of ten", "without luck", "normal"],
)
def test_a_difference_is_found_in_the_end(make: Callable[[], SequentialTest], draw: Draw, within: int) -> None:
    """The larger, the sooner; nine sets won without one lost are enough."""
    found = [first_separated(make(), draw, within, seed) for seed in range(20)]
    assert all(found)


def test_the_interval_holds_the_truth_whenever_one_stops() -> None:
    """Also when one stops because a difference has been found, where plain intervals flatter the winner."""
    held = 0
    for seed in range(60):
        test, dice = BoundedMean(1 + MOST_LUCK), random.Random(seed)
        while not test.is_separated:
            test.add(fair(dice, lead=0.4))
        found = test.interval()
        assert found is not None
        assert found.low > -1e-4  # as near as its ends are found
        held += found.low <= 0.4 <= found.high
    assert held >= 54


def test_the_interval_and_the_test_agree() -> None:
    """0 is in the one as long as the other has not told it from the mean; and it is the interval of the same values
    turned round, turned round."""
    dice = random.Random(8)
    test, turned = BoundedMean(1.0), BoundedMean(1.0)
    for _ in range(60):
        value = dice.choices((-1.0, 0.0, 1.0), (15, 50, 35))[0]
        test.add(value)
        turned.add(-value)
        found, other = test.interval(), turned.interval()
        assert found is not None
        assert other is not None
        if test.is_separated:
            assert max(found.low, -found.high) > -1e-4  # as near as the ends are found
        else:
            assert found.low <= 0 <= found.high
        assert (other.low, other.high) == (-found.high, -found.low)


def test_who_won_everything_has_an_interval() -> None:
    """It ends at the bound."""
    test = BoundedMean(1.0)
    for _ in range(9):
        test.add(1.0)
    found = test.interval()
    assert found is not None
    assert 0 < found.low < found.mean == found.high == 1.0


def test_a_value_beyond_the_bound_is_refused() -> None:
    """The guarantee is for bounded values."""
    with pytest.raises(ValueError, match="between"):
        BoundedMean(1.0).add(1.01)


@pytest.mark.parametrize("game", ["put-1674", "put-1800", "put-parlett"])
def test_no_hand_has_more_luck_than_is_allowed_for(game: str) -> None:
    """So that no game has more than `MOST_LUCK`."""
    worths = hand_worths(game)
    assert worths is not None
    hands = hands_of(13, 3).hands
    for score in ((0, 0), (4, 4), (4, 0), (0, 4)):
        one = hands[0]
        of_eldest = [worths.luck(score, hand, one) for hand in hands]
        of_dealer = [worths.luck(score, one, hand) for hand in hands]
        middle = worths.luck(score, one, one)
        assert max(of_eldest) + max(of_dealer) - middle <= MOST_LUCK - LUCK_COUNTED
        assert min(of_eldest) + min(of_dealer) - middle >= LUCK_COUNTED - MOST_LUCK


# --- the order of sets ---


def game(round_: Round, number: int, seating: int, winner: int) -> Played:
    """A game that this competitor won."""
    seats = round_.seatings[seating]
    paid = (1, -1) if seats[0] == winner else (-1, 1)
    return Played(match=0, round=round_.name, number=number, seating=seating, seats=seats, paid=paid)


def a_round(name: str, games: int) -> Round:
    """Of two competitors."""
    return Round(match=0, name=name, seatings=((0, 1), (1, 0)), games=games)


def test_a_set_waits_for_those_that_began_before_it() -> None:
    """So that quick games, which end first, do not count first; and nothing waits for what will never be over."""
    results = Results(parse(["a.py", "b.py"]), (0, 1))
    verdict = Verdict(results)
    slow, quick = a_round("slow", 5), a_round("quick", 20)

    def won(round_: Round, number: int, winner: int) -> bool:
        one, other = (game(round_, number, seating, winner) for seating in (0, 1))
        assert not verdict.add(one, results.add(one))
        return verdict.add(other, results.add(other))

    verdict.begin(slow)
    verdict.begin(quick)
    assert not any(won(quick, number, 0) for number in range(1, 16))
    assert verdict.two_best() is None
    assert won(slow, 1, 1)
    lead = verdict.lead(0, 1)
    assert lead is not None
    assert lead.count == 16
    assert won(quick, 16, 0)  # it had begun before the second of the slow round
    assert not won(quick, 17, 0)
    verdict.broken_off(slow)
    assert verdict.decided()
    assert verdict.two_best() == (0, 1)
    lead = verdict.lead(1, 0)
    assert lead is not None
    assert lead.high < 0


def test_many_competitors_share_the_chance_of_an_error() -> None:
    """Of equals the two that happen to stand best are seldom told apart, though there are 6 pairs to find them in."""
    wrong = 0
    for seed in range(16):
        dice = random.Random(seed)
        results = Results(parse([f"{one}.py" for one in "abcd"]), (0, 1))
        verdict, is_wrong = Verdict(results), False
        for number in range(60):
            for one in range(4):
                for other in range(one + 1, 4):
                    seatings = ((one, other), (other, one))
                    round_ = Round(match=0, name=f"{one} {other} {number}", seatings=seatings, games=1)
                    verdict.begin(round_)
                    for seating in (0, 1):
                        played = game(round_, 1, seating, dice.choice((one, other)))
                        verdict.add(played, results.add(played))
            is_wrong = is_wrong or verdict.decided() is not None
        wrong += is_wrong
    assert wrong <= 3


async def test_what_was_decided_stands_though_games_end_after_it() -> None:
    """Those in play meanwhile count in the results, and may change who is best."""
    match = contest("a.py", "b.py", "c.py", games=100, until_decided=True)
    match.plan((0, 1), by_purse=False)
    for winner, loser in ((0, 1), (2, 0), (2, 1)):
        round_ = Round(match=0, name=f"{winner} {loser}", seatings=((winner, loser), (loser, winner)), games=16)
        match.begin(round_)
        for number in range(1, 17):
            for seating in (0, 1):
                match.played(game(round_, number, seating, winner))
    assert match.end.is_set()
    assert match.decided is not None
    assert match.decided[:2] == (0, 1)
    assert match.decided.lead.low > 0
