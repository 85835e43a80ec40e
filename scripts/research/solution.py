"""Figures of docs/solution.md, counted exactly from the tables of the solved games into docs/solution/figures.json.

It takes twenty minutes and needs the extra put-cards[solve]. A test checks the page's numbers against that file. With
--hand-worths it instead computes the worth of each hand over all deals, for put-arena --remove-luck.
"""

import argparse
import hashlib
import json
import lzma
import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from put_server.house.put.solved.hand_worths import MAGIC, SCALE, file_of
from put_server.house.put.solved.payoffs import Score
from put_server.house.put.solved.solution_table import Table
from put_server.house.put.solved.tree import SOLVABLE, End

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docs" / "solution" / "figures.json"
TABLES = ROOT / "server" / "put_server" / "house" / "put" / "tables"

Figures = dict[str, Any]


def main(argv: Sequence[str] | None = None) -> int:
    flags = argparse.ArgumentParser(prog="scripts/solution", description=__doc__.split("\n\n")[0])
    flags.add_argument("--hand-worths", action="store_true", help="write what each hand of the shipped tables is worth")
    tables = {game: (TABLES / f"{game}.put").read_bytes() for game in SOLVABLE}
    if flags.parse_args(argv).hand_worths:
        for game, data in tables.items():
            Path(str(file_of(game))).write_bytes(hand_worths(Table(data)))
    else:
        FILE.write_text(written(figures(tables, lambda what: print(what, flush=True))), "utf-8")
    return 0


def hand_worths(table: Table) -> bytes:
    from scripts.research.counts import Counter  # noqa: PLC0415 - numpy and numba may be missing

    counter = Counter(table.tree)
    worths = {score: part.worth for score, part in table.parts.items()}
    numbers: list[int] = []
    for score in sorted(table.parts):
        eldest, dealer = counter.counted(table, score, worths).worths
        numbers += [round(SCALE * worth) for worth in (*eldest, *dealer)]
    return MAGIC + lzma.compress(struct.pack(f"<{len(numbers)}h", *numbers), preset=9 | lzma.PRESET_EXTREME)


def written(figures: Figures) -> str:
    """The numbers as a file, with a line for each hand and each row, so that changes are readable."""
    return _laid_out(figures, "") + "\n"


def _laid_out(value: Any, indent: str) -> str:
    further = indent + " "
    if isinstance(value, dict) and any(isinstance(each, dict | list) for each in value.values()):
        inner = [f"{further}{json.dumps(name)}: {_laid_out(each, further)}" for name, each in value.items()]
        return "{\n" + ",\n".join(inner) + "\n" + indent + "}"
    if isinstance(value, list) and any(isinstance(each, dict | list) for each in value):
        return "[\n" + ",\n".join(further + json.dumps(each) for each in value) + "\n" + indent + "]"
    return json.dumps(value)


_DIGITS = 6
"""Digits of every number, few enough that another order of addition gives the same."""


def figures(tables: Mapping[str, bytes], report: Callable[[str], None] = lambda _: None) -> Figures:
    """All numbers by rule set. `report` gets the current step."""
    from scripts.research.figures import counted  # noqa: PLC0415 - numpy and numba may be missing

    return {game: {**head(data), **rounded(counted(Table(data), report))} for game, data in tables.items()}


def head(data: bytes) -> Figures:
    """The table's own numbers and identity; fast."""
    table = Table(data)
    variant, parts, points = table.variant, table.parts, range(table.variant.target)
    worth = {score: variant.shown(part.worth) for score, part in parts.items()}
    eldest = {score: (part.worth - part.lower) * variant.unit for score, part in parts.items()}
    dealer = {score: (part.upper - part.worth) * variant.unit for score, part in parts.items()}
    both = {score: (part.upper - part.lower) * variant.unit for score, part in parts.items()}
    found: Figures = rounded(
        {
            "sha256": hashlib.sha256(data).hexdigest(),
            "bytes": len(data),
            "target": variant.target,
            "worth": [[worth[own, other] for other in points] for own in points],
            "deal": [
                [worth[own, other] - variant.shown(-parts[other, own].worth) for other in points] for own in points
            ],
            "point": [[_point_worth_to_eldest(table, (own, other)) for other in points] for own in points],
            "eldest_loses": max(eldest.values()),
            "dealer_loses": max(dealer.values()),
            "both_lose": max(both.values()),
            "first_loses": both[0, 0],
        }
    )
    return found


def _point_worth_to_eldest(table: Table, score: Score) -> float:
    ends = table.variant.ends(score, {each: part.worth for each, part in table.parts.items()})
    return (ends[End.ELDEST_POINT] - ends[End.DEALER_POINT]) * table.variant.unit


def rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, _DIGITS) + 0.0  # and no -0.0
    if isinstance(value, dict):
        return {name: rounded(each) for name, each in value.items()}
    return [rounded(each) for each in value] if isinstance(value, list) else value


if __name__ == "__main__":
    sys.exit(main())
