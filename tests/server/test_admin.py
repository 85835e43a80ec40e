"""The admin socket: its answers, what is done through it, and that nobody else can be harmed by it."""

import asyncio
import json
import os
import re
import signal
import socket
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import pytest

from put_protocol import messages
from put_protocol.codecs import FRAMES, LINES
from put_protocol.games.put import PutView
from put_protocol.refusals import RefusalCode
from put_protocol.table_events import Stood
from put_protocol.table_info import PersonInfo, TableState
from put_protocol.text import TALK_LENGTH
from put_server.admin import admin_client
from put_server.admin import socket as admin_socket
from put_server.admin.admin_calls import (
    LINE_BYTES,
    Answer,
    AskAnnounce,
    AskBan,
    AskBans,
    AskDrain,
    AskKick,
    AskStatus,
    AskUnban,
    BanList,
    Call,
    CallDone,
    ServerStatus,
)
from put_server.admin.admin_client import CallFailed, NobodyAnswers, ask
from put_server.admin.format import status_lines
from put_server.admin.socket import MOST_CONNECTIONS, PATH_BYTES, AdminSocket, NoAdminSocket
from put_server.settings import Settings
from tests.server.test_process import failed, started
from tests.serving import serving
from tests.transport.dispatcher_harness import DispatcherHarness, ManualJournal
from tests.transport.sockets import BACKSTOP, ServerHarness, running_server

A_CARD = re.compile(r"\b(?:10|[2-9AKQJ])[shdc]\b")

A = TypeVar("A", bound=Answer)


async def asked(path: Path, call: Call, kind: type[A]) -> A:
    """As a command would, from beside the server's loop."""
    return await asyncio.to_thread(ask, path, call, kind)


async def _done(_: Call) -> Answer:
    return CallDone("")


@asynccontextmanager
async def _caller(line: str) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection to the server that told this first line."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(line.rpartition(":")[2]))
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def said(path: Path, data: bytes) -> bytes:
    """What comes out until the socket closes."""
    reader, writer = await asyncio.open_unix_connection(path)
    writer.write(data)
    try:
        return await reader.read()
    except ConnectionError:
        return b""
    finally:
        writer.transport.abort()


# --- status ----------------------------------------------------------------------------------------------------------


async def test_status_counts_what_is_there(tmp_path: Path) -> None:
    """People, bots, tables by state, spectators, house players, connections and the journal, all as they are."""
    async with running_server(data=str(tmp_path), name="The Swan") as harness:
        ann, _ = await harness.game(FRAMES, LINES)
        lost = await harness.guest("Lost")
        robot = await harness.guest("Robot", is_bot=True)
        await harness.call()
        await ann.ask(lambda n: messages.OpenTable(n, "put-1674"))
        await ann.ask(lambda n: messages.Sit(n, 2))
        await robot.ask(lambda n: messages.Watch(n, 2))
        await robot.ask(lambda n: messages.OpenTable(n, "put-1674"))
        await robot.ask(lambda n: messages.Sit(n, 3))
        await robot.ask(lambda n: messages.Invite(n, 3))
        await robot.ask(lambda n: messages.Resign(n, 3))
        looker = await harness.guest("Looker")
        await looker.ask(messages.Look)
        lost.cut()
        await looker.until(messages.LobbyState, lambda m: PersonInfo("Lost", is_away=True) in m.people)
        status = await asked(tmp_path / "admin.sock", AskStatus(), ServerStatus)
    tables, people = status.tables, status.people
    assert (status.name, status.is_draining, status.games_finished) == ("The Swan", False, 1)
    assert (tables.total, tables.playing, tables.filling, tables.between) == (3, 1, 1, 1)
    assert (tables.paused, tables.spectators) == (0, 1)
    assert (people.here, people.away, people.bots) == (4, 1, 1)
    assert (status.connections, status.house_players) == (5, 1)
    assert status.journal is not None
    assert status.journal.path == str(tmp_path / "put.sqlite3")
    assert status.journal.records > 10
    assert status.journal.bytes > 4096
    assert status.journal.commit_p50_ms is not None
    assert status.journal.commit_p99_ms is not None
    assert 0 < status.journal.commit_p50_ms <= status.journal.commit_p99_ms


