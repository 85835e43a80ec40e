"""`put-client`: flags, a name, a way to play, and every failure as one sentence with its exit code by sysexits."""

import argparse
import asyncio
import getpass
import io
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NoReturn

from put_client import line, replay
from put_client.client import Client
from put_client.cloakroom import Peg, last_left
from put_client.errors import BadServer, ClientError, Disconnected, NoServer, Refusal, Rejected, Unanswered, address
from put_protocol import DEFAULT_PORT
from put_protocol.notation import NotationError
from put_protocol.refusals import RefusalCode
from put_protocol.text import NAME_LENGTH, flaw_of_name, printable

INTERRUPTED = 130
"""128 and SIGINT, as shells have it."""

PIPE_BROKEN = 141
"""128 and SIGPIPE, as if it had killed us: whoever read our output has gone."""

NAME_CODES = frozenset({RefusalCode.NAME_TAKEN, RefusalCode.BAD_NAME})

EXIT_CODES: Mapping[str, int] = {
    RefusalCode.WRONG_PASSWORD: os.EX_NOPERM,
    RefusalCode.WRONG_PASSCODE: os.EX_NOPERM,
    RefusalCode.VERSION: os.EX_PROTOCOL,
    RefusalCode.BAD_REQUEST: os.EX_PROTOCOL,
    "protocol": os.EX_PROTOCOL,
    "kicked": os.EX_NOPERM,
    RefusalCode.SERVER_FULL: os.EX_UNAVAILABLE,
    RefusalCode.DRAINING: os.EX_UNAVAILABLE,
    RefusalCode.TOO_FAST: os.EX_TEMPFAIL,
    "idle": os.EX_UNAVAILABLE,
}
"""Of refusals and goodbyes; any other refusal is bad data: a name, or a table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What was asked for on the command line."""

    host: str
    port: int
    name: str = ""
    password: str = ""
    table: int | None = None
    watch: int | None = None
    passcode: str = ""
    replay: Path | None = None
    is_line: bool = False
    is_ascii: bool = False


class UsageError(ValueError):
    """The arguments cannot be used; the message is a clause."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(os.EX_USAGE, f"{self.prog}: {message}\n{self.format_usage()}")


def parse_address(text: str) -> tuple[str, int]:
    """Host and port of `host`, `host:port`, `:port`, `[::1]`, `[::1]:port` or `::1`.

    :raises UsageError: it is none of these.
    """
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
    return host or "localhost", int(port)


def parse_arguments(arguments: Sequence[str] | None) -> Options:
    """The options; ends the program after `--help`, `--version` and mistakes."""
    flags = _Parser(
        prog="put-client",
        description="Play Put, the old English game of bluff, at a put-server.",
        epilog="Without a terminal, or where TERM is dumb, the client speaks in lines, as with --line.",
    )
    flags.add_argument(
        "address",
        nargs="?",
        default="localhost",
        metavar="host[:port]",
        help=f"the server (default: localhost:{DEFAULT_PORT})",
    )
    flags.add_argument("--name", default="", help="who you are; asked for if left out")
    flags.add_argument("--password", default="", help="the server's, where it has one (or environment: PUT_PASSWORD)")
    place = flags.add_mutually_exclusive_group()
    place.add_argument("--table", type=_table, metavar="NUMBER", help="sit down at this table")
    place.add_argument("--watch", type=_table, metavar="NUMBER", help="watch this table")
    flags.add_argument("--passcode", default="", help="the table's, where it has one")
    place.add_argument(
        "--replay", type=Path, metavar="FILE", help="show a game again, from its notation in a file; needs no server"
    )
    flags.add_argument("--line", action="store_true", help="no full screen: sentences out, lines in")
    flags.add_argument("--ascii", action="store_true", help="no character beyond ASCII")
    flags.add_argument("--version", action="version", version=f"put-client {_version()}")
    given = flags.parse_args(arguments)
    try:
        host, port = parse_address(given.address)
    except UsageError as error:
        flags.error(str(error))
    return Options(
        host=host,
        port=port,
        name=given.name,
        password=given.password or os.environ.get("PUT_PASSWORD", ""),
        table=given.table,
        watch=given.watch,
        passcode=given.passcode,
        replay=given.replay,
        is_line=given.line,
        is_ascii=given.ascii,
    )


def _table(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 16 and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of a table")
    return int(text)


def _version() -> str:
    try:
        return version("put")
    except PackageNotFoundError:
        return "(not installed)"


def has_screen() -> bool:
    """Whether a full screen can be drawn here."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") not in ("", "dumb")


def login_name() -> str:
    """The login name if it will do for a name, else nothing."""
    try:
        name = getpass.getuser().strip()[:NAME_LENGTH]
    except (OSError, KeyError, ImportError):  # which one depends on the system and the version of Python
        return ""
    return "" if flaw_of_name(name) else name


