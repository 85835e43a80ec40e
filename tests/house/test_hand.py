"""The hand by ranks against the real machine: the same choices and ends, and nothing seen but what a seat sees."""

from random import Random

import pytest

from put_protocol.cards import rank_of
from put_protocol.games.put import Moment, PutAction, PutView
from put_protocol.seats import Seat
from put_rules.game import Over, Shuffle, Turn
from put_rules.put.state import PutState
from put_server.house.put import rank_hand as by_ranks
from put_server.house.put.score_values import stake_rule_of
from put_server.house.put.sharp import win_probabilities
from put_server.house.put.view_reading import RankView, read_view
from tests.house.sample_hands import TABLES, Table, tables_with

TIED = (
    *TABLES,
    *tables_with({"pack": 28, "target": 3}),
    Table("put-1674", 4, {"pack": 32, "drawn_put": "anew"}),
    Table("put-partners", 4, {"two_handed": "put-1674"}),
    Table("put-parlett", 2, {"outright": "double", "target": 9}),
    Table("truc", 2, {"ranking": "printed", "tied_trick": "first_winner", "rubber": 1}),
    Table("truc", 2, {"tied_trick": "first_winner"}),
)
"""Every rule set and every option that changes the play of a hand."""

IN_PLAY = (Moment.OPENING, Moment.LEAD, Moment.REPLY, Moment.ANSWER, Moment.LAST_SAY)


def reading_of(table: Table, view: PutView, legal: tuple[PutAction, ...], seat: Seat) -> RankView:
    rank_view = read_view(view, legal, seat, table.options, opens=table.name == "put-tavern")
    assert rank_view is not None
    return rank_view


def with_all_hands(rank_view: RankView, view: PutView, state: PutState) -> list[int]:
    """The hand as nobody at the table knows it."""
    hand = list(rank_view.hand)
    for place, seat in enumerate(rank_view.seats):
        for cards, at in ((state.hands.unseal()[seat], by_ranks.HELD), (state.thrown.unseal()[seat], by_ranks.THROWN)):
            for strength in range(by_ranks.RANKS):
                rank = view.ranking[12 - strength] if 12 - strength < len(view.ranking) else None
                hand[at + by_ranks.RANKS * place + strength] = sum(rank_of(card) == rank for card in cards)
    return hand


def look(hand: list[int], view: PutView) -> list[float]:
    seen = [0.0] * by_ranks.FEATURES
    by_ranks.fill_features(hand, win_probabilities(stake_rule_of(view)), seen)
    return seen


@pytest.mark.parametrize("table", TIED, ids=str)
def test_rank_hand_agrees_with_the_rules_engine(table: Table) -> None:
    """Through whole games of anything at all: who moves, what they may do and see, how each hand ends, who pays."""
    game, dice, ended = table.game, Random(str(table)), 0
    for _ in range(12):
        state, hand = game.begin(Seat(0)), None
        while True:
            awaited = game.awaits(state)
            if isinstance(awaited, Over):
                break
            if isinstance(awaited, Shuffle):
                state, _ = game.deal(state, tuple(dice.sample(awaited.cards, len(awaited.cards))))
                hand = None
                continue
            assert isinstance(awaited, Turn)
            seat, legal = awaited.seat, game.legal(state)
            view = game.view(state, seat)
            if view.moment not in IN_PLAY:
                state, _ = game.act(state, dice.choice(legal))
                continue
            rank_view = reading_of(table, view, legal, seat)
            if hand is None:
                hand = with_all_hands(rank_view, view, state)
            may = [0] * by_ranks.ACTIONS
            by_ranks.fill_legal(hand, may)
            assert rank_view.seats[hand[by_ranks.MOVER]] == seat
            assert {number for number, is_legal in enumerate(may) if is_legal} == set(rank_view.actions)
            assert look(hand, view) == look(rank_view.hand, view)
            number = dice.choice(list(rank_view.actions))
            before = state
            by_ranks.step(hand, number)
            state, _ = game.act(state, dice.choice(rank_view.actions[number]))
            if hand[by_ranks.PHASE] == by_ranks.OVER:
                ended += 1
                assert not isinstance(game.awaits(state), Turn)
                check_end(table, hand, view, rank_view, before, state)
            else:
                assert isinstance(game.awaits(state), Turn)
    assert ended > 12


def check_end(
    table: Table, hand: list[int], view: PutView, rank_view: RankView, before: PutState, state: PutState
) -> None:
    """The hand's worth is what the rules engine pays for it, or what its scores are worth."""
    paid = [after - was for after, was in zip(state.paid, before.paid, strict=True)]
    for place, seat in enumerate(rank_view.seats):
        worth = by_ranks.hand_value(hand, win_probabilities(stake_rule_of(view)), place)
        if any(paid):
            assert worth == paid[seat]
        else:
            scores = [state.scores[s] for s in rank_view.seats]
            if table.options.get("drawn_put") == "anew" and not any(scores):
                assert worth == 0
                continue
            needs = [view.target - score for score in scores]
            fresh = list(hand)
            fresh[by_ranks.NEEDS : by_ranks.NEEDS + len(needs)] = needs
            assert worth == pytest.approx(
                by_ranks.score_value(fresh, win_probabilities(stake_rule_of(view)), place, -1, 0)
            )