async def test_status_tells_what_waits_for_slow_readers(tmp_path: Path) -> None:
    """Bytes in all, for the slowest, and for how many; nothing where everyone reads."""
    async with running_server(data=str(tmp_path)) as harness:
        ann, ben = await harness.game(FRAMES, FRAMES)
        path = tmp_path / "admin.sock"
        outboxes = (await asked(path, AskStatus(), ServerStatus)).outboxes
        assert (outboxes.bytes, outboxes.largest, outboxes.waiting) == (0, 0, 0)
        listener = harness.server.front.listener
        assert listener is not None
        for line in listener.sockets:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        slow = await harness.call(buffer=4096)
        await slow.hello("Slow")
        await slow.ask(lambda n: messages.Watch(n, 1))
        transport = slow.writer.transport
        assert isinstance(transport, asyncio.ReadTransport)
        transport.pause_reading()
        while not outboxes.waiting:
            harness.advance(100)
            await ann.ask(lambda n: messages.Say(n, 1, "\U0001f0a1" * TALK_LENGTH))
            outboxes = (await asked(path, AskStatus(), ServerStatus)).outboxes
        assert outboxes.waiting == 1
        assert outboxes.bytes == outboxes.largest > 0
        assert isinstance(await ben.ask(messages.LookAway), messages.Ok)


async def test_status_holds_no_secret(tmp_path: Path) -> None:
    """On a busy server, not one card of any hand, no token, passcode, password or word of talk is in its bytes."""
    passcodes = ("sesame-1", "sesame-2", "sesame-3")
    hands: list[str] = []
    async with running_server(data=str(tmp_path), password="open-wide") as harness:
        callers = [await harness.guest(f"Player {n}", password="open-wide") for n in range(6)]
        for table, passcode in enumerate(passcodes, 1):
            pair = callers[2 * table - 2 : 2 * table]
            await pair[0].ask(lambda n, code=passcode: messages.OpenTable(n, "put-1674", passcode=code))  # type: ignore[misc]  # a default
            for player in pair:
                await player.ask(lambda n, t=table, code=passcode: messages.Sit(n, t, passcode=code))  # type: ignore[misc]  # a default
            await pair[0].ask(lambda n, t=table: messages.Say(n, t, f"whisper-{t}"))  # type: ignore[misc]  # a default
        await asyncio.gather(*(caller.until(messages.Events, _has_hand) for caller in callers))
        for caller in callers:
            view = (await caller.until(messages.Events, _has_hand)).view
            assert isinstance(view, PutView)
            hands += view.cards
        answer = await said(tmp_path / "admin.sock", b'{"ask":"status"}\n')
    text = answer.decode()
    assert json.loads(text)["tables"]["playing"] == 3
    assert len(hands) == 18
    assert all(A_CARD.fullmatch(card) for card in hands)
    assert not A_CARD.search(text)
    secrets = [*passcodes, "open-wide", "whisper", *(caller.token for caller in callers)]
    assert all(secrets)
    assert not [secret for secret in secrets if secret in text]


def _has_hand(message: messages.Events) -> bool:
    return isinstance(message.view, PutView) and bool(message.view.cards)


async def test_status_is_told_in_aligned_lines(tmp_path: Path) -> None:
    """A line for each subject, the second column straight, whether a journal is kept or not."""
    for data, kept in ((str(tmp_path), "records since the checkpoint"), (":memory:", "nothing is kept")):
        path = tmp_path / "admin.sock"
        async with running_server(data=data, admin=str(path), name="The Swan"):
            title, *lines = status_lines(await asked(path, AskStatus(), ServerStatus))
        assert title.startswith("The Swan: put-server ")
        assert kept in lines[-1]
        assert len({re.match(r"\w+ +", line).end() for line in lines}) == 1  # type: ignore[union-attr]  # else it fails
        assert all(len(line) < 120 + len(str(tmp_path)) for line in lines)


# --- what is done ----------------------------------------------------------------------------------------------------


