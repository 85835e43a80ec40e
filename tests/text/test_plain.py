"""Plain English at the server's end: lines out of any bytes, who comes in, what is asked and what is said."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from put_protocol.cards import Card
from put_protocol.errors import FramingError, MessageError, ProtocolError
from put_protocol.games import primero
from put_protocol.games.put import Dealt, Double, Drawn, HandEnded, HandWon, Play, Played, PutView, ThrewIn
from put_protocol.games.unions import Choice
from put_protocol.limits import PLAIN_BYTES, PLAIN_HELLO_MS, PLAIN_LINES, PLAIN_TRIES
from put_protocol.messages import (
    Act,
    Bye,
    ClientMessage,
    Decision,
    Events,
    Goodbye,
    Hello,
    Invite,
    Invited,
    Left,
    Look,
    LookAway,
    Ok,
    OpenTable,
    Ping,
    Refused,
    Say,
    ServerMessage,
    Sit,
    TableSnapshot,
    Turn,
    Watch,
)
from put_protocol.offers import GameOffer, HouseOffer, OptionOffer
from put_protocol.refusals import RefusalCode
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_events import GoOnAsked, Paused, PresenceChanged, Said
from put_protocol.table_info import ClockInfo, PauseInfo, SeatInfo, TableState
from put_protocol.text import Phrase
from put_text.catalogue import speaking
from put_text.parse_action import command_in_english
from put_text.plain import telling, text_state
from put_text.plain.interpreter import interpret
from put_text.plain.login import LoginState, log_in, prompt
from put_text.plain.plain_connection import Parted, PlainConnection
from put_text.plain.telnet import TypedLines
from put_text.presenters import families_in_words
from tests.protocol import samples
from tests.protocol.strategies import chunkings

IAC, WILL, DO, DONT, WONT, SB, SE = 255, 251, 253, 254, 252, 250, 240

TOO_LONG = f"a line has {PLAIN_BYTES} bytes at most, and yours was not taken"
NO_TEXT = "a line is text in UTF-8, and yours was not taken"


class PlainPeer:
    """A person on a plain connection: what their lines lead to, and what they are told."""

    def __init__(self, *, asks_password: bool = False, spend: Callable[[], int] = lambda: 0) -> None:
        self.end = PlainConnection(0, spend=spend, asks_password=asks_password)
        self.now = 0

    def sends(self, data: bytes) -> list[ClientMessage | ProtocolError]:
        return self.end.receive(data, self.now)

    def types(self, *lines: str) -> list[ClientMessage | ProtocolError]:
        return self.sends("".join(f"{line}\n" for line in lines).encode())

    def receives(self, *messages: ServerMessage) -> list[ClientMessage | ProtocolError]:
        """What they ask next, after these messages."""
        for message in messages:
            self.end.send(message, self.now)
        asked = self.end.take_requests()
        while self.end.has_next:
            asked += self.end.take_requests()
        return asked

    def output(self) -> list[str]:
        """Every line said since the last call."""
        pending, said = self.end.pending, self.end.take().decode()
        assert (pending, self.end.pending) == (len(said.encode()), 0)
        assert not said or said.endswith("\n")
        return said.splitlines()

    def logs_in(self, **fields: object) -> "PlainPeer":
        self.types("name Moll")
        self.receives(replace(samples.WELCOME, name="Moll", server="The Bell", token="t-1", **fields))
        self.output()
        return self


def snapshot(number: int = 3, table: int = 7, **fields: object) -> TableSnapshot:
    return TableSnapshot(table=table, viewer=Seat(0), number=number, info=replace(samples.INFO, id=table, **fields))


# --- lines out of bytes ----------------------------------------------------------------------------------------------


def lines_of(*chunks: bytes) -> list[str]:
    """The lines, and what was wrong in the place of those that were not taken."""
    reader = TypedLines()
    taken = [line for chunk in chunks for line in reader.feed(chunk)]
    return [f"! {line.reason}" if isinstance(line, MessageError) else line for line in taken]


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"put\n", ["put"]),
        (b"put\r\nsee\r\n", ["put", "see"]),
        (b"put\r\0see\r\0", ["put", "see"]),
        (b"put\rsee\r\r\n\n", ["put", "see", "", ""]),
        (b"put", []),
        ("caf\u00e9\n".encode(), ["caf\u00e9"]),
        (b"caf\xc3\nput\n", [f"! {NO_TEXT}", "put"]),
        (b"x" * PLAIN_BYTES + b"\nput\n", ["x" * PLAIN_BYTES, "put"]),
        (b"x" * (PLAIN_BYTES + 1) + b"\nput\n", [f"! {TOO_LONG}", "put"]),
        (b"x" * (PLAIN_BYTES + 1), [f"! {TOO_LONG}"]),
        (bytes([IAC, 241]) + b"put\n", ["put"]),
        (b"p" + bytes([IAC, DO, 6]) + b"ut\n", ["put"]),
        (bytes([IAC, SB, 24, 0]) + b"xterm\n" + bytes([IAC, IAC, 1, IAC, SE]) + b"put\n", ["put"]),
        (bytes([IAC, IAC]) + b"put\n", [f"! {NO_TEXT}"]),
    ],
)
def test_lines_are_what_was_typed(data: bytes, lines: list[str]) -> None:
    """However they end; telnet's commands are no part of them, and one that cannot be taken is told once."""
    assert lines_of(data) == lines


