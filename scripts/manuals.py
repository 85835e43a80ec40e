"""Manual pages and completions, written by `scripts/docs` from the programs' parsers and `manuals.toml`."""

import argparse
import copy
import tomllib
from argparse import Action, ArgumentParser, _SubParsersAction
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import shtab

from put_arena import cli as arena_cli
from put_client import arguments, mcp_guest
from put_client import settings as client
from put_client.bots import cli as bot_cli
from put_client.fairness import verify
from put_conformance import cli as conformance_cli
from put_protocol.text import capitalized
from put_rules.registry import GAMES
from put_runtime.settings import SettingsReader
from put_server import cli as server_cli
from put_server import settings as server
from put_solver import cli as solve_cli
from put_text.plain import commands

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Manual:
    """A program, with facts that its parser lacks."""

    parser: ArgumentParser
    meaning: str
    exit: Mapping[str, str]
    """Meanings of its exit codes."""
    variables: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.parser.prog


def _manual(parser: ArgumentParser, settings: SettingsReader[Any] | None = None) -> Manual:
    """The manual of a program; `settings` are also environment variables."""
    said = _SAID[parser.prog]
    named = {settings.variable(name): f"As --{name.replace('_', '-')}." for name in settings.flags} if settings else {}
    return Manual(parser=parser, **{**said, "variables": {**named, **said.get("variables", {})}})


_SAID: Mapping[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))

MANUALS = (
    _manual(arena_cli.parser()),
    _manual(bot_cli.parser()),
    _manual(arguments.parser(), client.SETTINGS),
    _manual(conformance_cli.parser()),
    _manual(mcp_guest.parser()),
    _manual(server_cli.parser(), server.SETTINGS),
    _manual(solve_cli.parser()),
    _manual(verify.parser()),
)


def commands_of(parser: ArgumentParser) -> list[ArgumentParser]:
    found = [action.choices for action in parser._actions if isinstance(action, _SubParsersAction)]
    return [command for choices in found for command in choices.values()]


def arguments_of(parser: ArgumentParser) -> list[Action]:
    """Positional arguments other than subcommands, in order."""
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
        spoken = {command.usage: f"{capitalized(command.meaning)}." for command in commands.COMMANDS}
        lines += [".SH LINE MODE", "A line is one of these commands, or else a move:", *_table(spoken.items())]
    if manual.variables:
        lines += [".SH ENVIRONMENT", *_table(manual.variables.items())]
    if manual.files:
        lines += [".SH FILES", *_table(manual.files.items())]
    lines += [".SH EXIT STATUS", *_table(manual.exit.items())]
    lines += [".SH SEE ALSO", ", ".join(rf"\fB{_roff(other)}\fR(1)" for other in others)]
    return "".join(f"{line}\n" for line in lines)


def _positional(parser: ArgumentParser) -> list[Action]:
    return [one for one in arguments_of(parser) if not one.option_strings]


def _value(action: Action) -> str:
    """Name of its value; empty: none."""
    if action.nargs == 0 and action.option_strings:
        return ""
    return action.metavar if isinstance(action.metavar, str) else action.dest.upper()


def _described(parser: ArgumentParser) -> Iterator[str]:
    for action in arguments_of(parser):
        names = ", ".join(rf"\fB{_roff(name)}\fR" for name in action.option_strings)
        value = rf"\fI{_roff(_value(action))}\fR" if _value(action) else ""
        yield from (".TP", f"{names} {value}".strip(), _roff(f"{capitalized(str(action.help or '') % vars(action))}."))


def _table(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    for name, says in rows:
        yield from (".TP", rf"\fB{_roff(name)}\fR", _roff(says))


def _roff(text: str) -> str:
    """Literal text for roff, with any first character."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-").replace("~", r"\(ti").replace("^", r"\(ha")
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped


SHELLS = {"bash": "{}.bash", "zsh": "_{}", "fish": "{}.fish"}
"""Supported shells, with the file name of a program's completion."""


def completion(parser: argparse.ArgumentParser, shell: str) -> str:
    """The completion file of a program. It offers files after a flag whose value is FILE, and rule sets after
    `--game`."""
    parser = copy.deepcopy(parser)  # what is offered here is no rule for the program
    _offer_values(parser)
    return f"{shtab.complete(parser, shell).rstrip()}\n"


def _offer_values(parser: argparse.ArgumentParser) -> None:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                _offer_values(command)
        elif "--game" in action.option_strings:
            action.choices = tuple(GAMES)
        elif isinstance(action.metavar, str) and action.metavar.startswith("FILE"):
            action.complete = shtab.FILE  # type: ignore[attr-defined]  # where shtab looks
