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


def legal_in(hand: list[int]) -> set[int]:
    """Actions that the mover may take."""
    mover, phase = hand[by_ranks.MOVER], hand[by_ranks.PHASE]
    first = by_ranks.HELD + by_ranks.RANKS * mover
    kinds = sum(1 for held in hand[first : first + by_ranks.RANKS] if held)
    found = set(range(kinds)) if phase == by_ranks.PLAY else set()
    says = {
        by_ranks.PUT: by_ranks.may_put(hand),
        by_ranks.THROW: by_ranks.may_throw(hand),
        by_ranks.SEE: phase == by_ranks.ANSWER,
        by_ranks.PASS: phase == by_ranks.OPENING,
    }
    return found | {action for action, is_legal in says.items() if is_legal}


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
    by_ranks.fill_features(hand, win_probabilities(stake_rule_of(view.plain, view.accepted)), seen)
    return seen


@pytest.mark.parametrize("table", TIED, ids=str)
def test_rank_hand_agrees_with_the_rules_engine(table: Table) -> None:
    """Through whole games of anything at all: who moves, what they may do and see, how each hand ends, who pays."""
    game, dice, ended = table.game, Random(str(table)), 0
    for _ in range(5):
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
            assert rank_view.seats[hand[by_ranks.MOVER]] == seat
            assert legal_in(hand) == set(rank_view.actions)
            assert look(hand, view) == look(rank_view.hand, view)
            number = dice.choice(list(rank_view.actions))
            by_ranks.step(hand, number)
            state, _ = game.act(state, dice.choice(rank_view.actions[number]))
            if hand[by_ranks.PHASE] == by_ranks.OVER:
                ended += 1
                assert not isinstance(game.awaits(state), Turn)
            else:
                assert isinstance(game.awaits(state), Turn)
    assert ended > 5
