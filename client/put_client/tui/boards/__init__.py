"""The boards: what is a family's own on the screen.

The rest of the screen asks `board_of(table)`, and knows no type of any family. What a board remembers between two views
is `AtTable.memory`, which only that board reads. A family without a line in `BOARDS` has the plain `Board`, by which
its games can be played; its own is a subclass, in a module or a package of its own. It is loaded with the first game of
its family: the first screen has none, and to load three takes longer than to draw it.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from put_client.tui.boards.board import Board
from put_client.tui.model import AtTable

BOARDS: Mapping[str, str] = {"put": "PutBoard", "triomphe": "TriompheBoard", "primero": "PrimeroBoard"}
"""The class in the family's module, or package, here."""

_PLAIN = Board()


@cache
def _board(family: str) -> Board:
    board: Board = getattr(import_module(f"put_client.tui.boards.{family}"), BOARDS[family])()
    return board


def board_of(table: AtTable) -> Board:
    return _board(table.family) if table.family in BOARDS else _PLAIN
