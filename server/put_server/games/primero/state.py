"""Terms and state of a sitting of Primero: what a table has agreed on, and how its sitting stands."""

from enum import Enum

from msgspec import Struct

from put_protocol.cards import PACKS, Card
from put_protocol.games.primero import Bet, Category, Raise, ShownHand
from put_protocol.seats import Seat
from put_server.games.facts import Hidden
from put_server.games.primero.betting import Betting
from put_server.games.primero.rules import PrimeroRules

PACK = PACKS["french-40"]
"""The cards it is played with."""


class Terms:
    """What every transition needs to know and none may change."""

    __slots__ = ("bets", "everyone", "raises", "rules", "seats")

    def __init__(self, rules: PrimeroRules, seats: int) -> None:
        self.rules = rules
        self.seats = seats
        self.everyone = tuple(Seat(seat) for seat in range(seats))
        # What is asked at many turns is made here once.
        self.bets = tuple(Bet(amount) for amount in range(1, rules.limit + 1))
        self.raises = tuple(Raise(amount) for amount in range(1, rules.limit + 1))

    def right_of(self, seat: Seat) -> tuple[Seat, ...]:
        """All seats in the order of play from this one's right, itself last."""
        return self.everyone[seat + 1 :] + self.everyone[: seat + 1]


class Phase(Enum):
    """What comes next. A phase in which a seat is to move is a question to it."""

    DRAW = "draw"
    """a pack to turn up cards from, until the first ace"""
    DEAL = "deal"
    """a pack to deal from"""
    OPEN = "open"
    """bet or trade, with two cards"""
    ANSWER = "answer"
    """see, raise or refuse"""
    VADA = "vada"
    """call a showdown, or go on"""
    ANNOUNCE = "announce"
    """announce a category"""
    BET = "bet"
    """bet or pass, in the second round"""
    TRADE = "trade"
    """trade or stand"""
    STOCK = "stock"
    """a new stock, in the middle of a trade"""
    OVER = "over"


Cards = tuple[Card, ...]


class PrimeroState(Struct, frozen=True):
    """How a sitting stands. Lists have an item a seat; those of a hand are empty before the first deal."""

    phase: Phase
    members: tuple[Seat, ...]
    """Who has not left."""
    dealer: Seat
    """Of the hand in play, or of the next; when the sitting is over, who deals first in the next."""
    paid: tuple[int, ...]
    """What each purse has gained."""
    pot: int = 0
    hand: int = 0
    """Which hand, from 1."""
    running: int = 0
    """Deals of this hand that were thrown in."""
    dealt_by: Seat | None = None
    """Who dealt the last deal."""
    eldest: Seat | None = None
    """Who spoke first in it."""
    hands: Hidden[tuple[Cards, ...]] = Hidden(())
    """Empty between hands."""
    stock: Hidden[Cards] = Hidden(())
    """What is left of the pack, the next card first."""
    away: Hidden[Cards] = Hidden(())
    """Cards traded away and those of players who are out: a new stock is made of them."""
    laying: Hidden[Cards] = Hidden(())
    """While a new stock is awaited: what the player who draws has laid down."""
    drawing: int = 0
    """And how many cards they have yet to draw."""
    thrown: Hidden[tuple[Cards, ...]] = Hidden(())
    """What each has laid down since the deal."""
    playing: tuple[bool, ...] = ()
    """Who is in."""
    asked: tuple[Seat, ...] = ()
    """Who is yet to be asked whatever everyone is asked in turn, the seat to move first. Bets are answered by
    `betting`."""
    to_move: Seat | None = None
    betting: Betting = Betting()
    is_first_round: bool = True
    """Of betting."""
    announced: tuple[Category | None, ...] = ()
    traded: tuple[int, ...] = ()
    """Cards each has traded since the deal."""
    vada: Seat | None = None
    """Who called the last showdown."""
    shown: tuple[ShownHand, ...] = ()
    """The hands of the last showdown."""
