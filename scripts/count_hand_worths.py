"""Write what each hand of a solved game is worth, for put-arena --remove-luck: counted from the tables, over all deals.

python -m scripts.count_hand_worths            # some minutes; needs the extra `solve`
"""

import lzma
import struct
from pathlib import Path

from put_server.house.put.solved.hand_worths import MAGIC, SCALE, file_of
from put_server.house.put.solved.solution_table import Table, shipped
from put_server.house.put.solved.tree import SOLVABLE
from scripts.research.solved.counts import Counter


def packed(table: Table) -> bytes:
    """The file of a table's hands."""
    counter = Counter(table.tree)
    worths = {score: part.worth for score, part in table.parts.items()}
    numbers: list[int] = []
    for score in sorted(table.parts):
        eldest, dealer = counter.counted(table, score, worths).worths
        numbers += [round(SCALE * worth) for worth in (*eldest, *dealer)]
    return MAGIC + lzma.compress(struct.pack(f"<{len(numbers)}h", *numbers), preset=9 | lzma.PRESET_EXTREME)


def main() -> None:
    for game in SOLVABLE:
        table = shipped(game)
        assert table is not None
        path = Path(str(file_of(game)))
        path.write_bytes(packed(table))
        print(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
