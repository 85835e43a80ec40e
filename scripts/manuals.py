"""Manual pages, made from the parsers of the programs. `scripts/docs` writes them, and says when they are stale."""

import argparse
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from put_arena import cli as arena_cli
from put_client import arguments
from put_client.bots import cli as bot_cli
from put_client.fairness import verify
from put_client.settings import HELP, variable
from put_conformance import cli as conformance_cli
from put_server import cli
from put_server import settings as server
from put_solver import cli as solve_cli
from put_text.plain import commands

ROOT = Path(__file__).parents[1]

EXIT_CODES: Mapping[str, Mapping[int | str, str]] = {
    "put-client": {
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
    "put-server": {
        0: "It was told to stop, or the command was carried out.",
        64: "The command line cannot be used.",
        65: "What is kept is damaged, or a command was given what it cannot use.",
        69: "The port cannot be had, or no running server answers a command.",
        74: "The disk failed.",
        78: "A setting cannot be used.",
        "130, 141": "Interrupted; ended because nobody read the output.",
    },
    "put-conformance": {
        0: "Every case passed, or the cases were named.",
        64: "The command line cannot be used.",
        69: "The port cannot be had, or the client's command cannot be run.",
        73: "The report cannot be written.",
        76: "A case failed, or was not reached.",
        "130, 141": "Interrupted; ended because nobody read the output.",
    },
    "put-arena": {
        0: "All was played, or decided before.",
        1: "All was played but the games of a competitor that was put out.",
        64: "The command line cannot be used.",
        65: "The rule set, or one of its options, cannot be played so.",
        66: "A bot cannot be found, or its module cannot be imported.",
        69: "A server did not start, or failed.",
        73: "The folder or the file of the results cannot be written.",
        "130, 143, 129": "Interrupted; ended by SIGTERM, or by SIGHUP. What was played until then is told.",
    },
    "put-bot": {
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
    "put-solve": {
        0: "It is solved, told, or loses no more than the limit.",
        1: "The table loses more than the limit, or is not what it says it is.",
        64: "The command line cannot be used.",
        65: "The file is no table of a solved game.",
        69: "numpy or numba is not installed.",
        74: "The disk failed, or there is no such file.",
        130: "Interrupted; the same command goes on from the last finished score.",
    },
    "put-verify": {
        0: "Every deal is as an honest table deals, as far as it was told.",
        1: "A deal is not.",
        64: "The command line cannot be used.",
        65: "The file holds no game.",
        66: "The file cannot be read.",
    },
}

_MEANING = {
    "put-arena": "let bots play each other at Put, every deal from every seat",
    "put-bot": "play Put with a bot of your own",
    "put-client": "play Put, the old English game of bluff, in a terminal",
    "put-conformance": "test whether a client keeps to the protocol of Put, case by case",
    "put-server": "a card table for Put, the old English game of bluff",
    "put-solve": "solve two-handed Put, and check a solution from its bytes",
    "put-verify": "check the deals of a game of Put that was written down",
}
_FILES: Mapping[str, Mapping[str, str]] = {
    "put-client": {
        "$XDG_CONFIG_HOME/put-client/config.toml": "Settings; put-client --print-config writes an example.",
        "$XDG_STATE_HOME/put-client/": "The servers played at, and what takes up a seat again after a crash.",
    },
    "put-server": {
        "$XDG_DATA_HOME/put-server/": "The tables and finished games, and the socket for the operator's commands."
    },
}
_VARIABLES: Mapping[str, Mapping[str, str]] = {
    "put-bot": {"PUT_PASSWORD": "The server's password."},
    "put-client": {
        **{variable(name): f"As --{name.replace('_', '-')}." for name in HELP},
        "PUT_PASSWORD": "The server's password.",
        "NO_COLOR": "If it is set, no colours are used.",
        "TERM": "If it is dumb, or empty, the client speaks in lines.",
    },
    "put-server": {server.variable(name): f"As --{name.replace('_', '-')}." for name in server.HELP},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """An option, or an argument where it has no names."""

    names: tuple[str, ...]
    value: str
    """What its value is called; empty: it takes none."""
    says: str
    is_needed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A program, or a subcommand of one."""

    name: str
    says: str
    notes: str
    flags: tuple[Flag, ...]
    commands: tuple["Program", ...] = ()

    @property
    def options(self) -> tuple[Flag, ...]:
        return tuple(flag for flag in self.flags if flag.names)

    @property
    def positional(self) -> tuple[Flag, ...]:
        return tuple(flag for flag in self.flags if not flag.names)


def parsers() -> tuple[argparse.ArgumentParser, ...]:
    """Of all programs, with the few values that a flag has where they can be said."""
    with_values = ((cli.parser(), server.CHOICES), (bot_cli.parser(), bot_cli.CHOICES))
    for parser, values in with_values:
        _limit(parser, values)
    others = (arguments, verify, arena_cli, solve_cli, conformance_cli)
    return (*(other.parser() for other in others), *(parser for parser, _ in with_values))


def _limit(parser: argparse.ArgumentParser, values: Mapping[str, tuple[str, ...]]) -> None:
    """Also, say the usual folder of the server as it is for everyone."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                _limit(command, values)
            continue
        action.choices = values.get(action.dest)
        if action.help is not None:
            action.help = action.help.replace(str(server.default_data()), "~/.local/share/put-server")


def programs() -> tuple[Program, ...]:
    """As the pages say them."""
    return tuple(map(_program, parsers()))


def _program(parser: argparse.ArgumentParser) -> Program:
    flags: list[Flag] = []
    subcommands: list[Program] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            subcommands += map(_program, action.choices.values())
            continue
        metavar = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
        takes = action.nargs != 0 or not action.option_strings
        flags.append(
            Flag(
                names=tuple(action.option_strings),
                value=metavar if takes else "",
                says=(action.help or "") % vars(action),
                is_needed=action.required,
            )
        )
    return Program(
        name=parser.prog.rpartition(" ")[2],
        says=parser.description or "",
        notes=parser.epilog or "",
        flags=tuple(flags),
        commands=tuple(subcommands),
    )


# --- the page --------------------------------------------------------------------------------------------------------


def manual(program: Program) -> str:
    """The page of one of them, in the language of man."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    wants = [flag.value if flag.is_needed else f"[{flag.value}]" for flag in program.positional]
    wants = ["[OPTION...]", *wants, *(["[COMMAND]"] if program.commands else [])]
    others = sorted(set(_MEANING) - {program.name})
    lines = [
        f'.TH {program.name.upper()} 1 "" "put {version}" "Games"',
        *(".SH NAME", _roff(program.name) + r" \- " + _roff(_MEANING[program.name])),
        *(".SH SYNOPSIS", rf"\fB{_roff(program.name)}\fR " + _roff(" ".join(wants))),
        *(".SH DESCRIPTION", _roff(program.says), ".PP", _roff(program.notes)),
        *(".SH OPTIONS", *_described(program.flags)),
    ]
    if program.commands:
        lines.append(".SH COMMANDS")
    for command in program.commands:
        lines.append(f".SS {_roff(' '.join([command.name, *(flag.value for flag in command.positional)]))}")
        lines += [_roff(command.says), *_described(command.flags), ".PP", _roff(command.notes)]
    if program.name == "put-client":
        spoken = {command.usage: _sentence(command.meaning) for command in commands.COMMANDS}
        lines += [".SH LINE MODE", "A line is one of these commands, or else a move:", *_table(spoken.items())]
    if program.name in _VARIABLES:
        lines += [".SH ENVIRONMENT", *_table(_VARIABLES[program.name].items())]
    if program.name in _FILES:
        lines += [".SH FILES", *_table(_FILES[program.name].items())]
    lines += [".SH EXIT STATUS", *_table((str(code), says) for code, says in EXIT_CODES[program.name].items())]
    lines += [".SH SEE ALSO", ", ".join(rf"\fB{_roff(other)}\fR(1)" for other in others)]
    return "".join(f"{line}\n" for line in lines)


def _described(flags: Iterable[Flag]) -> Iterator[str]:
    for flag in flags:
        names = ", ".join(rf"\fB{_roff(name)}\fR" for name in flag.names)
        value = rf"\fI{_roff(flag.value)}\fR" if flag.value else ""
        yield from (".TP", f"{names} {value}".strip(), _roff(_sentence(flag.says)))


def _table(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    for name, says in rows:
        yield from (".TP", rf"\fB{_roff(name)}\fR", _roff(says))


def _sentence(says: str) -> str:
    return f"{says[:1].upper()}{says[1:]}."


def _roff(text: str) -> str:
    """Text as it stands, whatever it begins with."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-").replace("~", r"\(ti").replace("^", r"\(ha")
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped
