"""Sandbox of a bot's process: what it can see of this machine, made of Linux namespaces. Also the launcher itself.

    python -I -S sandbox.py '{"hide": [...], "show": [...], "network": false}' PROGRAM ARGUMENT...

In the sandbox the program sees no other process, no shared memory and, unless it needs one, no network. All files are
read-only. `/tmp`, `/var/tmp` and `/dev/shm` are empty and its own, but for the folders to show; and what is to be
hidden is not there. So it cannot look into the arena, the server or another bot, nor tell anything to its own copy
at another table.

The launcher makes user, mount, PID, IPC and network namespaces, which needs no privilege where the system lets users
have them, and gives up every capability before the program starts. There are three processes: the launcher outside, a
first process inside, which a PID namespace needs and which cannot be ended by an ordinary signal, and the program. So
signals and exit statuses are the program's own: the launcher ends as the program ended. When the launcher is killed,
everything inside is.

This file imports nothing but the standard library, and is run by itself: a bot's process should start quickly.
"""

import ctypes
import json
import os
import signal
import struct
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

FAILED = 125
"""Exit status of the launcher where there can be no sandbox."""

PROBE_SECONDS = 10.0

KEPT = frozenset(
    [
        *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TZ", "LANG", "LANGUAGE", "TERM", "TMPDIR"),
        *("LD_LIBRARY_PATH", "VIRTUAL_ENV", "CONDA_PREFIX"),
    ]
)
KEPT_BEGINNINGS = ("LC_", "PYTHON", "CUDA_", "OMP_", "OPENBLAS_", "MKL_", "NODE_", "JAVA_", "COVERAGE_")
"""Variables that programs need to run at all. Others may be secrets of the user's, as keys to services are."""

_PRIVATE = ("/tmp", "/var/tmp", "/dev/shm")  # each is replaced by an empty one

_CLONE_NEWNS, _CLONE_NEWIPC, _CLONE_NEWUSER, _CLONE_NEWPID, _CLONE_NEWNET = (
    0x00020000,
    0x08000000,
    0x10000000,
    0x20000000,
    0x40000000,
)
_MS_RDONLY, _MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_BIND, _MS_REC, _MS_PRIVATE = 1, 2, 4, 8, 4096, 16384, 1 << 18
_AT_FDCWD, _AT_RECURSIVE, _MOUNT_ATTR_RDONLY = -100, 0x8000, 1
_SYS_MOUNT_SETATTR = 442
"""The same number on every architecture."""
_PR_SET_PDEATHSIG, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 1, 24, 38
_LAST_CAPABILITY = 63


