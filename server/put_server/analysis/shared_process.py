"""Shared process: one worker process for several services, which ask it one after another.

It ends when its owner says so, and not with a service: others may be waiting for it.
"""

import asyncio

from put_server.analysis.analysis_worker import Answer, Job
from put_server.analysis.service import WorkerProcess


class SharedProcess:
    """The process, at its owner."""

    def __init__(self, process: WorkerProcess | None = None) -> None:
        self._process = process or WorkerProcess()
        self._turn = asyncio.Lock()

    def borrowed(self) -> WorkerProcess:
        """The same for one service."""
        return _Borrowed(self)

    async def ask(self, job: Job) -> Answer:
        """:raises WorkerLost: no answer came."""
        async with self._turn:
            return await self._process.ask(job)

    async def end(self) -> None:
        """End the process; may be called again."""
        await self._process.end()


class _Borrowed(WorkerProcess):
    def __init__(self, owner: SharedProcess) -> None:
        super().__init__()
        self._owner = owner

    async def ask(self, job: Job) -> Answer:
        return await self._owner.ask(job)

    async def end(self) -> None:
        """It is the owner's."""
