"""Sandbox of a bot's process, made by bubblewrap (`bwrap`) and the tools of util-linux.

The program gets its own root: the system's programs and libraries, this Python with its packages, and the folder of the
bot. All of it is read-only. `/tmp`, `/var/tmp` and `/dev/shm` are private and empty. The program sees no other process.
It has no network, no capability, and only five devices. Its processes, files and memory are limited.

The kernel's filter (seccomp) refuses three kinds of system calls: those that reach another process without a file or a
network (locks, watched files, keyrings, families of sockets that no namespace shuts off, the state of the page cache);
those that allocate memory that belongs to no process; and those that make namespaces, in which a process would have
capabilities again. Calls newer than this list do not exist for a bot. libseccomp makes the filter: it knows the numbers
of calls on every architecture.

If the arena runs as root, each bot gets its own user, because root has no limits.
"""

import ctypes
import errno
import os
import secrets
import select
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from put_runtime.system_errors import failure_of

PROBE_SECONDS = 10.0

GONE_SECONDS = 5.0
"""Limit for killed processes to end; it takes some milliseconds."""

MEMORY_MB = 2048
"""Limit of each process of a bot, and of all of them together."""

TEMPORARY_MB = 64

PROCESSES = 128
"""Most processes and threads."""

OPEN_FILES = 256
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SETTINGS = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime", "/etc/nsswitch.conf", "/etc/ssl/openssl.cnf")
_DEVICES = ("null", "zero", "full", "random", "urandom")
_TEMPORARY = ("/tmp", "/var/tmp", "/dev/shm")
_SHARED = ("/", "/etc", "/home", "/opt", "/root", "/run", "/srv", "/var", *_TEMPORARY)
"""Folders that are never shown whole. A bot in one of them gets only its own file."""
_FIRST_USER = 0x70000000
"""First number of a bot's user. Systems assign no numbers from here on."""

KEPT = frozenset(
    [
        *("PATH", "USER", "LOGNAME", "SHELL", "TZ", "LANG", "LANGUAGE", "TERM"),
        *("LD_LIBRARY_PATH", "VIRTUAL_ENV", "CONDA_PREFIX", "NODE_PATH", "NODE_OPTIONS", "NODE_ENV"),
    ]
)
KEPT_BEGINNINGS = ("LC_", "PYTHON", "CUDA_", "OMP_", "OPENBLAS_", "MKL_", "JAVA_", "COVERAGE_")
"""Variables that programs need to run at all. Other variables may be secrets of the user, such as keys of services."""


