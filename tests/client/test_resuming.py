"""The SDK after a drop: it connects again, asks after what was lost, and gives up when it should."""

import asyncio
import itertools

import pytest

from put_client.sdk.client import Client
from put_client.sdk.errors import Disconnected, Refusal, Unanswered
from put_client.sdk.lasting_wire import ConnectionBack, ConnectionLost
from put_client.sdk.wire import LONGEST_ABSENCE_S, absence, backoff
from put_protocol import messages
from put_protocol.games.put import DidPut, Put, Saw
from put_protocol.limits import DEAD_MS, QUIET_MS
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from tests.client.scripted_server import SNAPSHOT, Peer, Server, at_once, decision, events, meet, take, welcome


async def test_drop_resumes_with_the_token_and_the_last_numbers(server: Server) -> None:
    """After a drop the client says who it is and what it has, and goes on with what it missed."""
    client, peer = await meet(server)
    async with client:
        peer.say(SNAPSHOT, events(4, DidPut(Seat(0))))
        await take(client, 2)
        peer.drop()
        again = await server.arrival()
        hello = await again.hear(messages.Hello)
        assert (hello.token, hello.name, hello.seen) == ("t1", "", (messages.Seen(table=7, number=4),))
        again.say(welcome("Moll", (7,), token="t2"), events(5, Saw(Seat(1))), decision(3))
        lost, back, *rest = await take(client, 4)
        assert isinstance(lost, ConnectionLost)
        assert back == ConnectionBack(tables=(7,))
        assert rest == [events(5, Saw(Seat(1))), decision(3)]
        again.drop()
        third = await server.arrival()
        hello = await third.hear(messages.Hello)
        assert (hello.token, hello.seen) == ("t2", (messages.Seen(table=7, number=5),))


async def resumed(
    server: Server, *then: messages.ServerMessage, tables: tuple[int, ...] = ()
) -> tuple[Peer, messages.Hello]:
    """The client comes back by a new connection."""
    peer = await server.arrival()
    return peer, await peer.welcome(*then, tables=tables)


async def test_drop_loses_no_answer(server: Server) -> None:
    """A request whose answer was lost is asked after on the way back, and returns what its `ok` said."""
    client, peer = await meet(server)
    async with client:
        opening = asyncio.ensure_future(client.open_table("put-1674"))
        asked = await peer.hear(messages.OpenTable)
        peer.drop()
        peer, hello = await resumed(server, messages.Ok(id=asked.id, table=9))
        assert hello.asked == (asked.id,)
        assert await opening == 9
        standing = asyncio.ensure_future(client.stand(9))
        request = await peer.hear(messages.Stand)  # and the table was not opened twice
        assert request.id > asked.id
        peer.say(messages.Ok(id=request.id))
        await standing


async def test_drop_has_what_was_not_carried_out_sent_again(server: Server) -> None:
    """In the order it was asked, with new ids, and answered as if nothing had happened."""
    client, peer = await meet(server)
    async with client:
        saying = [asyncio.ensure_future(client.say(7, text)) for text in ("one", "two")]
        asked = [await peer.hear(messages.Say) for _ in saying]
        peer.drop()
        lost = [
            messages.Refused(id=say.id, code=RefusalCode.NOT_CARRIED_OUT, says="it changed nothing") for say in asked
        ]
        peer, hello = await resumed(server, *lost)
        assert hello.asked == tuple(say.id for say in asked)
        again = [await peer.hear(messages.Say) for _ in saying]
        assert [say.text for say in again] == ["one", "two"]
        assert not {say.id for say in again} & set(hello.asked)
        peer.say(*(messages.Ok(id=say.id) for say in again))
        await asyncio.gather(*saying)


async def test_drop_of_the_way_back_too_loses_nothing(server: Server) -> None:
    """Answers that are lost a second time are asked after a second time."""
    client, peer = await meet(server)
    async with client:
        standing = asyncio.ensure_future(client.stand(7))
        asked = await peer.hear(messages.Stand)
        peer.drop()
        peer, _ = await resumed(server)
        peer.drop()
        _, hello = await resumed(server, messages.Ok(id=asked.id))
        assert hello.asked == (asked.id,)
        await standing


