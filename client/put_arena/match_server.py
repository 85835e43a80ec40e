"""The server of a match, started and ended."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from put_protocol.text import printable
from put_runtime.child_process import PUT_SERVER, CannotStart, ChildProcess, port_in, running

START_SECONDS = 20.0
"""Limit for a server to listen; it takes a fraction of a second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchServer:
    """The server of a match, and its rules for players."""

    host: str
    port: int
    turn: int
    """Seconds for a decision."""
    late: int
    """Turns that may not all run out in a row."""
    slow: float
    """Seconds to wait before each move."""


@asynccontextmanager
async def serving(host: str, seed: int, port: int = 0) -> AsyncIterator[tuple[str, int]]:
    """A put-server that repeats its packs; yields the host and port where it can be reached from here. The port is the
    one given if that is free, so that spectators come back to it.

    :raises CannotStart: it did not begin to listen.
    """
    words = [*PUT_SERVER, "--host", host, "--port", str(_free(host, port)), "--data", ":memory:"]
    words += ["--seed", "-", "--drain-seconds", "0", "--log-level", "error", "--name", "The arena"]
    words += ["--at-eof", "stop"]  # so that it goes too when we are killed
    words += ["--exempt", "127.0.0.1 ::1"]  # all players come from this machine
    words += ["--name-days", "0"]  # a bot that starts again has lost its token
    words += ["--news-ms", "0"]  # results are read from the purses in the news
    async with running(words) as process:
        process.stdin.write(f"{seed}\n".encode())
        said = b""
        with suppress(TimeoutError):
            async with asyncio.timeout(START_SECONDS):
                said = await process.stdout.readline()
        found = port_in(said.decode(errors="replace"))
        if found is None:
            await process.read_rest()
            raise CannotStart("put-server", last_line(process) or "it says nothing")
        process.discard_output()
        yield ("127.0.0.1" if host in ("*", "0.0.0.0", "localhost") else host), found


def _free(host: str, port: int) -> int:
    """This port, or 0 if it is taken."""
    try:
        socket.create_server(("" if host == "*" else host, port)).close()
    except OSError:
        return 0
    return port


def last_line(process: ChildProcess) -> str:
    """The last line of its standard error that is not empty, fit to be shown."""
    lines = [printable(line).strip() for line in process.stderr.lines]
    return next((line for line in reversed(lines) if line), "")
