"""The boards by family: a line a family."""

from collections.abc import Mapping

from msgspec import Struct

from put_client.tui.boards.board import Board
from put_client.tui.boards.put.board import PutBoard
from put_protocol.games.put import PutView

BOARDS: Mapping[type[Struct], Board] = {PutView: PutBoard()}
"""By the type of the view."""

_FIRST, _PLAIN = next(iter(BOARDS.values())), Board()


def board_of(view: Struct | None) -> Board:
    """The board that shows a view. Before there is any, the first shows the seats and the rules."""
    return _FIRST if view is None else BOARDS.get(type(view), _PLAIN)
