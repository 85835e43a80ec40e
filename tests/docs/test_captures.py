"""The captures in the page of the terminal: every scene has its place, and a place is filled as it should be."""

import pytest

from tests.docs.captures import PAGE, SCENES, CaptureError, replaced


def test_page_has_a_place_for_every_scene() -> None:
    """What `scripts/captures` takes can be put there, and nothing else is waited for."""
    page = PAGE.read_text("utf-8")
    marks = [line for line in page.splitlines() if line.startswith("<!-- capture: ")]
    assert sorted(marks) == sorted(f"<!-- capture: {name} -->" for name in SCENES)
    assert replaced(page, {name: name for name in SCENES}).count("```text\n") == len(SCENES)


def test_page_shows_every_scene() -> None:
    """None has been left empty."""
    page = PAGE.read_text("utf-8")
    for name in SCENES:
        _, _, rest = page.partition(f"<!-- capture: {name} -->\n```text\n")
        assert rest.partition("\n```\n<!-- end of capture -->")[0].strip()


def test_capture_replaces_what_was_there_and_nothing_else() -> None:
    """And twice is once."""
    other = "<!-- capture: two -->\nkept\n<!-- end of capture -->\n"
    page = f"before\n<!-- capture: one -->\nold\n<!-- end of capture -->\n{other}"
    fresh = replaced(page, {"one": "new"})
    assert fresh == page.replace("old", "```text\nnew\n```")
    assert replaced(fresh, {"one": "new"}) == fresh


@pytest.mark.parametrize(
    "page",
    [
        "",
        "<!-- capture: one -->\n",
        "<!-- capture: one -->\n<!-- capture: two -->\n<!-- end of capture -->\n",
    ],
)
def test_capture_without_a_place_is_an_error(page: str) -> None:
    """A screen that was taken for nothing, and a place without an end."""
    with pytest.raises(CaptureError):
        replaced(page, {"one": "new"})
