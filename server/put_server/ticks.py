"""Ticks: common times for all periodic work of a process.

All parts do their periodic work at the same ticks, every quarter of a second. So an idle process wakes up only four
times a second, with any number of parts, and their output is sent together.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Final

TICK_S: Final = 0.25
"""Precision of every clock: finer than a player notices."""

QUIET_S: Final = 1.0
"""Interval for sending news without connections; a new peer gets the first news later by at most this."""


def until_tick(seconds: float, now: float) -> float:
    """Seconds until the next multiple of `seconds`. A timer may fire a little early: that counts as this tick."""
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
    """Send news at this interval, forever; less often without connections, so that an idle process sleeps."""
    while True:
        await next_tick(QUIET_S if is_empty() else seconds)
        tell()


def milliseconds() -> int:
    """Milliseconds of this machine's monotonic clock; the zero is arbitrary."""
    return time.monotonic_ns() // 1_000_000
