"""The SDK on one connection, with a scripted server: connecting, requests, messages and the end."""

import asyncio
import itertools

import pytest

from put_client.sdk.client import Client
from put_client.sdk.errors import BadServer, Disconnected, NoServer, Refusal, Rejected, Unanswered
from put_client.sdk.lasting_wire import ConnectionLost
from put_client.sdk.traffic import INBOX
from put_client.sdk.wire import READ_BYTES
from put_protocol import messages
from put_protocol.cards import Card
from put_protocol.codecs import LINES
from put_protocol.games.put import DidPut, Played, Put
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_text.presenters import families_in_words
from tests.client.scripted_server import SNAPSHOT, Server, at_once, decision, events, meet, take, welcome

# --- connecting ---


async def test_connect_says_hello_and_keeps_the_welcome(server: Server) -> None:
    """What was asked for travels in the hello, and the welcome is at hand."""
    connecting = asyncio.ensure_future(
        Client.connect("127.0.0.1", server.port, name="Moll", password="pw", is_bot=True, client="tester", codec=LINES)
    )
    peer = await server.arrival()
    assert await peer.hear(messages.Hello) == messages.Hello(
        version=3,
        name="Moll",
        password="pw",
        is_bot=True,
        knows=families_in_words(),
        views=messages.ViewForm.CHANGES,
        words=False,
        client="tester",
        incarnation=1,
    )
    peer.say(welcome("Moll"))
    async with await connecting as client:
        assert client.welcome == welcome("Moll")
        assert client.name == "Moll"


async def test_connect_where_nobody_listens_raises_no_server(server: Server) -> None:
    """A port without a listener is told in one sentence."""
    server.shut()
    with pytest.raises(NoServer) as caught:
        await Client.connect("127.0.0.1", server.port)
    assert str(caught.value) == f"No put server at 127.0.0.1:{server.port}: no server listens there."


@pytest.mark.parametrize("host", ["no-such-host.invalid", "a..b", "x" * 70])
async def test_connect_to_an_unknown_host_raises_no_server(host: str) -> None:
    """A name that means no host is told as such, also one that is no name at all."""
    with pytest.raises(NoServer, match="no host of that name is known"):
        await Client.connect(host, 1674)


async def test_connect_to_a_silent_listener_ends(server: Server) -> None:
    """Somebody who accepts and says nothing does not hold us."""
    with pytest.raises(NoServer, match="it accepts connections and says nothing"):
        await Client.connect("127.0.0.1", server.port, connect_timeout=0.5)


async def test_connect_rejected_carries_the_refusal(server: Server) -> None:
    """A refused hello raises with the stable code and the server's words."""
    connecting = asyncio.ensure_future(Client.connect("127.0.0.1", server.port, name="Moll"))
    peer = await server.arrival()
    await peer.hear(messages.Hello)
    peer.say(messages.Goodbye(code="refused", says="Moll is here already.", refusal=RefusalCode.NAME_TAKEN))
    with pytest.raises(Rejected) as caught:
        await connecting
    assert caught.value.code == RefusalCode.NAME_TAKEN
    assert str(caught.value) == "The server does not let you in: Moll is here already."
    await peer.hear_end()


async def test_bot_whose_first_connection_drops_waits_out_its_own_name(server: Server) -> None:
    """The server let it in, and it did not hear of that: it dials again, and again while its name is taken."""
    connecting = asyncio.ensure_future(
        Client.connect("127.0.0.1", server.port, name="Moll", is_bot=True, waits=lambda: itertools.repeat(0.0))
    )
    lost = await server.arrival()
    await lost.hear(messages.Hello)
    lost.drop()
    for _ in range(2):
        refused = await server.arrival()
        await refused.hear(messages.Hello)
        refused.say(messages.Goodbye(code="refused", says="Moll is here.", refusal=RefusalCode.NAME_TAKEN))
    await (await server.arrival()).welcome()
    async with await connecting as client:
        assert client.name == "Moll"


async def test_bot_that_comes_while_a_part_of_the_server_stops_comes_again(server: Server) -> None:
    """However often it is told so; and its name may be taken by then, for it may have been let in. A person is told."""
    connecting = asyncio.ensure_future(
        Client.connect("127.0.0.1", server.port, name="Moll", is_bot=True, waits=lambda: itertools.repeat(0.0))
    )
    stopping = messages.Goodbye(code="draining", says="come back in a moment", back_s=0)
    taken = messages.Goodbye(code="refused", says="Moll is here.", refusal=RefusalCode.NAME_TAKEN)
    for goodbye in (stopping, taken, stopping, stopping, stopping):
        peer = await server.arrival()
        await peer.hear(messages.Hello)
        peer.say(goodbye)
    await (await server.arrival()).welcome()
    async with await connecting as client:
        assert client.name == "Moll"
    connecting = asyncio.ensure_future(Client.connect("127.0.0.1", server.port, name="Moll"))
    peer = await server.arrival()
    await peer.hear(messages.Hello)
    peer.say(stopping)
    with pytest.raises(Rejected, match="come back in a moment"):
        await connecting


