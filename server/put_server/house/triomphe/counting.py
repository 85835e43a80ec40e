"""Counts of Triomphe Forcée: the cards that beat one, and the deals in which the pool is won."""

from random import Random

from put_protocol.games.triomphe import Play, TriompheView
from put_protocol.seats import Seat
from put_server.house.count import Count
from put_server.house.triomphe.reading import read
from put_server.house.triomphe.sampling import chance
from put_server.house.triomphe.tarot import FOOL, NUMBERS, beats

_DEALS = 200


def count(view: TriompheView, action: Play, seat: Seat, dice: Random | None) -> Count:
    """Deals are sampled."""
    position, card = read(view, seat), NUMBERS[action.card]
    wins = None if dice is None else chance(position, card, _DEALS, dice)
    if card == FOOL or position.trick.left == 1 or not beats(card, position.trick.best):
        return Count("pool", wins)
    held = [*position.unseen, *(other for known in position.known for other in known)]
    return Count("pool", wins, sum(beats(other, card) for other in held), len(held))
