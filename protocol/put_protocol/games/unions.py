"""Actions, events and views of every family, as one type each."""

from msgspec import Struct

from put_protocol.games.put import PutAction, PutEvent, PutView
from put_protocol.seal_events import SealEvent
from put_protocol.table_events import TableEvent

Action = PutAction
GameEvent = PutEvent
GameView = PutView
Event = GameEvent | TableEvent | SealEvent


class Choice(Struct, frozen=True):
    """A legal action with the server's own words for it."""

    action: Action
    """As `act` takes it."""
    says: str
    """A phrase to show or say, such as `lead the 3 of spades`. For people; a program looks at the action."""
