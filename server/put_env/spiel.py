"""OpenSpiel's form: a game with chance, histories and information states, for its solvers.

    from put_env import spiel
    spiel.register()
    game = pyspiel.load_game("python_put", {"rule_set": "put-1674", "pack": 12})

Only for Put and related games without accidents. A game of OpenSpiel is one hand here, at given scores. With `unit`
`game` it is a whole game, which is too long for algorithms that walk through the tree. A chance node deals one player a
hand of ranks, with the probability that a shuffled pack gives it; suits do not matter. An information state has
everything that a player was shown, and all actions, so nothing is ever forgotten (perfect recall).
"""

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb, prod
from random import Random
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
PACKS = range(12, 53, 4)
"""Cards in the pack. Packs shorter than those of any table are small enough to solve in seconds."""

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
"""`pack` 0: the pack of the rule set. `options`: other options without their defaults, as in `target:3 cut:low`.
`scores`: scores at the beginning, as in `2 0`."""

_COPIES = 4
"""Cards of each rank."""

_TRIES = 100_000
"""Most deals tried to find one that fits what was seen. Only gifts between partners take several tries: about ten."""


def _type(model: Any) -> Any:
    return pyspiel.GameType(
        short_name=NAME,
        long_name="Put and its relatives",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=model,
        max_num_players=4,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=dict(_DEFAULTS),
    )


_TYPES = {
    Unit.HAND: _type(pyspiel.GameType.RewardModel.TERMINAL),
    Unit.GAME: _type(pyspiel.GameType.RewardModel.REWARDS),
}
"""The reward comes at the end of a hand; in a whole game after each hand."""


