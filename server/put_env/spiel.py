"""OpenSpiel's form: a game with chance, histories and information states, for its solvers.

    from put_env import spiel
    spiel.register()
    game = pyspiel.load_game("python_put", {"rule_set": "put-1674", "pack": 12})

For Put and its relatives without accidents. A game of OpenSpiel is one hand here, at some scores (`unit`: `game` for a
whole game, which is too long for algorithms that walk through the tree). At a chance node one player is dealt a hand of
ranks, as likely as it is when a pack is shuffled; suits do not matter. An information state is all that a player was
shown and what everyone did, so nothing is ever forgotten (perfect recall).
"""

from array import array
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from math import comb, prod
from typing import Any

import numpy as np
import pyspiel

from put_env.env_table import Rewards, Table, Unit
from put_env.episode import Episode
from put_env.families.put import PutCodec
from put_protocol.games import put
from put_protocol.games.put import PutView
from put_protocol.seats import Seat

NAME = "python_put"
"""The name it is registered by."""

PACKS = range(12, 53, 4)
"""Cards in the pack. Those shorter than any table has are small enough to solve in seconds."""

_DEFAULTS: Mapping[str, Any] = {
    "rule_set": "put-1674",
    "seats": 2,
    "pack": 0,
    "options": "",
    "scores": "",
    "dealer": 0,
    "unit": "hand",
    "rewards": "points",
}
"""`pack` 0: as the rule set has it. `options`: the others that are not at their defaults, as in `target=3 cut=low`.
`scores`: those at which it begins, as in `2 0`."""

_COPIES = 4
"""Cards of each rank."""

_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Put and its relatives",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=4,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=dict(_DEFAULTS),
)


class SmallTable(Table):
    """A table whose pack may be shorter than any that is offered."""

    def __post_init__(self) -> None:
        chosen = dict(self.options)
        pack = int(chosen.pop("pack", 0))
        object.__setattr__(self, "options", chosen)
        super().__post_init__()
        if pack:
            if pack not in PACKS:
                raise ValueError(f"pack must be a multiple of 4 from {PACKS[0]} to {PACKS[-1]}, not {pack}")
            if "pack" not in self.options:
                raise ValueError(f"{self.rule_set} has one pack, and no other")
            object.__setattr__(self, "options", {**self.options, "pack": pack})


