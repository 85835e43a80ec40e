"""Primero on the wire: its actions, its events, the view of a viewer, and how an event changes a view.

Tags of this family begin with `primero.`, so they differ from those of other families. Money moves between the purses
and the pot. Every event that moves money states the amount, so a client needs no rules. A bet is in the pot from the
moment it is made, and returns to its maker if it is withdrawn.

`apply_event` folds events into a view: what one viewer sees of a sitting follows from the events they were sent, and
from nothing else. No event contains `to_move` or `moment`, so both are None in the result. Events in an impossible
order give an impossible view, but no error.
"""

from enum import StrEnum
from typing import Annotated, get_args

from msgspec import Meta, Struct
from msgspec.structs import replace

from put_protocol import deal_steps
from put_protocol.cards import WireCard
from put_protocol.deal_steps import HAND_OVER, Step
from put_protocol.games import family
from put_protocol.games.family import Family, SittingView, WireAction
from put_protocol.seats import Direction, Seat, Viewer, added
from put_protocol.shown import OWN_HAND, SeatEvent, Shows, WireEvent


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


Amount = Annotated[int, Meta(ge=1, le=1_000)]
CardCount = Annotated[int, Meta(ge=0, le=40)]


class Bet(WireAction, frozen=True, tag="primero.bet"):
    """Make the first bet of a round."""

    amount: Amount
    """The amount each player must put in to see the bet; at most the table's `limit`."""

    TOLD_BY = "primero.bid"


class Raise(WireAction, frozen=True, tag="primero.raise"):
    """See the bet, and raise it by an amount."""

    amount: Amount
    """The amount added; at most the table's `limit`."""

    TOLD_BY = "primero.bid"


class See(WireAction, frozen=True, tag="primero.see"):
    """Take the bet."""

    TOLD_BY = "primero.saw"


class Refuse(WireAction, frozen=True, tag="primero.refuse"):
    """Refuse the bet: you are out of the hand if another player takes it."""

    TOLD_BY = "primero.refused"


class Pass(WireAction, frozen=True, tag="primero.pass"):
    """Make no bet, in the second betting."""

    TOLD_BY = "primero.passed"


class Trade(WireAction, frozen=True, tag="primero.trade"):
    """Lay down one or two cards, unseen, and draw the same number."""

    cards: Annotated[tuple[WireCard, ...], Meta(min_length=1, max_length=2)]
    """Cards of your own hand, in the order in which you hold them."""

    IS_UNSEEN = True
    TOLD_BY = "primero.traded"


class Stand(WireAction, frozen=True, tag="primero.stand"):
    """Keep all cards, before the showdown."""

    TOLD_BY = "primero.stood"


class Vada(WireAction, frozen=True, tag="primero.vada"):
    """Call an immediate showdown, with a Primero or a Fluxus."""

    TOLD_BY = "primero.vada"


class GoOn(WireAction, frozen=True, tag="primero.go_on"):
    """Call no showdown."""

    TOLD_BY = "primero.went_on"


class Announce(WireAction, frozen=True, tag="primero.announce"):
    """Announce a category; it may be higher than the hand."""

    category: Category
    """The category you announce."""

    TOLD_BY = "primero.announced"


PrimeroAction = Bet | Raise | See | Refuse | Pass | Trade | Stand | Vada | GoOn | Announce


class TurnedUp(family.TurnedUp, frozen=True, tag="primero.turned_up"):
    """Cards were turned up one at a time, until the first ace found the dealer."""


class Dealt(WireEvent, frozen=True, omit_defaults=True, tag="primero.dealt"):
    """The first two cards were dealt to each player."""

    hand: int
    """Number of this hand of the sitting, from 1."""
    dealer: Seat
    """The player who dealt it."""
    eldest: Seat
    """The player who speaks first: the player at the dealer's right."""
    counts: tuple[int, ...]
    """Cards each seat holds."""
    stock: int
    """Cards left in the pack."""
    antes: tuple[int, ...] = ()
    """The amount each seat paid into the pot for the deal. Empty: nothing, because it repeats a thrown-in deal."""
    cards: tuple[WireCard, ...] = ()
    """The viewer's own cards; empty for the gallery."""

    SHOWS = OWN_HAND
    STEPS = (Step(deal_steps.HandsDealt, counts="counts"),)


