"""The file and its directory: one server for each directory, and complete copies of the file.

The lock is on the directory, not on a file in it. So nothing is left behind, and a clean-up cannot remove the lock.
Windows cannot lock a directory, so there it is a file. The system releases the lock when the process ends in any way.
"""

import logging
import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from put_runtime.private_files import lock_folder, sync_folder
from put_server.journal.journal_errors import JournalError

log = logging.getLogger(__name__)

LOOK_S = 0.005
"""Interval for trying the lock: short compared with a start."""


@contextmanager
def locked(folder: Path, wait_s: float = 0) -> Iterator[None]:
    """Hold the lock of the directory during the block; readers do not need it. Waits at most `wait_s` for another
    server.

    :raises JournalError: another server holds it.
    """
    deadline = time.monotonic() + wait_s
    is_told = False
    while (release := lock_folder(folder)) is None:
        if time.monotonic() >= deadline:
            raise JournalError(f"{folder} is in use by another put-server; choose another --data")
        if not is_told:
            is_told = True
            log.info("waits for the server before this one to let go of %s, %d seconds at most", folder, wait_s)
        time.sleep(LOOK_S)
    try:
        yield
    finally:
        release()


def copy(file: sqlite3.Connection, to: Path) -> None:
    """Copy the file, readable only by its owner; its writer may continue meanwhile.

    :raises OSError, sqlite3.Error: the copy exists already, or cannot be written.
    """
    if to.exists():
        raise FileExistsError("there is a file of that name already")
    # Under another name until it is whole: what a killed copy leaves behind must not be taken for a journal.
    handle, name = tempfile.mkstemp(prefix=f"{to.name}.", suffix=".part", dir=to.parent)
    part = Path(name)
    try:
        os.close(handle)  # Windows moves no file that is open
        file.execute("VACUUM INTO ?", (name,))
        sync(part)
        part.rename(to)
    except BaseException:
        part.unlink()
        raise
    sync_folder(to.parent)


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open the file for reading without changing it: a writer would clean up after a killed server."""
    log = path.with_name(f"{path.name}-wal")
    is_at_rest = not log.exists() or log.stat().st_size == 0
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{'immutable=1' if is_at_rest else 'mode=ro'}", uri=True, timeout=1
    )


def set_aside(path: Path) -> Path:
    """Copy a journal unchanged, even if damaged, with its log and its mark. Returns the copy."""
    to = path.with_name(f"{path.name}.lost.{time.time_ns()}")
    for end in ("", "-wal", "-mark"):
        part = path.with_name(path.name + end)
        if part.exists():
            made = to.with_name(to.name + end)
            made.touch(mode=0o600)
            shutil.copyfile(part, made)
            sync(made)
    sync_folder(path.parent)
    return to


def sync(path: Path) -> None:
    """:raises OSError: the file cannot be synced."""
    handle = os.open(path, os.O_RDWR)  # Windows flushes only what can be written
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def make_folder(path: Path) -> None:
    """Make a private directory and its parents, and sync them to disk.

    :raises OSError: a directory cannot be made.
    """
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    for folder in missing:
        sync_folder(folder.parent)
