"""Foundations of the house's estimates: the worth of a score, the end of a hand, the deals that may be."""

from itertools import combinations_with_replacement, pairwise
from random import Random

import pytest
from msgspec.structs import replace

from put_protocol.games.put import Moment, PutView
from put_protocol.games.tricks import TrickView
from put_protocol.seats import Seat
from put_server.house.put.hand_evaluation import Cards, lead_results, play_out, reply, reply_results
from put_server.house.put.observation import observe, receiver_hands
from put_server.house.put.score_values import ScoreUtility, StakeRule, thresholds, win_probability
from tests.house.sample_hands import cards, leading


def test_chance_grows_with_every_point() -> None:
    """The fewer points one needs, and the more the other does, the likelier one wins; equals are equal."""
    for need in range(1, 22):
        assert win_probability(need, need) == 0.5
        mine = [win_probability(n, need) for n in range(22)]
        theirs = [win_probability(need, n) for n in range(22)]
        assert all(a > b for a, b in pairwise(mine))
        assert all(a < b for a, b in pairwise(theirs))


@pytest.mark.parametrize("stake_rule", StakeRule)
def test_chance_is_fair_in_every_contest(stake_rule: StakeRule) -> None:
    """However hands are decided: points are worth something, and what one wins the other loses."""
    for mine in range(1, 13):
        assert all(win_probability(mine, n, stake_rule) <= win_probability(mine, n + 1, stake_rule) for n in range(12))
        assert all(
            win_probability(mine, n, stake_rule) + win_probability(n, mine, stake_rule) == pytest.approx(1)
            for n in range(1, 13)
        )


def test_thresholds_of_doubling_take_two_of_three() -> None:
    """Far from the end, twice the points: two in three take, for a bluff costs twice what it gains."""
    far = thresholds(0.51, 0.49, high=0.52, low=0.48)
    assert far.sees_from == pytest.approx(1 / 3)
    assert far.puts_from == pytest.approx(2 / 3)
    assert far.bluffs_below == pytest.approx(1 / 9)


def test_thresholds_put_more_where_silence_gives_up() -> None:
    """Who gives up the hand by saying nothing says it with what the others would see with."""
    silent, bound = thresholds(0.55, 0.45), thresholds(0.55, 0.45, gives_up=True)
    assert bound.puts_from == bound.sees_from == silent.sees_from < silent.puts_from
    assert bound.bluff_rate > silent.bluff_rate > 0
    assert thresholds(1.0, 0.4, gives_up=True).puts_from == 0.4


def test_thresholds_leave_no_doubt_at_the_edges() -> None:
    """Whom the hand ruins anyhow puts with everything; whom a point brings home never puts, and is seen by all."""
    assert thresholds(0.5, 0.0).puts_from == 0
    assert thresholds(1.0, 0.4).puts_from == 1
    assert thresholds(1.0, 0.4).sees_from == 0


@pytest.mark.parametrize("scores", [(0, 0), (3, 1), (0, 0, 0), (4, 2, 0), (1, 2, 3, 4)])
def test_score_utility_shares_out_the_stakes(scores: tuple[int, ...]) -> None:
    """Several seats expect in all what there is, nothing; each of two, rather more; and a point is worth something."""
    seats = [ScoreUtility(scores=scores, target=5, seat=seat) for seat in range(len(scores))]
    expected = sum(s.now for s in seats)
    assert expected > 0 if len(scores) == 2 else expected == pytest.approx(0)
    assert all(s.after_point(s.seat) > s.now > s.after_point((s.seat + 1) % len(scores)) for s in seats)


def test_score_utility_counts_sides() -> None:
    """Partners stand as two players with their scores do."""
    for seat in range(4):
        side = ScoreUtility(scores=(3, 1, 3, 1), target=5, seat=seat, are_partners=True)
        alone = ScoreUtility(scores=(3, 1), target=5, seat=seat % 2)
        assert side.now == alone.now
        assert [side.after_point(s) for s in range(4)] == 2 * [alone.after_point(s) for s in range(2)]
        assert side.thresholds(0, 3) == alone.thresholds(0, 1)


def test_duel_agrees_with_the_rules_in_the_last_trick() -> None:
    """With a card each the better card wins the hand, equal ones draw it, and the leader of tricks keeps the lead."""
    assert lead_results((5,), (3,), 0) == (1,)
    assert lead_results((3,), (3,), 0) == (0,)
    assert lead_results((3,), (5,), 1) == (0,)
    assert reply_results((7,), (), 8, 0) == (-1,)


def test_duel_is_fair_to_both_sides() -> None:
    """Whoever replies to the lead that is best for the leader gets what that leader does not."""
    hands = [tuple(sorted(hand, reverse=True)) for hand in combinations_with_replacement(range(4), 2)]
    for mine in hands:
        for theirs in hands:
            for card, result in zip(mine, lead_results(mine, theirs, 0), strict=True):
                left = list(mine)
                left.remove(card)
                assert max(reply_results(theirs, tuple(left), card, 0)) == -result