async def test_drop_lets_a_late_answer_be_refused(server: Server) -> None:
    """What was sent again may come too late, and is then refused as ever."""
    client, peer = await meet(server)
    async with client:
        acting = asyncio.ensure_future(client.act(7, 1, Put()))
        lost = (await peer.hear(messages.Act)).id
        peer.drop()
        peer, _ = await resumed(server, messages.Refused(id=lost, code=RefusalCode.NOT_CARRIED_OUT, says="ask again"))
        again = await peer.hear(messages.Act)
        assert again == messages.Act(again.id, 7, 1, Put())
        peer.say(messages.Refused(id=again.id, code=RefusalCode.TOO_LATE, says="time decided"))
        with pytest.raises(Refusal) as caught:
            await acting
        assert caught.value.code == RefusalCode.TOO_LATE


async def test_not_carried_out_is_a_refusal_where_no_connection_dropped(server: Server) -> None:
    """A server that says so of what it just got is not asked for ever."""
    client, peer = await meet(server)
    async with client:
        standing = asyncio.ensure_future(client.stand(7))
        peer.say(messages.Refused(id=(await peer.hear(messages.Stand)).id, code=RefusalCode.NOT_CARRIED_OUT, says="no"))
        with pytest.raises(Refusal):
            await standing


async def test_decision_that_is_being_answered_is_not_asked_again(server: Server) -> None:
    """After a drop the server asks again, for it has not got the answer; who gave it is not bothered."""
    client, peer = await meet(server)
    async with client:
        acting = asyncio.ensure_future(client.act(7, 1, Put()))
        lost = (await peer.hear(messages.Act)).id
        peer.drop()
        not_done = messages.Refused(id=lost, code=RefusalCode.NOT_CARRIED_OUT, says="ask again")
        peer, _ = await resumed(server, not_done, decision(1), decision(1, table=8), tables=(7, 8))
        peer.say(messages.Ok(id=(await peer.hear(messages.Act)).id), decision(2))
        await acting
        _, _, *came = await take(client, 4)
        assert came == [decision(1, table=8), decision(2)]


async def test_decision_is_asked_again_after_all_when_its_answer_is_never_taken(server: Server) -> None:
    """An answer that time ran out for leaves the question where it was."""
    connecting = asyncio.ensure_future(
        Client.connect("127.0.0.1", server.port, name="Moll", waits=at_once, answer_timeout=0.5)
    )
    peer = await server.arrival()
    await peer.welcome()
    async with await connecting as client:
        acting = asyncio.ensure_future(client.act(7, 1, Put()))
        await peer.hear(messages.Act)
        taking = asyncio.ensure_future(take(client, 4))
        peer.drop()
        await resumed(server, decision(1), messages.Notice(says="behind it"), tables=(7,))
        with pytest.raises(Unanswered):
            await acting
        assert (await taking)[2:] == [messages.Notice(says="behind it"), decision(1)]


async def test_requests_beyond_what_a_hello_can_name_wait_their_turn(server: Server) -> None:
    """At most 64 are in flight, so that a drop can lose none; the next is sent when one is answered."""
    client, peer = await meet(server)
    async with client:
        saying = [asyncio.ensure_future(client.say(7, str(number))) for number in range(66)]
        asked = [await peer.hear(messages.Say) for _ in range(64)]
        peer.drop()
        peer, hello = await resumed(server, messages.Ok(id=asked[5].id))
        assert hello.asked == tuple(say.id for say in asked)
        held_back = await peer.hear(messages.Say)
        assert held_back.text == "64"
        peer.say(messages.Ok(id=held_back.id))
        assert (await peer.hear(messages.Say)).text == "65"
        await asyncio.gather(saying[5], saying[64])
    results = await asyncio.gather(*saying, return_exceptions=True)
    assert sum(isinstance(result, Unanswered) for result in results) == 64