KNOWN = families_in_words()

TYPED = st.lists(
    st.one_of(
        st.sampled_from([b"\n", b"\r", b"\0", b"put", b"\xc3", b"\xa9", b"x" * (PLAIN_BYTES - 1), b"\xff", b"\xfa"]),
        st.binary(max_size=4),
        st.lists(st.sampled_from([IAC, WILL, WONT, DO, DONT, SB, SE, 1]), max_size=6).map(bytes),
    ),
    max_size=20,
).map(b"".join)


def test_empty_line_behind_an_end_that_was_cut_is_a_line() -> None:
    """One line feed belongs to the carriage return that came before, and no more."""
    lines = TypedLines()
    assert [list(lines.feed(chunk)) for chunk in (b"\r", b"\n", b"\n")] == [[""], [], [""]]


@given(data=st.data(), stream=TYPED)
def test_any_chunking_gives_the_same_lines_and_replies(data: st.DataObject, stream: bytes) -> None:
    """Wherever the network cuts it, also within a command, a character or the end of a line."""
    whole, cut = TypedLines(), TypedLines()
    lines = [str(line) for line in whole.feed(stream)]
    assert [str(line) for chunk in data.draw(chunkings(stream)) for line in cut.feed(chunk)] == lines
    assert cut.take_replies() == whole.take_replies()
    assert (cut.is_telnet, cut.is_over, cut.is_midway) == (whole.is_telnet, whole.is_over, whole.is_midway)
    assert len(cut._rest) <= PLAIN_BYTES


def test_every_option_of_telnet_is_declined() -> None:
    """What it asks for we will not, what it offers it shall not; what it takes back needs no answer."""
    reader = TypedLines()
    assert not list(reader.feed(bytes([IAC, DO, 1, IAC, WILL, 31, IAC, DONT, 1, IAC, WONT, 31, IAC, 246])))
    assert reader.take_replies() == bytes([IAC, WONT, 1, IAC, DONT, 31])
    assert reader.take_replies() == b""


# --- coming in -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "hello"),
    [
        ("name Moll", Hello(3, "Moll", knows=KNOWN, client="plain", language="en")),
        ("NAME  Moll   Cutpurse ", Hello(3, "Moll Cutpurse", knows=KNOWN, client="plain", language="en")),
        ("bot Moll", Hello(3, "Moll", is_bot=True, knows=KNOWN, client="plain", language="en")),
        ("name Moll as a bot", Hello(3, "Moll", is_bot=True, knows=KNOWN, client="plain", language="en")),
        ("name as a bot", Hello(3, "as a bot", knows=KNOWN, client="plain", language="en")),
        ("back T-1", Hello(3, token="T-1", knows=KNOWN, client="plain", language="en")),
    ],
)
def test_name_or_words_to_come_back_with_are_a_hello(line: str, hello: Hello) -> None:
    """A person is one, a program says that it is none."""
    assert PlainPeer().types(line) == [hello]


@pytest.mark.parametrize(
    ("lines", "hello"),
    [
        (["name Moll rose"], Hello(3, "Moll", "rose", knows=KNOWN, client="plain", language="en")),
        (["name Moll Cutpurse rose"], Hello(3, "Moll Cutpurse", "rose", knows=KNOWN, client="plain", language="en")),
        (
            ["password rose red", "name Moll Cutpurse"],
            Hello(3, "Moll Cutpurse", "rose red", knows=KNOWN, client="plain", language="en"),
        ),
        (
            ["name Moll rose as a bot"],
            Hello(3, "Moll", "rose", is_bot=True, knows=KNOWN, client="plain", language="en"),
        ),
        (
            ["name Moll as a bot rose"],
            Hello(3, "Moll", "rose", is_bot=True, knows=KNOWN, client="plain", language="en"),
        ),
        (
            ["back Fozat, ligub rokit-hames lusab. Rose red"],
            Hello(
                3,
                password="Rose red",
                token="fozat ligub rokit hames lusab",
                knows=KNOWN,
                client="plain",
                language="en",
            ),
        ),
        (["back T-1 rose"], Hello(3, password="rose", token="T-1", knows=KNOWN, client="plain", language="en")),
        (
            ["password rose", "back T-1"],
            Hello(3, password="rose", token="T-1", knows=KNOWN, client="plain", language="en"),
        ),
    ],
)
def test_password_stands_behind_the_name_or_comes_before_it(lines: list[str], hello: Hello) -> None:
    """Where the server asks for one."""
    assert PlainPeer(asks_password=True).types(*lines) == [hello]


def test_password_that_is_asked_for_and_not_said_is_asked_for_again() -> None:
    """Nobody is sent away for not knowing that there is one."""
    peer = PlainPeer(asks_password=True)
    assert peer.types("name Moll") == []
    assert peer.output() == [
        'This server asks for a password: say it behind your name, or "password" and the password first.'
    ]
    assert peer.types("name Moll rose") == [Hello(3, "Moll", "rose", knows=KNOWN, client="plain", language="en")]


