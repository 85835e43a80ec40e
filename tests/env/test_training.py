"""The example that learns: it trains, saves, and its bot plays what was saved."""

import importlib.util
import json
import re
import shutil
import sys
from argparse import Namespace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from put_env.env_table import Table
from put_env.families import codec_of
from put_protocol.games import put
from put_protocol.seats import Seat
from put_rules.driver import Driver
from put_rules.game import Shuffle
from put_rules.registry import GAMES
from put_server.house.player import RandomPlayer
from tests.arena.matches import played, serve_here
from tests.house.duplicate_matches import play_game

pytest.importorskip("put_env.vector")
aec: Any = pytest.importorskip("put_env.aec")
NetworkBot: Any = pytest.importorskip("put_env.network_bot").NetworkBot
Translator: Any = pytest.importorskip("put_env.observing").Translator

FOLDER = Path(__file__).parents[2] / "docs/examples/learning"

pytestmark = [pytest.mark.timeout(240), pytest.mark.usefixtures("vectors")]


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
    """A few steps of each part: watching, imitating, practising; then a whole game with the bot, all choices legal."""
    train, dice = _module("train_put"), np.random.default_rng(1)
    watched = train.watch("beginner", _times(150), 1)
    rival = train.likeness("beginner", *watched, _times(150), dice)
    told = train.chances(rival.layers(watched[0])[-1][:, :-1], watched[1])
    assert abs(told - watched[2]).sum() / 2 / len(told) < 0.35, "it has learned something of what it saw"
    asked = Namespace(tables=48, length=24, seed=1, out=str(tmp_path / "trained_put.npz"))
    network = train.Network.new(watched[0].shape[1], watched[2].shape[1], dice)
    before = [weight.copy() for weight in network.weights]
    training = train.Training(network, rival, dice)
    monkeypatch.setitem(sys.modules, "train_put", train)  # where a checkpoint finds its classes
    train.practise(training, _times(3), asked)
    assert all((old != new).any() for old, new in zip(before, network.weights, strict=True))
    resumed = train.Training.resumed(asked.out)
    assert resumed.choices == training.choices
    assert all((old == new).all() for old, new in zip(resumed.network.weights, network.weights, strict=True))
    train.practise(resumed, _times(3), asked)
    assert resumed.network.steps > network.steps
    monkeypatch.chdir(tmp_path)
    bots = _module("trained_bot")
    options = GAMES["put-1674"].offer.defaults
    game = GAMES["put-1674"].make(2, options)
    bot = bots.Trained(Random(1))
    players: list[Any] = [_Seated(bot, 0), RandomPlayer(Random(1))]
    bot.info = Namespace(game="put-1674", seats=(None, None), options=options)
    assert sum(play_game(game, players, 1)) == 0


def test_notebook_trains_plays_and_rates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its cells run in their order, with less time and fewer games."""
    for name in ("train_put.py", "trained_bot.py"):
        shutil.copy(FOLDER / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "train_put", raising=False)
    cells = json.loads((FOLDER / "train_play_rate.ipynb").read_text("utf-8"))["cells"]
    names: dict[str, Any] = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)  # as a notebook does
            names |= {"MINUTES": 0.01, "TABLES": 48, "GAMES": 4}
    assert sum(names["won"].values()) == 0
    assert re.search("trained.*%", capsys.readouterr().out, re.IGNORECASE)


def _network(table: Table) -> Any:
    codec = codec_of(table)
    return _module("train_put").Network.new(codec.layout.size, len(codec.actions), np.random.default_rng(3))


def test_network_is_saved_where_it_is_said_to_be(tmp_path: Path) -> None:
    """Under a name without an ending, too."""
    _network(Table(rule_set="put-1674")).save(str(tmp_path / "mine"))
    assert [file.name for file in tmp_path.iterdir()] == ["mine"]


async def test_saved_network_takes_a_seat_in_three_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines of docs/env.md, as a file, are a bot of the arena's, over sockets and in one process."""
    serve_here(monkeypatch)
    page = (Path(__file__).parents[2] / "docs/env.md").read_text()
    lines = page.partition("<!-- test: seat -->\n```python\n")[2].partition("```")[0]
    assert len([line for line in lines.splitlines() if line]) == 3
    (tmp_path / "my_bot.py").write_text(lines)
    _network(Table(rule_set="put-1674")).save(str(tmp_path / "trained_put.npz"))
    for is_in_process in (False, True):
        results = await played(f"{tmp_path / 'my_bot.py'}", "house:beginner", is_in_process=is_in_process)
        assert len(results.games) == 4


def test_bot_plays_as_its_network_says(tmp_path: Path) -> None:
    """It takes the action that is likeliest by far, from what the server sends."""
    table = Table(rule_set="put-1674", seats=2)
    weights = [np.zeros((146, 17), np.float32), np.zeros(17, np.float32)]
    weights[1][codec_of(table).actions.index("put")] = 9
    np.savez(tmp_path / "sure.npz", *weights)
    bot = type("Sure", (NetworkBot,), {"file": str(tmp_path / "sure.npz")})(Random(1))
    bot.seat, bot.info = Seat(1), Namespace(game="put-1674", seats=(None, None), options={})
    driver = Driver(table.game(), Seat(0))
    assert isinstance(driver.awaits, Shuffle)
    driver.deal(driver.awaits.cards)
    view, legal = driver.view(Seat(1)), driver.choices()
    assert bot.choose(view, legal) == put.Put()
    translator = Translator(table, Seat(1))
    observation = translator.observe(view, legal)
    env = aec.env("put-1674")
    assert env.observation_space("player_1").contains(observation)
    for number in np.flatnonzero(observation["action_mask"]):
        assert translator.act(int(number)) in [choice.action for choice in legal]
    assert not translator.observe(view)["action_mask"].any()
    with pytest.raises(ValueError, match="not legal now: legal are none"):
        translator.act(0)


def test_network_for_another_table_is_refused(tmp_path: Path) -> None:
    """The error names both sizes: nothing is played at random in its place."""
    _network(Table(rule_set="put-1674")).save(str(tmp_path / "small.npz"))
    bot = type("Small", (NetworkBot,), {"file": str(tmp_path / "small.npz")})()
    bot.seat, bot.info = Seat(0), Namespace(game="put-1674", seats=(None,) * 3, options={})
    driver = Driver(Table(rule_set="put-1674", seats=3).game(), Seat(2))
    assert isinstance(driver.awaits, Shuffle)
    driver.deal(driver.awaits.cards)
    with pytest.raises(ValueError, match=r"takes 146 numbers, and put-1674 has 2\d\d"):
        bot.choose(driver.view(Seat(0)), driver.choices())


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
