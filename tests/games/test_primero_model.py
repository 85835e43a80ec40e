"""Primero against an independent model of its rules, step by step, over random sittings."""

from random import Random
from typing import NamedTuple

import pytest

from put_protocol.seats import Seat
from put_rules.game import Over, Purpose, Shuffle, Turn
from put_rules.primero.machine import PrimeroGame
from put_rules.primero.state import PrimeroState, Terms
from tests.games import primero_model
from tests.games.primero_model import Model
from tests.games.vectors import notation

KINDS = ("announce", "bet", "go_on", "pass", "raise", "refuse", "see", "stand", "trade", "vada")


def compare(game: PrimeroGame, state: PrimeroState, model: Model) -> None:
    """Both ask the same of the same player, or want the same cards, and the money lies alike.

    :raises AssertionError: it is not so.
    """
    awaits = game.awaits(state)
    assert (list(game.paid(state)), game.pot(state)) == (model.purses, model.pot)
    match model.asks:
        case primero_model.Pack(cards=cards):
            assert isinstance(awaits, Shuffle)
            assert set(awaits.cards) == cards
        case primero_model.Ask(seat=seat, may=may):
            legal = [notation(action) for action in game.legal(state)]
            assert isinstance(awaits, Turn)
            assert awaits.seat == seat
            assert len(legal) == len(may)
            assert set(legal) == may
        case primero_model.End(dealer=dealer):
            assert awaits == Over(Seat(dealer))


TRADERS = {"trade": 6.0, "see": 4.0, "refuse": 0.02, "raise": 0.05, "stand": 0.05, "vada": 0.01}
"""Likings of players who nearly exhaust the stock, and of whom hardly anybody goes out."""


class Course(NamedTuple):
    """What came of a random sitting."""

    steps: int
    renewals: int
    """Stocks that ran out."""


def play(seed: int, *, trading: bool = False) -> Course:
    """A random sitting, with time-outs and departures in some. `trading`: of six players who trade nearly always."""
    dice = Random(seed)
    seats, limit, hands = dice.choice((3, 4, 5, 6)), dice.choice((1, 2, 6, 20)), dice.choice((1, 2, 4))
    dealer = dice.choice((None, *range(seats)))
    likings = {kind: dice.choice((0.05, 0.3, 1, 4)) for kind in KINDS}
    expires, leaves = dice.choice((0, 0.02, 0.2)), dice.choice((0, 0.01, 0.05))
    if trading:
        seats, dealer, expires, leaves = 6, dice.choice(range(6)), 0.005, 0.002
        likings |= TRADERS
    game = PrimeroGame(Terms(seats, {"limit": limit, "hands": hands}))
    state = game.begin(None if dealer is None else Seat(dealer))
    model = Model(seats, limit, hands, dealer)
    compare(game, state, model)
    steps = renewals = 0
    while not isinstance(model.asks, primero_model.End):
        steps += 1
        if dice.random() < leaves:
            leaver = dice.choice([seat for seat in range(seats) if seat not in model.left])
            state, _ = game.leave(state, Seat(leaver))
            model.leave(leaver)
        elif isinstance(model.asks, primero_model.Pack):
            awaits = game.awaits(state)
            assert isinstance(awaits, Shuffle)
            renewals += awaits.purpose is Purpose.STOCK
            pack = dice.sample(awaits.cards, len(awaits.cards))
            state, _ = game.deal(state, tuple(pack))
            model.give(" ".join(pack))
        elif dice.random() < expires:
            state, _ = game.expire(state)
            model.give(primero_model.TIME)
        else:
            legal = {notation(action): action for action in game.legal(state)}
            (word,) = dice.choices(list(legal), [likings[word.split()[0]] for word in legal])
            state, _ = game.act(state, legal[word])
            model.give(word)
        compare(game, state, model)
    return Course(steps, renewals)


@pytest.mark.parametrize("first", range(0, 200, 20))
def test_machine_and_model_agree(first: int) -> None:
    """Mover, legal actions, wanted cards, pot, purses and the next dealer are the same at every step."""
    assert sum(play(seed).steps for seed in range(first, first + 20)) > 500


def test_machine_and_model_agree_where_the_stock_runs_out() -> None:
    """The cards of which a new stock is made are the same, and what is drawn from it."""
    assert sum(play(seed, trading=True).renewals for seed in range(100)) > 5