async def test_bot_gives_up_what_always_hangs_up(server: Server) -> None:
    """Three connections that drop before a welcome are of no put server; a person is told after one."""
    for is_bot, calls in ((True, 3), (False, 1)):
        connecting = asyncio.ensure_future(Client.connect("127.0.0.1", server.port, is_bot=is_bot, waits=at_once))
        for _ in range(calls):
            peer = await server.arrival()
            await peer.hear(messages.Hello)
            peer.drop()
        with pytest.raises(NoServer):
            await connecting


@pytest.mark.parametrize("words", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"SSH-2.0-OpenSSH_9.2\r\n"])
async def test_connect_to_another_kind_of_server_raises_bad_server(words: bytes) -> None:
    """What speaks another protocol is not taken for a put server."""

    def other(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(words)
        writer.close()

    async with asyncio.timeout(10), await asyncio.start_server(other, "127.0.0.1", 0) as listener:
        with pytest.raises(BadServer):
            await Client.connect("127.0.0.1", listener.sockets[0].getsockname()[1])


# --- requests ---


async def test_request_returns_what_its_ok_says(server: Server) -> None:
    """Opening tells the table, sitting the seat, whatever else arrives in between."""
    client, peer = await meet(server)
    async with client:
        opening = asyncio.ensure_future(client.open_table("put-1674", options={"target": 7}))
        asked = await peer.hear(messages.OpenTable)
        assert asked == messages.OpenTable(id=asked.id, game="put-1674", options={"target": 7})
        peer.say(messages.Notice(says="hear ye"), messages.Ok(id=asked.id, table=7))
        assert await opening == 7
        sitting = asyncio.ensure_future(client.sit(7, passcode="p"))
        seat = await peer.hear(messages.Sit)
        assert seat == messages.Sit(id=seat.id, table=7, passcode="p")
        peer.say(messages.Ok(id=seat.id, seat=Seat(1)))
        assert await sitting == 1


async def test_request_refused_raises_with_every_field(server: Server) -> None:
    """A refusal carries its code, words, field and time to wait, and the connection goes on."""
    client, peer = await meet(server)
    async with client:
        acting = asyncio.ensure_future(client.act(7, 1, Put()))
        asked = await peer.hear(messages.Act)
        peer.say(
            messages.Refused(id=asked.id, code=RefusalCode.ILLEGAL, says="not now", field="$.action", retry_after_ms=5)
        )
        with pytest.raises(Refusal) as caught:
            await acting
        error = caught.value
        assert (error.code, error.says, error.field, error.retry_after_ms) == ("illegal", "not now", "$.action", 5)
        assert str(error) == "Not now."
        standing = asyncio.ensure_future(client.stand(7))
        peer.say(messages.Ok(id=(await peer.hear(messages.Stand)).id))
        await standing


async def test_requests_at_once_get_each_its_own_answer(server: Server) -> None:
    """Answers are matched by id, not by order."""
    client, peer = await meet(server)
    async with client:
        sitting = [asyncio.ensure_future(client.sit(table)) for table in (1, 2, 3)]
        asked = [await peer.hear(messages.Sit) for _ in sitting]
        for one in reversed(asked):
            peer.say(messages.Ok(id=one.id, seat=Seat(one.table)))
        assert [await one for one in sitting] == [1, 2, 3]


async def test_request_without_an_answer_ends_as_unanswered(server: Server) -> None:
    """A server that never answers holds nobody."""
    connecting = asyncio.ensure_future(Client.connect("127.0.0.1", server.port, name="Moll", answer_timeout=0.01))
    peer = await server.arrival()
    await peer.welcome()
    async with await connecting as client:
        with pytest.raises(Unanswered) as caught:
            await client.stand(7)
    assert caught.value.request == "stand"


async def test_pause_and_go_on_are_asked_for(server: Server) -> None:
    """Each is a request of its own; without a length the others' holds."""
    client, peer = await meet(server)
    async with client:
        asking = [asyncio.ensure_future(ask) for ask in (client.pause(7), client.pause(7, 90), client.go_on(7))]
        first, second = await peer.hear(messages.Pause), await peer.hear(messages.Pause)
        third = await peer.hear(messages.GoOn)
        assert (first.minutes, second.minutes, third.table) == (0, 90, 7)
        peer.say(*(messages.Ok(id=asked.id) for asked in (first, second, third)))
        await asyncio.gather(*asking)


async def test_mute_and_block_are_asked_for(server: Server) -> None:
    """By name, and taken back the same way."""
    client, peer = await meet(server)
    async with client:
        asking = [asyncio.ensure_future(ask) for ask in (client.mute("Nan"), client.block("Nan", on=False))]
        mute, block = await peer.hear(messages.Mute), await peer.hear(messages.Block)
        assert ((mute.person, mute.on), (block.person, block.on)) == (("Nan", True), ("Nan", False))
        peer.say(messages.Ok(id=mute.id), messages.Ok(id=block.id))
        await asyncio.gather(*asking)


# --- messages ---


async def test_messages_come_in_order_of_arrival(server: Server) -> None:
    """Whatever their kind, messages are yielded as they came."""
    client, peer = await meet(server)
    said: list[messages.LobbyState | messages.TableSnapshot | messages.Events | messages.Decision | messages.Notice] = [
        messages.LobbyState(begins=True),
        SNAPSHOT,
        events(4, Played(Seat(0), Card("3s"), leads=True), Played(Seat(1), Card("2s"))),
        decision(),
        events(6, DidPut(Seat(0))),
        messages.Notice(says="hear ye"),
    ]
    async with client:
        peer.say(*said)
        assert await take(client, len(said)) == said


async def test_messages_behind_the_welcome_are_not_lost(server: Server) -> None:
    """What comes in the same bytes as the welcome is yielded first."""
    connecting = asyncio.ensure_future(Client.connect("127.0.0.1", server.port, name="Moll"))
    peer = await server.arrival()
    await peer.welcome(messages.Notice(says="first"), messages.Notice(says="second"))
    async with await connecting as client:
        assert await take(client, 2) == [messages.Notice(says="first"), messages.Notice(says="second")]


async def test_heartbeat_is_answered_and_not_seen(server: Server) -> None:
    """A ping gets its pong without anybody iterating, and is not yielded."""
    client, peer = await meet(server)
    async with client:
        peer.say(messages.Ping(), messages.Notice(says="after"))
        assert await take(client, 1) == [messages.Notice(says="after")]
        # The server's end keeps pongs to itself too: the next it yields is the request, which was sent behind it.
        standing = asyncio.ensure_future(client.stand(7))
        peer.say(messages.Ok(id=(await peer.hear(messages.Stand)).id))
        await standing
        assert peer.heard_bytes.startswith(b"\x00\x00\x00\x0b\x81\xa4type\xa4pong")


async def test_reading_stops_while_nobody_takes_messages(server: Server) -> None:
    """A consumer that does not keep up stops the reading; nothing is lost when it goes on."""
    client, peer = await meet(server)
    flood = [messages.Notice(says=f"{number} " + "x" * 500) for number in range(20 * INBOX)]
    async with client:
        peer.say(*flood)
        assert await take(client, 1) == flood[:1]
        for _ in range(1_000):  # turns of the loop, each of which could read thirty messages
            await asyncio.sleep(0)
        assert INBOX <= client.waiting < INBOX + READ_BYTES // 500
        # The rest waits in the system's buffers, which may hold all of it, or at the server.
        transport = client._wire.current._writer.transport
        assert isinstance(transport, asyncio.Transport)
        assert not transport.is_reading()
        assert await take(client, len(flood) - 1) == flood[1:]


async def test_request_is_answered_behind_a_full_inbox(server: Server) -> None:
    """Whoever iterates may ask in between, however much has come by then."""
    client, peer = await meet(server)
    flood = [messages.Notice(says=f"{number}") for number in range(3 * INBOX)]
    async with client:
        peer.say(*flood)
        assert await take(client, 1) == flood[:1]
        standing = asyncio.ensure_future(client.stand(7))
        peer.say(messages.Ok(id=(await peer.hear(messages.Stand)).id))
        await standing
        assert await take(client, len(flood) - 1) == flood[1:]


# --- the end ---


async def test_goodbye_ends_the_iteration_after_what_came_before(server: Server) -> None:
    """Messages before a goodbye are still yielded; then it is raised, and nobody reconnects."""
    client, peer = await meet(server)
    async with client:
        peer.say(messages.Notice(says="we close"), messages.Goodbye(code="taken_over", says="you came back elsewhere"))
        assert await anext(client) == messages.Notice(says="we close")
        with pytest.raises(Disconnected) as caught:
            await anext(client)
        assert (caught.value.code, str(caught.value)) == (
            "taken_over",
            "The connection is over: you came back elsewhere.",
        )
    await peer.hear_end()


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"\xc1", id="no msgpack"),
        pytest.param(b"\x80", id="a message of no type"),
        pytest.param(b"\x82\xa4type\xa2ok\xa2id\x63", id="an answer nobody waits for"),
        pytest.param(b"\x84\xa4type\xa6events\xa5table\x07\xa5first\x05\xa6events\x90", id="a gap in the numbers"),
    ],
)
async def test_garbage_from_the_server_raises_bad_server(server: Server, body: bytes) -> None:
    """Broken protocol ends the connection at once, for the iteration and for requests in flight."""
    client, peer = await meet(server)
    async with client:
        standing = asyncio.ensure_future(client.stand(7))
        await peer.hear(messages.Stand)
        peer.say_bytes(body)
        with pytest.raises(BadServer):
            await anext(client)
        with pytest.raises(Unanswered):
            await standing
        with pytest.raises(BadServer):
            await client.stand(7)
        await peer.hear_end()


