"""Schedule of practice: boxes of positions, each due later than the one before (Leitner's method). Pure.

A right answer moves a position on by a box, a wrong one back to the first. Days are counted from 1970.
"""

from typing import Final

DAY_MS: Final = 86_400_000

WAITS: Final = (0, 1, 3, 7, 16, 35, 90)
"""Days until a position of each box is due again, from the answer that put it there; 0: in the same sitting."""


def day_of(at: int) -> int:
    """The day of a time in milliseconds, in UTC."""
    return at // DAY_MS


def after_answer(box: int, day: int, *, is_right: bool) -> tuple[int, int]:
    """The box that a position goes to, and the day on which it is due there."""
    box = min(box + 1, len(WAITS) - 1) if is_right else 0
    return box, day + WAITS[box]
