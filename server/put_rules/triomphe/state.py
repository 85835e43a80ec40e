"""State of a sitting of Triomphe Forcée: what stands after each input."""

from enum import StrEnum

from msgspec import Struct

from put_protocol.cards import Card
from put_protocol.games.tricks import TrickView
from put_protocol.seats import Seat
from put_rules.facts import NO_HANDS, Hands


class Phase(StrEnum):
    """The step that comes next."""

    DRAW = "draw"
    """a shuffled pack, to find the first dealer"""
    DEAL = "deal"
    """a shuffled pack, to deal a hand from"""
    PLAY = "play"
    """the seat to move leads or plays a card"""
    OVER = "over"


# Asked at every turn, and until Python 3.12 a member asked of its class costs six times what a name does.
DRAW, DEAL, PLAY, OVER = Phase


class TriompheState(Struct, frozen=True, gc=False):
    """Lists have an item a seat. Seats that left the sitting stay in them."""

    phase: Phase
    members: tuple[Seat, ...]
    """Each player who is still in the sitting."""
    dealer: Seat
    """Dealer of the hand in play, or of the next; when the sitting is over, of the next one's first hand."""
    paid: tuple[int, ...]
    """The amount each purse has gained so far."""
    dealt: Seat | None = None
    """The player who dealt the hand in play, or the last one."""
    hand: int = 0
    players: tuple[Seat, ...] = ()
    """Each player who was dealt a hand, eldest first. Who leaves stays among them until the hand is over."""
    hands: Hands = NO_HANDS
    pool: int = 0
    declared: tuple[tuple[Card, ...], ...] = ()
    """The cards each has shown in this hand."""
    tricks: tuple[int, ...] = ()
    trick_seats: tuple[Seat, ...] = ()
    trick_cards: tuple[Card, ...] = ()
    to_move: Seat | None = None
    past: tuple[TrickView, ...] = ()
