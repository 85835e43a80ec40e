"""The command line of `put-client`: every flag with its text. The manual and shell completions are made from it,
too."""

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from put_client import settings
from put_client.sdk.dialler import Security
from put_client.settings import DEFAULTS, SETTINGS, Settings
from put_protocol import DEFAULT_PORT
from put_protocol.messages import Sit, Watch
from put_runtime.command_line import Later, Parser, Version
from put_runtime.fingerprint import parse_fingerprint
from put_text.catalogue import say
from put_text.plain.offers_text import USUAL_GAME
from put_text.translated import in_own_words


def _later(message: str, **arguments: Any) -> Any:
    """A text of the catalogue in a parser's help."""
    return Later(partial(say, message, **arguments))


class LocalizedParser(Parser):
    def __init__(self, prog: str, description: str, epilog: str | None = None) -> None:
        super().__init__(prog=prog, description=description, epilog=epilog, add_help=False)
        self.add_argument("-h", "--help", action="help", help=_later("help-help"))

    def format_usage(self) -> str:
        return super().format_usage().replace("usage:", say("help-heading-0"), 1)

    def format_help(self) -> str:
        told = super().format_help().replace("usage:", say("help-heading-0"), 1)
        for number, heading in enumerate(("\npositional arguments:", "\noptions:"), 1):
            told = told.replace(heading, f"\n{say(f'help-heading-{number}')}", 1)
        return told

    def error(self, message: str) -> NoReturn:
        argument, colon, fault = message.partition(": ")
        if argument.startswith("argument ") and colon:
            name = argument.removeprefix("argument ")
            super().error(say("usage-argument", name=name, fault=in_own_words(fault)))
        super().error(in_own_words(message))


