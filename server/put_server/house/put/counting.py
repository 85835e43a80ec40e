"""Counts of the Put family: the cards that beat one, and the deals in which the hand is won."""

from random import Random

from put_protocol.cards import rank_of
from put_protocol.games.put import Play, PutAction, PutView
from put_protocol.seats import Seat
from put_server.house.count import Count
from put_server.house.put.action_values import ActionValues
from put_server.house.put.observation import observe


def count(view: PutView, action: PutAction, seat: Seat, dice: Random | None) -> Count:
    """Deals count as the others' puts and silence make them likely; draws count half."""
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
