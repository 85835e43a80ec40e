"""Sealed deals on the screen: the mark in the header, and the page of a deal."""

from dataclasses import replace
from pathlib import Path

import pytest

from put_client.errors import Cheated
from put_client.sealed import DealChecked, SealBroken, Standing
from put_client.tui.canvas import Size
from put_client.tui.model import Help, Model, Page, Prompt, Typing
from put_client.tui.theme import ASCII, UNICODE, Theme
from put_protocol.messages import Events, TableSnapshot
from put_protocol.seal.findings import DealSummary, Proof, Stage
from put_protocol.seal.told import CutsShown, DealVoided, Sealed
from put_protocol.seats import Seat
from tests.client.deals import CAUGHT, deal
from tests.client.tui.scenes import (
    LARGE,
    SMALL,
    TABLE,
    after,
    asked,
    dealt,
    frame,
    info_of,
    press,
    screen,
    table_of,
    typed,
    view_of,
    your_lead,
)

SIZES = (Size(60, 16), SMALL, LARGE, Size(200, 60))
SEEN = (("3s", 0, Proof.PROVED), ("10h", 0, Proof.PROVED), ("Qd", 1, Proof.PROVED), ("4c", 1, Proof.AWAITED))
HELD = deal(7, Stage.CUT, *SEEN)
BROKEN = deal(3, Stage.CUT, ("3s", 1, Proof.FAILED), failures=(CAUGHT,))


def checked(model: Model, told: DealSummary | None = HELD, standing: Standing | None = Standing.PROVED) -> Model:
    return after(model, DealChecked(TABLE, standing, told))


def sitting() -> Model:
    """Three deals, of which the second was voided."""
    model = your_lead()
    for told in (deal(5, Stage.CUT, ("Ks", 1, Proof.PROVED)), deal(6, Stage.VOID), HELD):
        model = checked(model, told)
    return model


def caught(evidence: Path | None = None) -> Model:
    """The dealer was, while we were asked."""
    model = checked(your_lead(), BROKEN, Standing.BROKEN)
    return after(model, SealBroken(TABLE, Cheated(TABLE, (CAUGHT,), evidence)))


# --- the mark --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("standing", "unicode", "plain"),
    [
        (Standing.PROVED, "sealed ✓", "sealed ok"),
        (Standing.AWAITED, "sealed …", "sealed ..."),
        (Standing.UNSEALED, "not sealed", "not sealed"),
        (Standing.UNCHECKED, "not checked", "not checked"),
        (Standing.BROKEN, "BROKEN", "BROKEN"),
    ],
)
def test_mark_stands_at_the_end_of_the_header(size: Size, standing: Standing, unicode: str, plain: str) -> None:
    """In words and signs that differ, whatever has to give way for them."""
    model = checked(your_lead(), standing=standing)
    for theme, mark in ((UNICODE, unicode), (ASCII, plain)):
        assert screen(model, size, theme).split("\n")[0].endswith(mark)


def test_mark_is_not_there_before_the_first_deal() -> None:
    """Where nothing was dealt there is nothing to be told."""
    header = screen(your_lead()).split("\n")[0]
    assert not any(word in header for word in ("sealed", "checked", "BROKEN"))


def test_mark_is_loud_only_where_something_is_wrong() -> None:
    """A style that shows without colours, too."""
    styles = {standing: frame(checked(your_lead(), standing=standing)).lines[0][-2:] for standing in Standing}
    loud = [standing for standing, line in styles.items() if any(style == "class:alarm" for style, _ in line)]
    assert loud == [Standing.BROKEN]


def test_seals_and_cuts_are_not_in_the_log() -> None:
    """They are part of every deal; a voided one is told."""
    seal = Sealed(8, (bytes(32), bytes(32)), (Seat(0), Seat(1)), (bytes(32), None))
    told = Events(TABLE, 20, (seal, CutsShown(8, (bytes(32), None))))
    assert table_of(after(your_lead(), told)).log == table_of(your_lead()).log
    void = after(your_lead(), Events(TABLE, 20, (DealVoided(8, (Seat(1),)),)))
    assert table_of(void).log[-1].text.startswith("Deal 8 is void: Moll did not cut in time")


# --- the page --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", [UNICODE, ASCII])
def test_page_tells_all_of_the_deal(theme: Theme) -> None:
    """Words, who cut and who did not, both seals whole, the packs, and each card with its proof."""
    text = screen(press(sitting(), "v")[0], LARGE, theme)
    for says in (
        "The deal in play is sealed, and all you saw of it is proved.",
        "words   defib goral dibot razel",
        "Read them to each other",
        "cut     by you",
        "takes no part: Moll",
        f"seal 1  {HELD.roots[0].hex()}",
        f"seal 2  {HELD.roots[1].hex()}",
        "The first pack is played; the second was turned up, and is whole.",
        f"cards   3{theme.suits['s']}   proved, you",
        f"10{theme.suits['h']}  proved, you",
        f"Q{theme.suits['d']}   proved, Moll",
        f"4{theme.suits['c']}   awaited, Moll",
    ):
        assert says in text
    assert theme is UNICODE or text.isascii()


