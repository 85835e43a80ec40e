"""A player that bets as `learn_primero` taught it, and trades by counting. No house player bets by it.

At each decision of the betting it finds the number of the spot (`spots`), and draws what to do from what it has learned
there (`practice`), so it mixes and is hard to read. Its trades are counted over all draws from the cards it has not
seen, against hands such as others show after as many trades as they made. It announces at random what it may: an
announcement of its own then tells little, and those of others it believes only as far as the rules make them true.
"""

from collections.abc import Sequence
from functools import lru_cache
from random import Random

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
from put_server.house.player import actions_of, draw
from put_server.house.primero import moves, spots
from put_server.house.primero.drawing import best_first_trade, best_trade
from put_server.house.primero.four_cards import FLUXUS, PRIMERO, SUPREMUS, category_of, strength
from put_server.house.primero.observation import Observation, observe
from put_server.house.primero.practice import Practice, grade_of, practised

_NEVER = 8
"""What was learned to be done less often than this, in 255ths, is left out: mostly a trace of early practice."""
_ANY = 3
"""The place in `Practice.beats` of hands after any number of trades."""


class Learned:
    """A player for Primero. Its dice are its only memory."""

    def __init__(self, dice: Random, practice: Practice | None = None) -> None:
        """`practice`: what it has learned, if not what the house has."""
        self._dice = dice
        self._practice = practice or practised()

    def choose(self, view: PrimeroView, legal: tuple[Choice, ...], seat: Seat) -> PrimeroAction:
        """One of the legal actions; there must be one."""
        return draw(self.mixture(view, legal, seat), self._dice)

    def mixture(self, view: PrimeroView, legal: tuple[Choice, ...], seat: Seat) -> moves.Mixture:
        """How often it does what."""
        actions: list[PrimeroAction] = actions_of(legal)
        observation = observe(view, seat)
        if observation is None or len(actions) == 1:
            return {actions[0]: 1.0}
        if len(observation.cards) == 2:
            wanted = self._with_two(observation, actions)
        elif len(observation.cards) == 4:
            wanted = self._with_four(observation, actions)
        else:
            wanted = {}
        return wanted if wanted and all(action in actions for action in wanted) else moves.uniform(actions)

    def _with_two(self, observation: Observation, actions: Sequence[PrimeroAction]) -> moves.Mixture:
        practice = self._practice
        one, two = observation.cards
        grade = grade_of(practice.two_worth(one, two), practice.two_bounds)
        after = len(observation.undecided)
        if observation.moment is Moment.OPEN:
            spot = spots.opening(grade, observation.players, after, observation.limit)
            laid = best_first_trade((one, two), observation.unseen, practice).laid
            return self._learned(spot, observation, actions, None, moves.trade(actions, laid))
        is_bound = Refuse() not in actions
        spot = spots.first_answer(
            grade,
            len(observation.committed),
            after,
            observation.due,
            observation.pot,
            int(observation.may_raise),
            int(is_bound),
            int(observation.is_raise),
            observation.limit,
        )
        return self._learned(spot, observation, actions, Refuse(), See())

    def _with_four(self, observation: Observation, actions: Sequence[PrimeroAction]) -> moves.Mixture:
        others, after = len(observation.others), len(observation.undecided)
        strong = strength(*observation.cards)
        match observation.moment:
            case Moment.VADA:
                spot = spots.vada(spots.vada_grade(strong), others, after)
                return self._learned(spot, observation, actions, GoOn(), Vada())
            case Moment.ANNOUNCE:
                return _announce(strong, actions)
            case Moment.TRADE:
                laid = best_trade(observation.cards, observation.unseen, self._chance(observation)).laid
                return {moves.first_legal(actions, moves.trade(actions, laid), Stand()): 1.0}
            case Moment.BET:
                spot = spots.betting(self._grade(observation), others, after, observation.pot, observation.limit)
                return self._learned(spot, observation, actions, Pass(), None)
            case _:
                spot = spots.second_answer(
                    self._grade(observation),
                    len(observation.committed),
                    after,
                    observation.due,
                    observation.pot,
                    int(observation.may_raise),
                    int(observation.is_raise),
                    observation.limit,
                )
                return self._learned(spot, observation, actions, Refuse(), See())

    def _learned(
        self,
        spot: int,
        observation: Observation,
        actions: Sequence[PrimeroAction],
        refuse: PrimeroAction | None,
        see: PrimeroAction | None,
    ) -> moves.Mixture:
        """What was learned at a spot, as actions that are legal here."""
        half = (observation.limit + 1) // 2
        deeds = (
            refuse,
            see,
            moves.bid(actions, 1),
            moves.bid(actions, half),
            moves.bid(actions, observation.limit),
        )
        odds: dict[PrimeroAction, float] = {}
        for deed, often in zip(deeds, self._practice.deeds(spot), strict=True):
            if deed is not None and deed in actions and often >= _NEVER:
                odds[deed] = odds.get(deed, 0.0) + often
        total = sum(odds.values())
        if not total:  # a spot that was never met: the cautious thing that is legal
            return {moves.first_legal(actions, see, refuse): 1.0}
        return {deed: often / total for deed, often in odds.items()}

    def _grade(self, observation: Observation) -> int:
        """The grade of four cards, as it was learned with them."""
        others = min(len(observation.others), 3)
        chance = _product((self._practice.beats[_ANY],) * others)
        worth = best_trade(observation.cards, observation.unseen, chance).worth
        return grade_of(worth, self._practice.four_bounds[others - 1])

    def _chance(self, observation: Observation) -> tuple[float, ...]:
        """The chance of each strength to win against what the others are likely to have in the end."""
        beats = self._practice.beats
        known = [min(2, observation.traded[o]) if o not in observation.undecided else _ANY for o in observation.others]
        return _product(tuple([beats[number] for number in sorted(known)]))


@lru_cache(maxsize=64)
def _product(chances: tuple[tuple[float, ...], ...]) -> tuple[float, ...]:
    """The chance to beat all of them."""
    product = chances[0]
    for chance in chances[1:]:
        product = tuple([one * other for one, other in zip(product, chance, strict=True)])
    return product


def _announce(strong: int, actions: Sequence[PrimeroAction]) -> moves.Mixture:
    """Whatever it has, it announces one of the same few."""
    if strong < FLUXUS:
        wanted = [Category.PRIMERO, Category.SUPREMUS, Category.FLUXUS] if strong < SUPREMUS else [Category.FLUXUS]
        if strong < PRIMERO:
            wanted.append(Category.NUMERUS)
        said: list[PrimeroAction] = [Announce(category) for category in wanted if Announce(category) in actions]
        if said:
            return moves.uniform(said)
    own = moves.announcement(actions, category_of(strong))
    fluxus = moves.announcement(actions, Category.FLUXUS)
    return {moves.first_legal(actions, fluxus, own): 1.0}
