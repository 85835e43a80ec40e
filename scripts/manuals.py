"""Manual pages, made from the parsers of the programs. `scripts/docs` writes them, and says when they are stale."""

import tomllib
from argparse import Action, ArgumentParser, _SubParsersAction
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from put_arena import cli as arena_cli
from put_client import arguments
from put_client import settings as client
from put_client.bots import cli as bot_cli
from put_client.fairness import verify
from put_conformance import cli as conformance_cli
from put_runtime.settings import SettingsReader
from put_server import cli as server_cli
from put_server import settings as server
from put_solver import cli as solve_cli
from put_text.plain import commands

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Manual:
    """A program, and what its parser does not say of it."""

    parser: ArgumentParser
    meaning: str
    exit_codes: Mapping[int | str, str]
    variables: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.parser.prog


def _variables(reader: SettingsReader[Any]) -> Mapping[str, str]:
    return {reader.variable(name): f"As --{name.replace('_', '-')}." for name in reader.flags}


MANUALS = (
    Manual(
        parser=arena_cli.parser(),
        meaning="let bots play each other at Put, every deal from every seat",
        exit_codes={
            0: "All was played, or decided before.",
            1: "All was played but the games of a competitor that was put out.",
            64: "The command line cannot be used.",
            65: "The rule set, or one of its options, cannot be played so.",
            66: "A bot cannot be found, or its module cannot be imported.",
            69: "A server did not start, or failed.",
            73: "The folder or the file of the results cannot be written.",
            "130, 143, 129": "Interrupted; ended by SIGTERM, or by SIGHUP. What was played until then is told.",
        },
    ),
    Manual(
        parser=bot_cli.parser(),
        meaning="play Put with a bot of your own",
        exit_codes={
            0: "The games were played; or a bot that waited to be invited was told to end.",
            64: "The command line cannot be used, or not at this server.",
            65: "The server refused the name or the table, or the deals are not fair.",
            66: "The bot cannot be found, or its module cannot be imported.",
            69: "No server answers, or it sent the bot away.",
            70: "The bot raised an error, or its choice was not legal.",
            75: "It asked for too much in too short a time.",
            76: "The other side does not speak as a put server does, or not this version.",
            77: "The password or the passcode is wrong, or an operator sent the bot away.",
            "130, 143": "Interrupted; ended by SIGTERM.",
        },
        variables={"PUT_PASSWORD": "The server's password."},
    ),
    Manual(
        parser=arguments.parser(),
        meaning="play Put, the old English game of bluff, in a terminal",
        exit_codes={
            0: "You have quit.",
            64: "The command line cannot be used.",
            65: "The server refused a name or a table, or a file holds no game.",
            66: "A file cannot be read.",
            69: "No server answers, or it sent you away.",
            70: "A fault of this program.",
            74: "The terminal, or a file, failed.",
            75: "You asked for too much in too short a time.",
            76: "The other side does not speak as a put server does, or not this version.",
            77: "The password or the passcode is wrong, or an operator sent you away.",
            78: "A setting cannot be used.",
            "130, 143, 129, 141": "Interrupted; ended by SIGTERM, by SIGHUP, or because nobody read the output.",
        },
        variables={
            **_variables(client.SETTINGS),
            "PUT_PASSWORD": "The server's password.",
            "NO_COLOR": "If it is set, no colours are used.",
            "TERM": "If it is dumb, or empty, the client speaks in lines.",
        },
        files={
            "$XDG_CONFIG_HOME/put-client/config.toml": "Settings; put-client --print-config writes an example.",
            "$XDG_STATE_HOME/put-client/": "The servers played at, and what takes up a seat again after a crash.",
        },
    ),
    Manual(
        parser=conformance_cli.parser(),
        meaning="test whether a client keeps to the protocol of Put, case by case",
        exit_codes={
            0: "Every case passed, or the cases were named.",
            64: "The command line cannot be used.",
            69: "The port cannot be had, or the client's command cannot be run.",
            73: "The report cannot be written.",
            76: "A case failed, or was not reached.",
            "130, 141": "Interrupted; ended because nobody read the output.",
        },
    ),
    Manual(
        parser=server_cli.parser(),
        meaning="a card table for Put, the old English game of bluff",
        exit_codes={
            0: "It was told to stop, or the command was carried out.",
            64: "The command line cannot be used.",
            65: "What is kept is damaged, or a command was given what it cannot use.",
            69: "The port cannot be had, or no running server answers a command.",
            74: "The disk failed.",
            78: "A setting cannot be used.",
            "130, 141": "Interrupted; ended because nobody read the output.",
        },
        variables=_variables(server.SETTINGS),
        files={
            "$XDG_DATA_HOME/put-server/": "The tables and finished games, and the socket for the operator's commands.",
        },
    ),
    Manual(
        parser=solve_cli.parser(),
        meaning="solve two-handed Put, and check a solution from its bytes",
        exit_codes={
            0: "It is solved, told, or loses no more than the limit.",
            1: "The table loses more than the limit, or is not what it says it is.",
            64: "The command line cannot be used.",
            65: "The file is no table of a solved game.",
            69: "numpy or numba is not installed.",
            74: "The disk failed, or there is no such file.",
            130: "Interrupted; the same command goes on from the last finished score.",
        },
    ),
    Manual(
        parser=verify.parser(),
        meaning="check the deals of a game of Put that was written down",
        exit_codes={
            0: "Every deal is as an honest table deals, as far as it was told.",
            1: "A deal is not.",
            64: "The command line cannot be used.",
            65: "The file holds no game.",
            66: "The file cannot be read.",
        },
    ),
)


