"""Entry point of `put-client`: loads the program, and looks for garbage seldom, for there is little until it draws.

Law: Ctrl-C ends the program in silence at any moment, also before the program is loaded and while it ends.
"""

import gc
import os
import signal
import sys
from typing import NoReturn

OBJECTS = 50_000
"""New ones between two looks for garbage; Python's own 700 have it look a hundred times until the first screen."""

INTERRUPTED = 128 + signal.SIGINT
"""`put_runtime.exit_codes` is not loaded yet."""


def main() -> NoReturn:
    signal.signal(signal.SIGINT, _end)
    gc.set_threshold(OBJECTS)
    from put_client.cli import main as play  # noqa: PLC0415  # after the lines above
    from put_runtime.command_line import fill_standard_streams  # noqa: PLC0415  # the same

    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        fill_standard_streams()
        play()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    finally:
        signal.signal(signal.SIGINT, _end)


def _end(*_: object) -> NoReturn:
    """End at once: nothing was begun, or all is done."""
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
