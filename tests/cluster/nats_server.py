"""A real NATS server for tests, in a folder of its own."""

import asyncio
import os
import shutil
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import nats
import pytest
from nats.aio.client import Client

PROGRAM = shutil.which("nats-server")

needs_nats = pytest.mark.skipif(PROGRAM is None, reason="nats-server is not installed (scripts/packages installs it)")


class NatsServer:
    def __init__(self, folder: Path, port: int, config: str = "", *, keeps: bool = True) -> None:
        """`config`: more of its configuration, as its file has it. `keeps`: it has JetStream."""
        self._words = ("-js", "-sd", str(folder / "store")) if keeps else ()
        self._folder = folder
        self._config = config
        self.port = port
        self.process: asyncio.subprocess.Process | None = None

    @property
    def url(self) -> str:
        return f"nats://127.0.0.1:{self.port}"

    async def start(self) -> None:
        assert PROGRAM is not None
        self._folder.mkdir(parents=True, exist_ok=True)
        (self._folder / "config").write_text(self._config)
        with (self._folder / "log").open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                PROGRAM,
                "-c",
                str(self._folder / "config"),
                "-a",
                "127.0.0.1",
                "-p",
                str(self.port),
                *self._words,
                stdout=log,
                stderr=log,
            )
        async with asyncio.timeout(20):
            while True:
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                except OSError:
                    await asyncio.sleep(0.01)
                else:
                    writer.close()
                    await writer.wait_closed()
                    return

    async def kill(self) -> None:
        assert self.process is not None
        if self.process.returncode is None:
            os.kill(self.process.pid, signal.SIGKILL)
        await self.process.wait()


@asynccontextmanager
async def nats_server(folder: Path, config: str = "", *, keeps: bool = True) -> AsyncIterator[NatsServer]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = NatsServer(folder, port, config, keeps=keeps)
    await server.start()
    try:
        yield server
    finally:
        await server.kill()


@asynccontextmanager
async def connected(server: NatsServer) -> AsyncIterator[Client]:
    client = await nats.connect(server.url, max_reconnect_attempts=-1, reconnect_time_wait=0.05)
    try:
        yield client
    finally:
        await client.close()
