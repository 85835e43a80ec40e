"""Progress of a match: a table of results that is drawn anew on a terminal, elsewhere a line every few seconds."""

import asyncio
import shutil
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TextIO

from put_arena.contest import Contest
from put_arena.match_report import live_lines

LINE_SECONDS = 5.0
LOOK_SECONDS = 0.1

DRAW_SECONDS = 0.5

SHARE = 20
"""Time between drawings, in multiples of the last one's: with many games the intervals take a while to find."""

_UP, _CLEAR = "\x1b[{}F", "\x1b[J"


@asynccontextmanager
async def show_progress(contest: Contest) -> AsyncIterator[None]:
    """Show progress on the standard error while the block runs."""
    task = asyncio.create_task(_show(contest, sys.stderr))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _show(contest: Contest, out: TextIO) -> None:
    while not contest.has_begun:  # noqa: ASYNC110  # there is no signal to wait for
        await asyncio.sleep(LOOK_SECONDS)
    await asyncio.sleep(LOOK_SECONDS)  # other servers are a moment behind the first
    if contest.addresses:
        print(f"Watch at {', '.join([f'put-client {address}' for address in contest.addresses])}", file=out, flush=True)
    began, done = time.monotonic(), contest.done

    def rate() -> float:
        return (contest.done - done) / max(time.monotonic() - began, 0.001)

    if out.isatty():
        await _draw(contest, out, rate)
    while True:
        await asyncio.sleep(LINE_SECONDS)
        print(_line(contest, rate()), file=out, flush=True)


def _line(contest: Contest, rate: float) -> str:
    return f"{contest.done:,} of {contest.planned:,} games, {rate:,.0f} a second"


async def _draw(contest: Contest, out: TextIO, rate: Callable[[], float]) -> None:
    """Draw the table until cancelled; the last drawing goes, for the report follows."""
    drawn = 0
    try:
        while True:
            begun = time.monotonic()
            lines = drawing(contest, rate(), shutil.get_terminal_size().columns)
            out.write((_UP.format(drawn) if drawn else "") + _CLEAR + "".join([line + "\n" for line in lines]))
            out.flush()
            drawn = len(lines)
            await asyncio.sleep(max(DRAW_SECONDS, SHARE * (time.monotonic() - begun)))
    finally:
        out.write((_UP.format(drawn) if drawn else "") + _CLEAR)
        out.flush()


def drawing(contest: Contest, rate: float, width: int) -> Sequence[str]:
    """The lines of the table as it is now, none longer than the terminal is wide."""
    left = contest.planned - contest.done
    to_go = f", {left / rate:,.0f} seconds to go" if rate and left else ""
    lines = [_line(contest, rate) + to_go]
    if contest.results is not None:
        lines += live_lines(contest.results, width - 1)
    return [line[: width - 1] for line in lines]