async def test_announce_reaches_everyone(tmp_path: Path) -> None:
    """Whoever is here is told, word for word; what may not be said is declined and reaches nobody."""
    async with running_server(data=str(tmp_path)) as harness:
        callers = [*await harness.game(FRAMES, LINES), await harness.guest("Looker")]
        for text in ("", "x" * (TALK_LENGTH + 1), "red\x1b[31m"):
            with pytest.raises(CallFailed, match="the announcement "):
                await asked(tmp_path / "admin.sock", AskAnnounce(text), CallDone)
        done = await asked(tmp_path / "admin.sock", AskAnnounce("Closing at ten, ladies"), CallDone)
        assert "3 people" in done.says
        for caller in callers:
            assert (await caller.until(messages.Notice)).says == "Closing at ten, ladies"
            assert len([message for message in caller.messages if isinstance(message, messages.Notice)]) == 1


async def test_kick_sends_away_for_good(tmp_path: Path) -> None:
    """They are told why, the table goes on as if they had said bye, the token is no more, and the name is free."""
    async with running_server(data=str(tmp_path)) as harness:
        ann, ben = await harness.game(FRAMES, LINES)
        done = await asked(tmp_path / "admin.sock", AskKick("PLAYER 0", "for marking cards"), CallDone)
        assert done.says == "Player 0 was sent away"
        goodbye = await ann.over()
        assert goodbye == messages.Goodbye("kicked", "you were sent away by the operator: for marking cards")
        await ben.until(
            messages.Events, lambda m: any(isinstance(event, Stood) and event.seat == 0 for event in m.events)
        )
        back = await harness.call()
        back.send(messages.Hello(2, token=ann.token))
        goodbye = await back.over()
        assert goodbye is not None
        assert goodbye.refusal is RefusalCode.BAD_TOKEN
        await harness.guest("Player 0")


async def test_ban_sends_away_and_keeps_out(tmp_path: Path) -> None:
    """Everybody from there, also from the next server on this directory, until the ban is lifted."""
    path = tmp_path / "admin.sock"
    async with running_server(data=str(tmp_path)) as harness:
        ann, stranger = await harness.guest("Ann"), await harness.call()
        done = await asked(path, AskBan("127.0.0.0/8"), CallDone)
        assert done.says == "127.0.0.0/8 is banned; sent away: 1 person; closed: 1 other connection"
        goodbye = await ann.over()
        assert goodbye is not None
        assert goodbye.code == "kicked"
        assert await stranger.over() is None
    async with running_server(data=str(tmp_path)) as harness:
        assert await (await harness.call()).over() is None
        assert (await asked(path, AskBans(), BanList)).bans == ("127.0.0.0/8",)
        await asked(path, AskUnban("127.0.0.0/8"), CallDone)
        await harness.guest("Ann")


async def test_kick_from_an_address_sends_away_and_lets_come_again(tmp_path: Path) -> None:
    """With the reason, as by name."""
    async with running_server(data=str(tmp_path)) as harness:
        ann = await harness.guest("Ann")
        done = await asked(tmp_path / "admin.sock", AskKick(address="127.0.0.1", because="too loud"), CallDone)
        assert done.says == "sent away: 1 person; closed: 0 other connections"
        assert await ann.over() == messages.Goodbye("kicked", "you were sent away by the operator: too loud")
        await harness.guest("Ann")


async def test_kick_reaches_who_is_away(tmp_path: Path) -> None:
    """Whoever lost the connection cannot come back either."""
    async with running_server(data=str(tmp_path)) as harness:
        ann, ben = await harness.game(FRAMES, LINES)
        ann.cut()
        await ben.until(messages.Events, lambda m: m.info is not None and m.info.seats[0].is_away)
        await asked(tmp_path / "admin.sock", AskKick("Player 0"), CallDone)
        back = await harness.call()
        back.send(messages.Hello(2, token=ann.token))
        goodbye = await back.over()
        assert goodbye is not None
        assert goodbye.refusal is RefusalCode.BAD_TOKEN


