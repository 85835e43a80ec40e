"""Lines of a file descriptor: of a pipe, a file, or a terminal without editing."""

import asyncio
import os
import threading

from put_protocol.limits import PLAIN_BYTES

LINE_BYTES = PLAIN_BYTES
"""The longest line; the rest of a longer one is dropped."""


class Lines:
    """Lines of a file descriptor of any kind, read by a thread: not every kind works with an event loop.

    The thread reads no further line until the last was taken, and is no hindrance to the end of the program.
    """

    is_hung_up = False
    """They ended because the terminal has gone, which the person did not ask for."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._is_terminal = os.isatty(descriptor)
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()  # the thread puts one at a time
        self._taken = threading.Semaphore(0)
        threading.Thread(target=self._read, name="lines", daemon=True).start()

    async def next(self) -> str | None:
        """The next line without its end; None at the end of the file. Do not call it again after that."""
        line = await self._lines.get()
        self._taken.release()
        return line

    def _read(self) -> None:
        # Not through sys.stdin: a daemon thread that holds its lock when the interpreter ends aborts it. A file that is
        # not buffered has none; and a console of Windows gives its characters to such a file, not to os.read.
        rest, is_wanted = b"", True
        try:
            with open(self._descriptor, "rb", buffering=0, closefd=False) as file:
                while is_wanted and (data := file.read(LINE_BYTES)):
                    *lines, rest = (rest + data).split(b"\n")
                    rest = rest[:LINE_BYTES]
                    is_wanted = all(self._put(line) for line in lines)
        except OSError:
            pass  # a terminal that hung up: the end of its lines
        self.is_hung_up = self._is_terminal and not os.isatty(self._descriptor)
        if is_wanted and (not rest or self._put(rest)):
            self._put(None)

    def _put(self, line: bytes | None) -> bool:
        """Deliver a line and wait until it is taken. False: the loop is closed."""
        text = None if line is None else line[:LINE_BYTES].decode(errors="replace")
        try:
            self._loop.call_soon_threadsafe(self._lines.put_nowait, text)
        except RuntimeError:
            return False
        self._taken.acquire()
        return True