@pytest.mark.parametrize("first", ["", "hello", "put", "sit 3", "name", "back", "password", "SSH-2.0-OpenSSH_9.2"])
def test_whoever_does_not_say_who_they_are_is_told_how(first: str) -> None:
    """In two sentences, and again as often as they like."""
    peer = PlainPeer()
    for _ in range(2):
        assert peer.types(first) == []
        assert peer.output() == list(prompt())


def test_telnet_is_greeted_at_its_first_word_and_a_half_typed_line_is_not_spoken_into() -> None:
    """Its client sends options before anybody types."""
    peer = PlainPeer()
    assert peer.sends(bytes([IAC, DO, 3])) == []
    assert peer.end.take() == bytes([IAC, WONT, 3]) + "".join(f"{sentence}\r\n" for sentence in prompt()).encode()
    typing = PlainPeer()
    assert typing.sends(b"na") == []
    assert typing.output() == []
    assert typing.sends(b"me Moll\n") == [Hello(3, "Moll", knows=KNOWN, client="plain", language="en")]


def test_stranger_is_greeted_once() -> None:
    """Telnet may go on about its options for as long as it likes, and is not greeted by each."""
    peer = PlainPeer()
    for _ in range(3):
        peer.sends(bytes([IAC, SB]) + b"x" * 100)
    assert peer.output() == list(prompt())


def test_line_that_cannot_be_taken_is_complained_of_in_its_place() -> None:
    """Behind the answers to those before it; and before a name, one that has no end is no line at all."""
    peer = PlainPeer()
    peer.sends(b"name Moll\ncaf\xc3\n" + b"x" * (PLAIN_BYTES + 1) + b"\ntables\n")
    assert peer.output() == []
    assert peer.receives(samples.WELCOME) == [Look(1)]
    assert peer.output()[-2:] == [f"{wrong[0].upper()}{wrong[1:]}." for wrong in (NO_TEXT, TOO_LONG)]
    (error,) = PlainPeer().sends(b"x" * (PLAIN_BYTES + 1))
    assert isinstance(error, FramingError)


def test_help_at_the_door_tells_every_word_that_is_taken_there() -> None:
    """Each by its name, and each is understood."""
    peer = PlainPeer()
    peer.types("help")
    said = peer.output()
    words = ["name", "bot", "password", "back", "numbers", "language", "quit:"]
    assert [sentence.split()[0] for sentence in said] == words
    for sentence in said:
        line = sentence.partition(":")[0].replace("language NAME", "language fr")
        line = line.replace("NAME", "Moll").replace("on|off", "on").lower()
        assert log_in(LoginState(asks_password=False), line) != prompt()


def test_person_who_asks_for_french_hears_it_and_types_it() -> None:
    """Before the welcome and after it; a choice is told by its message, and one that has none as the server says it."""
    peer = PlainPeer()
    peer.types("language fr")
    assert peer.output() == ["C'est noté. Dis maintenant qui tu es."]
    (hello,) = peer.types("name Pilou")
    assert isinstance(hello, Hello)
    assert hello.language == "fr"
    peer.receives(replace(samples.WELCOME, name="Pilou", token="t-1"), snapshot())
    peer.output()
    lead = Choice(Play(Card("As")), "lead the ace of spades", Phrase("put-lead", {"card": "As"}))
    legal = (lead, Choice(Double(), "offer to double"))
    asks = Phrase("put-asks-lead", {"number": 1, "more": "double"})
    peer.receives(Decision(7, 1, "Lead to trick 1, or double first.", legal, asks_phrase=asks))
    said = " ".join(peer.output())
    assert "Entame la levée 1, ou truque d'abord." in said
    assert "entame avec l'as de pique" in said
    assert "offer to double" in said
    assert [getattr(act, "action", None) for act in peer.types("as de pique")] == [lead.action]


def test_commands_at_the_door_are_taken_in_the_language_that_was_asked_for() -> None:
    """First of all the help that the greeting names."""
    peer = PlainPeer()
    peer.types("language fr", "help")
    *_, helped = peer.output()
    for line, says in (("aide", helped), ("num\u00e9ros on", "C'est not\u00e9"), ("langue en", "Noted.")):
        assert peer.types(line) == []
        assert peer.output()[-1].startswith(says)
    assert peer.types("language fr", "fin") == [Bye()]


def test_invitation_names_the_command_in_the_language_of_its_guest() -> None:
    """As it is typed there."""
    peer = PlainPeer()
    peer.types("language fr", "name Pilou")
    peer.receives(samples.WELCOME, Invited(7, "Moll", samples.INFO, Seat(1)))
    assert "dis \u00ab asseoir 7 2 \u00bb" in peer.output()[-1].replace("\u00a0", " ")