async def test_kick_of_a_stranger_names_who_is_here(tmp_path: Path) -> None:
    """So that the operator sees whom they meant; nobody is sent away, and of a crowd only so many are named."""
    path = tmp_path / "admin.sock"
    async with running_server(data=str(tmp_path)) as harness:
        with pytest.raises(CallFailed, match="no one is called 'Ann'; no one is here"):
            await asked(path, AskKick("Ann"), CallDone)
        for name in ("Cat", "Ben"):
            await harness.guest(name)
        with pytest.raises(CallFailed, match=r"no one is called 'Ann'; here are Ben, Cat$"):
            await asked(path, AskKick("Ann"), CallDone)
        for number in range(20):
            await harness.guest(f"Guest {number}")
        with pytest.raises(CallFailed, match=r"Guest 7 and 2 more$"):
            await asked(path, AskKick("Ann"), CallDone)


def test_kick_of_who_is_just_coming_in_keeps_them_out() -> None:
    """Sent away before the record of their coming was committed: they are told goodbye and no welcome."""
    gate = ManualJournal()
    harness = DispatcherHarness(journal=gate)
    gate.is_open = False
    peer = harness.peer()
    peer.send(messages.Hello(2, "Ann"))
    (person,) = harness.dispatcher.lobby.people
    harness.dispatcher.kick(person, messages.Goodbye("kicked", "away"))
    while gate.waiting:
        gate.commit()
    assert peer.receive() == [messages.Goodbye("kicked", "away")]
    assert not harness.dispatcher.lobby.people
    gate.is_open = True
    assert harness.guest("Ann").token


async def test_drain_lets_games_end_and_says_when_it_is_back(tmp_path: Path) -> None:
    """Everyone is told at once; nothing new begins; who lost the connection comes back; the end tells the return."""
    settings = Settings(host="127.0.0.1", port=0, data=str(tmp_path), drain_seconds=0, back_seconds=0)
    path = tmp_path / "admin.sock"
    async with asyncio.timeout(BACKSTOP), serving(settings) as server:
        harness = ServerHarness(server)
        ann, ben = await harness.game(FRAMES, LINES)
        cat = await harness.guest("Cat")
        done = await asked(path, AskDrain(3_600, 600), CallDone)
        expected = "The server is stopping: games in play may go on for 3600 seconds; it is expected back about "
        assert done.says.startswith(expected)
        for caller in (ann, ben, cat):
            assert (await caller.until(messages.Notice)).says == done.says
        assert (await asked(path, AskStatus(), ServerStatus)).is_draining
        with pytest.raises(CallFailed, match="stopping already"):
            await asked(path, AskDrain(), CallDone)
        answer = await cat.ask(lambda n: messages.OpenTable(n, "put-1674"))
        assert isinstance(answer, messages.Refused)
        assert answer.code is RefusalCode.DRAINING
        ben.cut()
        await ann.until(messages.Events, lambda m: m.info is not None and m.info.seats[1].is_away)
        back = await harness.call()
        assert (await back.hello(token=ben.token)).tables == (1,)
        assert isinstance(await back.ask(lambda n: messages.Resign(n, 1)), messages.Ok)
        for caller in (ann, back, cat):
            goodbye = await caller.over()
            assert goodbye is not None
            assert (goodbye.code, goodbye.back_s) == ("draining", 600)
        await harness.close()
    assert not path.exists()


async def test_drain_freezes_what_is_in_play_at_its_deadline(tmp_path: Path) -> None:
    """The game that did not end stands in the journal, and goes on where it was when the server is back."""
    async with running_server(data=str(tmp_path)) as harness:
        players = await harness.game(FRAMES, LINES)
        mover, decision = await harness.asked(players)
        done = await asked(tmp_path / "admin.sock", AskDrain(seconds=0, back=90), CallDone)
        assert done.says == "The server is stopping, and is expected back in about two minutes."
        goodbye = await mover.over()
        assert goodbye is not None
        assert goodbye.back_s == 90
    async with running_server(data=str(tmp_path)) as harness:
        back = await harness.call()
        await back.hello(token=mover.token)
        assert (await back.until(messages.TableSnapshot)).info.state is TableState.PLAYING
        again = await back.until(messages.Decision)
        assert again.decision == decision.decision
        assert isinstance(
            await back.ask(lambda n: messages.Act(n, 1, again.decision, again.legal[0].action)), messages.Ok
        )


