"""Cutting on one connection: when the client cuts, what it promises, and whom it accuses."""

import asyncio

from put_client.sdk.deal_checks import DealChecked, ProofStanding, SealBroken
from put_protocol.cards import Card
from put_protocol.games.put import Dealt
from put_protocol.messages import Events, Ok, Say, Sit, TableSnapshot
from put_protocol.seal.cuts import after
from put_protocol.seal.findings import Fault, Unproved
from put_protocol.seal.packs import Sealing
from put_protocol.seal_events import CutsShown
from put_protocol.seats import Seat
from tests.client.checking_players import Noting, close
from tests.client.scripted_deals import (
    OPEN,
    PLAYING,
    THEIRS,
    Seated,
    cut_of,
    heard,
    packs_of,
    promise_of,
    sealed,
    seated,
    void,
)
from tests.client.scripted_server import Server as Scripted


async def words_of(first: Seated, second: Seated, *packs: Sealing) -> list[str | None]:
    """What two players read to each other, who were shown these packs' seals."""
    links = []
    for who, shown in zip((first, second), packs, strict=True):
        await heard(who, Events(7, 1, (sealed(1, first.end, second.end, packs=shown),)))
        links.append((await cut_of(who)).link)
    words = []
    for who in (first, second):
        await heard(who, Events(7, 2, (CutsShown(1, tuple(links)),)))
        words.append(who.client.deals[1].words)
        assert who.client.all_of(SealBroken) == []
    return words


async def test_players_who_were_told_the_same_have_the_same_words(server: Scripted) -> None:
    """Over different lines."""
    first, second = await seated(server), await seated(server, 1)
    same, other = await words_of(first, second, packs_of(1), packs_of(1))
    assert same is not None
    assert same == other
    await close(first.client, second.client)


async def test_players_who_were_shown_other_seals_have_other_words(server: Scripted) -> None:
    """No check of either's finds what a man in the middle did; reading the words does."""
    first, second = await seated(server), await seated(server, 1)
    mine, yours = await words_of(first, second, packs_of(1), packs_of(2))
    assert None not in (mine, yours)
    assert mine != yours
    await close(first.client, second.client)


async def test_cut_is_given_at_once_and_before_anybody_hears_of_the_seal(server: Scripted) -> None:
    """Nobody has taken the message when the link is there, and it is the one that was promised."""
    who = await seated(server)
    who.peer.say(Events(7, 1, (sealed(1, who.end, None),)))
    cut = await cut_of(who)
    assert (cut.table, cut.deal, after(cut.link)) == (7, 1, who.end)
    came = await heard(who)
    assert [type(message) for message in came] == [TableSnapshot, Events, DealChecked]
    assert isinstance(came[-1], DealChecked)
    assert came[-1].standing is ProofStanding.AWAITED
    await close(who.client)


async def test_who_is_asked_for_a_cut_they_gave_name_their_end_and_cut_the_next_deal(server: Scripted) -> None:
    """The deal before was called off while their cut was on its way, or so it is said: no link is given twice."""
    who = await seated(server)
    await heard(who, Events(7, 1, (sealed(1, who.end, THEIRS.link(8)),)))
    link = (await cut_of(who)).link
    await heard(who, Events(7, 2, (void(1, 1), sealed(2, who.end, None))))
    assert await promise_of(who) == link
    await heard(who, Events(7, 4, (void(2, 0), sealed(3, link, None))))
    assert await promise_of(who) == link
    assert after((await cut_of(who)).link) == link
    assert who.client.all_of(SealBroken) == []
    await close(who.client)