def test_offers_are_told_in_the_language_of_the_moment() -> None:
    """Whichever was spoken when they came."""
    truc = GameOffer(
        "truc", "Truc, the French cousin", "Parlett 1994", "", (2,), (), rules=("A tied trick is nobody's.",)
    )
    peer = PlainPeer()
    peer.types("name Pilou")
    peer.receives(replace(samples.WELCOME, games=(truc,), houses=()))
    for language, title, rule in (
        ("fr", "Le Truc", "Une lev\u00e9e \u00e0 \u00e9galit\u00e9 n'est \u00e0 personne."),
        ("en", "Truc, the French cousin", "A tied trick is nobody's."),
    ):
        peer.types(f"language {language}", "games", "rules truc")
        games, *_, rules = (line.replace("\u00a0", " ") for line in peer.output() if "truc" in line or line == rule)
        assert title in games
        assert rules == rule


def test_open_decision_is_told_in_a_language_chosen_meanwhile() -> None:
    """And its choices are typed in it."""
    lead = Choice(Play(Card("As")), "lead the ace of spades", Phrase("put-lead", {"card": "As"}))
    peer = PlainPeer().logs_in(tables=(7,))
    peer.receives(snapshot(), Decision(7, 1, "Lead.", (lead,)))
    peer.types("language fr", "legal", "language en", "legal", "language fr")
    assert [line for line in peer.output() if ": 1 " in line.replace("\u00a0", " ")][-2:] == [
        "Tu peux\u00a0: 1 entame avec l'as de pique.",
        "You can: 1 lead the ace of spades.",
    ]
    assert [getattr(act, "action", None) for act in peer.types("entame avec l'as de pique")] == [lead.action]


def test_command_is_suggested_with_its_accents() -> None:
    """It may be typed without."""
    peer = PlainPeer()
    peer.types("language fr", "name Pilou")
    peer.receives(samples.WELCOME, snapshot())
    peer.output()
    peer.types("regless")
    assert "r\u00e8gles" in peer.output()[-1]


def test_more_than_the_words_is_told_and_not_sent() -> None:
    """Where no password is asked, a sixth word is a mistake, and no guess at anything."""
    peer = PlainPeer()
    assert peer.types("back fozat ligub rokit hames lusab rose") == []
    assert peer.output() == ['Say "back" and the 5 words that you were given, and nothing else.']


def test_welcome_says_who_they_are_and_how_to_come_back() -> None:
    """And, at no table, where to go from there."""
    peer = PlainPeer()
    peer.types("name Moll")
    peer.receives(replace(samples.WELCOME, name="Moll\x1b", server="The Bell", token="t-1", tables=()))
    assert peer.output() == [
        'You are Moll, at The Bell. Say "help" for help.',
        'If your connection drops, connect again and say "back t-1". Anyone who says that is you.',
        'You are at no table. Say "tables" to hear which there are, "games" what is played here, "open" to open one.',
    ]


def test_name_that_will_not_do_may_be_said_otherwise() -> None:
    """So may words that bring nobody back; ten times in all, and a password never."""
    taken = Goodbye("refused", "somebody here has that name", RefusalCode.NAME_TAKEN)
    peer = PlainPeer()
    for _ in range(PLAIN_TRIES - 1):
        assert len(peer.types("name Moll")) == 1
        assert peer.end.is_let_try_again(taken)
        assert peer.output() == ["Somebody here has that name.", 'Say it otherwise: "name ...", or "back ...".']
    assert len(peer.types("name Moll")) == 1
    assert not peer.end.is_let_try_again(taken)
    guesser = PlainPeer(asks_password=True)
    guesser.types("name Moll rose")
    assert not guesser.end.is_let_try_again(Goodbye("refused", "a password", RefusalCode.WRONG_PASSWORD))


def test_lines_typed_behind_the_name_wait_for_the_welcome() -> None:
    """Nothing is asked of the server before it."""
    peer = PlainPeer()
    assert peer.types("name Moll", "tables") == [Hello(3, "Moll", knows=KNOWN, client="plain", language="en")]
    assert peer.output() == []
    assert peer.receives(samples.WELCOME) == [Look(1)]


def test_who_says_nothing_of_themselves_is_sent_away_in_two_minutes() -> None:
    """And who did is never pinged, nor sent away for being silent."""
    peer = PlainPeer()
    peer.types("what is this?")
    assert peer.end.tick(PLAIN_HELLO_MS - 1) is None
    assert peer.end.tick(PLAIN_HELLO_MS) == Goodbye("idle", "you did not say who you are within 2 minutes")
    silent = PlainPeer().logs_in()
    assert silent.end.tick(10**9) is None
    assert silent.output() == []


# --- what is no person -----------------------------------------------------------------------------------------------

POSTED = "name Eve\r\nopen\r\nsay I am a web page\r\n"


