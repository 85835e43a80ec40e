"""The server, and nothing more than that it collects its garbage on SIGUSR1: so that garbage is not taken for memory
it needs. Run as `python -m scripts.benches.collecting`, with the server's flags.
"""

import ctypes
import gc
import signal

from put_server.cli import main


def _collect(*_: object) -> None:
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)


if __name__ == "__main__":
    signal.signal(signal.SIGUSR1, _collect)
    main()
