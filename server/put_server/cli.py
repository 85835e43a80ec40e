"""`put-server`: serving and subcommands, every failure in a sentence, and exit codes by sysexits."""

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from put_runtime import exit_codes
from put_runtime.command_line import Parser, Version, run_program
from put_runtime.settings import FlagError, SettingsError
from put_server.settings import FROM_INPUT, SETTINGS
from put_server.subcommands import COMMANDS, run_command

SEED_BYTES = 64
"""The longest line for a seed; the longest number takes 20."""


def parser() -> argparse.ArgumentParser:
    flags = Parser(
        prog="put-server",
        description="A card table for Put, the old English game of bluff: people, bots and spectators on one port. "
        "Without a command it serves.",
        epilog="A flag goes before its environment variable, that before the file, and the file before the default.",
        argument_default=argparse.SUPPRESS,
    )
    SETTINGS.add_flags(flags)
    _add_config(flags)
    flags.add_argument(
        "--no-announce", dest="announce", action="store_const", const="no", help="the same as --announce no"
    )
    flags.add_argument("--no-web", dest="web", action="store_const", const="no", help="the same as --web no")
    flags.add_argument("--version", action=Version, nargs=0, help="show the program's version number and end")
    flags.add_argument(
        "--accept-loss",
        action="store_true",
        help="start although the journal has lost what was acknowledged; what is there is set aside first",
    )
    commands = flags.add_subparsers(title="commands", dest="command", metavar="COMMAND")
    commands.type = str  # what follows has types of its own
    for name, command in COMMANDS.items():
        its = commands.add_parser(
            name,
            help=command.meaning,
            description=f"{command.meaning[0].upper()}{command.meaning[1:]}.",
            epilog=f"Example: put-server {name} {command.example}",
            argument_default=argparse.SUPPRESS,
        )
        for one in command.arguments:
            its.add_argument(one.name, **one.more)
        SETTINGS.add_flags(its, command.settings)
        _add_config(its)
    return flags


def _add_config(flags: argparse.ArgumentParser) -> None:
    flags.add_argument("--config", metavar="FILE.toml", type=Path, help="a TOML file with any of these settings")


def _codes() -> Mapping[type[Exception], int]:
    from put_server import serving  # noqa: PLC0415  # it is loaded if one of its errors came

    return {FlagError: exit_codes.USAGE, SettingsError: exit_codes.CONFIG, **serving.CODES}


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    run_program("put-server", lambda: _run(parser().parse_args(arguments)), _codes)


def _run(given: argparse.Namespace) -> Iterator[str]:
    flags = {name: value for name, value in vars(given).items() if name in SETTINGS.flags}
    if flags.get("seed") == FROM_INPUT:
        from put_runtime.signals import hide_memory  # noqa: PLC0415

        flags["seed"] = _seed_from_input()
        hide_memory()
    settings = SETTINGS.settle(flags, os.environ, getattr(given, "config", None))
    if given.command is None:
        from put_server import serving  # noqa: PLC0415  # the whole server, which a command does without

        serving.serve(settings, accepts_loss=getattr(given, "accept_loss", False))
    else:
        yield from run_command(given.command, settings, given)


def _seed_from_input() -> str:
    """The first line of standard input, and not a byte more: other code waits for the end of the input.

    :raises FlagError: there is no line.
    """
    line = b""
    with suppress(OSError, AttributeError):
        while len(line) < SEED_BYTES and not line.endswith(b"\n") and (byte := os.read(sys.stdin.fileno(), 1)):
            line += byte
    if not line.endswith(b"\n"):
        raise FlagError("--seed: - is a line of standard input with a whole number, and there is no such line")
    return line.decode(errors="replace").strip()
