"""Child processes: each in its own session, and ended with all its descendants at the end of its block."""

import asyncio
import os
import re
import signal
import subprocess
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

KILLED_S = 5.0
"""Time for a killed process to end."""

READ_AFTER_END_S = 0.5

APART: int = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
"""Flag used instead of a session on Windows: ^C at the terminal does not reach the process."""

PUT_SERVER = (sys.executable, "-m", "put_server")


class CannotStart(Exception):
    def __init__(self, program: str, reason: str) -> None:
        super().__init__(f"{program} cannot be started: {reason}")
        self.program = program
        self.reason = reason


class Tail:
    """The end of a stream."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._data = b""

    async def follow(self, stream: asyncio.StreamReader) -> None:
        """Read until the stream ends, so that the process never blocks on output."""
        while data := await stream.read(16 * 1024):
            self._data = (self._data + data)[-self._most_bytes :]

    @property
    def lines(self) -> list[str]:
        return self._data.decode(errors="replace").splitlines()


class ChildProcess:
    """A child of this process's event loop. The caller that starts it must end it; `running` does both."""

    def __init__(self, process: Process, tail_bytes: int) -> None:
        self._process = process
        self.stderr = Tail(tail_bytes)
        """The end of its standard error, if that is a pipe."""
        self._readers: set[asyncio.Task[None]] = set()
        if process.stderr is not None:
            self._readers.add(asyncio.create_task(self.stderr.follow(process.stderr)))

    @classmethod
    async def start(
        cls,
        words: Sequence[str],
        *,
        stdin: int | None = PIPE,
        stdout: int | None = PIPE,
        stderr: int | None = PIPE,
        tail_bytes: int = 2_000,
        environment: Mapping[str, str] | None = None,
        descriptors: Sequence[int] = (),
    ) -> "ChildProcess":
        """Start a program in its own session, so that it can be ended with its descendants.

        `environment`: its variables; None: ours. `descriptors`: open files that it inherits with the same numbers.

        :raises CannotStart: the program does not exist, or may not be run.
        """
        starting = asyncio.ensure_future(
            asyncio.create_subprocess_exec(
                *words,
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                start_new_session=True,
                creationflags=APART,
                env=environment,
                pass_fds=descriptors,
            )
        )
        try:
            process = await asyncio.shield(starting)
        except asyncio.CancelledError:
            # asyncio would kill only the program, and wait for ever if a child of it has our pipes.
            await asyncio.wait({starting})
            if starting.exception() is None:
                await cls(starting.result(), tail_bytes).end(terminate_s=0)
            raise
        except (OSError, ValueError) as error:
            raise CannotStart(words[0], getattr(error, "strerror", None) or str(error)) from None
        return cls(process, tail_bytes)

    @property
    def stdin(self) -> asyncio.StreamWriter:
        assert self._process.stdin is not None
        return self._process.stdin

    @property
    def stdout(self) -> asyncio.StreamReader:
        assert self._process.stdout is not None
        return self._process.stdout

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """Exit code; None while it runs."""
        return self._process.returncode

    async def wait(self) -> int:
        return await self._process.wait()

    def discard_output(self) -> None:
        """Read and discard its standard output from now on, unless another task reads it."""
        if self._process.stdout is not None:
            self._readers.add(asyncio.create_task(_discard(self._process.stdout)))

    async def read_rest(self, seconds: float = READ_AFTER_END_S) -> None:
        """Wait until its standard error, and its discarded output, were read to the end."""
        if self._readers:
            await asyncio.wait(self._readers, timeout=seconds)

    async def end(self, *, after_s: float = 0.0, terminate_s: float = 1.0) -> None:
        """End it and its descendants: SIGTERM after `after_s` seconds, SIGKILL after `terminate_s` more.

        May be called again.

        :raises TimeoutError: it still runs although it was killed.
        """
        try:
            # It counts as gone only when its output was read to the end: see `asyncio.subprocess.Process.wait`.
            self.discard_output()
            if after_s:
                await self._waited(after_s)
            if self.returncode is None and terminate_s:
                self.terminate()
                await self._waited(terminate_s)
            self.kill()  # also what it left behind
            await self._waited(KILLED_S)
            if self.returncode is None:
                raise TimeoutError(f"process {self.pid} was killed and does not go")
            await self.read_rest()
        finally:
            for reader in self._readers:
                reader.cancel()
            # Closing the transport closes our ends of the pipes, which a grandchild may still hold open.
            self._process._transport.close()  # type: ignore[attr-defined]  # there is no public way
            await asyncio.gather(*self._readers, return_exceptions=True)

    async def _waited(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.wait()

    def terminate(self) -> None:
        """Ask it and its descendants to end. On Windows it is killed, because there is no way to ask."""
        if hasattr(os, "killpg"):
            self._signal(signal.SIGTERM)
        else:
            self.kill()

    def kill(self) -> None:
        """Kill it and its descendants. On Windows they are found only while it runs."""
        if sys.platform != "win32" and hasattr(os, "killpg"):
            self._signal(signal.SIGKILL)
        elif self.returncode is None:
            command = ("taskkill", "/F", "/T", "/PID", str(self.pid))
            with suppress(OSError, subprocess.TimeoutExpired):
                subprocess.run(command, stdout=DEVNULL, stderr=DEVNULL, check=False, timeout=KILLED_S)
            with suppress(ProcessLookupError, PermissionError):
                self._process.kill()

    def _signal(self, number: signal.Signals) -> None:
        if sys.platform != "win32":
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, number)


async def _discard(stream: asyncio.StreamReader) -> None:
    with suppress(RuntimeError):  # of asyncio, to the second who reads
        await Tail(1).follow(stream)


@asynccontextmanager
async def running(
    words: Sequence[str], *, environment: Mapping[str, str] | None = None, descriptors: Sequence[int] = ()
) -> AsyncIterator[ChildProcess]:
    """A process with pipes for all streams, ended with its descendants at the end of the block. Arguments as in
    `ChildProcess.start`.

    :raises CannotStart: the program does not exist, or may not be run.
    """
    process = await ChildProcess.start(words, environment=environment, descriptors=descriptors)
    try:
        yield process
    finally:
        ending = asyncio.ensure_future(process.end())
        try:
            await asyncio.shield(ending)
        except asyncio.CancelledError:  # cancelled again: it still ends within this block
            await asyncio.wait({ending})
            raise


def port_in(line: str) -> int | None:
    """The port in a server's line about its address, which begins with its name."""
    found = re.search(r".*listens on (?:\S+:|port )(\d+)\b", line)
    return None if found is None else int(found[1])


@contextmanager
def listening(
    words: Sequence[str],
    *,
    stdin: int | None = None,
    stop_s: float = 5.0,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server for a program without an event loop, and its port. At the end of the block it is asked to end, then
    killed.

    It has its own session, so ^C at the terminal does not reach it.

    :raises CannotStart: it did not print its address.
    """
    process = subprocess.Popen(
        words,
        stdin=stdin,
        stdout=PIPE,
        text=True,
        start_new_session=True,
        creationflags=APART,
        env=environment,
        cwd=folder,
    )
    try:
        assert process.stdout is not None
        said = process.stdout.readline()
        port = port_in(said)
        if port is None:
            raise CannotStart("the server", said.strip() or "see above")
        yield process, port
    finally:
        if not hasattr(os, "killpg") and process.stdin is not None:
            process.stdin.close()  # asks a server that follows its input; `terminate` would kill it
        else:
            process.terminate()
        try:
            process.wait(stop_s)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()
