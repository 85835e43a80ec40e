"""The steps of CONTRIBUTING.md for a rule set and for a game of another family, taken in a copy of the project.

Nothing else is needed: the table of a family's files is whole, and a small game is added by it.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from put_client.tui.boards import BOARDS
from put_env.families import CODECS
from put_env.kernels import KERNELS
from put_protocol.games.families import FAMILIES
from put_rules.registry import GAMES
from put_server.house import registry as house
from put_text.presenters import PRESENTERS
from tests.conformance.secrets import OWN
from tests.scripts.project_copy import WRITE, passed_tests, project_copy, run

ROOT = Path(__file__).parents[2]
_, _, _REST = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("### A game of another family")
ROWS = dict(re.findall(r"^\| `([^`]+)` \| .* \| ([^|]+) \|$", _REST.partition("\n### ")[0], re.MULTILINE))
"""By path: when it is needed."""

REGISTRIES = {
    "server/put_server/house/<family>/": house.FAMILIES,
    "protocol/put_text/presenters/<family>.py": PRESENTERS,
    "client/put_client/tui/boards/<family>": BOARDS,
    "server/put_env/families/<family>.py": CODECS,
    "server/put_env/kernels/<family>.py": KERNELS,
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

RULE_SET = """PUT_SHORT = PutRules(
    name="put-short",
    title="Put with the short pack",
    source="Parlett 1994",
    summary="Put for two from a pack of 28, without the cards from 4 to 9.",
    prose=(
        "Two players, three cards each, from a pack of 28.",
        "Cards rank 3 2 A K Q J 10, the three being the best. Suits do not matter.",
        "Eldest, who did not deal, is first to speak and to play.",
        *_TRICK,
        *_MOST_TRICKS,
        'Before any card that you lead or play you may say "I put", if nobody has yet in this hand.',
        "The other throws in, and you have a point; or sees, and the winner of the hand wins the game.",
        _DRAWN_PUT,
        "rules-certain",
        _DEAL,
        Line("target", "rules-game-for-two"),
        _FINAL,
    ),
    seats=(2,),
    play=SEVENTEENTH_CENTURY,
    options=("cut", "target"),
    pack=28,
    target=3,
)


"""

RULE_SET_VECTOR = """source: Parlett 1994
claim: The ten is the worst card of the pack, and is beaten by the knave.
game: put-short
seats: 2
options: default
dealer: 0

> pack: 10c Jd Jc Qd 10d 10h
> seat 1: play 10c
> seat 0: play Jd
> seat 0: play Qd
> seat 1: play Jc
"""

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
def test_other_modules_of_the_page_know_no_family(family: str) -> None:
    """Those outside the table name no event of one: what they need is in tables that are written from the types."""
    folder = ROOT / "server/put_server/web"
    own = [path for path in folder.rglob("*.js") if "vendor" not in path.parts]
    knowing = {file.name for file in own if re.search(rf"\b{family}\b", file.read_text("utf-8"))}
    assert knowing <= {"packs.js", "tables.js", *(Path(row).name for row in ROWS if row.endswith(".js"))}


def insert(file: Path, text: str, *, before: str) -> None:
    """Put a text into a file."""
    whole = file.read_text("utf-8")
    assert whole.count(before) == 1
    file.write_text(whole.replace(before, text + before), "utf-8")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The project with one rule set more, and with one family."""
    with project_copy(tmp_path_factory.mktemp("project")) as root:
        insert(root / "server/put_rules/put/rule_sets.py", RULE_SET, before="RULE_SETS = ")
        line = "- `put-short`: Put with the short pack, for two (Parlett 1994).\n"
        insert(root / "CHANGELOG.md", line, before="- `truc`: ")
        vector = root / "tests/vectors/put-short/ten.txt"
        vector.parent.mkdir()
        vector.write_text(RULE_SET_VECTOR, "utf-8")
        (root / "tests/vectors/thirty").mkdir()
        for name, place in (THIRTY | VECTORS).items():
            (root / place).write_text((Path(__file__).parent / "thirty" / f"{name}.txt").read_text("utf-8"), "utf-8")
        run(root, "-c", WRITE, str(vector), *VECTORS.values())
        yield root


@pytest.mark.timeout(300)
def test_docs_are_complete(copy: Path) -> None:
    """The index has a row of each, the reference their questions or actions, the checkers their packs, and the rule set
    has a page with its rules and options. When they were written, nothing was left to write."""
    index, reference = ((copy / "docs" / page).read_text("utf-8") for page in ("games/README.md", "reference.md"))
    assert "| [`put-short`](put-short.md) |" in index
    assert "| [`thirty`](thirty.md) |" in index
    assert "**`put-short`**" in reference
    assert "thirty.draw" in (copy / "docs/protocol.schema.json").read_text("utf-8")
    page = (copy / "docs/games/put-short.md").read_text("utf-8")
    assert "- Two players, three cards each, from a pack of 28.\n" in page
    assert "| `target` | `3` |" in page
    assert "| `pack` |" not in page
    tables = (copy / "server/put_server/web/blind/packs.js").read_text("utf-8")
    assert '"put-short": {"packs": [["", "put-28"]], "hands": {"2": 3}}' in tables
    assert '"thirty": {"packs": [["", "french-52"]], "is_read": true}' in tables


@pytest.mark.timeout(300)
def test_both_play_everywhere(copy: Path) -> None:
    """Vectors, the laws of conformance, words by eye and by ear, deals and their checkers, house players,
    line mode and the full screen, environments, and the suite for clients: every test that is made for each rule set
    passes for these."""
    folders = (
        *("fairness", "games", "conformance", "docs", "house", "env", "text", "transport", "client"),
        "client_conformance",
    )
    passed = passed_tests(copy, ("put-short", "thirty"), *folders)
    assert passed["thirty"] > 100
    assert passed["put-short"] > 100


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
