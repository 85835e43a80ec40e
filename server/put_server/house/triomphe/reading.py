"""Reading of a view of a hand in play: the player to move, the tricks taken, and the cards each player may hold.

A player who did not follow a suit has no card of it, and a player who did not trump either has no trump; the Fool
reveals nothing. Players must declare the Fool, Le Basteleur and La Force, and La Mort ends a hand before the play. So
no hand has an undeclared one of these cards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from put_protocol.cards import LE_BASTELEUR
from put_protocol.games.tricks import TrickView
from put_protocol.games.triomphe import TriompheView
from put_protocol.seats import Seat
from put_server.house.triomphe.tarot import FOOL, NO_SUIT, NUMBERS, SUIT, THE_DEATH, TRUMPS, beats

NO_PLAYER = -1


@dataclass(slots=True)
class Trick:
    """The current trick. Players are numbered from 0 in the order of the seats that were dealt a hand."""

    left: int
    """Number of players who have yet to play, including the player to move."""
    led: int = NO_SUIT
    best: int = FOOL
    taker: int = NO_PLAYER

    def add(self, player: int, card: int) -> None:
        self.left -= 1
        if self.led == NO_SUIT:
            self.led = SUIT[card]
        if self.taker == NO_PLAYER or beats(card, self.best):
            self.best, self.taker = card, player


@dataclass(slots=True)
class Position:
    players: int
    me: int
    hand: list[int]
    """The player's own cards, from the lowest number."""
    trick: Trick
    tricks: list[int]
    """Tricks taken by each player."""
    second: int
    """First player with a second trick; `NO_PLAYER`: none yet."""
    first: int
    """Winner of the first trick."""
    held: list[int]
    """Cards in each hand."""
    known: list[list[int]]
    """Declared and unplayed cards of each other player."""
    unseen: list[int]
    """Cards that other players may hold, or that were not dealt."""
    void: list[int]
    """Bits by player, one for each suit that they do not have."""

    def deal(self, dice: Random) -> list[list[int]]:
        """A random deal: all hands, each sorted by number."""
        hands = [list(known) for known in self.known]
        hands[self.me] = list(self.hand)
        wanted = [held - len(hand) for held, hand in zip(self.held, hands, strict=True)]
        if not any(self.void):
            cards = dice.sample(self.unseen, sum(wanted))
            at = 0
            for player, number in enumerate(wanted):
                hands[player] += cards[at : at + number]
                at += number
        else:
            cards = dice.sample(self.unseen, len(self.unseen))
            # Players of whom most is known come first, or no fitting cards may be left for them.
            for player in sorted(range(self.players), key=lambda each: -self.void[each].bit_count()):
                hands[player] += _drawn(cards, wanted[player], self.void[player])
        for hand in hands:
            hand.sort()
        return hands


def _drawn(cards: list[int], wanted: int, void: int) -> list[int]:
    """Take `wanted` cards from the end of the list, avoiding void suits as long as possible."""
    if not void:
        drawn = cards[len(cards) - wanted :]
        del cards[len(cards) - wanted :]
        return drawn
    drawn = []
    at = len(cards)
    while len(drawn) < wanted and at:
        at -= 1
        if not void >> SUIT[cards[at]] & 1:
            drawn.append(cards.pop(at))
    while len(drawn) < wanted:
        drawn.append(cards.pop())
    return drawn


def read(view: TriompheView, seat: Seat) -> Position:
    played: Sequence[TrickView] = (*view.past, view.trick)
    first = view.past[0].seats if view.past else view.trick.seats
    seats = sorted({*first, *[other for other, count in enumerate(view.counts) if count]})
    index = {Seat(other): player for player, other in enumerate(seats)}
    number = len(seats)
    gone = {NUMBERS[card] for trick in played for card in trick.cards}
    hand = sorted([NUMBERS[card] for card in view.cards])
    declared = [[NUMBERS[card] for card in view.declared[other]] for other in seats]
    special = {NUMBERS[card] for card in (LE_BASTELEUR, view.force)} | {FOOL, THE_DEATH}
    hidden = special.union(*declared, gone, hand)
    position = Position(
        players=number,
        me=index[seat],
        hand=hand,
        trick=Trick(number),
        tricks=[view.tricks[other] for other in seats],
        second=_second(view, index),
        first=index[view.past[0].winner] if view.past and view.past[0].winner is not None else NO_PLAYER,
        held=[view.counts[other] for other in seats],
        known=[[card for card in cards if card not in gone] for cards in declared],
        unseen=[card for card in range(78) if card not in hidden],
        void=[0] * number,
    )
    for trick in played:
        position.trick = Trick(number)
        for other, card in zip(trick.seats, trick.cards, strict=True):
            _note(position, index[other], NUMBERS[card])
    return position


def _note(position: Position, player: int, card: int) -> None:
    """Note a played card, and suits that its player does not have."""
    trick = position.trick
    if trick.led != NO_SUIT and card != FOOL and SUIT[card] != trick.led:
        position.void[player] |= 1 << trick.led
        if SUIT[card] != TRUMPS:
            position.void[player] |= 1 << TRUMPS
    trick.add(player, card)


def _second(view: TriompheView, index: dict[Seat, int]) -> int:
    taken: set[Seat | None] = set()
    for trick in view.past:
        if trick.winner in taken and trick.winner is not None:
            return index[trick.winner]
        taken.add(trick.winner)
    return NO_PLAYER
