"""The threat model names tests that exist, and files and headings that are there."""

import re

from scripts.docs import FOLDER, ROOT

PAGE = FOLDER / "threat-model.md"


def anchor(heading: str) -> str:
    """The address of a heading, as hosting sites make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_every_test_that_the_threat_model_names_exists() -> None:
    """Each claim of what holds names at least one."""
    text = PAGE.read_text("utf-8")
    tests = "".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    defined = set(re.findall(r"def (test_\w+)", tests))
    named = re.findall(r"`(test_\w+)`", text)
    assert len(named) > 60
    assert set(named) - defined == set()
    for table in re.findall(r"\| holds \| by \|\n\|---\|---\|\n((?:\|.*\n)+)", text):
        assert all("`test_" in line for line in table.splitlines())


def test_security_pages_lead_to_what_is_there() -> None:
    """README leads to both, and each of their links to a file and a heading."""
    for name in ("SECURITY.md", "docs/threat-model.md"):
        page = ROOT / name
        assert f"({name})" in (ROOT / "README.md").read_text("utf-8")
        for link in re.findall(r"\]\(([^)]+)\)", page.read_text("utf-8").replace("\n", " ")):
            path, _, heading = link.partition("#")
            found = page.parent / path if path else page
            assert found.exists(), link
            headings = re.findall(r"^#+ (.*)$", found.read_text("utf-8"), re.MULTILINE)
            assert not heading or heading in map(anchor, headings), link


def test_security_page_invents_no_address() -> None:
    """Reports go to the hosting site; a mail address here would be nobody's."""
    assert "@" not in (ROOT / "SECURITY.md").read_text("utf-8")
