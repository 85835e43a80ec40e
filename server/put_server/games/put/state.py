"""What a game of Put is at any moment."""

from enum import Enum

from msgspec import Struct

from put_protocol.cards import Card
from put_protocol.seats import Seat
from put_protocol.views import TrickView
from put_server.games.hidden import Hidden

Hands = Hidden[tuple[tuple[Card, ...], ...]]


class Phase(Enum):
    """What comes next."""

    DRAW = "draw"
    """a shuffled pack, to draw for the deal from"""
    DEAL = "deal"
    """a shuffled pack, to deal a hand from"""
    PLAY = "play"
    """the seat to move leads or plays, or puts"""
    ANSWER = "answer"
    """the first of `answering` throws in or sees"""
    OVER = "over"


class PutState(Struct, frozen=True, gc=False):
    """Lists have an item a seat. Seats that left the game stay in them, out of every hand."""

    phase: Phase
    members: tuple[Seat, ...]
    """Who is still in the game."""
    dealer: Seat
    scores: tuple[int, ...]
    drawing: tuple[Seat, ...] = ()
    """Who draws, or draws again, for the deal."""
    hand: int = 0
    hands: Hands = Hidden(())
    eldest: Seat | None = None
    """Who leads the first trick; None between hands."""
    playing: tuple[bool, ...] = ()
    """Who is still in the hand."""
    tricks: tuple[int, ...] = ()
    length: int = 0
    """Tricks in a hand: cards dealt to each."""
    leader: Seat = Seat(0)
    """Of the trick on the table."""
    trick_seats: tuple[Seat, ...] = ()
    trick_cards: tuple[Card, ...] = ()
    to_move: Seat | None = None
    past: tuple[TrickView, ...] = ()
    putter: Seat | None = None
    seers: tuple[Seat, ...] = ()
    """Who accepted the put; not empty: it is accepted."""
    answering: tuple[Seat, ...] = ()
    """Who has yet to answer it, in turn."""
    paid: tuple[int, ...] = ()
    """When over: what each purse gains."""
