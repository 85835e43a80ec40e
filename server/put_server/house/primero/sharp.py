"""The sharp player: a steady one that bets more on good cards.

Before the last trades the pot is mostly so large that a bet of the whole limit is cheap beside it, and every player who
is in takes it. So with four cards that win clearly more than their share, one hand in as many as are in, it bets and
raises the whole limit as often as the rules allow; a steady player raises once. With one other left that gains nothing:
a bet can then be refused at no cost.
"""

from put_protocol.games.primero import Moment, PrimeroView
from put_protocol.games.unions import Choice
from put_protocol.seats import Seat
from put_server.house.player import actions_of
from put_server.house.primero import legal_moves
from put_server.house.primero.deals import end_of_one
from put_server.house.primero.drawing import best_trade
from put_server.house.primero.observation import Observation, observe
from put_server.house.primero.steady import Steady

_DEALS = 120
"""Deals sampled to see how good the cards are."""
_GOOD = 1.4
"""Cards are good if they win so many times their share, one hand in as many as are in."""


class Sharp(Steady):
    """A player for Primero. Its dice are its only memory."""

    def mixture(self, view: PrimeroView, legal: tuple[Choice, ...], seat: Seat) -> legal_moves.Mixture:
        """The highest bet with good cards, else the mixture of a steady player."""
        observation = observe(view, seat)
        if observation is not None and len(observation.cards) == 4 and len(observation.others) > 1:
            bid = legal_moves.bid(actions_of(legal), observation.limit)
            if bid is not None and observation.moment in (Moment.BET, Moment.ANSWER) and self._is_good(observation):
                return {bid: 1.0}
        return super().mixture(view, legal, seat)

    def _is_good(self, observation: Observation) -> bool:
        others = len(observation.others)
        thrown = self._dice.getstate()  # judging throws no dice: else it plays like a steady player, throw by throw
        beats = end_of_one(observation, observation.others, _DEALS, self._dice)
        self._dice.setstate(thrown)
        chance = [beat**others for beat in beats]
        return (others + 1) * best_trade(observation.cards, observation.unseen, chance).worth >= _GOOD
