"""Cutting after a dropped connection: what was missed is checked, and no link of a chain is given for nothing."""

import asyncio
import stat

import msgspec
import pytest

from put_client.sdk import deal_checks as module
from put_client.sdk.deal_checks import ProofStanding, SealBroken
from put_protocol.cards import Card
from put_protocol.games.put import Dealt, HandEnded, HandWon
from put_protocol.games.unions import Event
from put_protocol.messages import Cut, Events, Hello, Left, Ok, Promise, ServerMessage, Sit, TableSnapshot
from put_protocol.seal.cuts import after
from put_protocol.seal.findings import CalledOff, Fault, Proof, Stage, Tally, Unproved
from put_protocol.seal_events import CutMade, CutsShown
from put_protocol.seats import Seat
from put_protocol.table_events import PresenceChanged, Sat
from put_protocol.table_info import TableState
from tests.client.checking_players import Noting, close, soon
from tests.client.scripted_deals import (
    MOLL,
    OPEN,
    PLAYING,
    THEIRS,
    Seated,
    cut_of,
    dealing,
    dropped,
    heard,
    led,
    promise_of,
    sealed,
    seated,
    sent_by,
    void,
)
from tests.client.scripted_server import Server as Scripted
from tests.client.scripted_server import info, welcome
from tests.seal.test_verifiers import needs_node, verified


async def test_what_was_missed_is_checked_when_it_is_told(server: Scripted) -> None:
    """With its proofs, which come first: a drop leaves nothing unproved."""
    who = await seated(server)
    seal = sealed(1, who.end, None)
    await heard(who, Events(7, 1, (seal,)))
    dealt = dealing(seal, (await cut_of(who)).link, None)
    who = await dropped(who, server, dealt.openings, Events(7, 2, (dealt.cut, dealt.hand), info=PLAYING))
    await heard(who)
    assert who.client.standings[-1] is ProofStanding.PROVED
    openings, played = led(dealt)
    await heard(who, openings, Events(7, 4, (played,)))
    assert who.client.standings[-1] is ProofStanding.PROVED
    assert [card.proof for card in who.client.deals[1].cards] == [Proof.PROVED] * 4
    await close(who.client)


async def test_missed_card_without_its_proof_is_caught(server: Scripted) -> None:
    """After a drop as before it; and though the server never says again how the table is now."""
    who = await seated(server)
    seal = sealed(1, who.end, None)
    await heard(who, Events(7, 1, (seal,)))
    dealt = dealing(seal, (await cut_of(who)).link, None)
    _, played = led(dealt)
    who = await dropped(who, server, dealt.openings, Events(7, 2, (dealt.cut, dealt.hand)), Events(7, 4, (played,)))
    await heard(who)
    (broken,) = who.client.all_of(SealBroken)
    assert [(failure.fault, failure.card) for failure in broken.error.failures] == [(Fault.UNOPENED, played.card)]
    await close(who.client)


async def test_server_that_never_ends_the_catching_up_is_checked_all_the_same(server: Scripted) -> None:
    """Its deals are proved as long as they are, and the first card that is not is found. Nothing is cut as long as what
    was missed may still be on its way, for the deal that waits may be over; but no longer than that."""
    who = await seated(server)
    seal = sealed(1, who.end, None)
    await heard(who, Events(7, 1, (seal,)))
    link = (await cut_of(who)).link
    dealt = dealing(seal, link, None)
    who = await dropped(who, server, dealt.openings, Events(7, 2, (dealt.cut, dealt.hand)))
    await heard(who)
    assert who.client.standings[-1] is ProofStanding.PROVED
    openings, played = led(dealt)
    await heard(who, openings, Events(7, 4, (played,)))
    assert who.client.standings[-1] is ProofStanding.PROVED
    await heard(who, Events(7, 5, (sealed(2, link, None),)))
    assert await sent_by(who) == []
    await heard(who, Events(7, 6, ()))
    assert after((await cut_of(who)).link) == link
    await heard(who, Events(7, 6, (dealt.hand,)))
    (broken,) = who.client.all_of(SealBroken)
    assert [failure.fault for failure in broken.error.failures] == [Fault.NOT_CUT]
    await close(who.client)


