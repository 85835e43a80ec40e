"""What a seat knows of a hand in play, as numbers, and the deals that fit it.

A card is its strength, more is better; suits do not matter. Every deal of the cards not yet seen is as likely as any
other: what somebody's putting, or not putting, tells of his cards is for the player to weigh.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb
from random import Random
from typing import NamedTuple

from put_protocol.cards import SUITS, Card, rank_of
from put_protocol.seats import Seat
from put_protocol.views import GameView, Moment
from put_server.house import duel
from put_server.house.duel import Cards
from put_server.house.playout import play_out

_EXACT_CARDS = 3
"""Cards in a hand up to which two play it out exactly: of four, one deal takes as long as all deals of three."""


Results = tuple[int, ...]
"""How a hand ends for each own card played next, in the order of `Sight.mine`; when asked, a single item.
1 is a hand won, 0 a drawn one, -1 a lost one."""


class Deal(NamedTuple):
    """What the others might hold."""

    weight: float
    """How likely, among the deals it came with."""
    hands: tuple[Cards, ...]
    """An item for each of the others, in their order, best card first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """A hand in play, from a seat in it. Lists have an item a seat."""

    seat: int
    mine: Cards
    """Own strengths, each once, best first."""
    held: Cards
    """Own strengths, best first."""
    others: tuple[int, ...]
    """Who else is in the hand, from the left."""
    counts: tuple[int, ...]
    tricks: tuple[int, ...]
    table: tuple[tuple[int, int], ...]
    """Seats and the cards they played to the trick on the table."""
    leader: int
    """Of this trick, or who will be."""
    is_asked: bool
    """To answer a put: somebody else plays next."""
    unseen: Cards
    """How many cards of each strength, worst first, this seat has not seen in this hand."""

    @property
    def is_duel(self) -> bool:
        """Two are left, and few enough cards for an exact result."""
        return len(self.others) == 1 and len(self.held) <= _EXACT_CARDS

    def deals(self, dice: Random, samples: int) -> list[Deal]:
        """All deals, in a duel; so many of them by chance, otherwise."""
        if self.is_duel:
            return [Deal(weight, (cards,)) for cards, weight in _holdings(self.unseen, self.counts[self.others[0]])]
        pack = [strength for strength, count in enumerate(self.unseen) for _ in range(count)]
        sizes = [self.counts[other] for other in self.others]
        deals = []
        for _ in range(samples):
            drawn, at, hands = dice.sample(pack, sum(sizes)), 0, []
            for size in sizes:
                hands.append(tuple(sorted(drawn[at : at + size], reverse=True)))
                at += size
            deals.append(Deal(1.0, tuple(hands)))
        return deals

    def results(self, deals: Sequence[Deal]) -> list[Results]:
        """How the hand ends in each of these deals, if all the others play on."""
        if self.is_duel:
            return self._duels([deal.hands[0] for deal in deals])
        return [self.result_among(deal, self.others) for deal in deals]

    def result_among(self, deal: Deal, staying: tuple[int, ...]) -> Results:
        """How it ends in this deal, played out by the rule of `playout`, if of the others only these play on."""
        everyone: list[Cards] = [()] * len(self.counts)
        for other, cards in zip(self.others, deal.hands, strict=True):
            everyone[other] = cards
        everyone[self.seat] = self.held
        is_in = [seat == self.seat or seat in staying for seat in range(len(self.counts))]
        return tuple(
            [
                play_out(
                    seat=self.seat,
                    hands=everyone,
                    is_in=is_in,
                    tricks=self.tricks,
                    table=self.table,
                    leader=self.leader,
                    first=first,
                )
                for first in ((None,) if self.is_asked else self.mine)
            ]
        )

    def _duels(self, hands: Sequence[Cards]) -> list[Results]:
        other, table = self.others[0], dict(self.table)
        ahead = self.tricks[self.seat] - self.tricks[other]
        marks = duel.marks((*self.held, *table.values()), len(self.unseen) - 1)
        mine = tuple([marks[card] for card in self.held])
        theirs = [tuple([marks[card] for card in cards]) for cards in hands]
        if self.is_asked and self.seat in table:
            led = marks[table[self.seat]]
            return [(-max(duel.replies(cards, mine, led, -ahead)),) for cards in theirs]
        if self.is_asked:
            return [(-max(duel.leads(cards, mine, -ahead)),) for cards in theirs]
        if other in table:
            led = marks[table[other]]
            results = [duel.replies(mine, cards, led, ahead) for cards in theirs]
        else:
            results = [duel.leads(mine, cards, ahead) for cards in theirs]
        if len(self.mine) == len(mine):
            return results
        places = [self.held.index(card) for card in self.mine]
        return [tuple([each[place] for place in places]) for each in results]

    def strengths(self, other: int, hands: Sequence[Cards]) -> list[float]:
        """How strong each of these hands must seem to the other who holds it, from 0 to 1: good for comparing them."""
        ahead = self.tricks[other] - max(self.tricks[s] for s in (self.seat, *self.others) if s != other)
        has_played = any(seat == other for seat, _ in self.table)
        led = None if has_played else max([card for _, card in self.table], default=None)
        return [_strength(cards, ahead, led, len(self.unseen)) for cards in hands]


