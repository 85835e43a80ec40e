"""Disturbances of a server: its process is killed, or its connections are cut in the middle of a message."""

import asyncio
import os
import random
import re
import signal
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from put_runtime.child_process import PUT_SERVER, ChildProcess, port_in
from put_server.admin.admin_calls import AskUpgrade, CallDone
from put_server.admin.admin_client import CallFailed, NobodyAnswers, ask

UPGRADE_S = 120
"""For a successor to be ready, on a machine that does much else."""


def free_port() -> int:
    """A port nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class ServerProcess:
    """A real server, which can be killed and started again on the same port and data."""

    def __init__(self, data: Path, seed: int, *, drain_seconds: int = 0) -> None:
        self.port = free_port()
        self._command = [*PUT_SERVER, "--host", "127.0.0.1", "--port", str(self.port), "--exempt", "127.0.0.1"]
        self._command += ["--data", str(data), "--seed", str(seed), "--log-level", "warning"]
        self._command += ["--keep-exhibitions", "yes"]
        self._command += ["--drain-seconds", str(drain_seconds)]
        self._door = data / "admin.sock"
        self._process: ChildProcess
        self._successor: int | None = None
        """Process id of the last that took over; it is nobody's child."""

    async def start(self) -> None:
        """Start it; returns when it listens."""
        self._process = await ChildProcess.start(self._command, stdin=None, stderr=None)
        said = (await self._process.stdout.readline()).decode()
        assert port_in(said) == self.port, f"the server did not start: {said or 'it said why on stderr'}"

    async def kill(self) -> None:
        """End it by SIGKILL, about which it can do nothing."""
        if self._successor is not None:
            with suppress(ProcessLookupError):
                os.kill(self._successor, signal.SIGKILL)
                await _gone(self._successor)
            self._successor = None
        self._process.kill()
        await self._process.wait()

    async def stop(self) -> None:
        """End it by SIGTERM, in good order."""
        if self._successor is not None:
            os.kill(self._successor, signal.SIGTERM)
            await _gone(self._successor)
            self._successor = None
        else:
            self._process.terminate()
        assert await self._process.wait() == 0

    async def upgrade(self) -> None:
        """Have another process take over; returns when it is ready and the one before it is about to end."""
        says = ""
        while not says:
            try:
                says = (await asyncio.to_thread(ask, self._door, AskUpgrade(), CallDone, UPGRADE_S)).says
            except (NobodyAnswers, CallFailed) as error:  # the one before has just begun, or its predecessor ends
                if isinstance(error, CallFailed) and "stopping already" not in str(error):
                    raise
        process = re.fullmatch(r"process (\d+) takes over", says)
        assert process is not None
        self._successor = int(process[1])


async def _gone(process: int) -> None:
    """Wait for the end of a process that is not ours."""
    try:
        handle = os.pidfd_open(process)
    except ProcessLookupError:
        return
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_reader(handle, ended.set)
    try:
        await ended.wait()
    finally:
        loop.remove_reader(handle)
        os.close(handle)


PIECES = (1, 7, 100, 4096)
"""Bytes that a proxy passes on at a time, so that a cut falls anywhere in a message."""


class CuttableProxy:
    """A proxy whose connections can be cut: what is on its way is lost, mostly in the middle of a message. Or they
    stall: nothing is lost, and nothing comes."""

    def __init__(self, to: int | Callable[[], int], rng: random.Random, *, pieces: Sequence[int] = PIECES) -> None:
        """`to`: the port, or what chooses one for each connection."""
        self._to = to
        self._rng = rng
        self._pieces = pieces
        self._connections: set[asyncio.Task[None]] = set()
        self._is_down = False
        self._flows = asyncio.Event()
        self._flows.set()
        self._server: asyncio.Server

    async def start(self) -> int:
        """Start it; returns the port to connect to."""
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    def cut(self) -> None:
        """Cut every connection; new ones are cut, too, until `restore`."""
        self._is_down = True
        for connection in self._connections:
            connection.cancel()

    def stall(self) -> None:
        """Pass nothing on until `restore`."""
        self._flows.clear()

    def restore(self) -> None:
        self._is_down = False
        self._flows.set()

    async def stop(self) -> None:
        self.cut()
        self._server.close()
        await asyncio.gather(*self._connections, return_exceptions=True)
        await self._server.wait_closed()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = asyncio.current_task()
        assert connection is not None
        if self._is_down:
            writer.transport.abort()
            return
        self._connections.add(connection)
        far: asyncio.StreamWriter | None = None
        try:
            back, far = await asyncio.open_connection(
                "127.0.0.1", self._to if isinstance(self._to, int) else self._to()
            )
            async with asyncio.TaskGroup() as both:
                both.create_task(self._pass(reader, far))
                both.create_task(self._pass(back, writer))
        except* (OSError, asyncio.CancelledError):
            pass
        finally:
            self._connections.discard(connection)
            for end in (writer, far):
                if end is not None:
                    end.transport.abort()

    async def _pass(self, source: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
        """In pieces of any length, so that a cut falls anywhere."""
        while data := await source.read(self._rng.choice(self._pieces)):
            await self._flows.wait()
            to.write(data)
            await to.drain()
        raise ConnectionResetError
