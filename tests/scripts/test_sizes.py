"""The counts of `scripts/check --sizes`."""

import subprocess
from pathlib import Path

import pytest

from scripts import sizes
from scripts.sizes import COUNTS, SourceFile


def test_lines_are_of_code_outside_tests_and_documentation() -> None:
    """Tests, documentation and its examples are not in the budget."""
    files = [
        SourceFile("server/a.py", "x = 1\ny = 2\n"),
        SourceFile("server/web/b.js", "let x;\n"),
        SourceFile("tests/test_a.py", "x = 1\n"),
        SourceFile("docs/examples/bot.py", "x = 1\n"),
        SourceFile("docs/a.md", "Two words.\n<!-- messages -->\nMade of code.\n<!-- end -->\n"),
    ]
    assert sizes.lines(files) == 3
    assert COUNTS["words of documentation outside generated parts"](files) == 2


def test_counts_find_what_a_reader_stumbles_over() -> None:
    """Docstrings that begin with a clause or say little, vague subjects, and names that occur twice are counted."""
    files = [
        SourceFile("a/run.py", '"""What runs."""\nclass Run:\n    """A short one."""\n# nobody waits\n'),
        SourceFile("b/run.py", '"""A module of many words, whole."""\nclass Run:\n    pass\n'),
    ]
    assert COUNTS["docstrings"](files) == 3
    assert COUNTS["docstrings that begin with a clause"](files) == 1
    assert COUNTS["docstrings of four words or fewer"](files) == 1
    assert COUNTS["lines with nobody, somebody, whoever, whatever"](files) == 1
    assert COUNTS["basenames that occur twice"](files) == 1
    assert COUNTS["class names that occur twice"](files) == 1


def test_budget_tells_the_difference_to_the_main_branch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a branch the lines that it adds are told, whether they are committed or not."""

    def git(*words: str) -> None:
        identity = ("-c", "user.name=Moll", "-c", "user.email=moll@example.org")
        subprocess.run(["git", *identity, *words], cwd=tmp_path, check=True, capture_output=True)

    monkeypatch.setattr(sizes, "ROOT", tmp_path)
    (tmp_path / "a.py").write_text("x = 1\n")
    git("init", "--initial-branch=main")
    git("add", "-A")
    git("commit", "-m", "Begin")
    assert sizes.budget() == "1 lines of Python and JavaScript outside tests"
    git("switch", "-c", "change")
    (tmp_path / "a.py").write_text("x = 1\ny = 2\n")
    git("commit", "-a", "-m", "Change")
    (tmp_path / "b.py").write_text("z = 3\n")
    assert sizes.budget() == "3 lines of Python and JavaScript outside tests (+2 on this branch)"
