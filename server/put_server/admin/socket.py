"""Admin socket: a Unix socket that takes one line and answers with one line, for users who may open it. On systems
without Unix sockets, such as Windows, it is a local TCP port, for users who may read its key (see `loopback`).

Invariant: the server survives any input. Lines, the duration of a connection, and the number of connections are
limited. The file system controls access: only its owner may use the socket, or read the key.
"""

import asyncio
import logging
import os
import socket
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from put_server.admin.admin_calls import LINE_BYTES, Answer, Call, CallDeclined
from put_server.admin.audit import user_of
from put_server.admin.loopback import LoopbackKey, connect, listen, read_key

log = logging.getLogger(__name__)

PATH_BYTES = 107
"""The longest path of a Unix socket on Linux: `sun_path` has 108 bytes, including the terminator."""

CONNECTION_SECONDS = 5
"""Time limit of one line and its answer: a program writes the line at once, a person with `nc` pastes it."""

PROBE_SECONDS = 5
"""Time limit for connecting to the port of a key. Windows takes two seconds to report that no server is there."""

HAS_UNIX_SOCKETS = hasattr(socket, "AF_UNIX")

MOST_CONNECTIONS = 16
"""An operator, their monitoring, and a mistake or two. One more ends the oldest that has not called: every user of the
machine may connect to a port, and be silent."""

_encode = msgspec.json.Encoder().encode
_decode: Callable[[bytes], Call] = msgspec.json.Decoder(Call).decode


class NoAdminSocket(Exception):
    """The socket cannot be opened; the sentence says why."""


class AdminSocket:
    def __init__(
        self,
        path: Path,
        answer: Callable[[Call], Awaitable[Answer]],
        *,
        by_tcp: bool = False,
        note: Callable[[Call, Answer, int | None], None] = lambda *_: None,
    ) -> None:
        """`answer` has its own time limit. `by_tcp`: use a port and a key, not a Unix socket. `note` is called with
        each answered call, and its user."""
        self._path = path
        self._by_tcp = by_tcp
        self._key: LoopbackKey | None = None
        self._answer = answer
        self._note = note
        self._socket: socket.socket | None = None
        self._listener: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._silent: dict[asyncio.StreamWriter, None] = {}
        """Connections without a call yet, the oldest first."""

    def open(self) -> None:
        """Listen; connections wait until they are served. Files of a killed server are replaced.

        :raises NoAdminSocket: another server listens there, or the system refuses.
        """
        try:
            _clear(self._path)
            if self._by_tcp:
                if self._path.exists():
                    raise NoAdminSocket(f"{self._path} exists, and is not the key of an admin socket")
                self._socket, self._key = listen(self._path, MOST_CONNECTIONS)
            else:
                self._socket = _listen_by_path(self._path)
        except OSError as error:
            raise NoAdminSocket(f"{self._path}: {error.strerror}") from None

    async def serve(self, tasks: asyncio.TaskGroup) -> None:
        assert self._socket is not None

        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self._writers.add(writer)
            self._silent[writer] = None
            if len(self._writers) > MOST_CONNECTIONS:
                oldest = next(iter(self._silent))
                self._forget(oldest)
                oldest.transport.abort()
            if writer in self._writers:
                tasks.create_task(self._serve_one(reader, writer))

        if self._by_tcp:
            self._listener = await asyncio.start_server(accept, sock=self._socket, limit=LINE_BYTES)
        elif sys.platform != "win32":  # which has none
            self._listener = await asyncio.start_unix_server(accept, sock=self._socket, limit=LINE_BYTES)

    async def _serve_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(CONNECTION_SECONDS):
                call = await self._read_call(reader)
            self._silent.pop(writer, None)
            answer: Answer | None
            if isinstance(call, Call):
                answer = await self._answer(call)
                uid = user_of(writer.get_extra_info("socket"))
                with suppress(TimeoutError):  # the disk, or the system's list of users, may be slow
                    async with asyncio.timeout(CONNECTION_SECONDS):
                        await asyncio.to_thread(self._note, call, answer, uid)
            else:
                answer = call
            async with asyncio.timeout(CONNECTION_SECONDS):
                if answer is not None:
                    writer.write(_encode(answer) + b"\n")
                writer.close()
                await writer.wait_closed()
        except (TimeoutError, OSError):
            pass  # the peer did not write, or did not read
        except Exception:  # the boundary: a bug while serving a peer ends only this connection
            log.exception("a call at the admin socket could not be answered")
        finally:
            writer.transport.abort()
            self._forget(writer)

    def _forget(self, writer: asyncio.StreamWriter) -> None:
        self._writers.discard(writer)
        self._silent.pop(writer, None)

    async def _read_call(self, reader: asyncio.StreamReader) -> Call | CallDeclined | None:
        """The next call; None: no call, or the connection did not send the key."""
        try:
            if self._key is not None and not self._key.opens(await reader.readline()):
                return None
            line = await reader.readline()
        except ValueError:  # raised by asyncio: the line is longer than the limit
            return CallDeclined(f"a line may have {LINE_BYTES} bytes")
        if not line:
            return None
        try:
            return _decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            return CallDeclined(f"this is not a call: {error}")

    def close(self) -> None:
        """Stop listening, and end every connection after its current answer, which may be to the call that ends the
        server. May be called again."""
        if self._socket is None:
            return
        if self._listener is not None:
            self._listener.close()
        self._socket.close()
        self._socket = None
        self._path.unlink(missing_ok=True)
        for writer in self._silent:
            writer.transport.abort()


def _listen_by_path(path: Path) -> socket.socket:
    """:raises NoAdminSocket: the path is too long, or the system has no Unix sockets. :raises OSError: it cannot be
    bound."""
    if not hasattr(socket, "AF_UNIX"):
        raise NoAdminSocket("this system has no Unix sockets: --admin-by tcp")
    if len(os.fsencode(path)) > PATH_BYTES:
        raise NoAdminSocket(f"{path} is longer than the {PATH_BYTES} bytes a socket's path may have")
    admin_socket = socket.socket(socket.AF_UNIX)
    try:
        admin_socket.bind(os.fspath(path))
        path.chmod(0o600)  # early enough: no connection comes before it listens
        admin_socket.listen(MOST_CONNECTIONS)
    except BaseException:
        admin_socket.close()
        raise
    return admin_socket


def _clear(path: Path) -> None:
    """Remove a socket without a listener, or its key.

    :raises NoAdminSocket: the socket has a listener.
    """
    if (key := read_key(path)) is not None:
        try:
            connect(key, PROBE_SECONDS).close()
        except ConnectionRefusedError:
            path.unlink(missing_ok=True)
            return
        except OSError:
            pass  # it is too busy to say
        raise NoAdminSocket(f"another server listens at {path}")
    if not path.is_socket() or not hasattr(socket, "AF_UNIX"):
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
