"""The tables the house has."""

from functools import lru_cache
from importlib.resources import files

from put_server.house.solved.spots import COURSES
from put_server.house.solved.table import Table


@lru_cache(maxsize=len(COURSES))
def shipped(game: str) -> Table | None:
    """The table of a rule set with its usual options, read once; None: there is none."""
    file = files("put_server.house") / "tables" / f"{game}.put"
    return Table(file.read_bytes()) if game in COURSES and file.is_file() else None
