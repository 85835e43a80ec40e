"""Writer of docs/solution.md, the paper on the solution of two-handed Put, from the tables of the solved games.

There are two steps. What the tables say is counted, exactly, and kept in docs/solution/figures.json: some minutes, and
it needs the extra put-cards[solve]. Then the paper and its drawings are written from those numbers and the words in
scripts/research/solved/page.md, which takes no time and needs nothing. With --check nothing is written: the files that
would change are named, and the exit status is 1 if there are any; of the numbers only those are checked that a table
states itself, and which tables they were counted from.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from put_server.house.put.solved.payoffs import Score, Variant
from put_server.house.put.solved.table import BadTable, Table
from put_server.house.put.solved.tree import End
from scripts.research.solved.page import GAMES, WORDS, drawings, page

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "solution"
PAGE = ROOT / "docs" / "solution.md"
TABLES = ROOT / "server" / "put_server" / "house" / "put" / "tables"
FIGURES = "figures.json"

Figures = dict[str, Any]


def parser() -> argparse.ArgumentParser:
    """The parser of the command line."""
    flags = argparse.ArgumentParser(prog="scripts/solution", description=__doc__.split("\n\n")[0])
    flags.add_argument(
        "tables",
        nargs="*",
        type=Path,
        metavar="FILE",
        help=f"a table of each of {', '.join(GAMES)} with its usual options, in any order (default: those shipped)",
    )
    one = flags.add_mutually_exclusive_group()
    one.add_argument("--words", action="store_true", help="count nothing: write the page from the numbers there are")
    one.add_argument(
        "--check", action="store_true", help="write nothing: name what is stale, and exit with 1 if any is"
    )
    return flags


def main(argv: Sequence[str] | None = None) -> int:
    """The program; gives the exit status."""
    flags = parser()
    asked = flags.parse_args(argv)
    if asked.words and asked.tables:
        flags.error("with --words no table is read; leave out the files")
    kept = FOLDER / FIGURES
    if asked.words:
        return _write(_files(json.loads(kept.read_text("utf-8"))))
    try:
        tables = _tables(asked.tables or [TABLES / f"{game}.put" for game in GAMES])
    except (OSError, ValueError) as error:
        flags.error(str(error))
    if asked.check:
        old = stale(tables)
        for path in old:
            print(f"stale: {path.relative_to(ROOT)}; run scripts/solution")
        return 1 if old else 0
    found = figures(tables, lambda what: print(what, flush=True))
    _write({kept: written(found)})
    return _write(_files(found))


def stale(tables: Mapping[str, bytes]) -> list[Path]:
    """The files that do not follow from these tables and from the words."""
    kept = FOLDER / FIGURES
    if not kept.exists():
        return [kept]
    figures = json.loads(kept.read_text("utf-8"))
    heads = {game: head(data) for game, data in tables.items()}
    is_fresh = list(figures) == list(heads) and all(
        figures[game].get(name) == value for game, each in heads.items() for name, value in each.items()
    )
    if not is_fresh:
        return [kept]
    return stale_files(figures)


def stale_files(figures: Figures) -> list[Path]:
    """The page and the drawings that are not what these numbers make."""
    return [path for path, text in _files(figures).items() if not path.exists() or path.read_text("utf-8") != text]


def written(figures: Figures) -> str:
    """The numbers as a file: a line for each hand and each row of numbers, so that changes can be read."""
    return _laid_out(figures, "") + "\n"


def _laid_out(value: Any, indent: str) -> str:
    further = indent + " "
    if isinstance(value, dict) and any(isinstance(each, dict | list) for each in value.values()):
        inner = [f"{further}{json.dumps(name)}: {_laid_out(each, further)}" for name, each in value.items()]
        return "{\n" + ",\n".join(inner) + "\n" + indent + "}"
    if isinstance(value, list) and any(isinstance(each, dict | list) for each in value):
        return "[\n" + ",\n".join(further + json.dumps(each) for each in value) + "\n" + indent + "]"
    return json.dumps(value)


def _tables(paths: Sequence[Path]) -> dict[str, bytes]:
    """By game, in the order of the page.

    :raises OSError: one cannot be read.
    :raises ValueError: one is no table, or not of a game with its usual options, or there is not one for each.
    """
    found: dict[str, bytes] = {}
    for path in paths:
        data = path.read_bytes()
        try:
            variant = Table(data).variant
        except BadTable as error:
            raise ValueError(f"{path} is no table of a solved game: {error}") from None
        if variant != Variant(game=variant.game):
            raise ValueError(f"{path} is of {variant}, and the page tells of {variant.game} with its usual options")
        if variant.game in found:
            raise ValueError(f"{path} is a second table of {variant.game}")
        found[variant.game] = data
    missing = [game for game in GAMES if game not in found]
    if missing:
        raise ValueError(f"there is no table of {' and '.join(missing)}; the page needs one for each")
    return {game: found[game] for game in GAMES}


def _files(figures: Figures) -> dict[Path, str]:
    drawn = {FOLDER / name: text for name, text in drawings(figures).items()}
    return {PAGE: page(figures, WORDS.read_text("utf-8")), **drawn}


def _write(files: Mapping[Path, str]) -> int:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path, text in files.items():
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            print(f"wrote {path.relative_to(ROOT)}")
    return 0


_DIGITS = 6
"""Digits kept of every number: another machine, which adds in another order, gets the same."""


def figures(tables: Mapping[str, bytes], report: Callable[[str], None] = lambda _: None) -> Figures:
    """All numbers, by rule set. `report` is called with what is being counted."""
    from scripts.research.solved.figures import counted  # noqa: PLC0415 - numpy and numba may be missing

    return {game: {**head(data), **shortened(counted(Table(data), report))} for game, data in tables.items()}


def head(data: bytes) -> Figures:
    """The numbers that a table states itself, and which table it is; cheap."""
    table = Table(data)
    variant, parts, points = table.variant, table.parts, range(table.variant.target)
    worth = {score: variant.shown(part.worth) for score, part in parts.items()}
    eldest = {score: (part.worth - part.lower) * variant.unit for score, part in parts.items()}
    dealer = {score: (part.upper - part.worth) * variant.unit for score, part in parts.items()}
    both = {score: (part.upper - part.lower) * variant.unit for score, part in parts.items()}
    found: Figures = shortened(
        {
            "sha256": hashlib.sha256(data).hexdigest(),
            "bytes": len(data),
            "target": variant.target,
            "worth": [[worth[own, other] for other in points] for own in points],
            "deal": [
                [worth[own, other] - variant.shown(-parts[other, own].worth) for other in points] for own in points
            ],
            "point": [[_point(table, (own, other)) for other in points] for own in points],
            "eldest_loses": max(eldest.values()),
            "dealer_loses": max(dealer.values()),
            "both_lose": max(both.values()),
            "first_loses": both[0, 0],
        }
    )
    return found


def _point(table: Table, score: Score) -> float:
    """What eldest has more if they win the point of a hand than if they lose it."""
    ends = table.variant.ends(score, {each: part.worth for each, part in table.parts.items()})
    return (ends[End.ELDEST_POINT] - ends[End.DEALER_POINT]) * table.variant.unit


def shortened(value: Any) -> Any:
    """The numbers with as many digits as are kept."""
    if isinstance(value, float):
        return round(value, _DIGITS) + 0.0  # and no -0.0
    if isinstance(value, dict):
        return {name: shortened(each) for name, each in value.items()}
    return [shortened(each) for each in value] if isinstance(value, list) else value


if __name__ == "__main__":
    sys.exit(main())
