"""The worth of silence while somebody is still to have the last say: after the first trick, to put or throw in.

Between two only. Nothing is lost by waiting but the chance that the other puts first: to a put one may always throw in.
"""

from collections.abc import Sequence
from typing import NamedTuple

from put_server.house.observation import Deal, Results, Sight
from put_server.house.others import Others, sees_with, speaks_with
from put_server.house.score_values import Standing
from put_server.house.strength import reply, strength


class Prospect(NamedTuple):
    """What the seat to move has before it. Lists have an item a deal."""

    seen: Sight
    standing: Standing
    others: Others
    deals: Sequence[Deal]
    likely: Sequence[float]
    results: Sequence[Results]
    accepted: Sequence[float]
    """What a put that was seen is worth if the hand is drawn, won, lost: in this order, so that a result finds it."""


def having_it(prospect: Prospect) -> list[float]:
    """What leading each card is worth to whoever will have the last say, and leads now."""
    seen, standing = prospect.seen, prospect.standing
    other = seen.others[0]
    theirs, mine = prospect.others.custom(other, seen.seat), prospect.others.custom(seen.seat, other)
    won, lost = standing.after_point(seen.seat), standing.after_point(other)
    puts, refused, plays_on = [], [], []
    for likely, share in zip(prospect.likely, prospect.others.shares[0], strict=True):
        said = likely * speaks_with(share, theirs)
        rest = likely - said
        sees = sees_with(share, mine)
        puts.append(said)
        refused.append(rest * (1 - sees) * won)
        plays_on.append(rest * sees)
    put_to = sum(puts) * lost
    values = []
    for at, card in enumerate(seen.mine):
        if_seen = 0.0
        if_put, silent = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
        for number, deal in enumerate(prospect.deals):
            worth = prospect.accepted[prospect.results[number][at]]
            if_seen += puts[number] * worth
            played = reply(deal.hands[0], card)
            trick = (card > played) - (card < played)
            if_put[trick] += refused[number] + plays_on[number] * worth
            silent[trick] += prospect.likely[number] - puts[number]
        last = sum([max(put, share * lost) for put, share in zip(if_put, silent, strict=True)])
        values.append(max(put_to, if_seen) + last)
    return values


def leaving_it(prospect: Prospect) -> list[float]:
    """What playing each card to the first trick is worth to whoever leaves the last say to the other."""
    seen, standing = prospect.seen, prospect.standing
    other = seen.others[0]
    custom = prospect.others.custom(other, seen.seat)
    won, lost = standing.after_point(seen.seat), standing.after_point(other)
    led = max([card for _, card in seen.table])
    ranks = len(seen.unseen)
    values = []
    for at, card in enumerate(seen.mine):
        ahead = (led > card) - (led < card)
        thrown_in = put_to = if_seen = 0.0
        for number, deal in enumerate(prospect.deals):
            says = speaks_with(
                (prospect.others.shares[0][number] + strength(deal.hands[0], ahead, None, ranks)) / 2, custom
            )
            said = prospect.likely[number] * says
            thrown_in += (prospect.likely[number] - said) * won
            put_to += said * lost
            if_seen += said * prospect.accepted[prospect.results[number][at]]
        values.append(thrown_in + max(put_to, if_seen))
    return values
