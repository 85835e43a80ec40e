"""A copy of the file: as it was at one moment, and whole or not there at all."""

import os
import sqlite3
import tempfile
from pathlib import Path


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