class MoreDealt(WireEvent, frozen=True, omit_defaults=True, tag="primero.more_dealt"):
    """Two more cards were dealt to each player still in, from the same pack."""

    to: tuple[Seat, ...]
    """The seat that got each card, in the order dealt."""
    stock: int
    """Cards left in the pack."""
    cards: tuple[WireCard, ...] = ()
    """The viewer's own new cards; empty for the gallery and for players who are out."""

    SHOWS = OWN_HAND
    STEPS = (Step(deal_steps.MoreDealt, to="to"),)


class ThrownIn(WireEvent, frozen=True, omit_defaults=True, tag="primero.thrown_in"):
    """No player bet, and every player traded or is out. The cards are thrown in unseen. The dealer deals again; the pot
    stays."""

    running: int
    """Number of consecutive deals that were thrown in."""
    ends_trading: bool = False
    """No player may trade in the next deal."""

    STEPS = HAND_OVER


class Traded(SeatEvent, frozen=True, omit_defaults=True, tag="primero.traded"):
    """A player laid cards down, unseen, and draws the same number. One or more `drew` follow."""

    count: CardCount
    """Number of cards."""
    cards: tuple[WireCard, ...] = ()
    """Sent to themselves only."""

    SHOWS = Shows(cards="cards", by="seat")
    STEPS = (Step(deal_steps.LaidDown, seat="seat", count="count", cards="cards"),)


class Drew(SeatEvent, frozen=True, omit_defaults=True, tag="primero.drew"):
    """A player drew cards from the stock."""

    count: CardCount
    """Number of cards."""
    stock: int
    """Cards left in the stock."""
    cards: tuple[WireCard, ...] = ()
    """Sent to themselves only."""

    SHOWS = Shows(cards="cards", by="seat", is_dealt=True)
    STEPS = (Step(deal_steps.MoreDealt, to=("seat", "count")),)


class StockRenewed(WireEvent, frozen=True, tag="primero.stock_renewed"):
    """The stock ran out. The traded cards, and those of players who are out, were shuffled into a new stock. Cards that
    the drawing player is laying down are not in it."""

    stock: int
    """Cards in the new stock."""

    STEPS = (Step(deal_steps.StockRenewed, count="stock"),)


class Bid(SeatEvent, frozen=True, omit_defaults=True, tag="primero.bid"):
    """A player bet, or saw the previous bet and raised it."""

    amount: int
    """The amount of the bet, or of the raise."""
    paid: int
    """The amount the player put into the pot. A raise includes the cost to see the previous bet."""
    level: int
    """The amount each player must have put in during this round to see the bet."""


class Saw(SeatEvent, frozen=True, tag="primero.saw"):
    """A player took the bet."""

    paid: int
    """The amount they put in the pot."""


class Refused(SeatEvent, frozen=True, tag="primero.refused"):
    """A player refused the bet. They are out if another player takes it; `out` reports that."""


class Withdrawn(SeatEvent, frozen=True, omit_defaults=True, tag="primero.withdrawn"):
    """No player took the bet. Its maker takes it back, and may not raise again in this round."""

    paid: int
    """The amount that returns from the pot to the maker's purse."""
    level: int
    """The level of the bet that stands again."""
    bettor: Seat | None = None
    """The player who made the bet that stands again; None: there is none."""


class Passed(SeatEvent, frozen=True, tag="primero.passed"):
    """A player made no bet, in the second betting."""


class WentOut(WireEvent, frozen=True, tag="primero.out"):
    """Players are out of the hand; their cards go away unseen."""

    seats: tuple[Seat, ...]
    """The players."""

    STEPS = (Step(deal_steps.WentOut, seats="seats"),)


class CalledVada(SeatEvent, frozen=True, tag="primero.vada"):
    """A player calls an immediate showdown."""


class WentOn(SeatEvent, frozen=True, tag="primero.went_on"):
    """A player was asked, and calls no showdown."""


class Announced(SeatEvent, frozen=True, tag="primero.announced"):
    """A player announced a category. It is not checked."""

    category: Category
    """The category that the player claims; it may be higher than the hand."""


class Stood(SeatEvent, frozen=True, tag="primero.stood"):
    """A player keeps all cards."""


class BettingOver(WireEvent, frozen=True, tag="primero.betting_over"):
    """A round of betting is over, and its bets are settled."""


