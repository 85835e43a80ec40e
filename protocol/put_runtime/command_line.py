"""Common parts of command lines: usage errors, numbers, exit codes, and missing or closed standard streams."""

import io
import os
import sys
from argparse import Action, ArgumentParser, ArgumentTypeError, HelpFormatter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from put_runtime import exit_codes


class CommandFailed(Exception):
    """A command failed: the reason as a sentence, and the exit code."""

    def __init__(self, code: int, says: str) -> None:
        super().__init__(says)
        self.code = code


def utf8(text: str) -> str:
    """An argparse type: text that can be sent and stored."""
    try:
        text.encode()
    except UnicodeEncodeError:  # of bytes that the system could not read
        raise ArgumentTypeError(f"{text!r} is not in UTF-8") from None
    return text


class Later:
    """A text of the help that is made when it is used, because few commands print it."""

    def __init__(self, make: Callable[[], str]) -> None:
        self._make = make

    def __str__(self) -> str:
        return self._make()

    strip = __str__


class _Formatter(HelpFormatter):
    def _get_help_string(self, action: Action) -> str:
        return str(action.help)


class Parser(ArgumentParser):
    """A parser that exits with 64, EX_USAGE, after an invalid command line. By default an argument is UTF-8 text."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **{"formatter_class": _Formatter, **named})
        self.register("type", None, utf8)

    def error(self, message: str) -> NoReturn:
        program = self.prog.partition(" ")[0]  # a subcommand's parser has both names
        self.exit(exit_codes.USAGE, f"{program}: {message}\n{self.format_usage()}")


class Argument(NamedTuple):
    """An argument of a command line: its name, and the other arguments of `add_argument`."""

    name: str
    more: Mapping[str, Any]


def argument(name: str, says: str, *, default: object = None, **more: Any) -> Argument:
    return Argument(name, {"help": says, "default": default, **more})


def installed_version() -> str:
    """Version of the distribution these packages came in. Looking it up takes a tenth of a command's start."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415

    try:
        return version("put-cards")
    except PackageNotFoundError:
        return "(not installed)"


class Version(Action):
    """`--version`, looked up only when it is asked for."""

    def __call__(self, parser: ArgumentParser, *_: object) -> NoReturn:
        print(f"{parser.prog} {installed_version()}")
        parser.exit()


def named_value(text: str) -> tuple[str, int | str]:
    """An argparse type: `name=value`, an option of a rule set; digits become a number."""
    name, equals, value = utf8(text).partition("=")
    if not (name and equals):
        raise ArgumentTypeError(f"{text!r} is no option: say name=value, as in target=7")
    return name, int(value) if value.isascii() and value.isdigit() and len(value) < 16 else value


def whole_number(least: int, most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and len(text) < 20 and least <= int(text) <= most):
            raise ArgumentTypeError(f"{text!r} is no whole number from {least} to {most}")
        return int(text)

    return number


def fill_standard_streams() -> None:
    """Open the null device for each missing standard stream, because services and timers may start programs without.
    Otherwise the program's own files would get their numbers, and Python has no stream objects."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  # as long as the program


def discard_stdout() -> None:
    """Discard the buffer after a BrokenPipeError: Python would write it again at exit, and print an error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run_program(
    program: str, lines: Callable[[], Iterable[str]], codes: Callable[[], Mapping[type[Exception], int]] = dict
) -> NoReturn:
    """Print each line at once, then end the process. `codes`: exit codes of errors besides `CommandFailed`, called on
    an error; a class comes before its base classes."""
    fill_standard_streams()
    for stream in (sys.stdout, sys.stderr):  # a name that cannot be written here is no reason to fail
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        for line in lines():
            print(line, flush=True)
    except CommandFailed as error:
        print(f"{program}: {error}", file=sys.stderr)
        sys.exit(error.code)
    except KeyboardInterrupt:
        sys.exit(exit_codes.INTERRUPTED)
    except BrokenPipeError:
        discard_stdout()
        sys.exit(exit_codes.PIPE_BROKEN)
    except Exception as error:
        code = next((code for kind, code in codes().items() if isinstance(error, kind)), None)
        if code is None:
            raise
        print(f"{program}: {error}", file=sys.stderr)
        sys.exit(code)
    sys.exit(exit_codes.OK)