async def test_close_says_bye_and_ends_the_iteration(server: Server) -> None:
    """A wilful close is told to the server, ends a waiting iteration without an error, and may be repeated."""
    client, peer = await meet(server)
    waiting = asyncio.ensure_future(anext(client, None))
    closing = asyncio.ensure_future(client.close())
    await peer.hear(messages.Bye)
    await closing
    assert await waiting is None
    await client.close()
    assert [message async for message in client] == []
    with pytest.raises(Disconnected) as caught:
        await client.stand(7)
    assert caught.value.code == "closed"


async def test_close_that_keeps_the_seat_says_nothing(server: Server) -> None:
    """The server only sees the connection end; the token is good, and brings a new client back as that person."""
    client, peer = await meet(server)
    standing = asyncio.ensure_future(client.stand(7))
    await peer.hear(messages.Stand)
    await client.close(keep=True)
    await peer.hear_end()
    with pytest.raises(Unanswered):
        await standing
    assert [message async for message in client] == []
    assert client.token == "t1"
    connecting = asyncio.ensure_future(Client.connect("127.0.0.1", server.port, token=client.token))
    peer = await server.arrival()
    hello = await peer.welcome(SNAPSHOT, tables=(7,))
    assert (hello.token, hello.seen, hello.asked) == ("t1", (), ())
    async with await connecting as again:
        assert (again.name, again.welcome.tables) == ("Moll", (7,))
        assert await anext(again) == SNAPSHOT
    assert again.token == ""