@pytest.mark.parametrize("how", ["void", "cut"])
@pytest.mark.parametrize("at", range(5), ids=lambda at: f"{at} in the first message")
async def test_seal_that_is_over_is_not_answered_when_it_is_told_late(server: Scripted, how: str, at: int) -> None:
    """What was missed may hold a seal and what became of it. Nothing is cut before all of that has come, so no link is
    given for a deal that is over, and the one that waits is cut, once."""
    who = await seated(server)
    await heard(who, Events(7, 1, (sealed(1, who.end, THEIRS.link(8)),)))
    link = (await cut_of(who)).link
    await heard(who, Events(7, 2, (void(1, 1), sealed(2, who.end, None))))  # asks for a link that was given
    assert await promise_of(who) == link
    if how == "void":
        somebody_else = Sat(Seat(1), "Jack")  # who has missed nothing yet
        over: tuple[Event, ...] = (somebody_else, sealed(3, link, THEIRS.link(8)), void(3, 1))
    else:
        over = (sealed(3, None, THEIRS.link(8)), CutsShown(3, (None, THEIRS.link(7))))
    playing = info(TableState.PLAYING, names=("Moll", "Jack" if how == "void" else "Nan"), games=1)
    missed = (void(2, 0), *over, sealed(4, link, None))
    who = await dropped(who, server, Events(7, 4, missed[:at]), Events(7, 4 + at, missed[at:], info=playing))
    await heard(who)
    sent = await sent_by(who)
    assert all(promise.end == link for promise in sent if isinstance(promise, Promise))
    (cut,) = [cut for cut in sent if isinstance(cut, Cut)]
    assert (cut.deal, after(cut.link)) == (4, link)
    assert who.client.all_of(SealBroken) == []
    await close(who.client)


async def test_deals_that_are_told_in_one_message_are_each_summed_up(server: Scripted) -> None:
    """What was missed may end one deal and hold others: none is left as it was before."""
    who = await seated(server)
    seal = sealed(1, who.end, None)
    await heard(who, Events(7, 1, (seal,)))
    link = (await cut_of(who)).link
    dealt = dealing(seal, link, None)
    over = HandEnded(HandWon.THROWN_IN, MOLL, 1, (1, 0))
    missed = (dealt.cut, dealt.hand, over, sealed(2, link, THEIRS.link(8)), void(2, 1), sealed(3, link, None))
    who = await dropped(who, server, dealt.openings, Events(7, 2, missed, info=PLAYING))
    await heard(who)
    assert [(number, deal.stage) for number, deal in who.client.deals.items()] == [
        (1, Stage.CUT),
        (2, Stage.VOID),
        (3, Stage.SEALED),
    ]
    assert {card.proof for card in who.client.deals[1].cards} == {Proof.PROVED}
    assert who.client.checks[-1].tally.proved == 1
    assert who.client.all_of(SealBroken) == []
    await close(who.client)


@pytest.mark.parametrize("is_shown_anew", [False, True])
async def test_cut_that_may_be_lost_is_given_again_for_the_same_seal(server: Scripted, is_shown_anew: bool) -> None:
    """Once on each connection, and no other link; to the message that has the table as it is now."""
    who = await seated(server)
    seal = sealed(1, who.end, THEIRS.link(8))
    await heard(who, Events(7, 1, (seal,), info=PLAYING))
    cut = await cut_of(who)
    for number in range(1, 4):
        told: ServerMessage = Events(7, number + 1, (), info=PLAYING)
        if is_shown_anew:
            told = TableSnapshot(7, Seat(0), number, PLAYING, sealed=seal, links=(None, THEIRS.link(7)))
        who = await dropped(who, server, told)
        again = await cut_of(who)
        assert (again.deal, again.link) == (1, cut.link)
        await heard(who, Events(7, number + 1, (PresenceChanged(Seat(1), away=True),), info=PLAYING))
        assert await sent_by(who) == []
    assert who.client.standings[-1] is ProofStanding.AWAITED
    assert who.client.all_of(SealBroken) == []
    await close(who.client)


@pytest.mark.parametrize("is_shown_anew", [False, True])
async def test_cut_that_was_heard_is_not_given_again(server: Scripted, is_shown_anew: bool) -> None:
    """The server says so: after a drop, too."""
    who = await seated(server)
    seal = sealed(1, who.end, THEIRS.link(8))
    await heard(who, Events(7, 1, (seal,), info=PLAYING))
    cut = await cut_of(who)
    told: ServerMessage = Events(7, 2, (CutMade(1, Seat(0), cut.link),), info=PLAYING)
    if is_shown_anew:
        told = TableSnapshot(7, Seat(0), 2, PLAYING, sealed=seal, links=(cut.link, None))
    who = await dropped(who, server, told)
    await heard(who)
    assert [sent for sent in await sent_by(who) if isinstance(sent, Cut)] == []
    assert who.client.all_of(SealBroken) == []
    await close(who.client)


