"""Guesses: wrong passwords and tokens, and how long the next one waits before it is looked at.

The delay grows with every guess, and holds for a right one as for a wrong one: otherwise a quick answer would tell them
apart. Nothing is held up but the connection that waits.
"""

from typing import Final

FREE: Final = 3
"""Mistakes that cost nothing: mistyped passwords, and tokens of before."""

FIRST_MS: Final = 1_000
"""Delay after the next one; it doubles with each."""

LONGEST_MS: Final = 60_000
"""Then it is a guess a minute, half a million a year."""

FORGIVEN_MS: Final = 15 * 60_000
"""Without a mistake, after which all are forgotten."""

KEPT: Final = 4_096
"""Origins whose mistakes are remembered; the oldest are forgotten first."""


class Guesses:
    """Mistakes, by the identity of the peer who makes them."""

    def __init__(self) -> None:
        self._mistakes: dict[str, tuple[int, int]] = {}
        """The number of mistakes, and the time of the last; the oldest first."""

    def note(self, who: str, now: int) -> None:
        count, at = self._mistakes.pop(who, (0, now))
        if now - at >= FORGIVEN_MS:
            count = 0
        self._mistakes[who] = (count + 1, now)
        if len(self._mistakes) > KEPT:
            del self._mistakes[next(iter(self._mistakes))]

    def wait(self, who: str, now: int, share: int = 1) -> int:
        """Milliseconds until the next guess is looked at. `share`: it is a network, which may guess so many times as
        often as one address."""
        count, at = self._mistakes.get(who, (0, 0))
        if count < FREE * share:
            return 0
        delay = min(LONGEST_MS, FIRST_MS << min(count - FREE * share, 16)) // share
        return max(0, at + delay - now)