def commands_of(parser: ArgumentParser) -> list[ArgumentParser]:
    """The parsers of its subcommands."""
    found = [action.choices for action in parser._actions if isinstance(action, _SubParsersAction)]
    return [command for choices in found for command in choices.values()]


def arguments_of(parser: ArgumentParser) -> list[Action]:
    """Arguments beside subcommands, in order."""
    return [action for action in parser._actions if not isinstance(action, _SubParsersAction)]


def manual_page(manual: Manual) -> str:
    """The page of a program, in the language of man."""
    parser = manual.parser
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    wants = [_value(one) if one.required else f"[{_value(one)}]" for one in _positional(parser)]
    wants = ["[OPTION...]", *wants, *(["[COMMAND]"] if commands_of(parser) else [])]
    others = [other.name for other in MANUALS if other is not manual]
    lines = [
        f'.TH {manual.name.upper()} 1 "" "put {version}" "Games"',
        *(".SH NAME", _roff(manual.name) + r" \- " + _roff(manual.meaning)),
        *(".SH SYNOPSIS", rf"\fB{_roff(manual.name)}\fR " + _roff(" ".join(wants))),
        *(".SH DESCRIPTION", _roff(parser.description or ""), ".PP", _roff(parser.epilog or "")),
        *(".SH OPTIONS", *_described(parser)),
    ]
    if commands_of(parser):
        lines.append(".SH COMMANDS")
    for command in commands_of(parser):
        lines.append(f".SS {_roff(' '.join([command.prog.split()[-1], *map(_value, _positional(command))]))}")
        lines += [_roff(command.description or ""), *_described(command), ".PP", _roff(command.epilog or "")]
    if manual.name == "put-client":
        spoken = {command.usage: _sentence(command.meaning) for command in commands.COMMANDS}
        lines += [".SH LINE MODE", "A line is one of these commands, or else a move:", *_table(spoken.items())]
    if manual.variables:
        lines += [".SH ENVIRONMENT", *_table(manual.variables.items())]
    if manual.files:
        lines += [".SH FILES", *_table(manual.files.items())]
    lines += [".SH EXIT STATUS", *_table((str(code), says) for code, says in manual.exit_codes.items())]
    lines += [".SH SEE ALSO", ", ".join(rf"\fB{_roff(other)}\fR(1)" for other in others)]
    return "".join(f"{line}\n" for line in lines)


def _positional(parser: ArgumentParser) -> list[Action]:
    return [one for one in arguments_of(parser) if not one.option_strings]


def _value(action: Action) -> str:
    """The name of its value; empty: it takes none."""
    if action.nargs == 0 and action.option_strings:
        return ""
    return action.metavar if isinstance(action.metavar, str) else action.dest.upper()


def _described(parser: ArgumentParser) -> Iterator[str]:
    for action in arguments_of(parser):
        names = ", ".join(rf"\fB{_roff(name)}\fR" for name in action.option_strings)
        value = rf"\fI{_roff(_value(action))}\fR" if _value(action) else ""
        yield from (".TP", f"{names} {value}".strip(), _roff(_sentence((action.help or "") % vars(action))))


def _table(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    for name, says in rows:
        yield from (".TP", rf"\fB{_roff(name)}\fR", _roff(says))


def _sentence(says: str) -> str:
    return f"{says[:1].upper()}{says[1:]}."


def _roff(text: str) -> str:
    """Text as it stands, whatever it begins with."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-").replace("~", r"\(ti").replace("^", r"\(ha")
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped
