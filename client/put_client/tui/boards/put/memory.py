"""Memory of the board of Put: what its events leave on the table, and the game hand by hand."""

from msgspec import Struct
from msgspec.structs import replace

from put_client.tui.boards.put.story import Story
from put_client.tui.model import AtTable
from put_protocol.cards import Card
from put_protocol.games.put import PutView
from put_protocol.games.tricks import TrickView
from put_protocol.seats import Seat

NO_TRICK = TrickView()


class LastTrick(Struct, frozen=True, kw_only=True):
    """The trick that was laid aside last, shown until the next card is led."""

    number: int
    seats: tuple[Seat, ...]
    cards: tuple[Card, ...]
    winner: Seat | None


class Memory(Struct, frozen=True, kw_only=True):
    """What the board remembers besides the view."""

    on_table: TrickView = NO_TRICK
    """The trick in play, as the events tell it."""
    last: LastTrick | None = None
    story: Story | None = None
    """The game hand by hand, as far as we saw it."""


_NOTHING = Memory()


def memory_of(table: AtTable) -> Memory:
    """What is remembered of this table."""
    return table.memory if isinstance(table.memory, Memory) else _NOTHING


def remembering(table: AtTable, memory: Memory) -> AtTable:
    """The table with this remembered."""
    return replace(table, memory=memory)


def view_of(table: AtTable) -> PutView | None:
    """The view, if there is one yet."""
    return table.view if isinstance(table.view, PutView) else None