@pytest.mark.parametrize(
    "page",
    [
        f"POST / HTTP/1.1\r\nHost: localhost:1674\r\n\r\n{POSTED}",
        f"GET /{'a' * 5_000} HTTP/1.1\r\n\r\n{POSTED}",
        f"POST /{'a' * 5_000}{POSTED}",
        # A page that was rebound to this host may choose its method.
        f"name /Eve HTTP/1.1\r\nHost: evil.example\r\n\r\n{POSTED}",
        f"OPTIONS * HTTP/1.0\r\n{POSTED}",
        f"\r\nPOST / HTTP/1.1\r\n{POSTED}",
    ],
)
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_web_page_plays_for_nobody(page: str, size: int) -> None:
    """A request that a browser sends ends the connection before anything in it is heard."""
    peer = PlainPeer()
    data = page.encode()
    taken = [item for at in range(0, len(data), size) for item in peer.sends(data[at : at + size])]
    (error,) = taken
    assert isinstance(error, FramingError)
    peer.receives(Goodbye("protocol", error.reason))
    assert peer.end.is_closed


def test_web_page_is_none_either_behind_a_name() -> None:
    """A request line in the middle of an evening is no evening."""
    peer = PlainPeer().logs_in()
    (error,) = peer.types("GET /tables HTTP/1.1", "tables")
    assert isinstance(error, FramingError)


def test_talk_of_the_web_is_talk() -> None:
    """Only what begins like a request is one."""
    peer = PlainPeer().logs_in(tables=(7,))
    peer.receives(snapshot())
    assert peer.types("say GET / HTTP/1.1 is what they type") == [Say(1, 7, "GET / HTTP/1.1 is what they type")]


def test_move_without_a_choice_is_made_by_itself_if_wanted() -> None:
    """And not asked for; one with a choice is, and nothing is done before what was typed ahead."""
    forced = Decision(7, 5, "Play.", (Choice(Play(Card("4c")), "play the 4 of clubs"),))
    free = replace(forced, decision=6, legal=(*forced.legal, Choice(Play(Card("3s")), "play the 3 of spades")))
    peer = PlainPeer().logs_in(tables=(7,))
    peer.receives(snapshot())
    assert peer.receives(forced) == []
    assert peer.types("alone on") == []
    peer.output()
    (act,) = peer.receives(replace(forced, decision=7))
    assert act == Act(1, 7, 7, Play(Card("4c")))
    assert peer.output() == []
    assert peer.receives(Ok(1), free) == []
    assert peer.output()[-1].startswith("Your move. Play. You can: 1")
    assert peer.receives(Refused(0, RefusalCode.TOO_LATE, "too late"), replace(forced, decision=8)) == [
        Act(2, 7, 8, Play(Card("4c")))
    ]


def test_consequence_is_told_once_and_always_if_it_changes() -> None:
    """So whoever plays by ear hears what seeing costs now, and whether refusing puts them out."""
    peer = PlainPeer().logs_in(tables=(7,))
    peer.receives(snapshot())
    heard = []
    for number, (see, refuse) in enumerate(
        [
            ("see the bet: pay 1", "refuse the bet"),
            ("see the bet: pay 1", "refuse the bet: you are out"),
            ("see the bet: pay 3", "refuse the bet: you are out"),
            ("see the bet: pay 3", "refuse the bet"),
        ]
    ):
        peer.receives(Decision(7, number, "See it?", (Choice(primero.See(), see), Choice(primero.Refuse(), refuse))))
        heard.append(peer.output()[-1].partition("You can: ")[2])
    assert heard == [
        "1 see the bet: pay 1; 2 refuse the bet.",
        "1 see the bet; 2 refuse the bet: you are out.",
        "1 see the bet: pay 3; 2 refuse the bet: you are out.",
        "1 see the bet: pay 3; 2 refuse the bet.",
    ]


# --- requests -------------------------------------------------------------------------------------------------------


def test_house_player_is_invited_by_the_beginning_of_their_name() -> None:
    """Where it could be two, they are named, and no person of that name is looked for."""
    houses = tuple([HouseOffer(name, "plays") for name in ("steady", "student")])
    peer = PlainPeer().logs_in(houses=houses)
    assert peer.receives(snapshot()) == []
    peer.output()
    assert peer.types("inv st") == []
    assert peer.output() == ['"st" could be steady or student: say more of it.']
    assert peer.types("inv ste") == [Invite(1, 7, None, "steady")]


def test_cards_of_an_arranged_pack_are_typed_with_commas() -> None:
    """A blank would begin another word."""
    option = OptionOffer("arranged", "", "", longest=160)
    game = GameOffer("put-1674", "", "", "", (2,), (option,))
    peer = PlainPeer().logs_in(games=(game,))
    (opened,) = peer.types("open put-1674 2 arranged=3s,2h,2c")
    assert isinstance(opened, OpenTable)
    assert opened.options == {"arranged": "3s 2h 2c"}


def test_requests_are_numbered_and_asked_one_at_a_time() -> None:
    """The next line waits for the answer, and the table that was opened is sat down at."""
    peer = PlainPeer().logs_in()
    assert peer.types("open put-1674 3", "invite", "tables") == [OpenTable(1, "put-1674", 3)]
    assert peer.receives(Ok(1, table=7)) == [Sit(2, 7)]
    assert peer.receives(Ok(2, table=7, seat=Seat(0))) == [Invite(3, 7)]
    assert peer.output() == ['Table 7 is open. Others come with "sit 7"; "invite" asks a house player.']
    assert peer.receives(Refused(3, RefusalCode.DRAINING, "nothing new begins")) == [Look(4)]
    assert peer.output() == ["Nothing new begins."]
    assert peer.receives(Ok(4)) == [LookAway(5)]
    assert peer.receives(Ok(5)) == []


