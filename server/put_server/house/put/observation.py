"""Observation of a hand in play: a seat's knowledge as numbers, and the deals consistent with it.

A card is its strength (more is better); suits do not matter. All deals of the unseen cards are equally likely here.
`opponent_model` adds what puts and silence reveal.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, combinations_with_replacement
from math import comb
from random import Random
from typing import NamedTuple

from put_protocol.cards import SUITS, Card, rank_of
from put_protocol.games.put import Moment, Play, PutView
from put_protocol.seats import Seat
from put_server.house.put.hand_evaluation import Cards, compress_ranks, lead_results, play_out, reply_results, strength

_EXACT_CARDS = 3
"""Most cards in a hand for exact play between two: one deal of four takes as long as all deals of three."""

Results = tuple[int, ...]
"""End of a hand for each own card played next, in the order of `Observation.distinct`; one item if another plays next.
1 is a won hand, 0 a drawn one, -1 a lost one."""


class Deal(NamedTuple):
    """Hands that the others may hold."""

    weight: float
    """Weight, proportional to the deal's probability among the deals of one list."""
    hands: tuple[Cards, ...]
    """Hands of the others, in order, each with the best card first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """A seat's knowledge of a hand in play. `counts` and `tricks` have one item for each seat."""

    seat: int
    distinct: Cards
    """Own strengths, each once, best first."""
    held: Cards
    """Own strengths, best first."""
    others: tuple[int, ...]
    """Other players in the hand, from the left."""
    counts: tuple[int, ...]
    tricks: tuple[int, ...]
    table: tuple[tuple[int, int], ...]
    """Seats and the cards they played to the trick on the table."""
    leader: int
    """Leader of this trick, or of the next."""
    other_plays_next: bool
    """True: another player plays the next card."""
    shown: tuple[Cards, ...]
    """Cards that each other player has played in this hand."""
    are_receivers: bool
    """The players in the hand were given their partners' best cards."""
    unseen: Cards
    """Number of cards of each strength, worst first, this seat has not seen in this hand."""

    @property
    def is_duel(self) -> bool:
        """Two are left, and few enough cards for an exact result."""
        return len(self.others) == 1 and max(len(self.held), self.counts[self.others[0]]) <= _EXACT_CARDS

    def deals(self, dice: Random, samples: int) -> list[Deal]:
        """All deals for two players; otherwise a random sample."""
        if self.is_duel:
            size = self.counts[self.others[0]]
            found = dealt_hands(self.unseen, size)
            if self.are_receivers:
                found = receiver_hands(self.unseen, size, self.shown[0])
            return [Deal(weight, (cards,)) for cards, weight in found]
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
        """End of the hand in each deal, if all other players play on."""
        if self.is_duel:
            return self._duels([deal.hands[0] for deal in deals])
        return [self.result_among(deal, self.others) for deal in deals]

    def result_among(self, deal: Deal, staying: tuple[int, ...]) -> Results:
        """End of the hand in this deal by the rule of `play_out`, if only these other players play on."""
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
                for first in ((None,) if self.other_plays_next else self.distinct)
            ]
        )

    def _duels(self, hands: Sequence[Cards]) -> list[Results]:
        other, table = self.others[0], dict(self.table)
        ahead = self.tricks[self.seat] - self.tricks[other]
        ranks = compress_ranks((*self.held, *table.values()), len(self.unseen) - 1)
        mine = tuple([ranks[card] for card in self.held])
        theirs = [tuple([ranks[card] for card in cards]) for cards in hands]
        if self.other_plays_next and self.seat in table:
            led = ranks[table[self.seat]]
            return [(-max(reply_results(cards, mine, led, -ahead)),) for cards in theirs]
        if self.other_plays_next:
            return [(-max(lead_results(cards, mine, -ahead)),) for cards in theirs]
        if other in table:
            led = ranks[table[other]]
            results = [reply_results(mine, cards, led, ahead) for cards in theirs]
        else:
            results = [lead_results(mine, cards, ahead) for cards in theirs]
        if len(self.distinct) == len(mine):
            return results
        places = [self.held.index(card) for card in self.distinct]
        return [tuple([each[place] for place in places]) for each in results]

    def strengths(self, other: int, hands: Sequence[Cards]) -> list[float]:
        """Strength of each of these hands from the view of the player who holds it, from 0 to 1."""
        ahead = self.tricks[other] - max(self.tricks[s] for s in (self.seat, *self.others) if s != other)
        has_played = any(seat == other for seat, _ in self.table)
        led = None if has_played else max([card for _, card in self.table], default=None)
        return [strength(cards, ahead, led, len(self.unseen)) for cards in hands]


