"""State of a game of this family: how it stands."""

from enum import StrEnum
from typing import Final

from msgspec import Struct

from put_protocol.cards import Card
from put_protocol.games.tricks import TrickView
from put_protocol.seats import Seat
from put_rules.facts import NO_HANDS, Hands, Hidden

Gifts = Hidden[tuple[Card | None, ...]]
NO_GIFTS: Gifts = Hidden(())


class Phase(StrEnum):
    """The step that comes next."""

    DRAW = "draw"
    """a shuffled pack, to draw for the deal from"""
    DEAL = "deal"
    """a shuffled pack, to deal a hand from"""
    ACCIDENT = "accident"
    """the seat to move says what becomes of the deal"""
    GIVE = "give"
    """the first of `asked` gives their partner their best card, or lets the partner give"""
    DISCARD = "discard"
    """the first of `asked` throws away one of four cards"""
    OPENING = "opening"
    """the first of `asked` puts or says nothing"""
    PLAY = "play"
    """the seat to move leads or plays, or raises"""
    LAST_SAY = "last_say"
    """the first trick is over: eldest throws in or puts"""
    ANSWER = "answer"
    """the first of `answering` throws in or sees"""
    OVER = "over"


# Asked at every turn, and until Python 3.12 a member asked of its class costs six times what a name does.
DRAW: Final = Phase.DRAW
DEAL: Final = Phase.DEAL
ACCIDENT: Final = Phase.ACCIDENT
DISCARD: Final = Phase.DISCARD
PLAY: Final = Phase.PLAY
ANSWER: Final = Phase.ANSWER


class Mishap(Struct, frozen=True, gc=False):
    """An accident in the dealing."""

    law: int
    """1 to 5, of the Laws of Put (Enquire Within 1856)."""
    seat: Seat
    """The player whose card was seen, or who has one too many; by law 3 the dealer."""
    card: Hidden[Card]
    """The card seen, or to be drawn if the deal stands."""


class PutState(Struct, frozen=True, gc=False):
    """Lists have an item a seat. Seats that left the game stay in them, out of every hand."""

    phase: Phase
    members: tuple[Seat, ...]
    """Each player who is still in the game."""
    dealer: Seat
    scores: tuple[int, ...]
    paid: tuple[int, ...]
    """The amount each purse has gained so far."""
    drawing: tuple[Seat, ...] = ()
    """Each player who draws, or draws again, for the deal."""
    is_fresh: bool = False
    """The next deal is one called afresh: it has no accident."""
    hand: int = 0
    hands: Hands = NO_HANDS
    thrown: Hands = NO_HANDS
    """Cards each threw away, giving or discarding."""
    gifts: Gifts = NO_GIFTS
    """The card each gave their partner."""
    mishap: Mishap | None = None
    asked: tuple[Seat, ...] = ()
    """Each player who is asked, in turn, before the play: to give, to discard, to put."""
    givers: tuple[Seat, ...] = ()
    playing: tuple[bool, ...] = ()
    """Each player who is still in the hand."""
    tricks: tuple[int, ...] = ()
    length: int = 0
    """Tricks in a hand: cards each plays."""
    eldest: Seat = Seat(0)
    """First to speak and to play."""
    leader: Seat = Seat(0)
    """Leader of the trick on the table."""
    trick_seats: tuple[Seat, ...] = ()
    trick_cards: tuple[Card, ...] = ()
    to_move: Seat | None = None
    past: tuple[TrickView, ...] = ()
    value: int = 1
    """Points the hand is worth."""
    putter: Seat | None = None
    """The player who put in this hand, or doubled last."""
    is_bound: bool = False
    """The seat to move in the play has nothing to say: they raised in this turn and were seen, or an accepted put is
    final."""
    seers: tuple[Seat, ...] = ()
    """Each player who accepted the put."""
    answering: tuple[Seat, ...] = ()
    """Each player who has yet to answer it, in turn."""
    rubber: tuple[int, ...] = ()
    """Games each has won in the rubber."""
