"""What may befall a server and its lines: the process killed, connections cut in the middle of a message."""

import asyncio
import random
import signal
import socket
from pathlib import Path

from put_runtime.child_process import PUT_SERVER, ChildProcess, port_in


def free_port() -> int:
    """A port nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Process:
    """A real server, which can be killed and started again on the same port and data."""

    def __init__(self, data: Path, seed: int) -> None:
        self.port = free_port()
        self._command = [*PUT_SERVER, "--host", "127.0.0.1", "--port", str(self.port)]
        self._command += ["--data", str(data), "--seed", str(seed), "--log-level", "warning", "--drain-seconds", "0"]
        self._process: ChildProcess

    async def start(self) -> None:
        """Returns when it listens."""
        self._process = await ChildProcess.start(self._command, stdin=None, stderr=None)
        said = (await self._process.stdout.readline()).decode()
        assert port_in(said) == self.port, f"the server did not start: {said or 'it said why on stderr'}"

    async def kill(self) -> None:
        """By SIGKILL: it can do nothing about it."""
        self._process.signal(signal.SIGKILL)
        await self._process.wait()

    async def stop(self) -> None:
        """In good order."""
        self._process.signal(signal.SIGTERM)
        assert await self._process.wait() == 0


class Cable:
    """A line to a server that can be cut: whatever is under way is lost, mostly in the middle of a message."""

    def __init__(self, to: int, dice: random.Random) -> None:
        self._to = to
        self._dice = dice
        self._lines: set[asyncio.Task[None]] = set()
        self._is_down = False
        self._server: asyncio.Server

    async def start(self) -> int:
        """The port to connect to."""
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    def cut(self) -> None:
        """Every line, at once; new ones break, too, until `heal`."""
        self._is_down = True
        for line in self._lines:
            line.cancel()

    def heal(self) -> None:
        self._is_down = False

    async def stop(self) -> None:
        self.cut()
        self._server.close()
        await asyncio.gather(*self._lines, return_exceptions=True)
        await self._server.wait_closed()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = asyncio.current_task()
        assert line is not None
        if self._is_down:
            writer.transport.abort()
            return
        self._lines.add(line)
        far: asyncio.StreamWriter | None = None
        try:
            back, far = await asyncio.open_connection("127.0.0.1", self._to)
            async with asyncio.TaskGroup() as both:
                both.create_task(self._pass(reader, far))
                both.create_task(self._pass(back, writer))
        except* (OSError, asyncio.CancelledError):
            pass
        finally:
            self._lines.discard(line)
            for end in (writer, far):
                if end is not None:
                    end.transport.abort()

    async def _pass(self, source: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
        """In pieces of any length, so that a cut falls anywhere."""
        while data := await source.read(self._dice.choice((1, 7, 100, 4096))):
            to.write(data)
            await to.drain()
        raise ConnectionResetError
