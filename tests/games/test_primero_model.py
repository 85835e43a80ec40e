"""Primero against an independent model of its rules, step by step, over random sittings."""

from random import Random

import pytest

from put_protocol.seats import Seat
from put_server.games.game import Over, Shuffle, Turn
from put_server.games.primero.machine import PrimeroGame
from put_server.games.primero.rules import PrimeroRules
from put_server.games.primero.state import PrimeroState
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


def play(seed: int) -> int:
    """A random sitting, with time-outs and departures in some; how many steps it took."""
    dice = Random(seed)
    seats, limit, hands = dice.choice((3, 4, 5, 6)), dice.choice((1, 2, 6, 20)), dice.choice((1, 2, 4))
    dealer = dice.choice((None, *range(seats)))
    likings = {kind: dice.choice((0.05, 0.3, 1, 4)) for kind in KINDS}
    expires, leaves = dice.choice((0, 0.02, 0.2)), dice.choice((0, 0.01, 0.05))
    game = PrimeroGame(PrimeroRules(limit=limit, hands=hands), seats)
    state = game.begin(None if dealer is None else Seat(dealer))
    model = Model(seats, limit, hands, dealer)
    compare(game, state, model)
    steps = 0
    while not isinstance(model.asks, primero_model.End):
        steps += 1
        if dice.random() < leaves:
            leaver = dice.choice([seat for seat in range(seats) if seat not in model.left])
            state, _ = game.leave(state, Seat(leaver))
            model.leave(leaver)
        elif isinstance(model.asks, primero_model.Pack):
            awaits = game.awaits(state)
            assert isinstance(awaits, Shuffle)
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
    return steps


@pytest.mark.parametrize("first", range(0, 200, 20))
def test_machine_and_model_agree(first: int) -> None:
    """Mover, legal actions, wanted cards, pot, purses and the next dealer are the same at every step."""
    assert sum(map(play, range(first, first + 20))) > 500
