"""The server on real sockets."""

import asyncio
import gc
import math
import socket
from pathlib import Path

import pytest

from put_protocol import messages
from put_protocol.codecs import FRAMES, LINES
from put_protocol.games.put import GameEnded, Put
from put_protocol.limits import FRAME_BYTES, HELLO_MS, STRANGER_MS
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_events import PresenceChanged, Said
from put_protocol.table_info import TableState
from put_server.front import CannotListen
from put_server.lobby.subscribers import Subscribers
from put_server.settings import Settings
from put_server.transport import listener
from put_server.transport.session import OUTBOX_BYTES, Session
from tests.serving import serving
from tests.transport.sockets import ServerHarness, SocketPeer, running_server


async def test_frames_and_lines_on_one_port_see_the_same() -> None:
    """Two spectators, one of each language, are told the same messages of one game."""
    async with running_server() as harness:
        players = await harness.game(FRAMES, LINES)
        gallery = [await harness.guest(f"Watcher {codec.name}", codec) for codec in (FRAMES, LINES)]
        for watcher in gallery:
            await watcher.ask(lambda n: messages.Watch(n, 1))
        for _ in range(12):
            mover, decision = await harness.asked(players)
            assert isinstance(await mover.act(decision), messages.Ok)
        await players[0].ask(lambda n: messages.Say(n, 1, "the end"))
        told = []
        for watcher in gallery:
            is_last = lambda m: any(isinstance(e, Said) for e in m.events)  # noqa: E731  # short
            await watcher.until(messages.Events, is_last)
            told.append([m for m in watcher.messages if isinstance(m, messages.Events) and m.events])
        assert told[0] == told[1]
        assert len(told[0]) > 12


