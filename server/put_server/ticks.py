"""Ticks: moments that everything in a process that is done from time to time has in common.

An idle process wakes up for its own clocks alone. What is done every quarter of a second by each of its parts is done
by all at once: so it wakes up four times a second, with any number of parts, and what they send goes out
together.
"""

import asyncio
import time


def until_tick(seconds: float, now: float) -> float:
    """Seconds until the next moment that is a multiple of so many. A timer may come a little early: that tick was
    this one."""
    return (int(now / seconds + 0.01) + 1) * seconds - now


async def next_tick(seconds: float) -> None:
    """Sleep until then, by the clock of the running loop."""
    await asyncio.sleep(until_tick(seconds, asyncio.get_running_loop().time()))


def milliseconds() -> int:
    """Monotonic time of this machine; its zero is arbitrary."""
    return time.monotonic_ns() // 1_000_000
