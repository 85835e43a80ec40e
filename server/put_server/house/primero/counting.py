"""Counts of Primero: the deals in which the pot is won."""

from random import Random

from put_protocol.games.primero import PrimeroAction, PrimeroView, Vada
from put_protocol.seats import Seat
from put_server.house.count import Count
from put_server.house.primero.bet_values import BetValues
from put_server.house.primero.deals import ends_of_others
from put_server.house.primero.four_cards import strength
from put_server.house.primero.observation import observe

_DEALS = 200


def count(view: PrimeroView, action: PrimeroAction, seat: Seat, dice: Random | None) -> Count:
    """Deals are sampled; all who are in trade as a plain rule says, and then show their cards."""
    observation = observe(view, seat)
    if observation is None or dice is None or len(observation.cards) not in (2, 4):
        return Count()
    if isinstance(action, Vada):
        now = ends_of_others(observation, observation.others, _DEALS, dice, trade=False)
        return Count("pot", now[strength(*observation.cards)], worth=observation.pot)
    return Count("pot", BetValues(observation, _DEALS, dice).wins(len(observation.others)), worth=observation.pot)
