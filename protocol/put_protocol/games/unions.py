"""Unions of the actions, events and views of every family, and what all families share."""

from functools import reduce
from operator import add, or_
from typing import TYPE_CHECKING

from msgspec import Struct

from put_protocol.blind_events import BlindEvent
from put_protocol.games.families import FAMILIES
from put_protocol.games.family import WireAction, WireView
from put_protocol.games.put import GameEnded
from put_protocol.shown import WireEvent
from put_protocol.table_events import GameOver, TableEvent
from put_protocol.text import Phrase

if TYPE_CHECKING:
    # What a program may hold, the unknown included.
    Action = WireAction
    GameEvent = WireEvent
    GameView = WireView
    Event = WireEvent
else:
    # What msgspec reads: all that travels between equal releases. It knows no alternative for "any other tag", so
    # `codecs.ReplyDecoder` puts the unknown ones in their places.
    Action = reduce(or_, [action for family in FAMILIES.values() for action in family.actions])
    GameEvent = reduce(or_, [event for family in FAMILIES.values() for event in family.events])
    GameView = reduce(or_, [family.view for family in FAMILIES.values()])
    Event = GameEvent | TableEvent | BlindEvent


class Choice(Struct, frozen=True, omit_defaults=True, gc=False):
    """A legal action, with the server's words for it."""

    action: Action
    """The form that `act` takes."""
    says: str = ""
    """Text to show or say, such as `lead the 3 of spades`. Programs need only `action` (`words` of `hello`)."""
    phrase: Phrase | None = None
    """`says` as a message of the catalogue, if `language` of `hello` is set."""
    is_unseen: bool = False
    """The action names cards that the other players do not see. A player who holds a key signs it in that form."""


Ending = GameEnded | GameOver
"""The event that ends a game, or a game of a rubber."""


def ending_of(event: object) -> GameOver | None:
    """The end of a game, in one form for every family; None: the event ends no game, or the rubber continues."""
    match event:
        case GameOver():
            return event
        case GameEnded(goes_on=False, winners=winners, paid=paid):
            return GameOver(gains=paid, winners=winners)
        case _:
            return None


def gains_after(event: object, before: tuple[int, ...]) -> tuple[int, ...]:
    """Gains of each seat since a game began, after an event. In a rubber each game pays."""
    paid = event.gains if isinstance(event, GameOver) else event.paid if isinstance(event, GameEnded) else ()
    return tuple(map(add, before, paid)) if before and paid else paid or before
