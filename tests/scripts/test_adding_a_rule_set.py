"""The steps of CONTRIBUTING.md for a new rule set, taken in a copy of the project: nothing else is needed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.scripts.project_copy import WRITE, count_passed, project_copy, run

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
        _DEAL,
        _game(", and the other pays a stake"),
        _FINAL,
    ),
    seats=(2,),
    play=SEVENTEENTH_CENTURY,
    options=("cut", "target"),
    pack=28,
    target=3,
)


"""

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


def insert(file: Path, text: str, *, before: str) -> None:
    """Put a text into a file."""
    whole = file.read_text("utf-8")
    assert whole.count(before) == 1
    file.write_text(whole.replace(before, text + before), "utf-8")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The project with one rule set more."""
    with project_copy(tmp_path_factory.mktemp("project")) as root:
        insert(root / "server/put_rules/put/rule_sets.py", RULE_SET, before="RULE_SETS = ")
        vector = root / "tests/vectors/put-short/ten.txt"
        vector.parent.mkdir()
        vector.write_text(VECTOR, "utf-8")
        line = "- `put-short`: Put with the short pack, for two (Parlett 1994).\n"
        insert(root / "CHANGELOG.md", line, before="- `truc`: ")
        run(root, "-c", WRITE, str(vector))
        yield root


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
    tables = (copy / "server/put_server/web/seal/tables.js").read_text("utf-8")
    assert '"put-short": {"packs": [["", "put-28"]]}' in tables


@pytest.mark.timeout(300)
def test_laws_hold_and_house_players_play_it(copy: Path) -> None:
    """Its vectors, the laws of conformance, its words, its page and the house players: every test that is made for each
    rule set passes for this one."""
    assert count_passed(copy, "put-short", "games", "conformance", "docs", "house", "seal", "env", "fairness") > 60
