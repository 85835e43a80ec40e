"""People who type, among programs: the dispatcher treats them as all others."""

import asyncio
import logging
import random
import re
import socket
from collections.abc import Sequence
from pathlib import Path

import pytest

from put_protocol.codecs import FRAMES, LINES
from put_protocol.games.put import Play, Played
from put_protocol.limits import DEAD_MS, PLAIN_BYTES, PLAIN_HELLO_MS, QUIET_MS
from put_protocol.messages import Again, Events, Look, Ok, Say, Sit, TableSnapshot, Watch
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_events import PresenceChanged
from put_protocol.table_info import TableState
from put_server.app import Server
from put_server.table.table_effects import TableId
from put_server.transport.rate_limit import REFUSALS_BEFORE_CLOSING, REQUESTS_AT_ONCE
from put_server.transport.session import OUTBOX_BYTES, Session
from put_text import presenters
from put_text.plain.login import prompt
from tests.lobby.lobby_harness import new_lobby
from tests.transport.dispatcher_harness import DispatcherHarness, ManualJournal, Peer, asked
from tests.transport.sockets import ServerHarness, running_server

TABLE = TableId(1)

BACK = re.compile(r'say "(back [\w -]+)"')


WORDS = """
name bot back password numbers help quit open sit watch leave stand invite dismiss again pause go resign say hand legal
send away why table score clock proof who rules options houses tables games put see throw 3s #1 on off 1 0 -1 99999
9999999999999999 put-1674 target=3 turn=1 x=y 2h Moll {} \u202e \x07 \u0661 \u00e9 HTTP
"""


def words_back(said: Sequence[str]) -> str:
    """What they are to say to come back."""
    (found,) = {match[1] for sentence in said if (match := BACK.search(sentence))}
    return found


def numbered_by(harness: DispatcherHarness, peer: Peer) -> list[str]:
    """What a program that watches was told, as sentences with the numbers it was told."""
    peer.receive()
    told = [message for message in peer.messages if isinstance(message, Events)]
    names = [seat.name for seat in harness.dispatcher.lobby.tables[TABLE].info.seats]
    return [
        f"{number}. {presenters.format_event(event, names, you=GALLERY)}"
        for message in told
        for number, event in enumerate(message.events, message.first)
    ]


# --- three ways to speak ---


def test_three_who_watch_see_the_same_events_under_the_same_numbers() -> None:
    """Frames, JSON and plain English, from the first event of a game to its last."""
    harness = DispatcherHarness()
    programs = [harness.guest("Frames", FRAMES), harness.guest("Json", LINES)]
    person = harness.typist("numbers on", "name Plain")
    players = harness.game(FRAMES, LINES)
    for program in programs:
        program.ask(lambda n: Watch(n, 1))
    person.type("watch 1")
    dice = random.Random(7)
    table = harness.dispatcher.lobby.tables[TABLE]
    while table.state is TableState.PLAYING:
        mover, decision = asked(players)
        plays = [choice for choice in decision.legal if isinstance(choice.action, Play)]
        mover.act(decision, dice.choice(plays or decision.legal).action)
    players[0].ask(lambda n: Again(n, 1))
    said = person.said
    frames, json = (numbered_by(harness, program) for program in programs)
    assert frames == json
    assert [sentence for sentence in said if re.match(r"\d+\. ", sentence)] == frames
    assert len(frames) > 30
    (picture,) = [m for m in programs[0].messages if isinstance(m, TableSnapshot)]
    assert f"You are in the gallery of table 1, after event {picture.number}." in said
    assert frames[0].startswith(f"{picture.number + 1}. ")


