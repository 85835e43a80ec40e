"""Expected values, in stakes, of each action in a hand, over all the deals that fit what the seat sees.

Where a hand in which nobody puts is given up and not played out, somebody has the last say: after the first trick they
put or throw in. Between two, `having_it` and `leaving_it` value the cards of the first trick with that choice in mind.
Nothing is lost by waiting for it but the chance that the other puts first: to a put one may always throw in.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from put_protocol.games.put import Worth
from put_protocol.games.unions import GameView
from put_server.house.hand_evaluation import reply, strength
from put_server.house.observation import Deal, Results, Sight
from put_server.house.opponent_model import Others, sees_with, speaks_with
from put_server.house.score_values import Contest, Standing, contest_of

_SAMPLES = 48
"""Deals looked at where they are too many to look at all: a good four-handed decision in some milliseconds."""

_SAME = 1e-9
"""Stakes within which two values are the same: errors of rounding are smaller, differences that matter larger."""

Worths = tuple[float, float, float]
"""What a hand is worth drawn, won and lost: in this order, so that a result of 0, 1 or -1 finds its own."""


class Prospect(NamedTuple):
    """What the seat to move has before it. Lists have an item a deal."""

    seen: Sight
    standing: Standing
    others: Others
    deals: Sequence[Deal]
    likely: Sequence[float]
    results: Sequence[Results]
    accepted: Sequence[float]
    """What a put that was seen is worth if the hand is drawn, won, lost: in this order, so that a result finds it."""


def having_it(prospect: Prospect) -> list[float]:
    """What leading each card is worth to whoever will have the last say, and leads now."""
    seen, standing = prospect.seen, prospect.standing
    other = seen.others[0]
    theirs, mine = prospect.others.custom(other, seen.seat), prospect.others.custom(seen.seat, other)
    won, lost = standing.after_point(seen.seat), standing.after_point(other)
    puts, refused, plays_on = [], [], []
    for likely, share in zip(prospect.likely, prospect.others.shares[0], strict=True):
        said = likely * speaks_with(share, theirs)
        rest = likely - said
        sees = sees_with(share, mine)
        puts.append(said)
        refused.append(rest * (1 - sees) * won)
        plays_on.append(rest * sees)
    put_to = sum(puts) * lost
    values = []
    for at, card in enumerate(seen.mine):
        if_seen = 0.0
        if_put, silent = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
        for number, deal in enumerate(prospect.deals):
            worth = prospect.accepted[prospect.results[number][at]]
            if_seen += puts[number] * worth
            played = reply(deal.hands[0], card)
            trick = (card > played) - (card < played)
            if_put[trick] += refused[number] + plays_on[number] * worth
            silent[trick] += prospect.likely[number] - puts[number]
        last = sum([max(put, share * lost) for put, share in zip(if_put, silent, strict=True)])
        values.append(max(put_to, if_seen) + last)
    return values


def leaving_it(prospect: Prospect) -> list[float]:
    """What playing each card to the first trick is worth to whoever leaves the last say to the other."""
    seen, standing = prospect.seen, prospect.standing
    other = seen.others[0]
    custom = prospect.others.custom(other, seen.seat)
    won, lost = standing.after_point(seen.seat), standing.after_point(other)
    led = max([card for _, card in seen.table])
    ranks = len(seen.unseen)
    values = []
    for at, card in enumerate(seen.mine):
        ahead = (led > card) - (led < card)
        thrown_in = put_to = if_seen = 0.0
        for number, deal in enumerate(prospect.deals):
            says = speaks_with(
                (prospect.others.shares[0][number] + strength(deal.hands[0], ahead, None, ranks)) / 2, custom
            )
            said = prospect.likely[number] * says
            thrown_in += (prospect.likely[number] - said) * won
            put_to += said * lost
            if_seen += said * prospect.accepted[prospect.results[number][at]]
        values.append(thrown_in + max(put_to, if_seen))
    return values


class Hand(NamedTuple):
    """A hand, if this card is played next."""

    card: int
    """-1 if somebody else plays next."""
    value: float
    chance: float
    """To win it, a draw being half."""
    is_safe: bool
    """Whatever the others hold, it is not lost."""
    is_won: bool
    """Whatever they hold, it is won."""


class Weighing:
    """One decision in a hand in play."""

    def __init__(self, view: GameView, seen: Sight, dice: Random) -> None:
        self._view = view
        self._sight = seen
        self._dice = dice
        self.standing = Standing(
            scores=view.scores,
            target=view.target,
            seat=seen.seat,
            value=view.value,
            contest=contest_of(view),
            are_partners=seen.are_receivers,
        )
        deals = seen.deals(dice, _SAMPLES)
        total = sum([deal.weight for deal in deals])
        self._deals = [Deal(deal.weight / total, deal.hands) for deal in deals]
        self._others = Others(view, seen, self.standing, self._deals)
        self._likely = self._others.likely()
        self._results = seen.results(self._deals)
        """If nobody throws in any more."""
        self.won = self.standing.after_point(seen.seat)
        """If all the others throw in now."""
        self.lost = self.standing.after_loss(seen.others)
        """If this seat does."""
        self.silent = self._worths(view.plain if view.putter is None or view.is_doubling else view.accepted)
        """What the hand is worth if nothing more is said."""
        self.accepted = self._worths(view.accepted, times=2)
        """What it is worth when a put or a double now made is seen by all."""

    def _worths(self, worth: Worth, times: int = 1) -> Worths:
        seen, standing = self._sight, self.standing
        if worth is not Worth.VALUE:
            return standing.now, 1.0 if standing.is_between_two else float(len(seen.others)), -1.0
        return standing.now, standing.after_point(seen.seat, times), standing.after_loss(seen.others, times)

    @property
    def awaits_last_say(self) -> bool:
        """Whether a hand in which nobody puts will not be played out, but given up."""
        return self.standing.contest is Contest.GIVEN_UP and self._view.putter is None and self._sight.is_duel

    def bluffs(self) -> float:
        """How often, by the custom, one puts with what is too weak for it; between two."""
        return self._others.custom(self._sight.seat, self._sight.others[0]).bluffs

    def hand(self) -> Hand:
        """How the hand stands, and the card to play, if this seat says nothing."""
        seen = self._sight
        hands = []
        for at, card in enumerate((-1,) if seen.waits else seen.mine):
            shares, deals = [0.0, 0.0, 0.0], [0, 0, 0]
            for likely, outcome in zip(self._likely, self._results, strict=True):
                shares[outcome[at]] += likely
                deals[outcome[at]] += 1
            value = sum([share * worth for share, worth in zip(shares, self.silent, strict=True)])
            hands.append(Hand(card, value, shares[1] + shares[0] / 2, not deals[-1], not (deals[-1] or deals[0])))
        if self.awaits_last_say and not seen.waits and not self._view.past:
            weigh = leaving_it if seen.table else having_it
            values = weigh(self._prospect())
            hands = [hand._replace(value=value) for hand, value in zip(hands, values, strict=True)]
        # `mine` is best first, and of cards worth the same the worst is played.
        best = max(hand.value for hand in hands)
        return [hand for hand in hands if hand.value >= best - _SAME][-1]

    def _prospect(self) -> Prospect:
        return Prospect(
            self._sight, self.standing, self._others, self._deals, self._likely, self._results, self.accepted
        )

    def put(self) -> float:
        """What a put, or the offer of a double, is worth."""
        seen = self._sight
        customs = [self._others.custom(seen.seat, other) for other in seen.others]
        drawn, won, lost = self.accepted
        values, of_seen = 0.0, [0.0] * len(self._results[0])
        for number, deal in enumerate(self._deals):
            likely = self._likely[number]
            sees = [sees_with(self._others.shares[place][number], custom) for place, custom in enumerate(customs)]
            if seen.is_duel:
                values += likely * (1 - sees[0]) * self.won
                weight, pay, results = likely * sees[0], won, self._results[number]
            else:
                stay = tuple(o for o, chance in zip(seen.others, sees, strict=True) if self._dice.random() < chance)
                if not stay:
                    values += likely * self.won
                    continue
                is_all = len(stay) == len(seen.others)
                results = self._results[number] if is_all else seen.result_among(deal, stay)
                weight, pay = likely, self._paid(stay, won)
            for at, result in enumerate(results):
                of_seen[at] += weight * (pay if result > 0 else drawn if result == 0 else lost)
        return values + max(of_seen)

    def see(self, putter: int) -> float:
        """How much better it is to see than to throw in; infinite where one of them cannot be worse."""
        seen, view = self._sight, self._view
        # Who sits between the answerer and the putter, at the answerer's left, has not been asked yet.
        yet = seen.others[: seen.others.index(putter)] if putter in seen.others else ()
        thrown, others_see = self.standing.after_point(putter), bool(view.seen_by)
        if thrown <= -1 and not yet and not others_see:
            return float("inf")
        drawn, won, lost = self.accepted
        values, alone = [0.0] * len(self._results[0]), 0.0
        is_safe, is_hopeless = True, True
        customs = [self._others.custom(putter, other) for other in seen.others]
        for number, deal in enumerate(self._deals):
            stay = tuple(
                other
                for place, other in enumerate(seen.others)
                if other not in yet
                or self._dice.random() < sees_with(self._others.shares[place][number], customs[place])
            )
            results = self._results[number] if len(stay) == len(seen.others) else seen.result_among(deal, stay)
            likely = self._likely[number]
            alone += likely * (len(stay) == 1)
            pay = self._paid(stay, won)
            for at, result in enumerate(results):
                values[at] += likely * (pay if result > 0 else drawn if result == 0 else lost)
            is_safe, is_hopeless = is_safe and max(results) >= 0, is_hopeless and max(results) < 0
        if is_safe:
            return float("inf")
        if is_hopeless and seen.is_duel:
            return -float("inf")
        # Who throws in while others play for the game neither wins nor pays: that is worth nothing, either way.
        return max(values) - (0.0 if others_see else alone * thrown)

    def _paid(self, staying: Sequence[int], won: float) -> float:
        """What those who play on pay for a hand won after a put."""
        return won if self.standing.is_between_two else float(len(staying))
