"""Pages: the rules of the game at hand as the server tells them, and how a page is scrolled."""

import re

import pytest
from msgspec.structs import replace
from msgspec.structs import replace as altered

from put_client.tui.model import Help, Model, PageKind
from put_client.tui.update.dispatch import begin
from put_client.tui.widgets.canvas import Size, width_of
from put_protocol.messages import LobbyState, Sit, TableSnapshot, Welcome
from put_protocol.offers import RuleChange
from put_protocol.seats import GALLERY
from put_protocol.table_info import TableState
from put_text.catalogue import ENGLISH, every_message, has_message, languages, say, speaking
from tests.client.tui import sample_models

TOLD = altered(sample_models.OFFER, rules=("Cards rank three high.", "Before any card you may put. " * 5))
WITH_RULES: Welcome = altered(sample_models.WELCOME, games=(TOLD, sample_models.OTHER_OFFER))


def at_table() -> Model:
    model = sample_models.your_lead()
    return Model(welcome=WITH_RULES, table=model.table)


def test_rules_are_a_key_away_at_the_table() -> None:
    """Every line the server tells, and what this table has chosen, with its meaning."""
    text = sample_models.screen(sample_models.send_keys(at_table(), "r")[0], sample_models.LARGE)
    assert "Put in the seventeenth century (Cotton 1674)" in text
    assert "· Cards rank three high." in text
    assert "· Before any card you may put." in text
    assert "At this table" in text
    assert "target 5: points that win the game" in text


def test_rules_are_those_of_the_table_selected_in_the_lobby() -> None:
    """Before anybody sits down at it; with no table, those of the first game offered."""
    lobby = Model(welcome=WITH_RULES)
    assert "What a table may choose" in sample_models.screen(
        sample_models.send_keys(lobby, "r")[0], sample_models.LARGE
    )
    other = altered(sample_models.info_of("Ann", None, state=TableState.FILLING), game="put-1800")
    selected = sample_models.after(lobby, LobbyState(tables=(other,), begins=True))
    text = sample_models.screen(sample_models.send_keys(selected, "r")[0], sample_models.LARGE)
    assert "Put in 1800 (Hoyle 1800)" in text
    assert "At this table" in text


def test_rules_are_as_the_options_of_the_table_have_them() -> None:
    """On the page of rules, and beside the table where there is room."""
    target = altered(sample_models.OFFER.options[1], changes=(RuleChange(0, "The game is to {}."),))
    offer = altered(TOLD, options=(target,))
    seven = altered(sample_models.info_of("Will", "Moll"), options={"target": 7})
    snapshot = TableSnapshot(table=sample_models.TABLE, viewer=GALLERY, number=10, info=seven)
    model, _ = begin(altered(WITH_RULES, games=(offer,)), Sit(0, sample_models.TABLE))
    model = sample_models.after(model, snapshot)
    text = sample_models.screen(sample_models.send_keys(model, "r")[0], sample_models.LARGE)
    assert "· The game is to 7." in text
    assert "Cards rank three high." not in text
    assert model.table is not None
    assert model.table.offer == offer.under({"target": 7})


def test_rules_of_a_server_that_tells_none_are_its_summary() -> None:
    """A server of an earlier version."""
    assert "· Most tricks win the hand and a point." in sample_models.screen(
        sample_models.send_keys(sample_models.your_lead(), "r")[0], sample_models.LARGE
    )


@pytest.mark.parametrize("size", [Size(60, 16), sample_models.SMALL, Size(200, 60)])
def test_page_can_be_read_to_its_end_and_back(size: Size) -> None:
    """By lines, by pages, or by the wheel of the mouse."""
    model = replace(sample_models.send_keys(at_table(), "r")[0], size=size)
    end, _ = sample_models.send_keys(model, *["pagedown"] * 20)
    assert "cut high: who deals first" in sample_models.screen(end, size)
    assert sample_models.send_keys(model, "end")[0].overlay == end.overlay
    assert sample_models.send_keys(end, "home")[0].overlay == Help(page=PageKind.RULES)
    low = replace(model, size=Size(60, 16))
    wheel, _ = sample_models.send_keys(low, *["<scroll-down>"] * 3)
    assert wheel.overlay == Help(page=PageKind.RULES, down=3)
    assert sample_models.send_keys(wheel, "<scroll-up>", "up", "pageup")[0].overlay == Help(page=PageKind.RULES)


def test_page_is_turned_by_what_is_seen_of_it() -> None:
    """PgDn brings the last line that was seen to the top; Space does the same."""
    size = Size(80, 16)
    model = replace(sample_models.send_keys(sample_models.your_lead(), "?")[0], size=size)
    before = sample_models.screen(model, size).split("\n")[1:-2]
    for key in ("pagedown", " "):
        turned = sample_models.screen(sample_models.send_keys(model, key)[0], size).split("\n")[1:-2]
        assert turned[0] == before[-1]
        assert turned[1] not in before


def test_question_mark_opens_the_help_from_a_page_and_closes_it() -> None:
    """It toggles the help, whatever was open."""
    model, _ = sample_models.send_keys(at_table(), "r", "?")
    assert model.overlay == Help(page=PageKind.HELP)
    assert sample_models.send_keys(model, "?")[0].overlay is None


def test_page_asked_for_by_name_is_the_same() -> None:
    """/rules, /hands and /help."""
    for word, page in (("rules", PageKind.RULES), ("hands", PageKind.STORY), ("help", PageKind.HELP)):
        typed, _ = sample_models.send_keys(at_table(), "/", *word, "enter")
        assert typed.overlay == Help(page=page)
    assert sample_models.arrive("Will", "Moll").overlay is None


@pytest.mark.parametrize("language", languages())
def test_each_mark_fits_the_column_of_the_help(language: str) -> None:
    """With a space before what it means."""
    with speaking(language):
        marks = [one for one in every_message(ENGLISH, "keys") if re.fullmatch(r"keys-mark-.*(?<!-means)", one)]
        assert marks
        assert {mark: say(mark) for mark in marks if has_message(f"{mark}-means") and width_of(say(mark)) > 15} == {}
