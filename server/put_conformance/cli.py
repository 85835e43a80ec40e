"""Command line of the conformance suite: `put-conformance`, which is also `put-server rehearse`."""

import argparse
import asyncio
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NoReturn

from put_conformance.arguments import ARGUMENTS, EXAMPLE, MEANING
from put_conformance.case import Case
from put_conformance.case_report import CaseReport, SuiteReport, format_case, format_summary, to_json
from put_conformance.cases import all_cases
from put_conformance.suite import PortUnavailable, SuitePlan, run_suite
from put_rules.registry import GAMES
from put_runtime import exit_codes
from put_runtime.child_process import CannotStart
from put_runtime.command_line import CommandFailed, Parser, Version, run_program


def run(arguments: Namespace) -> Iterator[str]:
    """Run the suite as these arguments say; yields what goes to standard output.

    :raises CommandFailed: not all cases passed, or the run could not be made.
    """
    cases = _cases(arguments.game, arguments.scene)
    if arguments.list:
        yield from (f"{case.name:20}  {case.summary}" for case in cases)
        return
    to_stdout = arguments.json == "-"
    out = sys.stderr if to_stdout else sys.stdout

    def say(line: str) -> None:
        print(line, file=out, flush=True)

    named: dict[str, str] = {}

    def finished(case: CaseReport) -> None:
        for line in format_case(case, named):
            say(line)

    plan = SuitePlan(
        cases=cases,
        command=arguments.client,
        host=arguments.at,
        port=arguments.on_port,
        seed=arguments.packs,
        timeout_s=arguments.timeout,
        at_once=arguments.at_once,
    )
    try:
        report = asyncio.run(run_suite(plan, GAMES, announce=say, finished=finished))
    except PortUnavailable as error:
        raise CommandFailed(exit_codes.UNAVAILABLE, str(error)) from None
    except CannotStart as error:
        raise CommandFailed(exit_codes.UNAVAILABLE, f"{error.program} cannot be run: {error.reason}") from None
    yield from _written(report, arguments.json)
    if not to_stdout:
        yield format_summary(report)
    if not report.is_passed:
        raise CommandFailed(exit_codes.PROTOCOL, "not all cases passed")


def _cases(games: Sequence[str] | None, names: Sequence[str] | None) -> list[Case]:
    """Those asked for, in the order they run."""
    known = all_cases({name: rule_set for name, rule_set in GAMES.items() if not games or name in games})
    chosen = [case for case in known.values() if not names or any(fnmatchcase(case.name, name) for name in names)]
    for name in names or ():
        if not any(fnmatchcase(case.name, name) for case in chosen):
            raise CommandFailed(exit_codes.USAGE, f"there is no case {name!r}; --list names them")
    return chosen


def _written(report: SuiteReport, file: str | None) -> Iterator[str]:
    if file == "-":
        yield to_json(report)
    elif file is not None:
        try:
            Path(file).write_text(f"{to_json(report)}\n", "utf-8")
        except OSError as error:
            raise CommandFailed(exit_codes.CANTCREAT, f"{file} cannot be written: {error.strerror or error}") from None


def parser() -> argparse.ArgumentParser:
    flags = Parser(
        prog="put-conformance",
        description=f"{MEANING[0].upper()}{MEANING[1:]}.",
        epilog=f"Example: put-conformance {EXAMPLE}",
    )
    for one in ARGUMENTS:
        flags.add_argument(one.name, **one.more)
    flags.add_argument("--version", action=Version, nargs=0, help="show the program's version number and end")
    return flags


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    run_program("put-conformance", lambda: run(parser().parse_args(arguments)))
