"""The steady player: an honest estimate of the hand, the arithmetic of the game, and a few bluffs.

It weighs every deal that fits what it sees, takes the others for sensible people (`customs`), and does what is worth
most. Where two things are worth nearly the same it lets its dice choose, so that it cannot be read. It never makes a
move that another one beats whatever the others hold. It knows no rule set: only what the view says that hands are
worth, and what it may do.
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
from put_server.house.action_values import Hand, Weighing
from put_server.house.observation import Sight, sight
from put_server.house.opponent_model import rise
from put_server.house.player import Mixture, drawn, either, evenly

_NEARLY = 0.03
"""Between two choices, the better one is taken three times in four if it gains so much of what the hand may decide."""

_CAUTION = 0.02
"""What a put must gain before it is an even choice, likewise: it cannot be taken back, and silence can be broken
later."""

_HASTE = 0.05
"""Stakes by which waiting for the last say is taken to be worth less than it seems. It costs next to nothing, and a put
that never came before could be counted on never to come."""

_BLUFFS = 0.05
"""How often a hand that would rather not be seen puts, at any one chance it has. There are several in a hand."""

_WEAK = 0.45
"""Hands less likely to win than this are weak; a put with them is a bluff."""

_BLUFF_COST = 0.4
"""Stakes beyond which a bluff is too dear, the hand being so likely to be seen."""


class Steady:
    """A player for Put and its cousins. Its dice are its only memory."""

    def __init__(self, dice: Random) -> None:
        self._dice = dice

    def choose(self, view: GameView, legal: tuple[Choice, ...], seat: Seat) -> Action:
        """One of the legal actions, which must not be none."""
        return drawn(self.mixture(view, legal, seat), self._dice)

    def mixture(self, view: GameView, legal: tuple[Choice, ...], seat: Seat) -> Mixture:
        """How likely it does what; what it never does is left out.

        Exact between two with three cards at most. Of more it looks at some deals by chance, and answers for these; so
        too of what a partner may hold.
        """
        actions = [choice.action for choice in legal]
        if len(actions) == 1:
            return {actions[0]: 1.0}
        wanted = self._before(view, actions)
        if wanted is not None:
            return {wanted: 1.0}
        return self._in_hand(view, actions, seat) or evenly(actions)

    def _before(self, view: GameView, actions: Sequence[Action]) -> Action | None:
        """What to do if the hand is not yet in play."""
        wanted: Action | None = None
        discards = [action for action in actions if isinstance(action, Discard)]
        if discards:
            wanted = before_play.discard(view, discards)
        elif Redeal() in actions:
            wanted = before_play.verdict(view)
        elif (Give() in actions or Let() in actions) and view.cards and view.ranking:
            wanted = before_play.gift(view, self._dice)
        return wanted if wanted in actions else None

    def _in_hand(self, view: GameView, actions: Sequence[Action], seat: Seat) -> Mixture | None:
        if not any(isinstance(action, Play | Put | Double | Pass | See | ThrowIn) for action in actions):
            return None
        seen = sight(view, seat)
        if seen is None or (view.moment is Moment.ANSWER) != (See() in actions):
            return None
        if seen.waits and any(isinstance(action, Play) for action in actions):
            return None
        return _Decision(view, seen, self._dice).among(actions)


class _Decision:
    """One decision in a hand: what is never worth doing, and a choice among the rest."""

    def __init__(self, view: GameView, seen: Sight, dice: Random) -> None:
        self._view = view
        self._weighing = Weighing(view, seen, dice)
        _, won, lost = self._weighing.accepted
        self._scale = min(1.0, (won - lost) / 2)
        """Half of what the hand may decide, in stakes: a game at most."""

    def among(self, actions: Sequence[Action]) -> Mixture:
        """The choice."""
        weighing, putter = self._weighing, self._view.putter
        if See() in actions and putter is not None:
            sees = 1.0 if ThrowIn() not in actions else self._prefers(weighing.see(putter))
            return either(See(), sees, {ThrowIn(): 1.0})
        hand = weighing.hand()
        rest = [action for action in actions if isinstance(action, Play | Pass)]
        can_throw = ThrowIn() in actions and self._may_throw(hand, is_bound=not rest)
        choices = ([weighing.lost] if can_throw else []) + ([hand.value] if rest else [])
        plays = [action for action in rest if isinstance(action, Play)]
        else_ = _play(plays, self._view.ranking, hand.card) if plays else rest[0] if rest else actions[0]
        mixture: Mixture = {else_: 1.0}
        if can_throw:
            mixture = either(ThrowIn(), self._prefers(weighing.lost - hand.value) if rest else 1.0, mixture)
        put = next((action for action in actions if isinstance(action, Put | Double)), None)
        if put is not None:
            mixture = either(put, self._puts(hand, max(choices), is_bound=not rest) if choices else 1.0, mixture)
        return mixture

    def _may_throw(self, hand: Hand, *, is_bound: bool) -> bool:
        """Whether throwing in can be of use: it may be the loss of the game, or of what silence keeps for nothing."""
        weighing = self._weighing
        if hand.is_safe or weighing.lost <= -1:
            return False
        return is_bound or (not weighing.awaits_last_say and weighing.silent[-1] < weighing.lost)

    def _puts(self, hand: Hand, best: float, *, is_bound: bool) -> float:
        """How likely it puts.

        `best` is what there is to be had without it; `is_bound`: the only other choice is to throw in.
        """
        weighing, is_invitation = self._weighing, self._view.plain is Worth.GAME
        if hand.is_safe and (is_bound or not (weighing.awaits_last_say or is_invitation)):
            return 1.0
        if not is_bound and not weighing.awaits_last_say and weighing.standing.is_between_two:
            _, won, lost = weighing.silent
            if hand.value >= best and weighing.won >= won and lost <= weighing.accepted[-1]:
                # Seen or not, it costs nothing.
                return 1.0
            if hand.is_won and weighing.won < won:
                # An offer to give up less than is won.
                return 0.0
        if not is_bound and weighing.won >= weighing.accepted[1] and not is_invitation:
            # A point wins as much as the put, which could lose more.
            return 0.0
        gain = weighing.put() - best + (_HASTE if weighing.awaits_last_say and not is_bound else 0.0)
        if hand.chance < _WEAK and not (is_invitation and gain > 0):
            often = max(_BLUFFS, min(0.5, weighing.bluffs())) if is_bound else _BLUFFS
            return often if gain > -_BLUFF_COST else 0.0
        return self._prefers(gain - (0.0 if is_bound else _CAUTION * self._scale))

    def _prefers(self, gain: float) -> float:
        """The likelier the more it gains."""
        return rise(gain / (_NEARLY * self._scale))


def _play(plays: Sequence[Play], ranking: Sequence[str], card: int) -> Play:
    """The card of this strength; of several, one is as good as another."""
    rank = ranking[len(ranking) - 1 - card]
    return next((play for play in plays if rank_of(play.card) == rank), plays[-1])
