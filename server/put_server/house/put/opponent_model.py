"""Model of the opponents: their chances to put, see and lead with each hand, and so their probable cards.

Bayes' rule: the probability of a deal is its chance in the dealing (the prior) times the chance that the opponents with
these hands act as they did (the likelihood), scaled so that all deals sum to 1 (the posterior). The likelihoods are
thresholds on the strength of a hand (`score_values`), softened, because people are not exact, and with more bluffs than
the model has.
"""

from collections.abc import Sequence
from itertools import groupby
from math import exp

from put_protocol.games.put import PutView
from put_server.house.put.hand_evaluation import strength
from put_server.house.put.observation import Deal, Observation
from put_server.house.put.score_values import BettingThresholds, ScoreUtility, StakeRule

_EDGE = 0.06
"""Width of the change, in strength, from throwing in to seeing, or from silence to putting."""

_BRAVADO = 0.5
"""Assumed puts with any hand, for each put with a strong one. This is more than people do: a player who believes every
put always loses to an opponent who puts with everything."""

_PUTS_AT_MOST = 0.75
"""Strength from which people put, even if the model would wait for more."""

_LEADS_FROM = 0.4
"""Strength from which people lead although the hand may cost them the game, and they might throw it in."""

_CROWD_SEES = 0.8
_CROWD_PUTS = 0.85
"""Strengths to see and to put with three or more players, because more hands must be beaten."""


class OpponentModel:
    def __init__(self, view: PutView, observation: Observation, utility: ScoreUtility, deals: Sequence[Deal]) -> None:
        self._view = view
        self._observation = observation
        self._utility = utility
        self._deals = deals
        self.shares = [self._ranked(place) for place in range(len(observation.others))]
        """Listed by opponent and deal: share of the opponent's possible hands that are weaker than theirs."""

    def _ranked(self, place: int) -> list[float]:
        strengths = self._observation.strengths(
            self._observation.others[place], [deal.hands[place] for deal in self._deals]
        )
        shares, below = [0.0] * len(strengths), 0.0
        for _, same in groupby(sorted(range(len(strengths)), key=strengths.__getitem__), strengths.__getitem__):
            places = list(same)
            equal = sum([self._deals[i].weight for i in places])
            for i in places:
                shares[i] = below + equal / 2
            below += equal
        return shares

    def thresholds(self, putter: int, other: int) -> BettingThresholds:
        """Strength from which `putter` puts, and strength from which `other` sees."""
        if self._utility.is_between_two:
            return self._utility.thresholds(putter, other)
        is_last = self._utility.point_wins_game(putter)
        return BettingThresholds(
            puts_from=_CROWD_PUTS, bluffs_below=_BRAVADO, sees_from=0.5 if is_last else _CROWD_SEES
        )

    def posterior(self) -> list[float]:
        """Probability of each deal, given the opponents' words and cards in this hand."""
        probabilities, observation, putter = [deal.weight for deal in self._deals], self._observation, self._view.putter
        for place, other in enumerate(observation.others):
            shares = self.shares[place]
            if putter is not None and (other == putter or other in self._view.seen_by):
                thresholds = self.thresholds(putter, observation.seat if other == putter else other)
                chance = put_probability if other == putter else see_probability
                probabilities = [
                    each * chance(share, thresholds) for each, share in zip(probabilities, shares, strict=True)
                ]
            if self._utility.stake_rule is StakeRule.OUTRIGHT and self._has_led_first(other):
                probabilities = [
                    each * self._lead_probability((*deal.hands[place], *observation.shown[place]))
                    for each, deal in zip(probabilities, self._deals, strict=True)
                ]
        total = sum(probabilities)
        return [each / total for each in probabilities]

    def _has_led_first(self, other: int) -> bool:
        first = self._view.past[0] if self._view.past else self._view.trick
        return bool(first.seats) and first.seats[0] == other

    def _lead_probability(self, cards: tuple[int, ...]) -> float:
        held = tuple(sorted(cards, reverse=True))
        return logistic((strength(held, 0, None, len(self._observation.unseen)) - _LEADS_FROM) / _EDGE)


def logistic(x: float) -> float:
    return 1 / (1 + exp(-max(-60.0, min(60.0, x))))


def see_probability(share: float, thresholds: BettingThresholds) -> float:
    """Probability to see with a hand that is better than this share of possible hands."""
    return 1.0 if thresholds.sees_from <= 0 else logistic((share - thresholds.sees_from) / _EDGE)


def put_probability(share: float, thresholds: BettingThresholds) -> float:
    """Probability to put with such a hand. People put with less than the model would, and sometimes with anything."""
    bluff_rate = max(_BRAVADO, thresholds.bluffs_below)
    if thresholds.puts_from <= 0:
        return 1.0
    return bluff_rate + (1 - bluff_rate) * logistic((share - min(thresholds.puts_from, _PUTS_AT_MOST)) / _EDGE)


def model_put_probability(share: float, thresholds: BettingThresholds) -> float:
    """Probability that the model puts with such a hand, including bluffs."""
    if thresholds.puts_from <= 0:
        return 1.0
    return thresholds.bluff_rate + (1 - thresholds.bluff_rate) * logistic((share - thresholds.puts_from) / _EDGE)
