"""A player's time: arithmetic on milliseconds that are passed in.

Two clocks. The turn clock runs while a decision is the player's and they are here. The bank runs while they are away,
at any turn; their turn clock stands still meanwhile, so losing the connection costs no turn, and cannot win
more time than the bank. Both stand still while the game is paused.
"""

from msgspec import Struct

from put_protocol.seats import Seat


class Timer(Struct, gc=False):
    """Time running out. The fields are those of the journal."""

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
        else:
            self.stop(now)

    def remaining(self, now: int) -> int | None:
        """Milliseconds left, never below 0; None: no limit."""
        if self.left is None or self.since is None:
            return self.left
        return max(0, self.left - (now - self.since))

    @property
    def end(self) -> int | None:
        """Moment when it is spent, if nothing stops it; None: never."""
        return None if self.left is None or self.since is None else self.since + self.left

    def is_spent(self, now: int) -> bool:
        return self.since is not None and self.remaining(now) == 0


class TurnClock:
    """The decision that is waited for: its number, whose it is, and the time left for it."""

    __slots__ = ("decision", "seat", "timer")

    def __init__(self) -> None:
        self.decision = 0
        """Number of the latest decision at this table, from 1."""
        self.seat: Seat | None = None
        """The seat to move."""
        self.timer = Timer(None)

    def limit(self, limit_ms: int | None) -> None:
        """Limit this decision if it had no limit; the time for it must stand still."""
        if self.seat is not None and self.timer.left is None and self.timer.since is None:
            self.timer = Timer(limit_ms)

    def end(self) -> None:
        self.seat = None
        self.timer = Timer(None)


class TableTerms(Struct, frozen=True):
    """Terms that the operator sets for tables."""

    patience: int = 0
    """Seconds for a decision where the table has no limit of its own; 0: none either."""
    first_move: int = 0
    """Seconds for a decision there until a player has moved once in a game, where the table is public and other guests
    play; 0: as for others."""
    edition: int = 0
    """Edition of the rules that no operator chooses; see the policy of the lobby."""
