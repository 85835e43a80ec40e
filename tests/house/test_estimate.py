"""What the house's estimates rest on: the worth of a score, the end of a hand, the deals that may be."""

from itertools import combinations_with_replacement, pairwise
from random import Random

import pytest
from msgspec.structs import replace

from put_protocol.seats import Seat
from put_protocol.views import PutView, TrickView
from put_server.house import duel
from put_server.house.playout import play_out
from put_server.house.sight import sight
from put_server.house.standing import Standing, chance, custom
from tests.house.hands import cards, leading


def test_chance_grows_with_every_point() -> None:
    """The fewer points one needs, and the more the other does, the likelier one wins; equals are equal."""
    for need in range(1, 22):
        assert chance(need, need) == 0.5
        mine = [chance(n, need) for n in range(22)]
        theirs = [chance(need, n) for n in range(22)]
        assert all(a > b for a, b in pairwise(mine))
        assert all(a < b for a, b in pairwise(theirs))


def test_custom_leaves_no_doubt_at_the_edges() -> None:
    """Whom the hand ruins anyhow puts with everything; whom a point brings home never puts, and is seen by all."""
    assert custom(0.5, 0.0).puts_from == 0
    assert custom(1.0, 0.4).puts_from == 1
    assert custom(1.0, 0.4).sees_from == 0


@pytest.mark.parametrize("scores", [(0, 0), (3, 1), (0, 0, 0), (4, 2, 0), (1, 2, 3, 4)])
def test_standing_shares_out_the_stakes(scores: tuple[int, ...]) -> None:
    """Several seats expect in all what there is, nothing; each of two, rather more; and a point is worth something."""
    seats = [Standing(scores=scores, target=5, seat=seat) for seat in range(len(scores))]
    expected = sum(s.now for s in seats)
    assert expected > 0 if len(scores) == 2 else expected == pytest.approx(0)
    assert all(s.after_point(s.seat) > s.now > s.after_point((s.seat + 1) % len(scores)) for s in seats)


def test_duel_agrees_with_the_rules_in_the_last_trick() -> None:
    """With a card each the better card wins the hand, equal ones draw it, and the leader of tricks keeps his lead."""
    assert duel.leads((5,), (3,), 0) == (1,)
    assert duel.leads((3,), (3,), 0) == (0,)
    assert duel.leads((3,), (5,), 1) == (0,)
    assert duel.replies((7,), (), 8, 0) == (-1,)


def test_duel_is_fair_to_both_sides() -> None:
    """Whoever replies to the lead that is best for the leader gets what that leader does not."""
    hands = [tuple(sorted(hand, reverse=True)) for hand in combinations_with_replacement(range(4), 2)]
    for mine in hands:
        for theirs in hands:
            for card, result in zip(mine, duel.leads(mine, theirs, 0), strict=True):
                left = list(mine)
                left.remove(card)
                assert max(duel.replies(theirs, tuple(left), card, 0)) == -result


def test_duel_knows_the_high_game() -> None:
    """Cotton's cheat: a three and two twos lose to a two and two threes that are played to them."""
    assert set(duel.leads((12, 11, 11), (12, 12, 11), 0)) == {-1}


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
    seen = sight(view, Seat(0))
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
def test_sight_deals_each_his_number_of_cards(seats: int) -> None:
    """Every sampled hand has as many cards as its holder, and the fours of a rank are never five."""
    held = "3s 3h 3d 4c" if seats == 3 else "3s 3h 3d 4c 5c"
    hands = _seen(leading(held, scores=(0,) * seats))
    assert {len(hand) for hand in hands} == {seats + 1}
    assert max(hand.count(12) for hand in hands) <= 1


def test_sight_is_none_for_the_gallery() -> None:
    """Who holds no cards has nothing to estimate."""
    assert sight(replace(leading("3s 3h 3d"), cards=()), Seat(0)) is None
