"""The beginner: a player that looks at its own cards only. It never bluffs, and announces what it has.

It bets little, takes bets with good cards, calls vada when it may, and trades by a simple rule: for a card of each
suit, or for four of one. It throws no dice, so it can be read.
"""

from put_protocol.games.primero import GoOn, Moment, Pass, PrimeroAction, PrimeroView, Refuse, See, Stand, Vada
from put_protocol.games.unions import Choice
from put_protocol.seats import Seat
from put_server.house.player import MixingPlayer, actions_of
from put_server.house.primero import legal_moves
from put_server.house.primero.drawing import simple_trade
from put_server.house.primero.four_cards import POINTS_OF, PRIMERO, SUIT_OF, category_of, strength
from put_server.house.primero.observation import Observation, observe

_GOOD_TWO, _FINE_TWO = 33, 26
"""Points of two cards that are worth a bet, and that are worth taking one."""
_SUITED = 4
"""Points that two cards of one suit are worth more."""
_GOOD_FOUR, _FINE_FOUR = 45, 34
"""The same of a Numerus."""


class Beginner(MixingPlayer):
    def mixture(self, view: PrimeroView, legal: tuple[Choice, ...], seat: Seat) -> legal_moves.Mixture:
        """The one action that it always does here."""
        actions: list[PrimeroAction] = actions_of(legal)
        observation = observe(view, seat)
        if observation is None or len(actions) == 1:
            return {actions[0]: 1.0}
        return {_wanted(observation, actions): 1.0}


def _wanted(observation: Observation, actions: list[PrimeroAction]) -> PrimeroAction:
    cards = observation.cards
    if len(cards) == 2:
        return _with_two(observation, actions)
    if len(cards) != 4:
        return actions[0]
    strong = strength(*cards)
    match observation.moment:
        case Moment.VADA:
            return legal_moves.first_legal(actions, Vada(), GoOn())
        case Moment.ANNOUNCE:
            return legal_moves.first_legal(actions, legal_moves.announcement(actions, category_of(strong)))
        case Moment.TRADE:
            return legal_moves.first_legal(actions, legal_moves.trade(actions, simple_trade(cards)), Stand())
        case Moment.BET:
            if strong >= PRIMERO:
                return legal_moves.first_legal(actions, legal_moves.bid(actions, observation.limit), Pass())
            return legal_moves.first_legal(
                actions, legal_moves.bid(actions, 1) if strong >= _GOOD_FOUR else None, Pass()
            )
        case _:
            if strong >= PRIMERO:
                return legal_moves.first_legal(actions, legal_moves.bid(actions, 1), See())
            takes = strong >= (_FINE_FOUR if 2 * observation.due <= observation.limit else _GOOD_FOUR)
            return legal_moves.first_legal(actions, See() if takes else Refuse(), Refuse(), See())


def _with_two(observation: Observation, actions: list[PrimeroAction]) -> PrimeroAction:
    one, two = observation.cards
    points = POINTS_OF[one] + POINTS_OF[two] + _SUITED * (SUIT_OF[one] == SUIT_OF[two])
    if observation.moment is Moment.OPEN:
        low = [card for card in (one, two) if POINTS_OF[card] < 16] or [min(one, two, key=POINTS_OF.__getitem__)]
        amount = 1 if points < _GOOD_TWO + 3 else (observation.limit + 1) // 2
        bid = legal_moves.bid(actions, amount)
        return legal_moves.first_legal(actions, bid if points >= _GOOD_TWO else legal_moves.trade(actions, low), bid)
    if points >= _GOOD_TWO + 3 and observation.level <= observation.limit:
        return legal_moves.first_legal(actions, legal_moves.bid(actions, 1), See())
    takes = points >= (_FINE_TWO if 2 * observation.due <= observation.limit else _GOOD_TWO)
    return legal_moves.first_legal(actions, See() if takes else Refuse(), See())