@pytest.mark.parametrize(
    "data",
    [
        b"\x16\x03\x01\x02\x00\x01",
        b"\x00\xff\xff\xff",
        (FRAME_BYTES + 1).to_bytes(4, "big") + b"x" * (FRAME_BYTES + 1),
        b"{" + b"x" * (FRAME_BYTES + 1),
        b"{}\n",
        FRAMES.encode(messages.Bye()),
    ],
)
async def test_garbage_is_sent_away_and_others_are_served(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a stranger sends first, they are told and closed, and the next guest comes in."""
    monkeypatch.setattr(listener, "HANDSHAKE_SECONDS", 0.05)  # who begins one and says no more is closed after it
    async with running_server() as harness:
        stranger = await harness.call(FRAMES if data[:1] == b"\x00" else LINES)
        stranger.writer.write(data)
        goodbye = await stranger.over()
        assert goodbye is None or goodbye.code == "protocol"
        assert (await (await harness.call()).hello("Ann")).name == "Ann"


async def test_half_a_frame_then_silence_is_ended() -> None:
    """Who stops in the middle of a hello is not waited for."""
    async with running_server() as harness:
        stranger = await harness.call()
        stranger.writer.write(FRAMES.encode(messages.Hello(2, "Ann"))[:-1])
        guest = await harness.guest("Ben")
        harness.advance(HELLO_MS)
        goodbye = await stranger.over()
        assert goodbye is not None
        assert goodbye.code == "idle"
        guest.send(messages.Pong())
        assert isinstance(await guest.ask(messages.LookAway), messages.Ok)


async def test_flood_is_sent_away_and_others_are_served() -> None:
    """A flood is answered as far as allowed, told to wait, and at last closed; the table goes on."""
    async with running_server() as harness:
        ann, ben = await harness.game(FRAMES, LINES)
        ann.send(*(messages.LookAway(10 + n) for n in range(1_000)))
        goodbye = await ann.over()
        assert goodbye is not None
        assert goodbye.code == "too_fast"
        refused = [m for m in ann.messages if isinstance(m, messages.Refused)]
        assert refused
        assert {(m.code, bool(m.retry_after_ms)) for m in refused} == {(RefusalCode.TOO_FAST, True)}
        away = PresenceChanged(Seat(0), away=True)
        await ben.until(messages.Events, lambda m: away in m.events)
        assert isinstance(await ben.ask(lambda n: messages.Say(n, 1, "hm")), messages.Ok)


@pytest.mark.parametrize("is_bot", [False, True])
async def test_player_whose_connection_hangs_is_away_within_five_seconds(is_bot: bool) -> None:
    """While others wait for their move: those hear why they wait, and how long. A player who answers pings thinks as
    long as they like, and so does a bot, which may be deaf meanwhile."""
    async with running_server() as harness:
        players = [await harness.guest(name, is_bot=is_bot) for name in ("Ann", "Ben")]
        await _open_and_sit(*players)
        mover, decision = await harness.asked(players)
        waiting = players[1 - players.index(mover)]
        for _ in range(10):
            harness.advance(1_000)
            mover.send(messages.Pong())
            waiting.send(messages.Pong())
            assert isinstance(await mover.ask(messages.LookAway), messages.Ok)
        for _ in range(5):
            harness.advance(1_000)
        hung = await mover.over() if not is_bot else None
        assert isinstance(await waiting.ask(messages.LookAway), messages.Ok)
        if is_bot:
            assert isinstance(await mover.act(decision), messages.Ok)
            return
        assert hung is not None
        assert hung.code == "idle"
        told = await waiting.until(messages.Events, lambda m: any(isinstance(e, PresenceChanged) for e in m.events))
        assert told.info is not None
        assert [seat.is_away for seat in told.info.seats].count(True) == 1


async def test_slow_reader_is_dropped_and_comes_back() -> None:
    """A player who reads nothing is dropped, the others play on, and with the token they are back in their seat."""
    async with running_server() as harness:
        listener = harness.server.front.listener
        assert listener is not None
        for line in listener.sockets:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        slow = await harness.call(buffer=4096)
        token = (await slow.hello("Slow")).token
        ben, cat = await harness.guest("Ben", LINES), await harness.guest("Cat")
        await _open_and_sit(slow, ben)
        await cat.ask(lambda n: messages.Watch(n, 1))
        transport = slow.writer.transport
        assert isinstance(transport, asyncio.ReadTransport)
        transport.pause_reading()
        table = harness.server.dispatcher.lobby.tables[1]  # type: ignore[index]  # a number is a number
        said = 0
        while not table.info.seats[0].is_away:
            harness.advance(100)
            assert isinstance(await ben.ask(lambda n: messages.Say(n, 1, "\U0001f0a1" * 400)), messages.Ok)
            cat.send(messages.Pong())
            said += 1
            assert said * 1600 < OUTBOX_BYTES * 8
        away = PresenceChanged(Seat(0), away=True)
        await cat.until(messages.Events, lambda m: away in m.events)
        assert (
            sum(isinstance(e, Said) for m in cat.messages if isinstance(m, messages.Events) for e in m.events)
            >= said - 1
        )
        back = await harness.call(LINES)
        assert (await back.hello(token=token)).tables == (1,)
        assert (await back.until(messages.TableSnapshot)).viewer == 0
        assert isinstance(await back.ask(lambda n: messages.Say(n, 1, "back")), messages.Ok)


async def _open_and_sit(*players: SocketPeer) -> None:
    await players[0].ask(lambda n: messages.OpenTable(n, "put-1674"))
    for player in players:
        await player.ask(lambda n: messages.Sit(n, 1))


async def test_cut_line_resumes_with_the_missed_tail() -> None:
    """After the line breaks in mid-game, token and numbers bring what was missed and the decision."""
    async with running_server() as harness:
        players = await harness.game(FRAMES, FRAMES)
        mover, decision = await harness.asked(players)
        (other,) = [player for player in players if player is not mover]
        seen = mover.client.seen
        mover.cut()
        await other.until(messages.Events, lambda m: any(isinstance(e, PresenceChanged) for e in m.events))
        await other.ask(lambda n: messages.Say(n, 1, "gone?"))
        back = await harness.call(LINES)
        back.client.follow_from(seen)
        await back.hello(token=mover.token, seen=seen)
        again = await back.until(messages.Decision)
        assert again.decision == decision.decision
        assert not [m for m in back.messages if isinstance(m, messages.TableSnapshot)]
        said = [e for m in back.messages if isinstance(m, messages.Events) for e in m.events if isinstance(e, Said)]
        assert [event.text for event in said] == ["gone?"]
        assert isinstance(await back.ask(lambda n: messages.Act(n, 1, again.decision, Put())), messages.Ok)


async def test_second_connection_takes_over() -> None:
    """The first is told and closed; the table never hears of it."""
    async with running_server() as harness:
        ann, ben = await harness.game(FRAMES, FRAMES)
        back = await harness.call()
        await back.hello(token=ann.token)
        goodbye = await ann.over()
        assert goodbye is not None
        assert goodbye.code == "taken_over"
        await back.ask(lambda n: messages.Say(n, 1, "hm"))
        await ben.until(messages.Events, lambda m: any(isinstance(e, Said) for e in m.events))
        assert not [
            e
            for m in ben.messages
            if isinstance(m, messages.Events)
            for e in m.events
            if isinstance(e, PresenceChanged)
        ]


@pytest.mark.parametrize(
    ("hello", "code"),
    [
        (messages.Hello(2, "Ann", password="wrong"), RefusalCode.WRONG_PASSWORD),
        (messages.Hello(0, "Ann", password="right"), RefusalCode.VERSION),
        (messages.Hello(2, "", password="right"), RefusalCode.BAD_NAME),
    ],
)
async def test_hello_that_will_not_do_is_turned_away(hello: messages.Hello, code: RefusalCode) -> None:
    """The reason comes with the goodbye, then the end."""
    async with running_server(password="right") as harness:
        caller = await harness.call()
        caller.send(hello)
        assert await caller.over() == messages.Goodbye("refused", caller.messages[0].says, code)  # type: ignore[union-attr, arg-type]


async def test_bug_on_one_line_closes_that_line_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With the journal committed on its own thread, too: one peer is cut, the server goes on."""
    for data in (":memory:", str(tmp_path)):
        async with running_server(data=data) as harness:
            ann, ben = await harness.game(FRAMES, LINES)
            with monkeypatch.context() as patch:
                patch.setattr(Subscribers, "discard", lambda *_: 1 / 0)
                ann.send(messages.LookAway(99))
                assert await ann.over() is None
            assert isinstance(await ben.ask(messages.LookAway), messages.Ok)


async def test_crowd_comes_and_goes() -> None:
    """A hundred strangers who say nothing keep no guest out, and leave nothing behind."""
    async with running_server() as harness:
        crowd = [await harness.call(LINES) for _ in range(100)]
        await harness.guest("Ann")
        harness.advance(STRANGER_MS)
        for stranger in crowd:
            await stranger.over()
        await harness.guest("Ben")
        assert len(harness.server.dispatcher._sessions) <= 2


async def test_house_plays_over_sockets() -> None:
    """A guest plays a whole game with the house."""
    async with running_server() as harness:
        ann = await harness.guest("Ann")
        await ann.ask(lambda n: messages.OpenTable(n, "put-1674", options={"target": 1}))
        await ann.ask(lambda n: messages.Sit(n, 1))
        await ann.ask(lambda n: messages.Invite(n, 1))
        table = harness.server.dispatcher.lobby.tables[1]  # type: ignore[index]  # a number is a number
        answered = 0
        while table.info.games == 1 and table.state is TableState.PLAYING:
            asked = [m for m in ann.messages if isinstance(m, messages.Decision) and m.decision > answered]
            if asked:
                answered, action = asked[-1].decision, asked[-1].legal[0].action
                ann.send(messages.Act(100 + answered, 1, answered, action))
            await ann.read()
        ended = await ann.until(messages.Events, lambda m: any(isinstance(e, GameEnded) for e in m.events))
        assert ended.info is not None
        assert ended.info.state is TableState.BETWEEN


async def test_stop_says_goodbye_to_everyone_and_ends(tmp_path: Path) -> None:
    """No new peer comes in, every guest is told, every line is closed, and stopping again does no harm. A peer that has
    said nothing is told nothing: its program may read frames, and would take JSON for a server of another kind."""
    settings = Settings(host="127.0.0.1", port=0, data=str(tmp_path), drain_seconds=0)
    async with asyncio.timeout(20), serving(settings) as server:
        harness = ServerHarness(server)
        players = await harness.game(FRAMES, LINES)
        stranger = await harness.call(LINES)
        port = server.port
        server.stop()
        for caller in players:
            goodbye = await caller.over()
            assert goodbye is not None
            assert goodbye.code == "draining"
        assert await stranger.reader.read() == b""
        await harness.close()
        server.stop()
        server.stop()
        with pytest.raises(OSError, match="Connect call failed"):
            await asyncio.open_connection("127.0.0.1", port)


async def test_stop_lets_games_end() -> None:
    """While a game is in play the players are told of the end to come, and it waits for theirs."""
    settings = Settings(host="127.0.0.1", port=0, data=":memory:", drain_seconds=3_600)
    async with asyncio.timeout(20), serving(settings) as server:
        harness = ServerHarness(server)
        ann, ben = await harness.game(FRAMES, LINES)
        server.stop()
        await ann.until(messages.Notice)
        await ben.until(messages.Notice)
        assert isinstance(await ann.ask(lambda n: messages.Resign(n, 1)), messages.Ok)
        for caller in (ann, ben):
            goodbye = await caller.over()
            assert goodbye is not None
            assert goodbye.code == "draining"
        await harness.close()


async def test_port_in_use_is_said() -> None:
    """A second server on one port cannot listen, says why, and leaves the first alone."""
    async with running_server() as harness:
        with pytest.raises(CannotListen, match="in use"):
            async with serving(Settings(host="127.0.0.1", port=harness.server.port, data=":memory:")):
                raise AssertionError("it listens")
        assert isinstance(await (await harness.guest("Ann")).until(messages.Welcome), messages.Welcome)


async def test_connection_that_broke_takes_no_line_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """What a peer is told between the break and its being noticed is dropped in silence."""
    asyncio.get_running_loop().slow_callback_duration = math.inf  # a slow machine is no fault
    async with running_server() as harness:
        await harness.guest("Moll")
        (session,) = harness.server.dispatcher._online.values()
        session.cut()
        for _ in range(20):
            harness.server.dispatcher.announce("The cellar floods.")
    assert [record.getMessage() for record in caplog.records if record.name == "asyncio"] == []


@pytest.mark.parametrize("data", [b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 40, b"Moll\n", b"{}\n", b"\x00\x00"])
async def test_connection_that_ended_holds_no_memory(data: bytes) -> None:
    """A flood of connections leaves nothing until a search for cycles, which is rare."""

    def sessions() -> int:
        return sum(isinstance(found, Session) for found in gc.get_objects())

    async with running_server() as harness:
        await harness.guest("Ann")
        gc.collect()
        before = sessions()
        gc.disable()
        try:
            for number in range(5):
                stranger = await harness.call()
                stranger.writer.write(data)
                await harness.guest(f"Guest {number}")  # meanwhile it was read
                stranger.cut()
            while sessions() > before + 5:  # noqa: ASYNC110  # a loss is noticed in its own time
                await asyncio.sleep(0.01)
        finally:
            gc.enable()
