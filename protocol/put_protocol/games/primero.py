"""Primero on the wire: its actions, its events, the view of a viewer, and how an event changes a view.

A tag of this family begins with `primero.`, so that no other family's can be taken for it. Money moves between the
purses and the pot; every event that moves any says how much, so nobody has to know a rule to follow. A bet lies in the
pot from the moment it is made, and goes back to its maker when it is withdrawn.
"""

from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct

from put_protocol.cards import Card, WireCard
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.shown import Shown, ShowsNoCard, own_hand


class Category(StrEnum):
    """Categories of a hand of four cards, the lowest first."""

    NUMERUS = "numerus"
    """two or three cards of one suit"""
    PRIMERO = "primero"
    """a card of each suit"""
    SUPREMUS = "supremus"
    """fifty-five: ace, 6 and 7 of one suit, and a card of another"""
    FLUXUS = "fluxus"
    """four cards of one suit"""
    CHORUS = "chorus"
    """four cards of one rank"""


# --- actions ---------------------------------------------------------------------------------------------------------

Amount = Annotated[int, Meta(ge=1, le=1_000)]


class Bet(Struct, frozen=True, tag_field="do", tag="primero.bet"):
    """Make the first bet of a round."""

    amount: Amount


class Raise(Struct, frozen=True, tag_field="do", tag="primero.raise"):
    """See the bet, and bet so much more."""

    amount: Amount


class See(Struct, frozen=True, tag_field="do", tag="primero.see"):
    """Take the bet."""


class Refuse(Struct, frozen=True, tag_field="do", tag="primero.refuse"):
    """Refuse the bet: out of the hand, if anybody takes it."""


class Pass(Struct, frozen=True, tag_field="do", tag="primero.pass"):
    """Make no bet, in the second betting."""


class Trade(Struct, frozen=True, tag_field="do", tag="primero.trade"):
    """Lay down one or two cards, unseen, and draw as many."""

    cards: Annotated[tuple[WireCard, ...], Meta(min_length=1, max_length=2)]


class Stand(Struct, frozen=True, tag_field="do", tag="primero.stand"):
    """Keep all cards, before the showdown."""


class Vada(Struct, frozen=True, tag_field="do", tag="primero.vada"):
    """Call an immediate showdown, with a Primero or a Fluxus."""


class GoOn(Struct, frozen=True, tag_field="do", tag="primero.go_on"):
    """Call no showdown."""


class Announce(Struct, frozen=True, tag_field="do", tag="primero.announce"):
    """Announce a category; it may be higher than the hand."""

    category: Category


PrimeroAction = Bet | Raise | See | Refuse | Pass | Trade | Stand | Vada | GoOn | Announce

# --- events ----------------------------------------------------------------------------------------------------------


class TurnedUp(Struct, frozen=True, tag_field="event", tag="primero.turned_up"):
    """Cards were turned up one at a time, until the first ace found the dealer."""

    seats: tuple[Seat, ...]
    """Before whom each card was turned up."""
    cards: tuple[WireCard, ...]
    """The cards, in that order; the last is an ace."""
    dealer: Seat
    """Who got that ace, and deals first."""

    def shows(self, viewer: Viewer) -> tuple[Shown, ...]:
        return tuple([Shown(card, seat) for seat, card in zip(self.seats, self.cards, strict=False)])


class Dealt(Struct, frozen=True, omit_defaults=True, tag_field="event", tag="primero.dealt"):
    """The first two cards were dealt to each player."""

    hand: int
    """Which hand of the sitting this is, from 1."""
    dealer: Seat
    """Who dealt it."""
    eldest: Seat
    """Who speaks first: the player at the dealer's right."""
    counts: tuple[int, ...]
    """Cards each seat holds."""
    stock: int
    """Cards left in the pack."""
    antes: tuple[int, ...] = ()
    """What each seat paid into the pot for it; empty: nothing, because the cards were thrown in and dealt again."""
    cards: tuple[WireCard, ...] = ()
    """The viewer's own; empty for the gallery."""

    def shows(self, viewer: Viewer) -> tuple[Shown, ...]:
        return own_hand(self.cards, viewer)