async def test_request_made_while_the_connection_is_down_waits(server: Server) -> None:
    """It is sent when the connection is back."""
    client, peer = await meet(server)
    async with client:
        peer.drop()
        assert isinstance(await anext(client), ConnectionLost)
        standing = asyncio.ensure_future(client.stand(7))
        peer, hello = await resumed(server)
        assert hello.asked == ()
        peer.say(messages.Ok(id=(await peer.hear(messages.Stand)).id))
        await standing


async def test_look_is_not_lost_with_its_answer(server: Server) -> None:
    """Looking that the server granted on the connection that dropped is asked for anew on the next."""
    client, peer = await meet(server)
    async with client:
        looking = asyncio.ensure_future(client.look())
        asked = await peer.hear(messages.Look)
        peer.drop()
        peer, _ = await resumed(server, messages.Ok(id=asked.id))
        await looking
        assert (await peer.hear(messages.Look)).id > asked.id


async def test_drop_keeps_looking_at_the_lobby(server: Server) -> None:
    """Who looked at the lobby looks again after a drop, without asking twice."""
    client, peer = await meet(server)
    async with client:
        looking = asyncio.ensure_future(client.look())
        peer.say(messages.Ok(id=(await peer.hear(messages.Look)).id))
        await looking
        peer.drop()
        again = await server.arrival()
        await again.welcome()
        again.say(messages.Ok(id=(await again.hear(messages.Look)).id), messages.LobbyState(begins=True))
        assert (await take(client, 3))[2] == messages.LobbyState(begins=True)