def test_request_that_no_peer_may_send_is_asked_by_nobody() -> None:
    """What a person types passes the schema that a program's messages pass."""
    peer = PlainPeer().logs_in()
    assert peer.types("sit 7 99", "open put-1674 77", "watch 0", f"watch 1 {'x' * 129}") == []
    assert peer.output() == [
        "The seat cannot be that: expected a whole number <= 9.",
        "The seats cannot be that: expected a whole number <= 10.",
        "The table cannot be that: expected a whole number >= 1.",
        "The passcode cannot be that: expected text of length <= 128.",
    ]
    assert peer.types("watch 1") == [Watch(1, 1)]
    assert PlainPeer().types(f"name {'x' * 129}") == []


def test_lines_typed_too_far_ahead_end_the_connection() -> None:
    """What waits is bounded."""
    peer = PlainPeer().logs_in()
    taken = peer.types("tables", *["tables"] * PLAIN_LINES)
    assert taken == [Look(1)]
    (error,) = peer.types("tables")
    assert isinstance(error, FramingError)
    assert peer.receives(Ok(1)) == [LookAway(2)]
    assert peer.types("tables") == []


def test_pace_is_told_in_seconds() -> None:
    """Whether a line is answered here or asked of the server."""
    waits = [0, 1_001]
    peer = PlainPeer(spend=lambda: waits.pop(0)).logs_in()
    peer.types("table", "help")
    nowhere, wait = peer.output()
    assert nowhere.startswith("You are at no table.")
    assert wait == "That was too fast: wait 2 seconds, and say it again."
    peer.types("tables")
    peer.receives(Refused(1, RefusalCode.TOO_FAST, "too many requests: wait 990 ms", retry_after_ms=990))
    assert peer.output() == ["That was too fast: wait 1 second, and say it again."]


def test_who_they_are_cannot_be_said_twice_but_heard() -> None:
    """A name stays; the words to come back with are said to whoever asks, and fairness is not vouched for."""
    peer = PlainPeer().logs_in()
    assert peer.types("name Nan", "back", "proof") == []
    assert peer.output() == [
        "You are Moll already.",
        'If your connection drops, connect again and say "back t-1". Anyone who says that is you.',
        "Nothing is checked on a typed connection: the server that deals would be its own witness.",
        "If you play with put-client, you take part in the shuffling, and every deal is checked.",
    ]


def test_quit_is_a_goodbye_and_the_last_that_is_heard() -> None:
    """What was typed behind it is not."""
    peer = PlainPeer().logs_in()
    assert peer.types("quit", "tables") == [Bye()]
    assert peer.receives(Goodbye("bye", "goodbye")) == []
    peer.receives(Goodbye("bye", "goodbye"), samples.WELCOME)
    assert peer.output() == ["Goodbye."]
    assert PlainPeer().types("quit") == [Bye()]


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        (
            {"state": TableState.PAUSED, "pause": PauseInfo(60)},
            (
                "Your seat at table 7 is kept while the game rests, one hour at most, and then for "
                "what is left of 5 minutes."
            ),
        ),
        (
            {"state": TableState.PLAYING, "clock": ClockInfo(bank=300)},
            "Your seat at table 7 is kept for what is left of 5 minutes. After that the game is given up.",
        ),
        ({"state": TableState.BETWEEN}, "Your seat at table 7 is kept for 5 minutes."),
    ],
)
@pytest.mark.parametrize("word", ["quit", "exit", "QUIT"])
def test_who_quits_keeps_the_seat(word: str, fields: dict[str, Any], says: str) -> None:
    """The peer is told for how long, and how to come back; the server is told no goodbye."""
    peer = PlainPeer().logs_in(tables=(7,))
    peer.receives(snapshot(**fields))
    peer.output()
    (last,) = peer.types(word)
    assert isinstance(last, Parted)
    assert peer.output() == [says, 'To come back, connect again and say "back t-1". Anyone who says that is you.']
    assert peer.end.is_closed


def test_who_quits_at_no_table_says_goodbye() -> None:
    """There is no seat to keep, so the name is free for others."""
    assert PlainPeer().logs_in().types("quit") == [Bye()]


# --- sentences ------------------------------------------------------------------------------------------------------


def happened(first: int, *events: object, table: int = 7) -> Events:
    return Events(table=table, first=first, events=events)  # type: ignore[arg-type]  # events they are


def test_numbers_are_those_of_the_events() -> None:
    """With them on, every event is said, also those that are part of every deal and our own coming and going."""
    peer = PlainPeer()
    peer.types("numbers on", "name Moll")
    peer.receives(replace(samples.WELCOME, tables=(7,)), snapshot(41))
    assert "You are in seat 1 at table 7, after event 41." in peer.output()
    away = PresenceChanged(Seat(0), away=True)
    peer.receives(happened(42, away, Said(name="Nan", text="hm", seat=Seat(1))), happened(44, GoOnAsked(Seat(1))))
    assert peer.output() == [
        "42. You have lost the connection.",
        '43. Nan says: "hm".',
        "44. Ned is ready to go on.",
    ]
    assert peer.types("numbers off", "numbers 3") == []
    peer.receives(happened(45, away, Said(name="Nan", text="hm", seat=Seat(1))))
    usage = 'Say it as "numbers on or off": hear every event with its number, or without.'
    assert peer.output() == ["Numbers are off.", usage, 'Nan says: "hm".']


