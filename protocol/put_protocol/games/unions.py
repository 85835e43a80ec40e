"""Actions, events and views of every family, as one type each, and what all families have in common."""

from typing import TYPE_CHECKING

from msgspec import Struct

from put_protocol.games.primero import PrimeroAction, PrimeroEvent, PrimeroView
from put_protocol.games.put import GameEnded, PutAction, PutEvent, PutView
from put_protocol.games.triomphe import TriompheAction, TriompheEvent, TriompheView
from put_protocol.games.unknown import UnknownAction, UnknownEvent, UnknownView
from put_protocol.seal_events import SealEvent
from put_protocol.table_events import GameOver, TableEvent

if TYPE_CHECKING:
    # What a client may hold. msgspec reads the unions below, which are all that travels between equal releases: it
    # knows no alternative for "any other tag", so `codecs.ReplyDecoder` puts the unknown ones in their places.
    Action = PutAction | TriompheAction | PrimeroAction | UnknownAction
    GameEvent = PutEvent | TriompheEvent | PrimeroEvent | UnknownEvent
    GameView = PutView | TriompheView | PrimeroView | UnknownView
else:
    Action = PutAction | TriompheAction | PrimeroAction
    GameEvent = PutEvent | TriompheEvent | PrimeroEvent
    GameView = PutView | TriompheView | PrimeroView
Event = GameEvent | TableEvent | SealEvent


class Choice(Struct, frozen=True):
    """A legal action with the server's own words for it."""

    action: Action
    """As `act` takes it."""
    says: str
    """A phrase to show or say, such as `lead the 3 of spades`. For people; a program looks at the action."""


Ending = GameEnded | GameOver
"""The event that ends a game, or a game of a rubber."""


def ending_of(event: object) -> GameOver | None:
    """The end of a game, however its family tells it; None: the event ends none, or the rubber goes on."""
    match event:
        case GameOver():
            return event
        case GameEnded(goes_on=False, winners=winners, paid=paid):
            return GameOver(gains=paid, winners=winners)
        case _:
            return None