def observe(view: PutView, seat: Seat) -> Observation | None:
    """The observation of this seat; None: no hand is in play, or its cards are unknown."""
    seats = len(view.scores)
    lists = (view.counts, view.playing, view.tricks)
    if not view.ranking or any(len(items) != seats for items in lists) or not 0 <= seat < seats:
        return None
    if len(view.cards) != view.counts[seat] or not (view.cards or seat in view.trick.seats):
        return None
    strengths = {rank: place for place, rank in enumerate(reversed(view.ranking))}
    others = tuple(s % seats for s in range(seat + 1, seat + seats) if view.playing[s % seats])
    tricks = (*view.past, view.trick)
    seen: list[Card] = [*view.cards, *view.thrown, *(card for trick in tricks for card in trick.cards)]
    if not others or not view.playing[seat] or any(rank_of(card) not in strengths for card in seen):
        return None
    unseen = [len(SUITS)] * len(strengths)
    for card in set(seen):
        unseen[strengths[rank_of(card)]] -= 1
    # Between deal and play, such as before a discard, hands are not final.
    hands = {view.counts[s] + (s in view.trick.seats) for s in (seat, *others)}
    if len(hands) > 1 or sum(unseen) < sum(view.counts[other] for other in others):
        return None
    next_to_play = _next_to_play(view, seat)
    if next_to_play is None:
        return None
    held = tuple(sorted((strengths[rank_of(card)] for card in view.cards), reverse=True))
    return Observation(
        seat=seat,
        distinct=tuple(dict.fromkeys(held)),
        held=held,
        others=others,
        counts=view.counts,
        tricks=view.tricks,
        table=tuple((s, strengths[rank_of(c)]) for s, c in zip(view.trick.seats, view.trick.cards, strict=True)),
        leader=view.trick.seats[0] if view.trick.seats else next_to_play,
        other_plays_next=next_to_play != seat,
        shown=tuple(
            tuple(
                strengths[rank_of(c)]
                for trick in tricks
                for s, c in zip(trick.seats, trick.cards, strict=True)
                if s == o
            )
            for o in others
        ),
        are_receivers=bool(view.givers),
        unseen=tuple(unseen),
    )


def leader_of(view: PutView, eldest: Seat) -> Seat:
    """The leader of the current or next trick, even if they are out."""
    if view.trick.seats:
        return view.trick.seats[0]
    if view.past:
        last = view.past[-1]
        return last.seats[0] if last.winner is None else last.winner
    return eldest


def play_of(plays: Sequence[Play], ranking: Sequence[str], card: int) -> Play:
    """The play of a card with this strength; suits do not matter."""
    rank = ranking[len(ranking) - 1 - card]
    return next((play for play in plays if rank_of(play.card) == rank), plays[-1])


def _next_to_play(view: PutView, seat: Seat) -> Seat | None:
    """The player of the next card after all words are said; `seat` is to move. None: all have played to the trick, and
    its last player has left."""
    if view.moment in (Moment.LEAD, Moment.REPLY):
        return seat
    leader = leader_of(view, seat if view.eldest is None else view.eldest)
    seats = len(view.playing)
    order = [Seat(s % seats) for s in range(leader, leader + seats)]
    return next((s for s in order if view.playing[s] and s not in view.trick.seats), None)


Holdings = tuple[tuple[Cards, float], ...]
"""Hands, best card first, with the number of ways in which each can arise, up to a common factor."""


@lru_cache(maxsize=64)
def dealt_hands(unseen: Cards, size: int) -> Holdings:
    """Every hand of this size that can be dealt."""
    best_first = range(len(unseen) - 1, -1, -1)
    holdings = []
    for cards in combinations_with_replacement(best_first, size):
        ways = 1
        for card in set(cards):
            ways *= comb(unseen[card], cards.count(card))
        if ways:
            holdings.append((cards, float(ways)))
    return tuple(holdings)


@lru_cache(maxsize=64)
def receiver_hands(unseen: Cards, size: int, shown: Cards) -> Holdings:
    """Every hand of a player who received their partner's best card, discarded the worst, and has `shown` some.

    Either they kept the gift (then their partner held two cards that were no better, and the discarded card was the
    worst); or the gift was the worst card, and they discarded it.
    """
    total = sum(unseen)
    # Of the others of its rank half are no better: of two equal cards either may have been given, or thrown away. And
    # never none: people do not always throw away their worst.
    not_above = [
        (below - count + max(count - 1, 1) / 2) / total for count, below in zip(unseen, accumulate(unseen), strict=True)
    ]
    holdings = []
    for cards, ways in dealt_hands(unseen, size):
        kept = (*cards, *shown)
        lowest = not_above[min(kept)]
        holdings.append((cards, ways * lowest * (sum([not_above[card] ** 2 for card in kept]) + lowest * lowest / 3)))
    return tuple(holdings)
