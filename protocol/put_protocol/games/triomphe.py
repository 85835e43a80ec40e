"""Triomphe Forcée on the wire: its action, its events, the view of a viewer, and how an event changes a view.

Tags of this family begin with `triomphe.`, so they differ from those of other families. Money moves between the purses
and the pool. Every event that moves money states the amount, so a client needs no rules.
"""

from enum import StrEnum
from typing import get_args

from msgspec.structs import replace

from put_protocol import deal_steps
from put_protocol.cards import Card, WireCard
from put_protocol.deal_steps import HAND_OVER, Step
from put_protocol.games import family
from put_protocol.games.family import Family, SittingView, WireAction
from put_protocol.games.tricks import CardPlayed, TrickOver, TrickView, with_card_played, with_trick_ended
from put_protocol.seats import Direction, Seat, Viewer, added
from put_protocol.shown import OWN_HAND, SeatEvent, Shows, WireEvent


class Play(WireAction, frozen=True, tag="triomphe.play"):
    """Lead a card, or play one to the trick."""

    card: WireCard

    TOLD_BY = "triomphe.played"


TriompheAction = Play


class TurnedUp(family.TurnedUp, frozen=True, tag="triomphe.turned_up"):
    """Cards were turned up one at a time, until the first trump found the dealer."""


class Dealt(WireEvent, frozen=True, tag="triomphe.dealt"):
    """Each player staked, and a hand was dealt."""

    hand: int
    """Number of this hand of the sitting, from 1."""
    dealer: Seat
    """The player who dealt it."""
    eldest: Seat
    """The player who declares and leads first: the player at the dealer's right."""
    stakes: tuple[int, ...]
    """The amount each seat staked; the pool is their sum."""
    counts: tuple[int, ...]
    """Cards each seat holds."""
    cards: tuple[WireCard, ...] = ()
    """The viewer's own cards in the order dealt; empty for the gallery."""

    SHOWS = OWN_HAND
    STEPS = (Step(deal_steps.HandsDealt, counts="counts"),)


class LaMortShown(SeatEvent, frozen=True, tag="triomphe.la_mort"):
    """A player holds La Mort and shows it. The end of the hand follows."""

    card: WireCard

    SHOWS = Shows(cards="card", by="seat")


class Declared(SeatEvent, frozen=True, tag="triomphe.declared"):
    """A player shows which of Le Fou, Le Basteleur and La Force they hold, and is paid from the pool for each."""

    cards: tuple[WireCard, ...]
    """Listed in the order Le Fou, Le Basteleur, La Force."""
    paid: int
    """The amount paid: what is due, or what is left in the pool."""

    SHOWS = Shows(cards="cards", by="seat")


class Played(CardPlayed, frozen=True, omit_defaults=True, tag="triomphe.played"):
    """A card was led or played."""


class TrickEnded(TrickOver, frozen=True, tag="triomphe.trick"):
    """A trick is complete and laid aside."""

    number: int
    """Counted from 1."""
    winner: Seat
    """The player who took the trick, and leads next if the hand continues."""
    tricks: tuple[int, ...]
    """Tricks taken in this hand, by seat."""


class HandWon(StrEnum):
    """The way a hand ended."""

    LA_MORT = "la_mort"
    """a player held La Mort, and takes all the stakes"""
    EMPTIED = "emptied"
    """the declarations emptied the pool"""
    MOST = "most"
    """a player took the most tricks"""
    SECOND_FIRST = "second_first"
    """two players took two tricks each; the winner took their second trick first"""
    FIRST_TRICK = "first_trick"
    """five players took one trick each; the winner took the first trick"""
    ALONE = "alone"
    """all other players left the game"""


class HandEnded(WireEvent, frozen=True, omit_defaults=True, tag="triomphe.hand"):
    """A hand is over, and its pool is paid out; the cards go away unseen."""

    how: HandWon
    """The way the hand ended."""
    winner: Seat | None = None
    """The player who takes the rest of the pool; None: the pool is empty."""
    paid: int = 0
    """The amount they get."""

    STEPS = HAND_OVER


TriompheEvent = TurnedUp | Dealt | LaMortShown | Declared | Played | TrickEnded | HandEnded


