"""The beginner: a player that considers only its own cards. It never bluffs, and assumes that others never do.

It leads its best card and takes a trick as cheaply as it can. At any score it puts with a strong hand and sees with a
good one, but it sees with any hand if throwing in would lose the game. It uses no random numbers: it always plays the
same cards in the same way, so opponents can predict it.
"""

from collections.abc import Sequence

from put_protocol.cards import rank_of
from put_protocol.games.put import Double, Give, Let, Moment, Pass, Play, Put, PutAction, PutView, See, ThrowIn, Worth
from put_protocol.games.unions import Choice
from put_protocol.seats import Seat
from put_server.house.player import Player, actions_of
from put_server.house.put.before_play import Mixture, before_play, uniform
from put_server.house.put.hand_evaluation import reply
from put_server.house.put.observation import Observation, observe, play_of

_STRONG = 0.8
"""Least chance to win, judged by its own cards, to put."""
_GOOD = 0.6
"""Least chance to see."""
_EVEN = 0.5
"""Least chance to put if it must put or throw in."""
_HOPELESS = 0.2
"""Greatest chance to throw in a hand that would cost the game."""


class Beginner(Player):
    def mixture(self, view: PutView, legal: tuple[Choice, ...], seat: Seat) -> Mixture:
        """Its one action; if it does not understand the decision, any action except giving up."""
        actions: list[PutAction] = actions_of(legal)
        wanted = before_play(view, actions, _give_or_let)
        if wanted is None:
            observation = observe(view, seat)
            if observation is not None and observation.held:  # with no card left it wants to know, and sees
                wanted = _in_hand(view, observation, actions)
        return {wanted: 1.0} if wanted in actions else uniform(actions)


def _give_or_let(view: PutView) -> Give | Let:
    """Give with fewer than two high cards: one high card helps a partner."""
    high = len(view.ranking) // 2
    return Give() if sum(view.ranking.index(rank_of(card)) < high for card in view.cards) < 2 else Let()


def _in_hand(view: PutView, observation: Observation, actions: Sequence[PutAction]) -> PutAction | None:
    against = [other for other in observation.others if view.moment is not Moment.ANSWER or other == view.putter]
    chance = observation.strengths(observation.seat, [observation.held])[0] ** max(1, len(against))
    if See() in actions:
        loses = view.putter is not None and view.scores[view.putter] + view.value >= view.target
        return See() if chance >= _GOOD or (loses and not view.seen_by) else ThrowIn()
    put = next((action for action in actions if isinstance(action, Put | Double)), None)
    plays = [action for action in actions if isinstance(action, Play)]
    if not plays and ThrowIn() in actions:
        return put if chance >= _EVEN and put is not None else ThrowIn()
    if put is not None and chance >= _STRONG and view.plain is not Worth.GAME:
        return put
    if ThrowIn() in actions and chance <= _HOPELESS and view.plain is Worth.GAME:
        return ThrowIn()
    if not plays:
        return Pass()
    led = max([card for _, card in observation.table], default=None)
    card = observation.held[0] if led is None else reply(observation.held, led)
    return play_of(plays, view.ranking, card)
