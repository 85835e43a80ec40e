"""Deals on the screen: the mark in the header, and the page of a deal."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from put_client.sdk.deal_checks import CheckFailed, DealChecked, DealSummary, ProofStanding, Tally, Unproved
from put_client.sdk.errors import Cheated, Objection
from put_client.tui.model import Help, Model, PageKind, PromptKind, Typing
from put_client.tui.widgets.canvas import Size
from put_client.tui.widgets.theme import ASCII, STRONG, UNICODE, Theme
from put_protocol.cards import Card
from put_protocol.messages import TableSnapshot
from put_protocol.seats import Seat
from tests.client import deal_reports
from tests.client.deal_reports import CAUGHT, NOTHING, WHY, deal
from tests.client.tui.sample_models import (
    LARGE,
    SMALL,
    TABLE,
    after,
    dealt,
    frame,
    info_of,
    screen,
    send_keys,
    table_of,
    typed,
    view_of,
    with_decision,
    your_lead,
)

SIZES = (Size(60, 16), SMALL, LARGE, Size(200, 60))
HELD = deal(7, ("3s", 0), ("10h", 0), ("Qd", 1))


def checked(
    model: Model, given: DealSummary | None = HELD, standing: ProofStanding | None = ProofStanding.PROVED
) -> Model:
    return after(model, deal_reports.checked(given, standing, TABLE))


def not_proved(model: Model, why: Unproved = Unproved.PLAIN, tally: Tally = NOTHING) -> Model:
    """The deal in play is not."""
    return after(model, deal_reports.unproved(why, tally, TABLE))


def sitting() -> Model:
    """Three deals, of which the second was made anew."""
    model = your_lead()
    for given in (deal(5, ("Ks", 1)), deal(6, blamed=1), HELD):
        model = checked(model, given)
    return model


def caught(evidence: Path | None = None) -> Model:
    """The dealer was, while we were asked."""
    model = checked(your_lead(), standing=ProofStanding.BROKEN)
    return after(model, CheckFailed(TABLE, Cheated(TABLE, (CAUGHT,), evidence)))


# --- a deal that is dealt blind --------------------------------------------------------------------------------------


def blind_sitting() -> Model:
    """Four deals, of which the second was made anew, and the last is still shuffled."""
    model = your_lead()
    for told in (
        DealSummary(1, 6, (Seat(0), Seat(1)), cards=((Card("Ks"), None), (Card("2h"), None))),
        DealSummary(1, 7, blamed=Seat(1)),
        DealSummary(
            2,
            1,
            (Seat(0),),
            held=(Seat(1),),
            cards=((Card("3s"), Seat(0)), (Card("10h"), Seat(1)), (Card("Qd"), Seat(0))),
            unseen=((Seat(1), 2),),
        ),
        DealSummary(2, 2, (Seat(0),), awaited=(Seat(1),)),
    ):
        model = after(model, DealChecked(TABLE, ProofStanding.PROVED, told))
    return model


PAGES = (
    ("Deal 2", "shuffle by you, each proved", "awaited Moll"),
    (
        "Deal 1",
        "keys    the server can see the cards of Moll",
        "cards   3♠ Q♦   you",
        "        10♥   Moll",
        "unseen  2 cards of Moll",
    ),
    ("Deal 7", "Deal 7 was made anew because of Moll, which is proved."),
    ("Deal 6", "shuffle by you and Moll, each proved", "cards   K♠ 2♥   turned up for all"),
)


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_page_of_a_blind_deal(size: Size) -> None:
    """Who shuffled it, whose cards the server can see, and every card that was seen; the last first, the others by the
    arrow."""
    model, _ = send_keys(blind_sitting(), "v")
    for page in PAGES:
        shown = screen(model, size)
        for words in page:
            assert words in shown
        model, _ = send_keys(model, "left")


# --- the mark --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("standing", "unicode", "plain"),
    [
        (ProofStanding.PROVED, "blind ✓", "blind ok"),
        (ProofStanding.AWAITED, "blind …", "blind ..."),
        (ProofStanding.UNPROVED, "not proved", "not proved"),
        (ProofStanding.BROKEN, "BROKEN", "BROKEN"),
    ],
)
def test_mark_stands_at_the_end_of_the_header(size: Size, standing: ProofStanding, unicode: str, plain: str) -> None:
    """In words and signs that differ, whatever has to give way for them."""
    model = checked(your_lead(), standing=standing)
    for theme, mark in ((UNICODE, unicode), (ASCII, plain)):
        assert screen(model, size, theme).split("\n")[0].endswith(mark)


MARKS = {
    Unproved.PLAIN: "not proved: plain",
    Unproved.MISSED: "not proved: part missed",
    Unproved.BLIND: "not proved: blind",
    Unproved.PACK: "not proved: pack unknown",
}


def test_every_standing_and_reason_has_its_mark() -> None:
    """None is without one."""
    assert set(MARKS) == set(Unproved)
    assert len({text_of_mark(standing) for standing in ProofStanding}) == len(ProofStanding)


def text_of_mark(standing: ProofStanding) -> str:
    return screen(checked(your_lead(), standing=standing)).split("\n")[0][-12:]


@pytest.mark.parametrize("size", [SMALL, LARGE])
@pytest.mark.parametrize("theme", [UNICODE, ASCII])
def test_card_that_is_not_proved_has_a_mark_of_its_own(size: Size, theme: Theme) -> None:
    """One that is proved has none, and neither has any where nothing is checked."""
    unproved = f"{theme.card_corners[0]}?"
    for model, count in ((checked(your_lead()), 0), (your_lead(), 0), (not_proved(your_lead()), 3)):
        assert marks_on_cards(model, size, theme, unproved) == (count,)


def marks_on_cards(model: Model, size: Size, theme: Theme, *marks: str) -> tuple[int, ...]:
    shown = screen(model, size, theme)
    return tuple([shown.count(mark) for mark in marks])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("why", "mark"), MARKS.items())
def test_mark_of_a_deal_that_is_not_proved_says_why(size: Size, why: Unproved, mark: str) -> None:
    """Whole, with the table's number before it."""
    for theme in (UNICODE, ASCII):
        header = screen(not_proved(your_lead(), why), size, theme).split("\n")[0]
        assert header.endswith(f" {mark}")
        assert "Table 3" in header


