"""House players of Triomphe Forcée: the beginner, and the steady and sharp ones, which sample deals.

They deal the unseen cards at random and play each deal to its end, with one simple policy for all players that sees
only its own cards and the trick. All cards are judged over the same deals, to reduce the effect of luck. Some luck
remains, so the policy's choice stands unless another card is clearly better. Without this rule, a few deals would make
a worse player than the policy itself.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from math import sqrt
from random import Random
from typing import NamedTuple

from put_protocol.games.triomphe import Play, TriompheView
from put_protocol.games.unions import Choice
from put_protocol.seats import Seat
from put_server.house.player import Count, Player, actions_of
from put_server.house.triomphe.reading import NO_PLAYER, Position, Trick, read
from put_server.house.triomphe.tarot import FOOL, NO_SUIT, NUMBERS, SUIT, TRUMP, TRUMPS, beats, ruffing, standing


class Beginner(Player):
    """A player that leads its best card, takes a trick as cheaply as it can, and throws away its worst card. It looks
    only at its own cards and the trick."""

    def mixture(self, view: TriompheView, legal: tuple[Choice, ...], seat: Seat) -> Mapping[Play, float]:
        plays = _plays(legal)
        trick = read(view, seat).trick
        cheap = sorted(plays, key=height)
        taking = [card for card in cheap if beats(card, trick.best)]
        return {plays[cheap[-1] if trick.best == FOOL else (taking or cheap)[0]]: 1.0}


def _plays(legal: tuple[Choice, ...]) -> dict[int, Play]:
    return {NUMBERS[action.card]: action for action in actions_of(legal)}


def height(card: int) -> int:
    """Worth of a card to a beginner: any trump beats a king, and kings of all suits are equal."""
    if card == FOOL:
        return 0
    return card if card >= TRUMP else (card - 1) % 14 + 1


THRIFT = 0.6
"""Worth of a kept card, for each later trick it might take if led."""
FOOL_LATER = 0.12
"""Worth of keeping the Fool: it saves a better card once."""


class Worth(NamedTuple):
    """Worth of each card at a turn, by its effect on the trick."""

    lead: tuple[float, ...]
    win: tuple[float, ...]
    """Worth of each card of the suit led that is the best so far."""
    ruff: tuple[float, ...]
    """Worth of each trump on another suit that is the best so far."""
    lose: tuple[float, ...]
    """Worth of each card that loses the trick: its later worth is lost."""


@cache
def worth(players: int, held: int, left: int) -> Worth:
    """Worths for a player with `held` cards, if `left` players, including this one, have yet to play."""
    now, over = standing(left - 1, held), ruffing(left - 1, held)
    later = standing(players - 1, held - 1) if held > 1 else (0.0,) * 78
    lose = (-FOOL_LATER if held > 1 else 0.0, *[-THRIFT * each for each in later[1:]])
    return Worth(
        lead=now,
        win=tuple([each + loss for each, loss in zip(now, lose, strict=True)]),
        ruff=tuple([each + loss for each, loss in zip(over, lose, strict=True)]),
        lose=lose,
    )


def wanted(hand: list[int], players: int, left: int, led: int, best: int) -> int:
    """The policy's card: the highest chance to take this trick, less the card's later worth.

    `hand`: sorted by number. `left`: players who have yet to play, including this one. `led`: the suit, or none.
    `best`: the best card so far.
    """
    table = worth(players, len(hand), left)
    if led == NO_SUIT:
        return max(hand, key=table.lead.__getitem__)
    lose = table.lose
    cards = [card for card in hand if SUIT[card] == led]
    if cards:
        wins, values = best < TRUMP or led == TRUMPS, table.win
    elif hand[-1] >= TRUMP:
        cards = [card for card in hand if card >= TRUMP]
        wins, values = True, table.ruff
    else:
        return max(hand, key=lose.__getitem__)
    found = cards[0]
    value = lose[found]
    if hand[0] == FOOL and lose[FOOL] > value:
        found, value = FOOL, lose[FOOL]
    if wins and cards[-1] > best:
        for card in cards:
            if card > best and values[card] > value:
                found, value = card, values[card]
    return found


def wins(
    player: int, hands: list[list[int]], turn: int, trick: Trick, tricks: list[int], second: int, first: int
) -> bool:
    """True if this player wins the pool when the hand is played to its end. The lists are consumed.

    The pool goes to the player with three tricks, otherwise to the first with two tricks, otherwise to the winner of
    the first trick. The hand ends when that is certain.
    """
    players = len(hands)
    left, led, best, taker = trick.left, trick.led, trick.best, trick.taker
    suits, choice = SUIT, wanted
    while True:
        while left:
            hand = hands[turn]
            if len(hand) == 1:
                card = hand.pop()
            else:
                card = choice(hand, players, left, led, best)
                hand.remove(card)
            if best == FOOL:  # nothing was led, or the Fool, which sets no suit
                led, best, taker = suits[card], card, turn
            elif card > best and (card >= TRUMP or suits[card] == suits[best]):
                best, taker = card, turn
            left -= 1
            turn += 1
            if turn == players:
                turn = 0
        taken = tricks[taker] = tricks[taker] + 1
        if taken == 3:
            return taker == player
        if first == NO_PLAYER:
            first = taker
        if second == NO_PLAYER and taken == 2:
            second = taker
        rest = len(hands[taker])
        if not rest:
            return (first if second == NO_PLAYER else second) == player
        if second != NO_PLAYER:
            if second != player and tricks[player] + rest < 3:
                return False
            if second == player and rest < 3 and not _may_pass(tricks, second, rest):
                return True
        turn, left, led, best, taker = taker, players, NO_SUIT, FOOL, NO_PLAYER


def _may_pass(tricks: list[int], second: int, rest: int) -> bool:
    """True if a player other than the first with two tricks may still take a third."""
    return any(taken + rest > 2 for player, taken in enumerate(tricks) if player != second)


ROUND = 20
"""Deals between two checks that drop inferior cards."""

SURE = 2.0
"""Standard errors by which a card must be worse to be dropped."""


class Care(NamedTuple):
    """Extent to which a player looks ahead."""

    deals: int
    """Most deals for each choice; fewer if one card is clearly the best."""
    doubt: float
    """Standard errors by which another card must beat the policy's choice."""