class ShownHand(Struct, frozen=True, gc=False):
    """A hand at the showdown."""

    seat: Seat
    cards: tuple[WireCard, ...]
    category: Category
    """Category of the hand."""
    points: int
    """Points of its cards, which rank hands of one category."""


class Showdown(WireEvent, frozen=True, tag="primero.showdown"):
    """Everyone still in shows their hand, from the dealer's right."""

    hands: tuple[ShownHand, ...]
    """Every hand, from the dealer's right."""

    SHOWS = Shows(hands="hands")


class HandWon(StrEnum):
    """The way a hand ended."""

    SHOWDOWN = "showdown"
    """by the best hand"""
    ALONE = "alone"
    """all other players are out"""


class HandEnded(WireEvent, frozen=True, tag="primero.hand"):
    """A hand is over."""

    how: HandWon
    """The way the hand ended."""
    winner: Seat
    """The player who takes the pot."""
    paid: int
    """The amount in the pot."""

    STEPS = HAND_OVER


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


class Moment(StrEnum):
    """The decision the seat to move is asked for."""

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


class PrimeroView(SittingView, frozen=True, tag="primero"):
    """A sitting of Primero as one viewer sees it. Lists of numbers, and of true or false, have an item a seat."""

    hands: int
    """Hands in the sitting."""
    limit: int
    """The highest bet or raise."""
    gains: tuple[int, ...]
    """The amount each purse has gained since the sitting began; below 0: lost. Money in the pot counts as lost."""
    hand: int = 0
    """Number of the hand, from 1; 0 before the first deal."""
    dealer: Seat | None = None
    """The player who dealt the hand in play, or the last one."""
    eldest: Seat | None = None
    """The player who speaks first in that hand."""
    cards: tuple[WireCard, ...] = ()
    """The viewer's own cards; empty for the gallery."""
    counts: tuple[int, ...] = ()
    """Cards in each hand."""
    playing: tuple[bool, ...] = ()
    """True for each player who is in the hand, or was when it ended."""
    pot: int = 0
    """Money in the pot, including the bets of this round."""
    level: int = 0
    """The amount each player must have put in during this round to see the bet; 0: no bet was made."""
    bettor: Seat | None = None
    """The player who made the open bet, or the last bet."""
    put_in: tuple[int, ...] = ()
    """The amount each has put in during this round of betting."""
    refused: tuple[Seat, ...] = ()
    """Players who refused that bet; they are out if another player takes it."""
    barred: tuple[Seat, ...] = ()
    """Players whose bet was withdrawn in this round; they may not raise again."""
    raises: tuple[int, ...] = ()
    """Raises by each player in this round; at most three."""
    announced: tuple[Category | None, ...] = ()
    """The category each has announced since the last deal."""
    traded: tuple[int, ...] = ()
    """Cards each has traded since the last deal."""
    thrown: tuple[WireCard, ...] = ()
    """The viewer's own cards that they laid down since the last deal."""
    stock: int = 0
    """Cards left in the pack."""
    running: int = 0
    """Number of deals in a row that were thrown in because everyone traded."""
    vada: Seat | None = None
    """The player who called the last showdown, until the next deal."""
    shown: tuple[ShownHand, ...] = ()
    """The hands of the last showdown, until the next deal."""
    to_move: Seat | None = None
    """The player who is to move; None: no player is."""
    moment: Moment | None = None
    """The decision they are asked for."""


def opening_of(view: PrimeroView) -> PrimeroView:
    return PrimeroView(hands=view.hands, limit=view.limit, gains=(0,) * len(view.gains))


