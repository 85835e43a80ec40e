"""The steady player: an honest estimate of the hand, the arithmetic of the game, and a few bluffs.

It weighs every deal that fits what it sees, takes the others for sensible people (`standing`), and does what is worth
most. Where two things are worth nearly the same it lets its dice choose, so that it cannot be read. It never makes a
move that another one beats whatever the others hold.
"""

from collections.abc import Sequence
from math import exp
from random import Random
from typing import NamedTuple

from put_protocol.actions import Action, Choice, Play, Put, See, ThrowIn
from put_protocol.cards import rank_of
from put_protocol.seats import Seat
from put_protocol.views import GameView, Moment
from put_server.house.sight import Deal, Sight, sight
from put_server.house.standing import Custom, Standing

_SAMPLES = 48
"""Deals looked at where they are too many to look at all: a good four-handed decision in some milliseconds."""

_SAME = 1e-9
"""Stakes within which two values are the same: errors of rounding are smaller, differences that matter larger."""

_NEARLY = 0.03
"""Stakes between two choices at which the better one is taken three times in four."""

_BLUFFS = 0.05
"""How often a hand that would rather not be seen puts, at any one chance it has. There are several in a hand."""

_WEAK = 0.45
"""Hands less likely to win than this are weak; a put with them is a bluff."""

_EDGE = 0.06
"""Strengths over which people change from throwing in to seeing, or from silence to putting."""

_BRAVADO = 0.5
"""How often people are thought to put with any hand, for each time with a strong one. More than they do: who takes a
put at its word is put out of his cards by whoever puts with everything."""

_BLUFF_COST = 0.4
"""Stakes beyond which a bluff is too dear, the hand being so likely to be seen."""

_CAUTION = 0.02
"""Stakes a put must gain before it is an even choice: it cannot be taken back, and silence can be broken later."""

_PUTS_AT_MOST = 0.75
"""The strength from which people put even where the model would have them wait for more."""

_HOPELESS = 0.08
"""The chance below which a hand is thrown in instead of led to, where a rule set lets one."""

_CROWD_SEES = 0.8
_CROWD_PUTS = 0.85
"""With three and more: the strengths from which one sees, and puts. More must be beaten than between two."""


class Steady:
    """A player for Put and, less well, for its cousins. Its dice are its only memory."""

    def __init__(self, dice: Random) -> None:
        self._dice = dice

    def choose(self, view: GameView, legal: tuple[Choice, ...], seat: Seat) -> Action:
        """One of the legal actions, which must not be none."""
        actions = [choice.action for choice in legal]
        if len(actions) == 1:
            return actions[0]
        seen = sight(view, seat)
        if seen is None or seen.is_asked != any(isinstance(action, See) for action in actions):
            return self._guess(actions)
        return _Decision(view, seen, self._dice).among(actions)

    def _guess(self, actions: Sequence[Action]) -> Action:
        """Anything but giving up."""
        return self._dice.choice([a for a in actions if not isinstance(a, ThrowIn)] or list(actions))


