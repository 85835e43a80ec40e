"""One worker process, as the server's loop sees it: started when it is first needed, and again after it was lost."""

import asyncio
import sys
from asyncio.subprocess import DEVNULL
from collections.abc import Sequence

import msgspec

from put_runtime.child_process import CannotStart, ChildProcess
from put_server.analysis.jobs import LENGTH, MOST_BYTES, Answer, Job, answer_of, packed

COMMAND = (sys.executable, "-m", "put_server.analysis.worker")

PATIENCE_S = 60.0
"""For one job, the start of the process included. The slowest hand takes a few seconds on a slow machine; whatever
takes so long is not coming."""


class WorkerLost(Exception):
    """It died, or did not answer in time. The next job starts another."""


class Worker:
    """Answers one job at a time. Whoever asks must end it."""

    def __init__(self, command: Sequence[str] = COMMAND, patience_s: float = PATIENCE_S) -> None:
        self._command = command
        self._patience_s = patience_s
        self._process: ChildProcess | None = None

    async def ask(self, job: Job) -> Answer:
        """The answer to a job.

        :raises WorkerLost: none came.
        """
        try:
            async with asyncio.timeout(self._patience_s):
                return await self._exchange(job)
        except (CannotStart, OSError, EOFError, TimeoutError, msgspec.DecodeError) as error:
            await self.end()
            raise WorkerLost(type(error).__name__) from None
        except asyncio.CancelledError:
            await self.end()  # half an answer may be on its way
            raise

    async def _exchange(self, job: Job) -> Answer:
        process = self._process
        if process is None:
            # What it says on its standard error is not read: a traceback might name a card.
            process = self._process = await ChildProcess.start(self._command, stderr=DEVNULL)
        process.stdin.write(packed(job))
        await process.stdin.drain()
        length = int.from_bytes(await process.stdout.readexactly(LENGTH), "big")
        if length > MOST_BYTES:
            raise OSError("that is no answer")
        return answer_of(await process.stdout.readexactly(length))

    async def end(self) -> None:
        """End the process; may be called again."""
        process, self._process = self._process, None
        if process is not None:
            process.stdin.close()
            await process.end(terminate_s=0)