class MoreDealt(Struct, frozen=True, omit_defaults=True, tag_field="event", tag="primero.more_dealt"):
    """Two more cards were dealt to each player still in, from the same pack."""

    to: tuple[Seat, ...]
    """Who got each card, in the order dealt."""
    stock: int
    """Cards left in the pack."""
    cards: tuple[WireCard, ...] = ()
    """The viewer's own new cards; empty for the gallery and for who is out."""

    def shows(self, viewer: Viewer) -> tuple[Shown, ...]:
        return own_hand(self.cards, viewer)


class ThrownIn(ShowsNoCard, frozen=True, tag_field="event", tag="primero.thrown_in"):
    """Nobody bet and everyone traded, or is out: the cards are thrown in unseen, and the same dealer deals again. The
    pot stays."""

    running: int
    """How many such deals there were running; after three nobody may trade in the next."""


class Traded(Struct, frozen=True, omit_defaults=True, tag_field="event", tag="primero.traded"):
    """A player laid cards down, unseen. They draw as many: one `drew` follows, or more where the stock runs out."""

    seat: Seat
    count: int
    cards: tuple[WireCard, ...] = ()
    """For themselves only."""

    def shows(self, viewer: Viewer) -> tuple[Shown, ...]:
        return tuple([Shown(card, self.seat) for card in self.cards])


class Drew(Struct, frozen=True, omit_defaults=True, tag_field="event", tag="primero.drew"):
    """A player drew cards from the stock."""

    seat: Seat
    count: int
    stock: int
    """Cards left in it."""
    cards: tuple[WireCard, ...] = ()
    """For themselves only."""

    def shows(self, viewer: Viewer) -> tuple[Shown, ...]:
        if viewer == GALLERY or viewer != self.seat:
            return tuple([Shown(card, self.seat) for card in self.cards])
        return own_hand(self.cards, viewer)


class StockRenewed(ShowsNoCard, frozen=True, tag_field="event", tag="primero.stock_renewed"):
    """The stock ran out. The cards traded away and those of players who are out were shuffled into a new one, but for
    those that the player who draws is laying down."""

    stock: int
    """Cards in it."""


class Bid(ShowsNoCard, frozen=True, omit_defaults=True, tag_field="event", tag="primero.bid"):
    """A player bet or, seeing the bet before it, raised it."""

    seat: Seat
    amount: int
    """What the bet, or the raise, is."""
    paid: int
    """What they put in the pot: for a raise also what it takes to see the bet before it."""
    level: int
    """What each player has to have put in during this round in order to see it."""


class Saw(ShowsNoCard, frozen=True, tag_field="event", tag="primero.saw"):
    """A player took the bet."""

    seat: Seat
    paid: int
    """What they put in the pot."""


class Refused(ShowsNoCard, frozen=True, tag_field="event", tag="primero.refused"):
    """A player refused the bet. They are out if anybody takes it, which `out` tells."""

    seat: Seat


class Withdrawn(ShowsNoCard, frozen=True, tag_field="event", tag="primero.withdrawn"):
    """Nobody took the bet: its maker takes it back, and may raise no more in this round."""

    seat: Seat
    paid: int
    """What goes back from the pot to their purse."""
    level: int
    """To what the bet goes back."""


class Passed(ShowsNoCard, frozen=True, tag_field="event", tag="primero.passed"):
    """A player made no bet, in the second betting."""

    seat: Seat


class WentOut(ShowsNoCard, frozen=True, tag_field="event", tag="primero.out"):
    """Players are out of the hand; their cards go away unseen."""

    seats: tuple[Seat, ...]


class CalledVada(ShowsNoCard, frozen=True, tag_field="event", tag="primero.vada"):
    """A player calls an immediate showdown."""

    seat: Seat


class WentOn(ShowsNoCard, frozen=True, tag_field="event", tag="primero.went_on"):
    """A player was asked, and calls no showdown."""

    seat: Seat


class Announced(ShowsNoCard, frozen=True, tag_field="event", tag="primero.announced"):
    """A player announced a category. Nobody checks it."""

    seat: Seat
    category: Category


class Stood(ShowsNoCard, frozen=True, tag_field="event", tag="primero.stood"):
    """A player keeps all cards."""

    seat: Seat


class BettingOver(ShowsNoCard, frozen=True, tag_field="event", tag="primero.betting_over"):
    """A round of betting is over: bets of this round are settled."""


