"""Conduct of competitors: their faults, and whether they are still in the match."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

MOST_SAID = 5
"""Faults of a competitor that are kept in words, the first ones."""


class Fault(StrEnum):
    ILLEGAL = "illegal"
    """chose what is not legal; a class gives the game up by it, a program is asked again"""
    LATE = "late"
    """let the time of a turn run out"""
    CRASHED = "crashed"
    """raised an error, or its process ended"""
    TOO_FAST = "too fast"
    """asked more often than the server allows"""
    GARBAGE = "garbage"
    """sent what is no message"""
    IDLE = "idle"
    """did not come, sit down, or go on to the next game"""


@dataclass(slots=True, kw_only=True)
class Conduct:
    faults: Counter[Fault] = field(default_factory=Counter)
    says: list[str] = field(default_factory=list)
    """The first faults in words."""
    ends: Counter[str] = field(default_factory=Counter)
    """Times that the process of each of its players ended by itself."""
    out: str = ""
    """Reason for its disqualification; empty: it still plays."""
    on_note: Callable[[Fault, str], None] | None = None
    """Called with every fault."""

    def note(self, fault: Fault, says: str) -> None:
        self.faults[fault] += 1
        if self.on_note is not None:
            self.on_note(fault, says)
        if says and len(self.says) < MOST_SAID and says not in self.says:
            self.says.append(says)

    def note_late(self, turn: float, running: int, most: int) -> str:
        """A turn ran out, the last of so many in a row. Returns why the competitor is out now; empty: it is not."""
        self.note(Fault.LATE, f"was not done in the {turn:.0f} seconds of a turn")
        return f"it was too late {running} times in a row" if running >= most else ""
