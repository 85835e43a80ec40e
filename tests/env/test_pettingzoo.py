"""PettingZoo's own tests, at every table, and what they do not look at."""

import copy
import pickle
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import numpy as np
import pytest

from put_protocol.seats import Seat
from put_rules.registry import GAMES
from tests.conformance.random_games import random_options
from tests.conformance.tables import TRIED, Table

aec: Any = pytest.importorskip("put_env.aec")
wrappers: Any = pytest.importorskip("pettingzoo.utils.wrappers")
test: Any = pytest.importorskip("pettingzoo.test")

at_every_table = pytest.mark.parametrize("table", TRIED, ids=str)

ANSWERED = (
    # The form of PettingZoo's own card games, whose names its tests except from these two.
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box",
    # When an episode is over, nobody has a legal action; its tests look at such an observation, too.
    "Action mask numpy array is all zeros",
)
"""Warnings of PettingZoo's tests that these environments give on purpose. Any other is an error."""


@contextmanager
def _other_warnings_are_errors() -> Iterator[None]:
    with warnings.catch_warnings():
        for message in ANSWERED:
            warnings.filterwarnings("ignore", message)
        yield


@at_every_table
def test_api_test_passes(table: Table) -> None:
    """PettingZoo's test of its interface, over whole episodes of a game."""
    with _other_warnings_are_errors():
        test.api_test(aec.env(table.name, table.seats), num_cycles=60)


@at_every_table
def test_seed_test_passes(table: Table) -> None:
    """The same seed gives the same episode."""
    with _other_warnings_are_errors():
        test.seed_test(lambda: aec.env(table.name, table.seats), num_cycles=15)


@pytest.mark.parametrize("name", ["put-1674", "put-partners", "triomphe-forcee", "primero"])
def test_units_and_rewards_pass_api_test(name: str) -> None:
    """A hand as an episode, and points as rewards where there are any."""
    with _other_warnings_are_errors():
        test.api_test(aec.env(name, unit="hand"), num_cycles=60)
        if name.startswith("put"):
            test.api_test(aec.env(name, unit="hand", rewards="points", misdeals=50), num_cycles=60)


@at_every_table
def test_parallel_seed_test_passes(table: Table) -> None:
    """PettingZoo's seed test of the parallel form samples without masks: an action that the mask of the seat to move
    rules out is a turn whose time is spent."""
    test.parallel_seed_test(lambda: aec.parallel_env(table.name, table.seats), num_cycles=15)


def test_parallel_form_says_what_was_illegal() -> None:
    """The infos of the agent to move say so, in that step alone; as an error it changes nothing."""
    env = aec.parallel_env("put-1674")
    env.reset(seed=1)
    mover = env.aec_env.agent_selection
    *_, infos = env.step(dict.fromkeys(env.agents, env.aec_env.episode.codec.actions.index("see")))
    assert [agent for agent, info in infos.items() if "illegal" in info] == [mover]
    if env.agents:
        legal = env.aec_env.observe(env.aec_env.agent_selection)["action_mask"].argmax()
        *_, infos = env.step(dict.fromkeys(env.agents, int(legal)))
        assert not any("illegal" in info for info in infos.values())
    strict = aec.parallel_env("put-1674", illegal="error")
    strict.reset(seed=1)
    with pytest.raises(ValueError, match="not legal now"):
        strict.step(dict.fromkeys(strict.agents, -1))


def test_parallel_form_plays_a_game() -> None:
    """In the parallel form all act at once, and the action of the seat to move counts."""
    env = aec.parallel_env("put-tavern", 3)
    observations, _ = env.reset(seed=3)
    rewards: dict[str, float] = {}
    while env.agents:
        mover = env.aec_env.agent_selection
        actions = {
            agent: int(np.argmax(observations[agent]["action_mask"])) if agent == mover else -1 for agent in env.agents
        }
        observations, rewards, _, _, _ = env.step(actions)
    assert sum(rewards.values()) == 0
    assert any(rewards.values())


