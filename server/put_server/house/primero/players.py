"""House players of Primero: the beginner, the steady and the sharp player, and their choice of actions."""

from collections.abc import Sequence

from put_protocol.cards import Card
from put_protocol.games.primero import (
    Announce,
    Bet,
    Category,
    GoOn,
    Moment,
    Pass,
    PrimeroAction,
    PrimeroView,
    Raise,
    Refuse,
    See,
    Stand,
    Trade,
    Vada,
)
from put_protocol.games.unions import Choice
from put_protocol.seats import Seat
from put_server.house.player import Player, actions_of, blend
from put_server.house.primero.bet_values import BetValues
from put_server.house.primero.deals import end_of_one, ends_of_others
from put_server.house.primero.drawing import best_first_trade, best_trade, practised, simple_trade
from put_server.house.primero.four_cards import CARDS, POINTS_OF, PRIMERO, SUIT_OF, category_of, strength
from put_server.house.primero.observation import Observation, observe

Mixture = dict[PrimeroAction, float]


def nearest_bid(actions: Sequence[PrimeroAction], amount: int) -> PrimeroAction | None:
    """The bet or raise of this amount, or the nearest; None: there is none."""
    found = [action for action in actions if isinstance(action, Bet | Raise)]
    return min(found, key=lambda action: abs(action.amount - amount), default=None)


