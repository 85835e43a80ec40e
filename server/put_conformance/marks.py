"""The standing of one scene's checks while it is played."""

from collections.abc import Sequence
from enum import StrEnum

from put_conformance.checks import Check


class Mark(StrEnum):
    """How a check, or a scene, came out."""

    PASS = "pass"
    FAIL = "fail"
    NOT_REACHED = "not_reached"
    """the client never came to where it could have been right or wrong"""


class Marks:
    """A check is first not reached; it is begun when the client could get it wrong, and then passes or fails.

    The first fault stands: nothing that comes later makes it right.
    """

    def __init__(self, checks: Sequence[Check]) -> None:
        self.checks = tuple(checks)
        self._begun: set[str] = set()
        self._faults: dict[str, str] = {}
        self._passed: dict[str, str] = {}

    def begin(self, check: Check) -> None:
        """From now on it is the client's doing."""
        self._begun.add(check.name)

    def passed(self, check: Check, did: str = "") -> None:
        self._begun.add(check.name)
        self._passed.setdefault(check.name, did)

    def failed(self, check: Check, did: str) -> None:
        """`did` is what it did instead, as a sentence."""
        self._begun.add(check.name)
        self._faults.setdefault(check.name, did)

    @property
    def decided(self) -> int:
        """How many."""
        return len(self._faults.keys() | self._passed.keys())

    def is_begun(self, check: Check) -> bool:
        return check.name in self._begun

    def is_decided(self, check: Check) -> bool:
        return check.name in self._faults or check.name in self._passed

    def is_faulty(self, check: Check) -> bool:
        return check.name in self._faults

    def close(self, why: str) -> None:
        """The scene is over: what was begun and came to nothing is a fault, and `why` says how it ended."""
        for check in self.checks:
            if check.name in self._begun and not self.is_decided(check):
                if check.is_lasting:
                    self.passed(check)
                else:
                    self.failed(check, f"It did not: {why}.")

    def mark(self, check: Check) -> Mark:
        if check.name in self._faults:
            return Mark.FAIL
        return Mark.PASS if check.name in self._passed else Mark.NOT_REACHED

    def did(self, check: Check) -> str:
        """What the client did, where there is something to say of it."""
        return self._faults.get(check.name) or self._passed.get(check.name, "")

    def whole(self) -> Mark:
        """Of the scene."""
        marks = {check.name: self.mark(check) for check in self.checks}
        if Mark.FAIL in marks.values():
            return Mark.FAIL
        missed = any(check.is_needed and marks[check.name] is Mark.NOT_REACHED for check in self.checks)
        return Mark.NOT_REACHED if missed else Mark.PASS