class ServerPlace(NamedTuple):
    host: str
    port: int
    fingerprint: str = ""
    """Fingerprint of the only trusted key; empty: none was given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    server: ServerPlace | None = None
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
    game: str = USUAL_GAME
    shows_config: bool = False
    settings: Settings = DEFAULTS

    @property
    def first(self) -> Sit | Watch | None:
        """The request to sit at a table or to watch it, if one was named; without a number."""
        if self.table is not None:
            return Sit(0, self.table, passcode=self.passcode)
        return None if self.watch is None else Watch(0, self.watch, self.passcode)


ADDRESS = "host[:port][#fingerprint]"

EXAMPLE_FINGERPRINT = "k3vq7-2mzap-xw4hn-5bfdt-c6yrj"


class UsageError(argparse.ArgumentTypeError):
    """The arguments are invalid; the message is a clause."""


def parse_address(text: str) -> ServerPlace:
    """Parse `host`, `host:port`, `:port`, `[::1]`, `[::1]:port` or `::1`, with an optional fingerprint after `#`.

    :raises UsageError: the text has none of these forms.
    """
    text, number_sign, key = text.partition("#")
    fingerprint = parse_fingerprint(key) if number_sign else ""
    if fingerprint is None:
        raise UsageError(say("help-no-fingerprint", text=repr(key), example=EXAMPLE_FINGERPRINT))
    if "/" in text:
        place = text.rpartition("//")[2].partition("/")[0]
        raise UsageError(say("help-is-page", text=repr(text), place=place or f"localhost:{DEFAULT_PORT}"))
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        if not bracket or not host or (rest and not rest.startswith(":")):
            raise UsageError(say("help-no-address", text=repr(text), port=DEFAULT_PORT))
        port = rest[1:] if rest else str(DEFAULT_PORT)
    elif text.count(":") > 1:
        host, port = text, str(DEFAULT_PORT)
    else:
        host, colon, port = text.partition(":")
        port = port if colon else str(DEFAULT_PORT)
    if not (port.isascii() and port.isdigit() and len(port) <= 5 and 0 < int(port) <= 65535):
        raise UsageError(say("help-no-port", text=repr(port)))
    return ServerPlace(host or "localhost", int(port), fingerprint)


def add_security(flags: argparse.ArgumentParser) -> None:
    """Flags for encryption. Without them connections are encrypted, unless the server is on this machine or is a
    version without encryption."""
    encrypted = flags.add_mutually_exclusive_group()
    for one in (Security.TLS, Security.PLAIN):
        meaning = _later("help-security", security=one)
        encrypted.add_argument(
            f"--{one}", dest="security", action="store_const", const=one, default=Security.AUTO, help=meaning
        )


def add_login(flags: argparse.ArgumentParser, *, name: str = "", says: str) -> None:
    """Arguments of a program that plays: the server, and the name, with default `name` and help text `says`."""
    flags.add_argument(
        "address",
        nargs="?",
        default="",
        type=parse_address,
        metavar=ADDRESS,
        help=f"the server, and the fingerprint of its key (default: localhost:{DEFAULT_PORT})",
    )
    add_security(flags)
    flags.add_argument("--name", default=name, metavar="NAME", help=f"name under which it plays (default: {says})")
    add_secret(flags, "password")


def add_secret(flags: argparse.ArgumentParser, name: str, *, is_asked: bool = False) -> None:
    """A flag for a secret, which the environment may contain too. `is_asked`: the screen asks for it."""
    variable = f"PUT_{name.upper()}"
    flags.add_argument(
        f"--{name}",
        default=os.environ.get(variable, ""),
        metavar="WORD",
        help=_later("help-secret", what=name, variable=variable, asked=is_asked),
    )


def parser() -> argparse.ArgumentParser:
    flags = LocalizedParser(prog="put-client", description=say("help-about"), epilog=say("help-order"))
    flags.add_argument(
        "address", nargs="?", type=parse_address, metavar=ADDRESS, help=_later("help-address", port=DEFAULT_PORT)
    )
    SETTINGS.add_flags(flags)
    add_secret(flags, "password")
    add_security(flags)
    place = flags.add_mutually_exclusive_group()
    place.add_argument("--table", type=table_number, metavar="NUMBER", help=_later("help-table"))
    place.add_argument("--watch", type=table_number, metavar="NUMBER", help=_later("help-watch"))
    place.add_argument("--replay", type=Path, metavar="FILE", help=_later("help-replay"))
    place.add_argument("--drill", action="store_true", help=_later("help-drill"))
    place.add_argument("--page", action="store_true", help=_later("help-page"))
    place.add_argument("--record", action="store_true", help=_later("help-record"))
    place.add_argument("--export", type=Path, metavar="FOLDER", help=_later("help-export"))
    flags.add_argument("--game", default=USUAL_GAME, metavar="NAME", help=_later("help-game"))
    add_secret(flags, "passcode", is_asked=True)
    flags.add_argument("--config", type=Path, metavar="FILE", help=_later("help-config"))
    flags.add_argument("--print-config", action="store_true", help=_later("help-print-config"))
    flags.add_argument("--version", action=Version, nargs=0, help=_later("help-version"))
    return flags


def language_flag(arguments: Sequence[str] | None) -> str:
    """The language from the command line, before it is parsed."""
    flags = argparse.ArgumentParser(add_help=False, exit_on_error=False, allow_abbrev=False)
    flags.add_argument("--language", nargs="?", default="")
    return flags.parse_known_args(arguments)[0].language or os.environ.get(SETTINGS.variable("language"), "")


def parse_arguments(arguments: Sequence[str] | None) -> Options:
    """The options. Exits after `--help`, `--version` and mistakes.

    :raises SettingsError: a setting in the environment or a file is invalid.
    """
    given = parser().parse_args(arguments)
    if given.print_config:
        return Options(shows_config=True)
    values = vars(given)
    chosen = settings.settle(
        {name: values[name] for name in SETTINGS.flags if name in values}, os.environ, given.config
    )
    same = {option.name: values[option.name] for option in fields(Options) if option.name in values}
    return Options(server=given.address, settings=chosen, **same)


def table_number(text: str) -> int:
    """:raises argparse.ArgumentTypeError: the text is no table number."""
    if not (text.isascii() and text.isdigit() and len(text) < 16 and int(text) > 0):
        raise argparse.ArgumentTypeError(say("help-no-table", text=repr(text)))
    return int(text)
