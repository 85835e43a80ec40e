"""Exit codes of the programs, as sysexits(3) has them. Python's own, `os.EX_...`, are missing on Windows."""

import signal
from typing import Final

OK: Final = 0
USAGE: Final = 64
"""A command line that cannot be used."""
DATAERR: Final = 65
"""Input that is wrong."""
NOINPUT: Final = 66
"""A file that is not there."""
NOUSER: Final = 67
"""Unknown user."""
UNAVAILABLE: Final = 69
"""A server or a program that is not there."""
SOFTWARE: Final = 70
"""A bug."""
CANTCREAT: Final = 73
"""A file that cannot be made."""
IOERR: Final = 74
"""Input or output that failed."""
TEMPFAIL: Final = 75
"""A failure that may pass."""
PROTOCOL: Final = 76
"""A peer that does not keep to the protocol."""
NOPERM: Final = 77
"""Something that is not allowed."""
CONFIG: Final = 78
"""A setting that is wrong."""

# Ended by a signal, as shells have it: 128 and its number. Windows lacks some of the signals.
HUNG_UP: Final = 128 + 1
INTERRUPTED: Final = 128 + signal.SIGINT
PIPE_BROKEN: Final = 128 + 13
"""The reader of our output has gone."""
TERMINATED: Final = 128 + signal.SIGTERM