class Moment(StrEnum):
    """The decision the seat to move is asked for."""

    LEAD = "lead"
    """to lead a trick"""
    FOLLOW = "follow"
    """to play to the trick"""


class TriompheView(SittingView, frozen=True, tag="triomphe"):
    """A sitting of Triomphe Forcée as one viewer sees it. Lists of numbers have an item a seat."""

    hands: int
    """Hands in the sitting."""
    stake: int
    """The amount each player stakes on a hand."""
    force: WireCard
    """The trump that is La Force in this game."""
    gains: tuple[int, ...]
    """The amount each purse has gained since the sitting began; below 0: lost."""
    hand: int = 0
    """Number of the hand, from 1; 0 before the first deal."""
    dealer: Seat | None = None
    """The player who dealt the hand in play, or the last one."""
    eldest: Seat | None = None
    """The player who leads first in that hand."""
    cards: tuple[WireCard, ...] = ()
    """The viewer's own cards; empty for the gallery."""
    counts: tuple[int, ...] = ()
    """Cards in each hand."""
    pool: int = 0
    """The amount left of the stakes. Pool and gains sum to 0."""
    declared: tuple[tuple[WireCard, ...], ...] = ()
    """The cards each seat has shown in this hand: La Mort, or declared cards."""
    tricks: tuple[int, ...] = ()
    """Tricks each has taken in this hand."""
    trick: TrickView = TrickView()
    """The trick on the table."""
    past: tuple[TrickView, ...] = ()
    """The complete tricks of this hand, first to last."""
    to_move: Seat | None = None
    """The player who is to move; None: no player is."""
    moment: Moment | None = None
    """The decision they are asked for."""


def opening_of(view: TriompheView) -> TriompheView:
    return TriompheView(hands=view.hands, stake=view.stake, force=view.force, gains=(0,) * len(view.gains))


def apply_event(view: TriompheView, event: TriompheEvent, viewer: Viewer) -> TriompheView:  # noqa: ARG001 - every family's gets it
    """The viewer's view after an event of the game."""
    match event:  # the usual events first: each case that fails takes 0.1 us
        case Played(seat=seat, card=card):
            moved: TriompheView = with_card_played(view, seat, card)
            return moved
        case TrickEnded(winner=winner, tricks=tricks):
            ended: TriompheView = with_trick_ended(view, winner, tricks)
            return ended
        case TurnedUp():
            return view  # the deal that follows names the dealer
        case Dealt():
            return _dealt(view, event)
        case LaMortShown(seat=seat, card=card):
            return replace(view, declared=_with(view.declared, seat, (card,)))
        case Declared(seat=seat, cards=cards, paid=paid):
            return _paid(replace(view, declared=_with(view.declared, seat, cards)), seat, paid)
        case HandEnded(winner=winner, paid=paid):
            # The cards are gone; what was shown and taken stands until the next hand.
            view = replace(view, cards=(), counts=(), trick=TrickView())
            return view if winner is None else _paid(view, winner, paid)


def _dealt(view: TriompheView, event: Dealt) -> TriompheView:
    return replace(
        opening_of(view),
        gains=tuple([gain - stake for gain, stake in zip(view.gains, event.stakes, strict=False)]),
        hand=event.hand,
        dealer=event.dealer,
        eldest=event.eldest,
        cards=event.cards,
        counts=event.counts,
        pool=sum(event.stakes),
        declared=((),) * len(event.counts),
        tricks=(0,) * len(event.counts),
        trick=TrickView(),  # an item of the view: a default would be left out
    )


def _paid(view: TriompheView, seat: Seat, amount: int) -> TriompheView:
    return replace(view, gains=added(view.gains, seat, amount), pool=view.pool - amount)


def _with(declared: tuple[tuple[Card, ...], ...], seat: Seat, cards: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
    return (*declared[:seat], cards, *declared[seat + 1 :])


FAMILY = Family(
    name="triomphe",
    view=TriompheView,
    events=get_args(TriompheEvent),
    actions=(TriompheAction,),
    moment=Moment,
    apply_event=apply_event,
    mover_of=lambda first: first.seat if isinstance(first, Played) else None,
    opening_of=opening_of,
    direction=Direction.COUNTER_CLOCKWISE,
    has_winner=False,
    place=1,
)