def test_mark_is_not_there_before_the_first_deal() -> None:
    """Where nothing was dealt there is nothing to be told."""
    header = screen(your_lead()).split("\n")[0]
    assert not any(word in header for word in ("blind", "checked", "BROKEN"))


def test_mark_is_loud_only_where_something_is_wrong() -> None:
    """A style that shows without colours, too."""
    styles = {standing: frame(checked(your_lead(), standing=standing)).lines[0][-2:] for standing in ProofStanding}
    loud = [standing for standing, line in styles.items() if any(style == "class:alarm" for style, _ in line)]
    assert loud == [ProofStanding.BROKEN]
    bold = [standing for standing, line in styles.items() if any(style == STRONG for style, _ in line)]
    assert bold == [ProofStanding.UNPROVED]


@pytest.mark.parametrize(("why", "says"), WHY.items())
def test_deal_that_is_not_proved_is_in_the_log_at_once(why: Unproved, says: str) -> None:
    """One entry, whatever deals follow without proof; and none for one that is proved."""
    model = checked(your_lead())
    before = len(table_of(model).log.entries)
    model = not_proved(model, why)
    assert table_of(model).log.entries[-1].text == f"This deal is not proved: {says}."
    model = not_proved(model, why)
    assert len(table_of(model).log.entries) == before + 1
    model = not_proved(model, why, Tally(unproved=((why, 1),)))
    assert len(table_of(model).log.entries) == before + 1


def test_end_of_a_game_is_in_the_log() -> None:
    """It says how many deals were proved."""
    model = after(
        checked(your_lead()), deal_reports.checked(HELD, table=TABLE, tally=Tally(proved=5), is_game_over=True)
    )
    assert table_of(model).log.entries[-1].text == "All 5 deals so far were proved."


# --- the page --------------------------------------------------------------------------------------------------------


def test_page_is_turned_to_earlier_deals_and_back() -> None:
    """Left and right, as far as there are any; a deal that comes meanwhile turns nothing over."""
    model, _ = send_keys(sitting(), "v")
    model, _ = send_keys(model, "left")
    assert "Deal 6" in screen(model)
    assert "Deal 6 was made anew because of Moll, which is proved." in screen(model)
    model, _ = send_keys(model, "left", "left")
    text = screen(model)
    assert "Deal 5" in text
    assert "K♠   Moll" in text
    assert "→ deal 6" in text
    assert "←" not in text
    model = checked(model, deal(8), ProofStanding.AWAITED)
    assert "Deal 5" in screen(model)
    model, _ = send_keys(model, "right", "right", "right", "right")
    assert "Deal 8" in screen(model)
    assert send_keys(model, "v")[0].overlay is None


