"""The steps of CONTRIBUTING.md for a game of another family: its table is whole, and a small game is added by it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from put_client.tui.boards.registry import BOARDS
from put_env.families import CODECS
from put_protocol.games.families import FAMILIES
from put_rules.registry import GAMES
from put_server.house import registry as house
from put_text.lessons.lessons import LESSONS
from put_text.presenters.registry import PRESENTERS
from tests.conformance.secrets import OWN
from tests.scripts.project_copy import WRITE, count_passed, project_copy, run

ROOT = Path(__file__).parents[2]
_, _, _REST = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("### A game of another family")
ROWS = dict(re.findall(r"^\| `([^`]+)` \| .* \| ([^|]+) \|$", _REST.partition("\n### ")[0], re.MULTILINE))
"""By path: when it is needed."""

REGISTRIES = {
    "server/put_server/house/<family>/": house.FAMILIES,
    "protocol/put_text/presenters/<family>.py": PRESENTERS,
    "protocol/put_text/lessons/<family>.py": LESSONS,
    "client/put_client/tui/boards/<family>": BOARDS,
    "server/put_env/families/<family>.py": CODECS,
    "tests/games/<family>_secrets.py": OWN,
}
"""Registries of what a family need not have."""

THIRTY = {
    "types": "protocol/put_protocol/games/thirty.py",
    "rules": "server/put_rules/thirty.py",
    "sentences": "protocol/put_text/presenters/thirty.py",
    "page": "docs/games/thirty.md",
}
"""The four files of a small game, by what is in them, and the places where they go."""

VECTORS = {"two": "tests/vectors/thirty/two.txt", "three": "tests/vectors/thirty/three.txt"}
"""A hand of it for each number of seats, as every rule set has."""

LATER = tuple(name for name in FAMILIES if name != "put")
"""Put was alone once, and some modules are about it."""


def test_table_is_read() -> None:
    """It has a row for each place, some of them for what a family need not have."""
    assert len(ROWS) > 8
    assert set(REGISTRIES) <= set(ROWS)
    assert "yes" in ROWS.values()


@pytest.mark.parametrize("path", ROWS)
@pytest.mark.parametrize("family", FAMILIES)
def test_every_file_of_a_family_is_there(family: str, path: str) -> None:
    """What it must have it has; and what it may have it has if it is registered."""
    games = [name for name, rule_set in GAMES.items() if rule_set.offer.family == family]
    paths = [path.replace("<family>", family).replace("<rule set>", game) for game in games]
    is_there = all((ROOT / place).exists() or (ROOT / f"{place}.py").exists() for place in paths)
    assert is_there if path not in REGISTRIES else is_there or family not in REGISTRIES[path]


@pytest.mark.parametrize("family", FAMILIES)
def test_family_is_registered(family: str) -> None:
    """On the wire and with rule sets, under one name."""
    assert FAMILIES[family].view.__struct_config__.tag == family
    assert family in {rule_set.offer.family for rule_set in GAMES.values()}


@pytest.mark.parametrize("family", LATER)
def test_no_other_module_knows_a_family(family: str) -> None:
    """A module that names one, in code and not in prose, is in the table, or it is of that family."""
    listed = {path.replace("<family>", family) for path in ROWS}
    names = {family} | {name for name, rule_set in GAMES.items() if rule_set.offer.family == family}
    knowing = set()
    for part in ("protocol", "server", "client"):
        for file in (ROOT / part).rglob("*.py"):
            path = file.relative_to(ROOT).as_posix()
            is_its_own = any(path in (own, f"{own}.py") or path.startswith(f"{own.rstrip('/')}/") for own in listed)
            if is_its_own:
                continue
            text = file.read_text("utf-8")
            named = {name for name in names if name in text}  # few modules have to be parsed
            if named and any(name in words for words in words_in(text) for name in named):
                knowing.add(path)
    assert not knowing


@pytest.mark.parametrize("family", LATER)
def test_page_knows_a_family_in_its_board_alone(family: str) -> None:
    """Its other modules name no event of one: what they need is in a table that is written from the types."""
    folder = ROOT / "server/put_server/web"
    own = [*folder.glob("*.js"), *folder.glob("seal/*.js")]
    knowing = {file.name for file in own if re.search(rf"\b{family}\b", file.read_text("utf-8"))}
    assert knowing <= {"board.js", "tables.js"}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The project with one family more."""
    with project_copy(tmp_path_factory.mktemp("project")) as root:
        (root / "tests/vectors/thirty").mkdir()
        for name, place in (THIRTY | VECTORS).items():
            (root / place).write_text((Path(__file__).parent / "thirty" / f"{name}.txt").read_text("utf-8"), "utf-8")
        run(root, "-c", WRITE, *VECTORS.values())
        yield root


@pytest.mark.timeout(300)
def test_family_of_four_files_is_told_of_everywhere(copy: Path) -> None:
    """The schema, the reference, the index and the tables of the checkers have it; nothing is left to write."""
    assert "thirty.draw" in (copy / "docs/protocol.schema.json").read_text("utf-8")
    assert "| [`thirty`](thirty.md) |" in (copy / "docs/games/README.md").read_text("utf-8")
    assert '"thirty": {"packs": [["", "french-52"]]}' in (copy / "server/put_server/web/seal/tables.js").read_text(
        "utf-8"
    )


@pytest.mark.timeout(300)
def test_family_of_four_files_plays_everywhere(copy: Path) -> None:
    """Its vectors, the laws of conformance, its words by eye and by ear, sealed deals and both their checkers, house
    players, line mode and the full screen, environments, and the suite for clients: every test that is made for each
    rule set passes for this one."""
    folders = (
        "fairness",
        "games",
        "conformance",
        "docs",
        "house",
        "env",
        "seal",
        "text",
        "transport",
        "client",
        "client_conformance",
    )
    assert count_passed(copy, "thirty", *folders) > 100


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
