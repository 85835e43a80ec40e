"""A hand played to its end, everyone playing by one simple policy that sees only its own cards and the trick."""

from functools import cache
from typing import NamedTuple

from put_server.house.triomphe.reading import NO_PLAYER, Trick
from put_server.house.triomphe.tarot import FOOL, NO_SUIT, SUIT, TRUMP, TRUMPS, ruffing, standing

THRIFT = 0.6
"""Worth of a kept card, for each trick it might take later if it were led."""
FOOL_LATER = 0.12
"""Worth of the kept Fool: it saves a better card once."""


class Worth(NamedTuple):
    """Worth of each card at a turn, by its effect on the trick."""

    lead: tuple[float, ...]
    win: tuple[float, ...]
    """Worths as the best card so far, of the suit led."""
    ruff: tuple[float, ...]
    """Worths as the best card so far, a trump on another suit."""
    lose: tuple[float, ...]
    """Worths as a card that loses: its worth for later is lost."""


@cache
def worth(players: int, held: int, left: int) -> Worth:
    """Worths for a player with `held` cards, if `left` players have yet to play, the player included."""
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
    """The card that the policy plays: the most likely to take this trick, less what it might be worth later.

    `hand`: from its lowest number. `left`: players who have yet to play, the player included. `led`: the suit, or none.
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
    """True if this player takes the pool when the hand is played to its end. The lists given are used up.

    The pool goes to the player with three tricks, else to the first who took a second trick, else to the one who took
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
    """True if another player than the first with two tricks may still take a third."""
    return any(taken + rest > 2 for player, taken in enumerate(tricks) if player != second)
