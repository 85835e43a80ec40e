"""Conformance suite in the test's own process, with the client in another."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from put_conformance.case_report import CheckReport, SuiteReport, format_case
from put_conformance.cases import all_cases
from put_conformance.checks import Check, CheckStatus
from put_conformance.suite import run_suite
from put_rules.registry import GAMES

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

CASES = all_cases(GAMES)

TIMEOUT_S = 8.0
"""For what a correct client does at once, on however busy a machine."""

TOGETHER = 7
"""Cases at once: what they do most is wait."""


def stdlib(fault: str = "", manner: str = "invited") -> list[str]:
    """The client of `faulty_client.py`."""
    return [sys.executable, str(HERE / "faulty_client.py"), "{host}", "{port}", "{name}", fault, manner, "{game}"]


async def run_cases(
    command: Sequence[str], *names: str, timeout_s: float = TIMEOUT_S, seed: int = 1674, at_once: int = TOGETHER
) -> SuiteReport:
    """The report of these cases."""
    cases = [CASES[name] for name in names]
    how: dict[str, Any] = {"timeout_s": timeout_s, "seed": seed, "at_once": at_once}
    return await run_suite(cases, GAMES, command=command, announce=lambda _: None, finished=lambda _: None, **how)


def format_failures(report: SuiteReport) -> str:
    """What was wrong, for a test that fails."""
    return "\n".join(line for case in report.cases if case.status is not CheckStatus.PASS for line in format_case(case))


def find_check(report: SuiteReport, case: str, check: Check | str) -> CheckReport:
    """The result of one check of one case."""
    name = check if isinstance(check, str) else check.name
    (finished,) = [one for one in report.cases if one.name == case]
    return next(one for one in finished.checks if one.name == name)
