"""The file and its directory, besides what SQLite does: one server a directory, and whole copies of the file.

The directory itself is locked and not a file in it, so nothing is left behind, and nobody who tidies up can take the
lock away. The system releases it with the process, however that ends.
"""

import fcntl
import logging
import os
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from put_server.journal.errors import JournalError

log = logging.getLogger(__name__)

LOOK_S = 0.005
"""Between two looks whether the directory is free: of no account beside what a start takes."""


@contextmanager
def locked(folder: Path, wait_s: float = 0) -> Iterator[None]:
    """For the block the directory is ours alone; who only reads need not ask. Waits for another server to let go of it,
    so long at most.

    :raises JournalError: another server has it.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        deadline = time.monotonic() + wait_s
        is_told = False
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    raise JournalError(f"{folder} is in use by another put-server; choose another --data") from None
            if not is_told:
                is_told = True
                log.info("waits for the server before this one to let go of %s, %d seconds at most", folder, wait_s)
            time.sleep(LOOK_S)
        yield
    finally:
        os.close(handle)


def copy(file: sqlite3.Connection, to: Path) -> None:
    """Make one, readable by its owner alone; whoever writes to the file goes on meanwhile.

    :raises OSError, sqlite3.Error: there is a file of that name already, or it cannot be written.
    """
    if to.exists():
        raise FileExistsError("there is a file of that name already")
    # Under another name until it is whole: what a killed copy leaves behind must not be taken for a journal.
    handle, name = tempfile.mkstemp(prefix=f"{to.name}.", suffix=".part", dir=to.parent)
    part = Path(name)
    try:
        file.execute("VACUUM INTO ?", (name,))
        os.fsync(handle)
        part.rename(to)
    except BaseException:
        part.unlink()
        raise
    finally:
        os.close(handle)
    folder = os.open(to.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
