"""Evaluations as they are sent: whole numbers that add up, names by cost, and messages that fit a frame."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from put_protocol.analysis import (
    CERTAIN,
    QUALITIES,
    Judged,
    PlayedTurn,
    Quality,
    Reviewed,
    Situation,
    Weighed,
    action_kind,
    quality_of,
)
from put_protocol.cards import Card
from put_protocol.codecs import FRAMES, LINES
from put_protocol.games.put import Moment, Play, Put, PutAction, PutView
from put_protocol.games.unions import Choice
from put_protocol.limits import FRAME_BYTES
from put_protocol.seats import Seat
from put_server.analysis.evaluation import (
    PAGE,
    WORST,
    Evaluation,
    analysis_messages,
    judge,
    review_hand,
    rounded_shares,
)
from tests.analysis.toy_oracle import ToyOracle

THREE, OTHER_THREE, FOUR = (Play(Card(card)) for card in ("3s", "3h", "4c"))
LEGAL = tuple(Choice(action, says) for action, says in ((THREE, "a"), (OTHER_THREE, "b"), (FOUR, "c"), (Put(), "d")))
VIEW = PutView(target=5, scores=(1, 2), hand=4, cards=(Card("3s"), Card("3h"), Card("4c")), moment=Moment.LEAD)
FACED = Situation(Seat(0), VIEW, LEGAL, ())


def evaluation(three: float, four: float, put: float, often: float = 0.0) -> Evaluation:
    """What each is worth, and how often a three is led; else one puts."""
    policy: dict[PutAction, float] = {THREE: often, Put(): 1 - often}
    return Evaluation({THREE: three, FOUR: four, Put(): put}, policy)


def test_cost_is_what_the_best_would_have_kept() -> None:
    """Before is the chance with the best there is; after, that with what was done."""
    verdict = judge(FACED, FOUR, evaluation(0.5, 0.25, 0.75))
    assert (verdict.before, verdict.after, verdict.cost, verdict.quality) == (7500, 2500, 5000, Quality.BLUNDER)
    assert judge(FACED, Put(), evaluation(0.5, 0.25, 0.75)).cost == 0


def test_cards_of_one_rank_are_one_choice() -> None:
    """Either three is worth the same, whichever the oracle named, and each has half of what is done with them."""
    verdict = judge(FACED, OTHER_THREE, evaluation(0.5, 0.25, 0.75, often=0.3))
    shares = {choice.action: choice.share for choice in verdict.choices}
    assert shares == {THREE: 1500, OTHER_THREE: 1500, FOUR: 0, Put(): 7000}
    assert verdict.after == 5000
    assert not Situation(Seat(0), VIEW, LEGAL[:2], ()).is_choice
    assert FACED.is_choice
    assert action_kind(THREE) == action_kind(OTHER_THREE) != action_kind(FOUR)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8).filter(lambda shares: sum(shares) > 1e-9))
def test_shares_add_up_to_certainty(shares: list[float]) -> None:
    """Whatever is rounded, and none is further from what it is than rounding takes it."""
    rounded = rounded_shares(shares)
    assert sum(rounded) == CERTAIN
    assert all(abs(one - share / sum(shares) * CERTAIN) <= 1.0001 for one, share in zip(rounded, shares, strict=True))


def test_chances_beyond_certainty_are_cut() -> None:
    """A table that was rounded may say a hair more than certain, or less than never."""
    verdict = judge(FACED, FOUR, evaluation(1.00004, -0.00004, 0.5))
    assert (verdict.before, verdict.after) == (CERTAIN, 0)


@pytest.mark.parametrize(
    ("cost", "quality"),
    [(0, "fine"), (9, "fine"), (10, "slip"), (99, "slip"), (100, "mistake"), (499, "mistake"), (500, "blunder")],
)
def test_quality_is_named_by_cost(cost: int, quality: str) -> None:
    """From each bound on it is called so."""
    assert quality_of(cost) == quality
    assert [least for least, _ in QUALITIES] == sorted((least for least, _ in QUALITIES), reverse=True)


def reviewed(cost: int) -> Reviewed:
    """A decision that cost so much, with as many words as there can be."""
    choices = tuple(Weighed(choice.action, "x" * 80, 5000, 2500) for choice in LEGAL) * 2
    verdict = Judged(before=6000, after=6000 - cost, quality=quality_of(cost), done=THREE, choices=choices)
    return Reviewed(0, 4, 1, Moment.LEAD, (1, 2), VIEW.cards * 2, verdict, led=Card("10s"))


def test_long_game_comes_in_parts_that_fit_a_frame() -> None:
    """Each has the totals; together they have every decision once, numbered; none is too long to be sent."""
    costs = [(7 * number) % 640 for number in range(500)]
    parts = analysis_messages(7, 2, Seat(1), [reviewed(cost) for cost in costs])
    assert len(parts) > 10
    assert [one.number for part in parts for one in part.reviewed] == list(range(1, 501))
    assert len({(p.table, p.game, p.seat, p.decisions, p.cost, p.costly, p.worst) for p in parts}) == 1
    assert (parts[0].decisions, parts[0].cost) == (500, sum(costs))
    assert parts[0].costly == sum(cost >= 100 for cost in costs)
    assert all(len(codec.encode(part)) < FRAME_BYTES for part in parts for codec in (FRAMES, LINES))
    assert max(len(part.reviewed) for part in parts) == PAGE
    worst = [costs[number - 1] for number in parts[0].worst]
    assert worst == sorted(costs, reverse=True)[:WORST]


def test_game_without_decisions_is_told_too() -> None:
    """In one message, of nothing; and what cost nothing, or as good as nothing, is not among the worst."""
    (nothing,) = analysis_messages(7, 2, Seat(1), [])
    assert (nothing.decisions, nothing.cost, nothing.worst, nothing.reviewed) == (0, 0, (), ())
    (perfect,) = analysis_messages(7, 2, Seat(1), [reviewed(0)])
    assert (perfect.decisions, perfect.worst) == (1, ())
    (fine,) = analysis_messages(7, 2, Seat(1), [reviewed(9), reviewed(10)])
    assert fine.worst == (2,)


def test_only_choices_are_reviewed() -> None:
    """A turn with one thing to do is no decision; nor is one the oracle does not evaluate."""
    forced = Situation(Seat(0), VIEW, LEGAL[:2], ())
    turns = [PlayedTurn(forced, THREE), PlayedTurn(FACED, Put()), PlayedTurn(forced, OTHER_THREE)]
    (one,) = review_hand(turns, ToyOracle())
    assert (one.judged.done, one.hand, one.trick, one.moment, one.cards) == (Put(), 4, 1, Moment.LEAD, VIEW.cards)

    class Silent(ToyOracle):
        def evaluation(self, situation: Situation) -> None:  # type: ignore[override]  # this one is shy
            return None

    assert review_hand(turns, Silent()) == []
