"""The command line of `put-client`: every flag with its words, from which the manual and completions are made too."""

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import NamedTuple

from put_client import settings
from put_client.sdk.dialler import Security
from put_client.settings import DEFAULTS, SETTINGS, Settings
from put_protocol import DEFAULT_PORT
from put_runtime.command_line import Parser, Version
from put_runtime.fingerprint import parse_fingerprint
from put_text.plain.offers_text import USUAL


class ServerPlace(NamedTuple):
    """Address of a server, and its key if that is known."""

    host: str
    port: int
    fingerprint: str = ""
    """Fingerprint of the only key to be trusted there; empty: none was given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Options from the command line, with the settings."""

    server: ServerPlace | None = None
    """None: none was named."""
    security: Security = Security.AUTO
    password: str = field(default="", repr=False)
    table: int | None = None
    watch: int | None = None
    passcode: str = field(default="", repr=False)
    replay: Path | None = None
    drill: bool = False
    page: bool = False
    record: bool = False
    export: Path | None = None
    """A folder to write it to."""
    game: str = USUAL
    """Rule set to practise."""
    shows_config: bool = False
    settings: Settings = DEFAULTS


EXAMPLE_FINGERPRINT = "k3vq7-2mzap-xw4hn-5bfdt-c6yrj"

SECURITY_HELP = {
    Security.TLS: "only an encrypted connection, to a server on this machine too",
    Security.PLAIN: "no encryption: others on the way can read your cards and take your seat",
}
"""Without either: encrypted, unless the server is on this machine or of a version that does not know how."""


class UsageError(ValueError):
    """The arguments cannot be used; the message is a clause."""


def parse_address(text: str) -> ServerPlace:
    """Host and port of `host`, `host:port`, `:port`, `[::1]`, `[::1]:port` or `::1`, and the fingerprint behind a `#`
    if there is one.

    :raises UsageError: it is none of these.
    """
    text, number_sign, key = text.partition("#")
    fingerprint = parse_fingerprint(key) if number_sign else ""
    if fingerprint is None:
        raise UsageError(f"{key!r} is no fingerprint: it has 25 letters and digits, as in {EXAMPLE_FINGERPRINT}")
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        if not bracket or not host or (rest and not rest.startswith(":")):
            raise UsageError(f"{text!r} is no address: an IPv6 address goes in brackets, as in [::1]:{DEFAULT_PORT}")
        port = rest[1:] if rest else str(DEFAULT_PORT)
    elif text.count(":") > 1:
        host, port = text, str(DEFAULT_PORT)
    else:
        host, colon, port = text.partition(":")
        port = port if colon else str(DEFAULT_PORT)
    if not (port.isascii() and port.isdigit() and len(port) <= 5 and 0 < int(port) <= 65535):
        raise UsageError(f"{port!r} is no port: ports are numbers from 1 to 65535")
    return ServerPlace(host or "localhost", int(port), fingerprint)


def add_security(flags: argparse.ArgumentParser) -> None:
    """The flags that say whether connections are encrypted."""
    encrypted = flags.add_mutually_exclusive_group()
    for security, meaning in SECURITY_HELP.items():
        encrypted.add_argument(
            f"--{security}", dest="security", action="store_const", const=security, default=Security.AUTO, help=meaning
        )


def add_secret(flags: argparse.ArgumentParser, name: str, whose: str, where_else: str = "") -> None:
    """A flag of a secret, which the environment may hold too."""
    variable = f"PUT_{name.upper()}"
    flags.add_argument(
        f"--{name}",
        default=os.environ.get(variable, ""),
        metavar="WORD",
        help=f"{whose}; better given in the environment, as {variable}, {where_else}for flags can be read by others",
    )


def parser() -> argparse.ArgumentParser:
    flags = Parser(
        prog="put-client",
        description="Play Put, the old English game of bluff, at a put-server.",
        epilog="Without a terminal, or where TERM is dumb, the client speaks in lines, as with --line. "
        "A flag goes before its environment variable, that before the file of settings.",
    )
    flags.add_argument(
        "address",
        nargs="?",
        metavar="host[:port][#fingerprint]",
        help="the server, and the fingerprint of its key if you know it; "
        f"without one you choose from those you have played at, or it is localhost:{DEFAULT_PORT}",
    )
    SETTINGS.add_flags(flags)
    add_secret(flags, "password", "the server's, where it has one")
    add_security(flags)
    place = flags.add_mutually_exclusive_group()
    place.add_argument("--table", type=table_number, metavar="NUMBER", help="sit down at this table")
    place.add_argument("--watch", type=table_number, metavar="NUMBER", help="watch this table")
    place.add_argument(
        "--replay", type=Path, metavar="FILE", help="show a game again, from its notation in a file; needs no server"
    )
    place.add_argument(
        "--drill",
        action="store_true",
        help="practise: positions, and your answers judged against perfect play",
    )
    place.add_argument(
        "--page",
        action="store_true",
        help="serve the page of this installation to a browser on this machine, to play at the server with it",
    )
    place.add_argument("--record", action="store_true", help="show the record of your games; needs no server")
    place.add_argument(
        "--export", type=Path, metavar="FOLDER", help="write the record into this folder: Put notation and JSON"
    )
    flags.add_argument(
        "--game", default=USUAL, metavar="NAME", help="with --drill: the rule set (default: %(default)s)"
    )
    add_secret(flags, "passcode", "the table's, where it has one", "or when the screen asks for it, ")
    flags.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="settings from this file (default: $XDG_CONFIG_HOME/put-client/config.toml)",
    )
    flags.add_argument("--print-config", action="store_true", help="write an example of such a file, and end")
    flags.add_argument("--version", action=Version, nargs=0, help="show the program's version number and end")
    return flags


def parse_arguments(arguments: Sequence[str] | None) -> Options:
    """The options; ends the program after `--help`, `--version` and mistakes.

    :raises SettingsError: what is set in the environment or a file cannot be used.
    """
    flags = parser()
    given = flags.parse_args(arguments)
    try:
        server = None if given.address is None else parse_address(given.address)
    except UsageError as error:
        flags.error(str(error))
    if given.print_config:
        return Options(shows_config=True)
    values = vars(given)
    chosen = settings.settle(
        {name: values[name] for name in SETTINGS.flags if name in values}, os.environ, given.config
    )
    same = {option.name: values[option.name] for option in fields(Options) if option.name in values}
    return Options(server=server, settings=chosen, **same)


def table_number(text: str) -> int:
    """The number of a table.

    :raises argparse.ArgumentTypeError: it is none.
    """
    if not (text.isascii() and text.isdigit() and len(text) < 16 and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of a table")
    return int(text)
