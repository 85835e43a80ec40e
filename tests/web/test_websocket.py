"""WebSocket on the port of everything else: the same sessions, and frames that break its rules."""

import asyncio
import json
import logging
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from put_protocol.codecs import FRAMES, LINES
from put_protocol.errors import FramingError
from put_protocol.limits import FRAME_BYTES, HELLO_MS
from put_protocol.messages import Events, Notice, Say, ServerMessage, Watch
from put_protocol.seats import Seat
from put_protocol.table_events import PresenceChanged, Said
from put_server.transport.session import OUTBOX_BYTES
from put_server.transport.websocket import WEB, TextFrames
from tests.transport.sockets import running_server
from tests.web.browserless import Visit, ask, call, guest, request, trusting, upgrade, visit

HELLO = {"type": "hello", "version": 2, "name": "Moll"}


async def test_browser_plays_a_whole_game_with_a_peer_of_frames() -> None:
    """By the same messages; and a spectator with lines of JSON is told the same as one in a browser."""
    async with running_server() as server:
        moll = await guest(server, "Moll", knows=["put"])
        await moll.ask_for("open", game="put-1674", seats=2)
        await moll.ask_for("sit", table=1)
        watcher, line = await guest(server, "Wat", knows=["put"]), await server.guest("Lin", LINES)
        await watcher.ask_for("watch", table=1)
        await line.ask(lambda n: Watch(n, 1))
        await moll.ask_for("invite", table=1)
        events: list[object] = []
        while not any(event["event"] == "game" for event in events if isinstance(event, dict)):
            message = await moll.hear("decision", "events")
            if message["type"] == "decision":
                chosen = message["legal"][0]["action"]
                moll.last_id += 1
                moll.say(type="act", id=moll.last_id, table=1, decision=message["decision"], action=chosen)
            else:
                events += message["events"]
        await moll.ask_for("say", table=1, text="the end")
        await line.until(Events, lambda m: any(isinstance(e, Said) for e in m.events))
        in_lines = [LINES.encode(m) for m in line.messages if isinstance(m, Events) and m.events]
        in_frames: list[bytes] = []
        while not in_frames or b"the end" not in in_frames[-1]:
            heard = await watcher.next_frame()
            if json.loads(bytes(heard.data)).get("events"):
                in_frames.append(bytes(heard.data) + b"\n")
        assert in_frames == in_lines


async def test_page_that_has_the_offers_is_not_sent_them_again() -> None:
    """Those of its own release: a page of another, and everyone else, gets them in the welcome."""
    async with running_server() as server:
        found = re.search(rb'"/web/([0-9a-f]{20})/', (await ask(server, request("/"))).body)
        assert found is not None
        digest = found[1].decode()
        offers = json.loads((await ask(server, request(f"/web/{digest}/offers.json"))).body)
        games = []
        for name, known in (("Moll", digest), ("Nan", "0" * 20), ("Kit", "")):
            caller = await call(server)
            caller.say(type="hello", version=3, name=name, offers=known)
            games.append((await caller.hear("welcome"))["games"])
        assert games == [[], offers, offers]


async def test_websocket_is_spoken_inside_tls() -> None:
    """On the same port, and with large messages."""
    async with running_server() as server:
        moll = await guest(server, "Moll", tls=trusting())
        assert (await moll.ask_for("look"))["type"] == "ok"


async def test_browser_that_lost_its_connection_comes_back() -> None:
    """With its token, and what it saw; the older connection is told so and closed in peace."""
    async with running_server() as server:
        ben = await server.guest("Ben")
        first = await call(server)
        first.say(**HELLO)
        token = (await first.hear("welcome"))["token"]
        await first.ask_for("open", game="put-1674", seats=2)
        await first.ask_for("sit", table=1)
        number = (await first.hear("table"))["number"]
        await ben.ask(lambda n: Watch(n, 1))
        second = await call(server)
        second.say(type="hello", version=2, token=token, seen=[{"table": 1, "number": number}], asked=[2])
        assert (await second.hear())["tables"] == [1]
        assert (await second.hear("ok"))["id"] == 2
        assert (await first.hear("goodbye"))["code"] == "taken_over"
        assert await first.close_code() == 1000
        second.cut()
        await ben.until(Events, lambda m: PresenceChanged(Seat(0), away=True) in m.events)
        third = await call(server)
        third.say(type="hello", version=2, token=token)
        assert (await third.hear("table"))["viewer"] == 0


async def test_close_leaves_the_seat_and_is_answered() -> None:
    """A tab that is closed is a connection that dropped: no `bye`."""
    async with running_server() as server:
        moll = await guest(server, "Moll")
        await moll.ask_for("open", game="put-1674", seats=2)
        await moll.ask_for("sit", table=1)
        moll.frame(Opcode.CLOSE, b"\x03\xe9")
        assert await moll.close_code() == 1001
        lobby = server.server.dispatcher.lobby
        assert [info.name for info in lobby.tables[1].info.seats] == ["Moll", None]  # type: ignore[index]  # a number


async def test_bye_closes_in_peace() -> None:
    """With the goodbye as its last message."""
    async with running_server() as server:
        moll = await guest(server, "Moll")
        moll.say(type="bye")
        assert (await moll.hear())["code"] == "bye"
        assert await moll.close_code() == 1000


async def test_message_may_come_in_fragments_with_pings_between() -> None:
    """Each ping is answered by its pong at once."""
    async with running_server() as server:
        caller = await call(server)
        text = json.dumps(HELLO).encode()
        caller.frame(Opcode.TEXT, text[:5], fin=False)
        caller.frame(Opcode.PING, b"there?")
        frame = await caller.next_frame()
        assert (frame.opcode, bytes(frame.data)) == (Opcode.PONG, b"there?")
        caller.frame(Opcode.CONT, b"", fin=False)
        for byte in text[5:]:
            caller.frame(Opcode.CONT, bytes([byte]), fin=False)
        caller.frame(Opcode.CONT, b"")
        assert (await caller.hear())["type"] == "welcome"


async def test_message_may_come_byte_by_byte_and_behind_its_request() -> None:
    """However the network cuts it."""
    async with running_server() as server:
        caller = await visit(server)
        text = json.dumps(HELLO).encode()
        caller.frame(Opcode.TEXT, text)
        framed = b"".join([upgrade(), b"\x81", bytes([0x80 | len(text)]), b"\0\0\0\0", text])
        caller = await visit(server)
        for byte in framed:
            caller.send(bytes([byte]))
            await caller.writer.drain()
        assert (await caller.answer()).status == 101
        assert (await caller.hear())["name"] == "Moll"
        caller = await visit(server)
        caller.send(framed.replace(b"Moll", b"Noll"))
        assert (await caller.answer()).status == 101
        assert (await caller.hear())["name"] == "Noll"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\x81\x02{}", 1002),  # no mask
        (b"\x82\x82\0\0\0\0{}", 1003),  # binary
        (b"\xc1\x82\0\0\0\0{}", 1002),  # an extension that nobody agreed on, such as compression
        (b"\x83\x80\0\0\0\0", 1002),  # an opcode that there is not
        (b"\x80\x82\0\0\0\0{}", 1002),  # a fragment of nothing
        (b"\x01\x81\0\0\0\0{\x81\x81\0\0\0\0}", 1002),  # a message within a message
        (b"\x09\x80\0\0\0\0", 1002),  # a control frame in fragments
        (b"\x89\xfe\x00\x7e\0\0\0\0" + bytes(126), 1002),  # a ping too long
        (b"\x81\x84\0\0\0\0\xff\xfe{}", 1007),  # no UTF-8
        (b"\x01\x81\0\0\0\0\xc3\x80\x81\0\0\0\0(", 1007),  # no UTF-8 across two fragments
        (b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0", 1009),  # a message of 2**63 bytes
        (b"\x81\xff" + (FRAME_BYTES + 1).to_bytes(8, "big") + bytes(4), 1009),
        (b"\x01\xfe\xff\xff\0\0\0\0" + b" " * 0xFFFF + b"\x80\x82\0\0\0\0  ", 1009),  # fragments over the limit
        (b"\x88\x81\0\0\0\0\x01", 1002),  # a close with half a code
        (b"\x88\x82\0\0\0\0\x03\xed", 1002),  # a close with a code that is never sent
        (b"\x81\x82\0\0\0\0[]", 1002),  # no message
        (b"\x81\x82\0\0\0\0{}", 1002),  # no hello
    ],
)
async def test_broken_frames_end_that_connection_alone(data: bytes, code: int) -> None:
    """With a goodbye and the code that RFC 6455 has for it, and others are served."""
    async with running_server() as server:
        caller = await call(server)
        caller.send(data)
        assert (await caller.hear())["code"] == "protocol"
        assert await caller.close_code() == code
        await server.guest("Moll")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://put.evil.example"}, 403),
        ({"Origin": "http://put.local:1674"}, 403),
        ({"Sec_WebSocket_Protocol": "chat"}, 400),
        ({"Sec_WebSocket_Protocol": ""}, 400),
        ({"Sec_WebSocket_Version": "8"}, 400),
        ({"Sec_WebSocket_Key": "short"}, 400),
        ({"Sec_WebSocket_Key": ""}, 400),
        ({"Connection": "keep-alive"}, 426),
        ({"Upgrade": "h2c"}, 426),
        ({"Content_Length": "5"}, 400),
        ({"Transfer_Encoding": "chunked"}, 400),
        ({"Sec_WebSocket_Protocol": "put.json.1\x01"}, 400),
        ({"Origin": "http://put.local\x1f"}, 400),
        ({"X": "\x7f"}, 400),
        ({"method": "POST"}, 405),
        ({"version": "1.0"}, 505),
        ({"target": "/"}, 200),
        ({"target": "/ws/"}, 404),
    ],
)
async def test_only_a_proper_request_of_this_page_begins_a_websocket(
    headers: dict[str, str], status: int, caplog: pytest.LogCaptureFixture
) -> None:
    """From elsewhere, or with anything missing or that no header may have, it gets an answer of HTTP, and the log says
    nothing of it."""
    async with running_server() as server:
        assert (await ask(server, upgrade(**headers))).status == status
    told = [record for record in caplog.records if record.levelname in ("WARNING", "ERROR")]
    assert [record.getMessage() for record in told if record.name.startswith("put_")] == []


