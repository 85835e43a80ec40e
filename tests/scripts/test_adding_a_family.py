"""The table of CONTRIBUTING.md for a game of another family: it is whole, and its files are there."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from put_client.tui.boards.registry import BOARDS
from put_protocol.games.families import FAMILIES
from put_rules.registry import GAMES
from put_server.house import registry as house
from put_text.lessons.registry import LESSONS
from put_text.presenters.registry import PRESENTERS
from tests.conformance.secrets import SECRETS

ROOT = Path(__file__).parents[2]
_, _, _REST = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("### A game of another family")
ROWS = dict(re.findall(r"^\| `([^`]+)` \| .* \| ([^|]+) \|$", _REST.partition("\n### ")[0], re.MULTILINE))
"""By path: when it is needed."""

REGISTRIES = {
    "server/put_server/house/<family>/": house.FAMILIES,
    "protocol/put_text/presenters/<family>.py": PRESENTERS,
    "protocol/put_text/lessons/<family>.py": LESSONS,
    "client/put_client/tui/boards/<family>/": BOARDS,
}
"""Where what a family need not have is registered."""

LATER = tuple(name for name in FAMILIES if name != "put")
"""Put was alone once, and some modules are about it."""


def test_table_is_read() -> None:
    """It has a row for each place, some of them for what a family need not have."""
    assert len(ROWS) > 12
    assert set(REGISTRIES) <= set(ROWS)
    assert "yes" in ROWS.values()


@pytest.mark.parametrize("path", ROWS)
@pytest.mark.parametrize("family", FAMILIES)
def test_every_file_of_a_family_is_there(family: str, path: str) -> None:
    """What it must have it has; and what it may have it has if it is registered."""
    is_there = (ROOT / path.replace("<family>", family)).exists()
    assert is_there if path not in REGISTRIES else is_there or family not in REGISTRIES[path]


@pytest.mark.parametrize("family", FAMILIES)
def test_family_is_registered(family: str) -> None:
    """On the wire, with rule sets, and for the law of secrecy; under one name."""
    assert FAMILIES[family].view.__struct_config__.tag == family
    assert family in {rule_set.offer.family for rule_set in GAMES.values()}
    assert family in SECRETS


@pytest.mark.parametrize("family", LATER)
def test_no_other_module_knows_a_family(family: str) -> None:
    """A module that names one, in code and not in prose, is in the table, or it is of that family."""
    listed = {path.replace("<family>", family) for path in ROWS}
    names = {family} | {name for name, rule_set in GAMES.items() if rule_set.offer.family == family}
    knowing = set()
    for part in ("protocol", "server", "client"):
        for file in (ROOT / part).rglob("*.py"):
            path = file.relative_to(ROOT).as_posix()
            is_its_own = any(path == own or (own.endswith("/") and path.startswith(own)) for own in listed)
            if is_its_own:
                continue
            text = file.read_text("utf-8")
            named = {name for name in names if name in text}  # few modules have to be parsed
            if named and any(name in words for words in words_in(text) for name in named):
                knowing.add(path)
    assert not knowing


def words_in(module: str) -> Iterator[str]:
    """Names and texts in a module's code, without its docstrings and comments."""
    tree = ast.parse(module)
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in prose:
                yield text
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                yield name
            case ast.ImportFrom(module=str(module)):
                yield module
            case _:
                pass
