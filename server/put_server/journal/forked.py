"""Checkpoint made in a child process, so that the loop is not held up while a thousand tables are encoded.

A fork is a copy of everything at one moment, which the system makes by sharing memory: the lobby in it stands still,
as consistent as between two inputs, while the server goes on. The child encodes it and writes it to a pipe, and ends
without another step of the program. It first closes every other descriptor, or connections that the server closes
meanwhile would stay open until it is done. It runs Python and the codec only, and takes no lock that a thread of the
server may have held.

Where the system cannot fork, as on Windows, `can_fork` is false and the loop makes the checkpoint itself: such a server
is one laptop's, with a table or ten, which are encoded in milliseconds.
"""

import asyncio
import errno
import gc
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress

PIECE = 64 * 1024
"""The bytes that a pipe holds."""

NICE = 5
"""The child gives way to the server."""

LONGEST_S = 300.0
"""Time limit of the child: a hundred times what the largest lobby takes. What it inherited may hold it up for ever."""

_LENGTH = 8


def can_fork() -> bool:
    """True if this system has what is used here."""
    return hasattr(os, "fork")


class Forked:
    """A child that works something out, from its fork until its result was read or it was given up."""

    def __init__(self, work: Callable[[], bytes], done: Callable[[memoryview | None], None]) -> None:
        """`done` is given the result, or None if there is none.

        :raises OSError: the system will not fork.
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
            _work(work, writing)
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
        data = os.read(self._reading, PIECE)
        if data:
            self._received += data
            return
        self._end()
        whole, self._received = memoryview(self._received), bytearray()
        is_whole = len(whole) >= _LENGTH and int.from_bytes(whole[:_LENGTH]) == len(whole) - _LENGTH
        self._done(whole[_LENGTH:] if is_whole else None)

    def _time_is_up(self) -> None:
        self.give_up()
        self._done(None)

    def _end(self) -> None:
        self._limit.cancel()
        if self._reading is not None:
            asyncio.get_running_loop().remove_reader(self._reading)
            os.close(self._reading)
            self._reading = None
            os.waitpid(self._process, 0)  # it has closed the pipe by its end, or was killed

    def give_up(self) -> None:
        """Kill it, and do not call back. May be called again."""
        if self._reading is not None:
            if sys.platform != "win32":  # where there is none
                with suppress(ProcessLookupError):
                    os.kill(self._process, signal.SIGKILL)
            self._end()


def _fork() -> int:
    """:raises OSError: the system will not fork."""
    if sys.platform == "win32":
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    else:  # noqa: RET506  # what follows is unreachable to type checkers on Windows
        return os.fork()


def _work(work: Callable[[], bytes], writing: int) -> None:
    """Runs in the child process, and ends it."""
    try:
        gc.disable()
        os.closerange(3, writing)
        if sys.platform != "win32":  # never reached there
            os.closerange(writing + 1, os.sysconf("SC_OPEN_MAX"))
            os.nice(NICE)
        result = work()
        data = memoryview(len(result).to_bytes(_LENGTH) + result)
        while data:
            data = data[os.write(writing, data) :]
    finally:
        os._exit(0)