async def test_program_without_an_origin_may_speak_websocket() -> None:
    """It is no browser, and nobody's page makes it."""
    async with running_server() as server:
        await call(server, Origin="")
        await call(server, Origin="https://put.local")


async def test_flood_of_pings_is_sent_away() -> None:
    """They count as heartbeats do, and so do fragments that end nothing."""
    async with running_server() as server:
        for name, flood in enumerate(
            (b"\x89\x80\0\0\0\0", b"\x8a\x80\0\0\0\0", b"\x01\x81\0\0\0\0 " + b"\x00\x80\0\0\0\0" * 999)
        ):
            caller = await guest(server, f"Moll {name}")
            caller.send(flood * (1 if len(flood) > 100 else 1_000))
            while True:
                frame = await caller.next_frame()
                if frame.opcode is Opcode.TEXT:
                    break
            assert json.loads(bytes(frame.data))["code"] == "too_fast"
            assert await caller.close_code() == 1008


async def test_rate_limit_counts_requests_of_websocket() -> None:
    """As those of everybody else."""
    async with running_server() as server:
        moll = await guest(server, "Moll")
        for number in range(1, 1_001):
            moll.say(type="look_away", id=number)
        goodbye = await moll.hear("goodbye")
        assert goodbye["code"] == "too_fast"


async def test_websocket_that_says_no_hello_is_ended() -> None:
    """In the time that a hello may take, though it pings."""
    async with running_server() as server:
        caller = await call(server)
        caller.frame(Opcode.PING, b"")
        assert (await caller.next_frame()).opcode is Opcode.PONG
        server.advance(HELLO_MS)
        assert (await caller.hear())["code"] == "idle"
        assert await caller.close_code() == 1001


