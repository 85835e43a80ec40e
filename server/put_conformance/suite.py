"""Runs a selection of cases, one after another, or several at once if the suite starts the client."""

import asyncio
import sys
from argparse import Namespace
from asyncio.subprocess import DEVNULL
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from put_conformance import checks
from put_conformance.case import Case
from put_conformance.case_report import CaseReport, SuiteReport, format_case, format_summary, make_report, to_json
from put_conformance.case_runner import CaseRunner, Start
from put_conformance.cases import all_cases
from put_conformance.checks import CheckStatus
from put_conformance.client_connection import CandidateConnection
from put_conformance.fake_server import SuiteState
from put_rules.game import RuleSet
from put_rules.registry import GAMES
from put_runtime import exit_codes
from put_runtime.child_process import CannotStart, ChildProcess
from put_runtime.command_line import CommandFailed
from put_runtime.system_errors import unwrapped

CLIENT_NAME = "Candidate"
ARRIVAL_S = 60.0
"""Time for a client not started by the suite to connect: it may be started by hand."""

KEPT_STDERR_BYTES = 4096


class PortUnavailable(Exception):
    """The suite cannot listen on the address; the sentence says why."""


async def run_suite(
    cases: Sequence[Case],
    games: Mapping[str, RuleSet],
    *,
    command: Sequence[str] = (),
    host: str = "127.0.0.1",
    port: int = 0,
    seed: int = 1674,
    timeout_s: float = 10.0,
    at_once: int = 4,
    announce: Callable[[str], None],
    finished: Callable[[CaseReport], None],
) -> SuiteReport:
    """Run the cases. `announce` gets text for the person who starts the client; `finished` gets each report at once.

    `command` starts the client; empty: it connects by itself. Port 0 is any free one; if the suite starts the client,
    each case has its own, and so many cases run `at_once`. `timeout_s` limits each action of the client.

    :raises PortUnavailable: the port cannot be opened.
    :raises CannotStart: the command cannot be run.
    """
    reports: dict[str, CaseReport] = {}
    state, is_deserted = SuiteState(), False
    slots = asyncio.Semaphore(at_once if command and not port else 1)

    async def run_case(number: int, case: Case) -> None:
        nonlocal port, is_deserted
        async with slots:
            if is_deserted:
                return
            server = await _listen(lambda: CandidateConnection(runner), host, port)
            here = server.sockets[0].getsockname()[1]
            if not command:
                port = here
                if not reports:
                    announce(f"Connect the client to {host}:{port}, and again for each case until this ends.")
                announce(f"Case {number} of {len(cases)}, {case.name}: {case.summary}")
            runner = CaseRunner(
                case,
                games,
                seed=seed,
                timeout_s=timeout_s,
                arrival_s=ARRIVAL_S,
                start=_starter(command, case, host, here) if command else None,
                state=SuiteState() if command else state,
            )
            try:
                report = await runner.run()
            except CannotStart:
                raise
            except Exception as error:  # noqa: BLE001  # a bug in a case ends only this case; the client is not blamed
                report = runner.broken_off(error)
            finally:
                server.close()
            reports[case.name] = report
            finished(report)
            if not command and _no_client_came(report):
                announce(f"No client connected within {ARRIVAL_S:g} seconds; the remaining cases are not run.")
                is_deserted = True

    # The last: the reader of the report has gone.
    async with unwrapped(PortUnavailable, CannotStart, BrokenPipeError), asyncio.TaskGroup() as tasks:
        for number, case in enumerate(cases, 1):
            tasks.create_task(run_case(number, case))
    return make_report(tuple([reports[case.name] for case in cases if case.name in reports]), seed=seed)


def _no_client_came(report: CaseReport) -> bool:
    hello = next(check for check in report.checks if check.name == checks.HELLO.name)
    return hello.status is not CheckStatus.PASS and report.seconds >= ARRIVAL_S


async def _listen(accept: Callable[[], asyncio.Protocol], host: str, port: int) -> asyncio.Server:
    try:
        return await asyncio.get_running_loop().create_server(accept, host, port)
    except (OSError, UnicodeError) as error:
        said = getattr(error, "strerror", None) or error
        raise PortUnavailable(f"cannot listen on {host}:{port}: {said}") from None


def _starter(command: Sequence[str], case: Case, host: str, port: int) -> Start:
    values = {
        "host": host,
        "port": str(port),
        "name": CLIENT_NAME,
        "game": case.game,
        "seats": str(case.seats),
        "scene": case.name,
    }
    words = list(command)
    for name, value in values.items():  # other braces stay as they are
        words = [word.replace(f"{{{name}}}", value) for word in words]
    return lambda: ChildProcess.start(words, stdin=DEVNULL, stdout=DEVNULL, tail_bytes=KEPT_STDERR_BYTES)


def run(arguments: Namespace) -> Iterator[str]:
    """Run the suite with these arguments; yields lines for standard output.

    :raises CommandFailed: a case did not pass, or the run failed.
    """
    cases = _selected_cases(arguments.game, arguments.scene)
    if arguments.client and not arguments.on_port and not any("{port}" in word for word in arguments.client):
        says = "the command is not told where to connect: put {host} and {port} in it, or give --port"
        raise CommandFailed(exit_codes.USAGE, says)
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

    running = run_suite(
        cases,
        GAMES,
        command=arguments.client,
        host=arguments.at,
        port=arguments.on_port,
        seed=arguments.packs,
        timeout_s=arguments.timeout,
        at_once=arguments.at_once,
        announce=say,
        finished=finished,
    )
    try:
        report = asyncio.run(running)
    except PortUnavailable as error:
        raise CommandFailed(exit_codes.UNAVAILABLE, str(error)) from None
    except CannotStart as error:
        raise CommandFailed(exit_codes.UNAVAILABLE, f"{error.program} cannot be run: {error.reason}") from None
    yield from _written(report, arguments.json)
    if not to_stdout:
        yield format_summary(report)
    if not report.is_passed:
        raise CommandFailed(exit_codes.PROTOCOL, "not all cases passed")


def _selected_cases(games: Sequence[str] | None, names: Sequence[str] | None) -> list[Case]:
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