class SmallTable(Table):
    """A table whose pack may be shorter than those of the rule sets."""

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
    """:raises ValueError: the table does not exist, has no such form, or has too small a pack."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**_DEFAULTS, **(params or {})}
        given["options"] = given["options"].replace("=", ":")  # OpenSpiel reads no game with a second `=` from its text
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
        seats, cards = self.table.seats, codec.terms.cards_each(self.table.seats)
        if seats * cards > len(codec.terms.deck.cards):
            raise ValueError(f"{seats} players are dealt {seats * cards} cards, and the pack has {given['pack']}")
        self.episode.begin(Seat(given["dealer"]), tuple(map(int, given["scores"].split())))
        self.hands = hands_of(len(codec.terms.ranks), cards)
        self.longest = seats * (3 * cards + 4) if unit is Unit.HAND else 20_000
        """Upper bound of the choices in the game. A hand has each card, a put or double before each card with its
        answers, and the choices before the play."""
        most = _most(codec, unit, Rewards(given["rewards"]))
        info = pyspiel.GameInfo(
            num_distinct_actions=len(codec.actions),
            max_chance_outcomes=len(self.hands),
            num_players=seats,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=self.longest,
        )
        super().__init__(_TYPES[unit], info, dict(given))

    def new_initial_state(self) -> "PutSpielState":
        return PutSpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "_Observer":
        """Observer of what a player sees; with perfect recall, of information states."""
        if params:
            raise ValueError(f"an observer takes no parameters, and was given {params}")
        return _Observer(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


@dataclass(frozen=True, kw_only=True)
class _Position:
    """Position of a game. It is immutable, so that copies of a state share it."""

    episode: Episode
    hands: tuple[tuple[int, ...], ...]
    """Every hand that may be dealt. It is stored here so that copies of a state do not copy it."""
    dealt: tuple[int, ...] = ()
    """The hands of the deal in progress, by number, in the order dealt."""
    told: tuple[tuple[str, ...], ...]
    """Knowledge of each seat: what it was shown, and all public actions."""
    done: tuple[int, ...] = ()
    """The actions since the deal."""
    rewards: tuple[float, ...]
    """Gains of each seat by the last action of a player."""
    returns: tuple[float, ...]

    def __deepcopy__(self, memo: object) -> "_Position":
        return self


class PutSpielState(pyspiel.State):  # type: ignore[misc]  # compiled, without stubs
    """A position in a game, as OpenSpiel walks through it."""

    def __init__(self, game: PutSpiel) -> None:
        super().__init__(game)
        none: tuple[tuple[str, ...], ...] = ((),) * game.table.seats
        self._zero = (0.0,) * game.table.seats
        self._is_paid_by_hand = game.get_type().reward_model == pyspiel.GameType.RewardModel.REWARDS
        self.at = _Position(episode=game.episode, hands=game.hands, told=none, rewards=self._zero, returns=self._zero)

    def current_player(self) -> int:
        episode = self.at.episode
        if episode.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if episode.seat is None else int(episode.seat)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(set(self.at.episode.decision()[1])) if player == self.at.episode.seat else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The hands that may be dealt next, by number, with their probabilities."""
        hands, left = self.at.hands, (_COPIES,) * len(self._ranks)
        for number in self.at.dealt:
            left = tuple(map(int.__sub__, left, hands[number]))
        return list(_outcomes(hands, left))

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
            return replace(at, episode=episode, dealt=dealt, told=tuple(told))
        cards = {rank: [card for card in wanted.cards if card[:-1] == rank] for rank in self._ranks}
        held = [[cards[rank].pop() for rank in self._in_words(hand).split()] for hand in dealt]
        pack = [held[to.index(seat)].pop() for seat in wanted.to]
        episode.deal((*pack, *[card for left in cards.values() for card in left]))
        return replace(at, episode=episode, dealt=(), told=tuple(told), done=())

    def _act(self, code: int) -> _Position:
        at, episode = self.at, copy(self.at.episode)
        seat, action = episode.seat, episode.legal[episode.decision()[1].index(code)]
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
        is_paid = episode.is_over or (self._is_paid_by_hand and episode.seat is None)
        rewards = tuple(map(float, episode.take_rewards())) if is_paid else self._zero
        returns = tuple(map(float.__add__, at.returns, rewards))
        return replace(at, episode=episode, told=tuple(told), done=(*at.done, code), rewards=rewards, returns=returns)

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

    def rewards(self) -> list[float]:
        """Gains of each seat by the last action of a player. Those of a hand remain until the next hand's first."""
        return list(self.at.rewards)

    def returns(self) -> list[float]:
        """Gains of each seat so far. The gains of a hand are added at its end."""
        return list(self.at.returns)

    def resample_from_infostate(self, player: int, rng: Callable[[], float]) -> "PutSpielState":
        """A random state that fits the player's knowledge: the other hands of the last deal are dealt again.

        Cards that were seen are dealt to those who played them, the rest at random. The probabilities are those of
        opponents who play at random. Hands of earlier deals do not affect the future. They are kept, so that a search
        finds its information states again.
        """
        dice = Random(int(rng() * 2**53))
        history = [(each.player, each.action) for each in self.full_history()]
        chances = [at for at, (mover, _) in enumerate(history) if mover == pyspiel.PlayerId.CHANCE]
        first = next(at for at in reversed(chances) if at - 1 not in chances)
        before = self.get_game().new_initial_state()
        for _, action in history[:first]:
            before.apply_action(action)
        for _ in range(_TRIES):
            state: PutSpielState = before.clone()
            if _dealt_anew(state, history[first:], player, dice) and state.at.told[player] == self.at.told[player]:
                return state
        raise RuntimeError(f"no other deal was found in {_TRIES} tries that player {player} could not tell from this")

    def __str__(self) -> str:
        return "; ".join(f"{seat} knows {', '.join(known)}" for seat, known in enumerate(self.at.told))


