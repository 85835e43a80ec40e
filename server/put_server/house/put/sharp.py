"""The sharp player: a network trained on millions of hands, and a search of all consistent deals.

It converts its view to numbers (`features`), from which its network computes the frequency of each action. The network
was trained against itself and steady players, at every score, with every pack and number of seats, so it bluffs, and
sees bluffs, about as often as that pays. Before the draw, actions that gain only if the other errs are removed. If all
consistent deals can be searched and some cards are certain to win, the other cards are removed too; so are cards that
lose the hand now, if another does not.
"""

import struct
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from math import exp
from random import Random

from put_protocol.games.put import Moment, PutAction, PutView
from put_protocol.games.unions import Choice
from put_protocol.seats import Seat
from put_server.house.player import Player, Terms, actions_of
from put_server.house.put.before_play import Mixture
from put_server.house.put.features import PUT, SEE, THROW, features_of, numbered, players_of
from put_server.house.put.observation import Observation, Results, observe
from put_server.house.put.score_values import ScoreUtility, StakeRule
from put_server.house.put.steady import Steady

_NAMES: Mapping[StakeRule, str] = {
    StakeRule.PLAYED_OUT: "any_turn",
    StakeRule.GIVEN_UP: "stages",
    StakeRule.OUTRIGHT: "concessions",
    StakeRule.DOUBLED: "doubling",
}

_OPENING = "opening"
"""The play in which puts are made only before the first trick."""

_FOR_MORE = ("any_turn", _OPENING)
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


def network_for(stake_rule: StakeRule, count: int, *, opens: bool) -> PolicyNetwork:
    """The network for a kind of play and a number of players, read when first needed."""
    name = _OPENING if opens else _NAMES[stake_rule]
    return _read(f"{name}_two" if count == 2 and name in _FOR_MORE else name)


@cache
def _read(name: str) -> PolicyNetwork:
    return PolicyNetwork(files("put_server.house.put").joinpath("networks", f"{name}.network").read_bytes())


LEAST_PROBABILITY = 0.02
"""Actions less likely than this are dropped: they are only a remainder of exploration in training."""


class Sharp(Player):
    def __init__(self, dice: Random, terms: Terms) -> None:
        super().__init__(dice)
        self._terms = terms
        self._steady = Steady(dice)

    def mixture(self, view: PutView, legal: tuple[Choice, ...], seat: Seat) -> Mixture:
        """Exact, except that `Steady` decides about gifts."""
        actions: list[PutAction] = actions_of(legal)
        if len(actions) == 1:
            return {actions[0]: 1.0}
        observation = observe(view, seat)
        known = {} if observation is None else numbered(actions, view, observation)
        if observation is None or not known:
            return self._steady.mixture(view, legal, seat)
        utility = ScoreUtility.of(view, seat, is_even=True)
        features = features_of(view, observation, utility, known, self._terms.options)
        players = players_of(view, seat)
        numbers = list(known)
        if len(players) == 2:
            numbers = _undominated(numbers, view, utility, players)
        numbers = list(without_blunders(observation, numbers))
        network = network_for(utility.stake_rule, len(players), opens=self._terms.has_opening)
        shares = network.mixture(features, numbers)
        # Of nine actions the most likely always remains.
        kept = {known[n]: share for n, share in zip(numbers, shares, strict=True) if share >= LEAST_PROBABILITY}
        total = sum(kept.values())
        return {action: share / total for action, share in kept.items()}


def _undominated(numbers: list[int], view: PutView, utility: ScoreUtility, players: tuple[Seat, ...]) -> list[int]:
    """The actions of a player, who is the first of two, without those for which another is at least as good against
    every hand of an opponent who plays correctly."""
    wins, loses = [utility.point_wins_game(player) for player in players]
    gives_up, outright = (utility.stake_rule is rule for rule in (StakeRule.GIVEN_UP, StakeRule.OUTRIGHT))
    bad = set[int]()
    # Points that win as much as the put, which could lose more.
    if wins and not loses and not gives_up and not outright:
        bad.add(PUT)
    # It loses the game, or is as good later.
    is_early = gives_up and view.moment in (Moment.LEAD, Moment.REPLY)
    if is_early or (loses and not {SEE, PUT, 0}.isdisjoint(numbers)):
        bad.add(THROW)
    return [number for number in numbers if number not in bad] or numbers


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
    numbers = [number for number in numbers if number not in lost] or numbers
    results: Sequence[Results] = observation.results(observation.deals(Random(0), 0))  # in a duel no dice are thrown
    worst = [min(each) for each in zip(*results, strict=True)]
    if THROW in numbers and max(worst) >= 0:
        numbers = [number for number in numbers if number != THROW] or numbers
    if len(worst) > 1 and max(worst) > 0:  # a single result: another player plays next
        numbers = [n for n in numbers if n >= PUT or n >= len(worst) or worst[n] > 0] or numbers
    return numbers