def sight(view: GameView, seat: Seat) -> Sight | None:
    """What this seat knows; None where no hand is in play that this player understands."""
    seats = len(view.scores)
    lists = (view.counts, view.playing, view.tricks)
    if not view.cards or not view.ranking or any(len(items) != seats for items in lists) or not 0 <= seat < seats:
        return None
    strengths = {rank: place for place, rank in enumerate(reversed(view.ranking))}
    others = tuple(s % seats for s in range(seat + 1, seat + seats) if view.playing[s % seats])
    seen: list[Card] = [*view.cards, *view.trick.cards, *(card for trick in view.past for card in trick.cards)]
    if not others or not view.playing[seat] or any(rank_of(card) not in strengths for card in seen):
        return None
    unseen = [len(SUITS)] * len(strengths)
    for card in set(seen):
        unseen[strengths[rank_of(card)]] -= 1
    if sum(unseen) < sum(view.counts[other] for other in others):
        return None
    is_asked = view.moment is Moment.ANSWER
    next_to_play = view.putter if is_asked and view.putter is not None else seat
    held = tuple(sorted((strengths[rank_of(card)] for card in view.cards), reverse=True))
    return Sight(
        seat=seat,
        mine=tuple(dict.fromkeys(held)),
        held=held,
        others=others,
        counts=view.counts,
        tricks=view.tricks,
        table=tuple((s, strengths[rank_of(c)]) for s, c in zip(view.trick.seats, view.trick.cards, strict=True)),
        leader=view.trick.seats[0] if view.trick.seats else next_to_play,
        is_asked=is_asked,
        unseen=tuple(unseen),
    )


@lru_cache(maxsize=64)
def _holdings(unseen: Cards, size: int) -> tuple[tuple[Cards, float], ...]:
    """Every hand of this size, best card first, and in how many ways it can be dealt."""
    best_first = range(len(unseen) - 1, -1, -1)
    holdings = []
    for cards in combinations_with_replacement(best_first, size):
        ways = 1
        for card in set(cards):
            ways *= comb(unseen[card], cards.count(card))
        if ways:
            holdings.append((cards, float(ways)))
    return tuple(holdings)


@lru_cache(maxsize=1 << 14)
def _strength(cards: Cards, ahead: int, led: int | None, ranks: int) -> float:
    """The chance to win the hand if the best card meets the best, the second the second, and so on; draws count half.

    `led` is what lies on the table to be beaten: as cheaply as can be, or else with the worst card.
    """
    if led is not None:
        beating = [card for card in cards if card > led]
        played = beating[-1] if beating else cards[-1]
        at = cards.index(played)
        return _strength(cards[:at] + cards[at + 1 :], ahead + (played > led) - (played < led), None, ranks)
    chances = {ahead: 1.0}
    for place, card in enumerate(cards):
        below = _at_most(place, len(cards), card / ranks)
        not_above = _at_most(place, len(cards), (card + 1) / ranks)
        after: dict[int, float] = {}
        for lead, likely in chances.items():
            for step, share in ((1, below), (0, not_above - below), (-1, 1 - not_above)):
                after[lead + step] = after.get(lead + step, 0.0) + likely * share
        chances = after
    return sum(likely * (1.0 if lead > 0 else 0.5 if lead == 0 else 0.0) for lead, likely in chances.items())


def _at_most(place: int, size: int, share: float) -> float:
    """The chance that the card at this place of a hand of so many, best first, is among this share of the worst."""
    return sum(float(comb(size, above) * (1 - share) ** above * share ** (size - above)) for above in range(place + 1))
