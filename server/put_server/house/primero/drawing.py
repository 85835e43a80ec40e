"""Trades and their results: the best trade, counted over all draws, and a trade by a simple rule.

The worth of two cards was counted over 70,000 practice hands, and is stored in `practice.table`. The file is compressed
by zlib. It contains 16-bit shares, little-endian, with 65535 for 1: the chance of each strength below 500 to beat
another player's shown hand (a tie counts half); then the worth of two cards, first of different suits and then of one
suit, by their ranks.
"""

import struct
import zlib
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import combinations
from typing import NamedTuple

from put_server.house.primero.four_cards import POINTS_OF, PRIMERO, RANK_OF, RANKS, STRENGTHS, SUIT_OF, strength

_ONE = 65535
_PLACES = len(RANKS) ** 2
_COUNT = STRENGTHS + 2 * _PLACES


class Practice(NamedTuple):
    beats: tuple[float, ...]
    """Chance of each strength to beat another player's hand; a tie counts half."""
    two: tuple[float, ...]
    """Worths of two cards: see `two_worth`."""

    def two_worth(self, a: int, b: int) -> float:
        return self.two[_PLACES * (SUIT_OF[a] == SUIT_OF[b]) + len(RANKS) * RANK_OF[a] + RANK_OF[b]]


@cache
def practised() -> Practice:
    """The house's table, read when first needed."""
    packed = files("put_server.house.primero").joinpath("practice.table").read_bytes()
    shares = tuple([share / _ONE for share in struct.unpack(f"<{_COUNT}H", zlib.decompress(packed))])
    return Practice(beats=shares[:STRENGTHS], two=shares[STRENGTHS:])


class Trade(NamedTuple):
    """Cards to lay down (none to stand), and the worth of doing so."""

    laid: tuple[int, ...]
    worth: float


_Ending = tuple[tuple[int, ...], tuple[tuple[int, int], ...], int]


def best_trade(cards: tuple[int, ...], unseen: tuple[int, ...], chance: Sequence[float]) -> Trade:
    """The best trade of four cards, counted over every draw of unseen cards. `chance`: of each strength to win."""
    best = Trade((), -1.0)
    for laid, ends, draws in _endings(cards, unseen):
        worth = sum([chance[strong] * count for strong, count in ends]) / draws
        if worth > best.worth:
            best = Trade(laid, worth)
    return best


@lru_cache(maxsize=64)
def _endings(cards: tuple[int, ...], unseen: tuple[int, ...]) -> tuple[_Ending, ...]:
    """Listed by trade: cards laid down, number of draws that end in each strength, and of all draws. The first is to
    stand."""
    a, b, c, d = cards
    endings: list[_Ending] = [((), ((strength(a, b, c, d), 1),), 1)]
    for place in range(4):
        a, b, c = cards[:place] + cards[place + 1 :]
        ends = Counter([strength(a, b, c, new) for new in unseen])
        endings.append(((cards[place],), tuple(ends.items()), len(unseen)))
    pairs = list(combinations(unseen, 2))
    suits = {SUIT_OF[card] for card in cards}
    for a, b in combinations(cards, 2):
        if SUIT_OF[a] == SUIT_OF[b] and len(suits) >= 3:
            continue  # of three suits it is better to lay down one card of two
        ends = Counter([strength(a, b, new, other) for new, other in pairs])
        endings.append((tuple([card for card in cards if card not in (a, b)]), tuple(ends.items()), len(pairs)))
    return tuple([ending for ending in endings if ending[2]])


def best_first_trade(cards: tuple[int, int], unseen: Sequence[int], practice: Practice) -> Trade:
    """The best trade of two cards: its worth is the mean of the results. Standing is not considered."""
    a, b = cards
    worth_of = practice.two_worth
    trades = [Trade((out,), _mean([worth_of(kept, new) for new in unseen])) for out, kept in ((a, b), (b, a))]
    trades.append(Trade(cards, _mean([worth_of(new, other) for new, other in combinations(unseen, 2)])))
    return max(trades, key=lambda trade: trade.worth)


def simple_trade(cards: Sequence[int]) -> tuple[int, ...]:
    """Cards to lay down to get a card of each suit, or four of one; among equally useful cards the better ones stay.
    Empty if all suits differ, or are the same."""
    suits: dict[int, list[int]] = {}
    for card in cards:
        suits.setdefault(SUIT_OF[card], []).append(card)
    if len(suits) in (1, 4) or strength(*cards) >= PRIMERO:
        return ()
    if len(suits) == 3:
        (pair,) = [held for held in suits.values() if len(held) == 2]
        return (min(pair, key=POINTS_OF.__getitem__),)
    one, two = sorted(suits.values(), key=len)
    if len(one) == 1:
        return (one[0],)
    return tuple([min(held, key=POINTS_OF.__getitem__) for held in (one, two)])


def _mean(worths: Sequence[float]) -> float:
    return sum(worths) / len(worths) if worths else 0.0
