"""Line mode: what is said of sealed deals."""

import asyncio
import os
from pathlib import Path

import pytest
from msgspec.structs import replace as altered

from put_client.line.line_mode import run
from put_client.line.line_state import LineState
from put_client.sdk.client import Client
from put_client.sdk.deal_checks import ProofStanding, SealBroken
from put_client.sdk.errors import Cheated
from put_protocol.messages import (
    Left,
)
from put_protocol.seal.findings import Proof, Stage, Tally, Unproved
from put_protocol.seal_events import CutMade, CutsShown, DealVoided, Openings, Sealed
from put_server.app import serving
from put_server.settings import Settings
from tests.client.hearing import (
    AT_MOVE,
    NAN,
    SEATED,
    SNAPSHOT,
    YOU,
    listened,
    seals,
)
from tests.client.scripted_server import PATIENCE_S, events
from tests.client.sealed_deals import CAUGHT, TALLIES, WHY, called_off, checked, deal, unproved


def test_deals_that_are_sealed_and_fair_are_not_spoken_of() -> None:
    """Seals, cuts, proofs and what comes of checking them are part of every deal; a void one is news."""
    cut = CutsShown(3, (bytes(32), None))
    seal = Sealed(3, (bytes(32), bytes(32)), (YOU, NAN), (bytes(32), None))
    made = CutMade(3, YOU, bytes(32))
    told = (events(4, seal), events(5, made), events(6, cut), Openings(7, 3), checked(deal(3)))
    heard = LineState(text=AT_MOVE)
    for message in told:
        heard, said = listened(message, heard=heard)
        assert said == ()
    assert listened(events(7, DealVoided(4, (NAN,))), heard=heard)[1] == (
        "Deal 4 is called off: Nan did not cut in time; it does not count.",
    )


def test_seal_says_all_there_is_to_know_of_the_deal() -> None:
    """The words to be read aloud, who cut, which pack is played, and each card that was seen with its proof."""
    cards = (("3s", 0, Proof.PROVED), ("10h", 0, Proof.PROVED), ("Kd", 1, Proof.PROVED), ("4c", 1, Proof.AWAITED))
    heard, _ = listened(checked(deal(3, Stage.CUT, *cards)), heard=LineState(text=AT_MOVE))
    assert seals("seal", heard) == (
        "The deal in play is sealed, and all you saw of it is proved.",
        "The words of deal 3 are defib goral dibot razel: read them to each other.",
        "Cut by you.",
        "Nan takes no part in the cutting.",
        "The first pack is played; the second was turned up, and is whole.",
        "Proved: the 3 of spades and the 10 of hearts (you) and the king of diamonds (Nan).",
        "To be proved when the hand is over: the 4 of clubs (Nan).",
    )


def test_seal_speaks_of_any_deal_of_the_sitting() -> None:
    """By its number, also after the picture of the table came anew; and of none that was not."""
    heard = LineState(text=AT_MOVE)
    for number in (1, 2, 3):
        told = deal(2, Stage.VOID, blamed=(1,)) if number == 2 else deal(number)
        heard, _ = listened(checked(told), heard=heard)
    heard, _ = listened(checked(deal(1, is_whole=True)), SNAPSHOT, heard=heard)
    assert [one.deal for one in heard.deals] == [1, 2, 3]
    assert seals("seal 2", heard) == (
        "Deal 2 was called off because of Nan, and does not count. Both its packs were turned up, and are whole.",
    )
    whole = "The first pack is played, which was opened after the game and is whole, too; the second was turned up"
    assert any(says.startswith(whole) for says in seals("seal 1", heard))  # type: ignore[union-attr]  # said
    assert seals("seal 9", heard) == ("No deal 9 was made here while you were.",)
    assert seals("seal x", heard) == ('Which deal? For example: "seal", or "seal 3".',)
    elsewhere, _ = listened(Left(7, "it was cleared away"), altered(SNAPSHOT, table=8), heard=heard)
    assert elsewhere == LineState(text=elsewhere.text)
    assert seals("seal", elsewhere) == ("Nothing was dealt here yet.",)


def test_seal_says_nothing_of_a_table_where_nothing_was_dealt() -> None:
    """Though one came there, and is at it."""
    assert seals("seal", LineState(text=SEATED)) == ("Nothing was dealt here yet.",)
    heard, _ = listened(checked(None, None), heard=LineState(text=SEATED))
    assert seals("seal", heard) == ("Nothing was dealt here yet.",)


def test_every_reason_is_tried_here() -> None:
    """None is without its words."""
    assert set(WHY) == set(Unproved)


@pytest.mark.parametrize(("why", "says"), WHY.items())
def test_deal_that_is_not_proved_is_told_at_once(why: Unproved, says: str) -> None:
    """With the reason, once for each deal; and `seal` says it again, and of no earlier deal in its place."""
    heard, said = listened(checked(deal(3), tally=Tally(proved=1)), heard=LineState(text=AT_MOVE))
    assert said == ()
    heard, said = listened(unproved(why, Tally(proved=1)), heard=heard)
    assert said == (f"This deal is not proved: {says}.",)
    heard, said = listened(unproved(why, Tally(proved=1), told=deal(3)), heard=heard)
    assert said == ()
    assert seals("seal", heard) == (f"This deal is not proved: {says}.", "The one deal so far was proved.")
    heard, said = listened(unproved(why, Tally(proved=1, unproved=((why, 1),))), heard=heard)
    assert said == (f"This deal is not proved: {says}.",)


