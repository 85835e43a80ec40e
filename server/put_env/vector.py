"""Thousands of tables of one rule set at once, compiled: some two million steps a second on a core.

    env = VectorEnv("put-1674", tables=4096, seed=1)
    while learning:
        actions = choose(env.observations, env.masks)     # a row for each table, of the seat to move there
        rewards, ends = env.step(actions)                 # rewards by table and seat

`movers` has the seat to move at each table. When an episode ends, the next one begins in the same step: `rewards` and
`ends` belong to the old episode, and `observations` to the new one. Each step overwrites the arrays, so copy what you
keep.

It has every family, but no partners, accidents or arranged packs; observations, actions, episodes and rewards are those
of `put_env.aec`.
"""

from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from put_env import kernels
from put_env.env_table import Rewards, Table, Unit
from put_env.episode import Episode
from put_env.families import codec_of
from put_env.kernels import KERNELS
from put_env.kernels.rows import Results, RowTables, first_illegal, sample_all
from put_rules.game import OptionValue


class VectorEnv:
    """:raises ValueError: the table does not exist, or has no vectorised form."""

    def __init__(
        self,
        rule_set: str = "put-1674",
        seats: int = 0,
        *,
        tables: int = 1024,
        seed: int | None = None,
        unit: Unit | str = Unit.GAME,
        rewards: Rewards | str = Rewards.PURSE,
        **options: OptionValue,
    ) -> None:
        if tables < 1:
            raise ValueError(f"there must be a table at least, not {tables}")
        self.table = Table(rule_set=rule_set, seats=seats, options=options)
        self.codec = codec_of(self.table)
        self._unit, self._rewards = Unit(unit), Rewards(rewards)
        self._tables = _tables(self.table, tables, self._unit, self._rewards)
        self.observations = np.zeros((tables, self.codec.layout.size), np.float32)
        """Observation of the seat to move at each table."""
        self.masks = np.zeros((tables, len(self.codec.actions)), np.int8)
        """1 for each legal action."""
        self.movers = np.zeros(tables, np.int8)
        """The seat to move at each table."""
        self.rewards = np.zeros((tables, self.table.seats), np.float32)
        self.ends = np.zeros(tables, np.bool_)
        """The last step ended an episode."""
        self._sampled = np.zeros(tables, np.int64)
        self.reset(seed)

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"codec": None, "_tables": self._tables.arrays()}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept)
        self.codec = codec_of(self.table)
        self._tables = _tables(self.table, len(self.movers), self._unit, self._rewards)
        for mine, theirs in zip(self._tables.arrays(), kept["_tables"], strict=True):
            mine[:] = theirs

    def reset(self, seed: int | None = None) -> None:
        """Begin a new game at every table, with this seed's cards; None: a random seed."""
        drawn = np.random.default_rng(seed).integers(2**63, size=2, dtype=np.uint64)
        self._tables.seed(drawn[0])
        self._own_chance = drawn[1:].copy()
        self._play(np.zeros(0, np.int64))

    def step(self, actions: npt.NDArray[Any]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
        """Play one action at every table. Returns `rewards` and `ends`.

        :raises ValueError: an action is illegal, or the number of actions is not the number of tables. Nothing changed.
        """
        if actions.shape != (len(self.movers),) or actions.dtype != np.int64:
            raise ValueError(f"actions must be {len(self.movers)} of int64, not {actions.shape} of {actions.dtype}")
        wrong = first_illegal(self.masks, actions)
        if wrong >= 0:
            raise ValueError(f"action {actions[wrong]} at table {wrong} is not legal there now")
        self._play(actions)
        return self.rewards, self.ends

    def _play(self, actions: npt.NDArray[Any]) -> None:
        results = Results(self.observations, self.masks, self.movers, self.rewards, self.ends)
        self._tables.play(actions, results)

    def sample(self) -> npt.NDArray[np.int64]:
        """A legal action for each table, all equally likely. Each call overwrites the array."""
        sample_all(self.masks, self._own_chance, self._sampled)
        return self._sampled


def _tables(table: Table, tables: int, unit: Unit, rewards: Rewards) -> RowTables:
    """:raises ValueError: this kind of table has no vectorised form, or no such rewards."""
    if table.options["arranged"]:
        raise ValueError("arranged packs have no vectorised form")
    if table.family not in KERNELS:
        raise ValueError(f"{table.rule_set} has no vectorised form")
    episode = Episode(table, unit=unit, rewards=rewards)
    family = import_module(f"{kernels.__name__}.{table.family}")
    made: RowTables = family.tables_of(episode.codec, tables, unit, rewards)
    return made
