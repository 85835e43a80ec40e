"""The worth of each hand to eldest, or to the dealer, in a solved game at each score.

A file is `MAGIC` and, compressed, a number of two bytes for each score (rising), side, and hand of `hands_of`: the gain
with that hand if both play by the table, in units of 1 / `SCALE` stakes. `scripts/solution` counts them over all deals.

The mean over all deals is computed from these numbers, so the mean of `luck` is exactly 0 for any numbers.
"""

import lzma
import struct
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from put_server.house.put.solved.payoffs import Score
from put_server.house.put.solved.rank_sets import Ranks, hands_of, ways_dealt
from put_server.house.put.solved.solution_table import shipped
from put_server.house.put.solved.tree import DEALER, ELDEST, TRICKS

MAGIC = b"put hands 1\n"
SCALE = 1 << 14


def file_of(game: str) -> Traversable:
    return files("put_server.house.put") / "tables" / f"{game}.hands"


class HandWorths:
    def __init__(self, data: bytes, scores: list[Score], ranks: int) -> None:
        self._hands = hands_of(ranks, TRICKS)
        numbers = struct.iter_unpack("<h", lzma.decompress(data.removeprefix(MAGIC)))
        weights = [ways_dealt(hand) for hand in self._hands.hands]
        whole = sum(weights)
        self._above: dict[tuple[Score, int], list[float]] = {}
        for score in sorted(scores):
            for side in (ELDEST, DEALER):
                worths = [next(numbers)[0] / SCALE for _ in self._hands.hands]
                mean = sum(weight * worth for weight, worth in zip(weights, worths, strict=True)) / whole
                self._above[score, side] = [worth - mean for worth in worths]

    def luck(self, score: Score, eldest: Ranks, dealer: Ranks) -> float:
        """Gain of eldest by this deal over the mean of all deals, in stakes, as far as each hand alone shows it. Its
        mean over all deals is 0."""
        place = self._hands.place
        return self._above[score, ELDEST][place[eldest]] - self._above[score, DEALER][place[dealer]]


@lru_cache(maxsize=4)
def hand_worths(game: str) -> HandWorths | None:
    """Worths for a rule set with its usual options, read once; None: there are none."""
    table, file = shipped(game), file_of(game)
    if table is None or not file.is_file():
        return None
    return HandWorths(file.read_bytes(), list(table.parts), table.tree.ranks)
