"""Model of the opponents: how likely they put, see and lead with each hand, and so what they probably hold.

Bayes' rule: a deal is as likely as the dealing makes it (the prior) times how likely the opponents in it would have
done what they did (the likelihood); over all deals this sums to 1 (the posterior). The likelihoods are thresholds on
the strength of a hand (`score_values`), softened, because people are not exact, and with more bluffs than the model
has.
"""

from collections.abc import Sequence
from math import exp

from put_protocol.games.put import PutView
from put_server.house.put.hand_evaluation import strength
from put_server.house.put.observation import Deal, Observation
from put_server.house.put.score_values import BettingThresholds, ScoreUtility, StakeRule

_EDGE = 0.06
"""Width of the change, in strength, from throwing in to seeing, or from silence to putting."""

_BRAVADO = 0.5
"""Share of cases in which people are assumed to put with any hand, for each time with a strong one. More than they do:
a player who believes every put is driven out by an opponent who puts with everything."""

_PUTS_AT_MOST = 0.75
"""The strength from which people put even where the model would have them wait for more."""

_LEADS_FROM = 0.4
"""The strength from which people lead to a hand that may cost them the game, where they might throw it in."""

_CROWD_SEES = 0.8
_CROWD_PUTS = 0.85
"""Strengths from which players see, and put, with three and more: there are more to beat than between two."""


class OpponentModel:
    def __init__(self, view: PutView, observation: Observation, utility: ScoreUtility, deals: Sequence[Deal]) -> None:
        self._view = view
        self._observation = observation
        self._utility = utility
        self._deals = deals
        self.shares = [self._ranked(place) for place in range(len(observation.others))]
        """Share of the hands an opponent may hold that is weaker than theirs in a deal; by opponent and deal."""

    def _ranked(self, place: int) -> list[float]:
        strengths = self._observation.strengths(
            self._observation.others[place], [deal.hands[place] for deal in self._deals]
        )
        order = sorted(range(len(strengths)), key=strengths.__getitem__)
        shares, below, at = [0.0] * len(order), 0.0, 0
        while at < len(order):
            end = at
            while end < len(order) and strengths[order[end]] == strengths[order[at]]:
                end += 1
            equal = sum([self._deals[i].weight for i in order[at:end]])
            for i in order[at:end]:
                shares[i] = below + equal / 2
            below, at = below + equal, end
        return shares

    def thresholds(self, putter: int, other: int) -> BettingThresholds:
        """Strengths of hands from which `putter` puts to `other`, and from which `other` sees."""
        if self._utility.is_between_two:
            return self._utility.thresholds(putter, other)
        is_last = self._utility.point_wins_game(putter)
        return BettingThresholds(
            puts_from=_CROWD_PUTS, bluffs_below=_BRAVADO, sees_from=0.5 if is_last else _CROWD_SEES
        )

    def posterior(self) -> list[float]:
        """The probability of each deal, given what the opponents said and did in this hand."""
        probabilities, observation, putter = [deal.weight for deal in self._deals], self._observation, self._view.putter
        for place, other in enumerate(observation.others):
            shares = self.shares[place]
            if other == putter:
                thresholds = self.thresholds(putter, observation.seat)
                probabilities = [
                    each * put_probability(share, thresholds) for each, share in zip(probabilities, shares, strict=True)
                ]
            elif putter is not None and other in self._view.seen_by:
                thresholds = self.thresholds(putter, other)
                probabilities = [
                    each * see_probability(share, thresholds) for each, share in zip(probabilities, shares, strict=True)
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
    """Probability that a player sees with a hand that is better than this share of those they may hold."""
    return 1.0 if thresholds.sees_from <= 0 else logistic((share - thresholds.sees_from) / _EDGE)


def put_probability(share: float, thresholds: BettingThresholds) -> float:
    """Probability that they put with it. People put with less than the model would, and with anything now and then."""
    bluff_rate = max(_BRAVADO, thresholds.bluffs_below)
    if thresholds.puts_from <= 0:
        return 1.0
    return bluff_rate + (1 - bluff_rate) * logistic((share - min(thresholds.puts_from, _PUTS_AT_MOST)) / _EDGE)


def model_put_probability(share: float, thresholds: BettingThresholds) -> float:
    """Probability that the model puts with it, bluffs included."""
    if thresholds.puts_from <= 0:
        return 1.0
    return thresholds.bluff_rate + (1 - thresholds.bluff_rate) * logistic((share - thresholds.puts_from) / _EDGE)
