"""Processes the arena starts: each with a session of its own, and all of it gone when its block ends."""

import asyncio
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

from put_protocol.text import printable

END_SECONDS = 1.0
"""From being asked to end to being killed."""

START_SECONDS = 20.0
"""For a server to listen; it takes a fraction of one."""

TAIL = 2_000
"""Bytes kept of what a process said last on its standard error."""


class NotStarted(Exception):
    """A process cannot be had; the sentence says why."""


class Tail:
    """The end of what somebody says."""

    def __init__(self) -> None:
        self._kept = b""

    async def follow(self, stream: asyncio.StreamReader) -> None:
        """Read until it ends, so that nobody waits to be read."""
        while data := await stream.read(16 * 1024):
            self._kept = (self._kept + data)[-TAIL:]

    @property
    def last(self) -> str:
        """The last line that is not empty, fit to be shown."""
        lines = [printable(line).strip() for line in self._kept.decode(errors="replace").splitlines()]
        return next((line for line in reversed(lines) if line), "")


@asynccontextmanager
async def running(words: Sequence[str]) -> AsyncIterator[Process]:
    """The process, with all its streams; at the end it and whatever it started are killed.

    :raises NotStarted: there is no such program, or it may not be run.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *words, stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True
        )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise NotStarted(f"{printable(words[0])} cannot be started: {reason}") from None
    try:
        yield process
    finally:
        await asyncio.shield(_end(process))


async def _end(process: Process) -> None:
    _signal(process, signal.SIGTERM)
    with suppress(TimeoutError):
        async with asyncio.timeout(END_SECONDS):
            await process.wait()
    _signal(process, signal.SIGKILL)  # also to what it left behind
    await process.wait()
    # Closing the transport closes our ends of the pipes, which a grandchild may still hold open.
    process._transport.close()  # type: ignore[attr-defined]  # there is no public way


def _signal(process: Process, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def ending(process: Process, tail: Tail) -> str:
    """How a process that is over has ended, as the end of a sentence."""
    code = process.returncode
    if code is None:
        how = "it closed its output"
    elif code < 0:
        how = f"it was ended by {signal.Signals(-code).name}"
    else:
        how = f"it ended with status {code}"
    return f"{how}, saying: {tail.last}" if tail.last else how


@asynccontextmanager
async def serving(host: str, seed: int) -> AsyncIterator[tuple[str, int]]:
    """A put-server that repeats its packs; gives where it can be reached from here.

    :raises NotStarted: it did not come to listen.
    """
    words = [sys.executable, "-m", "put_server", "--host", host, "--port", "0", "--data", ":memory:"]
    words += ["--seed", str(seed), "--drain-seconds", "0", "--log-level", "error", "--name", "The arena"]
    words += ["--at-eof", "stop"]  # so that it goes too when we are killed
    async with running(words) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        tail = Tail()
        following = asyncio.create_task(tail.follow(process.stderr))
        draining = None
        try:
            said = b""
            with suppress(TimeoutError):
                async with asyncio.timeout(START_SECONDS):
                    said = await process.stdout.readline()
            found = re.search(rb"listens on \S+:(\d+)\.", said)
            if found is None:
                await asyncio.wait({following}, timeout=END_SECONDS)
                raise NotStarted(f"put-server did not start: {tail.last or 'it says nothing'}")
            draining = asyncio.create_task(Tail().follow(process.stdout))
            yield ("127.0.0.1" if host in ("*", "0.0.0.0", "localhost") else host), int(found[1])
        finally:
            following.cancel()
            if draining is not None:
                draining.cancel()
