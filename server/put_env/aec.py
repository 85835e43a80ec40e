"""PettingZoo's form: agents act one after another.

    env = put_env.aec.env("put-1674", seats=2)

An observation is `{"observation": numbers, "action_mask": 0 or 1 for each action}`, as in PettingZoo's own card games.
The mask of a seat that is not to move is all 0. An action that the mask forbids raises `ValueError` and changes
nothing. With `illegal="expire"` it counts as a turn that ran out, and the agent's `infos` say `illegal`.
"""

from collections.abc import Mapping
from typing import Any

from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from put_env.env_table import Rewards, Table, Unit
from put_env.episode import Episode, Packs
from put_env.observing import RENDER_MODES, Illegal, Observation, Observer
from put_protocol.seats import Seat
from put_rules.game import OptionValue
from put_rules.table_options import TableOptions


class PutAEC(AECEnv[str, Observation, int | None]):
    """A table at which every seat is an agent, `player_0` in seat 0."""

    def __init__(
        self,
        rule_set: str = "put-1674",
        seats: int = 0,
        *,
        unit: Unit | str = Unit.GAME,
        rewards: Rewards | str = Rewards.PURSE,
        illegal: Illegal = "error",
        render_mode: str | None = None,
        **options: OptionValue,
    ) -> None:
        """`seats` 0: the fewest of the rule set. `options`: of the rule set, by name.

        :raises ValueError: the rule set, number of seats, option or value does not exist.
        """
        table = self.table = Table(rule_set=rule_set, seats=seats, options=options)
        self.metadata = {"name": f"{table.rule_set}-v0", "render_modes": RENDER_MODES, "is_parallelizable": True}
        self.episode = Episode(table, unit=Unit(unit), rewards=Rewards(rewards))
        self.possible_agents = [f"player_{seat}" for seat in range(table.seats)]
        self.agents: list[str] = []
        self._names = tuple(self.possible_agents)
        self._no_rewards = dict.fromkeys(self._names, 0.0)
        self._seat_of = {agent: Seat(seat) for seat, agent in enumerate(self._names)}
        self._packs = Packs(TableOptions.of(table.options))
        self._observer = Observer(self.episode, illegal, render_mode)
        self.render_mode = render_mode
        self._observed = {agent: self._observer.space() for agent in self._names}
        self._acted = {agent: self._observer.actions() for agent in self._names}

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        """Same for every agent: each sees itself as `me`."""
        return self._observed[agent]

    def action_space(self, agent: str) -> spaces.Space[int | None]:
        return self._acted[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin the next episode. It begins a new game if there is a seed, or if the last episode was not finished.

        `options` of a new game: `dealer`, the seat that deals first; `scores`, the scores at its beginning.
        """
        if seed is not None:
            self._packs.reset(seed)
        self._packs.begin(self.episode, is_new=seed is not None, options=options or {})
        self.agents = list(self._names)
        self.rewards = dict.fromkeys(self._names, 0.0)
        self._cumulative_rewards = dict.fromkeys(self._names, 0.0)
        self.terminations = dict.fromkeys(self._names, False)
        self.truncations = dict.fromkeys(self._names, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self._names}
        self._skip_agent_selection = None  # type: ignore[assignment]  # as the library itself sets it
        assert self.episode.seat is not None
        self.agent_selection = self._names[self.episode.seat]
        self._show()

    def step(self, action: int | None) -> None:
        """:raises ValueError: the mask forbids the action, and `illegal` is `error`. Nothing changed."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        episode = self.episode
        is_legal = self._observer.act(action)
        if self._observer.illegal == "expire":
            self.infos = {each: {} if is_legal or each != agent else {"illegal": True} for each in self._names}
        if episode.seat is None:
            self._packs.supply(episode)
        seat, cumulative = episode.seat, self._cumulative_rewards
        cumulative[agent] = 0.0
        gained = episode.take_rewards()
        if gained is not episode.no_rewards or seat is None:
            self.rewards = dict(zip(self._names, gained, strict=True))
            for name, reward in self.rewards.items():
                cumulative[name] += reward
        else:
            self.rewards = self._no_rewards
        if seat is None:
            self.terminations = dict.fromkeys(self._names, True)
        self.agent_selection = self._names[seat or 0]
        if self.render_mode is not None:
            self._show()

    def observe(self, agent: str) -> Observation:
        return self._observer.observe(self._seat_of[agent])

    def render(self) -> str | None:
        """The table as the seat to move sees it, in English: `ansi` returns it, `human` prints it."""
        return self._observer.render(self._names, self._seat_of[self.agent_selection])

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """Do nothing."""


env = PutAEC
"""The name that PettingZoo expects."""


def parallel_env(
    rule_set: str = "put-1674", seats: int = 0, *, illegal: Illegal = "expire", **options: Any
) -> ParallelEnv[str, Observation, int | None]:
    """A parallel environment: all agents act at each step, for learners that support no other form.

    No game here has simultaneous choices, so only the action of the seat to move counts. The other actions are not
    read.
    """
    return turn_based_aec_to_parallel(env(rule_set, seats, illegal=illegal, **options))
