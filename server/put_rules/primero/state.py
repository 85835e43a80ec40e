"""Terms and state of a sitting of Primero."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from put_protocol.cards import PACKS
from put_protocol.games.primero import Bet, Category, Moment, PrimeroAction, Raise, Refuse, See, ShownHand
from put_protocol.seats import Seat
from put_rules.betting import Betting
from put_rules.facts import NO_CARDS, NO_HANDS, Cards, Hands, Hidden
from put_rules.game import OptionValue

PACK = PACKS["french-40"]


class Terms:
    """Constants for all transitions, and cached lists of answers."""

    __slots__ = ("answers", "bets", "everyone", "hands", "limit", "none_thrown", "right_of", "seats")

    def __init__(self, seats: int, options: Mapping[str, OptionValue]) -> None:
        """`options`: those of a table, complete and valid."""
        self.seats = seats
        self.limit = int(options["limit"])
        self.hands = int(options["hands"])
        self.everyone = tuple(Seat(seat) for seat in range(seats))
        self.right_of = tuple(self.everyone[seat + 1 :] + self.everyone[: seat + 1] for seat in self.everyone)
        """Listed by seat: all seats in the order of play, from the next one to itself."""
        self.none_thrown: Hands = Hidden(((),) * seats)
        self.bets: tuple[PrimeroAction, ...] = tuple(Bet(amount) for amount in range(1, self.limit + 1))
        raises = tuple(Raise(amount) for amount in range(1, self.limit + 1))
        self.answers: Mapping[tuple[bool, bool], tuple[PrimeroAction, ...]] = {
            (False, False): (See(), Refuse()),
            (False, True): (See(),),
            (True, False): (See(), *raises, Refuse()),
            (True, True): (See(), *raises),
        }
        """Answers to a bet, by whether the player may raise, and whether they must take it."""


class Phase(StrEnum):
    """The next step while no seat is to move."""

    DRAW = "draw"
    """a pack to turn up cards from, until the first ace"""
    DEAL = "deal"
    """a pack to deal from"""
    STOCK = "stock"
    """a new stock, in the middle of a trade"""
    OVER = "over"


# Asked at every turn, and until Python 3.12 a member asked of its class costs six times what a name does.
DRAW, DEAL, STOCK, OVER = Phase
OPEN, ANSWER, VADA, ANNOUNCE, BET, TRADE = Moment


class PrimeroState(Struct, frozen=True, gc=False):
    """State of a sitting. Lists have one item for each seat; those of a hand are empty before the first deal."""

    phase: Phase | Moment
    """A `Moment` if and only if a seat is to move."""
    members: tuple[Seat, ...]
    """Players who have not left."""

    dealer: Seat
    """Dealer of the current or next hand; after the sitting, the first dealer of the next one."""
    paid: tuple[int, ...]
    """The amount each purse has gained."""

    pot: int = 0
    hand: int = 0
    """Number of the hand, from 1."""
    running: int = 0
    """Deals of this hand that were thrown in."""
    dealt_by: Seat | None = None
    """Dealer of the last deal."""
    eldest: Seat | None = None
    """Player who spoke first in that deal."""
    hands: Hands = NO_HANDS
    """Empty between hands."""
    stock: Hidden[Cards] = NO_CARDS
    """The rest of the pack, the next card first."""
    away: Hidden[Cards] = NO_CARDS
    """Traded cards, and those of players who are out, from which a new stock is made."""
    laying: Hidden[Cards] = NO_CARDS
    """While a new stock is awaited: cards that the drawing player has laid down."""
    drawing: int = 0
    """Number of cards that they must still draw."""
    thrown: Hands = NO_HANDS
    """The cards each has laid down since the deal."""
    playing: tuple[bool, ...] = ()
    """True for each player who is in."""
    asked: tuple[Seat, ...] = ()
    """Players still to be asked in turn, the seat to move first. (For bets, see `betting`.)"""
    to_move: Seat | None = None
    betting: Betting = Betting()
    is_first_round: bool = True
    announced: tuple[Category | None, ...] = ()
    traded: tuple[int, ...] = ()
    """Cards each has traded since the deal."""
    vada: Seat | None = None
    """Player who called the last showdown."""
    shown: tuple[ShownHand, ...] = ()
    """The hands of the last showdown."""