def test_deal_that_turns_out_not_to_be_proved_is_told_when_the_next_one_is_sealed() -> None:
    """What was missed is not this deal's; nor is any deal passed over where several were."""
    lost = Tally(unproved=((Unproved.MISSED, 1),))
    heard, _ = listened(checked(deal(3)), heard=LineState(text=AT_MOVE))
    sealed = altered(checked(deal(4, Stage.SEALED), ProofStanding.AWAITED, tally=lost), unproved_deals=1)
    assert listened(sealed, heard=heard)[1] == (
        "The deal before is not proved: a part of it was lost with the connection.",
    )
    three = Tally(unproved=((Unproved.NOT_SEALED, 2), (Unproved.MISSED, 1)))
    told = altered(unproved(Unproved.NOT_SEALED, three), unproved_deals=3)
    assert listened(told, heard=heard)[1] == (
        "2 deals are not proved: nobody here cuts.",
        "The deal before is not proved: a part of it was lost with the connection.",
    )


@pytest.mark.parametrize("expected", TALLIES, ids=lambda told: told[1])
def test_end_of_a_game_tells_how_many_deals_were_proved(expected: tuple[Tally, *tuple[str, ...]]) -> None:
    """With what became of the others; and `seal` says the same at any time."""
    tally, *says = expected
    over = checked(deal(3), tally=tally, is_game_over=True)
    before = checked(deal(3), tally=altered(tally, called_off=()))
    heard, _ = listened(before, heard=LineState(text=AT_MOVE))
    heard, said = listened(altered(over, unproved_deals=sum(n for _, n in tally.unproved)), heard=heard)
    assert said == tuple(says)
    answer = seals("seal", heard)
    assert isinstance(answer, tuple)
    assert answer[1 : 1 + len(says)] == tuple(says)


def test_calling_off_more_deals_than_connections_were_lost_is_warned_of_at_once() -> None:
    """Once, when it is more than one too many: somebody may try which deals they like."""
    heard = LineState(text=AT_MOVE)
    for deals, drops in ((1, 0), (2, 1)):
        heard, said = listened(checked(deal(3), tally=called_off(1, deals, drops)), heard=heard)
        assert said == ()
    heard, said = listened(checked(deal(4), tally=called_off(1, 3, 1)), heard=heard)
    assert said == (
        (
            "Beware: 3 deals were called off because of Nan, and their connection was lost once. "
            "Somebody may be calling off deals that they do not like."
        ),
    )
    heard, said = listened(checked(deal(5), tally=called_off(1, 4, 1)), heard=heard)
    assert said == ()
    never, _ = listened(checked(deal(3)), heard=LineState(text=AT_MOVE))
    _, said = listened(checked(deal(4), tally=called_off(1, 2, 0)), heard=never)
    assert "and their connection was never lost." in said[0]


async def test_line_mode_tells_how_many_deals_were_proved_when_the_game_is_over() -> None:
    """Over a real server: behind the end of the game, with the last deal of it."""
    said: list[str] = []
    dealt = 1  # the draw for the deal, whoever has to draw again
    settings = Settings(host="127.0.0.1", port=0, data=":memory:")
    reading, writing = os.pipe()
    is_over = False

    def say(sentence: str) -> None:
        nonlocal dealt, is_over
        said.append(sentence)
        dealt += " deals hand " in sentence or " deal hand " in sentence
        if sentence.startswith("You are at no table."):
            os.write(writing, b"open put-1674\ninvite\n")
        elif sentence.startswith("Your move."):
            os.write(writing, b"1\n")
        elif " deals so far were " in sentence and not is_over:
            is_over = True
            os.write(writing, b"seal\nquit\n")

    async with (
        asyncio.timeout(PATIENCE_S * 3),
        serving(settings, thinks=False) as server,
        await Client.connect("127.0.0.1", server.port, name="Moll") as client,
    ):
        await run(client, table=None, watch=None, passcode="", descriptor=reading, say=say)
    os.close(writing)
    proved = f"All {dealt} deals so far were proved."
    assert said.count(proved) == 2, "at the end of the game, and when asked"
    place = said.index('Say "again" for another game, "analyse" to hear what your decisions cost, or "leave".')
    assert said[place + 1] == proved


def test_dealer_who_is_caught_is_told_at_once(tmp_path: Path) -> None:
    """With what was wrong and where the evidence is; the question that was open is none any more."""
    error = Cheated(7, (CAUGHT,), tmp_path / "told.jsonl")
    heard, said = listened(SealBroken(7, error), heard=LineState(text=AT_MOVE))
    assert heard.text.decision is None
    assert said[0].startswith(
        "The dealer at table 7 does not deal fairly. Deal 3, the 3 of spades, seat 1: it was shown without an opening. "
    )
    assert said[0].endswith(f" All that was told of it is kept in {tmp_path / 'told.jsonl'}.")
    assert said[1] == "The dealer was caught: nothing more is played here."
    broken = checked(deal(3, Stage.CUT, ("3s", 1, Proof.FAILED), failures=(CAUGHT,)), ProofStanding.BROKEN)
    heard, _ = listened(broken, heard=heard)
    said = seals("seal", heard)  # type: ignore[assignment]  # sentences
    assert said[1] == CAUGHT.says
    assert said[-1] == "NOT PROVED: the 3 of spades (Nan)."