class ShownHand(Struct, frozen=True):
    """A hand at the showdown."""

    seat: Seat
    cards: tuple[WireCard, ...]
    category: Category
    points: int


class Showdown(Struct, frozen=True, tag_field="event", tag="primero.showdown"):
    """Everyone still in shows their hand, from the dealer's right."""

    hands: tuple[ShownHand, ...]

    def shows(self, viewer: Viewer) -> tuple[Shown, ...]:
        return tuple([Shown(Card(card), hand.seat) for hand in self.hands for card in hand.cards])


class HandWon(StrEnum):
    """How a hand ended."""

    SHOWDOWN = "showdown"
    """by the best hand"""
    ALONE = "alone"
    """everyone else is out"""


class HandEnded(ShowsNoCard, frozen=True, tag_field="event", tag="primero.hand"):
    """A hand is over."""

    how: HandWon
    """What ended it."""
    winner: Seat
    """Who takes the pot."""
    paid: int
    """What it holds."""


PrimeroEvent = (
    TurnedUp
    | Dealt
    | MoreDealt
    | ThrownIn
    | Traded
    | Drew
    | StockRenewed
    | Bid
    | Saw
    | Refused
    | Withdrawn
    | Passed
    | WentOut
    | CalledVada
    | WentOn
    | Announced
    | Stood
    | BettingOver
    | Showdown
    | HandEnded
)

# --- the view --------------------------------------------------------------------------------------------------------


class Moment(StrEnum):
    """What the seat to move is asked for."""

    OPEN = "open"
    """to bet or trade, with two cards"""
    ANSWER = "answer"
    """to see, raise or refuse a bet"""
    VADA = "vada"
    """to call a showdown, or go on"""
    ANNOUNCE = "announce"
    """to announce a category"""
    BET = "bet"
    """to bet or pass, in the second betting"""
    TRADE = "trade"
    """to trade or stand, before the showdown"""


class PrimeroView(Struct, frozen=True, omit_defaults=True, tag_field="view", tag="primero"):
    """A sitting of Primero as one viewer sees it. Lists of numbers, and of true or false, have an item a seat."""

    hands: int
    """Hands in the sitting."""
    limit: int
    """The highest bet or raise."""
    gains: tuple[int, ...]
    """What each purse has gained since the sitting began; below 0, lost. What is in the pot is lost until it is won."""
    hand: int = 0
    """Which hand, from 1; 0 before the first deal."""
    dealer: Seat | None = None
    """Who dealt the hand in play, or the last one."""
    eldest: Seat | None = None
    """Who speaks first in it."""
    cards: tuple[WireCard, ...] = ()
    """The viewer's own cards; empty for the gallery."""
    counts: tuple[int, ...] = ()
    """Cards in each hand."""
    playing: tuple[bool, ...] = ()
    """Who is still in the hand."""
    pot: int = 0
    """What it holds, the bets of this round among it."""
    level: int = 0
    """What each player has to have put in during this round in order to see the bet; 0: nobody has bet."""
    bettor: Seat | None = None
    """Who made the bet that is to be answered, or made the last one."""
    put_in: tuple[int, ...] = ()
    """What each has put in during this round of betting."""
    refused: tuple[Seat, ...] = ()
    """Who refused that bet; they are out if anybody takes it."""
    barred: tuple[Seat, ...] = ()
    """Who had a bet withdrawn, and may raise no more in this round."""
    raises: tuple[int, ...] = ()
    """Raises each has made in this round; three are allowed."""
    announced: tuple[Category | None, ...] = ()
    """What each has announced in this hand."""
    traded: tuple[int, ...] = ()
    """Cards each has traded in this hand."""
    thrown: tuple[WireCard, ...] = ()
    """The viewer's own cards that they laid down in this hand."""
    stock: int = 0
    """Cards left in the pack."""
    running: int = 0
    """Deals thrown in running because everyone traded."""
    vada: Seat | None = None
    """Who called the showdown."""
    shown: tuple[ShownHand, ...] = ()
    """The hands of the last showdown, until the next deal."""
    to_move: Seat | None = None
    """Whose decision it is; None: nobody's."""
    moment: Moment | None = None
    """What they are asked for."""
