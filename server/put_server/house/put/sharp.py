"""The sharp player: a network trained on millions of hands, and a search of all consistent deals.

It converts its view to a hand by ranks, and its network gives the frequency of each action. The network was trained
against itself and steady players, at every score, with every pack and number of seats, so it bluffs, and sees bluffs,
about as often as that pays. Before the draw, actions that gain only if the other errs are removed. If all consistent
deals can be searched and some cards are certain to win, the other cards are removed too; so are cards that lose the
hand now, if another does not.
"""

import struct
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from math import exp
from random import Random

from put_protocol.games.put import PutAction, PutView
from put_protocol.games.unions import Choice
from put_protocol.seats import Seat
from put_server.house.player import MixingPlayer, Terms, actions_of
from put_server.house.put import rank_hand as by_ranks
from put_server.house.put.before_play import Mixture
from put_server.house.put.observation import Observation, Results
from put_server.house.put.score_values import StakeRule, stake_rule_of, win_probability
from put_server.house.put.steady import Steady
from put_server.house.put.view_reading import read_view

_NAMES = {
    by_ranks.ANY_TURN: "any_turn",
    by_ranks.STAGES: "stages",
    by_ranks.CONCESSIONS: "concessions",
    by_ranks.OPENING_ONLY: "opening",
    by_ranks.DOUBLING: "doubling",
}

_FOR_MORE = (by_ranks.ANY_TURN, by_ranks.OPENING_ONLY)
"""Kinds of play for more than two players, with a separate network for two."""


class PolicyNetwork:
    """Fully connected layers; all except the last set negative sums to 0.

    A file (`.network`) has the sizes of the layers as 16-bit integers, ended by 0. Then it has for each layer the
    weights, input by input, and the biases, as 16-bit floats. All numbers are little-endian.
    """

    def __init__(self, packed: bytes) -> None:
        sizes: list[int] = []
        at = 0
        while (size := struct.unpack_from("<H", packed, at)[0]) != 0:
            sizes.append(size)
            at += 2
        at += 2
        self.layers: list[tuple[list[tuple[float, ...]], tuple[float, ...]]] = []
        """The weights of each layer, input by input, and its biases."""
        for size, to in pairwise(sizes):
            rows = []
            for _ in range(size + 1):
                rows.append(struct.unpack_from(f"<{to}e", packed, at))
                at += 2 * to
            self.layers.append((rows[:-1], rows[-1]))

    def logits(self, features: Sequence[float]) -> list[float]:
        values: Sequence[float] = features
        for rows, biases in self.layers:
            sums = list(biases)
            for value, row in zip(values, rows, strict=True):
                if value == 1.0:
                    sums = [total + weight for total, weight in zip(sums, row, strict=True)]
                elif value > 0 or (value < 0 and values is features):
                    sums = [total + value * weight for total, weight in zip(sums, row, strict=True)]
            values = sums
        return list(values)

    def mixture(self, features: Sequence[float], actions: Sequence[int]) -> list[float]:
        logits = self.logits(features)
        most = max(logits[action] for action in actions)
        odds = [exp(logits[action] - most) for action in actions]
        total = sum(odds)
        return [each / total for each in odds]


def network_for(kind: int, count: int) -> PolicyNetwork:
    """The network for a kind of play and a number of players, read when first needed."""
    two = "_two" if count == 2 and kind in _FOR_MORE else ""
    return _read(f"{_NAMES[kind]}{two}")


@cache
def _read(name: str) -> PolicyNetwork:
    return PolicyNetwork(files("put_server.house.put").joinpath("networks", f"{name}.network").read_bytes())


LEAST_PROBABILITY = 0.02
"""Actions less likely than this are dropped: they are only a remainder of exploration in training."""


@cache
def win_probabilities(stake_rule: StakeRule) -> tuple[float, ...]:
    """Chances for two at every score, in the form of `rank_hand`."""
    size = by_ranks.CHANCES
    return tuple([win_probability(mine, theirs, stake_rule) for mine in range(size) for theirs in range(size)])


