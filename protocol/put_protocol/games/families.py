"""Registry of the families of games on the wire, for code that handles every family.

`apply_event` and `with_turn` fold messages to a viewer into that viewer's view, and need no rules. The law, tested for
every rule set over random games with time-outs and departures: applying the events and then the turn to the old view
gives the new view. So a client that has the old view need not be sent the new one.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, get_args

from msgspec.structs import replace

from put_protocol import games
from put_protocol.blind_events import BlindEvent
from put_protocol.deal_steps import HandsDealt
from put_protocol.games.family import Family
from put_protocol.games.unknown import UnknownEvent, UnknownView
from put_protocol.seats import Seat, Viewer
from put_protocol.shown import WireEvent
from put_protocol.table_events import GameOver, GameStarted, LeftGame, TableEvent, TimedOut

if TYPE_CHECKING:
    from put_protocol.games.unions import Event, GameView


def _declared_families() -> Iterator[Family]:
    for module in iter_modules(games.__path__):
        if module.name in ("families", "unions"):
            continue  # this module, and the one that is made of these families
        family: Family | None = getattr(import_module(f"{games.__name__}.{module.name}"), "FAMILY", None)
        if family is not None:
            yield family


FAMILIES: Mapping[str, Family] = {
    family.name: family for family in sorted(_declared_families(), key=lambda family: (family.place, family.name))
}

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
"""The family of an unknown game: its view changes only when the server sends another view."""

_BY_VIEW = {family.view: family for family in FAMILIES.values()}

_END_A_TURN = frozenset({TimedOut, LeftGame, GameOver})
"""Table events after which the turn may change or end."""

_BESIDE_THE_GAME = frozenset((*get_args(TableEvent), *get_args(BlindEvent))) - _END_A_TURN - {GameStarted}
"""Events that change no view."""


def family_of(view: "GameView") -> Family:
    """The family of this view; `UNKNOWN` if it is of a later release."""
    return _BY_VIEW.get(type(view), UNKNOWN)


def opening_of(view: "GameView") -> "GameView":
    opening: GameView = family_of(view).opening_of(view)
    return opening


def mover_of(view: "GameView", events: tuple[object, ...]) -> Seat | None:
    """The player whose move caused these events of one message; None: no player, or unknown."""
    first = events[0] if events else None
    return first.seat if isinstance(first, TimedOut) else family_of(view).mover_of(first)


def apply_event(view: "GameView", event: "Event", viewer: Viewer) -> "GameView":
    """The viewer's view after an event. An event of the game clears the turn until `with_turn`.

    :raises ValueError: the change is unknown here.
    """
    family, kind = family_of(view), type(event)
    if family is UNKNOWN or kind in _BESIDE_THE_GAME:
        return view
    if kind is GameStarted:
        return opening_of(view)
    after: GameView = replace(view, to_move=None, moment=None)
    if kind in family.events:
        after = family.apply_event(after, event, viewer)
    elif kind not in _END_A_TURN:
        raise ValueError(f"{kind.__name__} is no event of {family.name}")
    return after


def with_turn(view: "GameView", seat: Seat, moment: str) -> "GameView":
    """The view in which this seat is to move, at this moment.

    :raises ValueError: the moment is unknown here.
    """
    family = family_of(view)
    if family is UNKNOWN:
        raise ValueError("the views of this family are sent whole")
    turned: GameView = replace(view, to_move=seat, moment=family.moment(moment))
    return turned


def deals_hand(event: WireEvent) -> bool:
    return any(isinstance(step, HandsDealt) for step in event.deal_steps())