def apply_event(view: PrimeroView, event: PrimeroEvent, viewer: Viewer) -> PrimeroView:
    """The viewer's view after an event of the game."""
    match event:  # the usual events first: each case that fails takes 0.1 us
        case Bid(seat=seat, paid=paid, level=level):
            is_raise = view.level > 0
            raises = added(view.raises, seat, 1) if is_raise else view.raises
            return replace(_paid_in(view, seat, paid), level=level, bettor=seat, refused=(), raises=raises)
        case Saw(seat=seat, paid=paid):
            return replace(_paid_in(view, seat, paid), refused=())
        case Refused(seat=seat):
            return replace(view, refused=(*view.refused, seat))
        case Dealt():
            return _dealt(view, event)
        case MoreDealt(to=to, stock=stock, cards=cards):
            counts = tuple([count + to.count(Seat(seat)) for seat, count in enumerate(view.counts)])
            return replace(view, counts=counts, stock=stock, cards=view.cards + cards)
        case ThrownIn(running=running):
            return replace(_laid_away(view), running=running)
        case Traded(seat=seat, count=count, cards=cards):
            return replace(
                view,
                counts=added(view.counts, seat, -count),
                traded=added(view.traded, seat, count),
                cards=tuple([card for card in view.cards if card not in cards]),
                thrown=view.thrown + cards,
            )
        case Drew(seat=seat, count=count, stock=stock, cards=cards):
            return replace(view, counts=added(view.counts, seat, count), stock=stock, cards=view.cards + cards)
        case StockRenewed(stock=stock):
            return replace(view, stock=stock)
        case Withdrawn(seat=seat, paid=paid, level=level, bettor=bettor):
            view = _paid_in(view, seat, -paid)
            return replace(view, level=level, bettor=bettor, refused=(), barred=(*view.barred, seat))
        case WentOut(seats=seats):
            return _went_out(view, seats, viewer)
        case CalledVada(seat=seat):
            return replace(view, vada=seat)
        case Announced(seat=seat, category=category):
            announced = tuple([category if other == seat else said for other, said in enumerate(view.announced)])
            return replace(view, announced=announced)
        case BettingOver():
            return _betting_over(view)
        case Showdown(hands=hands):
            return replace(view, shown=hands)
        case HandEnded(winner=winner, paid=paid):
            gains = added(view.gains, winner, paid)
            return replace(_betting_over(_laid_away(view)), gains=gains, pot=view.pot - paid, running=0)
        case TurnedUp() | Passed() | WentOn() | Stood():
            return view  # what comes of them is told by the next event


_MOVES = Bid | Saw | Refused | Passed | Traded | Stood | CalledVada | WentOn | Announced


def mover_of(first: object) -> Seat | None:
    if isinstance(first, WentOut) and len(first.seats) == 1:
        return first.seats[0]  # time ran out for who had to bet or trade
    return first.seat if isinstance(first, _MOVES) else None


def _dealt(view: PrimeroView, event: Dealt) -> PrimeroView:
    nothing = (0,) * len(event.counts)
    antes = event.antes or nothing
    return replace(
        opening_of(view),
        gains=tuple([gain - ante for gain, ante in zip(view.gains, antes, strict=False)]),
        pot=view.pot + sum(antes),
        hand=event.hand,
        dealer=event.dealer,
        eldest=event.eldest,
        cards=event.cards,
        counts=event.counts,
        playing=tuple([count > 0 for count in event.counts]),
        put_in=nothing,
        raises=nothing,
        announced=(None,) * len(event.counts),
        traded=nothing,
        stock=event.stock,
        running=view.running,
    )


def _paid_in(view: PrimeroView, seat: Seat, paid: int) -> PrimeroView:
    """Move an amount from a purse to the pot; below 0, from the pot to the purse."""
    return replace(
        view, gains=added(view.gains, seat, -paid), pot=view.pot + paid, put_in=added(view.put_in, seat, paid)
    )


def _went_out(view: PrimeroView, seats: tuple[Seat, ...], viewer: Viewer) -> PrimeroView:
    return replace(
        view,
        playing=tuple([is_in and seat not in seats for seat, is_in in enumerate(view.playing)]),
        counts=tuple([0 if seat in seats else count for seat, count in enumerate(view.counts)]),
        refused=tuple([seat for seat in view.refused if seat not in seats]),
        cards=() if viewer in seats else view.cards,
    )


def _betting_over(view: PrimeroView) -> PrimeroView:
    """The bets of the round are settled, and lie in the pot."""
    nothing = (0,) * len(view.put_in)
    return replace(view, level=0, bettor=None, put_in=nothing, refused=(), barred=(), raises=nothing)


def _laid_away(view: PrimeroView) -> PrimeroView:
    """Remove the cards. What was announced and shown stays until the next deal."""
    return replace(view, cards=(), counts=(), thrown=(), stock=0)


FAMILY = Family(
    name="primero",
    view=PrimeroView,
    events=get_args(PrimeroEvent),
    actions=get_args(PrimeroAction),
    moment=Moment,
    apply_event=apply_event,
    mover_of=mover_of,
    opening_of=opening_of,
    direction=Direction.COUNTER_CLOCKWISE,
    has_winner=False,
    place=2,
)
