"""The client under test as a process of ours: started, its last words kept, and ended whatever it does."""

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress

KEPT_BYTES = 4096
KEPT_LINES = 8
"""Of its standard error: the end of a traceback."""

ENDING_S = 0.5
"""To end by itself after the goodbye, and again after SIGTERM; then it is killed."""


class CannotStart(Exception):
    """The command of the client cannot be run; the sentence says why."""


def fill_in(command: Sequence[str], values: Mapping[str, str]) -> list[str]:
    """The command with `{host}` and the like replaced; other braces stay as they are."""
    words = list(command)
    for name, value in values.items():
        words = [word.replace(f"{{{name}}}", value) for word in words]
    return words


class ClientProcess:
    """One run of the client."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._tail = b""
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, command: Sequence[str]) -> "ClientProcess":
        """In a session of its own, so that it ends with all it started.

        :raises CannotStart: there is no such program.
        """
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise CannotStart(f"{command[0]} cannot be run: {getattr(error, 'strerror', None) or error}") from None
        return cls(process)

    async def _read(self) -> None:
        assert self._process.stderr is not None
        while data := await self._process.stderr.read(KEPT_BYTES):  # `end` cancels
            self._tail = (self._tail + data)[-KEPT_BYTES:]

    @property
    def ended(self) -> int | None:
        """Its exit code; None: it runs."""
        return self._process.returncode

    @property
    def stderr_tail(self) -> tuple[str, ...]:
        """The end of its standard error, without what cannot be shown."""
        lines = self._tail.decode(errors="replace").splitlines()[-KEPT_LINES:]
        return tuple("".join(c if c.isprintable() else " " for c in line).rstrip() for line in lines)

    async def end(self) -> None:
        """See that it is gone, and everything it started too."""
        for number in (None, signal.SIGTERM, signal.SIGKILL):
            if number is not None:
                self._signal(number)
            try:
                async with asyncio.timeout(ENDING_S):
                    await self._process.wait()
                break
            except TimeoutError:
                continue
        self._signal(signal.SIGKILL)
        await asyncio.wait({self._reading}, timeout=ENDING_S)
        self._reading.cancel()
        await asyncio.wait({self._reading})
        with suppress(OSError):
            await self._process.wait()

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)
