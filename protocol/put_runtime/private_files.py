"""Files that only their owner may read, written durably.

Laws: a file has mode 600 from the moment it is there, and its name is never followed to another place, where the system
has modes and links; on Windows the folders of a user are theirs alone. A file that is replaced has the old content or
the new one, never a part of it, whenever the power fails.
"""

import os
from pathlib import Path


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