class _Decision:
    """One decision: the deals that may be, and what each choice is worth, in stakes."""

    def __init__(self, view: GameView, seen: Sight, dice: Random) -> None:
        self._view = view
        self._sight = seen
        self._dice = dice
        self._standing = Standing(scores=view.scores, target=view.target, seat=seen.seat)
        deals = seen.deals(dice, _SAMPLES)
        total = sum(deal.weight for deal in deals)
        self._deals = [Deal(deal.weight / total, deal.hands) for deal in deals]
        self._places = [self._ranked(place) for place in range(len(seen.others))]
        self._results = seen.results(self._deals)
        """If nobody throws in any more."""

    def among(self, actions: Sequence[Action]) -> Action:
        """The choice."""
        put = next((a for a in actions if isinstance(a, Put)), None)
        see = next((a for a in actions if isinstance(a, See)), None)
        throw_in = next((a for a in actions if isinstance(a, ThrowIn)), None)
        plays = [a for a in actions if isinstance(a, Play)]
        silent = [a for a in actions if a not in (put, see, throw_in, *plays)]
        if see is not None:
            return see if throw_in is None or self._sees() else throw_in
        hand = self._hand()
        if put is not None and self._puts(hand, is_bound=not (plays or silent)):
            return put
        if throw_in is not None and (not (plays or silent) or self._is_hopeless(hand)):
            return throw_in
        if plays:
            return _play(plays, self._view.ranking, hand.card)
        return self._dice.choice(silent or list(actions))

    # --- what the others are thought to do ---

    def _ranked(self, place: int) -> list[float]:
        """For each deal, which share of what this other may hold is weaker than what he holds in it."""
        other = self._sight.others[place]
        strengths = self._sight.strengths(other, [deal.hands[place] for deal in self._deals])
        order = sorted(range(len(strengths)), key=strengths.__getitem__)
        shares, below, at = [0.0] * len(order), 0.0, 0
        while at < len(order):
            end = at
            while end < len(order) and strengths[order[end]] == strengths[order[at]]:
                end += 1
            equal = sum(self._deals[i].weight for i in order[at:end])
            for i in order[at:end]:
                shares[i] = below + equal / 2
            below, at = below + equal, end
        return shares

    def _custom(self, putter: int, other: int) -> Custom:
        if len(self._view.scores) == 2:
            return self._standing.custom(putter, other)
        is_last = self._standing.is_last_point(putter)
        return Custom(puts_from=_CROWD_PUTS, bluffs_below=_BRAVADO, sees_from=0.5 if is_last else _CROWD_SEES)

    def _likely(self, number: int) -> float:
        """How likely a deal is, by what the others said in this hand."""
        likely, putter = self._deals[number].weight, self._view.putter
        if putter is None:
            return likely
        for place, other in enumerate(self._sight.others):
            share = self._places[place][number]
            if other == putter:
                likely *= _puts_with(share, self._custom(putter, self._sight.seat))
            elif other in self._view.seen_by:
                likely *= _sees_with(share, self._custom(putter, other))
        return likely

    # --- the choices ---

    def _hand(self) -> "_Hand":
        """How the hand stands, and the card to play if nobody says anything more."""
        seen, standing, is_put = self._sight, self._standing, self._view.putter is not None
        worth = {1: float(len(seen.others)), 0: standing.now, -1: -1.0}
        if not is_put:
            worth = {1: standing.after_point(seen.seat), 0: standing.now, -1: standing.after_loss(seen.others)}
        likely = [self._likely(number) for number in range(len(self._deals))]
        total = sum(likely)
        hands = []
        for at, card in enumerate(seen.mine):
            shares = {1: 0.0, 0: 0.0, -1: 0.0}
            for share, outcome in zip(likely, self._results, strict=True):
                shares[outcome[at]] += share
            value = sum(shares[result] * worth[result] for result in shares) / total
            hands.append(_Hand(card, value, (shares[1] + shares[0] / 2) / total, shares[-1] <= 0))
        # `mine` is best first, and of cards worth the same the worst is played.
        best = max(hand.value for hand in hands)
        return [hand for hand in hands if hand.value >= best - _SAME][-1]

    def _puts(self, hand: "_Hand", *, is_bound: bool) -> bool:
        """`is_bound`: the only other choice is to throw in."""
        seen, standing = self._sight, self._standing
        lost = standing.after_loss(seen.others)
        if hand.is_safe or (is_bound and lost <= -1):
            return True
        if is_bound:
            return self._prefers(self._put() - lost)
        if standing.is_last_point(seen.seat):
            # He wins with the hand as much as with the put, and could lose more.
            return False
        if len(self._view.scores) == 2 and lost <= -1:
            # The hand lost is the game lost, put or no put.
            return True
        gain = self._put() - hand.value
        if hand.chance < _WEAK:
            return gain > -_BLUFF_COST and self._dice.random() < _BLUFFS
        return self._prefers(gain - _CAUTION)

    def _put(self) -> float:
        """What a put is worth."""
        seen, standing = self._sight, self._standing
        refused = standing.after_point(seen.seat)
        customs = [self._custom(seen.seat, other) for other in seen.others]
        values, of_seen = 0.0, [0.0] * len(seen.mine)
        drawn = standing.now
        for number, deal in enumerate(self._deals):
            sees = [_sees_with(self._places[place][number], custom) for place, custom in enumerate(customs)]
            if seen.is_duel:
                values += deal.weight * (1 - sees[0]) * refused
                weight, pay, results = deal.weight * sees[0], 1.0, self._results[number]
            else:
                stay = tuple(o for o, chance in zip(seen.others, sees, strict=True) if self._dice.random() < chance)
                if not stay:
                    values += deal.weight * refused
                    continue
                weight, pay, results = deal.weight, float(len(stay)), seen.result_among(deal, stay)
            for at, result in enumerate(results):
                of_seen[at] += weight * (pay if result > 0 else drawn if result == 0 else -1.0)
        return values + max(of_seen)

    def _sees(self) -> bool:
        seen, standing, view = self._sight, self._standing, self._view
        putter = view.putter
        if putter is None:
            return True
        # Who sits between the answerer and the putter, at his left, has not been asked yet.
        yet = seen.others[: seen.others.index(putter)] if putter in seen.others else ()
        thrown, others_see = standing.after_point(putter), bool(view.seen_by)
        if thrown <= -1 and not yet and not others_see:
            return True
        drawn, total, value, alone, worst, best = standing.now, 0.0, 0.0, 0.0, 1, -1
        customs = [self._custom(putter, other) for other in seen.others]
        for number, deal in enumerate(self._deals):
            stay = tuple(
                other
                for place, other in enumerate(seen.others)
                if other not in yet or self._dice.random() < _sees_with(self._places[place][number], customs[place])
            )
            (result,) = self._results[number] if len(stay) == len(seen.others) else seen.result_among(deal, stay)
            likely = self._likely(number)
            total += likely
            value += likely * (len(stay) if result > 0 else drawn if result == 0 else -1)
            alone += likely * (len(stay) == 1)
            worst, best = min(worst, result), max(best, result)
        if worst >= 0 or (best < 0 and seen.is_duel):
            return worst >= 0
        # Who throws in while others play for the game neither wins nor pays: that is worth nothing, either way.
        return self._prefers((value - (0.0 if others_see else alone * thrown)) / total)

    def _is_hopeless(self, hand: "_Hand") -> bool:
        """Where a hand may be thrown in instead of led to: only if it is all but lost, and the game is not."""
        lost = self._standing.after_loss(self._sight.others)
        return self._view.moment is Moment.LEAD and hand.chance < _HOPELESS and lost > -1

    def _prefers(self, gain: float) -> bool:
        """Yes, the likelier the more it gains."""
        return self._dice.random() < _rise(gain / _NEARLY)