def test_time_stands_still_in_a_pause_and_an_empty_line_tells_of_it() -> None:
    """Whoever is to move is not hurried meanwhile, and may not move."""
    peer = PlainPeer().logs_in(tables=(7,))
    peer.receives(snapshot(41, state=TableState.PLAYING, clock=ClockInfo(turn=30)))
    peer.receives(Decision(7, 5, "Play.", (Choice(Play(Card("4c")), "play the 4 of clubs"),), turn_ms=30_000))
    paused = replace(samples.INFO, clock=ClockInfo(turn=30), state=TableState.PAUSED, pause=PauseInfo(60))
    turn = Turn(Seat(0), turn_ms=28_000, paused_ms=3_600_000)
    peer.receives(replace(happened(42, Paused(60)), info=paused, turn=turn))
    assert peer.output()[-1].startswith("All agree to a pause")
    peer.now = 20_000
    assert peer.end.tick(peer.now) is None
    assert peer.output() == []
    peer.types("", "time")
    assert peer.output() == [
        'The game goes on when every player has said "go on", or when the time is up.',
        "The game is paused, and goes on in one hour at most. No clock runs until then.",
    ]


def test_purse_that_a_game_given_up_will_change_is_not_told() -> None:
    """What a player pays for leaving it is not known when they have left."""
    seats = (SeatInfo("Moll", purse=3), SeatInfo("Ned"))
    for state, said in ((TableState.BETWEEN, ["Your purse of 3 ends with your seat"]), (TableState.PLAYING, [])):
        peer = PlainPeer().logs_in(tables=(7,))
        peer.receives(snapshot(41, seats=seats, state=state))
        peer.types("leave", *["yes"] * (state is TableState.PLAYING))
        peer.output()
        peer.receives(Ok(1))
        left, *purse = peer.output()
        assert left == "You have left table 7."
        assert [sentence.partition(":")[0] for sentence in purse] == said


def test_invitation_of_a_person_is_answered() -> None:
    """A house player is heard to sit down; of a person nothing would be heard until they come."""
    peer = PlainPeer().logs_in(tables=(7,))
    peer.receives(snapshot())
    assert peer.types("invite Peg Leg") == [Invite(1, 7, person="Peg Leg")]
    peer.output()
    peer.receives(Ok(1))
    assert peer.output() == ["Peg Leg is invited."]


def test_log_of_a_hand_has_its_end_which_comes_with_the_next_deal() -> None:
    """One message tells both."""
    view = PutView(target=5, scores=(0, 0), hand=1, counts=(3, 3), to_move=Seat(1))
    peer = PlainPeer().logs_in(tables=(7,))
    peer.receives(replace(snapshot(41, state=TableState.PLAYING), view=view))
    ended = HandEnded(HandWon.THROWN_IN, Seat(0), 1, (1, 0))
    dealt = Dealt(2, Seat(1), Seat(0), (3, 3), (Card("3s"), Card("3h"), Card("3d")))
    peer.receives(replace(happened(42, ThrewIn(Seat(1)), ended, dealt), view=replace(view, hand=2, scores=(1, 0))))
    end, deal = peer.output()[-2:]
    peer.types("log")
    assert peer.output() == [deal]
    peer.types("log 1")
    assert peer.output()[-1] == end


UNPROVED = "No deal here is proved to you: nothing checks them on a typed connection."


def test_deals_of_a_table_are_said_once_not_to_be_proved() -> None:
    """Right behind the sentence that deals the first, with numbers and without, at every table one comes to."""
    hand = Dealt(1, Seat(1), Seat(0), (3, 3), (Card("3s"), Card("3h"), Card("3d")))
    draw = Drawn((Seat(0), Seat(1)), (Card("3s"), Card("Kd")))
    led = Played(Seat(0), Card("3s"), leads=True)
    for numbers in ("on", "off"):
        peer = PlainPeer()
        peer.types(f"numbers {numbers}", "name Moll")
        peer.receives(replace(samples.WELCOME, tables=(7,)), snapshot(41, state=TableState.BETWEEN))
        assert UNPROVED not in peer.output()
        peer.receives(happened(42, draw), happened(43, hand, led))
        drawn, unproved, dealt, played = peer.output()
        assert "draw" in drawn
        assert "deals hand 1" in dealt
        assert "lead" in played
        assert unproved == UNPROVED
        peer.receives(Left(7, "it was cleared away"), snapshot(1, table=8, state=TableState.BETWEEN))
        peer.output()
        peer.receives(happened(2, hand, table=8))
        assert peer.output()[1:] == [UNPROVED]


