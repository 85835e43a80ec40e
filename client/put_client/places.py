"""Folders of the player's files, which may not exist: code that writes creates them with `make_private_folder`. And
files that the player names."""

import errno
import os
from contextlib import suppress
from pathlib import Path

from put_protocol.text import printable
from put_runtime.private_files import folders

_PROGRAM = "put-client"
"""Name of the folders since the first release. It must not change, to keep existing files."""


def state_folder() -> Path:
    """Folder of the programs' own files: sessions, known servers, records ($XDG_STATE_HOME/put-client)."""
    return folders(_PROGRAM).user_state_path


def config_folder() -> Path:
    """Folder of the player's settings ($XDG_CONFIG_HOME/put-client)."""
    return folders(_PROGRAM).user_config_path


def shown(path: Path) -> str:
    """The path as a terminal can show it; an undecodable byte as `\xff`."""
    return printable(os.fsencode(path).decode("utf-8", "backslashreplace"))


def write_new(path: str, text: str) -> None:
    """Write a file that does not exist yet; `~` is the player's own folder. Nothing is left of a file that could not be
    written whole.

    :raises OSError: it cannot be written, or exists. The error names the file.
    """
    try:
        file = Path(path).expanduser()
        written = file.open("x", encoding="utf-8", errors="backslashreplace")
    except (RuntimeError, ValueError):  # of a user who is unknown; with a NUL
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path) from None
    try:
        with written:
            written.write(text)
    except OSError as error:
        with suppress(OSError):
            file.unlink()
        raise OSError(error.errno, error.strerror, str(file)) from None
