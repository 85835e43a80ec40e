"""Meters: what is counted while the server runs. All else that is measured is counted when a person asks."""

from collections import Counter

from put_runtime.histogram import Histogram
from put_server.table.table_effects import WaitFor


class Meters:
    def __init__(self) -> None:
        self.moves = Histogram()
        """Times of moves that were carried out: from the read that brought them until their news is handed to the
        sockets, the commit between included."""
        self.refused: Counter[str] = Counter()
        """Refusals of requests and newcomers by code, goodbyes that end a connection for a fault of the peer's too."""
        self.waits: Counter[str] = Counter(dict.fromkeys(WaitFor, 0))
        """Waits of tables that time ended, by what was waited for."""
