"""The example that learns: it trains, saves, and its bot plays what was saved."""

import importlib.util
from argparse import Namespace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from put_protocol.seats import Seat
from put_rules.registry import GAMES
from put_server.house.player import RandomPlayer
from scripts.research.matches import play_game

pytest.importorskip("put_env.vector")

FOLDER = Path(__file__).parents[2] / "docs/examples/learning"

pytestmark = pytest.mark.timeout(240)
"""The first worker compiles the kernels."""


def _module(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _times(number: int) -> Any:
    """Over after so many looks at the clock."""
    looks = count()
    return lambda: next(looks) / number


class _Seated:
    """A bot in a seat of a machine."""

    def __init__(self, bot: Any, seat: int) -> None:
        bot.seat = Seat(seat)
        self.bot = bot

    def choose(self, view: Any, legal: Any, seat: Seat) -> Any:
        chosen = self.bot.choose(view, legal)
        assert chosen in [choice.action for choice in legal]
        return chosen


def test_player_is_trained_saved_and_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few steps of each part: watching, imitating, practising; then whole games with the bot, all choices legal."""
    train, dice = _module("train_put"), np.random.default_rng(1)
    watched = train.watch("beginner", _times(150), 1)
    rival = train.likeness("beginner", *watched, _times(150), dice)
    told = train.chances(rival.layers(watched[0])[-1][:, :-1], watched[1])
    assert abs(told - watched[2]).sum() / 2 / len(told) < 0.35, "it has learned something of what it saw"
    asked = Namespace(tables=48, length=24, seed=1, out=str(tmp_path / "trained_put.npz"))
    network = train.Network.new(watched[0].shape[1], watched[2].shape[1], dice)
    before = [weight.copy() for weight in network.weights]
    train.practise(network, rival, _times(3), asked, dice)
    assert all((old != new).any() for old, new in zip(before, network.weights, strict=True))
    monkeypatch.chdir(tmp_path)
    bots = _module("trained_bot")
    options = {option.name: option.default for option in GAMES["put-1674"].offer.options}
    game = GAMES["put-1674"].make(2, options)
    for number in range(6):
        bot = bots.Trained(Random(number))
        players: list[Any] = [_Seated(bot, 0), RandomPlayer(Random(number))]
        bot.info = Namespace(game="put-1674")
        paid = play_game(game, players, number)
        assert paid[0] + paid[1] == 0


def test_network_follows_its_slope() -> None:
    """Gradients are right: a network learns a function it is shown."""
    train, dice = _module("train_put"), np.random.default_rng(2)
    network = train.Network.new(8, 2, dice)
    seen = dice.normal(size=(256, 8)).astype(np.float32)
    wanted = np.stack([seen[:, 0] * seen[:, 1], np.abs(seen[:, 2]), seen.sum(axis=1)], axis=1)
    errors = []
    for _ in range(400):
        layers = network.layers(seen)
        error = layers[-1] - wanted
        errors.append(float((error**2).mean()))
        network.learn(layers, (error / len(seen)).astype(np.float32), 3e-3)
    assert errors[-1] < errors[0] / 10
