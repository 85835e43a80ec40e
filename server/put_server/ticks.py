"""Ticks: moments that everything in a process that is done from time to time has in common.

An idle process wakes up for its own clocks alone. What is done every quarter of a second by each of its parts is done
by all at once: so it wakes up four times a second, with any number of parts, and what they send goes out
together.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Final

TICK_S: Final = 0.25
"""Precision of every clock: finer than a player notices."""

QUIET_S: Final = 1.0
"""Interval of looks for news without connections; a peer who comes then hears the first so much later at most."""


def until_tick(seconds: float, now: float) -> float:
    """Seconds until the next multiple of so many. A timer may come a little early: that tick was this one."""
    return (int(now / seconds + 0.01) + 1) * seconds - now


async def next_tick(seconds: float) -> None:
    await asyncio.sleep(until_tick(seconds, asyncio.get_running_loop().time()))


async def ticking(tick: Callable[[], object], each_second: Callable[[], object]) -> None:
    turn = 0
    while True:
        await next_tick(TICK_S)
        tick()
        turn += 1
        if turn % 4 == 0:
            each_second()


async def telling(tell: Callable[[], object], is_empty: Callable[[], bool], seconds: float) -> None:
    """Have news told every so many seconds, for ever; seldom without connections, so an idle process sleeps."""
    while True:
        await next_tick(QUIET_S if is_empty() else seconds)
        tell()


def milliseconds() -> int:
    """Monotonic time of this machine; its zero is arbitrary."""
    return time.monotonic_ns() // 1_000_000
