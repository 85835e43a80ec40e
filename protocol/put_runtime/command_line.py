"""What command lines have in common: usage errors, numbers, exit codes, and an output that nobody reads any more."""

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from typing import NoReturn

INTERRUPTED = 130
"""128 and SIGINT, as shells have it."""

PIPE_BROKEN = 141
"""128 and SIGPIPE, as if it had killed us: the reader of our output has gone."""


class Parser(ArgumentParser):
    """A parser that exits as sysexits has it: 64, EX_USAGE, for a command line that cannot be used."""

    def error(self, message: str) -> NoReturn:
        program = self.prog.partition(" ")[0]  # a subcommand's parser has both names
        self.exit(os.EX_USAGE, f"{program}: {message}\n{self.format_usage()}")


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """A type for argparse: whole numbers within these bounds."""

    def number(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and len(text) < 20 and least <= int(text) <= most):
            raise ArgumentTypeError(f"{text!r} is no whole number from {least} to {most}")
        return int(text)

    return number


def discard_stdout() -> None:
    """After a BrokenPipeError: what is still buffered would be tried again, and complained of, at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
