"""A process of a cluster in that of a test."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from put_server.cluster.roles import Member, listening
from put_server.settings import Settings


@asynccontextmanager
async def serving(settings: Settings, *, thinks: bool = True) -> AsyncIterator[Member]:
    """Serve as a process of a cluster while the block runs."""
    async with listening(settings, thinks=thinks) as member, asyncio.TaskGroup() as tasks:
        ready = asyncio.Event()
        running = tasks.create_task(member.run(ready.set))
        try:
            await ready.wait()
            yield member
        finally:
            member.stop()
            member.stop()
            await running
