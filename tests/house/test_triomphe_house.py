"""House players of Triomphe Forcée: they are legal everywhere, read a view rightly, and play deals out by the rules."""

from copy import deepcopy
from random import Random
from typing import Any

import pytest

from put_protocol.cards import FOOL as LE_FOU
from put_protocol.cards import LA_MORT, LE_BASTELEUR
from put_protocol.games.triomphe import TriompheView
from put_protocol.seats import Seat
from put_rules.game import Game, Turn
from put_rules.triomphe import rules
from put_server.house import registry
from put_server.house.player import Player
from put_server.house.triomphe import tarot
from put_server.house.triomphe.players import Care, Sampler, wanted, wins
from put_server.house.triomphe.reading import Position, read
from put_server.house_runner import terms_at
from tests.conformance.random_games import random_game, random_setup, random_temper
from tests.games.staged_games import random_games

NAME = "triomphe-forcee"
HURRIED = Care(deals=4, doubt=0.5)
"""As thorough as many choices in a test allow."""


def _read(game: Game[Any, Any], state: Any, seat: Seat) -> Position:
    view = game.view(state, seat)
    assert isinstance(view, TriompheView)
    return read(view, seat)


def _player(kind: str, dice: Random) -> Player:
    if kind in ("steady", "sharp"):
        return Sampler(dice, HURRIED)
    return registry.player(kind, dice, terms_at(NAME, {}))


@pytest.mark.parametrize("kind", ["beginner", "steady", "sharp", registry.RANDOM])
def test_choices_are_legal_whatever_the_others_do(kind: str) -> None:
    """At every number of seats, among people who leave, run out of time and play anything."""
    dice = Random(kind)
    player = _player(kind, dice)
    decisions = 0
    for seed in range(40):
        rng = Random(seed)
        setup = random_setup(rng, NAME, 4 + seed % 7)
        game = setup.game()
        for step in random_game(rng, setup, random_temper(rng)):
            awaits = game.awaits(step.state)
            if isinstance(awaits, Turn) and dice.random() < 0.3:
                view, choices = game.view(step.state, awaits.seat), game.choices(step.state)
                assert player.choose(view, choices, awaits.seat) in game.legal(step.state)
                (certain,) = player.mixture(view, choices, awaits.seat).items() if len(choices) == 1 else ((None, 1),)
                assert certain[1] == 1
                decisions += 1
    assert decisions > 200


def test_kinds_are_called_what_they_are() -> None:
    """No player of this game is perfect, and none is called so."""
    terms = terms_at(NAME, {})
    called = {kind: registry.kind_at(kind, terms, 4) for kind in registry.HOUSES}
    assert called == {
        "beginner": "beginner",
        "steady": "steady",
        "sharp": "sharp",
        "perfect": "sharp",
        "student": "sharp",
    }
    for kind in registry.HOUSES:
        assert hasattr(registry.player(kind, Random(1), terms), "choose")


def test_same_dice_make_the_same_choice() -> None:
    """A choice follows from the view and the dice."""
    ((setup, steps),) = random_games(1, NAME, hands=3)
    game = setup.game()
    for step in steps:
        awaits = game.awaits(step.state)
        if isinstance(awaits, Turn):
            view, choices = game.view(step.state, awaits.seat), game.choices(step.state)
            assert isinstance(view, TriompheView)
            one, other = [Sampler(Random(7), HURRIED).choose(view, choices, awaits.seat) for _ in range(2)]
            assert one == other


def test_tarot_numbers_are_the_order_of_the_rules() -> None:
    """What beats what, by numbers as by cards."""
    assert sorted(tarot.NUMBERS.values()) == list(range(78))
    for card, number in tarot.NUMBERS.items():
        for best, other in tarot.NUMBERS.items():
            if card != best and LE_FOU not in (card, best):
                takes = rules.taker((Seat(0), Seat(1)), (best, card)) == 1
                assert tarot.beats(number, other) == takes


def test_reading_knows_what_the_play_has_told() -> None:
    """Every true deal fits what is read: no suit that is void is held, and what is known is there, what is gone not."""
    read_positions = 0
    for setup, steps in random_games(60, NAME):
        game = setup.game()
        for step in steps:
            awaits = game.awaits(step.state)
            if not isinstance(awaits, Turn):
                continue
            view = game.view(step.state, awaits.seat)
            assert isinstance(view, TriompheView)
            position = read(view, awaits.seat)
            hands = [sorted(map(tarot.NUMBERS.__getitem__, hand)) for hand in step.state.hands.unseal()]
            true = [hands[seat] for seat in _players(view)]
            assert position.hand == true[position.me]
            assert position.held == list(map(len, true))
            for player, hand in enumerate(true):
                assert not any(position.void[player] >> tarot.SUIT[card] & 1 for card in hand if card != tarot.FOOL)
                assert set(position.known[player]) <= set(hand)
                if player != position.me:
                    assert set(hand) <= set(position.unseen) | set(position.known[player])
            absent = {LA_MORT, LE_FOU, LE_BASTELEUR, view.force}
            assert not any(tarot.NUMBERS[card] in position.unseen for card in absent)
            dealt = position.deal(Random(1))
            cards = [card for hand in dealt for card in hand]
            assert len(cards) == len(set(cards)) == sum(position.held)
            assert dealt[position.me] == position.hand
            for player, hand in enumerate(dealt):
                assert hand == sorted(hand)
                assert not any(position.void[player] >> tarot.SUIT[card] & 1 for card in hand if card != tarot.FOOL)
            read_positions += 1
    assert read_positions > 500


def _players(view: TriompheView) -> list[int]:
    """The seats that were dealt a hand."""
    played = {seat for trick in (*view.past, view.trick) for seat in trick.seats}
    return [seat for seat, count in enumerate(view.counts) if count or seat in played]


def test_deals_are_played_out_by_the_rules() -> None:
    """Who takes the pool in a deal played out is who takes it at a table where all play by the policy."""
    compared = 0
    for setup, steps in random_games(30, NAME, accidents=False):
        game = setup.game()
        for step in steps:
            awaits = game.awaits(step.state)
            if not isinstance(awaits, Turn) or compared > 100:
                continue
            position = _read(game, step.state, awaits.seat)
            seats = _players(step.state.view)
            hands = [sorted(map(tarot.NUMBERS.__getitem__, step.state.hands.unseal()[seat])) for seat in seats]
            expected = []
            for player in range(position.players):
                one = deepcopy(position)
                if wins(player, deepcopy(hands), one.me, one.trick, one.tricks, one.second, one.first):
                    expected.append(seats[player])
            state, number = step.state, step.state.view.hand
            before = state
            while isinstance(turn := game.awaits(state), Turn) and state.view.hand == number:
                its = _read(game, state, turn.seat)
                card = wanted(its.hand, its.players, its.trick.left, its.trick.led, its.trick.best)
                (action,) = [each for each in game.legal(state) if tarot.NUMBERS[each.card] == card]
                before, (state, _) = state, game.act(state, action)
            pool = game.pot(before)
            gained = [after - was for after, was in zip(game.paid(state), game.paid(before), strict=True)]
            assert [seat for seat in seats if gained[seat]] == expected
            assert gained[expected[0]] == pool
            compared += 1
    assert compared > 100