def test_person_and_program_play_a_game() -> None:
    """Each says what they do in the server's words, and each hears what the other did."""
    harness = DispatcherHarness()
    moll = harness.typist("name Moll", "ask off", "open put-1674")
    assert 'Table 1 is open. Others come with "sit 1"; "invite" asks a house player.' in moll.hears()
    ben = harness.guest("Ben", LINES)
    ben.ask(lambda n: Sit(n, 1))
    dice = random.Random(5)
    table = harness.dispatcher.lobby.tables[TABLE]
    while table.state is TableState.PLAYING:
        mover, decision = asked([moll, ben])
        choice = dice.choice(decision.legal)
        if mover is moll:
            moll.type(choice.says)
        else:
            ben.act(decision, choice.action)
    said = moll.said
    assert said[-1] == 'Say "again" for another game, "analyse" to hear what your decisions cost, or "leave".'
    played = [e for m in ben.told(Events) for e in m.events if isinstance(e, Played)]
    assert len({event.seat for event in played}) == 2
    assert [sentence for sentence in said if re.match(r"(You|Ben) (leads?|plays?) the ", sentence)] == [
        presenters.format_event(event, ["Moll", "Ben"], you=Seat(0)) for event in played
    ]


# --- coming and going ---


def test_muted_person_is_heard_no_more_in_sentences() -> None:
    """By who typed it; who is numbered hears that there was something, and nobody what it was."""
    harness = DispatcherHarness()
    moll, eve = harness.typist("name Moll", "open put-1674 3"), harness.typist("numbers on", "name Eve")
    ben = harness.guest("Ben", LINES)
    ben.ask(lambda n: Sit(n, 1))
    eve.type("watch 1")
    moll.type("mute ben")
    assert "You hear no more of what they say." in moll.said
    eve.type("block Ben")
    ben.ask(lambda n: Say(n, 1, "a lot of noise"))
    assert not [sentence for sentence in moll.said if "noise" in sentence or "whom you muted" in sentence]
    assert not [sentence for sentence in eve.said if "noise" in sentence]
    assert [sentence for sentence in eve.said if sentence.endswith("Ben, whom you muted, says something.")]
    moll.type("unmute Ben")
    ben.ask(lambda n: Say(n, 1, "a word"))
    assert 'Ben says: "a word".' in moll.said or [s for s in moll.said if "a word" in s]
    moll.type("mute Nemo")
    assert [sentence for sentence in moll.said if "no one here has that name" in sentence.lower()]


def test_taken_name_is_no_end() -> None:
    """Nor is one that is none; the line stays, and another name comes in by it."""
    harness = DispatcherHarness()
    harness.guest("Moll")
    line = harness.typist()
    assert line.type("name Moll")[-1] == 'Say it otherwise: "name ...", or "back ...".'
    assert line.type(f"name {'x' * 30}")[-1] == 'Say it otherwise: "name ...", or "back ...".'
    assert line.type("back nobodys")[-1] == 'Say it otherwise: "name ...", or "back ...".'
    assert line.type("name Nan")[0].startswith("You are Nan, at ")
    assert not line.transport.is_closed


def test_wrong_password_is_an_end() -> None:
    """Guessing costs a connection, as it does a program."""
    harness = DispatcherHarness(password="sesame")
    line = harness.typist("name Moll rose")
    assert line.hears() == ["This server asks for a password."]
    assert line.transport.is_closed
    assert harness.typist("name Moll sesame").hears()[0].startswith("You are Moll, at ")


def test_line_that_drops_is_taken_up_by_another() -> None:
    """The words they were given bring them back to their seat, hand and question; the numbers go on."""
    harness = DispatcherHarness()
    moll = harness.typist("name Moll", "open put-1674")
    words = words_back(moll.hears())
    ben = harness.guest("Ben")
    ben.ask(lambda n: Sit(n, 1))
    moll.drop()
    back = harness.typist("numbers on", words)
    told = back.hears()
    assert told[1].startswith("You are Moll, at ")
    (after,) = [re.fullmatch(r"You are in seat 1 at table 1, after event (\d+)\.", s) for s in told if "after" in s]
    assert after is not None
    assert f"{int(after[1]) + 1}. You are back." in told
    assert [m.events for m in ben.told(Events)][-2:] == [
        (PresenceChanged(Seat(0), away=True),),
        (PresenceChanged(Seat(0), away=False),),
    ]
    assert any(sentence.startswith("You hold the ") for sentence in told)
    assert back.type("back") == [
        f'If your connection drops, connect again and say "{words}". Anyone who says that is you.'
    ]


