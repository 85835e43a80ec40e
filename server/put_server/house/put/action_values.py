"""Expected values, in stakes, of each action in a hand, over all deals consistent with what the seat sees.

Each deal is weighted by its posterior probability (`opponent_model`). Its end comes from `observation`, and the worth
of the end from `score_values`.

In some rule sets a hand without a put is given up and not played out. Then one player has the last say: after the first
trick they put or throw in. In a game of two, the values of cards in the first trick include that choice. The only risk
of waiting for it is that the other puts first: a player may always throw in to a put.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from put_protocol.cards import rank_of
from put_protocol.games.put import Play, PutAction, PutView, Worth
from put_protocol.seats import Seat
from put_server.house.player import Count
from put_server.house.put.hand_evaluation import reply, strength
from put_server.house.put.observation import Deal, Observation, observe
from put_server.house.put.opponent_model import OpponentModel, model_put_probability, see_probability
from put_server.house.put.score_values import ScoreUtility, StakeRule

_SAMPLES = 48
"""Deals to sample if there are too many for all: a good four-handed decision takes some milliseconds."""

_SAME = 1e-9
"""Difference in stakes below which two values count as equal: larger than rounding errors, smaller than real
differences."""

Worths = tuple[float, float, float]
"""Worth of a hand that is drawn, won and lost, in this order, so that a result of 0, 1 or -1 is the index."""


class CardValue(NamedTuple):
    """The worth of a hand if this card is played next."""

    card: int
    """Strength of the card; -1 if another player plays next."""
    value: float
    chance: float
    """Probability to win the hand; a draw counts half."""
    is_safe: bool
    """True: no deal loses the hand."""
    is_won: bool
    """True: every deal wins the hand."""


class ActionValues:
    def __init__(self, view: PutView, observation: Observation, dice: Random) -> None:
        self._view = view
        self._observation = observation
        self._dice = dice
        self.utility = ScoreUtility.of(view, observation.seat)
        deals = observation.deals(dice, _SAMPLES)
        total = sum([deal.weight for deal in deals])
        self._deals = [Deal(deal.weight / total, deal.hands) for deal in deals]
        self._opponents = OpponentModel(view, observation, self.utility, self._deals)
        self._posterior = self._opponents.posterior()
        self._results = observation.results(self._deals)
        """The end of the hand in each deal if no player throws in any more."""
        self.others_throw_in = self.utility.after_point(observation.seat)
        """Value if all other players throw in now."""
        self.self_throws_in = self.utility.after_loss(observation.others)
        """The value of this seat's action."""
        self.if_silent = self._worths(view.plain if view.putter is None or view.is_doubling else view.accepted)
        """Worth of the hand if there is no further put."""
        self.if_accepted = self._worths(view.accepted, times=2)
        """Worth of the hand if a put or double made now is accepted by all."""

    def _worths(self, worth: Worth, times: int = 1) -> Worths:
        observation, utility = self._observation, self.utility
        if worth is not Worth.VALUE:
            return utility.now, 1.0 if utility.is_between_two else float(len(observation.others)), -1.0
        return utility.now, utility.after_point(observation.seat, times), utility.after_loss(observation.others, times)

    @property
    def awaits_last_say(self) -> bool:
        """True if a hand without a put will be given up, not played out."""
        return self.utility.stake_rule is StakeRule.GIVEN_UP and self._view.putter is None and self._observation.is_duel

    def bluff_rate(self) -> float:
        """Share of bluffs in the model among hands too weak to put for value; for two players."""
        return self._opponents.thresholds(self._observation.seat, self._observation.others[0]).bluff_rate

    def best_card(self) -> CardValue:
        """The card to play without a put, and its value."""
        # The best card comes first; of cards with equal worth the worst is played.
        hands = self.cards()
        best = max(hand.value for hand in hands)
        return [hand for hand in hands if hand.value >= best - _SAME][-1]

    def cards(self) -> list[CardValue]:
        """Value of each card that this seat may play next, the best card first."""
        observation = self._observation
        hands = []
        for at, card in enumerate((-1,) if observation.other_plays_next else observation.distinct):
            shares, deals = [0.0, 0.0, 0.0], [0, 0, 0]
            for probability, outcome in zip(self._posterior, self._results, strict=True):
                shares[outcome[at]] += probability
                deals[outcome[at]] += 1
            value = sum([share * worth for share, worth in zip(shares, self.if_silent, strict=True)])
            hands.append(CardValue(card, value, shares[1] + shares[0] / 2, not deals[-1], not (deals[-1] or deals[0])))
        if self.awaits_last_say and not observation.other_plays_next and not self._view.past:
            values = self._reply_values() if observation.table else self._lead_values()
            hands = [hand._replace(value=value) for hand, value in zip(hands, values, strict=True)]
        return hands

    def _lead_values(self) -> list[float]:
        """Worth of leading each card, for a seat that has the last say after the trick."""
        observation, posterior = self._observation, self._posterior
        other = observation.others[0]
        theirs = self._opponents.thresholds(other, observation.seat)
        own = self._opponents.thresholds(observation.seat, other)
        won, lost = self.others_throw_in, self.utility.after_point(other)
        puts, refused, plays_on = [], [], []
        for probability, share in zip(posterior, self._opponents.shares[0], strict=True):
            put = probability * model_put_probability(share, theirs)
            sees = see_probability(share, own)
            puts.append(put)
            refused.append((probability - put) * (1 - sees) * won)
            plays_on.append((probability - put) * sees)
        put_to = sum(puts) * lost
        values = []
        for at, card in enumerate(observation.distinct):
            if_seen = 0.0
            if_put, silent = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
            for number, deal in enumerate(self._deals):
                worth = self.if_accepted[self._results[number][at]]
                if_seen += puts[number] * worth
                played = reply(deal.hands[0], card)
                trick = (card > played) - (card < played)
                if_put[trick] += refused[number] + plays_on[number] * worth
                silent[trick] += posterior[number] - puts[number]
            last = sum([max(put, share * lost) for put, share in zip(if_put, silent, strict=True)])
            values.append(max(put_to, if_seen) + last)
        return values

    def _reply_values(self) -> list[float]:
        """Worth of playing each card to the first trick, if the other has the last say after it."""
        observation, posterior = self._observation, self._posterior
        other = observation.others[0]
        thresholds = self._opponents.thresholds(other, observation.seat)
        won, lost = self.others_throw_in, self.utility.after_point(other)
        led = max([card for _, card in observation.table])
        ranks = len(observation.unseen)
        values = []
        for at, card in enumerate(observation.distinct):
            ahead = (led > card) - (led < card)
            thrown_in = put_to = if_seen = 0.0
            for number, deal in enumerate(self._deals):
                share = (self._opponents.shares[0][number] + strength(deal.hands[0], ahead, None, ranks)) / 2
                put = posterior[number] * model_put_probability(share, thresholds)
                thrown_in += (posterior[number] - put) * won
                put_to += put * lost
                if_seen += put * self.if_accepted[self._results[number][at]]
            values.append(thrown_in + max(put_to, if_seen))
        return values

    def put_value(self) -> float:
        """Worth of a put, or of the offer of a double."""
        observation = self._observation
        by_opponent = [self._opponents.thresholds(observation.seat, other) for other in observation.others]
        drawn, won, lost = self.if_accepted
        values, of_seen = 0.0, [0.0] * len(self._results[0])
        for number, deal in enumerate(self._deals):
            probability = self._posterior[number]
            sees = [
                see_probability(self._opponents.shares[place][number], thresholds)
                for place, thresholds in enumerate(by_opponent)
            ]
            if observation.is_duel:
                values += probability * (1 - sees[0]) * self.others_throw_in
                weight, pay, results = probability * sees[0], won, self._results[number]
            else:
                stay = tuple(
                    o for o, chance in zip(observation.others, sees, strict=True) if self._dice.random() < chance
                )
                if not stay:
                    values += probability * self.others_throw_in
                    continue
                is_all = len(stay) == len(observation.others)
                results = self._results[number] if is_all else observation.result_among(deal, stay)
                weight, pay = probability, self._paid(stay, won)
            worths = drawn, pay, lost
            for at, result in enumerate(results):
                of_seen[at] += weight * worths[result]
        return values + max(of_seen)

    def see_gain(self, putter: int) -> float:
        """Gain of seeing over throwing in; infinite, with its sign, if one of the two is never worse."""
        observation, view = self._observation, self._view
        # Those between the answerer and the putter, at the answerer's left, have not been asked yet.
        not_asked = observation.others[: observation.others.index(putter)] if putter in observation.others else ()
        thrown, others_see = self.utility.after_point(putter), bool(view.seen_by)
        if thrown <= -1 and not not_asked and not others_see:
            return float("inf")
        drawn, won, lost = self.if_accepted
        values, alone = [0.0] * len(self._results[0]), 0.0
        is_safe, is_hopeless = True, True
        by_opponent = [self._opponents.thresholds(putter, other) for other in observation.others]
        for number, deal in enumerate(self._deals):
            stay = tuple(
                other
                for place, other in enumerate(observation.others)
                if other not in not_asked
                or self._dice.random() < see_probability(self._opponents.shares[place][number], by_opponent[place])
            )
            results = (
                self._results[number] if len(stay) == len(observation.others) else observation.result_among(deal, stay)
            )
            probability = self._posterior[number]
            alone += probability * (len(stay) == 1)
            worths = drawn, self._paid(stay, won), lost
            for at, result in enumerate(results):
                values[at] += probability * worths[result]
            is_safe, is_hopeless = is_safe and max(results) >= 0, is_hopeless and max(results) < 0
        if is_safe:
            return float("inf")
        if is_hopeless and observation.is_duel:
            return -float("inf")
        # A player who throws in while others play for the game neither wins nor pays: that is worth nothing.
        return max(values) - (0.0 if others_see else alone * thrown)

    def _paid(self, staying: Sequence[int], won: float) -> float:
        """Amount that the other players who stay pay for a hand won after a put."""
        return won if self.utility.is_between_two else float(len(staying))


def count(view: PutView, action: PutAction, seat: Seat, dice: Random | None) -> Count:
    """Deals are weighted by the others' puts and silence; draws count half."""
    observation = observe(view, seat)
    if observation is None:
        return Count()
    values = [] if dice is None else ActionValues(view, observation, dice).cards()
    if observation.other_plays_next or not isinstance(action, Play):
        return Count(wins=max([value.chance for value in values], default=None))
    card = len(view.ranking) - 1 - view.ranking.index(rank_of(action.card))
    wins = next((value.chance for value in values if value.card == card), None)
    is_last = len(observation.table) >= len(observation.others)
    if is_last or card <= max([played for _, played in observation.table], default=-1):
        return Count(wins=wins)
    return Count(wins=wins, above=sum(observation.unseen[card + 1 :]), of=sum(observation.unseen))