class _Hand(NamedTuple):
    """A hand, if this card is played next."""

    card: int
    value: float
    chance: float
    """To win it, a draw being half."""
    is_safe: bool
    """Whatever the others hold, it is not lost."""


def _rise(x: float) -> float:
    """From 0 through a half at 0 to 1."""
    return 1 / (1 + exp(-max(-60.0, min(60.0, x))))


def _sees_with(share: float, custom: Custom) -> float:
    """How likely one sees with a hand that is better than this share of those he may hold."""
    return 1.0 if custom.sees_from <= 0 else _rise((share - custom.sees_from) / _EDGE)


def _puts_with(share: float, custom: Custom) -> float:
    """How likely one puts with it. People put with less than the model would, and with anything now and then."""
    bluffs = max(_BRAVADO, custom.bluffs_below)
    if custom.puts_from <= 0:
        return 1.0
    return bluffs + (1 - bluffs) * _rise((share - min(custom.puts_from, _PUTS_AT_MOST)) / _EDGE)


def _play(plays: Sequence[Play], ranking: Sequence[str], strength: int) -> Play:
    """The card of this strength; of several, one is as good as another."""
    rank = ranking[len(ranking) - 1 - strength]
    return next((play for play in plays if rank_of(play.card) == rank), plays[-1])
