"""The vectorised form against the machines: same cards and choices, same masks, observations and rewards."""

import copy
import pickle
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from put_env.env_table import Rewards, Table, Unit
from put_env.episode import Episode
from put_env.families import codec_of
from put_env.families.primero import PrimeroCodec
from put_env.families.put import PutCodec
from put_env.observing import Observer
from put_protocol.cards import Card
from put_protocol.seats import Seat
from put_rules.game import Purpose, Shuffle
from tests.repetitions import TURN

pytestmark = [pytest.mark.timeout(240), pytest.mark.usefixtures("vectors")]

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
    ("triomphe-forcee", 4, {"hands": 3}),
    ("triomphe-forcee", 5, {"force": 9, "stake": 3, "hands": 2}),
    ("triomphe-forcee", 10, {"hands": 1}),
    ("primero", 3, {"hands": 3}),
    ("primero", 4, {"limit": 1, "hands": 2}),
    ("primero", 6, {"limit": 3, "hands": 1}),
]


class Dealer:
    """The chance of a vectorised form once more: the packs of all its tables, in the order in which it deals."""

    def __init__(self, seed: int) -> None:
        self.state = int(np.random.default_rng(seed).integers(2**63, size=2, dtype=np.uint64)[0])
        self.packs: dict[int, list[Any]] = {}

    def draw(self, below: int) -> int:
        """A number by splitmix64."""
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        mixed = self.state
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB % 2**64
        return ((mixed ^ (mixed >> 31)) >> 32) * below >> 32

    def shuffle(self, cards: list[Any], first: int) -> None:
        for place in range(first):
            other = place + self.draw(len(cards) - place)
            cards[place], cards[other] = cards[other], cards[place]


class Beside:
    """The machine of one table, dealt what the vectorised table is dealt."""

    def __init__(self, env: Any, at: int, dealer: Dealer, unit: Unit, rewards: Rewards) -> None:
        self.env, self.at, self.dealer = env, at, dealer
        self.episode = Episode(env.table, unit=unit, rewards=rewards)
        self.observer = Observer(self.episode)
        self.begin()

    def begin(self) -> None:
        """The next episode in which a seat has a choice."""
        while self.episode.seat is None:
            if self.episode.is_game_over or not self.episode.is_over:
                self.episode.begin(Seat(self.dealer.draw(self.env.table.seats)))
            else:
                self.episode.next_hand()
            self.supply()

    def supply(self) -> None:
        """Deal what the vectorised form deals; where suits do not matter, its ranks in any suits."""
        while (wanted := self.episode.wanted) is not None:
            if wanted.purpose is Purpose.STOCK:
                pack = list(wanted.cards)
                self.dealer.shuffle(pack, len(pack))
            else:
                pack = self.shuffled(wanted)
            self.episode.deal(tuple(pack))

    def shuffled(self, wanted: Shuffle) -> list[Card]:
        codec, packs = self.env.codec, self.dealer.packs
        if not isinstance(codec, PutCodec):
            pack = packs.setdefault(self.at, list(wanted.cards))
            self.dealer.shuffle(pack, len(pack) if isinstance(codec, PrimeroCodec) else len(wanted.to))
            return pack
        ranks = packs.setdefault(self.at, [rank for rank in codec.places for _ in range(4)])
        self.dealer.shuffle(ranks, len(wanted.to))
        suits = {rank: [card for card in wanted.cards if card[:-1] == rank] for rank in codec.places}
        return [suits[rank].pop() for rank in ranks]

    def step(self, action: int) -> tuple[list[float], bool]:
        """The same action. The next episode is begun as the vectorised form has."""
        self.observer.act(action)
        self.supply()
        gained, ended = self.episode.take_rewards(), self.episode.is_over
        self.begin()
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


PLAYED = [(*table, unit) for turn in (0, 1) for at, table in enumerate(TABLES) for unit in [[*Unit][(at + turn) % 2]]]
"""Each table by hands and by games. The suite plays each in one way, and each family in both; a campaign in both."""


@pytest.mark.parametrize(
    ("name", "seats", "options", "unit"),
    PLAYED if TURN else PLAYED[: len(TABLES)],
    ids=lambda value: str(value) or "defaults",
)
def test_vectorised_form_plays_as_the_machine_does(name: str, seats: int, options: dict[str, Any], unit: Unit) -> None:
    """Random play at three tables, every step of it compared: mover, mask, observation, rewards and ends."""
    has_points = isinstance(codec_of(Table(rule_set=name)), PutCodec)
    rewards = Rewards.POINTS if unit is Unit.HAND and has_points else Rewards.PURSE
    env = vector.VectorEnv(name, seats, tables=3, seed=7, unit=unit, rewards=rewards, **options)
    dealer = Dealer(7)
    beside = [Beside(env, at, dealer, unit, rewards) for at in range(3)]
    dice, ended, rewarded = Random(f"{name} {seats}"), 0, 0
    for _ in range(150):
        actions = np.zeros(3, np.int64)
        for at, table in enumerate(beside):
            table.check()
            legal = np.flatnonzero(env.masks[at])
            names = env.codec.actions
            wide = [code for code in legal if names[code].count(" ") == 2]  # trades of two cards empty the stock
            stays = [code for code in legal if names[code] not in ("throw", "refuse", "vada")]
            actions[at] = dice.choice((dice.random() < 0.8 and (wide or stays)) or list(legal))
        gained, ends = env.step(actions)
        for at, table in enumerate(beside):
            want, end = table.step(int(actions[at]))
            assert gained[at].tolist() == pytest.approx(want)
            assert ends[at] == end
            ended += end
            rewarded += any(want)
    assert ended > 2
    assert rewarded > 5


def test_numba_has_the_option_that_it_does_not_document() -> None:
    """One that has not refuses to compile, and says nothing plainer than `_nrt`."""
    from numba.core.cpu import CPUTargetOptions  # noqa: PLC0415 - an extra

    assert hasattr(CPUTargetOptions, "_nrt"), "take _nrt out of put_env.kernels.rows and put_solver.kernels"


def test_same_seed_deals_the_same_and_another_does_not() -> None:
    """Two environments with one seed play alike, whatever else is played between."""
    envs = [vector.VectorEnv(tables=64, seed=seed) for seed in (5, 5, 6)]
    for _ in range(50):
        for env in envs:
            env.step(env.sample())
    assert (envs[0].observations == envs[1].observations).all()
    assert (envs[0].observations != envs[2].observations).any()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
@pytest.mark.parametrize("name", ["put-1674", "triomphe-forcee", "primero"])
def test_copy_goes_on_as_the_original_does(name: str, copied: Callable[[Any], Any]) -> None:
    """A worker may be sent a vector: the copy has the same cards to come, and leaves the original."""
    env = vector.VectorEnv(name, tables=8, seed=1)
    for _ in range(30):
        env.step(env.sample())
    other = copied(env)
    for _ in range(60):
        actions = other.sample().copy()
        other.step(actions)
        env.step(actions)
        assert (other.observations == env.observations).all()


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
        ("primero", {"rewards": "points"}, "no points"),
        ("put-partners", {}, "partnerships"),
        ("put-1674", {"misdeals": 5}, "misdeals"),
        ("put-1674", {"tables": 0}, "a table at least"),
    ],
)
def test_what_has_no_vectorised_form_is_said(name: str, options: dict[str, Any], says: str) -> None:
    """The error names what is missing."""
    with pytest.raises(ValueError, match=says):
        vector.VectorEnv(name, **options)