def test_page_shortens_seals_where_there_is_no_room() -> None:
    """Both ends stay, to compare at a glance."""
    text = screen(press(sitting(), "v")[0], Size(60, 40))
    root = HELD.roots[0].hex()
    assert f"{root[:12]}…{root[-12:]}" in text
    assert root not in text


def test_page_is_turned_to_earlier_deals_and_back() -> None:
    """Left and right, as far as there are any; a deal that comes meanwhile turns nothing over."""
    model, _ = press(sitting(), "v")
    model, _ = press(model, "left")
    assert "Deal 6" in screen(model)
    assert "The deal is void: nothing of it counts." in screen(model)
    model, _ = press(model, "left", "left")
    text = screen(model)
    assert "Deal 5" in text
    assert "K♠   proved, Moll" in text
    assert "→ deal 6" in text
    assert "←" not in text
    model = checked(model, deal(8, Stage.SEALED), Standing.AWAITED)
    assert "Deal 5" in screen(model)
    model, _ = press(model, "right", "right", "right", "right")
    assert "Deal 8" in screen(model)
    assert "cut     for you" in screen(model)
    assert press(model, "v")[0].overlay is None


def test_page_follows_the_deal_in_play() -> None:
    """Until another is asked for."""
    model, _ = press(sitting(), "v")
    model = checked(model, deal(8, Stage.SEALED), Standing.AWAITED)
    assert "Deal 8" in screen(model)


@pytest.mark.parametrize(
    ("standing", "says"),
    [
        (Standing.UNSEALED, "was not sealed, for nobody cuts here"),
        (Standing.UNCHECKED, "is not checked, for you missed a part of it"),
    ],
)
def test_page_says_why_there_is_nothing_to_see(standing: Standing, says: str) -> None:
    """In place of proofs that nobody has."""
    assert says in screen(press(checked(your_lead(), None, standing), "v")[0])


def test_page_is_there_by_its_command_too() -> None:
    """Typed, as everything can be."""
    model, _ = press(typed(press(sitting(), "/")[0], "deal"), "enter")
    assert model.overlay == Help(page=Page.DEAL)
    assert press(your_lead(), "v") == (your_lead(), ())  # nothing was dealt


def test_deals_are_kept_when_the_table_is_shown_anew() -> None:
    """After a drop, at the same table and seat; at another nothing is known."""
    snapshot = TableSnapshot(TABLE, Seat(0), 30, info_of("Will", "Moll"), view=view_of(2, Seat(0)))
    assert [one.deal for one in table_of(after(sitting(), snapshot)).deals] == [5, 6, 7]
    assert table_of(after(sitting(), snapshot)).standing is Standing.PROVED
    gallery = TableSnapshot(TABLE, "gallery", 30, info_of("Will", "Moll"), view=view_of(2, "gallery"))
    assert table_of(after(sitting(), gallery)).deals == ()
    assert checked(dealt("Will", "Moll")) != after(dealt("Will", "Moll"), DealChecked(TABLE + 1, None, HELD))


# --- a dealer who is caught ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_dealer_who_is_caught_is_shown_at_once(size: Size) -> None:
    """What was wrong comes first, over whatever was on the screen."""
    text = screen(caught(), size)
    assert "The dealer was caught: nothing more is played here." in text
    assert "! Deal 3, the 3 of spades, seat 1: it was shown" in text


def test_dealer_who_is_caught_is_asked_nothing_of() -> None:
    """No key plays a card any more, nor when the next question comes; what is to be done is said."""
    model, _ = press(caught(), "escape")
    model = asked(model, number=10)
    assert press(model, "1")[1] == ()
    assert "The dealer was caught: nothing more is played here. v says how; b leaves." in screen(model, LARGE)
    assert "NOT PROVED, Moll" in screen(press(model, "v")[0], LARGE)


def test_dealer_who_is_caught_is_in_the_log(tmp_path: Path) -> None:
    """With the place of the evidence, where it could be kept."""
    told = [entry.text for entry in table_of(caught(tmp_path / "told.jsonl")).log[-2:]]
    assert told[0].startswith("The dealer at table 3 does not deal fairly. Deal 3, the 3 of spades")
    assert told[1] == f"All that was told of it is kept in {tmp_path / 'told.jsonl'}."
    assert table_of(caught()).log[-1].text == told[0]


def test_line_that_is_being_typed_is_not_lost() -> None:
    """Who talks goes on talking."""
    typing = replace(your_lead(), overlay=Typing(prompt=Prompt.TALK, text="well", at=4))
    model = after(typing, SealBroken(TABLE, Cheated(TABLE, (CAUGHT,), None)))
    assert model.overlay == typing.overlay