def _dealt_anew(state: PutSpielState, history: Sequence[tuple[int, int]], player: int, dice: Random) -> bool:
    """Deal the hands of the other players again, and repeat the actions. Returns whether this was possible.

    `history`: the last deal and all later actions, from this state on. Cards that others threw away are drawn again.
    """
    at = state.at
    wanted, names = at.episode.wanted, at.episode.codec.actions
    assert wanted is not None
    seats = tuple(dict.fromkeys(wanted.to))
    deal, done = history[: len(seats)], history[len(seats) :]
    dealt = {seat: list(_cards(at.hands[number])) for seat, (_, number) in zip(seats, deal, strict=False)}
    needs = {seat: [code for mover, code in done if mover == seat and names[code].startswith("play")] for seat in dealt}
    sizes = {seat: len(cards) for seat, cards in dealt.items()}
    unknown = []  # gifts between two others: who gives, who gets
    for mover, code in done:
        if names[code] not in ("give", "let"):
            continue
        other = seats[(seats.index(Seat(mover)) + 2) % len(seats)]
        giver, getter = (mover, other) if names[code] == "give" else (other, mover)
        gift = min(dealt[Seat(giver)])  # their best
        if player == getter:
            needs[Seat(giver)].append(gift)
        elif player != giver:
            unknown.append((Seat(giver), Seat(getter)))
            sizes[Seat(giver)] -= 1
            sizes[Seat(getter)] += 1
        elif gift in needs[Seat(getter)]:
            needs[Seat(getter)].remove(gift)
    needs[Seat(player)] = dealt[Seat(player)]
    sizes[Seat(player)] = len(dealt[Seat(player)])
    left = [rank for rank in range(len(at.hands[0])) for _ in range(_COPIES)]
    for cards in needs.values():
        for card in cards:
            left.remove(card)
    dice.shuffle(left)
    hands = {seat: cards + [left.pop() for _ in range(sizes[seat] - len(cards))] for seat, cards in needs.items()}
    for giver, getter in unknown:
        gift = hands[getter].pop(dice.randrange(len(hands[getter])))
        hands[giver].append(gift)
        if gift != min(hands[giver]):
            return False
    for seat, _ in zip(seats, deal, strict=False):
        counts = tuple(map(hands[seat].count, range(len(at.hands[0]))))
        state.apply_action(at.hands.index(counts))
    for mover, code in done:
        legal = state.legal_actions()
        if mover != player and names[code].startswith("discard"):
            code = dice.choice(legal)  # the player does not know which it was
        if code not in legal or mover != state.current_player():
            return False
        state.apply_action(code)
    return True


def _cards(hand: tuple[int, ...]) -> Iterator[int]:
    """The ranks of a hand, one item for each card, best first."""
    return (rank for rank, count in enumerate(hand) for _ in range(count))


class _Observer:
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
        """Fill the tensor for a player: their seat, the numbers of their view, and, with perfect recall of one hand,
        its public actions."""
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        at = state.at
        self.dict["observation"][:] = _observed(at.episode, player)
        if self._has_history:
            for number, code in enumerate(at.done):
                if not self._codec.actions[code].startswith("discard"):
                    self.dict["actions"][number, code] = 1

    def string_from(self, state: PutSpielState, player: int) -> str:
        """All knowledge of a player; without perfect recall, the numbers of their view that are not 0."""
        if self._is_perfect:
            return f"{player}: {', '.join(state.at.told[player])}"
        numbers = _observed(state.at.episode, player)
        names = self._codec.layout.names
        return " ".join([f"{name}={value:g}" for name, value in zip(names, numbers, strict=True) if value])


def _observed(episode: Episode, player: int) -> "array[float]":
    return episode.codec.encode(episode.view(Seat(player)), Seat(player))


@lru_cache(maxsize=16)
def hands_of(ranks: int, size: int) -> tuple[tuple[int, ...], ...]:
    """Every hand of ranks, as the number of cards of each rank, in a fixed order."""
    return tuple(
        [
            tuple(map(held.count, range(ranks)))
            for held in combinations_with_replacement(range(ranks), size)
            if max(map(held.count, held)) <= _COPIES
        ]
    )


@lru_cache(maxsize=4_096)
def _outcomes(hands: tuple[tuple[int, ...], ...], left: tuple[int, ...]) -> tuple[tuple[int, float], ...]:
    """Each hand that may be dealt from the remaining cards of each rank, with its probability."""
    every = comb(sum(left), sum(hands[0]))
    return tuple(
        [
            (number, prod(map(comb, left, hand)) / every)
            for number, hand in enumerate(hands)
            if all(map(int.__ge__, left, hand))
        ]
    )


def _most(codec: PutCodec, unit: Unit, rewards: Rewards) -> float:
    """The most that a seat can gain or lose."""
    rules, seats = codec.terms.rules, codec.terms.seats
    games = max(1, rules.rubber) if unit is Unit.GAME else 1
    if rewards is Rewards.POINTS:
        return float(rules.target * games)
    stake = 2 if rules.outright == "double" else 1
    return float(stake * games * (1 if rules.is_partnership else seats - 1))


def _options(text: str) -> dict[str, str | int]:
    options: dict[str, str | int] = {}
    for part in text.split():
        name, _, value = part.partition(":")
        options[name] = int(value) if value.isdigit() else value
    return options


def register() -> None:
    if NAME not in pyspiel.registered_names():
        pyspiel.register_game(_TYPES[Unit.HAND], PutSpiel)
