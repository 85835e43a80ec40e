"""Line mode: what is said of deals, unasked and where it is asked for."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from msgspec.structs import replace as altered

from put_client.line.line_state import LineState, proof
from put_client.sdk.deal_checks import CheckFailed, DealChecked, DealSummary, ProofStanding, Tally, Unproved
from put_client.sdk.errors import Cheated
from put_protocol.messages import Left
from put_protocol.seats import Seat
from tests.client.deal_reports import CAUGHT, NOTHING, WHY, checked, deal, unproved
from tests.client.hearing import AT_MOVE, SEATED, SNAPSHOT, listened

HANDS = (("3s", 0), ("10h", 0), ("Kd", 1))


def after(reports: Iterable[DealChecked]) -> LineState:
    """At a table, when these were told, of which nothing is said."""
    heard = LineState(text=AT_MOVE)
    for report in reports:
        heard, said = listened(report, heard=heard)
        assert said == ()
    return heard


def test_deal_that_is_proved_is_not_spoken_of() -> None:
    """Asked for, it is said who shuffled it, whose each card was that was seen, and how many were not."""
    heard = after([checked(deal(3, *HANDS), tally=Tally(proved=2))])
    assert proof(heard, None) == (
        "Everybody who holds a key shuffled the deal in play, and all you saw of it is proved.",
        "Both deals so far were proved.",
        "Deal 3 was shuffled by you and Nan; every shuffle is proved.",
        "Seen: the 3 of spades and the 10 of hearts (you).",
        "Seen: the king of diamonds (Nan).",
        "Not shown to you: 2 cards of Nan.",
    )


def test_deal_says_whose_cards_the_server_sees() -> None:
    """Those of the seats whose keys it holds; all of them, where the rules have to see hands."""
    held = DealSummary(1, 4, (Seat(0),), held=(Seat(1),))
    heard = after(
        [
            checked(held),
            checked(altered(held, deal=5, is_read=True)),
            checked(altered(held, deal=6, awaited=(Seat(1),))),
        ]
    )
    assert proof(heard, 4)[1:] == ("The server can see the cards of Nan in it.",)
    assert proof(heard, 5)[1:] == ("The rules have to see hands: the server can read them all, and choose none.",)
    assert proof(heard, 6)[0] == "Deal 6 was shuffled by you; awaited: Nan."


def test_any_deal_of_the_sitting_can_be_asked_for() -> None:
    """By its number, also after the picture of the table came anew; and none of another table."""
    heard = after([checked(told) for told in (deal(1), deal(2, blamed=1), deal(3))])
    heard, _ = listened(SNAPSHOT, heard=heard)
    assert [one.deal for one in heard.deals] == [1, 2, 3]
    assert proof(heard, 2) == ("Deal 2 was made anew because of Nan, which is proved.",)
    assert proof(heard, 9) == ("No deal 9 was made here while you were.",)
    elsewhere, _ = listened(Left(7, "it was cleared away"), altered(SNAPSHOT, table=8), heard=heard)
    assert elsewhere == LineState(text=elsewhere.text)
    assert proof(elsewhere, None) == ("Nothing was dealt here yet.",)


def test_report_of_another_table_is_not_heard() -> None:
    heard, said = listened(checked(deal(3), table=8), heard=LineState(text=SEATED))
    assert (heard, said) == (LineState(text=SEATED), ())


def test_every_reason_is_tried_here() -> None:
    """None is without its words."""
    assert set(WHY) == set(Unproved)


@pytest.mark.parametrize(("why", "says"), WHY.items())
def test_deal_that_is_not_proved_is_told_at_once(why: Unproved, says: str) -> None:
    """With the reason, once. It is told again when deals were proved meanwhile. Asked for, it is said at any time, and
    no earlier deal in its place."""
    news = (f"This deal is not proved: {says}.",)
    heard = after([checked(deal(3), tally=Tally(proved=1))])
    heard, said = listened(unproved(why, Tally(proved=1)), heard=heard)
    assert said == news
    for others in (1, 2):
        heard, said = listened(unproved(why, Tally(proved=1, unproved=((why, others),))), heard=heard)
        assert said == ()
    heard, said = listened(checked(deal(4), tally=Tally(proved=2, unproved=((why, 3),))), heard=heard)
    assert said == ()
    heard, said = listened(unproved(why, Tally(proved=2, unproved=((why, 3),))), heard=heard)
    assert said == news
    assert proof(heard, None)[0] == f"This deal is not proved: {says}."
    assert not any("shuffled by" in sentence for sentence in proof(heard, None))


def test_deal_that_turns_out_not_to_be_proved_is_told_with_the_next() -> None:
    """What was missed is not this deal's; nor is any deal passed over where several were."""
    heard = after([checked(deal(3))])
    lost = checked(deal(4), ProofStanding.AWAITED, tally=Tally(unproved=((Unproved.MISSED, 1),)))
    assert listened(lost, heard=heard)[1] == (
        "The deal before is not proved: a part of it was lost with the connection.",
    )
    several = unproved(Unproved.PLAIN, Tally(unproved=((Unproved.PLAIN, 1), (Unproved.MISSED, 1))))
    assert listened(several, heard=heard)[1] == (
        "2 deals are not proved: the server deals alone.",
        "The deal before is not proved: a part of it was lost with the connection.",
    )


@pytest.mark.parametrize(
    ("tally", "says"),
    [
        (NOTHING, ()),
        (Tally(proved=1), ("The one deal so far was proved.",)),
        (Tally(proved=6), ("All 6 deals so far were proved.",)),
        (
            Tally(proved=5, unproved=((Unproved.MISSED, 1),)),
            ("5 of 6 deals so far were proved.", "1 was not: a part of it was lost with the connection."),
        ),
    ],
)
def test_end_of_a_game_tells_how_many_deals_were_proved(tally: Tally, says: tuple[str, ...]) -> None:
    """With what became of the others."""
    before = after([checked(deal(3))]) if not tally.unproved else LineState(text=AT_MOVE)
    if tally.unproved:
        before, _ = listened(checked(deal(3), tally=tally), heard=before)
    assert listened(checked(deal(3), tally=tally, is_game_over=True), heard=before)[1] == says


def test_dealer_who_is_caught_is_told_at_once(tmp_path: Path) -> None:
    """With what was wrong and where the evidence is; the question that was open is none any more."""
    error = Cheated(7, (CAUGHT,), tmp_path / "told.jsonl")
    heard, said = listened(CheckFailed(7, error), heard=after([checked(deal(3))]))
    assert heard.is_caught
    assert heard.text.decision is None
    assert CAUGHT.says in said[0]
    assert said[0].endswith(f" All that was told of it is kept in {tmp_path / 'told.jsonl'}.")
    assert said[1] == "The dealer was caught: nothing more is played here."
    assert listened(checked(deal(3), ProofStanding.BROKEN), heard=heard)[1] == ()
