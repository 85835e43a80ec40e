"""Checkpoint in a child process, so that encoding a thousand tables does not block the event loop.

A fork is a snapshot of the process in shared memory: its lobby is consistent, as between two inputs, and does not
change while the server continues. The child encodes the lobby, writes it to a pipe, and ends at once. It first closes
all other descriptors; otherwise connections that the server closes meanwhile would stay open until the child ends. It
runs only Python and the codec, and takes no lock that a thread of the server may have held.

Where the system cannot fork, as on Windows, `can_fork` is false and the event loop makes the checkpoint: such a server
is a laptop with up to ten tables, which takes milliseconds.
"""

import asyncio
import errno
import gc
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress

PIPE_BYTES = 64 * 1024
NICE = 5
"""Lower priority of the child."""

LONGEST_S = 300.0
"""Time limit of the child: a hundred times the largest lobby. Inherited state may block it forever."""


def can_fork() -> bool:
    """True if this system has all functions used here."""
    return hasattr(os, "fork")


class Forked:
    """A child process with a task, from its fork until its result is read or it is given up."""

    def __init__(self, work: Callable[[], bytes], done: Callable[[memoryview | None], None]) -> None:
        """`done` gets the result, or None if the child failed.

        :raises OSError: the fork failed.
        """
        self._done = done
        self._received = bytearray()
        reading, writing = os.pipe()
        try:
            process = _fork()
        except OSError:
            os.close(reading)
            os.close(writing)
            raise
        if not process:
            _run_in_child(work, writing)
        os.close(writing)
        if sys.platform != "win32":
            os.set_blocking(reading, False)
        self._process = process
        self._reading: int | None = reading
        loop = asyncio.get_running_loop()
        loop.add_reader(reading, self._read)
        self._limit = loop.call_later(LONGEST_S, self._time_is_up)

    def _read(self) -> None:
        assert self._reading is not None
        data = os.read(self._reading, PIPE_BYTES)
        if data:
            self._received += data
            return
        status = self._end()
        whole, self._received = memoryview(self._received), bytearray()
        self._done(None if status else whole)

    def _time_is_up(self) -> None:
        self.give_up()
        self._done(None)

    def _end(self) -> int:
        """Returns the child's status; 0: it has written everything."""
        assert self._reading is not None
        self._limit.cancel()
        asyncio.get_running_loop().remove_reader(self._reading)
        os.close(self._reading)
        self._reading = None
        return os.waitpid(self._process, 0)[1]  # it has closed the pipe by its end, or was killed

    def give_up(self) -> None:
        """Kill the child without a callback. May be called again."""
        if self._reading is not None:
            if sys.platform != "win32":  # where there is none
                with suppress(ProcessLookupError):
                    os.kill(self._process, signal.SIGKILL)
            self._end()


def _fork() -> int:
    """:raises OSError: the fork failed."""
    if sys.platform == "win32":
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    else:  # noqa: RET506  # what follows is unreachable to type checkers on Windows
        return os.fork()


def _run_in_child(work: Callable[[], bytes], writing: int) -> None:
    try:
        gc.disable()
        os.closerange(3, writing)
        if sys.platform != "win32":  # never reached there
            os.closerange(writing + 1, os.sysconf("SC_OPEN_MAX"))
            os.nice(NICE)
        data = memoryview(work())
        while data:
            data = data[os.write(writing, data) :]
        os._exit(0)
    finally:
        os._exit(1)