def ask_name(ask: Callable[[str], str], complain: Callable[[str], None]) -> str:
    """A name that will do, from a person at a terminal.

    :raises EOFError: the person ended the input.
    """
    offer = login_name()
    question = f"Your name [{offer}]: " if offer else "Your name: "
    while True:
        name = printable(ask(question)).strip() or offer
        flaw = flaw_of_name(name)
        if flaw is None:
            return name
        complain(f"This name {flaw}.")


async def play(options: Options, name: str, peg: Peg | None = None) -> int:
    """Connect and play; the exit code. With a peg, as the person who left his token there."""
    client = await Client.connect(
        options.host,
        options.port,
        name=name,
        password=options.password,
        token="" if peg is None else peg.token,
    )
    if peg is None:
        peg = Peg.take(address(options.host, options.port), client.name)
    if peg is not None:
        peg.leave(client.token)
    try:
        async with client:
            return await _play(client, options, keeps=peg is not None and bool(peg.token))
    finally:
        if peg is not None:
            (peg.let_go if client.token else peg.clear)()


async def _play(client: Client, options: Options, *, keeps: bool) -> int:
    try:
        if options.is_line or not has_screen():
            return await line.run(
                client, table=options.table, watch=options.watch, passcode=options.passcode, keeps=keeps
            )
        from put_client.tui.app import run  # noqa: PLC0415  # lines are spoken without loading what draws

        return await run(
            client,
            table=options.table,
            watch=options.watch,
            passcode=options.passcode,
            ascii_only=options.is_ascii,
            keeps=keeps,
        )
    except ClientError:
        raise
    except Exception:  # a terminal that is gone, or a bug of ours: no reason to give up a game
        await client.close(keep=True)
        raise


def play_as_named(options: Options) -> int:
    """Play as whoever we were here last, if he is expected back; else under the name given, or one asked for, and asked
    for again while the server refuses it. Returns the exit code.

    Asked outside of the event loop, so that ^C at the question ends the program.
    """
    is_interactive = sys.stdin.isatty() and sys.stderr.isatty()
    name = options.name
    peg = last_left(address(options.host, options.port), options.name)
    if peg is not None:
        try:
            return asyncio.run(play(options, peg.name, peg))
        except Rejected as error:
            if error.code != RefusalCode.BAD_TOKEN:
                raise
            peg.clear()
            name = peg.name
    if not is_interactive:
        name = name or login_name()
    while True:
        if not name and is_interactive:
            name = ask_name(_ask, _complain)
        try:
            return asyncio.run(play(options, name))
        except Rejected as error:
            if error.code not in NAME_CODES or not is_interactive:
                raise
            _complain(str(error))
            name = ""


def _ask(question: str) -> str:
    print(question, end="", file=sys.stderr, flush=True)  # standard output may be a file
    return input()


def show(path: Path, options: Options) -> int:
    """Show a game again; the exit code."""
    try:
        sheet = replay.load(path)
    except NotationError as error:
        _complain(f"{printable(str(path))}: {error}.")
        return os.EX_DATAERR
    except OSError as error:
        _complain(f"{printable(str(path))}: {error.strerror}.")
        return os.EX_NOINPUT
    if options.is_line or not has_screen():
        replay.speak(sheet, line.speak, input if sys.stdin.isatty() else None)
        return os.EX_OK
    from put_client.tui.replay_app import run  # noqa: PLC0415  # lines are spoken without loading what draws

    return asyncio.run(run(sheet, ascii_only=options.is_ascii))


def exit_code(error: ClientError) -> int:
    """The code of sysexits that says what went wrong."""
    match error:
        case NoServer() | Unanswered():
            return os.EX_UNAVAILABLE
        case BadServer():
            return os.EX_PROTOCOL
        case Disconnected(code=code):
            return EXIT_CODES.get(code, os.EX_UNAVAILABLE)
        case Rejected(code=code) | Refusal(code=code):
            return EXIT_CODES.get(code, os.EX_DATAERR)
        case _:
            return os.EX_SOFTWARE


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Play; the process ends with it."""
    options = parse_arguments(arguments)
    for stream in (sys.stdout, sys.stderr):  # a name that cannot be written here must not end a game
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace", encoding="ascii" if options.is_ascii else None)
    try:
        code = play_as_named(options) if options.replay is None else show(options.replay, options)
    except ClientError as error:
        _complain(str(error))
        code = exit_code(error)
    except (KeyboardInterrupt, EOFError):
        code = INTERRUPTED
    except BrokenPipeError:
        # What is still buffered would be tried again, and complained of, when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = PIPE_BROKEN
    except OSError as error:  # our own input or output
        _complain(f"{error.strerror or error}.")
        code = os.EX_IOERR
    sys.exit(code)


def _complain(says: str) -> None:
    print(f"put-client: {says}", file=sys.stderr, flush=True)
