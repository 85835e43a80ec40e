"""A Python without what Windows lacks, as far as that can be had elsewhere: with this folder on PYTHONPATH modules,
functions and kinds of sockets are missing, and event loops decline.

It is loaded before any program. What the standard library itself needs here, and a library that asks for the system by
its name, is loaded first.
"""

import asyncio
import os
import signal
import socket
import stat
import subprocess
import sys
from functools import partialmethod
from typing import Any, NoReturn

import platformdirs.unix  # noqa: F401  # it would have another part on Windows

MODULES = ("fcntl", "grp", "pwd", "resource", "termios", "tty", "pty", "coincurve")
"""The last has no release for some Pythons."""

FUNCTIONS = (
    *("fork", "forkpty", "killpg", "nice", "posix_spawn", "posix_spawnp", "getuid", "geteuid", "getpgid", "openpty"),
    *("pread", "pwrite", "set_blocking", "setsid", "sysconf", "sched_getaffinity", "getloadavg"),
    *("O_NOFOLLOW", "O_DIRECTORY", "O_CLOEXEC"),
    *(name for name in dir(os) if name.startswith("EX_")),
)

SIGNALS = ("SIGHUP", "SIGKILL", "SIGUSR1", "SIGUSR2", "SIGWINCH", "SIGPIPE", "SIGALRM", "SIGCHLD", "SIGQUIT")


def _declines(*_: object, **__: object) -> NoReturn:
    raise NotImplementedError


def _socketpair(*_: object) -> tuple[socket.socket, socket.socket]:
    """As on Windows: over TCP."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        one = socket.create_connection(listening.getsockname())
        return one, listening.accept()[0]


class SelectorLoop(asyncio.SelectorEventLoop):
    """As on Windows: select() takes sockets and nothing else, and there are no child processes, signals or pipes."""

    add_signal_handler = remove_signal_handler = _declines
    connect_read_pipe = connect_write_pipe = _declines
    create_unix_server = create_unix_connection = _declines
    subprocess_exec = subprocess_shell = _declines

    def add_reader(self, fd: Any, callback: Any, *args: object) -> None:
        if not stat.S_ISSOCK(os.fstat(fd if isinstance(fd, int) else fd.fileno()).st_mode):
            raise NotImplementedError
        super().add_reader(fd, callback, *args)


class DefaultLoop(asyncio.SelectorEventLoop):
    """In the place of Windows' default loop, which has child processes, and readers of nothing."""

    add_signal_handler = remove_signal_handler = _declines
    connect_read_pipe = connect_write_pipe = _declines
    create_unix_server = create_unix_connection = _declines
    add_reader = add_writer = _declines


asyncio.DefaultEventLoopPolicy._loop_factory = DefaultLoop  # type: ignore[attr-defined]  # there is no public way
asyncio.SelectorEventLoop = SelectorLoop

for name in MODULES:
    sys.modules[name] = None  # type: ignore[assignment]  # to import it is an ImportError then
for name in FUNCTIONS:
    if hasattr(os, name):
        delattr(os, name)
subprocess.Popen.kill = partialmethod(subprocess.Popen.send_signal, signal.SIGKILL)  # type: ignore[assignment]
for name in SIGNALS:
    delattr(signal, name)
os.process_cpu_count = os.cpu_count  # type: ignore[attr-defined]  # on Windows they are the same, since Python 3.13
del socket.AF_UNIX
socket.socketpair = _socketpair  # type: ignore[assignment]