def test_parallel_form_repeats_itself() -> None:
    """The same seed and actions give the same observations and rewards in the parallel form."""

    def played() -> list[Any]:
        env, told = aec.parallel_env("put-1674"), []
        observations, _ = env.reset(seed=42)
        while env.agents:
            actions = {agent: int(np.argmax(seen["action_mask"])) for agent, seen in observations.items()}
            observations, rewards, _, _, _ = env.step(actions)
            told.append((rewards, {agent: seen["observation"].tolist() for agent, seen in observations.items()}))
        return told

    assert played() == played()


def _played(env: Any, dice: Random) -> dict[str, float]:
    """An episode at random; the sum of each agent's rewards."""
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, _, _ = env.last()
        total[agent] += reward
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if terminated else int(dice.choice(legal)))
    return total


@at_every_table
def test_rewards_of_an_episode_are_what_the_purses_gained(table: Table) -> None:
    """Stakes and antes that are paid before the first choice are counted too."""
    dice, env = Random(5), aec.env(table.name, table.seats)
    for seed in range(3):
        env.reset(seed=seed)
        total = _played(env, dice)
        assert list(total.values()) == list(env.episode.game.paid(env.episode.state))
        assert sum(total.values()) == 0


@at_every_table
def test_observations_are_in_their_space(table: Table) -> None:
    """Under any options every observation is inside the bounds that its names document, and every mask fits."""
    rng = Random(7)
    for seed in range(4):
        options = random_options(rng, GAMES[table.name].offer, table.seats)
        if "hands" in options:
            options["hands"] = 2
        env = aec.env(table.name, table.seats, **options)
        env.reset(seed=seed)
        for agent in env.agent_iter():
            observation, _, terminated, _, _ = env.last()
            assert env.observation_space(agent).contains(observation)
            legal = np.flatnonzero(observation["action_mask"])
            env.step(None if terminated else int(rng.choice(legal)))


def test_hands_follow_one_another_in_one_game() -> None:
    """With hands as episodes, points add up to the score, and the deal passes on; after the game a new one begins."""
    dice, env = Random(1), aec.env("put-1674", unit="hand", rewards="points")
    env.reset(seed=1)
    dealer, points, games = env.episode.state.dealer, [0.0, 0.0], 0
    for _ in range(200):
        total = _played(env, dice)
        points = [sum(both) for both in zip(points, total.values(), strict=True)]
        state = env.episode.state
        if env.episode.is_game_over:
            assert max(points) > 0
            points, games = [0.0, 0.0], games + 1
        else:
            assert points == [state.scores[0] - state.scores[1], state.scores[1] - state.scores[0]]
            assert state.dealer == 1 - dealer
        env.reset()
        dealer = env.episode.state.dealer
    assert games > 10


def test_game_won_by_a_put_is_worth_the_points_that_were_missing() -> None:
    """In points a game that an accepted put decides brings its winner what they still needed."""
    env = aec.env("put-1674", unit="hand", rewards="points", arranged="3s 4s 3h 4h 2s 4d")
    env.reset(seed=1, options={"scores": (1, 3), "dealer": 1})
    names = env.episode.codec.actions
    for action in ("put", "see", "play 3", "play 4", "play 3", "play 4"):
        env.step(names.index(action))
    assert env.rewards == {"player_0": 4, "player_1": -4}
    assert all(env.terminations.values())


def test_action_that_the_mask_rules_out_changes_nothing() -> None:
    """It is refused by an error that names what is legal, and the same agent may act."""
    env = aec.env("put-1674")
    env.reset(seed=1)
    agent, before = env.agent_selection, env.observe(env.agent_selection)["observation"].tolist()
    for wrong in (env.episode.codec.actions.index("see"), -1, 99, None, "put", 0.5):
        with pytest.raises(ValueError, match=r"is not legal now: legal are .*\(put\)"):
            env.step(wrong)
        assert env.agent_selection == agent
        assert env.observe(agent)["observation"].tolist() == before


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"rule_set": "put-1700"}, "there is no rule set 'put-1700'"),
        ({"seats": 7}, "put-1674 is for 2, 3, 4 players, not for 7"),
        ({"targets": 3}, "put-1674 has no such option"),
        ({"target": 99}, "target must be a whole number from 1 to 21"),
        ({"arranged": "3s 3s"}, "a card is named twice"),
        ({"rule_set": "primero", "rewards": "points"}, "primero has no points"),
        ({"unit": "trick"}, "'trick' is not a valid Unit"),
        ({"illegal": "pass"}, "illegal must be expire or error"),
        ({"render_mode": "rgb_array"}, "render_mode must be ansi or human"),
    ],
)
def test_bad_arguments_are_named(arguments: dict[str, Any], says: str) -> None:
    """The error says what was wrong with what."""
    with pytest.raises(ValueError, match=says):
        aec.env(**arguments)