async def test_signal_drains_by_the_settings(tmp_path: Path) -> None:
    """SIGTERM says the same as the command, with what the settings hold."""
    flags = ("--data", str(tmp_path), "--drain-seconds", "0", "--back-seconds", "120")
    async with asyncio.timeout(BACKSTOP), started(*flags) as (process, line):
        async with _caller(line) as (reader, writer):
            writer.write(LINES.encode(messages.Hello(2, "Ann")))
            await reader.readline()
            process.send_signal(signal.SIGTERM)
            goodbye = json.loads(await reader.readline())
        assert (goodbye["code"], goodbye["back_s"]) == ("draining", 120)
        assert "in about two minutes" in goodbye["says"]
        assert await process.wait() == 0


# --- the socket itself -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"\n",
        b"\xff\xfe\n",
        b"GET / HTTP/1.1\r\n",
        b"[]\n",
        b'{"ask":"cards"}\n',
        b'{"ask":"status","more":1}\n',
        b'{"ask":"kick"}\n',
        b'{"ask":"drain","seconds":-1}\n',
        b'{"ask":"drain","seconds":1e99}\n',
        b'{"ask":"announce","text":"' + b"x" * LINE_BYTES + b'"}\n',
        b"[" * (LINE_BYTES - 1) + b"\n",
        b'{"a":' * 1_500 + b"\n",
        b"x" * 3_000_000,
    ],
)
async def test_garbage_at_the_door_harms_nobody(data: bytes, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It is declined in a sentence or shut out, changes nothing, and the next call is answered."""
    async with running_server(data=str(tmp_path)) as harness:
        players = await harness.game(FRAMES, LINES)
        answer = await said(tmp_path / "admin.sock", data)
        assert not answer or json.loads(answer)["ok"] is False
        assert (await asked(tmp_path / "admin.sock", AskStatus(), ServerStatus)).is_draining is False
        mover, decision = await harness.asked(players)
        assert isinstance(await mover.act(decision), messages.Ok)
    assert "a call at the admin socket could not be answered" not in caplog.text


async def test_call_for_which_the_server_ends_is_answered(tmp_path: Path) -> None:
    """An upgrade of a server without peers is over before its answer is written, and the operator hears of it."""

    async def end(_: Call) -> CallDone:
        door.close()
        return CallDone("process 7 takes over")

    path = tmp_path / "admin.sock"
    door = AdminSocket(path, end)
    door.open()
    async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
        await door.serve(tasks)
        silent = await asyncio.open_unix_connection(path)
        asking = await asyncio.open_unix_connection(path)
        asking[1].write(b'{"ask":"upgrade"}\n')
        assert b"process 7 takes over" in await asking[0].read()
        assert await silent[0].read() == b""
        for _, writer in (silent, asking):
            writer.close()
            await writer.wait_closed()


async def test_silence_at_the_door_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who says nothing, or half a line, is not waited for; so many at once are let in, and a later one ends the oldest:
    on a port, any user of the machine could keep the operator out."""
    monkeypatch.setattr(admin_socket, "CONNECTION_SECONDS", 0.05)
    async with running_server(data=str(tmp_path)):
        path = tmp_path / "admin.sock"
        assert [await said(path, data) for data in (b"", b'{"ask":')] == [b"", b""]
        monkeypatch.setattr(admin_socket, "CONNECTION_SECONDS", 3_600)
        crowd = [await asyncio.open_unix_connection(path) for _ in range(2 * MOST_CONNECTIONS)]
        assert (await asked(path, AskStatus(), ServerStatus)).ok
        assert await crowd[MOST_CONNECTIONS][0].read() == b""
        crowd[-1][1].write(b'{"ask":"status"}\n')
        assert json.loads(await crowd[-1][0].read())["ok"]
    for reader, writer in crowd:
        assert await reader.read() == b""  # the server's end did not wait for them
        writer.transport.abort()


class Dripping(socket.socket):
    """Sends an answer that does not end, a byte in each second of a clock of its own."""

    read = 0

    def sendall(self, data: object, flags: int = 0) -> None: ...

    def recv(self, most: int, flags: int = 0) -> bytes:
        self.read += 1
        return b" "


def test_answer_that_drips_is_given_up_in_all_its_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What holds the place of a server could otherwise keep the operator waiting for hours."""
    dripping = Dripping()
    monkeypatch.setattr(admin_client, "_connected", lambda *_: dripping)
    monkeypatch.setattr("time.monotonic", lambda: dripping.read)
    with pytest.raises(NobodyAnswers, match="did not answer within 10 seconds"):
        ask(tmp_path, AskStatus(), ServerStatus)
    assert dripping.read == 10


async def test_bug_at_the_door_ends_that_visit_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is logged, and the server serves on, also at the admin socket."""
    async with running_server(data=str(tmp_path)) as harness:
        path = tmp_path / "admin.sock"
        with monkeypatch.context() as patch:
            patch.setattr("put_server.admin.handler.tables_of", lambda _: 1 / 0)
            with pytest.raises(NobodyAnswers):
                await asked(path, AskStatus(), ServerStatus)
        assert "could not be answered" in caplog.text
        assert (await asked(path, AskStatus(), ServerStatus)).people.here == 0
        await harness.guest("Ann")


async def test_door_is_its_owners_alone_and_goes_with_the_server(tmp_path: Path) -> None:
    """Mode 600 while the server runs, no file afterwards; where nothing is kept there is none unless asked for."""
    path = tmp_path / "admin.sock"
    async with running_server(data=str(tmp_path)):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not path.exists()
    assert Settings(data=":memory:").admin_path is None
    async with running_server(admin=str(path)):
        assert (await asked(path, AskStatus(), ServerStatus)).journal is None
    with pytest.raises(NobodyAnswers, match="no server listens"):
        await asked(path, AskStatus(), ServerStatus)


async def test_door_of_a_killed_server_is_replaced(tmp_path: Path) -> None:
    """After SIGKILL its socket is still there; the next server listens in its place."""
    path = tmp_path / "admin.sock"
    async with asyncio.timeout(BACKSTOP), started("--data", str(tmp_path)) as (process, _):
        process.kill()
        await process.wait()
    assert path.is_socket()
    with pytest.raises(NobodyAnswers, match="no server listens"):
        await asked(path, AskStatus(), ServerStatus)
    async with asyncio.timeout(BACKSTOP), started("--data", str(tmp_path)):
        assert (await asked(path, AskStatus(), ServerStatus)).name == "The Put Table"


async def test_second_server_on_one_directory_leaves_the_first_alone(tmp_path: Path) -> None:
    """It ends with a sentence, and the first still answers at its socket."""
    async with asyncio.timeout(BACKSTOP), started("--data", str(tmp_path), "--name", "First"):
        ended = await asyncio.to_thread(failed, os.EX_DATAERR, "--data", str(tmp_path), "--port", "0")
        assert "in use by another put-server" in ended
        assert (await asked(tmp_path / "admin.sock", AskStatus(), ServerStatus)).name == "First"


async def test_door_that_is_taken_or_too_long_is_done_without(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A live server's socket, another file, a path beyond the limit: the log says so, and guests are served."""
    taken, file = tmp_path / "admin.sock", tmp_path / "file"
    file.write_text("not yours")
    long = tmp_path / ("x" * PATH_BYTES)
    async with running_server(admin=str(taken), name="First"):
        for path, why in ((taken, "another server listens at"), (file, "in use"), (long, f"{PATH_BYTES} bytes")):
            caplog.clear()
            async with running_server(admin=str(path)) as harness:
                await harness.guest("Ann")
                (warning,) = [r.getMessage() for r in caplog.records if r.name == "put_server.app"]
                assert why in warning
                assert str(path) in warning
        assert (await asked(taken, AskStatus(), ServerStatus)).name == "First"
    assert file.read_text() == "not yours"


def test_door_path_of_just_the_longest_length_can_be_had(tmp_path: Path) -> None:
    """The limit is the system's own, to the byte."""
    longest = tmp_path / ("x" * (PATH_BYTES - len(str(tmp_path)) - 1))
    admin_socket = AdminSocket(longest, _done)
    admin_socket.open()
    assert longest.is_socket()
    admin_socket.close()
    beyond = longest.with_name(longest.name + "x")
    with pytest.raises(NoAdminSocket, match=f"{PATH_BYTES} bytes"):
        AdminSocket(beyond, _done).open()
    with socket.socket(socket.AF_UNIX) as system, pytest.raises(OSError, match="too long"):
        system.bind(str(beyond))
