"""The beginner: looks at its own cards, and does what they are worth. It never bluffs, and believes nobody does.

It plays its best card to a lead and takes a trick as cheaply as it can. It puts on a strong hand and sees on a good
one, whatever the score, except that it sees anything where throwing in would lose the game. No dice: the same cards are
always played alike, and so it can be read.
"""

from collections.abc import Sequence
from random import Random

from put_protocol.cards import rank_of
from put_protocol.games.put import (
    Discard,
    Double,
    Give,
    Let,
    Moment,
    Pass,
    Play,
    Put,
    Redeal,
    See,
    ThrowIn,
    Worth,
)
from put_protocol.games.unions import (
    Action,
    Choice,
    GameView,
)
from put_protocol.seats import Seat
from put_server.house import before_play
from put_server.house.hand_evaluation import reply
from put_server.house.observation import Sight, sight
from put_server.house.player import Mixture, drawn, evenly

_STRONG = 0.8
"""Chances, by its own cards alone, from which it puts."""
_GOOD = 0.6
"""From which it sees."""
_EVEN = 0.5
"""From which it puts where it must put or throw in."""
_HOPELESS = 0.2
"""Up to which it throws in a hand that would cost the game."""


class Beginner:
    """A player for Put and its cousins."""

    def __init__(self, dice: Random) -> None:
        self._dice = dice

    def choose(self, view: GameView, legal: tuple[Choice, ...], seat: Seat) -> Action:
        """One of the legal actions, which must not be none."""
        return drawn(self.mixture(view, legal, seat), self._dice)

    def mixture(self, view: GameView, legal: tuple[Choice, ...], seat: Seat) -> Mixture:
        """What it does, for certain; where it does not understand what is asked, anything but giving up."""
        actions = [choice.action for choice in legal]
        wanted = _before(view, actions)
        if wanted is None:
            seen = sight(view, seat)
            wanted = None if seen is None else _in_hand(view, seen, actions)
        return {wanted: 1.0} if wanted in actions else evenly(actions)


def _before(view: GameView, actions: Sequence[Action]) -> Action | None:
    discards = [action for action in actions if isinstance(action, Discard)]
    if discards:
        return before_play.discard(view, discards)
    if Redeal() in actions:
        return before_play.verdict(view)
    if Give() in actions and view.cards and view.ranking:
        # One high card and nothing beside it is what a partner can use.
        high = len(view.ranking) // 2
        return Give() if sum(view.ranking.index(rank_of(card)) < high for card in view.cards) < 2 else Let()
    return None


def _in_hand(view: GameView, seen: Sight, actions: Sequence[Action]) -> Action | None:
    against = [other for other in seen.others if view.moment is not Moment.ANSWER or other == view.putter]
    chance = seen.strengths(seen.seat, [seen.held])[0] ** max(1, len(against))
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
    led = max([card for _, card in seen.table], default=None)
    card = seen.held[0] if led is None else reply(seen.held, led)
    rank = view.ranking[len(view.ranking) - 1 - card]
    return next((play for play in plays if rank_of(play.card) == rank), plays[0])
