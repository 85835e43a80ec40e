"""Reports of a run: text for people, and JSON with the same content under stable names.

Some fields have another name in the JSON (`name=`), because those names were published earlier.
"""

import textwrap
from collections.abc import Iterator

import msgspec
from msgspec import Struct, field

from put_conformance.checks import ALWAYS, IN_TIME, NOT_DONE, Check, CheckResults, CheckStatus
from put_protocol.text import counted

WIDTH = 100
"""Width of a line of text, unless a word is longer."""


class CheckReport(Struct, frozen=True):
    name: str
    status: CheckStatus
    should: str
    section: str
    """The heading of docs/reference.md to read."""
    detail: str = field(default="", name="did")
    """The fault in a sentence; empty: none."""
    needed: bool = True
    """False: the case passes even if this check was not reached."""


class CaseReport(Struct, frozen=True):
    name: str
    status: CheckStatus
    summary: str = field(name="tries")
    game: str
    """Rule set that the client played; at its own table it may differ from the case's."""
    seats: int
    seconds: float
    moves: int
    """Accepted moves of the client."""
    checks: tuple[CheckReport, ...]
    stderr: tuple[str, ...] = field(default=(), name="said")
    """End of the client's standard error, if the suite started it and the case did not pass."""
    broken_off: str = ""
    """Fault of the suite that stopped the case; empty: none."""
    skipped: str = ""
    """Reason why the case does not apply to this client; empty: it does."""


class StatusCounts(Struct, frozen=True):
    passed: int
    failed: int
    not_reached: int
    skipped: int = 0


class SuiteReport(Struct, frozen=True):
    status: CheckStatus
    """`pass` if every case passed."""
    seed: int
    cases: tuple[CaseReport, ...] = field(name="scenes")
    summary: StatusCounts
    format_version: int = field(default=1, name="rehearsal")
    """Within a version, fields are only added."""

    @property
    def is_passed(self) -> bool:
        return self.status is CheckStatus.PASS


def check_report(check: Check, results: CheckResults) -> CheckReport:
    return CheckReport(
        check.name, results.status(check), check.should, check.section.value, results.detail(check), check.is_needed
    )


def make_report(cases: tuple[CaseReport, ...], *, seed: int) -> SuiteReport:
    """The report of these cases. If no case passed, the status is `not_reached`."""
    counted = [case.status for case in cases]
    summary = StatusCounts(
        *map(counted.count, (CheckStatus.PASS, CheckStatus.FAIL, CheckStatus.NOT_REACHED, CheckStatus.SKIPPED))
    )
    missed = summary.not_reached or not summary.passed
    status = CheckStatus.FAIL if summary.failed else CheckStatus.NOT_REACHED if missed else CheckStatus.PASS
    return SuiteReport(status, seed, cases, summary)


def to_json(report: SuiteReport) -> str:
    return msgspec.json.format(msgspec.json.encode(report), indent=2).decode()


_SIGNS = {
    CheckStatus.PASS: "pass",
    CheckStatus.FAIL: "FAIL",
    CheckStatus.NOT_REACHED: "not reached",
    CheckStatus.SKIPPED: "skipped",
}


_ALWAYS = frozenset([check.name for check in ALWAYS])


def format_case(case: CaseReport, named: dict[str, str] | None = None) -> Iterator[str]:
    """Lines about one case: failed checks in full; if none failed, the checks not reached.

    `named`: for each general check, the first case in which it failed; extended here. Such a fault is described once;
    in other cases it is only listed.
    """
    took = f"{counted(case.moves, 'move')}, {case.seconds:.1f} s"
    yield f"{_SIGNS[case.status]}: {case.name} ({case.game}, {case.seats} seats, {took})"
    yield from _wrap(case.summary, "    ")
    if case.broken_off:
        yield from _wrap(f"broken off by a fault of this suite, not of the client: {case.broken_off}", "    ", "      ")
    if case.skipped:
        yield from _wrap(case.skipped, "    ")
        return
    missed = [check for check in case.checks if check.status is CheckStatus.NOT_REACHED and check.needed]
    is_failed = case.status is CheckStatus.FAIL
    failed = [check for check in case.checks if check.status is CheckStatus.FAIL]
    told = {} if named is None else {check.name: named[check.name] for check in failed if check.name in named}
    if named is not None:
        named.update((check.name, case.name) for check in failed if check.name in _ALWAYS and check.name not in told)
    for name, first in told.items():
        yield f"    FAIL: {name}, as in {first}"
    own = [check.name for check in failed if check.name not in _ALWAYS and check.detail.startswith(NOT_DONE)]
    if own and IN_TIME.name in told:
        yield from _wrap(f"FAIL with it: {', '.join(own)}", "    ", "      ")
        told |= dict.fromkeys(own, case.name)
    for check in [check for check in failed if check.name not in told] or ([] if failed else missed):
        yield from _wrap(f"{_SIGNS[check.status]}: {check.name}: {check.should}", "    ", "      ")
        if check.detail:
            yield from _wrap(check.detail, "      ")
        yield f'      docs/reference.md, "{check.section}"'
    if is_failed and missed:
        yield from _wrap(f"not reached: {', '.join(check.name for check in missed)}", "    ", "      ")
    passed = [check.name for check in case.checks if check.status is CheckStatus.PASS]
    if passed:
        yield from _wrap(f"passed: {', '.join(passed)}", "    ", "      ")
    for line in case.stderr:
        yield f"    | {line}"


def format_summary(report: SuiteReport) -> str:
    counted = report.summary
    overall = "All cases passed" if report.is_passed else "Not all cases passed"
    skipped = f", {counted.skipped} skipped" if counted.skipped else ""
    return (
        f"{overall}: {len(report.cases)} cases, {counted.passed} passed, {counted.failed} failed, "
        f"{counted.not_reached} not reached{skipped} (seed {report.seed})."
    )


def _wrap(text: str, first: str, rest: str | None = None) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest or first,
        break_long_words=False,
        break_on_hyphens=False,
    )