async def test_silence_is_taken_for_a_drop(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that answers no ping is given up after its time, and looked for again."""
    client, peer = await meet(server)
    clock = 0
    for module in ("lasting_wire", "wire"):
        monkeypatch.setattr(f"put_client.sdk.{module}.now_ms", lambda: clock)
    monkeypatch.setattr("put_client.sdk.lasting_wire.TICK_S", 0.0)
    async with client:
        peer.say(messages.Notice(says="my last words"))
        await take(client, 1)
        peer.is_mute = True
        clock += QUIET_MS
        await peer.hear_bytes(b"ping")
        clock += DEAD_MS - QUIET_MS
        again = await server.arrival()
        await again.welcome()
        lost, back = await take(client, 2)
        assert lost == ConnectionLost("nothing was heard from the server for too long")
        assert isinstance(back, ConnectionBack)


@pytest.mark.parametrize("code", ["too_slow", "idle", "draining"])
async def test_goodbye_that_is_only_this_connections_is_resumed(server: Server, code: str) -> None:
    """A goodbye that means the connection and not the person is taken as a drop."""
    client, peer = await meet(server)
    async with client:
        peer.say(messages.Goodbye(code=code, says="you read too slowly"))  # type: ignore[arg-type]  # one of the codes
        again = await server.arrival()
        await again.welcome()
        assert await take(client, 2) == [ConnectionLost("you read too slowly"), ConnectionBack(tables=())]


async def test_server_that_says_when_it_is_back_is_left_alone_until_then(server: Server) -> None:
    """Its time is waited out before anything is tried, and what the client hears tells it."""
    connecting = asyncio.ensure_future(Client.connect("127.0.0.1", server.port, name="Moll", waits=lambda: ()))
    peer = await server.arrival()
    await peer.welcome()
    async with await connecting as client:
        peer.say(messages.Goodbye(code="draining", says="we are stopping", back_s=0))
        peer, _ = await resumed(server)  # by the one attempt there is: `waits` gives none
        assert await take(client, 2) == [ConnectionLost("we are stopping", back_s=0), ConnectionBack(tables=())]


def test_absence_is_as_long_as_the_server_says_and_bounded() -> None:
    """Never shorter, a tenth or half a minute longer at most, and for a day at most."""
    for back_s, least, most in ((0, 0, 0), (-5, 0, 0), (10, 10, 11), (3_600, 3_600, 3_630), (10**9, 86_400, 86_430)):
        for _ in range(20):
            assert least <= absence(back_s) <= most
    assert LONGEST_ABSENCE_S == 86_400
    assert len({absence(100) for _ in range(5)}) > 1


async def test_resume_tries_again_while_the_server_is_full(server: Server) -> None:
    """What passes is waited for."""
    client, peer = await meet(server)
    async with client:
        peer.drop()
        full = await server.arrival()
        await full.hear(messages.Hello)
        full.say(messages.Goodbye(code="refused", says="full", refusal=RefusalCode.SERVER_FULL))
        again = await server.arrival()
        assert (await again.welcome()).token == "t1"
        assert [type(message) for message in await take(client, 2)] == [ConnectionLost, ConnectionBack]


async def test_resume_with_an_ended_token_is_over(server: Server) -> None:
    """A server that does not know us any more ends the iteration, and every request after it."""
    client, peer = await meet(server)
    async with client:
        peer.drop()
        again = await server.arrival()
        await again.hear(messages.Hello)
        again.say(messages.Goodbye(code="refused", says="nobody has this token", refusal=RefusalCode.BAD_TOKEN))
        assert isinstance(await anext(client), ConnectionLost)
        for _ in range(2):
            with pytest.raises(Disconnected) as caught:
                await anext(client)
            assert caught.value.code == RefusalCode.BAD_TOKEN
        with pytest.raises(Disconnected):
            await client.stand(7)
    assert client.token == ""


async def test_resume_is_given_up_after_the_last_wait(server: Server) -> None:
    """When the server stays away the client gives up, and says what it found."""
    client, peer = await meet(server)
    async with client:
        server.shut()
        peer.drop()
        await anext(client)
        with pytest.raises(Disconnected, match="no server listens there") as caught:
            await anext(client)
        assert caught.value.code == "lost"


async def test_resume_switched_off_ends_at_the_drop(server: Server) -> None:
    """`resume=False` makes a drop the end."""
    connecting = asyncio.ensure_future(Client.connect("127.0.0.1", server.port, name="Moll", resume=False))
    peer = await server.arrival()
    await peer.welcome()
    async with await connecting as client:
        peer.drop()
        with pytest.raises(Disconnected) as caught:
            await anext(client)
        assert caught.value.code == "lost"


def test_backoff_doubles_within_bounds_and_never_ends() -> None:
    """Waits begin under 0.2 seconds and never pass 10; a server may be away for weeks."""
    waits = list(itertools.islice(backoff(), 100_000))
    assert 0.1 <= waits[0] <= 0.2
    assert 0.2 <= waits[1] <= 0.4
    assert 9 < max(waits) <= 10.0
    assert len(waits) == 100_000


async def test_patient_client_asks_again_when_the_server_is_back(server: Server) -> None:
    """What a server that is stopping refuses is asked of the one that comes after it."""
    connecting = asyncio.ensure_future(
        Client.connect("127.0.0.1", server.port, name="Moll", waits=at_once, is_bot=True)
    )
    peer = await server.arrival()
    await peer.welcome()
    async with await connecting as client:
        asking = asyncio.ensure_future(client.again(7))
        first = await peer.hear(messages.Again)
        peer.say(messages.Refused(first.id, RefusalCode.DRAINING, "the server is stopping"))
        peer.say(messages.Goodbye("draining", "the server is stopping"))
        peer = await server.arrival()
        await peer.welcome_back(tables=(7,))
        second = await peer.hear(messages.Again)
        assert second == messages.Again(second.id, 7)
        assert not asking.done()
        peer.say(messages.Ok(second.id))
        await asking


async def test_patient_client_that_is_closed_waits_no_longer(server: Server) -> None:
    """Its requests end with it."""
    connecting = asyncio.ensure_future(Client.connect("127.0.0.1", server.port, name="Moll", patient=True))
    peer = await server.arrival()
    await peer.welcome()
    async with await connecting as client:
        asking = asyncio.ensure_future(client.again(7))
        request = await peer.hear(messages.Again)
        peer.say(messages.Refused(request.id, RefusalCode.DRAINING, "the server is stopping"))
        await client.close()
        with pytest.raises(Disconnected):
            await asking
