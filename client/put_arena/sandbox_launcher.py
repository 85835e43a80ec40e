"""Launcher of a bot's process in a sandbox made of Linux namespaces: `put_arena.sandbox` says what it shuts off.

    python -I -S sandbox_launcher.py network|apart COUNT HIDDEN... COUNT SHOWN... PROGRAM ARGUMENT...

It makes user, mount, PID, IPC and network namespaces, which needs no privilege where the system lets users have them,
and gives up every capability before the program starts. There are three processes: the launcher outside, a first
process inside, which a PID namespace needs and which cannot be ended by an ordinary signal, and the program. So signals
and exit statuses are the program's own: the launcher ends as the program ended. When the launcher is killed, everything
inside is.

Every start of a bot waits for this file, so it imports little, and of the standard library alone: with `json`,
`pathlib`, `dataclasses` and `subprocess` it would take three times as long to start.
"""

from __future__ import annotations

import ctypes
import os
import signal
import struct
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, NoReturn

FAILED = 125
"""Exit status where there can be no sandbox."""

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

_libc: Any = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def _must_succeed(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def _mount(source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    words = [None if word is None else os.fsencode(word) for word in (source, target, kind)]
    options = None if data is None else data.encode()
    _must_succeed(_libc.mount(*words, ctypes.c_ulong(flags), options), f"mount {target}")


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


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
    user, group, folder = os.getuid(), os.getgid(), os.getcwd()
    kinds = _CLONE_NEWUSER | _CLONE_NEWNS | _CLONE_NEWPID | _CLONE_NEWIPC
    _must_succeed(_libc.unshare(kinds | (0 if network else _CLONE_NEWNET)), "unshare")
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{user} {user} 1")
    _write("/proc/self/gid_map", f"{group} {group} 1")
    _mount("none", "/", None, _MS_REC | _MS_PRIVATE)
    _make_read_only()
    hidden = [path for path in map(os.path.realpath, hide) if os.path.exists(path)]
    shown = [folder, *map(os.path.realpath, show)]
    for private in map(os.path.realpath, _PRIVATE):
        if os.path.isdir(private) and private not in shown:
            _empty(private, [path for path in shown if path.startswith(f"{private}/") and os.path.exists(path)])
    for path in hidden:
        if os.path.isdir(path):
            _mount("tmpfs", path, "tmpfs", _MS_RDONLY | _MS_NOSUID | _MS_NODEV, "size=4k")
        elif os.path.exists(path):
            _mount("/dev/null", path, None, _MS_BIND)
    os.chdir(folder)


def _empty(private: str, shown: Iterable[str]) -> None:
    """Mount an empty folder there, and in it what is to be shown of the former one."""
    held = {path: os.open(path, os.O_PATH) for path in shown}
    _mount("tmpfs", private, "tmpfs", _MS_NOSUID | _MS_NODEV, "mode=1777")
    for path, descriptor in sorted(held.items()):
        os.makedirs(path, exist_ok=True)
        _mount(f"/proc/self/fd/{descriptor}", path, None, _MS_BIND | _MS_REC)
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


def _counted(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """As many words as the first says, and the rest."""
    end = 1 + int(words[0])
    return [*words[1:end]], [*words[end:]]


def main() -> NoReturn:
    """Start the program in a sandbox, and end as it ends."""
    network, *words = sys.argv[1:]
    hide, words = _counted(words)
    show, program = _counted(words)
    for number in _PASSED_BY:
        signal.signal(number, signal.SIG_IGN)
    try:
        _close_off(hide, show, network=network == "network")
        code = _fork_first(program)
    except OSError as error:
        print(error.strerror or error, file=sys.stderr)
        os._exit(FAILED)
    if code < 0:
        import resource  # noqa: PLC0415  # only here is it needed

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


if __name__ == "__main__":
    main()