def bids(actions: Sequence[PrimeroAction]) -> list[Bet | Raise]:
    """Bets and raises of three sizes: the lowest, the highest, and one between."""
    found = [action for action in actions if isinstance(action, Bet | Raise)]
    return list(dict.fromkeys([found[0], found[len(found) // 2], found[-1]])) if found else []


def trade_of(actions: Sequence[PrimeroAction], laid: Sequence[int]) -> PrimeroAction | None:
    cards: set[Card] = {CARDS[number] for number in laid}
    return next((action for action in actions if isinstance(action, Trade) and set(action.cards) == cards), None)


def uniform(actions: Sequence[PrimeroAction]) -> Mixture:
    return {action: 1 / len(actions) for action in actions}


def first_legal(actions: Sequence[PrimeroAction], *wanted: PrimeroAction | None) -> PrimeroAction:
    """The first wanted action that is legal; otherwise the first legal one."""
    return next((action for action in wanted if action is not None and action in actions), actions[0])


_GOOD_TWO, _FINE_TWO = 33, 26
"""Points of two cards to make a bet, and to take one."""
_SUITED = 4
"""Additional points for two cards of one suit."""
_GOOD_FOUR, _FINE_FOUR = 45, 34
"""Points of a Numerus to make a bet, and to take one."""


class Beginner(Player):
    """A player that looks only at its own cards. It never bluffs, and announces its true category.

    It bets little, takes bets with good cards, calls vada when it may, and trades by a simple rule: for a card of each
    suit, or for four of one. It uses no random numbers, so opponents can predict it.
    """

    def mixture(self, view: PrimeroView, legal: tuple[Choice, ...], seat: Seat) -> Mixture:
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
            return first_legal(actions, Vada(), GoOn())
        case Moment.ANNOUNCE:
            return first_legal(actions, Announce(category_of(strong)))
        case Moment.TRADE:
            return first_legal(actions, trade_of(actions, simple_trade(cards)), Stand())
        case Moment.BET:
            if strong >= PRIMERO:
                return first_legal(actions, nearest_bid(actions, observation.limit), Pass())
            return first_legal(actions, nearest_bid(actions, 1) if strong >= _GOOD_FOUR else None, Pass())
        case _:
            if strong >= PRIMERO:
                return first_legal(actions, nearest_bid(actions, 1), See())
            takes = strong >= (_FINE_FOUR if 2 * observation.due <= observation.limit else _GOOD_FOUR)
            return first_legal(actions, See() if takes else Refuse(), Refuse(), See())


def _with_two(observation: Observation, actions: list[PrimeroAction]) -> PrimeroAction:
    one, two = observation.cards
    points = POINTS_OF[one] + POINTS_OF[two] + _SUITED * (SUIT_OF[one] == SUIT_OF[two])
    if observation.moment is Moment.OPEN:
        low = [card for card in (one, two) if POINTS_OF[card] < 16] or [min(one, two, key=POINTS_OF.__getitem__)]
        amount = 1 if points < _GOOD_TWO + 3 else (observation.limit + 1) // 2
        bid = nearest_bid(actions, amount)
        return first_legal(actions, bid if points >= _GOOD_TWO else trade_of(actions, low), bid)
    if points >= _GOOD_TWO + 3 and observation.level <= observation.limit:
        return first_legal(actions, nearest_bid(actions, 1), See())
    takes = points >= (_FINE_TWO if 2 * observation.due <= observation.limit else _GOOD_TWO)
    return first_legal(actions, See() if takes else Refuse(), See())


_STEADY_DEALS = 60
_BLUFFS = 0.04
"""Share of bets or raises with weak cards."""
_LIES = 0.2
"""Share of announcements above the true category."""
_BETS_TO_COME = 0.15
"""Gain in bets of a later showdown, as a share of the limit."""


class Steady(Player):
    """A player that samples the others' hands, counts all draws of its own cards, and considers the pot.

    It deals the unseen cards many times to the players in the hand, consistent with their announcements and trades.
    These deals give each hand's chance to win at the end. Its own draws are counted one by one, not sampled. It
    compares the gain of a bet with its cost, and knows that a bet without takers is withdrawn. Sometimes it bluffs, by
    betting on weak cards or by announcing more than it has. The random generator is its only state.
    """

    def mixture(self, view: PrimeroView, legal: tuple[Choice, ...], seat: Seat) -> Mixture:
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
        return wanted if wanted and all(action in actions for action in wanted) else uniform(actions)

    def _open(self, observation: Observation, actions: list[PrimeroAction]) -> Mixture:
        values = BetValues(observation, _STEADY_DEALS, self._dice)
        bets: dict[PrimeroAction, float] = {bid: values.first_bet(bid.amount) for bid in bids(actions)}
        if not bets:
            return {}
        best = max(bets, key=bets.__getitem__)
        one, two = observation.cards
        laid = best_first_trade((one, two), observation.unseen, practised()).laid
        trade = trade_of(actions, laid)
        if trade is None:
            return {best: 1.0}
        if bets[best] > values.after_trade(laid):
            return {best: 1.0}
        return blend(best, _BLUFFS, {trade: 1.0})

    def _bet(self, observation: Observation, actions: list[PrimeroAction]) -> Mixture:
        """Bet or pass, with four cards."""
        values = BetValues(observation, _STEADY_DEALS, self._dice)
        return _best({bid: values.bet(bid.amount) for bid in bids(actions)}, Pass(), values.nothing())

    def _answer(self, observation: Observation, actions: list[PrimeroAction]) -> Mixture:
        values = BetValues(observation, _STEADY_DEALS, self._dice)
        raises: dict[PrimeroAction, float] = {}
        if not observation.raised:  # it raises once, and leaves it to others to raise again
            raises = {bid: values.bet(bid.amount) for bid in bids(actions)}
        sees, refuses = values.see(), values.refuse()
        if Refuse() not in actions or sees >= refuses:
            return _best(raises, See(), sees)
        return _best(raises, Refuse(), refuses)

    def _with_four(self, observation: Observation, actions: list[PrimeroAction]) -> Mixture:
        strong = strength(*observation.cards)
        match observation.moment:
            case Moment.VADA:
                return self._vada(observation, strong)
            case Moment.ANNOUNCE:
                return _announce(strong, actions)
            case Moment.TRADE:
                chance = ends_of_others(observation, 2 * _STEADY_DEALS, self._dice)
                laid = best_trade(observation.cards, observation.unseen, chance).laid
                return {first_legal(actions, trade_of(actions, laid), Stand()): 1.0}
            case Moment.BET:
                return self._bet(observation, actions)
            case _:
                return self._answer(observation, actions)

    def _vada(self, observation: Observation, strong: int) -> Mixture:
        """An immediate showdown, unless later bets with these cards gain more."""
        now = ends_of_others(observation, _STEADY_DEALS, self._dice, trade=False)[strong]
        chance = ends_of_others(observation, _STEADY_DEALS, self._dice)
        later = best_trade(observation.cards, observation.unseen, chance).worth
        gain = (now - later) * observation.pot
        return {Vada() if gain >= _BETS_TO_COME * observation.limit else GoOn(): 1.0}


def _best(bids: dict[PrimeroAction, float], otherwise: PrimeroAction, worth: float) -> Mixture:
    """The best of these; sometimes a bet that is not the best."""
    if not bids:
        return {otherwise: 1.0}
    best = max(bids, key=bids.__getitem__)
    if bids[best] > worth:
        return blend(best, 0.9, {otherwise: 1.0})
    return blend(best, _BLUFFS, {otherwise: 1.0})


def _announce(strong: int, actions: list[PrimeroAction]) -> Mixture:
    """Announce the true category; sometimes a better one."""
    own: PrimeroAction = Announce(category_of(strong))
    higher = map(Announce, (Category.PRIMERO, Category.SUPREMUS, Category.FLUXUS))
    lies = [lie for lie in higher if lie in actions and lie != own] if strong < PRIMERO else []
    return {own: 1.0 - _LIES if lies else 1.0} | {lie: _LIES / len(lies) for lie in lies}


_SHARP_DEALS = 120
"""Deals that the sharp player samples to judge its cards."""

_GOOD = 1.4
"""Good cards win this many times their fair share (one hand in as many as there are players)."""


class Sharp(Steady):
    """A steady player that bets more on good cards.

    Before the last trades a bet of the whole limit is usually cheap compared with the pot, so every player takes it. So
    with four cards that win clearly more than their fair share, it bets and raises the whole limit as often as the
    rules allow; a steady player raises once. Against a single opponent that gains nothing, because they can refuse at
    no cost.
    """

    def mixture(self, view: PrimeroView, legal: tuple[Choice, ...], seat: Seat) -> Mixture:
        """The highest bet with good cards, otherwise the mixture of a steady player."""
        observation = observe(view, seat)
        if observation is not None and len(observation.cards) == 4 and len(observation.others) > 1:
            bid = nearest_bid(actions_of(legal), observation.limit)
            if bid is not None and observation.moment in (Moment.BET, Moment.ANSWER) and self._is_good(observation):
                return {bid: 1.0}
        return super().mixture(view, legal, seat)

    def _is_good(self, observation: Observation) -> bool:
        others = len(observation.others)
        thrown = self._dice.getstate()  # judging throws no dice: else it plays like a steady player, throw by throw
        beats = end_of_one(observation, _SHARP_DEALS, self._dice)
        self._dice.setstate(thrown)
        chance = [beat**others for beat in beats]
        return (others + 1) * best_trade(observation.cards, observation.unseen, chance).worth >= _GOOD
