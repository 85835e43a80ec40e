"""Legal actions found by kind, for any amounts and cards that a table allows."""

from collections.abc import Sequence

from put_protocol.cards import Card
from put_protocol.games.primero import Announce, Bet, Category, PrimeroAction, Raise, Trade
from put_server.house.primero.four_cards import CARDS

Mixture = dict[PrimeroAction, float]


def bid(actions: Sequence[PrimeroAction], amount: int) -> PrimeroAction | None:
    """The bet or raise of this amount, or of the nearest; None: there is none."""
    found = [action for action in actions if isinstance(action, Bet | Raise)]
    return min(found, key=lambda action: abs(action.amount - amount), default=None)


def bids(actions: Sequence[PrimeroAction]) -> list[Bet | Raise]:
    """Bets and raises of three sizes: the least, the most, and one between."""
    found = [action for action in actions if isinstance(action, Bet | Raise)]
    return list(dict.fromkeys([found[0], found[len(found) // 2], found[-1]])) if found else []


def trade(actions: Sequence[PrimeroAction], laid: Sequence[int]) -> PrimeroAction | None:
    """The trade of these cards; None: there is none."""
    cards: set[Card] = {CARDS[number] for number in laid}
    return next((action for action in actions if isinstance(action, Trade) and set(action.cards) == cards), None)


def announcement(actions: Sequence[PrimeroAction], category: Category) -> PrimeroAction | None:
    """The announcement of this category; None: it may not be made."""
    action = Announce(category)
    return action if action in actions else None


def uniform(actions: Sequence[PrimeroAction]) -> Mixture:
    return {action: 1 / len(actions) for action in actions}


def first_legal(actions: Sequence[PrimeroAction], *wanted: PrimeroAction | None) -> PrimeroAction:
    """The first of those wanted that is legal; if none is, the first that is legal at all."""
    return next((action for action in wanted if action is not None and action in actions), actions[0])
