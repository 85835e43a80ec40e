"""Sealed deals on the screen: the mark in the header, and the page of a deal."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from msgspec.structs import replace as altered

from put_client.sdk.deal_checks import DealChecked, ProofStanding, SealBroken
from put_client.sdk.errors import Cheated
from put_client.tui.model import Help, Model, PageKind, PromptKind, Typing
from put_client.tui.widgets.canvas import Size
from put_client.tui.widgets.theme import ASCII, STRONG, UNICODE, Theme
from put_protocol.cards import Card
from put_protocol.messages import Events, TableSnapshot
from put_protocol.seal.findings import BlindDeal, DealSummary, Objection, Proof, Stage, Tally, Unproved
from put_protocol.seal_events import CutMade, CutsShown, DealVoided, Sealed
from put_protocol.seats import Seat
from tests.client import sealed_deals
from tests.client.sealed_deals import CAUGHT, NOTHING, TALLIES, WHY, deal
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
SEEN = (("3s", 0, Proof.PROVED), ("10h", 0, Proof.PROVED), ("Qd", 1, Proof.PROVED), ("4c", 1, Proof.AWAITED))
HELD = deal(7, Stage.CUT, *SEEN)
BROKEN = deal(3, Stage.CUT, ("3s", 1, Proof.FAILED), failures=(CAUGHT,))


def checked(
    model: Model, given: DealSummary | None = HELD, standing: ProofStanding | None = ProofStanding.PROVED
) -> Model:
    return after(model, sealed_deals.checked(given, standing, TABLE))


def not_proved(model: Model, why: Unproved = Unproved.JOINED, tally: Tally = NOTHING) -> Model:
    """The deal in play is not."""
    return after(model, sealed_deals.unproved(why, tally, TABLE))


def sitting() -> Model:
    """Three deals, of which the second was voided."""
    model = your_lead()
    for given in (deal(5, Stage.CUT, ("Ks", 1, Proof.PROVED)), deal(6, Stage.VOID, blamed=(1,)), HELD):
        model = checked(model, given)
    return model


def caught(evidence: Path | None = None) -> Model:
    """The dealer was, while we were asked."""
    model = checked(your_lead(), BROKEN, ProofStanding.BROKEN)
    return after(model, SealBroken(TABLE, Cheated(TABLE, (CAUGHT,), evidence)))


# --- a deal that is dealt blind --------------------------------------------------------------------------------------


def blind_sitting() -> Model:
    """Four deals, of which the second was made anew, and the last is still shuffled."""
    model = your_lead()
    for told in (
        BlindDeal(1, 6, (Seat(0), Seat(1)), cards=((Card("Ks"), None), (Card("2h"), None))),
        BlindDeal(1, 7, blamed=Seat(1)),
        BlindDeal(
            2,
            1,
            (Seat(0),),
            held=(Seat(1),),
            cards=((Card("3s"), Seat(0)), (Card("10h"), Seat(1)), (Card("Qd"), Seat(0))),
            unseen=((Seat(1), 2),),
        ),
        BlindDeal(2, 2, (Seat(0),), awaited=(Seat(1),)),
    ):
        model = after(model, DealChecked(TABLE, ProofStanding.PROVED, told, is_blind=True))
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
        (ProofStanding.PROVED, "sealed ✓", "sealed ok"),
        (ProofStanding.AWAITED, "sealed …", "sealed ..."),
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
    Unproved.NOT_SEALED: "not proved: not sealed",
    Unproved.NOT_COUNTED: "not proved: not sealed",
    Unproved.EXHIBITION: "not proved: exhibition",
    Unproved.JOINED: "not proved: came late",
    Unproved.MISSED: "not proved: part missed",
    Unproved.PLAIN: "not proved: plain",
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
@pytest.mark.parametrize(("theme", "awaited"), [(UNICODE, "╭…"), (ASCII, "+~")])
def test_card_that_is_not_proved_has_a_mark_of_its_own(size: Size, theme: Theme, awaited: str) -> None:
    """`?`, or an ellipsis while its proof is still to come; one that is proved has none, and neither has any where
    nothing is checked."""
    first, second, _ = view_of(2, Seat(0)).cards
    unproved = f"{theme.card_corners[0]}?"
    half = checked(your_lead(), deal(7, Stage.CUT, (first, 0, Proof.PROVED), (second, 0, Proof.AWAITED)))
    assert marks_on_cards(half, size, theme, unproved, awaited) == (1, 1)
    whole = checked(half, deal(7, Stage.CUT, *[(card, 0, Proof.PROVED) for card in view_of(2, Seat(0)).cards]))
    assert marks_on_cards(whole, size, theme, unproved, awaited) == (0, 0)
    assert marks_on_cards(your_lead(), size, theme, unproved, awaited) == (0, 0)
    assert marks_on_cards(not_proved(whole), size, theme, unproved, awaited) == (3, 0)


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
    assert not any(word in header for word in ("sealed", "checked", "BROKEN"))


def test_mark_is_loud_only_where_something_is_wrong() -> None:
    """A style that shows without colours, too."""
    styles = {standing: frame(checked(your_lead(), standing=standing)).lines[0][-2:] for standing in ProofStanding}
    loud = [standing for standing, line in styles.items() if any(style == "class:alarm" for style, _ in line)]
    assert loud == [ProofStanding.BROKEN]
    bold = [standing for standing, line in styles.items() if any(style == STRONG for style, _ in line)]
    assert bold == [ProofStanding.UNPROVED]


def test_seals_and_cuts_are_not_in_the_log() -> None:
    """They are part of every deal; a voided one is told."""
    seal = Sealed(8, (bytes(32), bytes(32)), (Seat(0), Seat(1)), (bytes(32), None))
    given = Events(TABLE, 20, (seal, CutMade(8, Seat(0), bytes(32)), CutsShown(8, (bytes(32), None))))
    assert table_of(after(your_lead(), given)).log == table_of(your_lead()).log
    void = after(your_lead(), Events(TABLE, 20, (DealVoided(8, (Seat(1),)),)))
    assert table_of(void).log.entries[-1].text.startswith("Deal 8 is called off: Moll did not cut in time")


@pytest.mark.parametrize(("why", "says"), WHY.items())
def test_deal_that_is_not_proved_is_in_the_log_at_once(why: Unproved, says: str) -> None:
    """One entry for each, however often it is told of; and none for one that is proved."""
    model = checked(your_lead())
    before = len(table_of(model).log.entries)
    model = not_proved(model, why)
    assert table_of(model).log.entries[-1].text == f"This deal is not proved: {says}."
    model = not_proved(model, why)
    assert len(table_of(model).log.entries) == before + 1
    model = not_proved(model, why, Tally(unproved=((why, 1),)))
    assert [entry.text for entry in table_of(model).log.entries[before:]] == [f"This deal is not proved: {says}."] * 2


def test_end_of_a_game_and_a_warning_are_in_the_log() -> None:
    """How many deals were proved, and for whom too many were called off; the warning comes before the end, too."""
    model = after(
        checked(your_lead()), sealed_deals.checked(HELD, table=TABLE, tally=sealed_deals.called_off(1, 3, 1, proved=4))
    )
    warning = table_of(model).log.entries[-1].text
    assert warning.startswith("Beware: 3 deals were called off because of Moll, and their connection was lost once.")
    tally = sealed_deals.called_off(1, 3, 1, proved=5)
    model = after(model, sealed_deals.checked(HELD, table=TABLE, tally=tally, is_game_over=True))
    assert [entry.text for entry in table_of(model).log.entries[-3:]] == [
        "All 5 deals so far were proved.",
        "3 deals were called off: 3 because of Moll.",
        warning,
    ]


# --- the page --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", [UNICODE, ASCII])
def test_page_tells_all_of_the_deal(theme: Theme) -> None:
    """Words, who cut and who did not, both seals whole, the packs, and each card with its proof."""
    text = screen(send_keys(sitting(), "v")[0], LARGE, theme)
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
    text = screen(send_keys(sitting(), "v")[0], Size(60, 40))
    root = HELD.roots[0].hex()
    assert f"{root[:12]}…{root[-12:]}" in text
    assert root not in text


def test_page_is_turned_to_earlier_deals_and_back() -> None:
    """Left and right, as far as there are any; a deal that comes meanwhile turns nothing over."""
    model, _ = send_keys(sitting(), "v")
    model, _ = send_keys(model, "left")
    assert "Deal 6" in screen(model)
    assert "Deal 6 was called off because of Moll, and does not count." in screen(model)
    model, _ = send_keys(model, "left", "left")
    text = screen(model)
    assert "Deal 5" in text
    assert "K♠   proved, Moll" in text
    assert "→ deal 6" in text
    assert "←" not in text
    model = checked(model, deal(8, Stage.SEALED), ProofStanding.AWAITED)
    assert "Deal 5" in screen(model)
    model, _ = send_keys(model, "right", "right", "right", "right")
    assert "Deal 8" in screen(model)
    assert "cut     for you" in screen(model)
    assert send_keys(model, "v")[0].overlay is None


def test_page_follows_the_deal_in_play() -> None:
    """Until another is asked for."""
    model, _ = send_keys(sitting(), "v")
    model = checked(model, deal(8, Stage.SEALED), ProofStanding.AWAITED)
    assert "Deal 8" in screen(model)


@pytest.mark.parametrize(("why", "says"), WHY.items())
def test_page_says_why_there_is_nothing_to_see(why: Unproved, says: str) -> None:
    """In place of proofs that nobody has."""
    assert f"This deal is not proved: {says}." in screen(send_keys(not_proved(your_lead(), why), "v")[0])


@pytest.mark.parametrize("size", [SMALL, LARGE])
@pytest.mark.parametrize("expected", TALLIES, ids=lambda given: given[1])
def test_page_has_the_tally(size: Size, expected: tuple[Tally, *tuple[str, ...]]) -> None:
    """Of the sitting, in the words of line mode; it is not that of an earlier deal."""
    tally, *says = expected
    model = after(sitting(), sealed_deals.checked(HELD, table=TABLE, tally=tally))
    model, _ = send_keys(model, "v")
    shown = " ".join(screen(model, size).translate(dict.fromkeys(map(ord, "│─"), " ")).split())
    for sentence in says:
        assert sentence.replace("Nan", "Moll") in shown
    assert "the last that was sealed" not in shown
    earlier, _ = send_keys(model, "left")
    assert says[0].replace("Nan", "Moll") not in screen(earlier, LARGE)


def test_page_does_not_take_an_earlier_deal_for_the_one_in_play() -> None:
    """Nor leave out that an earlier one was not proved."""
    model, _ = send_keys(not_proved(sitting()), "v")
    text = screen(model)
    assert "This deal is not proved: you came in the middle of it." in text
    assert "Deal 7, the last that was sealed" in text
    missed = altered(deal(7, Stage.CUT, *SEEN), unproved=Unproved.MISSED)
    model = checked(checked(sitting(), missed), deal(8, Stage.SEALED), ProofStanding.AWAITED)
    says = "This deal is not proved: a part of it was lost with the connection."
    assert says not in screen(send_keys(model, "v")[0])
    assert says in screen(send_keys(model, "v", "left")[0])


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
    assert checked(dealt("Will", "Moll")) != after(dealt("Will", "Moll"), sealed_deals.checked(HELD, None, TABLE + 1))


# --- a dealer who is caught ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_dealer_who_is_caught_is_shown_at_once(size: Size) -> None:
    """What was wrong comes first, over whatever was on the screen."""
    text = screen(caught(), size)
    assert "The dealer was caught: nothing more is played here." in text
    assert "! Deal 3, the 3 of spades, seat 1: it was shown" in text


def test_dealer_who_is_caught_is_asked_nothing_of() -> None:
    """No key plays a card any more, nor when the next question comes; what is to be done is said."""
    model, _ = send_keys(caught(), "escape")
    model = with_decision(model, number=10)
    assert send_keys(model, "1")[1] == ()
    assert "The dealer was caught: nothing more is played here. v says how; b leaves." in screen(model, LARGE)
    assert "NOT PROVED, Moll" in screen(send_keys(model, "v")[0], LARGE)


def test_dealer_who_is_caught_is_in_the_log(tmp_path: Path) -> None:
    """With the place of the evidence, where it could be kept."""
    given = [entry.text for entry in table_of(caught(tmp_path / "told.jsonl")).log.entries[-2:]]
    assert given[0].startswith("The dealer at table 3 does not deal fairly. Deal 3, the 3 of spades")
    assert given[1] == f"All that was told of it is kept in {tmp_path / 'told.jsonl'}."
    assert table_of(caught()).log.entries[-1].text == given[0]


@pytest.mark.parametrize("size", SIZES)
def test_game_against_the_rules_is_told_on_the_page(size: Size) -> None:
    """What does not follow, above the deal, of which nothing is wrong."""
    says = "By the rules this cannot happen now: the same dealer deals again."
    model = checked(your_lead(), standing=ProofStanding.BROKEN)
    model = after(model, SealBroken(TABLE, Cheated(TABLE, (Objection(says),), None)))
    shown = " ".join(screen(model, size).replace("│", " ").split())
    assert f"! {says}" in shown
    assert table_of(model).log.entries[-1].text == f"Table {TABLE} is not played fairly. {says}"


def test_line_that_is_being_typed_is_not_lost() -> None:
    """Who talks goes on talking."""
    typing = replace(your_lead(), overlay=Typing(prompt=PromptKind.TALK, text="well", at=4))
    model = after(typing, SealBroken(TABLE, Cheated(TABLE, (CAUGHT,), None)))
    assert model.overlay == typing.overlay
