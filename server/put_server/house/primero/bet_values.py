"""Values of bets for the steady player: the pot times the chance to win it, less the cost.

Most of the money is in the pot already. The main effect of a bet is that others must decide whether they stay: as soon
as one player takes the bet, those who refuse are out, and lose their share of the pot. If no player takes the bet, it
is withdrawn and costs nothing. So with two players left, a bet gains only from worse cards that take it; with more
players it also gains from refusals.

The number of takers is unknown. Each is expected to take the bet with a chance that falls with its cost relative to the
pot; and a player who takes an expensive bet has better cards than others.
"""

from collections.abc import Callable, Sequence
from math import comb
from random import Random

from put_protocol.games.primero import PrimeroAction, PrimeroView, Vada
from put_protocol.seats import Seat
from put_server.house.player import Count
from put_server.house.primero.deals import end_of_one, ends_of_others, own_ends
from put_server.house.primero.drawing import best_trade, practised
from put_server.house.primero.four_cards import strength
from put_server.house.primero.observation import Observation, observe

_OFTEN, _LESS = 0.7, 1.0
"""Chance that a player takes a free bet, and its decrease for a bet of the size of the pot."""
_LEAST = 0.15
_BETTER = 1.5
"""A player who takes a bet of the size of the pot counts for this many players."""


class BetValues:
    """Values of the actions of one decision: the purse's gain from now on."""

    def __init__(self, observation: Observation, deals: int, dice: Random) -> None:
        self._observation = observation
        self._deals, self._dice = deals, dice
        self._ends: list[int] = []
        if len(observation.cards) == 2:
            self._beats: Sequence[float] = practised().beats
            self._ends = own_ends(observation, (), 2 * deals, dice)
        else:
            self._beats = end_of_one(observation, deals, dice)
        self._known: dict[float, float] = {}

    def wins(self, rivals: float) -> float:
        """The chance to win against this many rivals; a strong rival may count for more than one."""
        rivals = round(rivals, 1)
        if rivals not in self._known:
            chance = [beats**rivals for beats in self._beats]
            self._known[rivals] = (
                sum([chance[end] for end in self._ends]) / len(self._ends)
                if self._ends
                else best_trade(self._observation.cards, self._observation.unseen, chance).worth
            )
        return self._known[rivals]

    def nothing(self) -> float:
        return self.wins(len(self._observation.others)) * self._observation.pot

    def see(self) -> float:
        """Value of taking the bet; some of the undecided players take it, too."""
        seen = self._observation
        takes = _takes(_price(seen.due, seen.pot))
        dear = _price(seen.level, seen.carried)

        def value(takers: int) -> float:
            return self.wins(_weight(len(seen.committed) + takers, dear)) * (seen.pot + seen.due * (1 + takers))

        return _mean(len(seen.undecided), takes, value) - seen.due

    def refuse(self) -> float:
        """Value of refusing the bet. A player who refuses stays in if no other takes it."""
        seen = self._observation
        if len(seen.committed) > 1:
            return 0.0
        takes = _takes(_price(seen.due, seen.pot))
        return (1 - takes) ** len(seen.undecided) * self.wins(len(seen.others)) * max(0, seen.pot - seen.due)

    def bet(self, amount: int) -> float:
        """Value of a bet, or of a raise by this amount. If no player takes a raise, the bet below it counts as seen."""
        seen = self._observation
        paid = seen.due + amount
        asked = len(seen.committed) + len(seen.undecided) if seen.level else len(seen.others)
        takes = _takes(_price(amount, seen.pot + seen.due))
        dear = _price(seen.level + amount, seen.carried)

        def value(takers: int) -> float:
            if not takers:
                return self.see() if seen.level else self.nothing()
            return self.wins(_weight(takers, dear)) * (seen.pot + paid + takers * amount) - paid

        return _mean(asked, takes, value)

    def first_bet(self, amount: int) -> float:
        """Value of the first bet of the hand. If all others refuse, the last of them must take it."""
        seen = self._observation
        price = _price(amount, seen.pot)

        def value(takers: int) -> float:
            return self.wins(_weight(takers, price) or 1) * (seen.pot + (1 + max(takers, 1)) * amount)

        return _mean(len(seen.others), _takes(price), value) - amount

    def after_trade(self, laid: tuple[int, ...]) -> float:
        """Value of trading before the first bet, and then taking another player's small bet. If no player is left to
        bet, the cards are dealt again."""
        seen = self._observation
        if not seen.undecided:
            return seen.pot / (len(seen.others) + 1)
        ends = self._ends
        self._ends, self._known = own_ends(seen, laid, 2 * self._deals, self._dice), {}
        rivals = (1 + len(seen.others)) / 2
        value = self.wins(rivals) * (seen.pot + rivals + 1) - 1
        self._ends, self._known = ends, {}
        return value


def _weight(count: int, price: float) -> float:
    """Number of rivals that `count` takers of a bet count for."""
    return count * (1 + _BETTER * price)


def _price(amount: int, pot: int) -> float:
    return amount / (pot + amount)


def _takes(price: float) -> float:
    return max(_LEAST, _OFTEN - _LESS * price)


def _mean(asked: int, takes: float, value: Callable[[int], float]) -> float:
    """Mean of the values of each number of takers, if each player who is asked takes the bet with this chance."""
    return sum([comb(asked, n) * takes**n * (1 - takes) ** (asked - n) * value(n) for n in range(asked + 1)])


_COUNTED_DEALS = 200


def count(view: PrimeroView, action: PrimeroAction, seat: Seat, dice: Random | None) -> Count:
    """Deals are sampled; all players still in trade by a simple rule, and then show their cards."""
    observation = observe(view, seat)
    if observation is None or dice is None or len(observation.cards) not in (2, 4):
        return Count()
    if isinstance(action, Vada):
        now = ends_of_others(observation, _COUNTED_DEALS, dice, trade=False)
        return Count("pot", now[strength(*observation.cards)], worth=observation.pot)
    wins = BetValues(observation, _COUNTED_DEALS, dice).wins(len(observation.others))
    return Count("pot", wins, worth=observation.pot)