class Sharp(MixingPlayer):
    def __init__(self, dice: Random, terms: Terms) -> None:
        super().__init__(dice)
        self._terms = terms
        self._steady = Steady(dice)

    def mixture(self, view: PutView, legal: tuple[Choice, ...], seat: Seat) -> Mixture:
        """Exact, except that `Steady` decides about gifts."""
        actions: list[PutAction] = actions_of(legal)
        if len(actions) == 1:
            return {actions[0]: 1.0}
        rank_view = read_view(view, actions, seat, self._terms.options, opens=self._terms.has_opening)
        if rank_view is None or not rank_view.actions:
            return self._steady.mixture(view, legal, seat)
        numbers = list(rank_view.actions)
        sensible = [number for number in numbers if not is_dominated(rank_view.hand, number, numbers)]
        numbers = list(without_blunders(rank_view.observation, sensible or numbers))
        features = [0.0] * by_ranks.FEATURES
        by_ranks.fill_features(rank_view.hand, win_probabilities(stake_rule_of(view.plain, view.accepted)), features)
        shares = network_for(rank_view.hand[by_ranks.KIND], rank_view.hand[by_ranks.COUNT]).mixture(features, numbers)
        # Of nine actions the most likely always remains.
        kept = {
            rank_view.actions[n][0]: share
            for n, share in zip(numbers, shares, strict=True)
            if share >= LEAST_PROBABILITY
        }
        total = sum(kept.values())
        return {action: share / total for action, share in kept.items()}


def is_dominated(hand: Sequence[int], number: int, numbers: Sequence[int]) -> bool:
    """True if another action is at least as good for every hand of an opponent who plays correctly; for two players."""
    if hand[by_ranks.COUNT] != 2 or len(numbers) == 1:
        return False
    me, kind, value = hand[by_ranks.MOVER], hand[by_ranks.KIND], hand[by_ranks.VALUE]
    wins = hand[by_ranks.NEEDS + me] <= value
    loses = hand[by_ranks.NEEDS + 1 - me] <= value
    if number == by_ranks.PUT:
        # Points that win as much as the put, which could lose more.
        can_wait = kind in (by_ranks.ANY_TURN, by_ranks.OPENING_ONLY, by_ranks.DOUBLING)
        return can_wait and wins and not loses
    if number == by_ranks.THROW:
        # It loses the game, or is as good later.
        is_early = kind == by_ranks.STAGES and hand[by_ranks.PHASE] == by_ranks.PLAY
        return is_early or (loses and (by_ranks.SEE in numbers or by_ranks.PUT in numbers or 0 in numbers))
    return False


def lost_at_once(observation: Observation) -> set[int]:
    """Numbers of the cards with which this trick loses a hand for two; empty if all do."""
    other = observation.others[0]
    led = dict(observation.table).get(other)
    if led is None or observation.other_plays_next:
        return set()
    ahead = observation.tricks[observation.seat] - observation.tricks[other]
    after = [ahead + (card > led) - (card < led) for card in observation.distinct]
    left = len(observation.held) - 1
    return {n for n, lead in enumerate(after) if lead < -left} if max(after) >= -left else set()


def without_blunders(observation: Observation, numbers: Sequence[int]) -> Sequence[int]:
    """The actions without throwing in a hand that cannot lose, without cards that may lose if another card wins for
    certain, and without cards that lose now if another card does not."""
    if not observation.is_duel or not observation.held:
        return numbers  # too many deals
    lost = lost_at_once(observation)
    numbers = [number for number in numbers if number not in lost]
    results: Sequence[Results] = observation.results(observation.deals(Random(0), 0))  # in a duel no dice are thrown
    worst = [min(each) for each in zip(*results, strict=True)]
    if by_ranks.THROW in numbers and max(worst) >= 0:
        numbers = [number for number in numbers if number != by_ranks.THROW] or numbers
    if len(worst) > 1 and max(worst) > 0:  # a single result: another player plays next
        numbers = [n for n in numbers if n >= by_ranks.PUT or n >= len(worst) or worst[n] > 0] or numbers
    return numbers