STEADY = Care(deals=12, doubt=1.0)
SHARP = Care(deals=160, doubt=0.5)


class Sampler(Player):
    """A player that samples deals."""

    def __init__(self, dice: Random, care: Care) -> None:
        super().__init__(dice)
        self._care = care

    def mixture(self, view: TriompheView, legal: tuple[Choice, ...], seat: Seat) -> Mapping[Play, float]:
        """One card with certainty, which may depend on the sampled deals."""
        plays = _plays(legal)
        card = next(iter(plays))
        return {plays[card if len(plays) == 1 else best_card(read(view, seat), plays, self._dice, self._care)]: 1.0}


def best_card(position: Position, cards: Iterable[int], dice: Random, care: Care) -> int:
    """The card with the highest chance to win the pool, or the policy's choice unless it is clearly worse."""
    trick = position.trick
    favourite = wanted(position.hand, position.players, trick.left, trick.led, trick.best)
    won = dict.fromkeys(cards, 0)
    racing = list(won)
    done = 0
    while done < care.deals and len(racing) > 1:
        number = min(ROUND, care.deals - done)
        for _ in range(number):
            _play_out(position, racing, dice, won)
        done += number
        best = max(won[card] for card in racing)
        racing = [card for card in racing if best - won[card] <= SURE * sqrt(best + won[card] + 1)]
    found = max(racing, key=won.__getitem__)
    lead = won[found] - won[favourite]
    return found if lead > care.doubt * sqrt(won[found] + won[favourite]) else favourite


def _play_out(position: Position, cards: list[int], dice: Random, won: dict[int, int]) -> None:
    """Play out one deal for each of these cards."""
    me, trick = position.me, position.trick
    hands = position.deal(dice)
    for card in cards:
        copy = [list(hand) for hand in hands]
        copy[me].remove(card)
        after = Trick(trick.left, trick.led, trick.best, trick.taker)
        after.add(me, card)
        turn = (me + 1) % position.players
        if wins(me, copy, turn, after, list(position.tricks), position.second, position.first):
            won[card] += 1


_COUNTED_DEALS = 200


def count(view: TriompheView, action: Play, seat: Seat, dice: Random | None) -> Count:
    """Deals are sampled."""
    position, card = read(view, seat), NUMBERS[action.card]
    won, wins = {card: 0}, None
    if dice is not None:
        for _ in range(_COUNTED_DEALS):
            _play_out(position, [card], dice, won)
        wins = won[card] / _COUNTED_DEALS
    if card == FOOL or position.trick.left == 1 or not beats(card, position.trick.best):
        return Count("pool", wins)
    held = [*position.unseen, *(other for known in position.known for other in known)]
    return Count("pool", wins, sum(beats(other, card) for other in held), len(held))
