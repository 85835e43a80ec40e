"""Clocks of a table: arithmetic on milliseconds that are passed in.

A player has two clocks. The turn clock runs while a decision is the player's and they are here. The bank runs while
they are away, at any turn. Their turn clock stands still meanwhile, so a lost connection costs no turn, and gains at
most the bank. Both stand still during a pause.

News of the gallery has its own timer, which delays it.
"""

from msgspec import Struct

from put_protocol.seats import Seat


class Timer(Struct, gc=False):
    """A countdown. The fields are those of the journal."""

    left: int | None
    """Milliseconds left when it last stood still; None: no limit."""
    since: int | None = None
    """Time at which it began to run; None: it stands still."""

    def start(self, now: int) -> None:
        if self.since is None:
            self.since = now

    def stop(self, now: int) -> None:
        self.left = self.remaining(now)
        self.since = None

    def set_running(self, is_running: bool, now: int) -> None:
        if is_running:
            self.start(now)
        elif self.since is not None:
            self.stop(now)

    def remaining(self, now: int) -> int | None:
        """Milliseconds left, never below 0; None: no limit."""
        if self.left is None or self.since is None:
            return self.left
        return max(0, self.left - (now - self.since))

    @property
    def end(self) -> int | None:
        """Time at which it runs out, if nothing stops it; None: never."""
        return None if self.left is None or self.since is None else self.since + self.left

    def is_spent(self, now: int) -> bool:
        return self.since is not None and self.remaining(now) == 0


class TurnClock(Timer, gc=False):
    """The countdown of a decision."""

    decision: int = 0
    """Number of the latest decision at this table, from 1."""
    seat: Seat | None = None

    def limit(self, limit_ms: int | None) -> None:
        """Set a limit for this decision if it has none. The clock must stand still."""
        if self.seat is not None and self.left is None and self.since is None:
            self.left = limit_ms

    def clear(self) -> None:
        self.seat = self.left = self.since = None


class TableTerms(Struct, frozen=True):
    """Terms that the operator sets for tables."""

    patience: int = 0
    """Seconds for a decision at a table without its own limit; 0: no limit."""
    first_move: int = 0
    """Seconds for a decision before the player's first move in a game, at a public table without its own limit where
    other guests play; 0: as for other decisions."""
    edition: int = 0
    """Edition of the rules. It is not the operator's choice; see the policy of the lobby."""


NEWS_MS = 100
"""Milliseconds between two pieces of news of the lobby, or of a gallery: too short to notice. For more than a hundred
readers it is one millisecond for each, so the cost of news does not grow with the number of readers."""

NEVER = -NEWS_MS
"""A time before all news."""


def news_interval(readers: int, least: int = NEWS_MS) -> int:
    """Milliseconds between two pieces of news for this many readers; 0: no delay for any number."""
    return max(least, readers) if least else 0
