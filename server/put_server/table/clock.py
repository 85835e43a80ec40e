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


class TurnClock:
    __slots__ = ("decision", "seat", "timer")

    def __init__(self) -> None:
        self.decision = 0
        """Number of the latest decision at this table, from 1."""
        self.seat: Seat | None = None
        self.timer = Timer(None)

    def limit(self, limit_ms: int | None) -> None:
        """Set a limit for this decision if it has none. The timer must stand still."""
        if self.seat is not None and self.timer.left is None and self.timer.since is None:
            self.timer = Timer(limit_ms)

    def end(self) -> None:
        self.seat = None
        self.timer = Timer(None)


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


class GalleryNews:
    """Changes of a gallery, sent to the table at a limited rate."""

    __slots__ = ("_told_at", "is_waiting")

    def __init__(self) -> None:
        self._told_at = NEVER
        self.is_waiting = False
        """True if something was put off."""

    def is_due(self, now: int, readers: int) -> bool:
        return now - self._told_at >= news_interval(readers)

    def note_told(self, now: int) -> None:
        self._told_at, self.is_waiting = now, False
