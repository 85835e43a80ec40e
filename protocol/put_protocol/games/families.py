"""Registry of the families of games: what each has on the wire, for whoever handles games of all of them.

`apply_event` and `with_turn` fold what a viewer is sent into that viewer's view, and know no rule. The law, tested for
every rule set over random games with time-outs and departures: the view after some events is the view before, with
every one of the events applied, and then the turn. So a view need not be sent to whoever has the one before.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple, get_args

from msgspec import Struct
from msgspec.structs import replace

from put_protocol.deal_steps import HandsDealt, TurnedUp
from put_protocol.games import primero, put, triomphe
from put_protocol.games.unions import Event, GameView
from put_protocol.games.unknown import UnknownEvent, UnknownView
from put_protocol.seal_events import SealEvent
from put_protocol.seats import Direction, Seat, Viewer
from put_protocol.table_events import GameOver, GameStarted, LeftGame, TableEvent, TimedOut


class Family(NamedTuple):
    """One family, as its module in this package defines it."""

    name: str
    """The tag of its view, too."""
    view: type[Struct]
    events: tuple[type[Struct], ...]
    actions: tuple[type[Struct], ...]
    moment: type[StrEnum]
    """What a seat to move can be asked for."""
    apply_event: Callable[[Any, Any, Viewer], Any]
    """The viewer's view after an event of the family."""
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
            moment=put.Moment,
            apply_event=put.apply_event,
            mover_of=put.mover_of,
            opening_of=put.opening_of,
        ),
        Family(
            name="triomphe",
            view=triomphe.TriompheView,
            events=get_args(triomphe.TriompheEvent),
            actions=(triomphe.TriompheAction,),
            moment=triomphe.Moment,
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
            moment=primero.Moment,
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
    moment=StrEnum,
    apply_event=lambda view, *_: view,
    mover_of=lambda _: None,
    opening_of=lambda view: view,
    has_winner=False,
)
"""What stands for the family of a game that is not known here: its view changes only when the server sends another."""

_BY_VIEW = {family.view: family for family in FAMILIES.values()}

_END_A_TURN = frozenset({TimedOut, LeftGame, GameOver})
"""The events of a table after which the game may be at another turn, or at none."""

_BESIDE_THE_GAME = frozenset((*get_args(TableEvent), *get_args(SealEvent))) - _END_A_TURN - {GameStarted}
"""The events that change no view."""


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
    """The viewer's view after an event. Once the game moves, it is nobody's turn until `with_turn`.

    :raises ValueError: nobody here knows what the event changes.
    """
    family, kind = family_of(view), type(event)
    if family is UNKNOWN or kind in _BESIDE_THE_GAME:
        return view
    if kind in _END_A_TURN:
        ended: GameView = replace(view, to_move=None, moment=None)
        return ended
    if kind is GameStarted:
        return opening_of(view)
    if kind not in family.events:
        raise ValueError(f"{kind.__name__} is no event of {family.name}")
    after: GameView = family.apply_event(view, event, viewer)
    return after


def with_turn(view: GameView, seat: Seat, moment: str) -> GameView:
    """The view where this seat is to move, and is asked for this.

    :raises ValueError: nobody here knows what that is.
    """
    family = family_of(view)
    if family is UNKNOWN:
        raise ValueError("the views of this family are sent whole")
    turned: GameView = replace(view, to_move=seat, moment=family.moment(moment))
    return turned


def deals_hand(event: Event) -> bool:
    """Whether a hand has just been dealt."""
    return any(isinstance(step, HandsDealt) for step in event.deal_steps())


def begins_deal(event: Event) -> bool:
    """Whether the first cards of a pack are told: a hand, or those that find the first dealer."""
    return any(
        isinstance(step, HandsDealt) or (isinstance(step, TurnedUp) and step.is_draw) for step in event.deal_steps()
    )
