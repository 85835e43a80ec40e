"""`put-solve`: solve two-handed Put, show the worth of its scores, and check a table from its bytes alone."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from prompt_toolkit.shortcuts import ProgressBar, ProgressBarCounter

from put_runtime import exit_codes
from put_runtime.command_line import Parser, Version, discard_stdout
from put_server.house.put.solved.payoffs import OPTIONS, Variant
from put_server.house.put.solved.solution_table import BadTable, Table, shipped
from put_server.house.put.solved.tree import SOLVABLE

if TYPE_CHECKING:
    from put_solver.game_solver import Progress

ABOVE = 1
"""Exit status if a table loses more than the limit, or states wrong numbers."""
_ROUNDING = 1e-6
"""Tolerance between the numbers stated in a table and those computed."""


def parser() -> argparse.ArgumentParser:
    flags = Parser(
        prog="put-solve",
        description="Solve two-handed Put: find how to play so that no opponent gains on you, and write a table of it.",
        epilog="To solve and to verify needs numpy and numba: pip install 'put-cards[solve]'.",
    )
    flags.add_argument("--version", action=Version, nargs=0, help="show the program's version number and end")
    commands = flags.add_subparsers(title="commands", dest="command", metavar="COMMAND", required=True)
    for game in SOLVABLE:
        one = commands.add_parser(
            game,
            help=f"solve {game}",
            description=f"Solve {game} at every score. Each finished score is kept in the folder, so that the same "
            "command goes on where it was stopped, and comes to the same end.",
            epilog=f"Example: put-solve {game} --options target=3 pack=28 --gap 2e-4",
        )
        one.add_argument(
            "--options",
            nargs="+",
            default=[],
            metavar="OPTION=VALUE",
            help=f"options that are not the usual ones: {', '.join(OPTIONS)}",
        )
        one.add_argument(
            "--gap",
            type=float,
            default=1e-4,
            help="how far the bounds of a hand's worth may be apart, in chances to win the game, or in stakes where "
            "some games are for two (default: %(default)s)",
        )
        one.add_argument(
            "--out", type=Path, default=Path("solved"), metavar="DIR", help="where to write (default: %(default)s)"
        )
    values = commands.add_parser(
        "values",
        help="say what every score is worth",
        description="Print what every score is worth to the player who does not deal: their chance to win the game, or "
        "where some games are for two stakes, the stakes they may expect, from -2 to 2. Rows are their points, columns "
        "the dealer's.",
        epilog="Example: put-solve values put-1674 --json",
    )
    values.add_argument("table", metavar="RULES|FILE", help="a rule set whose table the house has, or a file")
    values.add_argument("--json", action="store_true", help="as a list of rows")
    verify = commands.add_parser(
        "verify",
        help="find what a table loses to the best opponent",
        description="Find what a table loses to an opponent who knows it and answers it perfectly, at every score, in "
        "either seat and over the whole game, from the file's bytes alone.",
        epilog="Example: put-solve verify solved/put-1674.put --limit 1e-3",
    )
    verify.add_argument("table", metavar="FILE", help="the file, or a rule set whose table the house has")
    verify.add_argument(
        "--limit",
        type=float,
        default=1e-3,
        help="the most that a seat may lose at a score, in chances to win the game, or in stakes where some games are "
        "for two (default: %(default)s)",
    )
    return flags


def main(argv: Sequence[str] | None = None) -> int:
    arguments = parser().parse_args(argv)
    try:
        match arguments.command:
            case "values":
                return _values(_table(arguments.table), as_json=arguments.json)
            case "verify":
                if not arguments.limit >= 0:
                    return _failed(exit_codes.USAGE, f"the limit is {arguments.limit:g}, and must be 0 or more")
                return _verify(_table(arguments.table), arguments.limit)
            case game:
                return _solve(game, arguments.options, arguments.gap, arguments.out)
    except KeyboardInterrupt:
        print("put-solve: stopped; the same command goes on from the last finished score", file=sys.stderr)
        return exit_codes.INTERRUPTED
    except ModuleNotFoundError as error:
        if error.name not in {"numba", "numpy"}:
            raise
        return _failed(
            exit_codes.UNAVAILABLE, f"this needs {error.name}, which is not here: pip install 'put-cards[solve]'"
        )
    except BrokenPipeError:
        discard_stdout()
        return exit_codes.PIPE_BROKEN
    except BadTable as error:
        return _failed(exit_codes.DATAERR, f"{arguments.table} is no table of a solved game: {error}")
    except OSError as error:
        where = "" if error.filename is None else f"{error.filename}: "
        return _failed(exit_codes.IOERR, f"{where}{error.strerror}")


def _failed(status: int, says: str) -> int:
    print(f"put-solve: {says}", file=sys.stderr)
    return status


def _table(name: str) -> Table:
    found = shipped(name)
    if found is None and name in SOLVABLE:
        raise FileNotFoundError(2, "the house has no table of this game", name)
    return Table(Path(name).read_bytes()) if found is None else found


def _solve(game: str, options: Sequence[str], gap: float, out: Path) -> int:
    try:
        variant = Variant.of(game, dict(_option(text) for text in options))
        if not 0 < gap < 1:
            raise ValueError(f"the gap is {gap:g}, and must be more than 0 and less than 1")
    except ValueError as error:
        return _failed(exit_codes.USAGE, str(error))
    from put_solver.game_solver import GameSolver  # noqa: PLC0415 - numpy and numba may be missing

    with _shown(f"Solving {variant}") as show:
        data = GameSolver(variant, out, gap / variant.unit, show).solve()
    path = out / f"{variant}.put"
    beside = path.with_suffix(".new")
    beside.write_bytes(data)
    beside.replace(path)
    table = Table(data)
    print(f"{path}: {len(data):,} bytes; it loses at most {_worst(table):.1e} to any opponent, in either seat")
    return _values(table, as_json=False)


def _option(text: str) -> tuple[str, str | int]:
    name, is_there, value = text.partition("=")
    if not is_there or name not in OPTIONS:
        raise ValueError(f"{text!r} is no option and its value; options are {', '.join(OPTIONS)}")
    return name, int(value) if value.isdecimal() else value


@contextmanager
def _shown(title: str) -> Iterator[Callable[["Progress"], None]]:
    """A function that shows progress: by a bar on a terminal; for a file or a pipe, by a line for each report."""
    if not sys.stdout.isatty():
        print(title, flush=True)
        yield lambda progress: print(f"{_label(progress)} ({progress.done} of {progress.of} done)", flush=True)
        return
    with ProgressBar(title=title) as bar:
        counter: ProgressBarCounter[int] = bar(total=1)

        def show(progress: "Progress") -> None:
            counter.total, counter.items_completed, counter.label = progress.of, progress.done, _label(progress)
            bar.invalidate()

        yield show


def _label(progress: "Progress") -> str:
    score = "{}-{}".format(*progress.score)
    return f"{score}: {progress.iteration} turns, {progress.gap:.1e} apart" if progress.iteration else score


def _values(table: Table, *, as_json: bool) -> int:
    variant, target = table.variant, table.variant.target
    rows = [
        [round(variant.shown(table.parts[eldest, dealer].worth), 6) for dealer in range(target)]
        for eldest in range(target)
    ]
    if as_json:
        print(json.dumps(rows))
        return exit_codes.OK
    what = "chance to win the game" if variant.outright_stake == 1 else "stakes to be expected"
    print(f"{variant}: the {what} of the player who does not deal; the dealer's points across, their own down")
    print("   " + "".join(f"{dealer:>10}" for dealer in range(target)))
    for eldest, row in enumerate(rows):
        print(f"{eldest:>3}" + "".join(f"{value:>10.5f}" for value in row))
    print(f"The table holds each of them to within {_worst(table):.1e}, against any opponent.")
    return exit_codes.OK


def _worst(table: Table) -> float:
    parts = table.parts.values()
    return max(_loss(table.variant, part.worth, part.lower, part.upper) for part in parts)


def _loss(variant: Variant, worth: float, lower: float, upper: float) -> float:
    """Loss of the worse seat, in display units."""
    return max(worth - lower, upper - worth) * variant.unit


def _verify(table: Table, limit: float) -> int:
    from put_solver.certificate import certified_bounds  # noqa: PLC0415 - numpy and numba may be missing
    from put_solver.game_solver import Progress  # noqa: PLC0415 - as above
    from put_solver.hand_solver import HandTree  # noqa: PLC0415 - as above

    variant, scores = table.variant, table.variant.scores()
    hand_tree = HandTree(variant.tree)
    with _shown(f"Verifying {variant}") as show:
        bounds = certified_bounds(
            variant,
            hand_tree,
            table.entries,
            lambda score: show(Progress(score=score, done=scores.index(score[::-1]) + 1, of=len(scores))),
        )
    print(f"{'score':>6}{'worth':>10}{'at least':>10}{'at most':>10}{'eldest loses':>14}{'dealer loses':>14}")
    wrong = []
    worst, where = -1.0, (0, 0)
    for score, part in sorted(table.parts.items()):
        lower, upper = bounds[score]
        print(
            f"{score[0]:>4}-{score[1]}{variant.shown(part.worth):>10.5f}{variant.shown(lower):>10.5f}"
            f"{variant.shown(upper):>10.5f}{(part.worth - lower) * variant.unit:>14.1e}"
            f"{(upper - part.worth) * variant.unit:>14.1e}"
        )
        loss = _loss(variant, part.worth, lower, upper)
        if loss > worst:
            worst, where = loss, score
        is_between = lower - _ROUNDING <= part.worth <= upper + _ROUNDING
        if not is_between or max(abs(part.lower - lower), abs(part.upper - upper)) > _ROUNDING:
            wrong.append(score)
    print(f"A seat loses at most {worst:.1e}, at {where[0]}-{where[1]}; the limit is {limit:.1e}.")
    for score in wrong:
        print(f"At {score[0]}-{score[1]} the file does not say what is found here.")
    return ABOVE if worst > limit or wrong else exit_codes.OK


if __name__ == "__main__":
    sys.exit(main())