def test_duel_knows_the_high_game() -> None:
    """Cotton's cheat: a three and two twos lose to a two and two threes that are played to them."""
    assert set(lead_results((12, 11, 11), (12, 12, 11), 0)) == {-1}


def test_playout_ends_for_each_seat_in_accord() -> None:
    """Of one deal and one first card at most one seat wins, and if none does the hand is drawn for all."""
    dice = Random(3)
    for _ in range(200):
        pack = [strength for strength in range(13) for _ in range(4)]
        dice.shuffle(pack)
        hands = [sorted(pack[5 * s : 5 * s + 5], reverse=True) for s in range(4)]
        results = sorted(
            play_out(seat=s, hands=hands, is_in=[True] * 4, tricks=[0] * 4, table=(), leader=0) for s in range(4)
        )
        assert results in ([0, 0, 0, 0], [-1, -1, -1, 1])


def _seen(view: PutView) -> list[tuple[int, ...]]:
    seen = observe(view, Seat(0))
    assert seen is not None
    return [hand for deal in seen.deals(Random(1), 50) for hand in deal.hands]


def test_sight_deals_only_cards_not_seen() -> None:
    """Cards held, and cards of tricks past and present, are in nobody else's hand."""
    past = (
        TrickView((Seat(0), Seat(1)), cards("3h 3d"), None),
        TrickView((Seat(0), Seat(1)), cards("2h 3c"), Seat(1)),
    )
    view = replace(leading("3s", tricks=(0, 1), past=past), counts=(1, 1))
    hands = _seen(view)
    assert (12,) not in hands
    assert len(hands) == 12


@pytest.mark.parametrize("seats", [3, 4])
def test_sight_deals_each_their_number_of_cards(seats: int) -> None:
    """Every sampled hand has as many cards as its holder, and the fours of a rank are never five."""
    held = "3s 3h 3d 4c" if seats == 3 else "3s 3h 3d 4c 5c"
    hands = _seen(leading(held, scores=(0,) * seats))
    assert {len(hand) for hand in hands} == {seats + 1}
    assert max(hand.count(12) for hand in hands) <= 1


def test_received_hands_are_better_than_dealt_ones() -> None:
    """Who was given a card and threw one away holds better cards, as often as counting all ways to deal them says."""
    dice, unseen = Random(4), (4,) * 13
    pack = [strength for strength in range(13) for _ in range(4)]
    drawn = []
    for _ in range(4000):
        six = dice.sample(pack, 6)
        drawn.append(sorted((*six[:3], max(six[3:])))[1:])
    for place in range(3):
        weights = receiver_hands(unseen, 3, ())
        mean = sum(hand[2 - place] * weight for hand, weight in weights) / sum(weight for _, weight in weights)
        assert mean == pytest.approx(sum(hand[place] for hand in drawn) / len(drawn), abs=0.1)


def test_received_hands_are_possible_whatever_was_played() -> None:
    """Also for somebody who kept and played the worst card there is, all others of its rank being seen."""
    unseen = (0, *(4,) * 12)
    assert all(weight > 0 for _, weight in receiver_hands(unseen, 2, (0,)))


@pytest.mark.parametrize("led", [3, 8, 12])
def test_reply_is_the_cheapest_that_takes_the_trick(led: int) -> None:
    """Or else the worst card."""
    hand: Cards = (12, 8, 5, 2)
    assert reply(hand, led) == {3: 5, 8: 12, 12: 2}[led]


def test_sight_knows_who_plays_next_before_a_trick() -> None:
    """In a round of puts before the play it is eldest who will lead, whoever speaks, and the next if eldest is out."""
    view = replace(leading("3s 3h 3d 4c", scores=(0, 0, 0)), moment=Moment.OPENING)
    for eldest, playing, waits in ((0, (True,) * 3, False), (1, (True,) * 3, True), (2, (True, True, False), False)):
        seen = observe(replace(view, eldest=Seat(eldest), playing=playing), Seat(0))
        assert seen is not None
        assert seen.other_plays_next == waits


def test_sight_deals_nobody_what_was_thrown_away() -> None:
    """One's own discards are in no hand."""
    hands = _seen(replace(leading("3s 3h 3d"), thrown=cards("3c")))
    assert all(12 not in hand for hand in hands)


def test_sight_is_none_for_the_gallery() -> None:
    """Who holds no cards has nothing to estimate."""
    assert observe(replace(leading("3s 3h 3d"), cards=()), Seat(0)) is None


def test_sight_is_none_while_hands_are_uneven() -> None:
    """Before the play, when one has been given a card and has still to throw one away, there is nothing to estimate."""
    assert observe(replace(leading("3s 3h 3d 4s"), counts=(4, 3)), Seat(0)) is None
