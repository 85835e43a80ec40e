"""Entry point of `put-client`: loads the program, and looks for garbage seldom, for there is little until it draws."""

import gc
from typing import NoReturn

OBJECTS = 50_000
"""New ones between two looks for garbage; Python's own 700 have it look a hundred times until the first screen."""


def main() -> NoReturn:
    """Play; the process ends with it."""
    gc.set_threshold(OBJECTS)
    from put_client.cli import main as play  # noqa: PLC0415  # after the line above

    play()


if __name__ == "__main__":
    main()
