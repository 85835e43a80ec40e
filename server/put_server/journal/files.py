"""The file and its directory, besides what SQLite does: one server a directory, and whole copies of the file.

The directory itself is locked and not a file in it, so nothing is left behind, and no one who tidies up can take the
lock away. Windows cannot lock a directory: there it is a file in it. The system releases either with the process,
however that ends.
"""

import logging
import os
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
"""Interval of looks whether the directory is free: of no account beside what a start takes."""


@contextmanager
def locked(folder: Path, wait_s: float = 0) -> Iterator[None]:
    """Holds the lock of the directory for the block; readers do not need it. Waits for another server at most so long.

    :raises JournalError: another server has it.
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
    """Make one, readable by its owner alone; the writer of the file goes on meanwhile.

    :raises OSError, sqlite3.Error: there is a file of that name already, or it cannot be written.
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
    """The file, to be looked at and left as it is: a writer would tidy up after one that was killed."""
    log = path.with_name(f"{path.name}-wal")
    is_at_rest = not log.exists() or log.stat().st_size == 0
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{'immutable=1' if is_at_rest else 'mode=ro'}", uri=True, timeout=1
    )


def set_aside(path: Path) -> Path:
    """Copy a journal as it is, its log and its mark included, and sound or not. Returns the copy."""
    to = path.with_name(f"{path.name}.lost.{time.time_ns()}")
    for end in ("", "-wal", "-mark"):
        part = path.with_name(path.name + end)
        if part.exists():
            made = to.with_name(to.name + end)
            made.touch(mode=0o600)
            made.write_bytes(part.read_bytes())
            sync(made)
    sync_folder(path.parent)
    return to


def sync(path: Path) -> None:
    """:raises OSError: it cannot be done."""
    handle = os.open(path, os.O_RDWR)  # Windows flushes only what can be written
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def make_folder(path: Path) -> None:
    """Make a directory that only its owner can enter, and those above it, so that they survive a power failure.

    :raises OSError: it cannot be made.
    """
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    for folder in missing:
        sync_folder(folder.parent)
