"""A player's time: arithmetic on milliseconds that are passed in.

Two clocks. The turn clock runs while a decision is the player's and they are here. The bank runs while they are away,
whoever's turn it is; their turn clock stands still meanwhile, so losing the connection costs no turn, and cannot win
more time than the bank. Both stand still while the game is paused.
"""

from dataclasses import dataclass


@dataclass(slots=True)
class Timer:
    """Time running out."""

    left: int | None
    """Milliseconds left when it last stood still; None: no limit."""
    since: int | None = None
    """When it began to run; None: it stands still."""

    def start(self, now: int) -> None:
        """Run from now on, if it does not yet."""
        if self.since is None:
            self.since = now

    def stop(self, now: int) -> None:
        """Stand still from now on."""
        self.left = self.remaining(now)
        self.since = None

    def remaining(self, now: int) -> int | None:
        """Milliseconds left, never below 0; None: no limit."""
        if self.left is None or self.since is None:
            return self.left
        return max(0, self.left - (now - self.since))

    def is_spent(self, now: int) -> bool:
        return self.since is not None and self.remaining(now) == 0