@needs_node
@pytest.mark.parametrize("trouble", ["drop", "shown anew", "asked again", "left out", "renewed"])
async def test_evidence_tells_what_became_of_the_chain(
    server: Scripted, trouble: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a drop, a link that was asked for again, a deal without us, and with another chain, too: both verifiers
    find one and the same fault, a hand before its cuts were shown."""
    if trouble == "renewed":
        monkeypatch.setattr(module, "FEW_LINKS", module.LINKS)
    who = await seated(server)
    seal = sealed(1, who.end, THEIRS.link(8))
    await heard(who, Events(7, 1, (seal,), info=PLAYING))
    link = (await cut_of(who)).link
    number, deal = 2, 2
    match trouble:
        case "drop":
            who = await dropped(who, server, Events(7, 2, (void(1, 1),), info=PLAYING))
            number = 3
        case "shown anew":
            links = (link, None)
            who = await dropped(who, server, TableSnapshot(7, Seat(0), 1, PLAYING, sealed=seal, links=links))
            assert await promise_of(who) == link
            await heard(who, Events(7, 2, (void(1, 1),)))
            number = 3
        case "asked again":
            await heard(who, Events(7, 2, (void(1, 1), sealed(2, who.end, None))))
            assert await promise_of(who) == link
            await heard(who, Events(7, 4, (void(2, 0),)))
            assert await promise_of(who) == link
            number, deal = 5, 3
        case "left out":
            await heard(who, Events(7, 2, (void(1, 1), sealed(2, who.end, None))))
            assert await promise_of(who) == link
            somebody_else = Sat(Seat(1), "Jack")  # who has missed nothing yet
            await heard(who, Events(7, 4, (void(2, 0), somebody_else, sealed(3, None, THEIRS.link(8)), void(3, 1))))
            assert await promise_of(who) == link
            number, deal = 8, 4
        case _:
            await heard(who, Events(7, 2, (CutsShown(1, (link, THEIRS.link(7))),)))
            link = await promise_of(who) or b""
            number = 3
    hand = Dealt(1, Seat(1), Seat(0), (3, 3), (Card("3s"), Card("3h"), Card("3d")))
    await heard(who, Events(7, number, (sealed(deal, link, None),)))
    await cut_of(who)
    await heard(who, Events(7, number + 1, (hand,)))
    (broken,) = who.client.all_of(SealBroken)
    assert [failure.fault for failure in broken.error.failures] == [Fault.NOT_CUT]
    assert broken.error.evidence is not None
    assert stat.S_IMODE(broken.error.evidence.stat().st_mode) == 0o600
    (viewer,) = verified(broken.error.evidence)["viewers"]
    assert viewer["findings"] == msgspec.to_builtins(list(broken.error.failures))
    await close(who.client)


async def test_seat_of_another_process_is_cut_from_a_new_chain(server: Scripted) -> None:
    """Who comes back with a token alone knows nothing of the links that were given: the deal that waits for one of them
    is called off, and the next one is cut."""
    connecting = asyncio.ensure_future(Noting.connect("127.0.0.1", server.port, token="t0", waits=soon))
    peer = await server.arrival()
    await peer.welcome(TableSnapshot(7, Seat(0), 9, OPEN), tables=(7,))
    who = Seated(await connecting, peer, b"", Seat(0))
    end = await promise_of(who)
    assert end is not None
    await heard(who, Events(7, 10, (sealed(5, bytes(32), None),)))
    assert await promise_of(who) == end
    await heard(who, Events(7, 11, (void(5, 0), sealed(6, end, None))))
    assert await promise_of(who) == end
    assert after((await cut_of(who)).link) == end
    assert who.client.all_of(SealBroken) == []
    await close(who.client)


async def test_process_that_comes_back_to_a_seal_cuts_the_next_one(server: Scripted) -> None:
    """The one that waits for a link of the process before is called off, and nobody is accused of that."""
    connecting = asyncio.ensure_future(Noting.connect("127.0.0.1", server.port, token="t0", waits=soon))
    peer = await server.arrival()
    shown = TableSnapshot(7, Seat(0), 9, PLAYING, sealed=sealed(5, bytes(32), None), links=(None, None))
    await peer.welcome(shown, tables=(7,))
    who = Seated(await connecting, peer, b"", Seat(0))
    end = await promise_of(who)
    assert end is not None
    await heard(who)
    assert await sent_by(who) == []
    seal = sealed(6, end, None)
    await heard(who, Events(7, 10, (void(5, 0), seal)))
    assert await promise_of(who) == end
    dealt = dealing(seal, (await cut_of(who)).link, None)
    await heard(who, dealt.openings, Events(7, 12, (dealt.cut, dealt.hand)))
    assert who.client.standings[-1] is ProofStanding.PROVED
    assert who.client.all_of(SealBroken) == []
    await close(who.client)


async def test_seat_whose_ok_was_lost_is_cut_from_the_chain_it_was_asked_for_with(server: Scripted) -> None:
    """The connection dropped when we had sat down and the deal was sealed: it is our chain that the seal names."""
    connecting = asyncio.ensure_future(Noting.connect("127.0.0.1", server.port, name="P0", waits=soon))
    peer = await server.arrival()
    await peer.welcome()
    client = await connecting
    sitting = asyncio.ensure_future(client.sit(7))
    asked = await peer.hear(Sit)
    assert asked.end is not None
    seal = sealed(1, asked.end, None)
    shown = TableSnapshot(7, MOLL, 2, PLAYING, sealed=seal, links=(None, None))
    peer.drop()
    who = Seated(client, await server.arrival(), asked.end, MOLL)
    hello = await who.peer.hear(Hello)
    assert hello.asked == (asked.id,)
    who.peer.say(welcome("P0", (7,)), Ok(id=asked.id, table=7, seat=MOLL), shown)
    await sitting
    dealt = dealing(seal, (await cut_of(who)).link, None)
    await heard(who, dealt.openings, Events(7, 3, (dealt.cut, dealt.hand)))
    assert who.client.standings[-1] is ProofStanding.PROVED
    assert who.client.all_of(SealBroken) == []
    await close(who.client)


@pytest.mark.parametrize("is_told", [True, False], ids=["left", "a welcome without the table"])
async def test_table_taken_from_us_keeps_its_tally(server: Scripted, is_told: bool) -> None:
    """A deal that was in play is missed, and not forgotten, when we come to the table again."""
    who = await seated(server)
    seal = sealed(1, who.end, None)
    await heard(who, Events(7, 1, (seal,)))
    dealt = dealing(seal, (await cut_of(who)).link, None)
    await heard(who, dealt.openings, Events(7, 2, (dealt.cut, dealt.hand), info=PLAYING))
    again = TableSnapshot(7, MOLL, 3, OPEN)
    if is_told:
        await heard(who, Left(7, "Go away."), again)
    else:
        who.peer.drop()
        who = who._replace(peer=await server.arrival())
        await who.peer.welcome_back(tables=())
        await heard(who, again)
    assert who.client.checks[-1].tally == Tally(unproved=((Unproved.MISSED, 1),))
    await close(who.client)


@pytest.mark.parametrize("name", ["Nan", "Ned"])
async def test_deals_called_off_stay_counted_for_who_still_sits_there(server: Scripted, name: str) -> None:
    """A server that takes the table away and shows it again does not clear the account of a player who calls deals
    off; whoever took their seat meanwhile is not blamed for it."""
    who = await seated(server)
    await heard(who, Events(7, 1, (sealed(1, who.end, THEIRS.link(8)),)))
    await cut_of(who)
    await heard(who, Events(7, 2, (void(1, 1),)))
    tally = who.client.checks[-1].tally
    assert tally == Tally(called_off=(CalledOff(Seat(1), 1, 0),), deals_called_off=1)
    playing = info(TableState.PLAYING, games=1, names=("Moll", name))
    await heard(who, Left(7, "Go away."), TableSnapshot(7, MOLL, 3, playing))
    await heard(who, Events(7, 4, (sealed(2, None, None),)))
    still = tally.called_off if name == "Nan" else ()
    assert who.client.checks[-1].tally == Tally(called_off=still, deals_called_off=1)
    await close(who.client)