async def test_slow_browser_is_dropped_and_others_play_on() -> None:
    """As any slow reader is: no table waits for it."""
    async with running_server() as server:
        ben = await server.guest("Ben")
        slow = await guest(server, "Slow")
        await slow.ask_for("open", game="put-1674", seats=2)
        await slow.ask_for("sit", table=1)
        await ben.ask(lambda n: Watch(n, 1))
        transport = slow.writer.transport
        assert isinstance(transport, asyncio.ReadTransport)
        transport.pause_reading()
        table = server.server.dispatcher.lobby.tables[1]  # type: ignore[index]  # a number is a number
        cat = await server.guest("Cat")
        await cat.ask(lambda n: Watch(n, 1))
        said = 0
        while not table.info.seats[0].is_away:
            server.advance(100)
            await ben.ask(lambda n: Say(n, 1, "\U0001f0a1" * 400))
            said += 1
            assert said * 1600 < OUTBOX_BYTES * 16


async def test_drain_says_that_the_server_goes() -> None:
    """A browser is told when it may come back."""
    async with running_server(back_seconds=7) as server:
        moll = await guest(server, "Moll")
        server.server.stop()
        assert (await moll.hear("goodbye"))["back_s"] == 7
        assert await moll.close_code() == 1001


async def test_frames_and_tokens_are_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    """Whatever is asked of the logs: `websockets` would write down every frame."""
    caplog.set_level(logging.DEBUG)
    async with running_server(password="sesame") as server:
        caller = await call(server)
        caller.say(**HELLO, password="sesame")
        token = (await caller.hear())["token"]
    assert token not in caplog.text
    assert "sesame" not in caplog.text


def test_messages_of_the_web_are_lines_in_frames() -> None:
    """The codec differs from that of lines in what stands around a message, and in nothing else."""
    message: Say | ServerMessage = Say(1, 2, "aye")
    assert WEB.encode(message) == b"\x81" + bytes([len(LINES.encode(message)) - 1]) + LINES.encode(message)[:-1]
    for size in (100, 200, 60_000):  # a length of one byte, and of three
        message = Notice("x" * size)
        body = LINES.encode(message)[:-1]
        assert WEB.encode(message) == Frame(Opcode.TEXT, body).serialize(mask=False)
    with pytest.raises(ValueError, match="over the limit"):
        WEB.encode(Say(1, 2, "x" * FRAME_BYTES))
    assert WEB is not FRAMES


async def test_older_programs_may_speak_version_2_over_websocket() -> None:
    """They are told the parts of messages, as others are."""
    async with running_server() as server:
        caller: Visit = await call(server)
        caller.say(type="hello", version=2, name="Old")
        assert (await caller.hear())["version"] == 2


@given(st.lists(st.binary(max_size=70_000), max_size=6), st.data())
def test_messages_are_the_same_however_they_are_cut_and_framed(texts: list[bytes], data: st.DataObject) -> None:
    """Into frames by the peer, and into reads by the network, with control frames between."""
    sent = [text.hex().encode()[: FRAME_BYTES - data.draw(st.integers(0, 9))] for text in texts]
    stream = b""
    beats = 0
    for text in sent:
        cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=3)))
        pieces = [text[one:other] for one, other in zip([0, *cuts], [*cuts, len(text)], strict=True)]
        for at, piece in enumerate(pieces):
            opcode = Opcode.CONT if at else Opcode.TEXT
            stream += Frame(opcode, piece, at == len(pieces) - 1).serialize(mask=True)
            if data.draw(st.booleans()):
                stream += Frame(Opcode.PING, b"x").serialize(mask=True)
                beats += 1
        beats += len(pieces) - 1
    frames = TextFrames()
    heard: list[bytes] = []
    while stream:
        size = data.draw(st.integers(1, 5_000))
        heard += frames.feed(stream[:size])
        stream = stream[size:]
    assert heard == sent
    assert frames.beats == beats
    assert not frames.is_midway


@given(st.binary(max_size=300), st.integers(1, 40))
def test_noise_raises_nothing_but_framing_errors(noise: bytes, size: int) -> None:
    """And once it did, nothing more is read."""
    frames = TextFrames()
    try:
        for at in range(0, len(noise), size):
            list(frames.feed(noise[at : at + size]))
    except FramingError:
        assert frames.failure in (1002, 1003, 1007, 1009)
        assert list(frames.feed(b"\x81\x80\0\0\0\0")) == []
