"""Exit codes of the programs, from sysexits(3). Python's own `os.EX_...` are missing on Windows."""

import signal
from typing import Final

OK: Final = 0
USAGE: Final = 64
DATAERR: Final = 65
NOINPUT: Final = 66
NOUSER: Final = 67
UNAVAILABLE: Final = 69
SOFTWARE: Final = 70
CANTCREAT: Final = 73
IOERR: Final = 74
TEMPFAIL: Final = 75
PROTOCOL: Final = 76
NOPERM: Final = 77
CONFIG: Final = 78

# Ended by a signal: 128 and its number, as in shells. Windows lacks some of the signals.
HUNG_UP: Final = 128 + 1
INTERRUPTED: Final = 128 + signal.SIGINT
PIPE_BROKEN: Final = 128 + 13
"""The reader of our output has gone."""
TERMINATED: Final = 128 + signal.SIGTERM
