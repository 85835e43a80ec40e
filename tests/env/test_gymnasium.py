"""Gymnasium's own check at every table, and what it does not look at."""

import pickle
import subprocess
import sys
from random import Random
from typing import Any

import numpy as np
import pytest

from put_env.env_table import Unit
from put_server.house import registry
from tests.conformance.tables import TABLES, Table

gymnasium: Any = pytest.importorskip("gymnasium")
checker: Any = pytest.importorskip("gymnasium.utils.env_checker")
single: Any = pytest.importorskip("put_env.single")


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_check_env_passes(table: Table) -> None:
    """Gymnasium's check, against random players, with warnings as errors."""
    env = gymnasium.make(single.id_of(table.name), seats=table.seats, opponents="random", render_mode="ansi")
    checker.check_env(env.unwrapped)


def _played(env: Any, dice: Random, *, seed: int | None = None) -> tuple[float, int]:
    """An episode at random: its rewards, and its choices."""
    observation, _ = env.reset(seed=seed)
    total, count, is_over = 0.0, 0, False
    while not is_over:
        legal = np.flatnonzero(observation["action_mask"])
        observation, reward, is_over, truncated, info = env.step(int(dice.choice(legal)))
        assert not truncated
        assert not info
        total, count = total + reward, count + 1
    return total, count


@pytest.mark.parametrize(
    ("game", "seats", "opponents"),
    [
        ("Put-1674-v0", 2, "beginner"),
        ("Put-1674-v0", 3, ["beginner", "random"]),
        ("Put-Partners-v0", 4, "beginner"),
        ("Triomphe-Forcee-v0", 4, "beginner"),
        ("Primero-v0", 3, ["beginner", "steady"]),
    ],
)
def test_agent_plays_house_players(game: str, seats: int, opponents: Any) -> None:
    """By name, one for all or one for each; the rewards of a game are what the agent's purse gained."""
    env = gymnasium.make(game, seats=seats, opponents=opponents, **({"hands": 2} if "P" not in game[:3] else {}))
    dice, at = Random(3), env.unwrapped
    for seed in range(3):
        total, choices = _played(env, dice, seed=seed)
        assert total == at.episode.game.paid(at.episode.state)[at.seat]
        assert choices


def test_stronger_house_players_win_more() -> None:
    """Against one who knows the game an agent at random loses more than against another at random."""
    gained = {}
    for name in ("random", "beginner"):
        env = single.SingleEnv("put-1674", opponents=name)
        env.reset(seed=1)
        gained[name] = sum(_played(env, Random(number))[0] for number in range(150)) / 150
    assert gained["beginner"] < gained["random"] - 0.2


def test_several_run_side_by_side() -> None:
    """Gymnasium's own vectors of environments take them."""
    envs = gymnasium.make_vec("Put-1674-v0", num_envs=3, vectorization_mode="sync", opponents="random")
    observations, _ = envs.reset(seed=3)
    assert observations["observation"].shape == (3, 146)
    for _ in range(30):
        actions = [int(np.flatnonzero(mask)[0]) if mask.any() else 0 for mask in observations["action_mask"]]
        observations, _, _, _, _ = envs.step(np.array(actions))


def test_same_seed_plays_the_same_episode() -> None:
    """Cards, seats and the opponents' dice follow from the seed."""

    def told() -> list[Any]:
        env, dice = single.SingleEnv("put-tavern", 3, opponents="beginner"), Random(2)
        return [_played(env, dice, seed=8), *[_played(env, dice) for _ in range(5)], env.seat]

    assert told() == told()


@pytest.mark.parametrize("opponents", [*registry.HOUSES, registry.RANDOM])
def test_pickle_goes_on_as_the_original_does(opponents: str) -> None:
    """A worker may be sent an environment in play, with its opponents, and get it back."""
    env, dice = single.SingleEnv("put-1674", opponents=opponents, unit="hand"), Random(3)
    env.reset(seed=5)
    other = pickle.loads(pickle.dumps(env))
    for _ in range(12):
        action = int(dice.choice(np.flatnonzero(env.action_masks())))
        told, again = env.step(action), other.step(action)
        assert told[0]["observation"].tolist() == again[0]["observation"].tolist()
        assert told[1:] == again[1:]
        if told[2]:
            env.reset()
            other.reset()


def test_agent_sits_in_every_seat_unless_it_is_given_one() -> None:
    """Another in each game; and where a hand is the episode, the same one through a game."""
    env = single.SingleEnv("put-1674", opponents="random")
    seats = []
    for _ in range(60):
        _played(env, Random(4))
        seats.append(env.seat)
    assert 10 < sum(seats) < 50
    env = single.SingleEnv("put-1674", opponents="random", seat=1, unit=Unit.HAND)
    for _ in range(20):
        _played(env, Random(4))
        assert env.seat == 1
    env, last, is_over = single.SingleEnv("put-1674", opponents="random", unit="hand"), None, True
    for _ in range(40):
        env.reset()
        assert is_over or env.seat == last
        _play_out(env)
        last, is_over = env.seat, env.episode.is_game_over


def _play_out(env: Any) -> None:
    is_over = False
    while not is_over:
        *_, is_over, _, _ = env.step(int(np.flatnonzero(env.action_masks())[0]))


def test_illegal_action_runs_out_of_time_or_is_an_error() -> None:
    """As at a table: who does nothing legal throws the hand in. Or it is an error, and nothing changes."""
    env = single.SingleEnv("put-1674", opponents="random", unit="hand", rewards="points", seat=0)
    env.reset(seed=2, options={"dealer": 1})
    observation, reward, is_over, _, info = env.step(14)
    assert (reward, is_over, info) == (-1, True, {"illegal": True})
    assert not observation["action_mask"].any()
    with pytest.raises(ValueError, match="the episode is over"):
        env.step(0)
    env = single.SingleEnv("put-1674", opponents="random", illegal="error", seat=0)
    before, _ = env.reset(seed=2, options={"dealer": 1})
    with pytest.raises(ValueError, match="not legal now"):
        env.step(14)
    assert (env.action_masks() == before["action_mask"]).all()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"opponents": "cunning"}, "there is no house player 'cunning'"),
        ({"opponents": ["steady", "steady"]}, "there are 1 opponents, not 2"),
        ({"seat": 2}, "there is no seat 2"),
        ({"illegal": "ignore"}, "illegal must be expire or error"),
        ({"render_mode": "rgb_array"}, "render_mode must be"),
    ],
)
def test_bad_arguments_are_named(arguments: dict[str, Any], says: str) -> None:
    """The error says what was wrong with what."""
    with pytest.raises(ValueError, match=says):
        single.SingleEnv(**arguments)


def test_table_is_rendered_as_the_agent_sees_it() -> None:
    """In English, with the agent's own cards and nobody else's."""
    env = gymnasium.make("Put-1674-v0", render_mode="ansi", seat=0, arranged="3s 4s Kh 4h 2s 4d")
    env.reset(seed=1, options={"dealer": 1})
    assert "You hold the 3 of spades" in env.render()
    assert "agent may: lead the 3 of spades" in env.render()


def test_gymnasium_finds_the_ids_by_the_module() -> None:
    """In a new process the id with the module before it is enough, as docs/env.md says."""
    code = """
import gymnasium
for name in ("Put-1674", "Put-Partners", "Triomphe-Forcee", "Primero"):
    gymnasium.make(f"put_env.single:{name}-v0", opponents="random").reset(seed=1)
"""
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, timeout=120)
