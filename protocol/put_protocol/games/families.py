"""Registry of the families of games: what each has on the wire, for whoever handles games of all of them."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, get_args

from msgspec import Struct

from put_protocol.deal_steps import HandsDealt, TurnedUp
from put_protocol.games import primero, put, triomphe
from put_protocol.games.unions import Event, GameView
from put_protocol.games.unknown import UnknownEvent, UnknownView
from put_protocol.seats import Direction, Seat, Viewer
from put_protocol.table_events import TimedOut


class Family(NamedTuple):
    """One family, as its module in this package defines it."""

    name: str
    """The tag of its view, too."""
    view: type[Struct]
    events: tuple[type[Struct], ...]
    actions: tuple[type[Struct], ...]
    apply_event: Callable[[Any, Any, Viewer], Any]
    """The viewer's view after an event of the family, of the table or of a seal."""
    mover_of: Callable[[tuple[object, ...]], Seat | None]
    """Whose move these events, told together, came of; None: of nobody's, or they do not say."""
    opening_of: Callable[[Any], Any]
    """Any view of a game as it was before anything happened."""
    direction: Direction = Direction.CLOCKWISE
    """Which way round its games are played."""
    has_winner: bool = True
    """A game has winners; else the purses tell, after a sitting."""


FAMILIES: Mapping[str, Family] = {
    family.name: family
    for family in (
        Family(
            name="put",
            view=put.PutView,
            events=get_args(put.PutEvent),
            actions=get_args(put.PutAction),
            apply_event=put.apply_event,
            mover_of=put.mover_of,
            opening_of=put.opening_of,
        ),
        Family(
            name="triomphe",
            view=triomphe.TriompheView,
            events=get_args(triomphe.TriompheEvent),
            actions=(triomphe.TriompheAction,),
            apply_event=triomphe.apply_event,
            mover_of=triomphe.mover_of,
            opening_of=triomphe.opening_of,
            direction=Direction.COUNTER_CLOCKWISE,
            has_winner=False,
        ),
        Family(
            name="primero",
            view=primero.PrimeroView,
            events=get_args(primero.PrimeroEvent),
            actions=get_args(primero.PrimeroAction),
            apply_event=primero.apply_event,
            mover_of=primero.mover_of,
            opening_of=primero.opening_of,
            direction=Direction.COUNTER_CLOCKWISE,
            has_winner=False,
        ),
    )
}
"""By name. A family adds a line."""

UNKNOWN = Family(
    name="",
    view=UnknownView,
    events=(UnknownEvent,),
    actions=(),
    apply_event=lambda view, *_: view,
    mover_of=lambda _: None,
    opening_of=lambda view: view,
    has_winner=False,
)
"""What stands for the family of a game that is not known here: its view changes only when the server sends another."""

_BY_VIEW = {family.view: family for family in FAMILIES.values()}


def family_of(view: GameView) -> Family:
    """The family whose view this is; `UNKNOWN` for one of a later release."""
    return _BY_VIEW.get(type(view), UNKNOWN)


def opening_of(view: GameView) -> GameView:
    """Any view of a game as it was before anything happened."""
    opening: GameView = family_of(view).opening_of(view)
    return opening


def mover_of(view: GameView, events: tuple[object, ...]) -> Seat | None:
    """Whose move these events, told together, came of; None: of nobody's, or they do not say."""
    if events and isinstance(events[0], TimedOut):
        return events[0].seat
    return family_of(view).mover_of(events)


def apply_event(view: GameView, event: Event, viewer: Viewer) -> GameView:
    """The viewer's view after an event."""
    after: GameView = family_of(view).apply_event(view, event, viewer)
    return after


def deals_hand(event: Event) -> bool:
    """Whether a hand has just been dealt."""
    return any(isinstance(step, HandsDealt) for step in event.deal_steps())


def begins_deal(event: Event) -> bool:
    """Whether the first cards of a pack are told: a hand, or those that find the first dealer."""
    return any(
        isinstance(step, HandsDealt) or (isinstance(step, TurnedUp) and step.is_draw) for step in event.deal_steps()
    )
