"""Files that only their owner may read, written durably; locks on them, and the folders where they are.

Laws: a file is created with mode 600, and links are never followed, where the system has modes and links; on Windows
the user's folders are private. Replacing a file is atomic, even if the power fails. Only one process holds a lock, and
the system releases it when the process ends. On every POSIX system, including macOS, the folders follow the XDG rules:
users expect that for a terminal program, and every release has used them. On Windows all are below %LOCALAPPDATA%.
"""

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING


def make_private_folder(path: Path) -> None:
    """Create the folder and its parents, if missing.

    :raises OSError: a folder cannot be created.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)


def open_private(path: Path, flags: int) -> int:
    """Open a file with flags of `os.open`, in binary mode; create it if missing.

    :raises OSError: the file cannot be opened.
    """
    return os.open(path, flags | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0), 0o600)


def replace_private(path: Path, content: bytes, *, is_durable: bool = True) -> None:
    """Replace the file's content; even before a power failure, if it is durable. Callers must hold a lock, because only
    one process at a time may do this.

    :raises OSError: the file cannot be written; the old content stays.
    """
    fresh = path.with_suffix(".new")
    with os.fdopen(open_private(fresh, os.O_WRONLY | os.O_TRUNC), "wb") as file:
        file.write(content)
        file.flush()
        if is_durable:
            os.fsync(file.fileno())
    fresh.replace(path)
    if is_durable:
        sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Sync a folder's entries to disk. Windows has no such call, because its file system journals them.

    :raises OSError: the sync failed.
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
    """Folders for a program's state, settings and data. Nothing is created."""
    if sys.platform == "win32":
        from platformdirs.windows import Windows  # noqa: PLC0415

        return Windows(program, appauthor=False, roaming=False)
    else:  # noqa: RET505  # what follows a return is unreachable to type checkers on Windows
        from platformdirs.unix import Unix  # noqa: PLC0415  # not what other systems need

        return Unix(program)


def lock_file(path: Path) -> Callable[[], object] | None:
    """Lock this file, which is created if missing, and not removed. Returns the unlock function; None: another process
    holds the lock.

    :raises OSError: the file cannot be created, or the file system has no locks.
    """
    return _flocked(open_private(path, os.O_RDWR)) if _has_flock() else _by_library(path)


def lock_folder(path: Path) -> Callable[[], object] | None:
    """Lock a folder, so that no file is left behind; if the system cannot lock folders, lock a file in it.

    :raises OSError: as in `lock_file`.
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
