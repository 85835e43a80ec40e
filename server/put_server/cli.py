"""`put-server`: flags, the errors of a start in a sentence each, and exit codes by sysexits."""

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NoReturn

from put_server import app
from put_server.app import CannotListen, DiskFailed
from put_server.journal.journal import JournalError
from put_server.logs import start_logging
from put_server.settings import BOUNDS, HELP, FlagError, SettingsError, default_shown, settle, variable


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(os.EX_USAGE, f"{self.prog}: {message}\n{self.format_usage()}")


def parser() -> argparse.ArgumentParser:
    """The flags, from the table of settings."""
    flags = _Parser(
        prog="put-server",
        description="A card table for Put, the old English game of bluff: people, bots and spectators on one port.",
        epilog="A flag goes before its environment variable, that before the file, and the file before the default.",
        argument_default=argparse.SUPPRESS,
    )
    for name, meaning in HELP.items():
        bounds = f", from {BOUNDS[name][0]} to {BOUNDS[name][1]}" if name in BOUNDS else ""
        flags.add_argument(
            f"--{name.replace('_', '-')}",
            metavar=name.rpartition("_")[2].upper(),
            help=f"{meaning}{bounds} (default: {default_shown(name)}; environment: {variable(name)})".replace(
                "%", "%%"
            ),
        )
    flags.add_argument("--config", metavar="FILE.toml", type=Path, help="a TOML file with any of these settings")
    flags.add_argument("--version", action="version", version=f"put-server {version('put')}")
    return flags


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the server; the process ends with it."""
    given = vars(parser().parse_args(arguments))
    try:
        settings = settle(given, os.environ, given.pop("config", None))
    except FlagError as error:
        _fail(os.EX_USAGE, str(error))
    except SettingsError as error:
        _fail(os.EX_CONFIG, str(error))
    start_logging(settings.log_level, settings.log_format)
    try:
        asyncio.run(app.serve(settings, lambda line: print(line, flush=True)))
    except CannotListen as error:
        _fail(os.EX_UNAVAILABLE, str(error))
    except JournalError as error:
        _fail(os.EX_DATAERR, str(error))
    except DiskFailed as error:
        _fail(os.EX_IOERR, str(error))
    sys.exit(os.EX_OK)


def _fail(code: int, says: str) -> NoReturn:
    print(f"put-server: {says}", file=sys.stderr)
    sys.exit(code)
