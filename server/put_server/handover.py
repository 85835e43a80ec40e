"""Hand-over of listening sockets: from systemd to a server, and from a server to its successor.

A server starts its successor with the same command, so in the currently installed version. The successor gets the
listening sockets, which stay open, so connections in between wait in the kernel. It reports that it is ready when only
the journal is missing. Only then the old server says goodbye, commits its queue, and releases the journal, for which
the new one waits. If the new one ends before it is ready, the old server just continues.

Sockets are passed as by systemd: `LISTEN_FDS` descriptors from 3 on, for the process `LISTEN_PID`.
"""

import asyncio
import os
import signal
import socket
import stat
import sys
from collections.abc import Mapping, MutableMapping, Sequence
from contextlib import suppress

from put_server.settings import FROM_INPUT, READY_SECONDS

FIRST = 3
"""The first descriptor behind input, output and errors."""

READY = "PUT_READY_FD"
"""Environment variable with the descriptor on which a successor reports that it is ready."""

ONCE = "--accept-loss"
"""A flag that applies to one start only."""

POSIX_ONLY = (
    "this system cannot pass listening sockets on, as Linux and macOS can: stop the server and start the new one; "
    "seats are kept"
)

WAIT_SECONDS = 60
"""Time for which a successor waits for the journal. Goodbyes and the last commit take less than a second."""


class BadSockets(Exception):
    """Inherited file descriptors are not listening sockets; the sentence says why."""


class NotReady(Exception):
    """The next server cannot take over; the sentence says why. This one continues."""


def inherited(environment: MutableMapping[str, str]) -> list[socket.socket]:
    """The listening sockets passed to this process, if any. They are removed from the environment.

    :raises BadSockets: they are unusable.
    """
    count = environment.pop("LISTEN_FDS", "")
    addressee = environment.pop("LISTEN_PID", "")
    environment.pop("LISTEN_FDNAMES", None)
    if not count or (addressee and addressee != str(os.getpid())):
        return []
    if not count.isdecimal():
        raise BadSockets(f"LISTEN_FDS is {count!r}, which is not a number")
    return [_listening(descriptor) for descriptor in range(FIRST, FIRST + int(count))]


def _listening(descriptor: int) -> socket.socket:
    try:
        if not stat.S_ISSOCK(os.fstat(descriptor).st_mode):
            raise BadSockets(f"descriptor {descriptor}, which was passed as a listening socket, is not a socket")
        os.set_inheritable(descriptor, False)
        found = socket.socket(fileno=descriptor)
    except OSError as error:
        raise BadSockets(f"descriptor {descriptor} cannot be listened on: {error.strerror}") from None
    if found.family not in (socket.AF_INET, socket.AF_INET6) or not found.getsockopt(
        socket.SOL_SOCKET, socket.SO_ACCEPTCONN
    ):
        found.detach()
        raise BadSockets(f"descriptor {descriptor} is not a listening TCP socket")
    found.setblocking(False)
    return found


def say_ready(environment: MutableMapping[str, str]) -> None:
    """Tell the server that started this process that it may end; no effect in other processes."""
    descriptor = environment.pop(READY, "")
    if descriptor.isdecimal():
        with suppress(OSError):
            os.write(int(descriptor), b"1")
            os.close(int(descriptor))


async def start_successor(sockets: Sequence[socket.socket], environment: Mapping[str, str]) -> int:
    """Start this program again with these sockets. Returns its process id when it is ready.

    :raises NotReady: it cannot be started, ended early, or took too long; or the system cannot pass sockets.
    """
    if not hasattr(os, "posix_spawn"):
        raise NotReady(POSIX_ONLY)
    if any(word == FROM_INPUT or word.endswith(f"={FROM_INPUT}") for word in sys.orig_argv):
        raise NotReady("the seed came by standard input, so the next server would not have it")
    reading, writing = os.pipe()
    try:
        try:
            process = _spawn([*[one.fileno() for one in sockets], writing], environment)
        finally:
            os.close(writing)
        try:
            async with asyncio.timeout(READY_SECONDS):
                is_ready = await asyncio.to_thread(os.read, reading, 1)  # until the process ends, at the latest
        except BaseException as error:
            await _end(process)
            if isinstance(error, TimeoutError):
                raise NotReady(f"the next server was not ready within {READY_SECONDS} seconds") from None
            raise
        if not is_ready:
            await _end(process)
            raise NotReady("the next server ended before it was ready; it has said why on standard error")
        return process
    except OSError as error:
        raise NotReady(f"the next server cannot be started: {error.strerror}") from None
    finally:
        os.close(reading)


def _spawn(descriptors: Sequence[int], environment: Mapping[str, str]) -> int:
    """The last descriptor is for the ready message."""
    if sys.platform == "win32":
        raise NotReady(POSIX_ONLY)
    else:  # noqa: RET506  # what follows is unreachable to type checkers on Windows
        import fcntl  # noqa: PLC0415  # POSIX only

        beyond = FIRST + len(descriptors)
        copies = [fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, beyond) for descriptor in descriptors]
        try:
            given = {name: value for name, value in environment.items() if name != "LISTEN_PID"}
            given["LISTEN_FDS"] = str(len(descriptors) - 1)
            given[READY] = str(beyond - 1)
            words = [word for word in sys.orig_argv[1:] if word != ONCE]
            places = [(os.POSIX_SPAWN_DUP2, copy, place) for place, copy in enumerate(copies, FIRST)]
            return os.posix_spawn(sys.executable, [sys.executable, *words], given, file_actions=places)
        finally:
            for one in copies:
                os.close(one)


async def _end(process: int) -> None:
    if sys.platform != "win32":  # where none is started
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    await asyncio.to_thread(os.waitpid, process, 0)


def tell_systemd(environment: Mapping[str, str], *news: str) -> None:
    """Tell the service manager, if there is one: `READY=1`, `MAINPID=...`."""
    where = environment.get("NOTIFY_SOCKET", "")
    if not where or not hasattr(socket, "AF_UNIX"):
        return
    address = "\0" + where[1:] if where.startswith("@") else where
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
        notified.settimeout(1)
        notified.sendto("\n".join(news).encode(), address)
