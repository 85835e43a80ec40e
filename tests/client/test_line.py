"""Line mode: lines of any kind of file, and whole sessions with a scripted server."""

import asyncio
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace as altered

from put_client import cli
from put_client.arguments import Options
from put_client.line import line_mode
from put_client.line.line_mode import Lines, LineSession, run, speak
from put_client.line.prompt import speak_wrapped
from put_client.sdk.client import Client
from put_client.sdk.errors import Disconnected, Refusal
from put_client.sdk.traffic import Message
from put_client.tui import app
from put_protocol.cards import Card
from put_protocol.games.put import DidPut, GameEnded, GameWon, Played, Put
from put_protocol.messages import (
    Act,
    Again,
    Analyse,
    Analysis,
    Bye,
    Events,
    Goodbye,
    Left,
    LobbyState,
    Look,
    LookAway,
    Notice,
    Ok,
    OpenTable,
    Refused,
    Say,
    Sit,
    Turn,
    Watch,
)
from put_protocol.refusals import RefusalCode
from put_protocol.seats import GALLERY
from put_protocol.table_events import PresenceChanged
from put_protocol.table_info import TableState
from put_text.plain.interpreter import is_command
from put_text.plain.text_state import Asks, TextState
from tests.client.hearing import (
    MOVE,
    NAN,
    RESTING,
    SNAPSHOT,
    YOU,
)
from tests.client.scripted_server import PATIENCE_S, Server, decision, events, info
from tests.client.speaking import Speaker, speaking

KEPT = "Your seat at table 7 is kept while the game rests, two hours at most, and then for what is left of 5 minutes."


async def all_of(lines: Lines) -> list[str]:
    taken = []
    while (line := await lines.next()) is not None:
        taken.append(line)
    return taken


