"""A server in the process of a test."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from put_server.app import Server
from put_server.settings import Settings


@asynccontextmanager
async def serving(settings: Settings, *, thinks: bool = True) -> AsyncIterator[Server]:
    """A listening server for as long as the block runs."""
    server = Server(settings, thinks=thinks)
    await server.listen()
    async with asyncio.TaskGroup() as tasks:
        running = tasks.create_task(server.run())
        try:
            yield server
        finally:
            server.stop()
            server.stop()
            await running
