"""Folders of the user's files, by the customs of each system.

Law: on every POSIX system the folders are those of the XDG rules, on macOS too: a program of the terminal is looked for
there, and that is where every release has kept its files. On Windows all are below %LOCALAPPDATA%.
"""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from platformdirs.api import PlatformDirsABC


def folders(program: str) -> "PlatformDirsABC":
    """Folders for a program's state, settings and data. Nothing is made."""
    if sys.platform == "win32":
        from platformdirs.windows import Windows  # noqa: PLC0415

        return Windows(program, appauthor=False, roaming=False)
    else:  # noqa: RET505  # what follows a return is unreachable to type checkers on Windows
        from platformdirs.unix import Unix  # noqa: PLC0415  # not what other systems need

        return Unix(program)