def test_page_follows_the_deal_in_play() -> None:
    """Until another is asked for."""
    model, _ = send_keys(sitting(), "v")
    model = checked(model, deal(8), ProofStanding.AWAITED)
    assert "Deal 8" in screen(model)


@pytest.mark.parametrize(("why", "says"), WHY.items())
def test_page_says_why_there_is_nothing_to_see(why: Unproved, says: str) -> None:
    """In place of proofs that nobody has."""
    assert f"This deal is not proved: {says}." in screen(send_keys(not_proved(your_lead(), why), "v")[0])


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_page_has_the_tally(size: Size) -> None:
    """Of the sitting; it is not that of an earlier deal."""
    model = after(sitting(), deal_reports.checked(HELD, table=TABLE, tally=Tally(proved=4)))
    model, _ = send_keys(model, "v")
    assert "All 4 deals so far were proved." in screen(model, size)
    earlier, _ = send_keys(model, "left")
    assert "All 4" not in screen(earlier, LARGE)


def test_page_is_there_by_its_command_too() -> None:
    """Typed, as everything can be."""
    model, _ = send_keys(typed(send_keys(sitting(), "/")[0], "deal"), "enter")
    assert model.overlay == Help(page=PageKind.DEAL)
    assert send_keys(your_lead(), "v") == (your_lead(), ())  # nothing was dealt


def test_deals_are_kept_when_the_table_is_shown_anew() -> None:
    """After a drop, at the same table and seat; at another nothing is known."""
    snapshot = TableSnapshot(TABLE, Seat(0), 30, info_of("Will", "Moll"), view=view_of(2, Seat(0)))
    assert [one.deal for one in table_of(after(sitting(), snapshot)).deals] == [5, 6, 7]
    assert table_of(after(sitting(), snapshot)).standing is ProofStanding.PROVED
    gallery = TableSnapshot(TABLE, "gallery", 30, info_of("Will", "Moll"), view=view_of(2, "gallery"))
    assert table_of(after(sitting(), gallery)).deals == ()
    assert checked(dealt("Will", "Moll")) != after(dealt("Will", "Moll"), deal_reports.checked(HELD, None, TABLE + 1))


# --- a dealer who is caught ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_dealer_who_is_caught_is_shown_at_once(size: Size) -> None:
    """What was wrong comes first, over whatever was on the screen."""
    text = screen(caught(), size)
    assert "The dealer was caught: nothing more is played here." in text
    assert "! Deal 3: the 3 of spades was shown" in text


def test_dealer_who_is_caught_is_asked_nothing_of() -> None:
    """No key plays a card any more, nor when the next question comes; what is to be done is said."""
    model, _ = send_keys(caught(), "escape")
    model = with_decision(model, number=10)
    assert send_keys(model, "1")[1] == ()
    assert "The dealer was caught: nothing more is played here. v says how; b leaves." in screen(model, LARGE)


def test_dealer_who_is_caught_is_in_the_log(tmp_path: Path) -> None:
    """With the place of the evidence, where it could be kept."""
    given = [entry.text for entry in table_of(caught(tmp_path / "told.jsonl")).log.entries[-2:]]
    assert given[0].startswith("Table 3 is not played fairly. Deal 3: the 3 of spades")
    assert given[1] == f"All that was told of it is kept in {tmp_path / 'told.jsonl'}."
    assert table_of(caught()).log.entries[-1].text == given[0]


@pytest.mark.parametrize("size", SIZES)
def test_game_against_the_rules_is_told_on_the_page(size: Size) -> None:
    """What does not follow, above the deal, of which nothing is wrong."""
    says = "By the rules this cannot happen now: the same dealer deals again."
    model = checked(your_lead(), standing=ProofStanding.BROKEN)
    model = after(model, CheckFailed(TABLE, Cheated(TABLE, (Objection(says),), None)))
    shown = " ".join(screen(model, size).replace("│", " ").split())
    assert f"! {says}" in shown
    assert table_of(model).log.entries[-1].text == f"Table {TABLE} is not played fairly. {says}"


def test_line_that_is_being_typed_is_not_lost() -> None:
    """Who talks goes on talking."""
    typing = replace(your_lead(), overlay=Typing(prompt=PromptKind.TALK, text="well", at=4))
    model = after(typing, CheckFailed(TABLE, Cheated(TABLE, (CAUGHT,), None)))
    assert model.overlay == typing.overlay
