"""Events folded into a view: what one viewer sees of a game follows from what they were told, and nothing else.

Laws: no rule is known here. What differs between games stands in the view it begins with (sides, ranking, what a hand
is worth); what an event changes stands in the event. The two fields that no event tells, `to_move` and `moment`, are
None in what comes out; where a game is told step by step, the mover is `mover_of` the events that come next. Events in
an order that no game has make a view of no game, but no error.
"""

from typing import assert_never

from msgspec.structs import replace

from put_protocol.cards import Card
from put_protocol.seal.events import CutMade, CutsShown, DealVoided, Sealed
from put_protocol.seats import Seat, Viewer
from put_protocol.table_events import (
    Accident,
    Agreed,
    Cause,
    DealerFound,
    Dealt,
    DidPut,
    Discarded,
    Doubled,
    Drawn,
    Event,
    ExtraDrawn,
    FreshDeal,
    GameEnded,
    GameStarted,
    Gave,
    GoOnAsked,
    HandEnded,
    LetGive,
    Passed,
    PauseAsked,
    Paused,
    Played,
    PresenceChanged,
    Said,
    Sat,
    Saw,
    Stood,
    TakenUp,
    ThrewIn,
    TrickEnded,
    WentOn,
)
from put_protocol.views import AccidentView, PutView, TrickView


def follow(view: PutView, event: Event, viewer: Viewer) -> PutView:
    """The viewer's view after an event."""
    view = replace(view, to_move=None, moment=None)
    match event:
        case Dealt():
            return _dealt(view, event)
        case Accident(law=law, seat=seat, card=card):
            return replace(view, accident=AccidentView(law, seat, card))
        case ExtraDrawn(seat=seat):
            return replace(view, counts=_added(view.counts, seat, -1))
        case TakenUp(counts=counts, cards=cards):
            return replace(view, counts=counts, cards=cards)
        case FreshDeal(scores=scores):
            return _laid_away(view, scores)
        case Gave():
            return _gave(view, event, viewer)
        case Discarded(seat=seat, card=card):
            view = replace(view, counts=_added(view.counts, seat, -1))
            if card is None:
                return view
            return replace(view, cards=_without(view.cards, card), thrown=(card,))
        case Played(seat=seat, card=card):
            trick = TrickView((*view.trick.seats, seat), (*view.trick.cards, card))
            cards = _without(view.cards, card)
            return replace(view, trick=trick, cards=cards, counts=_added(view.counts, seat, -1))
        case DidPut(seat=seat) | Doubled(seat=seat):
            return replace(view, putter=seat, seen_by=())
        case Saw(seat=seat, value=value):
            return replace(view, seen_by=(*view.seen_by, seat), value=value or view.value)
        case ThrewIn(seat=seat):
            return _threw_in(view, seat, viewer)
        case TrickEnded(winner=winner, tricks=tricks):
            past = (*view.past, replace(view.trick, winner=winner))
            return replace(view, trick=TrickView(), past=past, tricks=tricks)
        case HandEnded(scores=scores):
            return _laid_away(view, scores)
        case GameEnded(scores=scores, rubber=rubber, goes_on=goes_on):
            view = replace(_laid_away(view, scores), rubber=rubber)
            return replace(view, scores=(0,) * len(scores), hand=0) if goes_on else view
        case Drawn() | DealerFound() | LetGive() | Passed():
            return view  # what comes of them is told by the next event
        case Sat() | Stood() | GameStarted() | Agreed() | PresenceChanged() | Said():
            return view  # of the table, not of the game
        case PauseAsked() | Paused() | GoOnAsked() | WentOn():
            return view
        case Sealed() | CutMade() | CutsShown() | DealVoided():
            return view
        case _:
            assert_never(event)


def mover_of(events: tuple[Event, ...]) -> Seat | None:
    """Whose move these events, told together, came of; None if of nobody's, or if they do not say."""
    match events:
        case (ThrewIn(cause=Cause.LEFT), *_):
            return None  # on anybody's move
        case (
            Played(seat=seat)
            | DidPut(seat=seat)
            | Doubled(seat=seat)
            | Saw(seat=seat)
            | ThrewIn(seat=seat)
            | Passed(seat=seat)
            | LetGive(seat=seat)
            | Gave(seat=seat)
            | Discarded(seat=seat)
            | FreshDeal(seat=seat),
            *_,
        ):
            return seat
        case _:
            return None


def seated(names: tuple[str, ...], event: Event) -> tuple[str, ...]:
    """The players' names, by seat, after an event: somebody may take another's place."""
    if not isinstance(event, Sat):
        return names
    return tuple([event.name if seat == event.seat else name for seat, name in enumerate(names)])


def _dealt(view: PutView, event: Dealt) -> PutView:
    return replace(
        view,
        hand=event.hand,
        dealer=event.dealer,
        eldest=event.eldest,
        cards=event.cards,
        counts=event.counts,
        playing=tuple([count > 0 for count in event.counts]),
        tricks=(0,) * len(event.counts),
        trick=TrickView(),
        past=(),
        accident=None,
        gave=None,
        thrown=(),
        givers=(),
        putter=None,
        seen_by=(),
        value=1,
    )


def _gave(view: PutView, event: Gave, viewer: Viewer) -> PutView:
    giver, card = event.seat, event.card
    view = replace(
        view,
        givers=(*view.givers, giver),
        playing=tuple([is_in and seat != giver for seat, is_in in enumerate(view.playing)]),
        counts=_added(tuple([0 if seat == giver else n for seat, n in enumerate(view.counts)]), event.to, 1),
        eldest=event.to if giver == view.eldest else view.eldest,
    )
    if card is None:
        return view
    if viewer == giver:
        return replace(view, gave=card, thrown=_without(view.cards, card), cards=())
    return replace(view, cards=(*view.cards, card))


def _threw_in(view: PutView, seat: Seat, viewer: Viewer) -> PutView:
    """A side is out of the hand in play; between hands there is none to be out of."""
    if not view.counts:
        return view
    out = {other for other in range(len(view.playing)) if other == seat or view.are_partners(seat, Seat(other))}
    return replace(
        view,
        playing=tuple([is_in and other not in out for other, is_in in enumerate(view.playing)]),
        counts=tuple([0 if other in out else count for other, count in enumerate(view.counts)]),
        cards=() if viewer in out else view.cards,
    )


def _laid_away(view: PutView, scores: tuple[int, ...]) -> PutView:
    """The hand is over, and its cards are gone; what was taken and said stands until the next."""
    return replace(
        view,
        scores=scores,
        dealer=None,
        eldest=None,
        cards=(),
        counts=(),
        trick=TrickView(),
        accident=None,
        gave=None,
        thrown=(),
    )


def _added(counts: tuple[int, ...], seat: Seat, change: int) -> tuple[int, ...]:
    return tuple([count + change * (other == seat) for other, count in enumerate(counts)])


def _without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    return tuple([held for held in cards if held != card])
