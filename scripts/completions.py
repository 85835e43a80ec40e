"""Completions for bash, zsh and fish, made by shtab from the parsers of the programs. `scripts/docs` writes them."""

import argparse
import copy

import shtab

from put_rules.registry import GAMES

SHELLS = {"bash": "{}.bash", "zsh": "_{}", "fish": "{}.fish"}
"""Those we write for, and what the file of a program is called."""


def completion(parser: argparse.ArgumentParser, shell: str) -> str:
    """The file of a program. After a flag whose value is called FILE a file is offered, after `--game` a rule set."""
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
