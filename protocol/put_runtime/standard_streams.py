"""Standard streams that a program was started without, as services and timers start some."""

import os
import sys
from pathlib import Path


def fill() -> None:
    """Open the null device in the place of each that is missing. Else the program's own files and connections get their
    numbers, and Python has no object for them."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  # as long as the program
