"""Gymnasium's form: one agent against players of the house.

    env = gymnasium.make("put_env.single:Put-1674-v0", opponents="steady")

The ids are those of the rule sets: `Put-1674-v0`, `Truc-v0`, `Triomphe-Forcee-v0`. Importing this module registers
them: Gymnasium finds environments of other packages by importing them.

Observations are those of `put_env.aec`. `action_masks` returns only the mask, for learners with masked actions. A
server refuses an illegal action; a player who does nothing else runs out of time. So does an agent here (`illegal`).
"""

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from put_env.env_table import Rewards, Table, Unit
from put_env.episode import Episode, Packs
from put_env.observing import RENDER_MODES, Illegal, Observation, Observer
from put_protocol.seats import Seat
from put_rules.game import OptionValue
from put_rules.registry import GAMES
from put_rules.table_options import TableOptions
from put_server.house import registry
from put_server.house.player import Player
from put_server.house.registry import Maker
from put_server.house_runner import terms_at


class SingleEnv(gymnasium.Env[Observation, int]):
    """A table at which one seat is the agent's.

    `opponents`: the name of a house player, `random`, or a maker of players; one for all, or one for each other seat in
    the order of play. `seat`: the agent's seat; None: another one in each game. `illegal`: an action that the mask
    forbids counts as a turn that ran out, with `info["illegal"]` (`expire`), or raises `ValueError` (`error`).

    :raises ValueError: the table, player or seat does not exist.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        rule_set: str = "put-1674",
        seats: int = 0,
        *,
        opponents: str | Maker | Sequence[str | Maker] = "steady",
        seat: int | None = None,
        unit: Unit | str = Unit.GAME,
        rewards: Rewards | str = Rewards.PURSE,
        illegal: Illegal = "expire",
        render_mode: str | None = None,
        **options: OptionValue,
    ) -> None:
        self.table = Table(rule_set=rule_set, seats=seats, options=options)
        if seat is not None and not 0 <= seat < self.table.seats:
            raise ValueError(f"there is no seat {seat}: there are {self.table.seats}")
        self.episode = Episode(self.table, unit=Unit(unit), rewards=Rewards(rewards))
        self._observer = Observer(self.episode, illegal, render_mode)
        self.render_mode = render_mode
        self.observation_space = self._observer.space()
        self.action_space = self._observer.actions()
        self.seat = Seat(seat or 0)
        self._own_seat = seat
        self._makers = _makers(opponents, self.table.seats - 1)
        self._terms = terms_at(rule_set, self.table.options)
        self._players: dict[Seat, Player] = {}
        self._packs = Packs(TableOptions.of(self.table.options))
        self._begin(is_new=True, options={})

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin the next episode, up to the agent's first choice. Episodes without a choice of the agent are skipped.

        A new game begins if there is a seed, or if the last episode was not finished. `options`: `dealer`, the seat
        that deals first; `scores`, the scores at the beginning of the game.
        """
        super().reset(seed=seed)
        if seed is not None:
            self._packs.reset(seed)
        self._begin(is_new=seed is not None, options=options or {})
        if self.render_mode == "human":
            self.render()
        return self._observer.observe(self.seat), {}

    def _begin(self, *, is_new: bool, options: dict[str, Any]) -> None:
        episode = self.episode
        is_new = self._packs.begin(episode, is_new=is_new, options=options)
        while True:
            if is_new:
                self._sit_down()
            self._play_on()
            if episode.seat is not None:
                return
            is_new = self._packs.begin(episode, is_new=False, options={})

    def _sit_down(self) -> None:
        count = self.table.seats
        self.seat = self._packs.seat(count) if self._own_seat is None else Seat(self._own_seat)
        self._players = {
            Seat((self.seat + place) % count): make(Random(int(self._packs.chance.integers(2**62))), self._terms)
            for place, make in enumerate(self._makers, 1)
        }

    def _play_on(self) -> None:
        """The others play, until it is the agent's turn or the episode is over."""
        episode = self.episode
        while episode.seat is not None and episode.seat != self.seat:
            seat = episode.seat
            choices = episode.choices()
            episode.act(self._players[seat].choose(episode.view(seat), choices, seat))
            self._packs.supply(episode)

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play the agent's action. Then the others play until its next turn.

        :raises ValueError: the mask forbids it, and `illegal` is `error`; nothing changed. Or the episode is over.
        """
        episode = self.episode
        if episode.seat is None:
            raise ValueError("the episode is over: reset begins the next")
        info = {} if self._observer.act(action) else {"illegal": True}
        self._packs.supply(episode)
        self._play_on()
        reward = float(episode.take_rewards()[self.seat])
        if self.render_mode == "human":
            self.render()
        return self._observer.observe(self.seat), reward, episode.seat is None, False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        return self._observer.observe(self.seat)["action_mask"].astype(np.bool_)

    def render(self) -> str | None:
        """The table as the agent sees it, in English: `ansi` returns it, `human` prints it."""
        names = tuple(["agent" if seat == self.seat else f"player_{seat}" for seat in range(self.table.seats)])
        return self._observer.render(names, self.seat)


def _makers(opponents: str | Maker | Sequence[str | Maker], count: int) -> tuple[Maker, ...]:
    named = [opponents] * count if isinstance(opponents, str) or callable(opponents) else list(opponents)
    if len(named) != count:
        raise ValueError(f"there are {count} opponents, not {len(named)}")
    known = (*registry.HOUSES, registry.RANDOM)
    for name in named:
        if isinstance(name, str) and name not in known:
            raise ValueError(f"there is no house player {name!r}: there are {', '.join(known)}")
    return tuple([partial(registry.player, each) if isinstance(each, str) else each for each in named])


def id_of(rule_set: str) -> str:
    return f"{rule_set.title()}-v0"


for _name in GAMES:
    gymnasium.register(id_of(_name), entry_point="put_env.single:SingleEnv", kwargs={"rule_set": _name})
