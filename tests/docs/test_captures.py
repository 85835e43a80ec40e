"""The captures in the pages: every scene has its place, and a place is filled as it should be."""

import pytest

from tests.docs.captures import PAGES, SCENES, CaptureError, replaced

WHOLE = "".join(page.read_text("utf-8") for page in PAGES)


def test_pages_have_a_place_for_every_scene() -> None:
    """What `scripts/captures` takes can be put there, and nothing else is waited for."""
    marks = [line for line in WHOLE.splitlines() if line.startswith("<!-- capture: ")]
    assert sorted(marks) == sorted(f"<!-- capture: {name} -->" for name in SCENES)
    assert replaced(WHOLE, {name: name for name in SCENES}).count("```text\n") == len(SCENES)


def test_pages_show_every_scene() -> None:
    """None has been left empty."""
    for name in SCENES:
        _, _, rest = WHOLE.partition(f"<!-- capture: {name} -->\n```text\n")
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
        "<!-- capture: one -->\n",
        "<!-- capture: one -->\n<!-- capture: two -->\n<!-- end of capture -->\n",
    ],
)
def test_place_without_an_end_is_an_error(page: str) -> None:
    """Nothing of the page is lost behind it."""
    with pytest.raises(CaptureError):
        replaced(page, {"one": "new"})
