"""Admin socket: a Unix socket that takes one line and answers with one, for whoever may open it.

Invariant: whatever comes through it, the server goes on. A line is bounded, a connection is over in a few seconds, and
only so many are open at once. The file system decides who may connect: the socket is its owner's alone.
"""

import asyncio
import logging
import os
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec

from put_server.admin.calls import LINE_BYTES, Answer, Call, Declined

log = logging.getLogger(__name__)

PATH_BYTES = 107
"""The longest path of a Unix socket on Linux: `sun_path` has 108 bytes, one of them for the end."""

CONNECTION_SECONDS = 5
"""For one line and its answer: a program writes it at once, a person with `nc` pastes it."""

MOST_CONNECTIONS = 16
"""An operator, their monitoring, and a mistake or two."""

_encode = msgspec.json.Encoder().encode
_decode: Callable[[bytes], Call] = msgspec.json.Decoder(Call).decode


class NoAdminSocket(Exception):
    """The socket cannot be had; the sentence says why."""


class AdminSocket:
    """The socket, once `open`, and its connections, once it is served."""

    def __init__(self, path: Path, answer: Callable[[Call], Awaitable[Answer]]) -> None:
        """`answer` ends by itself in a time that suits the call."""
        self._path = path
        self._answer = answer
        self._socket: socket.socket | None = None
        self._listener: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()

    def open(self) -> None:
        """Listen; what comes waits until it is served. The socket that a killed server left behind is replaced.

        :raises NoAdminSocket: another server listens there, or the system will not have it.
        """
        if len(os.fsencode(self._path)) > PATH_BYTES:
            raise NoAdminSocket(f"{self._path} is longer than the {PATH_BYTES} bytes a socket's path may have")
        admin_socket = socket.socket(socket.AF_UNIX)
        try:
            _clear(self._path)
            admin_socket.bind(os.fspath(self._path))
            self._path.chmod(0o600)  # in time, for nobody can connect before it listens
            admin_socket.listen(MOST_CONNECTIONS)
        except (OSError, NoAdminSocket) as error:
            admin_socket.close()
            raise (
                error if isinstance(error, NoAdminSocket) else NoAdminSocket(f"{self._path}: {error.strerror}")
            ) from None
        self._socket = admin_socket

    async def serve(self, tasks: asyncio.TaskGroup) -> None:
        """Answer whoever connects, in tasks of this group, until closed."""
        assert self._socket is not None

        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if len(self._writers) >= MOST_CONNECTIONS:
                writer.transport.abort()
            else:
                self._writers.add(writer)
                tasks.create_task(self._serve_one(reader, writer))

        self._listener = await asyncio.start_unix_server(accept, sock=self._socket, limit=LINE_BYTES)

    async def _serve_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(CONNECTION_SECONDS):
                call = await self._read_call(reader)
            answer = await self._answer(call) if isinstance(call, Call) else call
            async with asyncio.timeout(CONNECTION_SECONDS):
                if answer is not None:
                    writer.write(_encode(answer) + b"\n")
                writer.close()
                await writer.wait_closed()
        except (TimeoutError, OSError):
            pass  # the peer did not write, or did not read
        except Exception:  # the boundary: a bug met on a peer's account ends that connection alone
            log.exception("a call at the admin socket could not be answered")
        finally:
            writer.transport.abort()
            self._writers.discard(writer)

    async def _read_call(self, reader: asyncio.StreamReader) -> Call | Declined | None:
        """The call that comes; None: none came."""
        try:
            line = await reader.readline()
        except ValueError:  # asyncio's, for a line beyond the limit
            return Declined(f"a line may have {LINE_BYTES} bytes")
        if not line:
            return None
        try:
            return _decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return Declined(f"this is no call: {error}")

    def close(self) -> None:
        """Listen no more, and end every connection; may be called again."""
        if self._socket is None:
            return
        if self._listener is not None:
            self._listener.close()
        self._socket.close()
        self._socket = None
        self._path.unlink(missing_ok=True)
        for writer in self._writers:
            writer.transport.abort()


def _clear(path: Path) -> None:
    """Take away a socket at which nobody listens.

    :raises NoAdminSocket: somebody does.
    """
    if not path.is_socket():
        return  # no file at all, or one that is not ours to remove and cannot be bound
    with socket.socket(socket.AF_UNIX) as probe:
        probe.setblocking(False)  # a connection is made at once or, where the server is busy, refused as such
        try:
            probe.connect(os.fspath(path))
        except ConnectionRefusedError:
            path.unlink()
            return
        except BlockingIOError:
            pass
    raise NoAdminSocket(f"another server listens at {path}")
