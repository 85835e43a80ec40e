"""Entry point of `put-client`: loads the program, with less frequent garbage collection.

Law: Ctrl-C ends the program silently at any time, even while it loads or ends.
"""

import gc
import os
import signal
import sys
from typing import NoReturn

OBJECTS = 50_000
"""New objects between two garbage collections; with Python's default of 700 there are a hundred before the first
screen."""

INTERRUPTED = 128 + signal.SIGINT
"""`put_runtime.exit_codes` is not loaded yet."""


def main() -> NoReturn:
    signal.signal(signal.SIGINT, _end)
    gc.set_threshold(OBJECTS)
    from put_client.cli import main as play  # noqa: PLC0415  # after the lines above
    from put_runtime.command_line import fill_standard_streams  # noqa: PLC0415  # as above

    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        fill_standard_streams()
        play()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    finally:
        signal.signal(signal.SIGINT, _end)


def _end(*_: object) -> NoReturn:
    """End at once: nothing has begun, or all is done."""
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
