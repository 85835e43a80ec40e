"""One server a data directory.

The directory itself is locked and not a file in it, so nothing is left behind, and nobody who tidies up can take the
lock away. The system releases it with the process, however that ends.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from put_server.journal.errors import JournalError


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """For the block the directory is ours alone; who only reads need not ask.

    :raises JournalError: another server has it.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise JournalError(f"{folder} is in use by another put-server; choose another --data") from None
        yield
    finally:
        os.close(handle)
