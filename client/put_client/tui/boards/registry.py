"""The boards by family: a line a family. A board is loaded with the first game of its family: the first screen has
none, and to load three takes longer than to draw it."""

from collections.abc import Callable, Mapping
from functools import cache

from put_client.tui.boards.board import Board
from put_client.tui.model import AtTable


@cache
def _put() -> Board:
    from put_client.tui.boards.put.board import PutBoard  # noqa: PLC0415

    return PutBoard()


@cache
def _triomphe() -> Board:
    from put_client.tui.boards.triomphe.board import TriompheBoard  # noqa: PLC0415

    return TriompheBoard()


@cache
def _primero() -> Board:
    from put_client.tui.boards.primero.board import PrimeroBoard  # noqa: PLC0415

    return PrimeroBoard()


BOARDS: Mapping[str, Callable[[], Board]] = {
    "put": _put,
    "triomphe": _triomphe,
    "primero": _primero,
}
"""By the name of the family."""


_PLAIN = Board()


def board_of(table: AtTable) -> Board:
    """The board for the game at a table."""
    return BOARDS[table.family]() if table.family in BOARDS else _PLAIN
