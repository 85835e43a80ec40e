"""Files that only their owner may read, written durably; locks on them, and the folders where they are.

Laws: a file has mode 600 from the moment it is there, and its name is never followed to another place, where the system
has modes and links; on Windows the folders of a user are theirs alone. A file that is replaced has the old content or
the new one, never a part of it, whenever the power fails. One process at a time holds a lock, and the system releases
it when the process ends. On every POSIX system the folders are those of the XDG rules, on macOS too: a program of the
terminal is looked for there, and that is where every release has kept its files. On Windows all are below
%LOCALAPPDATA%.
"""

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING


def make_private_folder(path: Path) -> None:
    """Make the folder and those above it, if they are missing.

    :raises OSError: it cannot be made.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)


def open_private(path: Path, flags: int) -> int:
    """Open a file, by flags of `os.open`, and make it if it is missing: bytes in and out as they are.

    :raises OSError: it cannot be opened.
    """
    return os.open(path, flags | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0), 0o600)


def replace_private(path: Path, content: bytes) -> None:
    """Put this content in the file's place, durably. Callers hold a lock, because one process at a time may do so.

    :raises OSError: it cannot be written; the old content is still there.
    """
    fresh = path.with_suffix(".new")
    with os.fdopen(open_private(fresh, os.O_WRONLY | os.O_TRUNC), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Flush a folder's entries to the disk. Windows has no such call: it keeps a journal of them itself.

    :raises OSError: it cannot be done.
    """
    if hasattr(os, "O_DIRECTORY"):
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


if TYPE_CHECKING:
    from platformdirs.api import PlatformDirsABC


def folders(program: str) -> "PlatformDirsABC":
    """Folders for a program's state, settings and data. Nothing is made."""
    if sys.platform == "win32":
        from platformdirs.windows import Windows  # noqa: PLC0415

        return Windows(program, appauthor=False, roaming=False)
    else:  # noqa: RET505  # what follows a return is unreachable to type checkers on Windows
        from platformdirs.unix import Unix  # noqa: PLC0415  # not what other systems need

        return Unix(program)


def lock_file(path: Path) -> Callable[[], object] | None:
    """Lock this file, which is made if it is missing, and stays. Returns a function that unlocks it; None: another
    process holds the lock.

    :raises OSError: it cannot be made, or the file system has no locks.
    """
    return _flocked(open_private(path, os.O_RDWR)) if _has_flock() else _by_library(path)


def lock_folder(path: Path) -> Callable[[], object] | None:
    """Lock a folder, so that no file is left behind; where folders cannot be locked, lock a file in it.

    :raises OSError: as for a file.
    """
    return _flocked(os.open(path, os.O_RDONLY)) if _has_flock() else _by_library(path / "lock")


def _has_flock() -> bool:
    try:
        import fcntl  # noqa: F401, PLC0415
    except ImportError:
        return False
    return True


def _flocked(descriptor: int) -> Callable[[], object] | None:
    try:
        if sys.platform != "win32":  # for mypy on Windows: this is not reached there
            import fcntl  # noqa: PLC0415  # POSIX only

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    except BaseException:
        os.close(descriptor)
        raise
    return partial(os.close, descriptor)


def _by_library(path: Path) -> Callable[[], object] | None:
    from filelock import FileLock, Timeout  # noqa: PLC0415  # where it is needed

    lock = FileLock(path, mode=0o600, thread_local=False)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        return None
    except NotImplementedError as error:
        raise OSError(str(error)) from None
    return lock.release
