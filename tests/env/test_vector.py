"""The vectorised form against the machines: same cards and choices, same masks, observations and rewards."""

from random import Random
from typing import Any

import numpy as np
import pytest

from put_env.env_table import Rewards, Unit
from put_env.episode import Episode
from put_env.observing import Observer
from put_protocol.seats import Seat

pytestmark = pytest.mark.timeout(240)
"""The first worker compiles the kernels; later runs find what it kept."""

vector: Any = pytest.importorskip("put_env.vector")

TABLES = [
    ("put-1674", 2, {}),
    ("put-1674", 3, {}),
    ("put-1674", 4, {"target": 2}),
    ("put-1674", 2, {"drawn_put": "anew", "pack": 28}),
    ("put-1800", 2, {}),
    ("put-1800", 2, {"drawn_put": "anew", "target": 3, "pack": 32}),
    ("put-parlett", 2, {}),
    ("put-parlett", 2, {"outright": "double", "target": 2}),
    ("put-tavern", 2, {}),
    ("put-tavern", 3, {}),
    ("put-tavern", 4, {}),
    ("truc", 2, {}),
    ("truc", 2, {"tied_trick": "first_winner", "ranking": "printed", "rubber": 1}),
]


class Beside:
    """The machine of one table, dealt what the vectorised table was dealt."""

    def __init__(self, env: Any, at: int, unit: Unit, rewards: Rewards) -> None:
        self.env, self.at = env, at
        self.episode = Episode(env.table, unit=unit, rewards=rewards)
        self.observer = Observer(self.episode)
        self.begin()

    def begin(self) -> None:
        self.episode.begin(Seat(self.env.dealt(self.at)[0]))
        self.supply()

    def supply(self) -> None:
        """Deal the ranks that the vectorised form dealt, in any suits."""
        wanted = self.episode.wanted
        assert wanted is not None
        _, hands = self.env.dealt(self.at)
        left = list(wanted.cards)
        pack = []
        for place, seat in enumerate(wanted.to):
            rank = hands[seat][place // len(set(wanted.to))]
            card = next(card for card in left if card[:-1] == rank)
            left.remove(card)
            pack.append(card)
        self.episode.deal((*pack, *left))

    def step(self, action: int) -> tuple[list[float], bool]:
        """The same action. The next hand, or game, is begun as the vectorised form has."""
        self.observer.act(action, "error")
        gained = self.episode.take_rewards()
        ended = self.episode.is_over
        if self.episode.is_game_over:
            self.begin()
        elif self.episode.seat is None:
            if ended:
                self.episode.next_hand()
            self.supply()
        return list(gained), ended

    def check(self) -> None:
        """The same seat is to move, may do the same, and sees the same."""
        seat = self.episode.seat
        assert seat is not None
        assert self.env.movers[self.at] == seat
        shown = self.observer.observe(seat)
        assert self.env.masks[self.at].tolist() == shown["action_mask"].tolist()
        names = self.env.codec.layout.names
        mine = dict(zip(names, self.env.observations[self.at].tolist(), strict=True))
        assert mine == dict(zip(names, shown["observation"].tolist(), strict=True))


@pytest.mark.parametrize(("name", "seats", "options"), TABLES, ids=lambda value: str(value) or "defaults")
@pytest.mark.parametrize(("unit", "rewards"), [(Unit.GAME, Rewards.PURSE), (Unit.HAND, Rewards.POINTS)])
def test_vectorised_form_plays_as_the_machine_does(
    name: str, seats: int, options: dict[str, Any], unit: Unit, rewards: Rewards
) -> None:
    """Random play at three tables, every step of it compared: mover, mask, observation, rewards and ends."""
    env = vector.VectorEnv(name, seats, tables=3, seed=7, unit=unit, rewards=rewards, **options)
    beside = [Beside(env, at, unit, rewards) for at in range(3)]
    dice, ended, rewarded = Random(f"{name} {seats}"), 0, 0
    for _ in range(220):
        actions = np.zeros(3, np.int64)
        for at, table in enumerate(beside):
            table.check()
            legal = np.flatnonzero(env.masks[at])
            fond = [code for code in legal if dice.random() < 0.8 or env.codec.actions[code] != "throw"]
            actions[at] = dice.choice(fond or list(legal))
        gained, ends = env.step(actions)
        for at, table in enumerate(beside):
            want, end = table.step(int(actions[at]))
            assert gained[at].tolist() == pytest.approx(want)
            assert ends[at] == end
            ended += end
            rewarded += any(want)
    assert ended > 2
    assert rewarded > 5


def test_same_seed_deals_the_same_and_another_does_not() -> None:
    """Two environments with one seed play alike, whatever else is played between."""
    envs = [vector.VectorEnv(tables=64, seed=seed) for seed in (5, 5, 6)]
    for _ in range(50):
        for env in envs:
            env.step(env.sample())
    assert (envs[0].observations == envs[1].observations).all()
    assert (envs[0].observations != envs[2].observations).any()


def test_cards_are_dealt_evenly() -> None:
    """Every rank is dealt to every seat as often as every other, within five standard errors."""
    env = vector.VectorEnv(tables=4000, seed=3)
    held = np.zeros((2, 13))
    for seat in range(2):
        held[seat] = env.observations[env.movers == seat, :13].sum(axis=0)
    for row in held:
        expected = row.sum() / 13
        assert (np.abs(row - expected) < 5 * expected**0.5).all()


def test_illegal_action_changes_nothing() -> None:
    """It is refused by an error that names the table."""
    env = vector.VectorEnv(tables=4, seed=1)
    actions, before = env.sample().copy(), env.observations.copy()
    actions[2] = env.codec.actions.index("see")
    with pytest.raises(ValueError, match="action 14 at table 2 is not legal"):
        env.step(actions)
    for wrong in (np.zeros(3, np.int64), np.zeros(4)):
        with pytest.raises(ValueError, match="actions must be 4 of int64"):
            env.step(wrong)
    assert (env.observations == before).all()


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        ("primero", {}, "only Put and its relatives"),
        ("put-partners", {}, "partnerships"),
        ("put-1674", {"misdeals": 5}, "misdeals"),
        ("put-1674", {"tables": 0}, "a table at least"),
    ],
)
def test_what_has_no_vectorised_form_is_said(name: str, options: dict[str, Any], says: str) -> None:
    """The error names what is missing."""
    with pytest.raises(ValueError, match=says):
        vector.VectorEnv(name, **options)