@pytest.mark.parametrize("tell", [speak, speak_wrapped])
def test_line_moves_no_cursor_whatever_a_server_sends(
    tell: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is printed but what may be shown, wherever in a sentence it came to stand."""
    tell("Moll\x1b[2J\u202e sits down\x07 \u2014 \u00e0 c\u00f4t\u00e9\u00a0: 3\u2660.")
    assert capsys.readouterr().out == "Moll[2J sits down \u2014 \u00e0 c\u00f4t\u00e9\u00a0: 3\u2660.\n"


@pytest.mark.parametrize(
    ("written", "lines"),
    [
        (b"", []),
        (b"one\ntwo\n", ["one", "two"]),
        (b"one\n\ntwo", ["one", "", "two"]),
        (b"caf\xc3\xa9\n\xff\n", ["caf\u00e9", "\ufffd"]),
        (b"x" * 10_000 + b"\nshort\n", ["x" * 4096, "short"]),
    ],
)
async def test_lines_of_a_file_and_of_a_pipe(tmp_path: Path, written: bytes, lines: list[str]) -> None:
    """A regular file and a pipe give the same lines, the last of them without its end too."""
    path = tmp_path / "lines"
    path.write_bytes(written)
    file = os.open(path, os.O_RDONLY)
    reading, writing = os.pipe()
    os.write(writing, written)
    os.close(writing)
    async with asyncio.timeout(10):
        for descriptor in (file, reading):
            assert await all_of(Lines(descriptor)) == lines
            os.close(descriptor)


async def test_lines_of_nothing_and_of_a_terminal() -> None:
    """/dev/null ends at once; a terminal's lines come one by one and end when it hangs up."""
    null = os.open(os.devnull, os.O_RDONLY)
    keyboard, terminal = os.openpty()
    async with asyncio.timeout(10):
        assert await all_of(Lines(null)) == []
        lines = Lines(terminal)
        os.write(keyboard, b"put\n")
        assert await lines.next() == "put"
        os.write(keyboard, b"\x04")
        assert await lines.next() is None
    for descriptor in (null, keyboard, terminal):
        os.close(descriptor)


# --- the whole ---


async def test_line_plays_and_quits(server: Server) -> None:
    """A table is opened, a move made, talk sent, and `quit` says bye."""
    async with speaking(server) as moll:
        await moll.hears('You are Moll, at scripted. Say "help" for help.')
        moll.types("open")
        await moll.grants(OpenTable)
        await moll.grants(Sit, SNAPSHOT, decision())
        await moll.hears(MOVE)
        moll.types("3s", "say your turn")
        await moll.grants(Act, events(4, Played(YOU, Card("3s"), leads=True)))
        await moll.hears("You lead the 3 of spades.")
        await moll.grants(Say)
        moll.types("quit")
        await moll.grants(LookAway)
        await moll.peer.hear(Bye)
        assert await moll.ends == os.EX_OK
        moll.ends_input()


async def test_line_sits_where_it_was_told_to(server: Server) -> None:
    """With a table given, the first request is the seat, with its passcode."""
    async with speaking(server, Sit(0, 7, passcode="pw")) as moll:
        request = await moll.peer.hear(Sit)
        assert request == Sit(request.id, 7, passcode="pw")
        moll.peer.say(Refused(request.id, RefusalCode.SEAT_TAKEN, "no seat is free"))
        with pytest.raises(Refusal, match="No seat is free"):
            await moll.ends
        moll.ends_input()


async def test_line_says_a_refusal_and_goes_on(server: Server) -> None:
    """What is refused is one sentence, and the next line is taken."""
    async with speaking(server) as moll:
        moll.types("watch 9", "tables")
        request = await moll.peer.hear(Watch)
        moll.peer.say(Refused(request.id, RefusalCode.UNKNOWN_TABLE, "there is no table 9"))
        await moll.hears("There is no table 9.")
        await moll.grants(Look, LobbyState(begins=True))
        await moll.grants(LookAway)
        await moll.hears('No table is open. Say "open" to open one.')
        moll.types("quit")
        assert await moll.ends == os.EX_OK
        moll.ends_input()


async def test_line_speaks_one_language_to_its_end(server: Server) -> None:
    """The server was told it in the hello; a sentence says how another is chosen, also to the beginning of the word."""
    async with speaking(server) as moll:
        for typed in ("language fr", "lang french"):
            moll.types(typed)
            await moll.hears("The language is chosen when the program starts: put-client --language fr.")
        moll.types("language en")
        await moll.hears("From now on you hear English.")
        moll.types("quit")
        assert await moll.ends == os.EX_OK
        moll.ends_input()


async def test_line_at_the_end_of_input_a_player_quits_when_all_was_done(server: Server) -> None:
    """Moves piped in wait until they are asked for, and what they cause is heard before the end."""
    won = GameEnded(how=GameWon.POINTS, winners=(YOU,), scores=(5, 0), paid=(1, -1))
    async with speaking(server) as moll:
        moll.types("sit 7", "3s", "put")
        moll.ends_input()
        await moll.grants(Sit, SNAPSHOT, decision(1))
        await moll.grants(Act, altered(events(4, DidPut(NAN)), turn=Turn(NAN), moment="lead"))
        moll.peer.say(altered(events(5, DidPut(NAN)), turn=Turn(YOU), moment="lead"), decision(2))
        await moll.grants(Act, altered(events(6, won), info=info(TableState.BETWEEN, games=1)))
        await moll.grants(LookAway)
        await moll.peer.hear(Bye)
        assert await moll.ends == os.EX_OK
        await moll.hears(
            "You win the game on points, with the score at you 5, Nan 0; Nan pays one stake and you receive one stake."
        )


async def test_line_does_not_wait_for_a_move_that_will_not_come(server: Server) -> None:
    """A move left over when the game has ended is answered, and the line behind it obeyed."""
    between = Events(7, 4, (), info=info(TableState.BETWEEN, games=1))
    async with speaking(server) as moll:
        moll.types("sit 7")
        await moll.grants(Sit, SNAPSHOT)
        await moll.hears("You are to lead.")
        moll.types("put", "again")
        moll.peer.say(between)
        await moll.hears('It is not your move. Say "help" to hear what you can say.')
        await moll.grants(Again)
        moll.ends_input()
        await moll.grants(LookAway)
        assert await moll.ends == os.EX_OK


class NoLines(Lines):
    """Input that has ended before it began."""

    def __init__(self) -> None:
        pass

    async def next(self) -> None:
        return None


def test_beginning_of_a_command_is_no_move_to_wait_for() -> None:
    """As `inv ste` of a pipe, while a table has a free seat. A letter may be a move, and so waits to be asked."""
    typed = ("invite", "inv ste", "wh", "p", "1", "3s", "put", "throw in")
    assert [text for text in typed if is_command(text, TextState())] == ["invite", "inv ste"]


async def test_line_at_the_end_of_input_a_watcher_stays_until_the_table_ends(server: Server) -> None:
    """Without any input every event is heard, to the last."""
    said: list[str] = []
    connecting = asyncio.ensure_future(Client.connect("127.0.0.1", server.port, name="Moll"))
    peer = await server.arrival()
    await peer.welcome()
    async with await connecting as client, asyncio.timeout(PATIENCE_S):
        session = LineSession(client, NoLines(), said.append, is_patient=True, asks=Asks.ALL)
        starting = asyncio.ensure_future(session.start(Watch(0, 7)))
        request = await peer.hear(Watch)
        peer.say(Ok(request.id))
        await starting
        await session.read_lines()
        peer.say(altered(SNAPSHOT, viewer=GALLERY), events(4, DidPut(YOU)), Left(7, "nobody sits at it"))
        await session.read_messages()
    await peer.hear(Bye)
    assert said[-2:] == [
        "Moll puts: Nan must see it or throw in.",
        "You are no longer at table 7: nobody sits at it.",
    ]


async def test_line_ends_with_the_connection(server: Server) -> None:
    """A server's goodbye is raised for whoever gives the exit code, though the input goes on."""
    async with speaking(server) as moll:
        moll.peer.say(Goodbye(code="taken_over", says="you came back elsewhere"))
        with pytest.raises(Disconnected, match="you came back elsewhere"):
            await moll.ends
        moll.ends_input()


async def test_line_survives_a_drop(server: Server) -> None:
    """A drop and the return are said; what was typed before it is done after it, and not asked for again."""
    async with speaking(server) as moll:
        moll.types("sit 7", "put")
        await moll.grants(Sit, SNAPSHOT, decision())
        await moll.peer.hear(Act)
        moll.peer.drop()
        await moll.hears("You are to lead.")
        back = await server.arrival()
        gone = PresenceChanged(YOU, away=True), PresenceChanged(YOU, away=False)
        await back.welcome_back(events(4, *gone), decision(), tables=(7,))
        moll.peer = back
        await moll.hears("The connection is back.")
        moll.types("quit")
        await moll.grants(Act, events(6, DidPut(YOU)))
        await moll.hears("You put: Nan must see it or throw in.", at_once=True)
        await moll.grants(LookAway)
        assert await moll.ends == os.EX_OK
        moll.ends_input()


async def test_line_keeps_the_seat_of_who_quits_during_a_pause(server: Server) -> None:
    """It says so, and how to come back, and says no goodbye to the server."""
    async with speaking(server, back="put-client") as moll:
        moll.types("sit 7", "quit")
        await moll.grants(Sit, altered(SNAPSHOT, info=RESTING))
        await moll.grants(LookAway)
        await moll.hears(KEPT)
        await moll.hears("To come back, type: put-client", at_once=True)
        await moll.peer.hear_end()
        assert await moll.ends == os.EX_OK
        moll.ends_input()


async def test_line_that_cannot_keep_a_seat_says_goodbye(server: Server) -> None:
    """Also during a pause: nobody could come back to it."""
    async with speaking(server) as moll:
        moll.types("sit 7", "quit")
        await moll.grants(Sit, altered(SNAPSHOT, info=RESTING))
        await moll.grants(LookAway)
        await moll.peer.hear(Bye)
        assert await moll.ends == os.EX_OK
        moll.ends_input()


async def test_line_interrupted_during_a_pause_keeps_the_seat(server: Server) -> None:
    """^C is another way to quit."""
    async with speaking(server, back="put-client") as moll:
        moll.types("sit 7")
        await moll.grants(Sit, altered(SNAPSHOT, info=RESTING))
        await moll.hears("You are to lead.")
        moll.ends.cancel()
        await moll.hears(KEPT)
        await moll.hears("To come back, type: put-client", at_once=True)
        await moll.peer.hear_end()  # and no goodbye before it
        with pytest.raises(asyncio.CancelledError):
            await moll.ends
        moll.ends_input()


async def test_line_takes_up_the_seat_it_is_back_at(server: Server) -> None:
    """Who comes back to a table is told of it, and sits down nowhere else."""
    connecting = asyncio.ensure_future(Client.connect("127.0.0.1", server.port, token="t1"))
    peer = await server.arrival()
    await peer.welcome(SNAPSHOT, decision(), tables=(7,))
    async with await connecting as client:
        moll = Speaker(client, peer, Sit(0, 3))
        await moll.hears('You are Moll, at scripted. Say "help" for help.')
        await moll.hears("You are in seat 1 at table 7.", at_once=True)
        await moll.hears(MOVE)
        moll.types("quit")
        await moll.grants(LookAway)
        assert await moll.ends == os.EX_OK
        moll.ends_input()


async def test_line_whose_terminal_goes_away_keeps_the_seat(server: Server) -> None:
    """The end of a terminal's input is a goodbye; the end of the terminal is none."""
    keyboard, terminal = os.openpty()
    connecting = asyncio.ensure_future(Client.connect("127.0.0.1", server.port, name="Moll"))
    peer = await server.arrival()
    await peer.welcome()
    said: asyncio.Queue[str] = asyncio.Queue()
    async with await connecting as client, asyncio.timeout(PATIENCE_S):
        running = asyncio.ensure_future(run(client, descriptor=terminal, say=said.put_nowait))
        await said.get()
        os.close(keyboard)
        await running
        await peer.hear_end()
        assert client.token == "t1"
    os.close(terminal)


async def test_line_tells_an_analysis_to_who_asked_for_it(server: Server) -> None:
    """The record has games weighed by itself; that is not said."""
    async with speaking(server, Sit(0, 7, passcode="pw")) as moll:
        await moll.grants(Sit, altered(SNAPSHOT, info=info(TableState.BETWEEN, games=1)))
        said = "In game 1 nothing was left for you to decide."
        moll.peer.say(Analysis(7, 1, YOU), Notice("That was game 1."))
        async with asyncio.timeout(PATIENCE_S):
            while (heard := await moll.said.get()) != "The operator says: That was game 1.":
                assert heard != said
        moll.types("analyse")
        await moll.grants(Analyse, Analysis(7, 1, YOU))
        await moll.hears(said, at_once=True)
        moll.types("quit")
        await moll.grants(LookAway)
        await moll.ends
        moll.ends_input()


async def test_line_makes_moves_without_a_choice_by_itself_if_wanted(server: Server) -> None:
    """One after another, without a question; a piped line waits for the decision that it may be about."""
    only = [altered(decision(number), legal=decision().legal[:1]) for number in (1, 2)]
    async with speaking(server, Sit(0, 7, passcode="pw")) as moll:
        await moll.grants(Sit, SNAPSHOT)
        moll.types("alone on")
        await moll.hears("Moves without a choice are played by themselves.")
        moll.types("2")
        moll.peer.say(only[0])
        for then in (only[1], decision(3)):
            act = await moll.peer.hear(Act)
            assert act.action == decision().legal[0].action
            moll.peer.say(Ok(id=act.id, table=7), then)
        act = await moll.peer.hear(Act)
        assert (act.decision, act.action) == (3, decision().legal[1].action)
        moll.peer.say(Ok(id=act.id, table=7))
        moll.types("quit")
        await moll.grants(LookAway)
        moll.ends_input()
        await moll.ends


async def test_line_mode_goes_on_with_the_client_of_the_screen(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over the same connection, so that nobody is told that we were away, and all that it saw of the game counts."""

    async def screen(*_: object, **__: object) -> tuple[Message, ...]:
        return SNAPSHOT, decision()

    said: list[str] = []
    lines, typing = os.pipe()
    monkeypatch.setattr(cli, "is_drawn", lambda _: True)
    monkeypatch.setattr(app, "run", screen)
    monkeypatch.setattr(line_mode, "run", partial(line_mode.run, descriptor=lines, say=said.append))
    connecting = asyncio.ensure_future(Client.connect("127.0.0.1", server.port, name="Moll"))
    peer = await server.arrival()
    await peer.welcome()
    async with await connecting as client, asyncio.timeout(PATIENCE_S):
        going_on = asyncio.ensure_future(cli.play_at_table(client, Options(), None, None, notice=""))
        os.write(typing, b"put\n")
        assert (await peer.hear(Act)).action == Put()
        os.close(typing)
        going_on.cancel()
        await asyncio.wait({going_on})
    os.close(lines)
    assert said[0] == 'You are Moll, at scripted. Say "help" for help.'
    assert MOVE in said
