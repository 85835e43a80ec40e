"""Processes that are killed, paused and started again."""

import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from put_runtime.child_process import ChildProcess


class Process:
    """A program that keeps its words, its ports and its data over many lives."""

    def __init__(
        self, name: str, words: Sequence[str], log: Path, *, is_ready: Callable[[str], bool] | None = None
    ) -> None:
        """`is_ready`: whether a line on standard output says that it is; None: nothing is waited for."""
        self.name = name
        self.environment: Mapping[str, str] | None = None
        """Of its next life; None: ours."""
        self._words = words
        self._log = log
        self._is_ready = is_ready
        self._process: ChildProcess | None = None

    async def start(self) -> None:
        """Start it; returns when it is ready."""
        with self._log.open("ab") as log:
            out = subprocess.PIPE if self._is_ready is not None else log.fileno()
            self._process = await ChildProcess.start(
                self._words, stdin=None, stdout=out, stderr=log.fileno(), environment=self.environment
            )
        if self._is_ready is not None:
            while not self._is_ready(said := (await self._process.stdout.readline()).decode()):
                assert said, f"{self.name} did not start:\n{self.log_end}"
            self._process.discard_output()

    @property
    def log_end(self) -> str:
        """The end of what it said on standard error, over all its lives."""
        return self._log.read_text(errors="replace")[-4_000:]

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """It was started and has not ended; it may be paused."""
        return self._process is not None and self._process.returncode is None

    async def kill(self) -> None:
        """End it by SIGKILL; nothing, if it has ended."""
        if self._process is not None:
            self._process.kill()
            await self._process.wait()

    async def stop(self) -> int:
        """End it by SIGTERM, in good order; returns its status, also if it has ended by itself."""
        assert self._process is not None
        with suppress(ProcessLookupError):
            self._process.terminate()
        return await self._process.wait()

    async def _gone(self) -> None:
        """Wait for its end."""
        assert self._process is not None
        await self._process.wait()

    def pause(self) -> None:
        """SIGSTOP: it does not notice that time passes."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """SIGCONT."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.pid, number)
