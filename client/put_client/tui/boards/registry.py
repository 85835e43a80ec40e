"""The boards by family: a line a family."""

from collections.abc import Mapping

from put_client.tui.boards.board import Board
from put_client.tui.boards.primero.board import PrimeroBoard
from put_client.tui.boards.put.board import PutBoard
from put_client.tui.boards.triomphe.board import TriompheBoard
from put_client.tui.model import AtTable

BOARDS: Mapping[str, Board] = {
    "put": PutBoard(),
    "triomphe": TriompheBoard(),
    "primero": PrimeroBoard(),
}
"""By the name of the family."""

_PLAIN = Board()


def board_of(table: AtTable) -> Board:
    """The board for the game at a table."""
    return BOARDS.get(table.family, _PLAIN)
