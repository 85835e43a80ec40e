"""A process's memory, closed to other programs of the same user where the system can do that."""

import ctypes
import sys
from contextlib import suppress

_PR_SET_DUMPABLE = 4


def hide_memory() -> None:
    """Let no other program of this user attach to this process or read its memory and environment.

    Linux alone can; elsewhere nothing happens. A user who may trace every process, as root may, still can.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
