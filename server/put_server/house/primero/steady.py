"""The steady player: it samples hands of the others, counts all draws of its own cards, and weighs the pot.

It deals the cards it has not seen to the players who are in, again and again, in keeping with their announcements and
trades. These deals give each hand's chance to win at the end; its own draws are then counted one by one, not sampled.
It weighs the gain of a bet against its cost, and knows that a bet which no player takes is withdrawn. Now and then it
bluffs: with a bet or raise on weak cards, and by announcing more than it has.
"""

from put_protocol.games.primero import (
    Announce,
    Category,
    GoOn,
    Moment,
    Pass,
    PrimeroAction,
    PrimeroView,
    Refuse,
    See,
    Stand,
    Vada,
)
from put_protocol.games.unions import Choice
from put_protocol.seats import Seat
from put_server.house.player import MixingPlayer, actions_of, blend
from put_server.house.primero import legal_moves
from put_server.house.primero.bet_values import BetValues
from put_server.house.primero.deals import ends_of_others
from put_server.house.primero.drawing import best_first_trade, best_trade
from put_server.house.primero.four_cards import PRIMERO, category_of, strength
from put_server.house.primero.observation import Observation, observe
from put_server.house.primero.practice import practised

_DEALS = 60
"""Deals sampled for a decision."""
_BLUFFS = 0.04
"""Share of cases in which it bets or raises on weak cards."""
_LIES = 0.2
"""Share of cases in which it announces more than it has."""
_BETS_TO_COME = 0.15
"""Gain in bets of a later showdown, as a share of the limit."""


class Steady(MixingPlayer):
    """A player for Primero. Its dice are its only memory."""

    def mixture(self, view: PrimeroView, legal: tuple[Choice, ...], seat: Seat) -> legal_moves.Mixture:
        """Frequency of each action, by the deals that it samples."""
        actions: list[PrimeroAction] = actions_of(legal)
        observation = observe(view, seat)
        if observation is None or len(actions) == 1:
            return {actions[0]: 1.0}
        if len(observation.cards) == 2:
            wanted = self._open(observation, actions) if See() not in actions else self._answer(observation, actions)
        elif len(observation.cards) == 4:
            wanted = self._with_four(observation, actions)
        else:
            wanted = {}
        return wanted if wanted and all(action in actions for action in wanted) else legal_moves.uniform(actions)

    def _open(self, observation: Observation, actions: list[PrimeroAction]) -> legal_moves.Mixture:
        values = BetValues(observation, _DEALS, self._dice)
        bets: dict[PrimeroAction, float] = {bid: values.first_bet(bid.amount) for bid in legal_moves.bids(actions)}
        if not bets:
            return {}
        best = max(bets, key=bets.__getitem__)
        one, two = observation.cards
        laid = best_first_trade((one, two), observation.unseen, practised()).laid
        trade = legal_moves.trade(actions, laid)
        if trade is None:
            return {best: 1.0}
        if bets[best] > values.after_trade(laid):
            return {best: 1.0}
        return blend(best, _BLUFFS, {trade: 1.0})

    def _bet(self, observation: Observation, actions: list[PrimeroAction]) -> legal_moves.Mixture:
        """Bet or pass, with four cards."""
        values = BetValues(observation, _DEALS, self._dice)
        return _best({bid: values.bet(bid.amount) for bid in legal_moves.bids(actions)}, Pass(), values.nothing())

    def _answer(self, observation: Observation, actions: list[PrimeroAction]) -> legal_moves.Mixture:
        """See a bet, raise it or refuse it."""
        values = BetValues(observation, _DEALS, self._dice)
        raises: dict[PrimeroAction, float] = {}
        if not observation.raised:  # it raises once, and leaves it to others to raise again
            raises = {bid: values.bet(bid.amount) for bid in legal_moves.bids(actions)}
        sees, refuses = values.see(), values.refuse()
        if Refuse() not in actions or sees >= refuses:
            return _best(raises, See(), sees)
        return _best(raises, Refuse(), refuses)

    def _with_four(self, observation: Observation, actions: list[PrimeroAction]) -> legal_moves.Mixture:
        strong = strength(*observation.cards)
        match observation.moment:
            case Moment.VADA:
                return self._vada(observation, strong)
            case Moment.ANNOUNCE:
                return _announce(strong, actions)
            case Moment.TRADE:
                chance = ends_of_others(observation, observation.others, 2 * _DEALS, self._dice)
                laid = best_trade(observation.cards, observation.unseen, chance).laid
                return {legal_moves.first_legal(actions, legal_moves.trade(actions, laid), Stand()): 1.0}
            case Moment.BET:
                return self._bet(observation, actions)
            case _:
                return self._answer(observation, actions)

    def _vada(self, observation: Observation, strong: int) -> legal_moves.Mixture:
        """An immediate showdown, unless the cards win as well later, with bets."""
        now = ends_of_others(observation, observation.others, _DEALS, self._dice, trade=False)[strong]
        chance = ends_of_others(observation, observation.others, _DEALS, self._dice)
        later = best_trade(observation.cards, observation.unseen, chance).worth
        gain = (now - later) * observation.pot
        return {Vada() if gain >= _BETS_TO_COME * observation.limit else GoOn(): 1.0}


def _best(bids: dict[PrimeroAction, float], otherwise: PrimeroAction, worth: float) -> legal_moves.Mixture:
    """The best of these; now and then a bet that is not."""
    if not bids:
        return {otherwise: 1.0}
    best = max(bids, key=bids.__getitem__)
    if bids[best] > worth:
        return blend(best, 0.9, {otherwise: 1.0})
    return blend(best, _BLUFFS, {otherwise: 1.0})


def _announce(strong: int, actions: list[PrimeroAction]) -> legal_moves.Mixture:
    """Announce the hand that it has; now and then a better one."""
    own = legal_moves.announcement(actions, category_of(strong))
    if own is None:
        return {}
    lies: list[PrimeroAction] = [
        Announce(category) for category in (Category.PRIMERO, Category.SUPREMUS, Category.FLUXUS)
    ]
    lies = [lie for lie in lies if lie in actions and lie != own] if strong < PRIMERO else []
    rest: legal_moves.Mixture = {own: 1.0 - _LIES if lies else 1.0}
    return rest | {lie: _LIES / len(lies) for lie in lies}
