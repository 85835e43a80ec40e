"""A house player's reading of a view: players in the hand, cost of a bet, and consequences of refusing."""

from typing import NamedTuple

from put_protocol.cards import PACKS
from put_protocol.games.primero import Category, Moment, PrimeroView
from put_protocol.seats import Seat
from put_server.house.primero.four_cards import COUNT, NUMBERS

_CARDS = PACKS["french-40"]
assert len(_CARDS) == COUNT


class Observation(NamedTuple):
    moment: Moment
    cards: tuple[int, ...]
    """The player's own cards, by number."""
    unseen: tuple[int, ...]
    """All cards except its own and those that it has laid down."""
    committed: tuple[Seat, ...]
    """Other players who made or took the open bet."""
    undecided: tuple[Seat, ...]
    """Other players who must still answer the open bet; without a bet, who must still speak."""
    others: tuple[Seat, ...]
    """Other players in the hand, in the order of play."""
    due: int
    """Cost of seeing the bet."""
    pot: int
    limit: int
    level: int
    carried: int
    """Pot before this round of betting."""
    raised: int
    """Number of raises of this player in this round."""
    announced: tuple[Category | None, ...]
    traded: tuple[int, ...]


def observe(view: PrimeroView, seat: Seat) -> Observation | None:
    """Read the view of the seat to move; None: no decision of a hand in play."""
    seats = len(view.playing)
    if view.moment is None or view.eldest is None or seat >= seats or not view.cards:
        return None
    order = [Seat((view.eldest + step) % seats) for step in range(seats)]
    others = [other for other in order if view.playing[other] and other != seat]
    if not others:
        return None
    before = order.index(seat)
    after = [other for other in others if order.index(other) > before]
    if view.level:
        committed = [other for other in others if other == view.bettor or view.put_in[other] == view.level]
        undecided = [other for other in others if other not in committed and other not in view.refused]
    else:
        committed, undecided = [], after
    cards = tuple([NUMBERS[card] for card in view.cards])
    known = {*cards, *(NUMBERS[card] for card in view.thrown)}
    return Observation(
        moment=view.moment,
        cards=cards,
        unseen=tuple([card for card in range(COUNT) if card not in known]),
        committed=tuple(committed),
        undecided=tuple(undecided),
        others=tuple(others),
        due=max(0, view.level - view.put_in[seat]),
        pot=view.pot,
        limit=view.limit,
        level=view.level,
        carried=view.pot - sum(view.put_in),
        raised=view.raises[seat],
        announced=view.announced,
        traded=view.traded,
    )
