"""The steady player: an honest estimate of the hand, the arithmetic of the game, and a few bluffs.

It considers every deal consistent with its view, assumes that the others play sensibly (`opponent_model`), and takes
the action with the highest value (`action_values`). Between actions of nearly the same value it chooses at random, so
that opponents cannot predict it. It never makes a dominated move. It knows no rule set: the view has the worth of hands
and the legal actions.
"""

from collections.abc import Sequence
from random import Random

from put_protocol.games.put import Double, Moment, Pass, Play, Put, PutAction, PutView, See, ThrowIn, Worth
from put_protocol.games.unions import Choice
from put_protocol.seats import Seat
from put_server.house.player import Player, actions_of, blend
from put_server.house.put.action_values import ActionValues, CardValue
from put_server.house.put.before_play import Mixture, before_play, give_or_let, uniform
from put_server.house.put.observation import Observation, observe, play_of
from put_server.house.put.opponent_model import logistic

_NEARLY = 0.03
"""The better of two choices is taken three times in four if it gains this share of the hand's stakes."""

_CAUTION = 0.02
"""Share that a put must gain to be an even choice: it cannot be taken back, and a later put is possible."""

_HASTE = 0.05
"""Stakes by which the value of waiting for the last say is reduced. Waiting costs next to nothing, but if this player
always waited, opponents could rely on it."""

_BLUFFS = 0.05
"""Rate of puts with a weak hand, at each of its several chances in a hand."""

_WEAK = 0.45
"""Hands with a lower chance are weak: a put with them is a bluff."""

_BLUFF_COST = 0.4
"""Bluffs that cost more stakes than this are not made."""


class Steady(Player):
    def mixture(self, view: PutView, legal: tuple[Choice, ...], seat: Seat) -> Mixture:
        """Probability of each action, without those it never takes.

        Exact for two players with at most three cards. Otherwise it uses sampled deals, and for partners sampled hands.
        """
        actions: list[PutAction] = actions_of(legal)
        if len(actions) == 1:
            return {actions[0]: 1.0}
        wanted = before_play(view, actions, lambda view: give_or_let(view, self._dice))
        if wanted in actions:
            return {wanted: 1.0}
        return self._in_hand(view, actions, seat) or uniform(actions)

    def _in_hand(self, view: PutView, actions: Sequence[PutAction], seat: Seat) -> Mixture | None:
        if not any(isinstance(action, Play | Put | Double | Pass | See | ThrowIn) for action in actions):
            return None
        observation = observe(view, seat)
        if observation is None or (view.moment is Moment.ANSWER) != (See() in actions):
            return None
        if observation.other_plays_next and any(isinstance(action, Play) for action in actions):
            return None
        return _Decision(view, observation, self._dice).mixture(actions)


class _Decision:
    """One decision in a hand: excludes dominated actions, and mixes the rest by value."""

    def __init__(self, view: PutView, observation: Observation, dice: Random) -> None:
        self._view = view
        self._values = ActionValues(view, observation, dice)
        _, won, lost = self._values.if_accepted
        self._scale = min(1.0, (won - lost) / 2)
        """Half of the hand's stakes: at most a game."""

    def mixture(self, actions: Sequence[PutAction]) -> Mixture:
        values, putter = self._values, self._view.putter
        if See() in actions and putter is not None:
            sees = 1.0 if ThrowIn() not in actions else self._preference(values.see_gain(putter))
            return blend(See(), sees, {ThrowIn(): 1.0})
        best = values.best_card()
        rest = [action for action in actions if isinstance(action, Play | Pass)]
        can_throw = ThrowIn() in actions and self._may_throw_in(best, is_bound=not rest)
        choices = ([values.self_throws_in] if can_throw else []) + ([best.value] if rest else [])
        plays = [action for action in rest if isinstance(action, Play)]
        else_ = play_of(plays, self._view.ranking, best.card) if plays else rest[0] if rest else actions[0]
        mixture: Mixture = {else_: 1.0}
        if can_throw:
            mixture = blend(ThrowIn(), self._preference(values.self_throws_in - best.value) if rest else 1.0, mixture)
        put = next((action for action in actions if isinstance(action, Put | Double)), None)
        if put is not None:
            mixture = blend(put, self._put_share(best, max(choices), is_bound=not rest) if choices else 1.0, mixture)
        return mixture

    def _may_throw_in(self, best: CardValue, *, is_bound: bool) -> bool:
        """True if throwing in can be useful. It is not if it loses the game, or gives up what costs nothing to keep."""
        values = self._values
        if best.is_safe or values.self_throws_in <= -1:
            return False
        return is_bound or (not values.awaits_last_say and values.if_silent[-1] < values.self_throws_in)

    def _put_share(self, best: CardValue, otherwise: float, *, is_bound: bool) -> float:
        """Probability to put. `otherwise`: value of the best other action. `is_bound`: the only other action is to
        throw in."""
        values, is_invitation = self._values, self._view.plain is Worth.GAME
        if best.is_safe and (is_bound or not (values.awaits_last_say or is_invitation)):
            return 1.0
        if not is_bound and not values.awaits_last_say and values.utility.is_between_two:
            _, won, lost = values.if_silent
            if best.value >= otherwise and values.others_throw_in >= won and lost <= values.if_accepted[-1]:
                # Seen or not, it costs nothing.
                return 1.0
            if best.is_won and values.others_throw_in < won:
                # An offer to give up less than is won.
                return 0.0
        if not is_bound and values.others_throw_in >= values.if_accepted[1] and not is_invitation:
            # A point wins as much as the put, which could lose more.
            return 0.0
        gain = values.put_value() - otherwise + (_HASTE if values.awaits_last_say and not is_bound else 0.0)
        if best.chance < _WEAK and not (is_invitation and gain > 0):
            often = max(_BLUFFS, min(0.5, values.bluff_rate())) if is_bound else _BLUFFS
            return often if gain > -_BLUFF_COST else 0.0
        return self._preference(gain - (0.0 if is_bound else _CAUTION * self._scale))

    def _preference(self, gain: float) -> float:
        """A probability that grows with the gain."""
        return logistic(gain / (_NEARLY * self._scale))
