"""Checks a client is judged by, each with the heading of docs/protocol.md that asks for it; and their results."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Section(StrEnum):
    """Headings of docs/protocol.md that a failed check refers to."""

    FRAMING = "Speaking"
    HELLO = "Hello and welcome"
    REQUESTS = "Requests and answers"
    HEARTBEATS = "Heartbeats"
    GOODBYES = "Goodbyes"
    SITTING = "Opening and sitting"
    GAME = "A game"
    CHANGES = "Changes in place of whole views"
    DECISIONS = "Decisions"
    TIME = "Time"
    PAUSES = "Pauses"
    RETURN = "Coming back"
    LOST = "What was lost"
    SEALS = "Sealed deals"
    REFUSALS = "Refusals"
    LIMITS = "Limits and reasons"
    VERSIONS = "Versions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One requirement on a client."""

    name: str
    """Stable: scripts may look for it in the JSON of a report."""
    should: str
    """What the client should do, as a sentence that begins with a verb."""
    section: Section
    is_needed: bool = True
    """Whether a case in which this check was not reached counts as not reached."""
    is_lasting: bool = False
    """Whether it passes when, once begun, nothing went wrong until the end of the case."""


def _always(name: str, should: str, section: Section, *, is_lasting: bool = True) -> Check:
    return Check(name=name, should=should, section=section, is_lasting=is_lasting, is_needed=not is_lasting)


HELLO = _always("hello", "Connects and says a hello that lets it in.", Section.HELLO, is_lasting=False)
SITS = _always(
    "sits",
    "Sits down: where it is invited, at a table that is there, or at one it opens.",
    Section.SITTING,
    is_lasting=False,
)
VERSION = _always("version", "Says a protocol version that is spoken here.", Section.VERSIONS)
IS_BOT = _always("is_bot", "Says in hello that it is a program: is_bot.", Section.HELLO)
SCHEMA = _always("schema", "Sends messages that fit the schema, and no field that is not in it.", Section.FRAMING)
IDS = _always("ids", "Gives every request of a connection an id of its own.", Section.REQUESTS)
LEGAL = _always("legal", "Answers with one of the legal actions of the decision.", Section.DECISIONS)
OWN = _always("own_decision", "Answers only decisions that it was asked.", Section.DECISIONS)
ONCE = _always("once", "Answers no decision again that was answered.", Section.DECISIONS)
IN_TIME = _always("in_time", "Answers within the time there is.", Section.TIME)
PACE = _always("pace", "Asks no faster than the limits allow, and reads what it is sent.", Section.LIMITS)
STAYS = _always("stays", "Stays until the case is over, or leaves with a bye.", Section.GOODBYES)

ALWAYS = (HELLO, SITS, VERSION, IS_BOT, SCHEMA, IDS, LEGAL, OWN, ONCE, IN_TIME, PACE, STAYS)
"""Judged in every case, in addition to the case's own checks."""


class Status(StrEnum):
    """Result of a check or of a case."""

    PASS = "pass"
    FAIL = "fail"
    NOT_REACHED = "not_reached"
    """the client was never in a position to pass or fail"""
    SKIPPED = "skipped"
    """a case that is about a rule set, and the client chose another by itself"""


class Results:
    """Results of one case's checks.

    A check is not reached until it is begun: from then on the client can fail it. The first fault stands: nothing that
    comes later makes up for it.
    """

    def __init__(self, checks: Sequence[Check]) -> None:
        self.checks = tuple(checks)
        self._begun: set[str] = set()
        self._faults: dict[str, str] = {}
        self._passed: set[str] = set()

    def begin(self, check: Check) -> None:
        """From now on the client can fail it."""
        self._begun.add(check.name)

    def withdraw(self, check: Check) -> None:
        """It is as if it had never begun, unless it is decided."""
        if not self.is_decided(check):
            self._begun.discard(check.name)

    def passed(self, check: Check) -> None:
        self._begun.add(check.name)
        self._passed.add(check.name)

    def failed(self, check: Check, detail: str) -> None:
        """`detail` says in a sentence what the client did instead."""
        self._begun.add(check.name)
        self._faults.setdefault(check.name, detail)

    @property
    def decided(self) -> int:
        """Number of checks that passed or failed."""
        return len(self._faults.keys() | self._passed)

    def is_begun(self, check: Check) -> bool:
        return check.name in self._begun

    def is_decided(self, check: Check) -> bool:
        return check.name in self._faults or check.name in self._passed

    def is_faulty(self, check: Check) -> bool:
        return check.name in self._faults

    def close(self, why: str) -> None:
        """The case is over, for the reason `why`: what was begun but not decided passes if lasting, else fails."""
        for check in self.checks:
            if check.name in self._begun and not self.is_decided(check):
                if check.is_lasting:
                    self.passed(check)
                else:
                    self.failed(check, f"It did not: {why}.")

    def status(self, check: Check) -> Status:
        if check.name in self._faults:
            return Status.FAIL
        return Status.PASS if check.name in self._passed else Status.NOT_REACHED

    def detail(self, check: Check) -> str:
        """What the client did; empty where there is nothing to say."""
        return self._faults.get(check.name, "")

    def overall(self) -> Status:
        """Status of the case."""
        results = {check.name: self.status(check) for check in self.checks}
        if Status.FAIL in results.values():
            return Status.FAIL
        missed = any(check.is_needed and results[check.name] is Status.NOT_REACHED for check in self.checks)
        return Status.NOT_REACHED if missed else Status.PASS