async def test_who_is_left_out_names_their_end_until_they_are_heard(server: Scripted) -> None:
    """And it is no fault of the next deals that they have no part, but they are told that these are not proved."""
    who = await seated(server)
    await heard(who, Events(7, 1, (sealed(1, who.end, THEIRS.link(8)),)))
    link = (await cut_of(who)).link
    await heard(who, Events(7, 2, (void(1, 1), sealed(2, who.end, None))))
    assert await promise_of(who) == link
    hand = Dealt(1, Seat(1), Seat(0), (3, 3), (Card("3s"), Card("3h"), Card("3d")))
    came = await heard(who, Events(7, 4, (void(2, 0), hand)))
    assert await promise_of(who) == link
    assert await promise_of(who) == link
    assert isinstance(came[-1], DealChecked)
    assert (came[-1].standing, came[-1].unproved) == (ProofStanding.UNPROVED, Unproved.NOT_COUNTED)
    assert who.client.all_of(SealBroken) == []
    await close(who.client)


async def test_who_is_blamed_though_they_cut_has_caught_the_table(server: Scripted) -> None:
    """Also where the server has shown nothing of the cut, for the connection stands."""
    who = await seated(server)
    await heard(who, Events(7, 1, (sealed(1, who.end, THEIRS.link(8)),)))
    await cut_of(who)
    await heard(who, Events(7, 2, (void(1, 0),)))
    (broken,) = who.client.all_of(SealBroken)
    assert [failure.fault for failure in broken.error.failures] == [Fault.BLAME]
    await close(who.client)


async def test_table_shown_anew_without_a_drop_is_caught(server: Scripted) -> None:
    """That would hide the deal in play."""
    who = await seated(server)
    await heard(who, Events(7, 1, (sealed(1, who.end, None),), info=PLAYING))
    await heard(who, TableSnapshot(7, Seat(0), 1, PLAYING))
    (broken,) = who.client.all_of(SealBroken)
    assert [failure.fault for failure in broken.error.failures] == [Fault.SNAPSHOT]
    await close(who.client)


async def test_hand_without_a_seal_is_a_cheat_to_who_takes_part(server: Scripted) -> None:
    """They said so when they sat down, and the server has answered."""
    who = await seated(server)
    hand = Dealt(1, Seat(1), Seat(0), (3, 3), (Card("3s"), Card("3h"), Card("3d")))
    await heard(who, Events(7, 1, (hand,)))
    (broken,) = who.client.all_of(SealBroken)
    assert [failure.fault for failure in broken.error.failures] == [Fault.NOT_SEALED]
    assert (await who.peer.hear(Say)).text.startswith("I stop: deal 0: there is no seal for it.")
    assert await promise_of(who) is None
    await close(who.client)


async def test_who_sits_down_again_cuts_from_the_chain_they_sat_down_with(server: Scripted) -> None:
    """Also in the same seat: links of the sitting before are known, and cut nothing."""
    who = await seated(server)
    sitting = asyncio.ensure_future(who.client.sit(7))
    asked = await who.peer.hear(Sit)
    who.peer.say(TableSnapshot(7, Seat(0), 4, OPEN), Ok(id=asked.id, table=7, seat=Seat(0)))
    await sitting
    assert asked.end is not None
    assert asked.end != who.end
    await heard(who, Events(7, 5, (sealed(1, asked.end, None),)))
    assert after((await cut_of(who)).link) == asked.end
    await close(who.client)


async def test_client_that_is_not_to_check_asks_for_nothing(server: Scripted) -> None:
    """Neither proofs nor cuts; what comes all the same is handed on as any event."""
    connecting = asyncio.ensure_future(Noting.connect("127.0.0.1", server.port, name="Moll", sealed=False))
    peer = await server.arrival()
    hello = await peer.welcome(TableSnapshot(7, Seat(0), 0, OPEN))
    assert not hello.openings
    client = await connecting
    sitting = asyncio.ensure_future(client.sit(7))
    asked = await peer.hear(Sit)
    assert asked.end is None
    peer.say(Ok(id=asked.id, seat=Seat(0)))
    await sitting
    await heard(Seated(client, peer, b"", Seat(0)), Events(7, 1, (sealed(1, None, None),)))
    assert client.all_of(DealChecked) == []
    assert peer.cuts.empty()
    await close(client)
