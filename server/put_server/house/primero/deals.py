"""Deals consistent with a view: hands of the others, sampled from the unseen cards."""

from collections.abc import Iterable
from itertools import accumulate
from random import Random

from put_protocol.games.primero import Category, Moment
from put_protocol.seats import Seat
from put_server.house.primero.drawing import simple_trade
from put_server.house.primero.four_cards import CHORUS, STRENGTHS, category_of, strength
from put_server.house.primero.observation import Observation

_BELIEVED = 0.3
"""Share of announcements above Numerus that are believed. Players with such a hand would usually call vada."""
_TRIES = 5
"""Hands dealt to one player until one fits; the last is kept even if it does not."""

_PLACES = {category: place for place, category in enumerate(Category)}


def ends_of_others(observation: Observation, deals: int, dice: Random, *, trade: bool = True) -> tuple[float, ...]:
    """Chance of each strength of four cards to win the showdown against all others, from this many deals. A tie counts
    half. `trade`: they trade first."""
    already = _already_traded(observation)
    return _chances(max(_ends(observation, already, dice, trade=trade)) for _ in range(deals))


def end_of_one(observation: Observation, deals: int, dice: Random) -> tuple[float, ...]:
    """Chance of each strength of four cards to beat any one other player at the showdown."""
    return _chances(end for _ in range(deals) for end in _ends(observation, {}, dice, trade=True))


def _chances(ends: Iterable[int]) -> tuple[float, ...]:
    """Chance of each strength to beat one of these final hands; a tie counts half."""
    counts = [0] * STRENGTHS
    for end in ends:
        counts[end] += 1
    total = sum(counts)
    return tuple([(below - count / 2) / total for count, below in zip(counts, accumulate(counts), strict=True)])


def _ends(observation: Observation, already: dict[Seat, int], dice: Random, *, trade: bool) -> list[int]:
    """Strengths of the others' final hands in one deal of the unseen cards."""
    # Several times as fast as `dice.shuffle`.
    stock = sorted(observation.unseen, key=lambda _: dice.random())
    return [_end(observation, rival, stock, already, dice, trade=trade) for rival in observation.others]


def _end(
    observation: Observation, rival: Seat, stock: list[int], already: dict[Seat, int], dice: Random, *, trade: bool
) -> int:
    """Strength of one rival's final hand. Removes their cards from the stock."""
    said = observation.announced[rival]
    believed = said is not None and said is not Category.NUMERUS and dice.random() < _BELIEVED
    hand: list[int] = []
    laid: tuple[int, ...] = ()
    strong = 0
    for left in reversed(range(_TRIES)):
        if len(stock) < 6:
            return strong
        hand = stock[-4:]
        del stock[-4:]
        strong = strength(*hand)
        laid = simple_trade(hand) if trade else ()
        if _fits(strong, said, believed=believed) and (rival not in already or len(laid) == already[rival]):
            break
        if left:
            stock[:0] = hand
    if not laid:
        return strong
    kept = [card for card in hand if card not in laid]
    new = stock[-len(laid) :]
    del stock[-len(laid) :]
    return strength(*kept, *new)


def _fits(strong: int, said: Category | None, *, believed: bool) -> bool:
    """True if a player may have announced this hand so: they have the category, have less, or hide a Chorus."""
    if said is None:
        return True
    own = _PLACES[category_of(strong)]
    return own == _PLACES[said] if believed else own <= _PLACES[said] or strong >= CHORUS


def _already_traded(observation: Observation) -> dict[Seat, int]:
    """Listed by player who traded before this one: cards traded at the end of the hand, at most two. A view also counts
    trades with two cards, so only no trade, and trades that are possible only at the end, are certain."""
    if observation.moment is not Moment.TRADE:
        return {}
    before = [other for other in observation.others if other not in observation.undecided]
    return {other: min(2, observation.traded[other]) for other in before}


def own_ends(observation: Observation, laid: tuple[int, ...], deals: int, dice: Random) -> list[int]:
    """Final strengths of two cards, from this many deals, after laying these down."""
    ends = []
    for _ in range(deals):
        stock = dice.sample(observation.unseen, 6)
        kept = [card for card in observation.cards if card not in laid]
        hand = kept + [stock.pop() for _ in range(4 - len(kept))]
        traded = simple_trade(hand)
        ends.append(strength(*[card for card in hand if card not in traded], *[stock.pop() for _ in traded]))
    return ends
