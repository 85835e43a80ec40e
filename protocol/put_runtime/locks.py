"""Locks on files. One process at a time holds a lock, and the system releases it when the process ends.

By `fcntl` where the system has it, for that takes no time to load; else, as on Windows, by `filelock`.
"""

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from put_runtime.private_files import open_private


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
