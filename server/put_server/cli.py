"""`put-server`: serving and subcommands, every failure in a sentence, and exit codes by sysexits."""

import argparse
import asyncio
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from put_runtime import exit_codes
from put_runtime.command_line import CommandFailed, Parser, Version, run_program
from put_runtime.secrecy import hide_memory
from put_runtime.settings import FlagError, SettingsError
from put_server import app
from put_server.app import DiskFailed
from put_server.front import CannotListen
from put_server.handover import FROM_INPUT, BadSockets
from put_server.journal.journal_errors import JournalError
from put_server.logs import start_logging
from put_server.settings import SETTINGS, Settings
from put_server.subcommands import COMMANDS, run_command
from put_server.transport.encryption import BadCertificate

SEED_BYTES = 64
"""The longest line that is read for a seed; the longest number takes 20."""


def parser() -> argparse.ArgumentParser:
    """The flags, from the table of settings, and the subcommands, from theirs."""
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


CODES: Mapping[type[Exception], int] = {
    FlagError: exit_codes.USAGE,
    SettingsError: exit_codes.CONFIG,
    CannotListen: exit_codes.UNAVAILABLE,
    BadSockets: exit_codes.UNAVAILABLE,
    BadCertificate: exit_codes.CONFIG,
    JournalError: exit_codes.DATAERR,
    DiskFailed: exit_codes.IOERR,
}
"""Exit codes by the error."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Serve, or run a subcommand; the process ends with it."""
    run_program("put-server", lambda: _run(parser().parse_args(arguments)), CODES)


def _run(given: argparse.Namespace) -> Iterator[str]:
    flags = {name: value for name, value in vars(given).items() if name in SETTINGS.flags}
    if flags.get("seed") == FROM_INPUT:
        flags["seed"] = _seed_from_input()
        hide_memory()
    settings = SETTINGS.settle(flags, os.environ, getattr(given, "config", None))
    if given.command is None:
        _serve(settings, accepts_loss=getattr(given, "accept_loss", False))
    else:
        yield from run_command(given.command, settings, given)


def _seed_from_input() -> str:
    """The first line of standard input, and not a byte more: what follows is for who watches for its end.

    :raises FlagError: there is none.
    """
    line = b""
    with suppress(OSError, AttributeError):
        while len(line) < SEED_BYTES and not line.endswith(b"\n") and (byte := os.read(sys.stdin.fileno(), 1)):
            line += byte
    if not line.endswith(b"\n"):
        raise FlagError("--seed: - is a line of standard input with a whole number, and there is no such line")
    return line.decode(errors="replace").strip()


def _serve(settings: Settings, *, accepts_loss: bool) -> None:
    start_logging(settings.log_level, settings.log_format)
    # The same kind of loop on every system: the default one of Windows cannot tell that a socket has something to read.
    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        if settings.nats:
            runner.run(_cluster_serve(settings))
        else:
            runner.run(app.serve(settings, _announce, accepts_loss=accepts_loss))


def _announce(line: str) -> None:
    print(line, flush=True)


async def _cluster_serve(settings: Settings) -> None:
    try:
        from put_server.cluster import roles  # noqa: PLC0415  # the client of NATS is an extra
        from put_server.cluster.broker import NoBroker  # noqa: PLC0415
        from put_server.cluster.cluster_config import BadCluster  # noqa: PLC0415
        from put_server.cluster.link_publisher import SmallPayload  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "nats":
            raise
        says = "--nats needs the client of NATS: install it with pip install 'put-cards[cluster]'"
        raise CommandFailed(exit_codes.UNAVAILABLE, says) from None
    try:
        await roles.serve(settings, _announce)
    except NoBroker as error:
        raise CommandFailed(exit_codes.UNAVAILABLE, str(error)) from None
    except (BadCluster, SmallPayload) as error:
        raise CommandFailed(exit_codes.CONFIG, str(error)) from None