@pytest.mark.parametrize("word", ["bot", "name"])
def test_program_that_comes_back_is_asked_nothing(word: str) -> None:
    """As before the drop: else its moves would come to nothing, until its time is over."""
    harness = DispatcherHarness()
    moll = harness.typist(f"{word} Moll", "open put-1674")
    words = words_back(moll.hears())
    harness.guest("Ben").ask(lambda n: Sit(n, 1))
    moll.drop()
    back = harness.typist(words)
    back.hears()
    assert any('"yes"' in sentence for sentence in back.type("resign")) is (word == "name")


def test_words_to_come_back_with_can_be_spoken() -> None:
    """Five made-up words, as those of a deal; however they are parted, and in capitals, they are the same."""
    harness = DispatcherHarness()
    moll = harness.typist("name Moll")
    words = words_back(moll.hears()).removeprefix("back ")
    assert re.fullmatch(r"(?:[a-z]{5} ){4}[a-z]{5}", words)
    for said in (words.upper(), words.replace(" ", ", "), words.replace(" ", "-"), f"{words}."):
        moll.drop()
        moll = harness.typist(f"back {said}")
        assert moll.hears()[0].startswith("You are Moll, at ")
    wrong = harness.typist(f"back {words[:-1]}{'a' if words[-1] != 'a' else 'o'}")
    assert wrong.hears()[0] == "This token is unknown or has ended."
    assert harness.guest("Ben").token != words


def test_words_are_guessed_at_as_slowly_as_a_password() -> None:
    """A few mistakes are free; then each guess waits, whichever connection it comes by."""
    harness = DispatcherHarness()
    for _ in range(3):
        assert harness.typist("back fozat ligub rokit hames lusab").hears()
    guess = harness.typist("back fozat ligub rokit hames lusab")
    assert guess.hears() == []
    harness.tick(1_000)
    assert guess.hears()[0] == "This token is unknown or has ended."


def test_person_who_comes_back_twice_is_here_once() -> None:
    """The former line is told why it ends."""
    harness = DispatcherHarness()
    moll = harness.typist("name Moll")
    words = words_back(moll.hears())
    harness.typist(words)
    assert moll.hears() == ["You came back by another connection."]
    assert moll.transport.is_closed


def test_lines_wait_for_what_waits_for_the_disk() -> None:
    """Pasted in one go, they are asked one after another, each when all that came of the last is safe and told."""
    gate = ManualJournal()
    harness = DispatcherHarness(journal=gate)
    gate.is_open = False
    line = harness.typist("name Moll", "open put-1674 3", "table", "leave")
    assert line.hears() == []
    assert gate.commit() == 1
    assert line.hears()[-1].startswith("You are at no table.")
    assert gate.commit() == 1
    assert line.hears() == []
    assert gate.commit() == 1
    opened, seat, _, table = line.hears()
    assert opened.startswith("Table 1 is open.")
    assert seat == "You are in seat 1 at table 1."
    assert table.startswith("Table 1, put-1674: you in seat 1, no player in seat 2")
    assert gate.commit() == 1
    assert line.hears() == ["You have left table 1."]


def test_stranger_who_types_has_two_minutes() -> None:
    """And is told when they are over."""
    harness = DispatcherHarness()
    line = harness.typist("good evening")
    assert line.hears() == list(prompt())
    harness.tick(PLAIN_HELLO_MS - 1)
    assert not line.transport.is_closed
    harness.tick(1)
    assert line.hears() == ["You did not say who you are within 2 minutes."]
    assert line.transport.is_closed


def test_person_who_thinks_is_let_think() -> None:
    """For an hour, without a word from either side."""
    harness = DispatcherHarness()
    line = harness.typist("name Moll")
    line.hears()
    for _ in range(60):
        harness.tick(60_000)
    assert line.hears() == []
    assert line.type("table")[0].startswith("You are at no table.")


# --- bounds ---


def test_flood_of_lines_is_slowed_down_and_then_ended() -> None:
    """Lines that are answered on the spot count as requests do, and cost no more output than they may."""
    harness = DispatcherHarness()
    line = harness.typist("name Moll")
    line.hears()
    helped = len(line.type("help"))
    said = line.type(*["help"] * (REQUESTS_AT_ONCE + 10))
    waits = [sentence for sentence in said if sentence.startswith("That was too fast: wait 1 second")]
    assert len(waits) == 11
    assert len(said) == helped * (REQUESTS_AT_ONCE - 1) + len(waits)
    said = line.type(*["help"] * REFUSALS_BEFORE_CLOSING)
    assert said[-2] == "You sent requests too fast, and did not wait when told to."
    assert words_back(said[-1:])
    assert line.transport.is_closed