def environment(given: Mapping[str, str], also: Iterable[str] = ()) -> dict[str, str]:
    """The variables that a bot gets; `also` names additional ones."""
    names = KEPT | {*also}
    return {name: value for name, value in given.items() if name in names or name.startswith(KEPT_BEGINNINGS)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """Start of bots. A sandbox that is not `closed` starts programs with all your rights."""

    closed: bool = False
    hide: tuple[str, ...] = ()
    """Files and folders that no bot may read: the output of the arena."""
    show: tuple[str, ...] = ()
    """Folders that every bot may read."""
    bots: tuple[str, ...] = ()
    """The files of all bots; each bot may read its own."""
    more_variables: tuple[str, ...] = ()

    @contextmanager
    def command(
        self, program: Sequence[str], *, show: Iterable[str] = (), hide: Iterable[str] = (), connects: bool = True
    ) -> Iterator[tuple[list[str], tuple[int, ...]]]:
        """The command that starts a program, and the descriptors that must stay open until it has started.

        `show` and `hide` are paths only for this program. `connects`: whether its sockets may be connected.
        """
        if not self.closed:
            yield [*program], ()
            return
        reading, writing = os.pipe()
        with os.fdopen(reading, "rb"):
            with os.fdopen(writing, "wb") as pipe:
                pipe.write(filter_program(connects=connects))
            words = ["bwrap", *_namespaces(), *_root([*self.show, *show], [*self.hide, *hide])]
            yield [*words, "--seccomp", str(reading), "--", *_limits(), *program], (reading,)

    def environment(self) -> dict[str, str] | None:
        """Environment of a bot; None: the same as ours."""
        return environment(os.environ, self.more_variables) if self.closed else None


OPEN = Sandbox()


def _namespaces() -> list[str]:
    words = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--die-with-parent"]
    if os.getuid():
        return [*words, "--unshare-user"]
    return words + [word for name in ("SETUID", "SETGID", "SETPCAP") for word in ("--cap-add", f"CAP_{name}")]


def _root(show: Iterable[str], hide: Iterable[str]) -> list[str]:
    words = ["--proc", "/proc", *_folder(Path("/dev")), *_folder(Path("/etc"))]
    for system in map(Path, _SYSTEM):
        if system.is_symlink():
            words += ["--symlink", str(system.readlink()), str(system)]
        elif system.is_dir():
            words += ["--ro-bind", str(system), str(system)]
    for setting in (*_SETTINGS, *map(str, Path("/etc").glob("java*"))):
        words += ["--ro-bind-try", setting, setting]
    for name in _DEVICES:
        words += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    words += ["--symlink", "/proc/self/fd", "/dev/fd"]
    for temporary in _TEMPORARY:
        words += ["--perms", "1777", "--size", str(TEMPORARY_MB << 20), "--tmpfs", temporary]
    given = [Path(path).absolute() for path in (sys.prefix, sys.base_prefix, *filter(None, sys.path), *show)]
    paths = {path for one in given for path in (one, one.resolve()) if path.exists()}
    shown = sorted([path for path in paths if path.is_file() or not is_shared(path)])
    for path in shown:
        words += [*_folder(path.parent), "--ro-bind", str(path), str(path)]
    if not any(Path.cwd().is_relative_to(path) for path in shown):
        words += _folder(Path.cwd())
    for hidden in [Path(path).resolve() for path in hide]:
        if hidden.exists() and any(hidden.is_relative_to(path) for path in shown):
            is_folder = hidden.is_dir()
            words += ["--tmpfs", str(hidden)] if is_folder else ["--ro-bind", "/dev/null", str(hidden)]
            words += ["--remount-ro", str(hidden)] if is_folder else []
    return [*words, "--remount-ro", "/", "--chdir", str(Path.cwd()), "--setenv", "HOME", "/tmp"]


def _folder(path: Path) -> list[str]:
    """An empty folder that every user may enter, with its parents."""
    folders = [*reversed(path.parents), path][1:]
    return [word for folder in folders for word in ("--perms", "0755", "--dir", str(folder))]


def is_shared(folder: Path) -> bool:
    """The folder has too much in it to show all of it: the home, its parents, and folders of the system."""
    return str(folder) in _SHARED or Path.home().resolve().is_relative_to(folder)


def _limits() -> list[str]:
    """Commands before the program. If memory runs out, the system ends a bot first."""
    words = ["choom", "-n", "1000", "--"]
    if not os.getuid():
        user = _FIRST_USER + secrets.randbelow(1 << 24)
        words += ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--inh-caps=-all"]
        words += ["--bounding-set=-all", "--"]
    words += ["prlimit", "--core=0", f"--nproc={PROCESSES}", f"--nofile={OPEN_FILES}", f"--fsize={TEMPORARY_MB << 20}"]
    return [*words, f"--data={MEMORY_MB << 20}", "--"]


def used_mb(process: int) -> int:
    """Memory used by a process and all its descendants."""
    pages, waiting = 0, [process]
    while waiting:
        one = waiting.pop()
        with suppress(OSError):  # it has gone
            pages += int(Path(f"/proc/{one}/statm").read_text().split()[1])
        waiting += _children(one)
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20


def end_inside(process: int) -> None:
    """End all processes that this `bwrap` has started, and wait for it. They would end after `bwrap`, but a moment
    later."""
    for first in _children(process):
        with suppress(ProcessLookupError):
            descriptor = os.pidfd_open(first)
            try:
                os.kill(first, signal.SIGKILL)
                select.select([descriptor], [], [], GONE_SECONDS)  # it goes after every other process in its namespace
            finally:
                os.close(descriptor)


def _children(process: int) -> list[int]:
    with suppress(OSError):
        tasks = Path(f"/proc/{process}/task").iterdir()
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    return []


def why_impossible() -> str:
    """Reason why this machine has no sandbox, as a clause; empty: it has one."""
    if sys.platform != "linux":
        return "only Linux has namespaces"
    if shutil.which("bwrap") is None:
        return "bwrap is not installed (the package is bubblewrap)"
    try:
        with Sandbox(closed=True).command(["true"]) as (words, descriptors):
            tried = subprocess.run(
                words,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
                timeout=PROBE_SECONDS,
                pass_fds=descriptors,
            )
    except (OSError, subprocess.TimeoutExpired) as error:
        return failure_of(error)
    return "" if tried.returncode == 0 else tried.stderr.strip() or f"bwrap ended with {tried.returncode}"


_NAMES = (
    *("unshare", "setns", "clone3", "open_by_handle_at", "bpf", "perf_event_open", "userfaultfd", "ptrace"),
    *("flock", "inotify_init", "inotify_init1", "fanotify_init", "add_key", "request_key", "keyctl"),
    *("mincore", "fadvise64", "readahead", "preadv2", "pwritev2", "process_madvise"),
    *("io_uring_setup", "io_uring_enter", "io_uring_register", "memfd_create", "memfd_secret", "shmget"),
)
_CONNECT = "connect"
_NEWER = range(451, 600)
"""Numbers from `cachestat` on; they are the same on every architecture."""

_LOCKS = (5, 6, 7, 36, 37, 38, 1024, 1026)
"""Commands of `fcntl` that lock, lease or watch a file."""
_PAGES_OUT = (20, 21)
"""Advice of `madvise` that empties the page cache: MADV_COLD, MADV_PAGEOUT."""
_FAMILIES = (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, 16)  # the last is AF_NETLINK
_MOST_FAMILIES = 64
_CLONE_NEWUSER = 0x10000000

_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_EQUAL, _GREATER, _MASKED = 4, 6, 7
_INT = 0xFFFFFFFF
"""The kernel reads only these bits of an int; the other bits may have any value."""


class _Condition(ctypes.Structure):
    _fields_ = (
        ("argument", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    )


@cache
def filter_program(*, connects: bool) -> bytes:
    """The filter program. `connects`: whether sockets may be connected. An inherited socket could be connected to
    another address.

    :raises OSError: there is no libseccomp.
    """
    library = ctypes.CDLL("libseccomp.so.2")
    library.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(_ALLOW)))

    def refuse(call: str | int, number: int, *conditions: _Condition) -> None:
        found = library.seccomp_syscall_resolve_name(call.encode()) if isinstance(call, str) else call
        given = (_Condition * len(conditions))(*conditions)
        action = ctypes.c_uint32(_ERRNO | number)
        failed = library.seccomp_rule_add_array(context, action, found, ctypes.c_uint(len(conditions)), given)
        if failed:
            raise OSError(-failed, f"libseccomp refuses {call}: {os.strerror(-failed)}")

    try:
        for name in (*_NAMES, *(() if connects else (_CONNECT,))):
            refuse(name, errno.ENOSYS if name == "clone3" else errno.EPERM)  # without it the C library takes clone
        for new in _NEWER:
            refuse(new, errno.ENOSYS)
        refuse("clone", errno.EPERM, _Condition(0, _MASKED, _CLONE_NEWUSER, _CLONE_NEWUSER))
        for command in _LOCKS:
            refuse("fcntl", errno.ENOLCK, _Condition(1, _MASKED, _INT, command))
        for advice in _PAGES_OUT:
            refuse("madvise", errno.EPERM, _Condition(2, _MASKED, _INT, advice))
        for family in range(_MOST_FAMILIES):
            if family not in _FAMILIES:
                refuse("socket", errno.EAFNOSUPPORT, _Condition(0, _EQUAL, family, 0))
        refuse("socket", errno.EAFNOSUPPORT, _Condition(0, _GREATER, _MOST_FAMILIES - 1, 0))
        with os.fdopen(os.memfd_create("filter"), "w+b") as file:
            library.seccomp_export_bpf(context, file.fileno())
            file.seek(0)
            return file.read()
    finally:
        library.seccomp_release(context)
