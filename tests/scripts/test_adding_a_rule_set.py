"""The steps of CONTRIBUTING.md for a new rule set, taken in a copy of the project: nothing else is needed."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PARTS = ("protocol", "server", "client", "scripts", "tests", "docs")
UNFINISHED = shutil.ignore_patterns("*.pyc.*")
"""Bytecode that is being written. What is whole is copied, so that nothing is compiled again."""
KEPT = {"HYPOTHESIS_STORAGE_DIRECTORY": str(ROOT / ".hypothesis")}
"""The constants that Hypothesis has found in the modules, which it knows again by their text: to look for them once
more took a third of the time."""
FILES = ("pyproject.toml", "CHANGELOG.md", "README.md", "CONTRIBUTING.md")

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
        _CERTAIN,
        _DEAL_HIGH,
        "The first to three points wins the game, and the other pays a stake.",
        _FINAL,
    ),
    seats=(2,),
    play=SEVENTEENTH_CENTURY,
    options=("cut", "target"),
    pack=28,
    target=3,
)


"""

WRITE = """import sys
from scripts.docs import main as docs
from tests.games.vectors import main as vectors
assert not vectors(["--write", *sys.argv[1:]])
docs([])
sys.exit(docs(["--check"]))
"""
"""Both programs, by one process."""

VECTOR = """source: Parlett 1994
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


def run(copy: Path, *command: str) -> str:
    """What a command says in the copy, which must succeed."""
    path = os.pathsep.join(str(copy / part) for part in ("protocol", "server", "client"))
    ended = subprocess.run(
        [sys.executable, *command],
        cwd=copy,
        env={**KEPT, **os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def insert(file: Path, text: str, *, before: str) -> None:
    """Put a text into a file."""
    whole = file.read_text("utf-8")
    assert whole.count(before) == 1
    file.write_text(whole.replace(before, text + before), "utf-8")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The project with one rule set more."""
    root = tmp_path_factory.mktemp("project")
    for part in PARTS:
        shutil.copytree(ROOT / part, root / part, ignore=UNFINISHED)
    bytecode = root  # it is beside the code
    if sys.pycache_prefix is not None:
        kept, bytecode = (Path(sys.pycache_prefix, *folder.parts[1:]) for folder in (ROOT, root))
        for part in PARTS:
            if (kept / part).is_dir():
                shutil.copytree(kept / part, bytecode / part, ignore=UNFINISHED)
    for name in FILES:
        shutil.copy(ROOT / name, root / name)
    insert(root / "server/put_rules/put/rule_sets.py", RULE_SET, before="RULE_SETS = ")
    vector = root / "tests/vectors/put-short/ten.txt"
    vector.parent.mkdir()
    vector.write_text(VECTOR, "utf-8")
    insert(
        root / "CHANGELOG.md", "- `put-short`: Put with the short pack, for two (Parlett 1994).\n", before="- `truc`: "
    )
    run(root, "-c", WRITE, str(vector))
    yield root
    shutil.rmtree(root)
    shutil.rmtree(bytecode, ignore_errors=True)


@pytest.mark.timeout(300)
def test_docs_are_complete(copy: Path) -> None:
    """The index has its row, the protocol its questions, and it has a page with its rules and options. When they
    were written, nothing was left to write."""
    assert "| [`put-short`](put-short.md) |" in (copy / "docs/games/README.md").read_text("utf-8")
    assert "**`put-short`**" in (copy / "docs/reference.md").read_text("utf-8")
    page = (copy / "docs/games/put-short.md").read_text("utf-8")
    assert "- Two players, three cards each, from a pack of 28.\n" in page
    assert "| `target` | `3` |" in page
    assert "| `pack` |" not in page
    assert '"put-short": {"packs": [["", "put-28"]]}' in (copy / "server/put_server/web/seal/tables.js").read_text(
        "utf-8"
    )


@pytest.mark.timeout(300)
def test_laws_hold_and_house_players_play_it(copy: Path) -> None:
    """Its vectors, the laws of conformance, its words, its page and the house players: every test that is made for each
    rule set passes for this one."""
    folders = ("games", "conformance", "docs", "house", "seal", "env")
    said = run(
        copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", "put-short", "--timeout=150",
        "--assert=plain",  # most of the modules it collects are for other tests, and need not be rewritten
        *(f"tests/{folder}" for folder in folders),
    )  # fmt: skip
    passed = re.search(r"(\d+) passed", said)
    assert passed is not None
    assert int(passed[1]) > 60
