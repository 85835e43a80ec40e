"""Command line of the conformance suite, `put-conformance`, which is also `put-server rehearse`.

The suite is imported only when it runs, because it imports every rule set.
"""

import argparse
from argparse import ArgumentTypeError, Namespace
from collections.abc import Iterator, Sequence
from typing import NoReturn

from put_runtime.command_line import Parser, Version, argument, run_program, whole_number

MEANING = "test whether a client keeps to the protocol, case by case"
EXAMPLE = "--game put-1674 -- python my_bot.py {host} {port} {name}"

_CLIENT = (
    "after --, the command that starts the client, anew for each case; {host}, {port}, {name}, {game}, {seats} and "
    "{scene} in it are filled in. Without one the suite says where it listens, and the client connects by itself"
)
_JSON = "write the report as JSON too; - is standard output, and the text then goes to standard error"
_PACKS = "seed of packs and opponents (default: 1674)"
_TIMEOUT = "time for each thing that the client must do (default: 10)"
_AT_ONCE = "cases run at the same time, if the suite starts the client on free ports (default: 4)"
_PORT, _SEED = whole_number(0, 65535), whole_number(0, 2**63 - 1)


def _game(name: str) -> str:
    from put_rules.registry import GAMES  # noqa: PLC0415  # all rule sets, only needed to name one

    if name not in GAMES:
        raise ArgumentTypeError(f"{name!r} is no rule set: {', '.join(GAMES)}")
    return name


ARGUMENTS = (
    argument("client", _CLIENT, nargs="*", default=[], metavar="WORD"),
    argument("--host", "address to listen on (default: 127.0.0.1)", dest="at", default="127.0.0.1", metavar="HOST"),
    argument(
        "--port", "port to listen on (default: any that is free)", dest="on_port", type=_PORT, default=0, metavar="PORT"
    ),
    argument("--game", "only this rule set; may be given again", type=_game, action="append", metavar="GAME"),
    argument("--scene", "only this case, or those like drop-*; may be given again", action="append", metavar="SCENE"),
    argument("--json", _JSON, metavar="FILE"),
    argument("--seed", _PACKS, dest="packs", type=_SEED, default=1674, metavar="NUMBER"),
    argument("--timeout", _TIMEOUT, type=whole_number(1, 3600), default=10, metavar="SECONDS"),
    argument("--at-once", _AT_ONCE, type=whole_number(1, 64), default=4, metavar="NUMBER"),
    argument("--list", "name the cases, and end", action="store_true", default=False),
)


def run(arguments: Namespace) -> Iterator[str]:
    from put_conformance import suite  # noqa: PLC0415

    return suite.run(arguments)


def parser() -> argparse.ArgumentParser:
    flags = Parser(
        prog="put-conformance",
        description=f"{MEANING[0].upper()}{MEANING[1:]}.",
        epilog=f"Example: put-conformance {EXAMPLE}",
    )
    for one in ARGUMENTS:
        flags.add_argument(one.name, **one.more)
    flags.add_argument("--version", action=Version, nargs=0, help="show the program's version number and end")
    return flags


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    run_program("put-conformance", lambda: run(parser().parse_args(arguments)))