def test_flood_of_requests_is_told_the_seconds() -> None:
    """The same bucket, whether a line is answered by its own end or by the lobby."""
    harness = DispatcherHarness()
    line = harness.typist("name Moll")
    line.hears()
    for _ in range(REQUESTS_AT_ONCE // 2):
        line.type("watch 99")
    assert line.type(*["watch 99"] * (REQUESTS_AT_ONCE // 2 + 1))[-1].startswith("That was too fast: wait 1 second")
    harness.tick(60_000)
    assert line.type("watch 99") == ["There is no table 99."]


def test_bug_in_a_sentence_ends_the_line_of_who_would_have_heard_it(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """And neither that of who caused it nor what others are told."""
    harness = DispatcherHarness()
    players = harness.game(FRAMES, FRAMES)
    reader = harness.typist("name Reader", "watch 1")
    last = harness.guest("Last")
    last.ask(lambda n: Watch(n, 1))
    monkeypatch.setattr(presenters, "format_event", lambda *_, **__: 1 / 0)
    assert isinstance(players[0].ask(lambda n: Say(n, 1, "hm")), Ok)
    assert reader.transport.is_aborted
    assert not players[0].transport.is_closed
    assert any(isinstance(message, Events) for message in last.receive())
    assert "could not be put in words" in caplog.text


def test_any_lines_end_at_most_their_own_line(caplog: pytest.LogCaptureFixture) -> None:
    """Every word there is, in any order, with anything behind it."""
    caplog.set_level(logging.DEBUG)
    dice = random.Random(3)
    harness = DispatcherHarness(lobby=new_lobby(people=500))
    honest = harness.guest("Honest")
    words = WORDS.split()
    for number in range(60):
        line = harness.typist(f"name Peer {number}" if dice.random() < 0.8 else "")
        for _ in range(25):
            if not line.transport.is_closed:
                line.type(" ".join(dice.choices(words, k=dice.randrange(4))))
            harness.tick(1_000)
            honest.receive()
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert isinstance(honest.ask(Look), Ok)


# --- over sockets ---


class Call:
    """A socket, and what a person does with it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def sends(self, data: bytes) -> None:
        self.writer.write(data)

    async def hears(self, sentence: str) -> list[str]:
        """Every line up to one that begins so."""
        said: list[str] = []
        while not said or not said[-1].startswith(sentence):
            line = await self.reader.readline()
            assert line, said
            said.append(line.decode().rstrip("\n"))
        return said

    async def rest(self) -> str:
        """All that comes until the server closes."""
        return (await self.reader.read()).decode()


async def call(harness: ServerHarness) -> Call:
    caller = await harness.call()
    return Call(caller.reader, caller.writer)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n", "This is a put server, and no web server.\r\n"),
        (b"\nPOST / HTTP/1.0\r\n\r\nname Eve\nopen\n", "This is a put server, and no web server.\r\n"),
        (b"x" * 2**20, "The first thing you say must be a line.\n"),
    ],
)
async def test_what_is_no_person_is_told_and_ended(data: bytes, says: str) -> None:
    """In one sentence, and nothing in it was done. (Where HTTP begins the connection, it is answered as HTTP.)"""
    async with running_server() as harness:
        stranger = await call(harness)
        stranger.sends(data)
        try:
            assert (await stranger.rest()).endswith(says)
        except ConnectionResetError:  # the rest of a megabyte met a closed socket
            assert len(data) == 2**20
        assert not harness.server.dispatcher.lobby.people


async def test_garbage_in_the_middle_of_an_evening_is_answered() -> None:
    """A megabyte without a line's end, half a character, telnet's options: each costs a sentence at most."""
    async with running_server() as harness:
        line = await call(harness)
        line.sends(b"\r\nname Moll\r\n")
        await line.hears("You are at no table.")
        line.sends(b"x" * 2**20 + b"\r\ncaf\xc3\r\n")
        assert await line.hears("A line is text") == [
            f"A line has {PLAIN_BYTES} bytes at most, and yours was not taken.\r",
            "A line is text in UTF-8, and yours was not taken.\r",
        ]
        line.sends(b"\xff\xfd\x01\xff\xfb\x1fgames\r\n")
        assert await line.reader.readexactly(6) == b"\xff\xfc\x01\xff\xfe\x1f"
        await line.hears('Say "rules" and a name')
        line.sends(b"quit\r\n")
        assert await line.rest() == "Goodbye.\r\n"


async def test_slow_reader_of_sentences_is_dropped_and_the_others_are_served() -> None:
    """As a program that reads nothing is."""
    async with running_server() as harness:
        listener = harness.server.front.listener
        assert listener is not None
        for accepting in listener.sockets:
            accepting.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        ann, _ = await harness.game(FRAMES, LINES)
        slow = await harness.call(buffer=4096)
        slow.writer.write(b"name Slow\nwatch 1\n")
        table = harness.server.dispatcher.lobby.tables[TABLE]
        while table.info.watchers == 0:
            await ann.ask(Look)
        transport = slow.writer.transport
        assert isinstance(transport, asyncio.ReadTransport)
        transport.pause_reading()
        said = 0
        while len(harness.server.dispatcher._sessions) == 3:
            harness.advance(100)
            assert isinstance(await ann.ask(lambda n: Say(n, 1, "\U0001f0a1" * 400)), Ok)
            said += 1
            assert said * 1600 < OUTBOX_BYTES * 8


def keepalive_of(server: Server) -> list[tuple[int, ...]]:
    """How the server watches over each line."""
    found = []
    for session in server.dispatcher._sessions:
        assert isinstance(session, Session)
        line = session._transport.get_extra_info("socket")  # type: ignore[union-attr]  # it is connected
        is_on = line.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        options = (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT, socket.TCP_USER_TIMEOUT)
        found.append((is_on, *(line.getsockopt(socket.IPPROTO_TCP, option) for option in options)))
    return found


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="this system cannot be told")
async def test_network_is_asked_whether_a_person_is_there() -> None:
    """As early as a program would be pinged, and given up as early."""
    async with running_server() as harness:
        line = await call(harness)
        line.sends(b"name Moll\n")
        await line.hears("You are at no table.")
        ((is_on, idle, interval, probes, unheard),) = keepalive_of(harness.server)
        assert is_on
        assert idle * 1000 == QUIET_MS
        assert (idle + interval * probes) * 1000 == DEAD_MS == unheard


async def test_end_of_input_keeps_the_seat_and_says_so() -> None:
    """Ctrl-D in nc: the peer may still read. Whoever is opposite sees them away, and they come back by the words."""
    async with running_server() as harness:
        moll = await call(harness)
        moll.sends(b"name Moll\nopen put-1674\n")
        words = words_back(await moll.hears("If your connection drops"))
        await moll.hears("Table 1, ")
        ben = await harness.guest("Ben")
        await ben.ask(lambda n: Sit(n, 1))
        moll.writer.write_eof()
        rest = await moll.rest()
        assert "Your seat at table 1 is kept for 5 minutes. After that the game is given up.\n" in rest
        assert f'To come back, connect again and say "{words}".' in rest
        again = await call(harness)
        again.sends(f"{words}\n".encode())
        await again.hears("You are in seat 1 at table 1.")


PAGE = Path(__file__).parents[2] / "docs" / "plain.md"


async def test_conversation_in_the_guide_is_the_one_that_is_held() -> None:
    """Up to where the house begins to play, who may play better one day."""
    rows = PAGE.read_text().partition("```text\n")[2].partition("> invite\n")[0]
    told = rows.replace("\n  ", " ").splitlines()
    async with running_server(seed=1674, name="The Bell") as harness:
        line = await call(harness)
        for row in told:
            if row.startswith(">"):
                line.sends(f"{row[1:].strip()}\n".encode())
            else:
                heard = (await line.reader.readline()).decode().removesuffix("\n")
                assert BACK.sub('say "back ..."', heard) == row
    assert len(told) > 10