def environment(given: Mapping[str, str], also: Iterable[str] = ()) -> dict[str, str]:
    """The variables that a bot gets, of these; `also` names more of them."""
    names = KEPT | {*also}
    return {name: value for name, value in given.items() if name in names or name.startswith(KEPT_BEGINNINGS)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """How bots are started. One that is not `closed` starts programs as they are, with all that you may see."""

    closed: bool = False
    hide: tuple[str, ...] = ()
    """Files and folders that no bot may read: what the arena writes."""
    bots: tuple[str, ...] = ()
    """The files of all bots; each bot may read its own."""
    variables: tuple[str, ...] = ()
    """Of the environment, that bots get beside the usual ones."""

    def words(
        self, program: Sequence[str], *, network: bool = False, show: Iterable[str] = (), hide: Iterable[str] = ()
    ) -> list[str]:
        """The command that starts a program; `show` and `hide` are paths for this one alone."""
        if not self.closed:
            return [*program]
        python = [sys.prefix, sys.base_prefix, *filter(None, sys.path)]
        terms = {"network": network, "show": [*show, *python], "hide": [*self.hide, *hide]}
        return [sys.executable, "-I", "-S", str(Path(__file__).resolve()), json.dumps(terms), *program]

    def environment(self) -> dict[str, str] | None:
        """Of a bot; None: the same as ours."""
        return environment(os.environ, self.variables) if self.closed else None


def why_impossible() -> str:
    """Why this machine gives no sandbox, as a clause; empty: it does."""
    if sys.platform != "linux":
        return "only Linux has namespaces"
    try:
        tried = subprocess.run(
            Sandbox(closed=True).words([sys.executable, "-I", "-S", "-c", ""]),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=PROBE_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        from put_runtime.system_errors import failure_of  # noqa: PLC0415 - the launcher has the standard library alone

        return failure_of(error)
    return "" if tried.returncode == 0 else tried.stderr.strip() or f"the launcher ended with {tried.returncode}"


# --- the launcher ----------------------------------------------------------------------------------------------------

_libc: Any = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def _must_succeed(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def _mount(source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    words = [None if word is None else os.fsencode(word) for word in (source, target, kind)]
    options = None if data is None else data.encode()
    _must_succeed(_libc.mount(*words, ctypes.c_ulong(flags), options), f"mount {target}")


def _make_read_only() -> None:
    """Everything mounted so far."""
    attributes = struct.pack("=QQQQ", _MOUNT_ATTR_RDONLY, 0, 0, 0)
    result = _libc.syscall(
        ctypes.c_long(_SYS_MOUNT_SETATTR),
        ctypes.c_int(_AT_FDCWD),
        b"/",
        ctypes.c_uint(_AT_RECURSIVE),
        attributes,
        ctypes.c_size_t(len(attributes)),
    )
    _must_succeed(result, "mount_setattr")


def _close_off(hide: Iterable[str], show: Iterable[str], *, network: bool) -> None:
    """Make the namespaces, and mount in them what the program is to see.

    :raises OSError: the system does not let us.
    """
    user, group, folder = os.getuid(), os.getgid(), Path.cwd()
    kinds = _CLONE_NEWUSER | _CLONE_NEWNS | _CLONE_NEWPID | _CLONE_NEWIPC
    _must_succeed(_libc.unshare(kinds | (0 if network else _CLONE_NEWNET)), "unshare")
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    _mount("none", "/", None, _MS_REC | _MS_PRIVATE)
    _make_read_only()
    hidden = [path for path in map(os.path.realpath, hide) if os.path.exists(path)]  # noqa: PTH110  # both are text
    shown = [folder, *(Path(path).resolve() for path in show)]
    for private in map(os.path.realpath, _PRIVATE):
        if Path(private).is_dir() and not any(path == Path(private) for path in shown):
            _empty(private, [path for path in shown if path.is_relative_to(private) and path.exists()])
    for path in hidden:
        if os.path.isdir(path):  # noqa: PTH112
            _mount("tmpfs", path, "tmpfs", _MS_RDONLY | _MS_NOSUID | _MS_NODEV, "size=4k")
        elif os.path.exists(path):  # noqa: PTH110
            _mount("/dev/null", path, None, _MS_BIND)
    os.chdir(folder)


def _empty(private: str, shown: Sequence[Path]) -> None:
    """Mount an empty folder there, and in it what is to be shown of the former one."""
    held = {path: os.open(path, os.O_PATH) for path in shown}
    _mount("tmpfs", private, "tmpfs", _MS_NOSUID | _MS_NODEV, "mode=1777")
    for path, descriptor in sorted(held.items()):
        path.mkdir(parents=True, exist_ok=True)
        _mount(f"/proc/self/fd/{descriptor}", str(path), None, _MS_BIND | _MS_REC)
        os.close(descriptor)


def _renounce() -> None:
    """Give up every capability that the namespaces gave, for good."""
    _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    for capability in range(_LAST_CAPABILITY + 1):
        _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)  # those that do not exist are refused


def _fork_first(program: list[str]) -> int:
    """Start the first process inside, and wait for its end. Returns the exit code of the program; of a signal,
    below 0."""
    reading, writing = os.pipe()
    first = os.fork()
    if first:
        os.close(writing)
        os.waitpid(first, 0)
        said = os.read(reading, 4)
        return struct.unpack("i", said)[0] if len(said) == 4 else -signal.SIGKILL
    os.close(reading)
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    _mount("proc", "/proc", "proc", _MS_NOSUID | _MS_NODEV | _MS_NOEXEC)
    own = os.fork()
    if not own:
        _run(program)
    while True:
        gone, status = os.wait()  # also those that were left to the first process
        if gone == own:
            os.write(writing, struct.pack("i", os.waitstatus_to_exitcode(status)))
            os._exit(0)


def _run(program: list[str]) -> NoReturn:
    for number in _PASSED_BY:
        signal.signal(number, signal.SIG_DFL)
    try:
        _renounce()
        os.execvp(program[0], program)
    except OSError as error:
        print(f"{program[0]} cannot be started: {error.strerror}", file=sys.stderr)
    os._exit(127)


_PASSED_BY = tuple([getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name)])
"""Signals to the process group, which are for the program."""


def main() -> NoReturn:
    """Start the program in a sandbox, and end as it ends."""
    terms, program = json.loads(sys.argv[1]), sys.argv[2:]
    for number in _PASSED_BY:
        signal.signal(number, signal.SIG_IGN)
    try:
        _close_off(terms["hide"], terms["show"], network=terms["network"])
        code = _fork_first(program)
    except OSError as error:
        print(error.strerror or error, file=sys.stderr)
        os._exit(FAILED)
    if code < 0:
        import resource  # noqa: PLC0415  # not every system has it, and the arena imports this file on each

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


if __name__ == "__main__":
    main()