class PutSpiel(pyspiel.Game):  # type: ignore[misc]  # compiled, without stubs
    """A table and what is played at it.

    :raises ValueError: there is no such table, or no such form of it.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**_DEFAULTS, **(params or {})}
        options = _options(given["options"])
        if given["pack"]:
            options["pack"] = given["pack"]
        self.table = SmallTable(rule_set=given["rule_set"], seats=given["seats"], options=options)
        if self.table.family != "put":
            raise ValueError(f"{self.table.rule_set} has no form of OpenSpiel's: only Put and its relatives have one")
        unit = Unit(given["unit"])
        self.episode = Episode(self.table, unit=unit, rewards=Rewards(given["rewards"]))
        codec = self.episode.codec
        assert isinstance(codec, PutCodec)
        rules = codec.terms.rules
        if rules.misdeals or self.table.options["arranged"]:
            raise ValueError("misdeals and arranged packs have no form of OpenSpiel's")
        if not 0 <= given["dealer"] < self.table.seats:
            raise ValueError(f"there is no seat {given['dealer']} to deal first")
        self.codec = codec
        self.episode.begin(Seat(given["dealer"]), tuple(map(int, given["scores"].split())))
        self.hands = hands_of(len(codec.terms.ranks), codec.terms.cards_each(self.table.seats))
        seats, cards = self.table.seats, codec.terms.cards_each(self.table.seats)
        self.longest = seats * (3 * cards + 4) if unit is Unit.HAND else 20_000
        """Choices in it, at most: of a hand each card, a put or double before each and its answers, and what comes
        before the play."""
        most = float(max(rules.target, 2 * max(1, rules.rubber)) * (seats - 1))
        info = pyspiel.GameInfo(
            num_distinct_actions=len(codec.actions),
            max_chance_outcomes=len(self.hands),
            num_players=seats,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=self.longest,
        )
        super().__init__(_TYPE, info, dict(given))

    def new_initial_state(self) -> "PutSpielState":
        """The state before the first card is dealt."""
        return PutSpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "_Observer":
        """Observer of what a player sees; with perfect recall, of information states."""
        if params:
            raise ValueError(f"an observer takes no parameters, and was given {params}")
        return _Observer(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


@dataclass(frozen=True, kw_only=True)
class _Position:
    """Position of a game. It never changes, so that copies of a state share it."""

    episode: Episode
    hands: tuple[tuple[int, ...], ...]
    """Every hand that may be dealt. Kept here, where no copy of a state copies it."""
    dealt: tuple[int, ...] = ()
    """The hands of the deal that is being made, by their numbers, in the order dealt."""
    told: tuple[tuple[str, ...], ...]
    """Knowledge of each seat: what it was shown, and all public actions."""
    done: tuple[int, ...] = ()
    """The actions since the deal."""
    returns: tuple[float, ...]

    def __deepcopy__(self, memo: object) -> "_Position":
        return self

    def outcomes(self) -> list[tuple[int, float]]:
        """The hands that may be dealt next, by their numbers, and how likely each is."""
        left = [_COPIES] * len(self.hands[0])
        for number in self.dealt:
            left = [have - count for have, count in zip(left, self.hands[number], strict=True)]
        return list(_outcomes(self.hands, tuple(left)))

    @cached_property
    def codes(self) -> dict[int, Any]:
        episode = self.episode
        assert episode.seat is not None
        return episode.codec.coded(episode.view(episode.seat), episode.legal)


class PutSpielState(pyspiel.State):  # type: ignore[misc]  # compiled, without stubs
    """A position in a game, as OpenSpiel walks through it."""

    def __init__(self, game: PutSpiel) -> None:
        super().__init__(game)
        none: tuple[tuple[str, ...], ...] = ((),) * game.table.seats
        self.at = _Position(episode=game.episode, hands=game.hands, told=none, returns=(0.0,) * game.table.seats)

    def current_player(self) -> int:
        """The seat to move, or chance."""
        episode = self.at.episode
        if episode.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if episode.seat is None else int(episode.seat)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.at.codes) if player == self.at.episode.seat else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The hands of ranks that the next player may be dealt, and how likely each is."""
        return self.at.outcomes()

    def _apply_action(self, action: int) -> None:
        self.at = self._deal(action) if self.at.episode.seat is None else self._act(action)

    def _deal(self, number: int) -> _Position:
        at, episode = self.at, copy(self.at.episode)
        wanted = episode.wanted
        assert wanted is not None
        to = tuple(dict.fromkeys(wanted.to))
        dealt = (*at.dealt, number)
        told = list(at.told)
        told[to[len(at.dealt)]] += (self._in_words(number),)
        if len(dealt) < len(to):
            return _Position(episode=episode, hands=at.hands, dealt=dealt, told=tuple(told), returns=at.returns)
        cards = {rank: [card for card in wanted.cards if card[:-1] == rank] for rank in self._ranks}
        held = [[cards[rank].pop() for rank in self._in_words(hand).split()] for hand in dealt]
        pack = [held[to.index(seat)].pop() for seat in wanted.to]
        episode.deal((*pack, *[card for left in cards.values() for card in left]))
        return _Position(episode=episode, hands=at.hands, told=tuple(told), returns=at.returns)

    def _act(self, code: int) -> _Position:
        at, episode = self.at, copy(self.at.episode)
        seat, action = episode.seat, at.codes[code]
        assert seat is not None
        episode.act(action)
        name = episode.codec.actions[code]
        is_secret = isinstance(action, put.Discard)
        told = [
            (*known, f"{seat}:{name.partition(' ')[0] if is_secret and other != seat else name}")
            for other, known in enumerate(at.told)
        ]
        if isinstance(action, put.Give | put.Let):
            for other in range(len(told)):
                told[other] = (*told[other], self._held(episode, Seat(other)))
        returns = at.returns
        if episode.seat is None:
            returns = tuple(map(float.__add__, returns, map(float, episode.take_rewards())))
        return _Position(episode=episode, hands=at.hands, told=tuple(told), done=(*at.done, code), returns=returns)

    @property
    def _ranks(self) -> tuple[str, ...]:
        ranks: tuple[str, ...] = self.at.episode.codec.terms.ranks  # type: ignore[attr-defined]  # of this family
        return ranks

    def _in_words(self, number: int) -> str:
        pairs = zip(self._ranks, self.at.hands[number], strict=True)
        return " ".join([rank for rank, count in pairs for _ in range(count)])

    def _held(self, episode: Episode, seat: Seat) -> str:
        view = episode.view(seat)
        assert isinstance(view, PutView)
        return " ".join(sorted([card[:-1] for card in view.cards], key=self._ranks.index))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {self._in_words(action)}"
        return self.at.episode.codec.actions[action]

    def is_terminal(self) -> bool:
        return self.at.episode.is_over

    def returns(self) -> list[float]:
        """Gains of each seat in all; 0 before the end."""
        return list(self.at.returns) if self.is_terminal() else [0.0] * len(self.at.returns)

    def __str__(self) -> str:
        return "; ".join(f"{seat} knows {', '.join(known)}" for seat, known in enumerate(self.at.told))