def test_hand_in_play_is_said_not_to_be_proved() -> None:
    """To who comes in the middle of it, or comes back to it."""
    peer = PlainPeer().logs_in(tables=(7,))
    peer.receives(snapshot(41, state=TableState.PLAYING))
    assert peer.output()[-1] == UNPROVED


def test_client_has_deals_checked_and_is_not_told_that_nothing_is() -> None:
    """What the sentences know of a typed connection, they know from the server's end of one."""
    hand = Dealt(1, Seat(1), Seat(0), (3, 3), (Card("3s"), Card("3h"), Card("3d")))
    known, said = telling.apply_message(text_state.TextState(), snapshot(41, state=TableState.PLAYING), 0)
    assert UNPROVED not in (*said, *telling.apply_message(known, happened(42, hand), 0)[1])


def test_second_table_is_said_and_then_kept_out() -> None:
    """Who was at several is told of the others, and hears nothing of them among their own."""
    peer = PlainPeer().logs_in(tables=(7, 8))
    peer.receives(snapshot())
    peer.output()
    peer.receives(snapshot(table=8), happened(4, Said(name="Nan", text="hm", seat=Seat(1)), table=8))
    assert peer.output() == [
        "You are at table 8, too, but one connection follows one table: leave table 7 and come back to hear of table 8."
    ]
    peer.receives(happened(4, Said(name="Nan", text="hm", seat=Seat(1))))
    assert peer.output() == ['Nan says: "hm".']


@pytest.mark.parametrize(
    ("goodbye", "says"),
    [
        (Goodbye("kicked", "the operator sent you away"), ["The operator sent you away."]),
        (Goodbye("taken_over", "you came back by another connection"), ["You came back by another connection."]),
        (
            Goodbye("draining", "the server is stopping, and back in about ten minutes", back_s=600),
            [
                "The server is stopping, and back in about ten minutes.",
                'If your connection drops, connect again and say "back t-1". Anyone who says that is you.',
            ],
        ),
    ],
)
def test_goodbye_is_a_sentence_and_the_last(goodbye: Goodbye, says: Sequence[str]) -> None:
    """Who may come back is told how once more."""
    peer = PlainPeer().logs_in()
    peer.receives(goodbye, Ping(), snapshot())
    assert peer.output() == says
    assert peer.types("tables") == []


def test_nothing_of_others_reaches_a_terminal_that_could_move_it() -> None:
    """Control and bidi characters in names and talk, whatever the server lets through, are not passed on."""
    peer = PlainPeer().logs_in(tables=(7,))
    peer.receives(snapshot())
    peer.output()
    peer.receives(happened(4, Said(name="Na\x1b[2Jn\u202e", text="\x07hm\r\nYou win.", seat=Seat(1))))
    assert peer.output() == ['Na[2Jn says: "hmYou win.".']


def test_lines_end_as_the_peers_own_do() -> None:
    """LF for who sends LF, so that pipes stay clean; CR LF for telnet, which would draw stairs otherwise."""
    for typed, end in ((b"hm\n", b"\n"), (b"hm\r\n", b"\r\n"), (bytes([IAC, 241]) + b"hm\n", b"\r\n")):
        peer = PlainPeer()
        peer.sends(typed)
        said = peer.end.take()
        assert said == "".join(f"{sentence}{end.decode()}" for sentence in prompt()).encode()


def test_gallery_hears_as_the_gallery() -> None:
    """Whoever watches is told so, and has no hand."""
    peer = PlainPeer().logs_in()
    assert peer.types("watch 7", "hand") == [Watch(1, 7)]
    peer.receives(Ok(1), replace(snapshot(), viewer=GALLERY))
    assert "You are in the gallery of table 7." in peer.output()


@given(data=TYPED)
def test_whatever_is_typed_nothing_is_raised(data: bytes) -> None:
    """While logging in and at a table: only messages and errors come out, and only text goes back."""
    for peer in (PlainPeer(), PlainPeer(asks_password=True), PlainPeer().logs_in()):
        for item in peer.sends(data):
            assert isinstance(item, Hello | Bye | ProtocolError | Look)
        peer.end.take()


def test_commands_are_typed_in_the_language_of_the_context() -> None:
    """By French words, with or without accents, and by the English ones; other words stay as they are."""
    with speaking("fr"):
        said = [
            command_in_english(text) for text in ("s'asseoir 3 2", "Mes cartes", "regles", "leave", "dire  aide", "")
        ]
    assert said == ["sit 3 2", "mine", "rules", "leave", "say aide", ""]
    assert command_in_english("aide") == "aide"


def test_beginning_of_a_french_word_is_enough() -> None:
    """Of a command, as in English; words that it could begin are French, and an English word is still known."""

    def typed(text: str) -> object:
        return interpret(text, text_state.TextState(language="fr"), 0, samples.WELCOME, lambda _: ())[1]

    with speaking("fr"):
        assert typed("aid") == typed("aide")
        assert typed("aide ap") == typed("help after")
        assert typed("hous") == typed("maisons")
        assert typed("re") == ("«\u00a0re\u00a0» peut être regles, renvoyer, reprendre ou repeter\u00a0: dis-en plus.",)
