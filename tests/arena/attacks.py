"""Attacks on what is outside of a process, one after another; prints those that succeed, as JSON.

python attacks.py '{"pid": ..., "path": ..., "name": ..., "port": ..., "key": ..., "note": ..., ...}'
"""

import ctypes
import fcntl
import json
import mmap
import os
import platform
import signal
import socket
import sys
import termios
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

LIBC = ctypes.CDLL(None, use_errno=True)
OWN = Path(__file__)
"""A file that every copy can read."""
NEW_USER = 0x10000000
OFD_SETLK, NOTIFY = 37, 1026


def must(result: int) -> None:
    """:raises OSError: the call failed."""
    if result < 0:
        raise OSError(ctypes.get_errno(), "")


def stream(family: int, address: Any) -> None:
    with socket.socket(family, socket.SOCK_STREAM) as peer:
        peer.connect(address)


def cloned() -> None:
    found = LIBC.syscall(56, NEW_USER | 17, 0, 0, 0, 0)  # 17 is SIGCHLD
    if found == 0:
        os._exit(0)
    must(found)
    os.waitpid(found, 0)


def pages() -> None:
    with OWN.open("rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as mapped:
        mapped.madvise(21)  # MADV_PAGEOUT


def no_wait() -> None:
    with OWN.open("rb") as file:
        os.preadv(file.fileno(), [bytearray(10)], 0, os.RWF_NOWAIT)


def attacks(there: dict[str, Any]) -> Iterator[tuple[str, Callable[[], object]]]:
    """Each with its name; one that raises has failed."""
    file = OWN.open("rb")
    lock = b"\0" * 64
    yield "flock", lambda: fcntl.flock(file, fcntl.LOCK_SH)
    yield "lock", lambda: fcntl.lockf(file, fcntl.LOCK_SH, 1)
    yield "lock of a file description", lambda: fcntl.fcntl(file, OFD_SETLK, lock)
    yield "lease", lambda: fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    yield "watched folder", lambda: fcntl.fcntl(os.open(OWN.parent, os.O_RDONLY), NOTIFY, 1)
    yield "inotify", lambda: must(LIBC.inotify_init())
    yield "page cache: advice", lambda: os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    yield "page cache: pages out", pages
    yield "page cache: asked", no_wait
    yield "page cache: counted", lambda: must(LIBC.syscall(451, file.fileno(), bytes(16), bytes(40), 0))
    yield "vsock", lambda: socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)
    yield "crypto socket", lambda: socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET)
    yield "socket by path", lambda: stream(socket.AF_UNIX, there["path"])
    yield "socket by name", lambda: stream(socket.AF_UNIX, "\0" + there["name"])
    yield "network", lambda: stream(socket.AF_INET, ("127.0.0.1", there["port"]))
    yield "message queue", lambda: must(LIBC.msgget(there["key"], 0))
    yield "shared memory", lambda: must(LIBC.shmget(there["key"], 1, 0o1600))
    yield "nameless file", lambda: os.memfd_create("x")
    yield "note", lambda: Path(there["note"]).read_text()
    yield "signal", lambda: os.kill(there["pid"], 0)
    yield "process", lambda: Path(f"/proc/{there['pid']}").stat()
    yield "terminal", lambda: os.open("/dev/tty", os.O_RDWR)
    yield "terminal by number", lambda: os.open(there["terminal"], os.O_RDWR)
    yield "new terminal", lambda: os.open("/dev/ptmx", os.O_RDWR)
    yield "typed into a terminal", lambda: fcntl.ioctl(2, termios.TIOCSTI, b"x")
    yield "namespace", lambda: must(LIBC.unshare(NEW_USER))
    if platform.machine() == "x86_64":
        yield "namespace of a child", cloned
        yield "keyring", lambda: must(LIBC.syscall(248, b"user", b"put", b"x", 1, -3))  # the session's
    yield "uring", lambda: must(LIBC.syscall(425, 1, bytes(120)))
    yield "unmounting", lambda: must(LIBC.umount2(b"/tmp", 2))
    for folder in map(Path, there["folders"]):
        yield f"file in {folder}", partial((folder / there["name"]).touch)
    yield "home", lambda: [path.name for path in Path(there["home"]).iterdir()].index(".profile")


def main() -> None:
    signal.signal(signal.SIGIO, signal.SIG_IGN)  # a lease or a watched folder sends it, and it would end this process
    there = json.loads(sys.argv[1])
    done = []
    for name, attack in attacks(there):
        try:
            attack()
            done.append(name)
        except (OSError, ValueError):
            continue
    print(json.dumps({"done": done, "devices": sorted([path.name for path in Path("/dev").iterdir()])}))


if __name__ == "__main__":
    main()