class _Observer:
    """Observer, as OpenSpiel asks for a player's observations and information states."""

    def __init__(self, game: PutSpiel, kind: Any) -> None:
        self._codec = game.codec
        self._is_perfect = kind.perfect_recall
        self._has_history = self._is_perfect and game.longest < 1_000
        seats, actions = game.table.seats, len(game.codec.actions)
        pieces: dict[str, tuple[int, ...]] = {"player": (seats,), "observation": (game.codec.layout.size,)}
        if self._has_history:
            pieces["actions"] = (game.longest, actions)
        self.tensor = np.zeros(sum(prod(shape) for shape in pieces.values()), np.float32)
        self.dict = {}
        at = 0
        for name, shape in pieces.items():
            self.dict[name] = self.tensor[at : at + prod(shape)].reshape(shape)
            at += prod(shape)

    def set_from(self, state: PutSpielState, player: int) -> None:
        """Fill the tensor for a player: who they are, the numbers of their view, and with perfect recall of one hand
        the actions in it that everyone saw."""
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        at = state.at
        self.dict["observation"][:] = _observed(at.episode, player)
        if self._has_history:
            for number, code in enumerate(at.done):
                if not self._codec.actions[code].startswith("discard"):
                    self.dict["actions"][number, code] = 1

    def string_from(self, state: PutSpielState, player: int) -> str:
        """All that a player knows; without perfect recall, the numbers of their view that are not 0."""
        if self._is_perfect:
            return f"{player}: {', '.join(state.at.told[player])}"
        numbers = _observed(state.at.episode, player)
        names = self._codec.layout.names
        return " ".join([f"{name}={value:g}" for name, value in zip(names, numbers, strict=True) if value])


def _observed(episode: Episode, player: int) -> "array[float]":
    return episode.codec.encode(episode.view(Seat(player)), Seat(player))


@lru_cache(maxsize=16)
def hands_of(ranks: int, size: int) -> tuple[tuple[int, ...], ...]:
    """Every hand of ranks: how many cards of each, in an order that does not change."""
    return tuple(
        [
            tuple(map(held.count, range(ranks)))
            for held in combinations_with_replacement(range(ranks), size)
            if max(map(held.count, held)) <= _COPIES
        ]
    )


@lru_cache(maxsize=4_096)
def _outcomes(hands: tuple[tuple[int, ...], ...], left: tuple[int, ...]) -> tuple[tuple[int, float], ...]:
    """Each hand that may be dealt of the cards that are left by rank, and its probability."""
    every = comb(sum(left), sum(hands[0]))
    return tuple(
        [
            (number, prod(map(comb, left, hand)) / every)
            for number, hand in enumerate(hands)
            if all(map(int.__ge__, left, hand))
        ]
    )


def _options(text: str) -> dict[str, str | int]:
    options: dict[str, str | int] = {}
    for part in text.split():
        name, _, value = part.partition("=")
        options[name] = int(value) if value.isdigit() else value
    return options


def register() -> None:
    """Make the game known to OpenSpiel by its name."""
    if NAME not in pyspiel.registered_names():
        pyspiel.register_game(_TYPE, PutSpiel)