@pytest.mark.parametrize(
    ("options", "says"),
    [({"scores": (5, 0)}, "from 0 to 4"), ({"dealer": 2}, "no seat 2"), ({"scores": (1.5, 2)}, "'float' object")],
)
def test_bad_reset_options_are_named(options: dict[str, Any], says: str) -> None:
    """A game can begin at scores below the target, with a dealer who is there."""
    env = aec.env("put-1674")
    with pytest.raises((ValueError, TypeError), match=says):
        env.reset(options=options)


def test_table_is_rendered_as_the_seat_to_move_sees_it(capsys: pytest.CaptureFixture[str]) -> None:
    """`ansi` returns English, `human` prints it; nobody's cards are in it but those of the seat to move."""
    env = aec.env("put-1674", render_mode="ansi", arranged="3s 4s Kh 4h 2s 4d")
    env.reset(seed=1, options={"dealer": 1})
    text = env.render()
    assert "You hold the 3 of spades, the king of hearts and the 2 of spades." in text
    assert "the 4 of" not in text
    assert "player_0 may: lead the 3 of spades" in text
    env = aec.env("put-1674", render_mode="human", arranged="3s 4s Kh 4h 2s 4d")
    env.reset(seed=1, options={"dealer": 1})
    out = capsys.readouterr().out
    assert "You hold the 3 of spades" in out
    assert out.endswith(".\n\n"), "a blank line parts it from the next"


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
@pytest.mark.parametrize("unit", ["hand", "game"])
@at_every_table
def test_copy_goes_on_as_the_original_does(table: Table, unit: str, copied: Callable[[Any], Any]) -> None:
    """A search may copy an environment and play on, and a worker may be sent one: the copy has the same cards to come,
    and leaves the original."""
    env, dice = aec.env(table.name, table.seats, unit=unit), Random(2)
    env.reset(seed=4)
    for _ in range(3):
        if not env.last()[2]:
            env.step(int(dice.choice(np.flatnonzero(env.last()[0]["action_mask"]))))
    before = env.last()[0]["observation"].tolist()
    told = []
    for each in (copied(env), env):
        assert each.last()[0]["observation"].tolist() == before
        told.append((_played(each, Random(6)), each.episode.game.paid(each.episode.state)))
    assert told[0] == told[1]


def test_wrappers_of_the_library_stand_on_it() -> None:
    """PettingZoo's wrapper that ends an episode at an illegal action finds the mask where it looks for it."""
    env = wrappers.OrderEnforcingWrapper(wrappers.TerminateIllegalWrapper(aec.env("put-1674"), illegal_reward=-7))
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(14)
    assert env.rewards[agent] == -7
    assert all(env.terminations.values())


def test_dealers_and_cards_are_drawn_evenly() -> None:
    """Every seat deals first as often, and every rank is held as often, within five standard errors."""
    env = aec.env("put-1674")
    dealt, held, hands = [0, 0], np.zeros(13), 2000
    env.reset(seed=9)
    for _ in range(hands):
        env.reset()
        dealt[env.episode.state.dealer] += 1
        held += env.observe("player_0")["observation"][:13]
    assert abs(dealt[0] - hands / 2) < 5 * (hands / 4) ** 0.5
    expected = 3 * hands / 13
    assert (np.abs(held - expected) < 5 * expected**0.5).all()
    assert isinstance(env.episode.seat, int)
    assert env.episode.view(Seat(0)) is not None