@pytest.mark.parametrize(("code", "token"), [("kicked", ""), ("taken_over", "t1"), ("protocol", "t1")])
async def test_token_ends_with_the_person_and_not_with_the_connection(server: Server, code: str, token: str) -> None:
    """A person sent away for good has no token; one who came back elsewhere still has theirs."""
    client, peer = await meet(server)
    async with client:
        assert client.token == "t1"
        peer.say(messages.Goodbye(code=code, says="goodbye"))  # type: ignore[arg-type]  # one of the codes
        with pytest.raises(Disconnected) as caught:
            await anext(client)
        assert caught.value.code == code
    assert client.token == token


async def test_close_while_the_connection_is_down_keeps_the_token(server: Server) -> None:
    """A goodbye nobody heard ends nothing."""
    connecting = asyncio.ensure_future(Client.connect("127.0.0.1", server.port, name="Moll", waits=lambda: [1000.0]))
    peer = await server.arrival()
    await peer.welcome()
    client = await connecting
    peer.drop()
    assert isinstance(await anext(client), ConnectionLost)
    await client.close()
    assert client.token == "t1"


async def test_close_ends_while_coming_back(server: Server) -> None:
    """Closing does not wait for a server that is away."""
    connecting = asyncio.ensure_future(Client.connect("127.0.0.1", server.port, name="Moll", waits=lambda: [1000.0]))
    peer = await server.arrival()
    await peer.welcome()
    client = await connecting
    peer.drop()
    assert isinstance(await anext(client), ConnectionLost)
    async with asyncio.timeout(1):
        await client.close()


async def test_close_leaves_requests_in_flight_unanswered(server: Server) -> None:
    """Nobody waits for an answer that will not come."""
    client, peer = await meet(server)
    standing = asyncio.ensure_future(client.stand(7))
    await peer.hear(messages.Stand)
    await client.close()
    with pytest.raises(Unanswered, match="the connection was closed"):
        await standing
