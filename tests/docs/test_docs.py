"""The pages of rules and the code tell one story."""

import re
from pathlib import Path

import pytest

from put_protocol.games.put import GameEnded
from put_rules.registry import GAMES
from put_rules.table_options import OFFERS
from put_text.notation import EVENTS, FILE_LENGTH, ITEMS, LARGEST, LINE_LENGTH, read, write
from scripts.docs import FOLDER, MarkError, main, pages, rewritten

GAME_PAGES = FOLDER / "games"
NO_GAME = {"README", "laws"}
"""Pages beside those of the rule sets."""


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(FOLDER)))
def test_marked_parts_are_what_the_code_says(page: Path) -> None:
    """What `scripts/docs` would write is there already."""
    text = page.read_text("utf-8")
    assert rewritten(text) == text, "stale: run scripts/docs"


@pytest.mark.parametrize("name", GAMES)
def test_rule_set_has_its_page(name: str) -> None:
    """Every registered rule set has a page under its name and title, with its options."""
    offer = GAMES[name].offer
    text = (GAME_PAGES / f"{name}.md").read_text("utf-8")
    assert offer.title in text.splitlines()[0]
    assert f"<!-- options: {name} -->" in text


def test_page_has_its_rule_set() -> None:
    """No page is left of a rule set that is not registered."""
    assert {page.stem for page in GAME_PAGES.glob("*.md")} - NO_GAME <= set(GAMES)


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_guide_names_files_that_exist(page: str) -> None:
    """Whoever follows a guide finds every file and folder where it says."""
    text = (FOLDER.parent / page).read_text("utf-8")
    named = re.findall(r"`((?:protocol|server|client|scripts|tests|docs)/[^`<\s]*)`", text)
    assert len(named) > 20
    assert [path for path in named if not (FOLDER.parent / path).exists()] == [], "moved or renamed"


def test_stale_part_is_rewritten_and_the_rest_left() -> None:
    """Only what is between the markers changes, and writing twice changes nothing."""
    name = next(iter(GAMES))
    text = f"before\n<!-- options: {name} -->\nold\n<!-- end -->\nafter\n"
    fresh = rewritten(text)
    lines = fresh.splitlines()
    assert lines[:2] + lines[-2:] == ["before", f"<!-- options: {name} -->", "<!-- end -->", "after"]
    common = {option.name for option in OFFERS}
    assert "old" not in lines
    assert all((f"| `{option.name}` |" in fresh) != (option.name in common) for option in GAMES[name].offer.options)
    assert rewritten(fresh) == fresh


def test_notation_page_shows_a_whole_game() -> None:
    """Its example is a sheet as it is written today, from the deal to the payment, and what the page says of limits is
    so."""
    text = (FOLDER / "notation.md").read_text("utf-8")
    _, example, _ = text.split("```", 2)
    sheet = read(example.removeprefix("\n"))
    assert write(sheet) == example.removeprefix("\n")
    assert isinstance(sheet.steps[-1].events[-1], GameEnded)
    assert all(f"{limit:,}" in text for limit in (FILE_LENGTH, LINE_LENGTH, EVENTS, ITEMS, LARGEST))


@pytest.mark.parametrize(
    "text",
    [
        "<!-- options: put-1674 -->\n",
        "<!-- end -->\n",
        "<!-- options: whist -->\n<!-- end -->\n",
        "<!-- options: put-1674 -->\n<!-- options: put-1674 -->\n<!-- end -->\n",
    ],
)
def test_marker_that_cannot_be_followed_is_named(text: str) -> None:
    """A part without end or beginning, or of no rule set, is an error and not silently skipped."""
    with pytest.raises(MarkError):
        rewritten(text)


def test_check_names_stale_files_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--check` exits 1 and leaves the file; without it the file is written, and then nothing is stale."""
    page = tmp_path / "docs" / "page.md"
    page.parent.mkdir()
    page.write_text("<!-- options: put-1674 -->\n<!-- end -->\n", "utf-8")
    monkeypatch.setattr("scripts.docs.ROOT", tmp_path)
    monkeypatch.setattr("scripts.docs.pages", lambda: (page,))
    before = page.read_text("utf-8")
    assert main(["--check"]) == 1
    assert "page.md" in capsys.readouterr().out
    assert page.read_text("utf-8") == before
    assert main([]) == 0
    assert main(["--check"]) == 0
