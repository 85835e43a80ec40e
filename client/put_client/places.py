"""Folders of the player's files. They may not exist: code that writes creates them with `make_private_folder`."""

import os
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
